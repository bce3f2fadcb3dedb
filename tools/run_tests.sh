#!/usr/bin/env bash
# Runs the tests of the given build folders and ends with one line: N passed, N failed.
set -uo pipefail
cd "$(dirname "$0")/.."
# DuckDB's library is not instrumented; what it keeps until exit is not ours to free.
export LSAN_OPTIONS="suppressions=$PWD/testing/lsan.supp:print_suppressions=0"
# Some of its locks pass through our copies of the standard library's inline functions, half seen: races are looked for,
# mistakes with locks cannot be.
export TSAN_OPTIONS="suppressions=$PWD/testing/tsan.supp:report_mutex_bugs=0:detect_deadlocks=0"
passed=0 failed=0 skipped=0
for build in "$@"; do
  echo "== $build"
  log=$(mktemp)
  "$build/shoal_tests" --gtest_brief=1 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  ok=$(sed -n 's/^\[  PASSED  \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
  bad=$(sed -n 's/^ *\([0-9]*\) FAILED TEST.*/\1/p' "$log" | tail -n 1)
  skip=$(sed -n 's/^\[  SKIPPED \] \([0-9]*\) test.*/\1/p' "$log" | tail -n 1)
  rm -f "$log"
  passed=$((passed + ${ok:-0}))
  failed=$((failed + ${bad:-0}))
  skipped=$((skipped + ${skip:-0}))
  # A crash or a sanitizer's stop counts as a failure even when no test said so.
  [ "$status" -eq 0 ] || [ "${bad:-0}" -gt 0 ] || failed=$((failed + 1))
done
[ "$skipped" -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
