#!/usr/bin/env bash
# The cut methods on Adult (needs ../shared/data): tdr by quasi set, its growth with rows, heuristicmin and optimal-cut.
source "$(dirname "$0")/adult.sh"
top5=age,education-num,marital-status,relationship,capital-gain
top7=$top5,sex,hours-per-week
top9=$top7,education,occupation
all14=age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country

echo "tdr, Adult 45,222 rows, masked jointly; expanded = refinements"
heading "columns, hierarchies"
for set in top5 top7 top9; do
  for k in 20 100 200 500 1000; do
    line "$set, none" "$k" "$data/adult/adult.csv" --quasi "${!set}" --target class --method tdr --k "$k"
    line "$set, given" "$k" "$data/adult/adult.csv" --quasi "${!set}" --target class --method tdr --k "$k" \
      --hierarchies "$data/adult/hierarchies"
  done
done

# Plain columns count as part of a row; left out, rows are the groups.
echo "heuristicmin and optimal-cut, Adult 45,222 rows, 8 quasi columns, no plain ones"
heading method
for method in heuristicmin optimal-cut; do
  for k in 5 10 50 100; do
    line "$method" "$k" "$data/adult/adult.csv" --quasi "$quasi8" --target class --method "$method" --k "$k" \
      --identifier fnlwgt,education-num,relationship,capital-gain,capital-loss,hours-per-week \
      --hierarchies "$data/adult/hierarchies" --time-budget "${BUDGET:-120}"
  done
done

echo "tdr, all 14 columns, k=50, enlarged Adult: search seconds beside DuckDB's plain copy of the same file"
for rows in 1000000 2000000; do
  build/enlarge "$data/adult/adult.csv" "$work/adult.csv" "$rows"
  build/side_by_side 3 "DuckDB copies $rows rows" "build/duckdb_copy $work/adult.csv $work/copy.csv $threads"
  heading "rows"
  for round in 1 2 3; do
    line "$rows" 50 "$work/adult.csv" --quasi "$all14" --target class --method tdr --k 50
  done
done

echo "tdr, 1,000,000 rows, k=50, ${SETS:-30} random sets of 3 to 7 requirements of 2 to 9 columns: mean of search seconds"
build/enlarge "$data/adult/adult.csv" "$work/adult.csv" 1000000
RANDOM=1
IFS=, read -ra names <<<"$all14"
total=0
for ((set = 0; set < ${SETS:-30}; ++set)); do
  requirements=()
  count=$((3 + RANDOM % 5))
  for ((i = 0; i < count; ++i)); do
    chosen=$(printf '%s\n' "${names[@]}" | shuf -n $((2 + RANDOM % 8)) --random-source=<(yes "$set $i") | paste -sd,)
    requirements+=(--require "$chosen:50")
  done
  build/shoal anonymize "$work/adult.csv" -o "$work/release.csv" --json "$work/report.json" --threads "$threads" --quiet \
    --quasi "$all14" --target class --method tdr "${requirements[@]}"
  total="$total + $(search_seconds)"
done
awk "BEGIN { printf \"%.2f s\n\", ($total) / ${SETS:-30} }"
