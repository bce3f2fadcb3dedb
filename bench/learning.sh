#!/usr/bin/env bash
# What anonymization costs learners (needs ../shared/data). Usage: bench/learning.sh [adult|tables|sets|speed]; without a word: all.
#   adult   kactus against the others on Adult, three sets of quasi columns, four learners, train-only 5x2 (KS=50,250: some k only)
#   tables  methods side by side on every table with a class (bench/learning_tables.sh), compared with tables as blocks: those that
#           defaults are chosen on, those that results are shown on, and all
#   sets    kactus alone on further sets, all columns quasi
#   speed   Adult with variations, 30 times as many rows, 7 quasi columns, k=150, start to verified file
source "$(dirname "$0")/adult.sh"
what=${1:-all}
learners=${LEARNERS:-c45,nb,logistic,part}
results=${RESULTS:-$work}

if [ "$what" = all ] || [ "$what" = adult ]; then
  eight=age,workclass,fnlwgt,occupation,sex,capital-gain,hours-per-week,native-country
  eleven=$eight,education,education-num,marital-status
  fourteen=$eleven,relationship,race,capital-loss
  for quasi in "$fourteen" "$eleven" "$eight"; do
    build/shoal evaluate "$data/adult/adult.csv" --quasi "$quasi" --numeric age --target class \
      --hierarchies "$data/adult/hierarchies" --k "${KS:-50,100,250,500,750,1000}" --learners "$learners" --threads "$threads" \
      --methods "${METHODS:-kactus,tds,tdr,mondrian,mondrian-infogain,kadet}" --json "$results/adult_$(tr -dc , <<<"$quasi" | wc -c).json"
    echo
  done
  echo "Adult, all three sets of quasi columns, without kadet (which has one learner only):"
  build/shoal evaluate --join "$results/adult_13.json" --join "$results/adult_10.json" --join "$results/adult_7.json"
fi

if [ "$what" = all ] || [ "$what" = tables ]; then
  for part in chosen shown; do
    THREADS=$threads bench/learning_tables.sh build/shoal "$data" "$results/tables/$part" "$part"
  done
  for part in chosen shown '*'; do
    echo "Tables compared: $part"
    # shellcheck disable=SC2046,SC2086
    build/shoal evaluate $(printf -- '--join %s ' "$results"/tables/$part/*.json)
  done
fi

if [ "$what" = all ] || [ "$what" = sets ]; then
  for set in crx/crx german/german nursery/nursery car/car tic-tac-toe/tic-tac-toe waveform/waveform vote/vote \
    breast-cancer-wisconsin/breast-cancer-wisconsin spambase/spambase; do
    table=$(ls "$data/$set".csv "$data/$set".csv.gz "$data/uci/$(basename "$set")".csv 2>/dev/null | head -n 1 || true)
    [ -n "$table" ] || { echo "skipped: no $set"; continue; }
    header=$(zcat -f "$table" | sed -n 1p)  # to the end of the file: head would break the pipe
    build/shoal evaluate "$table" --quasi "${header%,*}" --target "${header##*,}" --missing '?' --k "${KS:-10,25,50,100}" \
      --learners "$learners" --methods kactus --threads "$threads" --json "$results/$(basename "$set").json"
    echo
  done
fi

if [ "$what" = all ] || [ "$what" = speed ]; then
  rows=${ROWS:-1356660}
  table=$work/adult_large.csv
  build/enlarge "$data/adult/adult.csv" "$table" "$rows"
  echo "Adult enlarged to $rows rows, 7 quasi columns, k=150; ratios to DuckDB copying the file"
  build/side_by_side "${ROUNDS:-3}" \
    "DuckDB copies CSV to CSV" "build/duckdb_copy $table $work/copy.csv $threads" \
    "kactus k=150" "build/shoal anonymize $table -o $work/release.csv --quasi age,education-num,marital-status,relationship,capital-gain,sex,hours-per-week --target class --method kactus --k 150 --threads $threads --quiet --json $work/report.json"
  echo "search alone: $(search_seconds) s"
fi
