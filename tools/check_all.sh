#!/usr/bin/env bash
# Everything that can be checked, part by part: tools/check_all.sh [PART...], all of them if none is given. A part that fails does
# not keep the others from running; the last lines say how each ended and how long it took. Needs the builds that `make check-all`
# makes.
set -uo pipefail
cd "$(dirname "$0")/.."

run_check() {
  case $1 in
    tests) SHOAL_LONG=1 tools/run_tests.sh build build-asan build-tsan ;;
    python-asan) tools/test_python_asan.sh build-asan ;;
    pycanon) tools/compare_pycanon.sh ;;
    spark) tools/test_spark.sh ;;
    fuzz) tools/fuzz.sh ;;
    lint) tools/lint.sh ;;
    *) echo "no part '$1'; there are tests, python-asan, pycanon, spark, fuzz, lint" >&2 && return 2 ;;
  esac
}

[ $# -gt 0 ] || set -- tests python-asan pycanon spark fuzz lint
passed=0 failed=0 lines=()
for part in "$@"; do
  echo "=== $part"
  SECONDS=0
  if run_check "$part"; then result=passed passed=$((passed + 1)); else result=FAILED failed=$((failed + 1)); fi
  lines+=("$(printf '%-12s %s in %d min %02d s' "$part" $result $((SECONDS / 60)) $((SECONDS % 60)))")
done
printf '%s\n' "${lines[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
