#!/usr/bin/env bash
# Formatting and clang-tidy over the whole tree; fails on the first kind that finds something.
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
git ls-files 'shoal/*.cpp' 'cli/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build-lint --warnings-as-errors='*'
