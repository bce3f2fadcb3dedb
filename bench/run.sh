#!/usr/bin/env bash
# Speed and loss on Adult (needs ../shared/data). Usage: bench/run.sh [million|loss]; without a word: all.
set -euo pipefail
cd "$(dirname "$0")/.."
data=${SHOAL_DATA:-../shared/data}
[ -f "$data/adult/adult.csv" ] || { echo "skipped: no Adult data in $data (set SHOAL_DATA)"; exit 0; }
cmake --preset release -DDuckDB_ROOT="$(tools/get_duckdb.sh)" -DSHOAL_BENCH=ON >/dev/null
cmake --build build >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
threads=$(nproc)
quasi=age,workclass,education,marital-status,occupation,race,sex,native-country
flags="--quasi $quasi --target class --hierarchies $data/adult/hierarchies --threads $threads --quiet"
what=${1:-all}

if [ "$what" = all ] || [ "$what" = million ]; then
  rows=${ROWS:-1000000}
  table=$work/adult.csv
  build/enlarge "$data/adult/adult.csv" "$table" "$rows"
  echo "Adult enlarged to $rows rows, 8 quasi columns, start to verified file; ratios to DuckDB copying the file"
  anonymize() { echo "build/shoal anonymize $table -o $work/release.csv $flags $*"; }
  build/side_by_side "${ROUNDS:-3}" \
    "DuckDB copies CSV to CSV" "build/duckdb_copy $table $work/copy.csv $threads" \
    "mondrian k=10" "$(anonymize --method mondrian --numeric age --k 10)" \
    "incognito k=50" "$(anonymize --method incognito --k 50)" \
    "allmin k=50" "$(anonymize --method allmin --k 50)" \
    "incognito k=50, all may be dropped" "$(anonymize --method incognito --k 50 --suppress-rows 1)"
fi

if [ "$what" = all ] || [ "$what" = loss ]; then
  echo "Adult, 30,162 rows, 8 quasi columns"
  printf '%-10s %5s %8s %8s %9s %9s %9s %9s\n' method k gcp prec groups dropped search_s total_s
  for method in ${METHODS:-mondrian incognito allmin datafly}; do
    for k in 2 5 10 25 50 100; do
      build/shoal anonymize "$data/adult/adult_train.csv" -o "$work/release.csv" $flags --numeric age --method "$method" \
        --k "$k" --json "$work/report.json" || { echo "$method k=$k: exit code $?"; continue; }
      build/report_line "$work/report.json" "$method" "$k"
    done
  done
fi
