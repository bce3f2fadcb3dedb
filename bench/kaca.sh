#!/usr/bin/env bash
# Method kaca on Adult (needs ../shared/data): its index beside the plain scan, its distortion beside incognito's by the
# number of quasi columns (the paper's Figure 2), its growth with rows. Usage: bench/kaca.sh [scan|distortion|rows]
source "$(dirname "$0")/adult.sh"
what=${1:-all}
quasi9=$quasi8,class # the paper's Table 2, in its order

if [ "$what" = all ] || [ "$what" = scan ]; then
  echo "index and plain scan, the same groups; processor seconds of one thread"
  head -n 10001 "$data/adult/adult.csv" >"$work/adult10000.csv"
  for table in "$work/adult10000.csv" "$data/adult/adult.csv"; do
    for k in 2 10; do build/kaca_scan "$table" "$data/adult/hierarchies" "$quasi9" "$k"; done
  done
fi

ratio() { sed -n 's/.*"distortion_ratio": \([0-9.e+-]*\),*$/\1/p' "$work/report.json" | head -n 1; }
# run METHOD K QUASI FLAGS...: distortion ratio and search seconds
run() {
  local method=$1 k=$2 quasi=$3
  shift 3
  build/shoal anonymize "$data/adult/adult.csv" -o "$work/release.csv" --json "$work/report.json" --quiet --threads "$threads" \
    --quasi "$quasi" --hierarchies "$data/adult/hierarchies" --method "$method" --k "$k" "$@"
  echo "$(ratio) $(search_seconds)"
}

if [ "$what" = all ] || [ "$what" = distortion ]; then
  for k in 2 10; do
    echo "Adult 45,222 rows, k=$k, uniform weights: distortion ratio and search seconds by number of quasi columns"
    printf '%7s %9s %9s %7s %9s %9s\n' columns kaca incognito times kaca_s incogn_s
    for columns in 1 2 3 4 5 6 7 8 9; do
      quasi=$(cut -d, -f1-"$columns" <<<"$quasi9")
      read -r kaca kaca_s <<<"$(run kaca "$k" "$quasi")"
      read -r incognito incognito_s <<<"$(run incognito "$k" "$quasi" --param measure=distortion)"
      awk -v c="$columns" -v a="$kaca" -v b="$incognito" -v s="$kaca_s" -v t="$incognito_s" 'BEGIN {
        printf "%7d %9.5f %9.5f %7s %9.3f %9.3f\n", c, a, b, (a > 0 ? sprintf("%.2f", b / a) : "-"), s, t }'
    done
  done
fi

if [ "$what" = all ] || [ "$what" = rows ]; then
  echo "enlarged Adult, 8 quasi columns, k=10"
  heading rows
  for rows in ${ROWS:-100000 200000 400000 1000000}; do
    build/enlarge "$data/adult/adult.csv" "$work/adult.csv" "$rows"
    line "$rows" 10 "$work/adult.csv" --quasi "$quasi8" --hierarchies "$data/adult/hierarchies" --method kaca
    sed -n 's/.*"peak_memory_bytes": \([0-9]*\),*$/  peak memory \1 bytes/p' "$work/report.json"
  done
fi
