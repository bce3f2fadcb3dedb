#!/usr/bin/env bash
# Privacy models beside k=5 (needs ../shared/data): method shoal and mondrian beside ARX 3.9.2 (local recoding, the same
# columns and hierarchies) on Adult. ARX's rows in brackets are suppressed and exempt from its models; here no row is
# dropped, and every group keeps the model. Then the time on a million rows as a ratio to k alone.
# Usage: bench/models.sh [table|growth]; without a word: both. EFFORTS, ROWS and LINES (a pattern) choose fewer or others.
source "$(dirname "$0")/adult.sh"
what=${1:-all}
input=$data/adult/adult_train.csv

# columns SENSITIVE: the quasi columns without it
columns() { tr ',' '\n' <<<"$quasi8" | grep -vx "$1" | paste -sd, -; }
# flags SENSITIVE: everything but the model
flags() { echo "--quasi $(columns "$1") --sensitive $1 --hierarchies $data/adult/hierarchies --numeric age"; }

# compare MODEL SENSITIVE ARX: one model, all searches
compare() {
  local model=$1 sensitive=$2 arx=$3
  [[ $model == *${LINES:-}* ]] || return 0
  echo "$model: ARX $arx"
  for effort in ${EFFORTS:-fast normal best}; do
    line "  shoal $effort" 5 "$input" $(flags "$sensitive") --k 5 --model "$model" --method shoal --param effort=$effort
  done
  line "  mondrian" 5 "$input" $(flags "$sensitive") --k 5 --model "$model" --method mondrian
}

if [ "$what" = all ] || [ "$what" = table ]; then
  heading "model, method"
  compare distinct-l:class:l=2 class ".2426 (3,319)"
  compare entropy-l:class:l=1.5 class ".4772 (13,154)"
  compare t-closeness:class:t=0.2,distance=equal class ".2809 (671)"
  compare beta-likeness:class:beta=1 class ".2677 (594)"
  compare distinct-l:occupation:l=3 occupation ".0393 (0)"
  compare entropy-l:occupation:l=3 occupation ".0634 (0)"
  compare recursive-l:occupation:c=4,l=3 occupation ".0644 (308)"
  compare t-closeness:education:t=0.2,distance=hierarchical education ".1947 (1,122)"
  compare t-closeness:occupation:t=0.2,distance=hierarchical occupation ".3337 (3,820)"
  compare t-closeness:occupation:t=0.2,distance=equal occupation ".4641 (5,317)"
  compare beta-likeness:occupation:beta=1 occupation ".4333 (6,875), structural: one rare value needs half the table"
  compare average-risk:risk=0.05 class ".1097 (2)"
fi

if [ "$what" = all ] || [ "$what" = growth ]; then
  for rows in ${ROWS:-1000000}; do
    echo "Adult enlarged to $rows rows, 30 % of the cells redrawn from their column, k=10"
    heading "models"
    build/enlarge "$input" "$work/adult.csv" "$rows" 1 0.3
    line "none" 10 "$work/adult.csv" $(flags occupation) --k 10 --method shoal
    alone=$(search_seconds)
    line "distinct-l 3 and t .2" 10 "$work/adult.csv" $(flags occupation) --k 10 --method shoal \
      --model distinct-l:occupation:l=3 --model t-closeness:occupation:t=0.2,distance=equal
    awk -v models="$(search_seconds)" -v alone="$alone" 'BEGIN { printf "time against k alone: %.1f x\n", models / alone }'
  done
fi
