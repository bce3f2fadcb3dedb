#!/usr/bin/env bash
# Every parser under libFuzzer: tools/fuzz.sh [seconds for each] [targets...], 60 and all of them if not given. Needs a build folder
# (build, or SHOAL_BUILD) for the rest of the engine. Inputs that found something new stay in build-fuzz/corpus for the next
# run; one that breaks a promise is kept in build-fuzz/findings, and the run fails. Mend it, and keep the
# input as a case of the ordinary tests. FUZZ_JOBS: how many at once (the cores). The last number of a line is processor
# seconds: what a target really got on a busy machine.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
command -v clang++ >/dev/null || {
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends clang libclang-rt-dev >/dev/null
}
cmake -S fuzz -B build-fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DDuckDB_ROOT="$(tools/get_duckdb.sh)" \
  -DSHOAL_BUILD="$(realpath "${SHOAL_BUILD:-build}")" ${FUZZ_CMAKE_FLAGS:-} >/dev/null && cmake --build build-fuzz >&2 || exit 1

# The worked examples as seeds. Some targets take choices from the first bytes: a seed for each of them.
seeds() { # target, how many leading choices, files...
  local target=$1 choices=$2 folder=build-fuzz/seeds/$1 file byte
  shift 2
  mkdir -p "$folder" "build-fuzz/corpus/$target" build-fuzz/findings
  for file in "$@"; do
    [ -s "$file" ] && [ "$(stat -c %s "$file")" -lt 20000 ] || continue
    for ((byte = 0; byte < (choices > 0 ? choices : 1); ++byte)); do
      { [ "$choices" -eq 0 ] || printf "\\x$(printf %x $byte)"; cat "$file"; } >"$folder/$(echo "$file" | md5sum | cut -c1-12).$byte"
    done
  done
}
shopt -s globstar nullglob
seeds csv 2 examples/census/*.csv fuzz/seeds/*.csv
seeds json_lines 0 fuzz/seeds/*.jsonl
seeds hierarchy 3 examples/census/hierarchies/* fuzz/seeds/tree*
seeds job 0 cases/**/*.yaml examples/**/*.yaml fuzz/seeds/*.yaml
seeds recoding 1 fuzz/seeds/recoding*.json
seeds model_tree 0 fuzz/seeds/model*.json
seeds model_text 0 fuzz/seeds/model_text/*
seeds released_cells 4 fuzz/seeds/cells/*
seeds arrow 0 fuzz/seeds/*.csv fuzz/seeds/recoding*
seeds encoding 0 fuzz/seeds/encoding*

targets=("$@")
[ ${#targets[@]} -gt 0 ] || for source in fuzz/*.cpp; do targets+=("$(basename "$source" .cpp)"); done
run_target() {
  local target=$1 log=build-fuzz/$1.log
  # DuckDB is not instrumented: what it keeps until exit is not ours to free.
  ASAN_OPTIONS=detect_leaks=0 build-fuzz/fuzz_"$target" -max_total_time="$seconds" -max_len=4096 -timeout=120 -rss_limit_mb=3000 \
    -artifact_prefix=build-fuzz/findings/"$target"- -print_final_stats=1 -verbosity=1 \
    build-fuzz/corpus/"$target" build-fuzz/seeds/"$target" >"$log" 2>&1
  local status=$? runs edges processor
  times >"$log.times" # of the shell, then of what it ran: "1m2.3s 0m0.4s"
  processor=$(sed -n 2p "$log.times" | tr 'ms' '  ' | awk '{printf "%.0f", $1 * 60 + $2 + $3 * 60 + $4}')
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
  if [ "$status" -eq 0 ]; then
    printf '%-15s %9s runs  %s  %s s\n' "$target" "$runs" "$edges" "$processor"
  else
    printf '%-15s FAILED after %s runs: %s\n' "$target" "${runs:-some}" "$(grep -m 1 -E '^broken|ERROR|runtime error' "$log")"
    return 1
  fi
}
export -f run_target
export seconds
printf '%s\n' "${targets[@]}" | xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} bash -c 'run_target {}' || exit 1
