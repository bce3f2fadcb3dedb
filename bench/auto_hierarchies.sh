#!/usr/bin/env bash
# Hierarchies that nobody made: GCP and entropy lost by `mondrian` and `shoal` with flat trees, with `build: auto` and with trees made by
# hand, on the same tables, columns and k. Both measures ask how many values (or bits) a released cell leaves open, so that they can be
# compared across trees. Numbers are numeric: released as ranges with every tree. docs/hierarchies.md has the table. usage: bench/auto_hierarchies.sh [PROGRAM] (from the project's folder)
set -euo pipefail
program=$(realpath "${1:-build/shoal}")
data=$(realpath ../shared/data)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# Adult has the trees of ARX. The others are what a person who knows the subject would write in ten minutes.
mkdir adult diabetes130 eusilc
for column in age workclass education marital-status occupation race sex native-country; do
  cp "$data/adult/hierarchies/adult_hierarchy_$column.csv" "adult/$column.csv"
done
# Parts of Austria, in work or not, from here or not.
cat >eusilc/db040.csv <<'END'
Burgenland;East;*
Lower Austria;East;*
Vienna;East;*
Carinthia;South;*
Styria;South;*
Upper Austria;West;*
Salzburg;West;*
Tyrol;West;*
Vorarlberg;West;*
END
cat >eusilc/pl030.csv <<'END'
1;works;*
2;works;*
3;at home;*
4;at home;*
5;out of work for good;*
6;out of work for good;*
7;at home;*
END
cat >eusilc/pb220a.csv <<'END'
AT;AT;*
EU;abroad;*
Other;abroad;*
END
# Bands of 20 and 40 years, and the chapters of ICD-9.
for decade in 0 10 20 30 40 50 60 70 80 90; do
  echo "[$decade-$((decade + 10)));$((decade / 20 * 20)) to $((decade / 20 * 20 + 20));$((decade / 40 * 40)) and more;*"
done >diabetes130/age.csv
gunzip -c "$data/diabetes130/diabetes130.csv.gz" >diabetes130.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "diag_1") at = i; next }
  !seen[$at]++ && $at != "?" {
    code = $at; n = code + 0
    chapter = code ~ /^V/ ? "supplementary" : code ~ /^E/ ? "external" : n < 140 ? "infections" : n < 240 ? "neoplasms" : n < 280 ? "endocrine" : n < 290 ? "blood" \
      : n < 320 ? "mental" : n < 390 ? "nerves, eyes, ears" : n < 460 ? "circulation" : n < 520 ? "breathing" : n < 580 ? "digestion" : n < 630 ? "kidneys, genitals" \
      : n < 680 ? "pregnancy" : n < 710 ? "skin" : n < 740 ? "bones, muscles" : n < 760 ? "inborn" : n < 780 ? "around birth" : n < 800 ? "symptoms" : "injuries"
    group = code ~ /^[VE]/ ? substr(code, 1, 2) "x" : int(n / 10) "x"
    print code ";" (group == code ? group "-" : group) ";" chapter ";*"
  }' diabetes130.csv >diabetes130/diag_1.csv

run() {  # TABLE INPUT COLUMNS K FLAGS...
  local table=$1 input=$2 columns=$3 k=$4
  shift 4
  for method in mondrian "shoal --param effort=fast"; do
    for trees in flat auto hand; do
      local flags=()
      IFS=, read -ra names <<<"$columns"
      for name in "${names[@]}"; do
        if [ $trees = auto ] || { [ $trees = hand ] && [ ! -e "$table/$name.csv" ]; }; then flags+=(--hierarchy "$name=build:auto"); fi
        if [ $trees = hand ] && [ -e "$table/$name.csv" ]; then flags+=(--hierarchy "$name=$table/$name.csv"); fi
      done
      # shellcheck disable=SC2086
      "$program" anonymize "$input" -o release.csv --quasi "$columns" --k "$k" --missing '?' --quiet --json report.json --method $method "${flags[@]}" "$@" || echo "$table $method $trees: exit $?"
      python3 - "$table" "$k" "${method%% *}" $trees <<'END'
import json, sys
report = json.load(open("report.json"))
measures = report["measures"]
print("| {} | {} | {} | {} | {:.4f} | {:.3f} |".format(*sys.argv[1:], measures["gcp"], measures["entropy_ratio"]))
END
    done
  done
}
echo '| table | k | method | trees | GCP | entropy lost |'
echo '|---|---|---|---|---|---|'
for k in 5 50; do
  run adult "$data/adult/adult.csv" age,workclass,education,marital-status,occupation,race,sex,native-country $k --numeric age
  run eusilc "$data/eusilc/eusilc.csv.gz" hsize,db040,age,rb090,pl030,pb220a $k --categorical pl030 --numeric hsize,age
  run diabetes130 diabetes130.csv race,gender,age,admission_type_id,medical_specialty,diag_1 $k --categorical admission_type_id
done
