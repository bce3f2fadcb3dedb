#!/usr/bin/env bash
# Puts libduckdb.so and duckdb.h (pinned, checksummed) into .deps/duckdb and prints that folder.
# Order: the folder named by SHOAL_DUCKDB_ROOT (with lib/ and include/), an earlier download, the npm packages.
set -euo pipefail
cd "$(dirname "$0")/.."

version=1.4.4
library_package=@duckdb/node-bindings-linux-x64@1.4.4-r.1
library_sha256=8ac460b152cd05a95065a414879bb09e40534b1fb7a80a7afe6969b6ce039029
header_package=duckdb@1.4.4
header_sha256=5bb967dcbcd517670ba5f169f238fb9d6787e53752c60ebe24386169d76941ed

if [ -n "${SHOAL_DUCKDB_ROOT:-}" ]; then
  [ -f "$SHOAL_DUCKDB_ROOT/include/duckdb.h" ] || { echo "SHOAL_DUCKDB_ROOT has no include/duckdb.h" >&2; exit 1; }
  echo "$SHOAL_DUCKDB_ROOT"
  exit 0
fi

root=$PWD/.deps/duckdb-$version
if [ -f "$root/complete" ]; then
  echo "$root"
  exit 0
fi

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || {
  echo "no pinned DuckDB for $(uname -s) $(uname -m): set SHOAL_DUCKDB_ROOT to a folder with lib/libduckdb.so and include/duckdb.h ($version)" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fetch() { # package sha256 path-inside destination
  echo "fetching $1" >&2
  local archive
  archive=$(cd "$work" && npm pack --silent "$1" 2>/dev/null | tail -n 1)
  [ -n "$archive" ] || { echo "npm could not fetch $1" >&2; exit 1; }
  echo "$2  $work/$archive" | sha256sum --check --quiet >&2 || { echo "checksum of $1 is wrong; nothing installed" >&2; exit 1; }
  mkdir -p "$(dirname "$4")"
  tar -xzf "$work/$archive" -O "$3" > "$4"
}
rm -rf "$root"
fetch "$library_package" "$library_sha256" package/libduckdb.so "$root/lib/libduckdb.so"
fetch "$header_package" "$header_sha256" package/src/duckdb/src/include/duckdb.h "$root/include/duckdb.h"
touch "$root/complete"
echo "$root"
