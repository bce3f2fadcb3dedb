#!/usr/bin/env bash
# How soon every method ends: bench/limits.sh TABLE ROLES..., as in
#   bench/limits.sh adult.csv --quasi age,sex,race --numeric age --target income --k 10
# Prints for each method the seconds its search took with a time budget of one second, and the seconds from an interrupt
# (BENCH_AFTER seconds after the start, 1 if not given) to the end of the program.
#   bench/limits.sh findings TABLE ROLES...
# prints for each method the processor seconds of the findings, of the whole run, and their share.
set -uo pipefail
shoal=${SHOAL:-$(dirname "$0")/../build/shoal}
findings=
if [ "$1" = findings ]; then
  findings=yes
  shift
fi
table=$1
shift
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
number() { grep -o "\"$1\": *[0-9.e-]*" "$place/report.json" | grep -o '[0-9.e-]*$' | head -n 1; }
if [ -n "$findings" ]; then
  printf '%-18s %-10s %-10s %s\n' method findings run share
  for method in ${METHODS:-mondrian shoal}; do
    "$shoal" anonymize "$table" -o "$place/out.csv" --method "$method" --json "$place/report.json" --quiet "$@" >/dev/null 2>&1
    status=$?
    [ $status -eq 0 ] || { echo "$method: exit code $status"; continue; }
    share=$(awk -v a="$(number processor_findings)" -v b="$(number processor_total)" 'BEGIN { printf "%.1f %%", 100 * a / b }')
    printf '%-18s %-10.2f %-10.2f %s\n' "$method" "$(number processor_findings)" "$(number processor_total)" "$share"
  done
  exit
fi
printf '%-18s %-22s %s\n' method "search, budget 1 s" "after an interrupt"
for method in ${METHODS:-$("$shoal" methods | awk '/^  [a-z]/ && $1 != "name" && $1 != "mingen" { print $1 }')}; do
  output=$place/out.csv
  [ "$method" = kadet ] && output=$place/out.json
  run=("$shoal" anonymize "$table" -o "$output" --method "$method" --json "$place/report.json" --quiet "$@")
  searched=failed
  "${run[@]}" --time-budget 1 >/dev/null 2>&1 &&
    searched=$(grep -o '"search": *[0-9.]*' "$place/report.json" | grep -o '[0-9.]*$' | head -n 1)
  "${run[@]}" >/dev/null 2>&1 &
  process=$!
  sleep "${BENCH_AFTER:-1}"
  start=$(date +%s.%N)
  kill -INT $process 2>/dev/null
  wait $process
  status=$?
  ended=$(echo "$(date +%s.%N) - $start" | bc)
  [ $status -eq 130 ] || ended="(had ended)"
  printf '%-18s %-22s %s\n' "$method" "$searched" "$ended"
done
