#!/usr/bin/env bash
# The page in a real browser: Debian's Chromium driven by Playwright, looked over by axe-core (both pinned, checksummed, in
# .deps). Takes the build folder whose program is tried, and ends with `N passed, N failed`. SHOAL_SCREENSHOTS names a folder
# for pictures of every step, wide and narrow, light and dark.
set -euo pipefail
cd "$(dirname "$0")/.."
export SHOAL_PROGRAM=$PWD/${1:-build}/shoal
fetch() { # name version sha256
  local folder=$PWD/.deps/browser/node_modules/$1 work
  [ -f "$folder/package.json" ] && grep -q "\"version\": *\"$2\"" "$folder/package.json" && return
  work=$(mktemp -d)
  echo "fetching $1@$2" >&2
  local archive
  archive=$(cd "$work" && npm pack --silent "$1@$2" 2>/dev/null | tail -n 1)
  [ -n "$archive" ] || { echo "npm could not fetch $1@$2" >&2; exit 1; }
  echo "$3  $work/$archive" | sha256sum --check --quiet >&2 || { echo "checksum of $1@$2 is wrong" >&2; exit 1; }
  tar -xzf "$work/$archive" -C "$work"
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  mv "$work/package" "$folder"
  rm -rf "$work"
}
fetch playwright-core 1.49.1 fc7544a2dbc24341dfc63c4a67c62ce593bc2e7e3257690f2d12d2f7d2b2d636
fetch axe-core 4.10.2 9ea2d2d6917da998122bdacfd3b473e31ead53f4b87146c716a12edf89158100
export SHOAL_BROWSER_MODULES=$PWD/.deps/browser/node_modules
exec node testing/browser/serve_test.mjs
