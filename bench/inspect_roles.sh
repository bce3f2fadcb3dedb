#!/bin/bash
# The roles that `shoal inspect` suggests beside those usual in the literature, for every set in the data folder, as the
# table of docs/inspect.md: bench/inspect_roles.sh [DATA]
set -euo pipefail
cd "$(dirname "$0")/.."
data=${1:-${SHOAL_DATA:-../shared/data}}
shoal=${SHOAL:-build/shoal}

# set, file, usual quasi columns, class
sets="adult adult/adult.csv age,workclass,education,marital-status,occupation,race,sex,native-country class
crx crx/crx.csv A9,A11,A10,A8,A15,A7,A14,A6,A5 class
german german/german.csv credit-amount,status,duration,credit-history,savings class
mammographic mammographic/mammographic.csv age,density,shape,margin class
diabetes130 diabetes130/diabetes130.csv.gz race,gender,age,admission_type_id,time_in_hospital class
fertility fertility/fertility.csv.gz age,afam,hispanic,other,gender1,gender2,work class
eusilc eusilc/eusilc.csv.gz hsize,db040,age,rb090,pb220a -"
for other in nursery car tic-tac-toe glass waveform heart breast-cancer breast-cancer-wisconsin mushroom vote spambase \
    dermatology hepatitis lymphography zoo flags credit-card; do
  file=$other/$other.csv
  [ -e "$data/$file" ] || file=$file.gz
  sets+=$'\n'"$other $file - class"
done

# Names of the columns that have the role, in the order of the table.
with_role() { sed -nE "s/^  \"?([^\":#]+)\"?: (\{role: )?$1([,}].*)?$/\1/p"; }

echo "| set | columns | usual quasi columns found | missed | also quasi | target | person | identifier | left out |"
echo "|---|---|---|---|---|---|---|---|---|"
while read -r name file usual class; do
  job=$("$shoal" inspect "$data/$file" --write-job - --quiet 2>/dev/null)
  quasi=$(with_role quasi <<<"$job")
  found='' missed='' further=0
  for column in ${usual//,/ }; do
    [ "$column" = - ] && continue
    if grep -qxF -- "$column" <<<"$quasi"; then found+=" $column"; else missed+=" $column"; fi
  done
  while read -r column; do
    [ -z "$column" ] || [[ ",$usual," == *",$column,"* ]] || further=$((further + 1))
  done <<<"$quasi"
  columns=$(grep -cE '^  [^ #]|: left out$' <<<"$(sed -n '/^columns:/,/^[^ ]/p' <<<"$job")" || true)
  target=$(with_role target <<<"$job")
  [ "$class" = - ] && class=''
  [ "$target" = "$class" ] && target="${target:-none} (right)"
  echo "| $name | $columns |$found |$missed | $further | ${target:-none} | $(with_role person <<<"$job" | paste -sd' ') |" \
    "$(with_role identifier <<<"$job" | paste -sd' ') | $(grep -c ': left out$' <<<"$job" || true) |"
done <<<"$sets"
