#!/usr/bin/env bash
# Method shoal in one piece and in fragments (needs ../shared/data): loss and processor time on Adult enlarged, cut by a
# pilot's groups, by the widest column, by one column. Ratios of two lines of one run say more than the seconds.
# Usage: bench/scale.sh [ROWS...]; without a number: 100000 1000000. KS, EFFORTS and WAYS choose others: see bench/fragments.cpp.
source "$(dirname "$0")/adult.sh"
[ $# -gt 0 ] || set -- 100000 1000000
echo "Adult enlarged, 30 % of the cells redrawn from their column; 8 quasi columns, age as a range; one thread"
printf '%-12s %9s %5s %8s %8s %9s %5s %9s %9s %9s\n' way rows k effort gcp bound parts least most cpu_s
for rows in "$@"; do
  build/enlarge "$data/adult/adult_train.csv" "$work/adult.csv" "$rows" 1 0.3
  for k in ${KS:-10 50}; do
    for effort in ${EFFORTS:-normal}; do
      build/fragments "$work/adult.csv" "$data/adult/hierarchies" "$quasi8" "$k" "$effort" \
        ${WAYS:-whole pilot:4 pilot:16 pilot:64 widest:4 widest:16 widest:64 column:4 column:16 column:64}
    done
  done
done
