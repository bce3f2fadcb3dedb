#!/usr/bin/env bash
# Runs the checks of the tree and the tests of the given build folders, in parts over the cores, and ends with one line:
# N passed, N failed. The first folder is the one that is installed for trying.
set -uo pipefail
cd "$(dirname "$0")/.."
# DuckDB's library is not instrumented; what it keeps until exit is not ours to free.
export LSAN_OPTIONS="suppressions=$PWD/testing/lsan.supp:print_suppressions=0"
# Some of its locks pass through our copies of the standard library's inline functions, half seen: races are looked for,
# mistakes with locks cannot be.
export TSAN_OPTIONS="suppressions=$PWD/testing/tsan.supp:report_mutex_bugs=0:detect_deadlocks=0"
passed=0 failed=0 skipped=0
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

check() { # what it says, then the command
  local what=$1
  shift
  echo "== $what"
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
check "order of rooms" tools/check_rooms.sh
check "names of types" tools/check_names.py
check "installation" tools/check_install.sh "$1"

# Python's tests, the browser's and parts of each build's, over the cores; the long ones first. More parts than cores: one with slow
# tests keeps the others from waiting. Each leaves its words and its exit code.
parts=$((3 * $(nproc)))
run_part() { # python or browser and the build; or a build and the number of the part
  local log=$logs/${1//\//_}.$2
  case $1 in
    python) tools/test_python.sh "$2" ;;
    browser) tools/test_browser.sh "$2" ;;
    *)
      # Sanitizers and the library that lets calls fail replace the same functions: those tests are for plain builds.
      # Under sanitizers, which make everything ten times slower, long runs (SHOAL_LONG) would take hours.
      [[ $1 == *san* ]] && export GTEST_FILTER='-FailingCalls*' && unset SHOAL_LONG
      GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$2 "$1/shoal_tests" --gtest_brief=1
      ;;
  esac >"$log" 2>&1
  echo $? >"$log.status"
}
export -f run_part
export parts logs
{
  echo "python $1"
  echo "browser $1"
  for build in "$@"; do
    for ((part = 0; part < parts; ++part)); do echo "$build $part"; done
  done
} | xargs -P "$(nproc)" -L 1 bash -c 'run_part "$@"' run_part

# Both end with their counts: "3 failed, 120 passed, 2 skipped in 9s", "5 passed, 0 failed".
for kind in python browser; do
  echo "== $kind"
  log=$logs/$kind.$1
  count_of() { grep -oE "[0-9]+ $1" <<<"$(tail -n 1 "$log")" | grep -oE '[0-9]+' || echo 0; }
  passed=$((passed + $(count_of passed))) skipped=$((skipped + $(count_of skipped)))
  bad=$(($(count_of failed) + $(count_of error)))
  [ "$(cat "$log.status" 2>/dev/null)" = 0 ] || { cat "$log"; [ "$bad" -gt 0 ] || bad=1; }
  failed=$((failed + bad))
done

for build in "$@"; do
  echo "== $build"
  for ((part = 0; part < parts; ++part)); do
    log=$logs/${build//\//_}.$part
    grep -v -e '^Note: This is test shard' -e '^\[==========\]' -e '^\[  PASSED  \]' -e '^$' "$log"
    status=$(cat "$log.status" 2>/dev/null || echo 1)
    ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    bad=$(sed -n 's/^ *\([0-9]*\) FAILED TEST.*/\1/p' "$log" | tail -n 1)
    skip=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
    passed=$((passed + ${ok:-0}))
    failed=$((failed + ${bad:-0}))
    skipped=$((skipped + ${skip:-0}))
    # A crash or a sanitizer's stop counts as a failure even when no test said so.
    [ "$status" -eq 0 ] || [ "${bad:-0}" -gt 0 ] || failed=$((failed + 1))
  done
done
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
