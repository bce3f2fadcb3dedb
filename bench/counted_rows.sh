#!/usr/bin/env bash
# Methods by levels, cuts and regions on Spark's driver (needs ../shared/data and an environment of tools/test_spark.sh): Adult
# enlarged, 8 quasi columns, k = 10, searched and verified by its distinct tuples with counts, and with every row counted out.
# Usage: bench/counted_rows.sh [ROWS...]; without a number: 1000000. METHODS (incognito mondrian) chooses others, HOW (counts rows)
# one of the two ways. The same GCP is expected of both; peak_MB is the whole process, with pyarrow and DuckDB.
source "$(dirname "$0")/adult.sh"
[ $# -gt 0 ] || set -- 1000000
python=build-python/spark-${PYSPARK:-4.0.5}/bin/python
IFS=, read -ra columns <<<"$quasi8"
printf '%12s %7s %10s %9s %9s %8s %8s\n' method how rows tuples gcp cpu_s peak_MB
for rows in "$@"; do
  build/enlarge "$data/adult/adult_train.csv" "$work/adult.csv" "$rows" 1 0.3
  "$python" - "$work" "$quasi8" <<'PYTHON'
import sys
import duckdb
work, quasi = sys.argv[1], ", ".join(f'"{name}"' for name in sys.argv[2].split(","))
duckdb.sql(f"COPY (SELECT {quasi}, count(*) AS count FROM read_csv('{work}/adult.csv', all_varchar=true) GROUP BY ALL) "
           f"TO '{work}/tuples.parquet' (FORMAT parquet)")
PYTHON
  rm "$work/adult.csv"
  for method in ${METHODS:-incognito mondrian}; do
    for how in ${HOW:-counts rows}; do
      "$python" bench/counted_rows.py "$how" "$work/tuples.parquet" "$data/adult/hierarchies" "$method" "${columns[@]}"
    done
  done
done
