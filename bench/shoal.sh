#!/usr/bin/env bash
# Method shoal (needs ../shared/data): loss and proven gap on Adult at every effort, on its first rows only, growth up to
# ten million rows, other tables. The gap is how far above the best possible the loss is at most (docs/bound.md).
# Usage: bench/shoal.sh [adult|tiny|growth|sets]; without a word: all. METHODS, ROWS and EFFORTS choose fewer or others.
source "$(dirname "$0")/adult.sh"
what=${1:-all}
flags="--quasi $quasi8 --hierarchies $data/adult/hierarchies --numeric age"

# beside NAME K INPUT FLAGS...: shoal at every effort, and mondrian
beside() {
  local name=$1 k=$2 input=$3
  shift 3
  line "$name mondrian" "$k" "$input" "$@" --method mondrian --k "$k"
  for effort in ${EFFORTS:-fast normal}; do
    line "$name shoal $effort" "$k" "$input" "$@" --method shoal --param effort=$effort --k "$k"
  done
}

if [ "$what" = all ] || [ "$what" = adult ]; then
  echo "Adult, 30,162 rows, 8 quasi columns, age as a range"
  heading "method"
  for k in 2 5 10 25 50 100; do
    for method in ${METHODS:-mondrian top-down bottom-up kaca}; do
      line "$method" "$k" "$data/adult/adult_train.csv" $flags --method "$method" --k "$k"
    done
    for effort in ${EFFORTS:-fast normal best}; do
      line "shoal $effort" "$k" "$data/adult/adult_train.csv" $flags --method shoal --param effort=$effort --k "$k"
    done
  done
fi

if [ "$what" = all ] || [ "$what" = tiny ]; then
  echo "The first rows of Adult, 8 quasi columns, age as a range"
  heading "rows, method"
  for rows in 100 400 2000; do
    head -n $((rows + 1)) "$data/adult/adult_train.csv" >"$work/first.csv"
    for k in 2 5 10; do EFFORTS="${EFFORTS:-fast normal best}" beside "$rows" "$k" "$work/first.csv" $flags; done
  done
fi

if [ "$what" = all ] || [ "$what" = growth ]; then
  echo "Adult enlarged, 30 % of the cells redrawn from their column"
  heading "rows, method"
  for rows in ${ROWS:-100000 1000000 10000000}; do
    build/enlarge "$data/adult/adult_train.csv" "$work/adult.csv" "$rows" 1 0.3
    for k in 10 50; do beside "$rows" "$k" "$work/adult.csv" $flags; done
  done
fi

if [ "$what" = all ] || [ "$what" = sets ]; then
  echo "Other tables, no hierarchies: numbers as ranges, other values kept or hidden"
  heading "table, method"
  for k in 5 10 50; do
    beside fertility "$k" "$data/fertility/fertility.csv.gz" --quasi age,afam,hispanic,other,gender1,gender2,work \
      --numeric age,work
    beside diabetes130 "$k" "$data/diabetes130/diabetes130.csv.gz" --missing '?' \
      --quasi race,gender,age,admission_type_id,time_in_hospital --numeric time_in_hospital
    beside eusilc "$k" "$data/eusilc/eusilc.csv.gz" --missing '?' --quasi hsize,db040,age,rb090,pb220a --numeric hsize,age
    beside credit-card "$k" "$data/credit-card/credit-card.csv.gz" --quasi LIMIT_BAL,SEX,EDUCATION,MARRIAGE,AGE \
      --numeric LIMIT_BAL,AGE
  done
fi
