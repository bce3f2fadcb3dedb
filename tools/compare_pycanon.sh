#!/usr/bin/env bash
# Compares what `shoal measure` prints about releases with pyCANON, in a virtual environment of its own. Skipped by name
# where pyCANON cannot be installed.
set -euo pipefail
cd "$(dirname "$0")/.."
environment=build-python/pycanon
[ -x $environment/bin/pip ] || "${PYTHON:-python3}" -m venv $environment
if ! $environment/bin/pip install --quiet --disable-pip-version-check pycanon==1.3.6; then
  echo "skipped: compare_pycanon (pyCANON 1.3.6 could not be installed)"
  exit 0
fi
exec $environment/bin/python testing/compare_pycanon.py "${1:-build}/shoal" examples/census/people.csv
