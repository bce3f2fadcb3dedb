#!/usr/bin/env bash
# Several requirements that share columns (needs ../shared/data): nine sets on Adult, one line each with the GCP over all
# columns of the set by one requirement that implies all (union), by mondrian, which cuts for all at once, and by shoal;
# how far shoal is below the better of the other two; and the seconds that shoal searched.
# Usage: bench/requirements.sh [NUMBER...]; without a number: all nine. EFFORT chooses another effort than normal.
source "$(dirname "$0")/adult.sh"
declare -A column=([a]=age [w]=workclass [e]=education [m]=marital-status [o]=occupation [r]=race [s]=sex [c]=native-country)
sets=("asc:20 aeo:5" "asrc:10 aeow:10" "asmr:50 aewom:5" "as:50 asemc:5 aow:10" "asr:25 seo:10 awc:3" "awemor:3 asc:50"
      "as:50 src:20 eos:10 amw:5" "aems:10 eows:10 arcs:10" "aws:10 weo:10 oma:10")

names() { # LETTERS: the columns, with commas
  local all="" i
  for ((i = 0; i < ${#1}; i++)); do all+=",${column[${1:i:1}]}"; done
  echo "${all#,}"
}
# gcp FLAGS...: one run's GCP; its report stays in $work
gcp() {
  build/shoal anonymize "$data/adult/adult_train.csv" -o "$work/release.csv" --json "$work/report.json" \
    --threads "$threads" --quiet --hierarchies "$data/adult/hierarchies" --numeric age "$@" || { echo failed; return; }
  sed -n '/"measures"/,$ s/.*"gcp": \([0-9.e+-]*\),*$/\1/p' "$work/report.json" | head -n 1
}

echo "Adult, 30,162 rows; a=age w=workclass e=education m=marital-status o=occupation r=race s=sex c=native-country"
printf '%-28s %8s %10s %8s %8s %9s\n' set union mondrian shoal below% search_s
for number in "${@:-1 2 3 4 5 6 7 8 9}"; do
  for i in $number; do
    set=${sets[i - 1]}
    quasi=$(names "$(tr -d ':0-9 ' <<<"$set" | fold -w1 | sort -u | tr -d '\n')")
    flags=(--quasi "$quasi")
    for requirement in $set; do flags+=(--require "$(names "${requirement%:*}"):${requirement#*:}"); done
    union=$(gcp "${flags[@]}" --method shoal --union)
    mondrian=$(gcp "${flags[@]}" --method mondrian)
    shoal=$(gcp "${flags[@]}" --method shoal --param effort="${EFFORT:-normal}")
    awk -v set="$set" -v u="$union" -v m="$mondrian" -v s="$shoal" -v t="$(search_seconds)" 'BEGIN {
      best = u + 0 < m + 0 ? u : m
      printf "%-28s %8.4f %10.4f %8.4f %8.0f %9.1f\n", set, u, m, s, 100 * (1 - s / best), t }'
  done
done
