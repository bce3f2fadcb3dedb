#!/usr/bin/env bash
# Tables larger than memory (needs ../shared/data): Adult enlarged, 8 quasi columns, as Parquet, anonymized by method METHOD (shoal)
# with k = 10 under a memory limit, beside the same without a limit where it has at most UNLIMITED rows (1,000,000).
# Usage: bench/outsized.sh [ROWS...]; without a number: 1000000 10000000. LIMIT (default 1GB) and EFFORT (normal) choose others.
# Needs about 250 bytes of free disk a row in TMPDIR.
source "$(dirname "$0")/adult.sh"
[ $# -gt 0 ] || set -- 1000000 10000000
limit=${LIMIT:-1GB}
printf '%10s %9s %9s %10s %10s %9s %9s\n' rows limit gcp wall_s cpu_s us_a_row peak_MB
number() { grep -o "\"$1\": *[0-9.e+-]*" "$work/report.json" | grep -o '[0-9.e+-]*$' | tail -n 1; }
# one LIMIT: a run, a line
one() {
  local memory=() method=${METHOD:-shoal} settings=()
  [ "$1" = none ] || memory=(--memory-limit "$1")
  [ "$method" != shoal ] || settings=(--param effort="${EFFORT:-normal}")
  if ! build/shoal anonymize "$work/adult.parquet" -o "$work/release.parquet" --quasi "$quasi8" --numeric age \
    --hierarchies "$data/adult/hierarchies" --k 10 --method "$method" ${settings[@]+"${settings[@]}"} \
    --threads "$threads" --json "$work/report.json" --quiet ${memory[@]+"${memory[@]}"}; then
    echo "exit code $?"
    return
  fi
  printf '%10s %9s %9.5f %10.1f %10.1f %9.1f %9.0f\n' "$rows" "$1" "$(number gcp)" "$(number total)" \
    "$(number processor_total)" "$(awk -v s="$(number processor_total)" -v n="$rows" 'BEGIN { print s / n * 1e6 }')" \
    "$(awk -v b="$(number peak_memory_bytes)" 'BEGIN { print b / 1e6 }')"
}
for rows in "$@"; do
  build/enlarge "$data/adult/adult_train.csv" "$work/adult.csv" "$rows" 1 0.3
  build/duckdb_copy "$work/adult.csv" "$work/adult.parquet" "$threads"
  rm "$work/adult.csv"
  [ "$rows" -gt "${UNLIMITED:-1000000}" ] || one none
  one "$limit"
done
