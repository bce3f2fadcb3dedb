#!/usr/bin/env bash
# Formatting of the whole tree, and clang-tidy over all of it but the tests; fails on the first kind that finds something.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v clang-tidy >/dev/null && command -v clang-format >/dev/null || {
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get install -y -qq --no-install-recommends clang-format clang-tidy >/dev/null
}
clang-format --dry-run --Werror $(git ls-files '*.h' '*.cpp')
# A folder of its own, where nothing is compiled: clang cannot read what g++ precompiles.
cmake --preset release -B build-lint -DSHOAL_PRECOMPILE=OFF -DSHOAL_UNITY=OFF -DDuckDB_ROOT="$(tools/get_duckdb.sh)" >/dev/null
# clang's analyzer looks into calls of small functions only: into all of them it takes three times as long (LINT_MODE=deep).
git ls-files 'shoal/*.cpp' 'cli/*.cpp' 'web/*.cpp' ':!*_test.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build-lint --warnings-as-errors='*' \
  --extra-arg=-Xclang --extra-arg=-analyzer-config --extra-arg=-Xclang --extra-arg=mode="${LINT_MODE:-shallow}"
