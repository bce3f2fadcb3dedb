#!/usr/bin/env bash
# The same fragments in one process (two threads) and on Spark's local[2] (needs ../shared/data, Java, and an environment of
# tools/test_spark.sh): seconds and processor seconds of each, start-up of Spark and of its first Python worker apart.
# Usage: bench/spark.sh [ROWS [FRAGMENTS]]; without numbers: 200000 8. PYSPARK chooses the version.
source "$(dirname "$0")/adult.sh"
build/enlarge "$data/adult/adult_train.csv" "$work/adult.csv" "${1:-200000}" 1 0.3
build-python/spark-${PYSPARK:-4.0.5}/bin/python bench/spark.py "$work" "$data/adult/hierarchies" "${2:-8}"
