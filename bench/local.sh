#!/usr/bin/env bash
# Local recoding by weighted NCP (needs ../shared/data). Usage: bench/local.sh [loss|speed|index|weights|million]; without a word: all.
source "$(dirname "$0")/adult.sh"
what=${1:-all}
queries=${QUERIES:-1000}

heading_local() {
  printf '%-22s %4s %7s %10s %7s %8s %8s %8s %8s %8s %6s\n' \
    "$1" k gcp dm groups count_me count_md sum_mean sum_med search_s MB
}
# local_line NAME K INPUT QUERY_FLAGS FLAGS...: one release, its queries, one line; flags without method serve for both
local_line() {
  local name=$1 k=$2 input=$3 query=$4 method=$5
  shift 5
  build/shoal anonymize "$input" -o "$work/release.csv" --json "$work/report.json" --threads "$threads" --quiet \
    --k "$k" $method "$@" &&
    build/shoal measure "$work/release.csv" --original "$input" --json "$work/measure.json" --quiet --threads "$threads" \
      --k "$k" --queries "$queries" $query "$@" &&
    build/local_line "$work/report.json" "$work/measure.json" "$name" "$k"
}
adult="--quasi $quasi8 --target class --hierarchies $data/adult/hierarchies --numeric age"

if [ "$what" = all ] || [ "$what" = loss ]; then
  echo "Adult, 30,162 rows, 8 quasi columns, age numeric; $queries COUNT and SUM(age) queries on all quasi columns"
  heading_local method
  for method in mondrian top-down bottom-up "bottom-up --param nearest=union" shoal; do
    for k in ${KS:-2 5 10 25 50 100}; do
      local_line "${method/ --param /,}" "$k" "$data/adult/adult_train.csv" "--query-sum age" "--method $method" $adult
    done
  done
fi

if [ "$what" = all ] || [ "$what" = speed ]; then
  echo "Adult, 30,162 rows, $threads threads: processor seconds of the search, least of ${REPEATS:-5}, and times mondrian's"
  for k in ${KS:-2 10 100}; do
    unset least
    declare -A least
    for _ in $(seq "${REPEATS:-5}"); do
      for method in mondrian top-down "shoal --param effort=fast"; do
        build/shoal anonymize "$data/adult/adult_train.csv" -o "$work/release.csv" --json "$work/report.json" --quiet \
          --threads "$threads" --k "$k" --method $method $adult
        seconds=$(sed -n 's/.*"processor_search": \([0-9.e+-]*\),*$/\1/p' "$work/report.json")
        least[$method]=$(awk -v a="${least[$method]:-1e9}" -v b="$seconds" 'BEGIN { print b < a ? b : a }')
      done
    done
    for method in mondrian top-down "shoal --param effort=fast"; do
      awk -v name="${method/ --param /,}" -v k="$k" -v s="${least[$method]}" -v m="${least[mondrian]}" \
        'BEGIN { printf "%-22s k=%-4s %.4f s  %.1f times\n", name, k, s, s / m }'
    done
  done
fi

if [ "$what" = all ] || [ "$what" = index ]; then
  echo "bottom-up on Adult, 30,162 rows, one thread: nearest groups by scan and through the index, the same release"
  for k in ${KS:-10}; do
    for neighbours in scan index; do
      build/shoal anonymize "$data/adult/adult_train.csv" -o "$work/$neighbours.csv" --json "$work/report.json" --quiet \
        --threads 1 --k "$k" --method bottom-up --param neighbours=$neighbours $adult
      echo "k=$k $neighbours: search $(search_seconds) s"
    done
    cmp "$work/scan.csv" "$work/index.csv"
  done
fi

if [ "$what" = all ] || [ "$what" = weights ]; then
  for kind in uniform gaussian; do
    build/synthetic "$work/synthetic.csv" 10000 4 $kind
    echo "Synthetic, $kind, 10,000 rows, 4 columns of 1..16, k=10; weights 8, 4, 2, 1 or none; error of $queries COUNT queries"
    heading_local "method, query columns"
    columns="--quasi A1,A2,A3,A4 --numeric A1,A2,A3,A4"
    weights="--weight A1=8 --weight A2=4 --weight A3=2"
    for method in top-down bottom-up; do
      for asked in A1 A1,A2 A1,A2,A3 A1,A2,A3,A4; do
        local_line "$method $asked" 10 "$work/synthetic.csv" "--query-columns $asked" "--method $method" $columns
        local_line "  weighted" 10 "$work/synthetic.csv" "--query-columns $asked" "--method $method" $columns $weights
      done
    done
  done
fi

if [ "$what" = all ] || [ "$what" = million ]; then
  echo "Adult enlarged, 8 quasi columns, k=10"
  heading method
  for rows in ${ROWS:-125000 250000 500000 1000000}; do
    build/enlarge "$data/adult/adult.csv" "$work/adult.csv" "$rows"
    for method in mondrian top-down bottom-up; do
      line "$method, $rows rows" 10 "$work/adult.csv" $adult --method $method --k 10
      echo "    peak memory $(sed -n 's/.*"peak_memory_bytes": \([0-9]*\),*$/\1/p' "$work/report.json") bytes"
    done
  done
fi
