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
git ls-files 'shoal/*.cpp' 'cli/*.cpp' | xargs -P "$(nproc)" -n 4 clang-tidy --quiet -p build --warnings-as-errors='*'
