# Shared by the benchmark scripts: finds Adult, builds, makes a folder for results. To be sourced.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
data=${SHOAL_DATA:-../shared/data}
[ -f "$data/adult/adult.csv" ] || { echo "skipped: no Adult data in $data (set SHOAL_DATA)"; exit 0; }
cmake --preset release -DDuckDB_ROOT="$(tools/get_duckdb.sh)" -DSHOAL_BENCH=ON >/dev/null
cmake --build build >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
threads=$(nproc)
quasi8=age,workclass,education,marital-status,occupation,race,sex,native-country

heading() {
  printf '%-26s %5s %7s %7s %8s %8s %7s %9s %6s %5s %8s %7s %6s\n' \
    "$1" k gcp prec groups smallest dropped expanded proven gap% search_s total_s MB
}
# line NAME K INPUT FLAGS...: one run, one line
line() {
  local name=$1 k=$2 input=$3
  shift 3
  if build/shoal anonymize "$input" -o "$work/release.csv" --json "$work/report.json" --threads "$threads" --quiet "$@"; then
    build/report_line "$work/report.json" "$name" "$k"
  else
    echo "$name k=$k: exit code $?"
  fi
}
search_seconds() { sed -n 's/.*"search": \([0-9.e+-]*\),*$/\1/p' "$work/report.json" | tail -n 1; }
