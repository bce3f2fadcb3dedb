#!/usr/bin/env bash
# Speed and loss on Adult (needs ../shared/data). Usage:
#   bench/run.sh [million|loss|cuts|kaca|local|shoal|scale|learners|learning]     without a word: all
source "$(dirname "$0")/adult.sh"
flags="--quasi $quasi8 --target class --hierarchies $data/adult/hierarchies --threads $threads --quiet"
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
  echo "Adult, 30,162 rows, 8 quasi columns, age numeric"
  heading method
  for method in ${METHODS:-shoal mondrian incognito allmin datafly}; do
    for k in 2 5 10 25 50 100; do
      line "$method" "$k" "$data/adult/adult_train.csv" $flags --numeric age --method "$method" --k "$k"
    done
  done
fi

for part in cuts kaca local shoal scale learners learning; do
  if [ "$what" = all ] || [ "$what" = $part ]; then bench/$part.sh; fi
done
