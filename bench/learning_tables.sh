#!/usr/bin/env bash
# Learners on the releases of several methods, on every table of the data folder that has a class (the last column), all other
# columns quasi. One result (JSON) per table, so that a later comparison can take tables as its blocks.
# Usage: bench/learning_tables.sh PROGRAM DATA RESULTS [TABLE...]
#   METHODS, LEARNERS, KS, FLAGS: what is compared. Without KS: k = 10, and 50 from 500 rows on.
# Tables of more than ROWS (10,000) rows are thinned evenly to at most that many; numbers that only name a row are identifiers.
set -euo pipefail
program=$1 data=$2 results=$3 most=${ROWS:-10000}
shift 3
chosen="adult breast-cancer-wisconsin credit-card dermatology fertility german heart lymphography mushroom spambase vote zoo"
shown="breast-cancer car crx diabetes130 flags glass hepatitis mammographic nursery tic-tac-toe waveform"
mkdir -p "$results"
for name in ${*:-$chosen $shown}; do
  [ "$name" = chosen ] || [ "$name" = shown ] && { "$0" "$program" "$data" "$results" ${!name}; continue; }
  table=$(ls "$data/$name/$name".csv "$data/$name/$name".csv.gz 2>/dev/null | head -n 1 || true)
  [ -n "$table" ] || { echo "skipped: no $name in $data"; continue; }
  rows=$(zcat -f "$table" | wc -l)
  thinned=$results/$name.csv
  zcat -f "$table" | awk -v step=$(((rows - 2 + most) / most)) 'NR == 1 || NR % step == 0' >"$thinned"
  header=$(sed -n 1p "$thinned")
  identifiers=$(tr , '\n' <<<"$header" | grep -x 'encounter_id\|patient_nbr' | paste -sd, || true)
  quasi=$(tr , '\n' <<<"${header%,*}" | grep -vx 'encounter_id\|patient_nbr' | paste -sd,)
  ks=${KS:-10$([ "$rows" -gt 500 ] && echo ,50 || true)}
  echo "== $name"
  # shellcheck disable=SC2086
  "$program" evaluate "$thinned" --quasi "$quasi" ${identifiers:+--identifier "$identifiers"} --target "${header##*,}" --missing '?' \
    --k "$ks" --learners "${LEARNERS:-c45,nb,logistic,part}" --threads "${THREADS:-2}" ${FLAGS:-} \
    --methods "${METHODS:-kactus,tds,tdr,mondrian-infogain,mondrian,shoal}" --json "$results/$name.json" ||
    echo "$name: exit code $?"
  rm "$thinned"
done
