#!/usr/bin/env bash
# Our learners beside the reference errors, and their training times (needs ../shared/data).
source "$(dirname "$0")/adult.sh"
build/learners "$data" "${SEEDS:-3}"
