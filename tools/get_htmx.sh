#!/usr/bin/env bash
# Puts htmx (pinned, checksummed) into .deps/htmx-VERSION and prints the file. It becomes a part of the program: nobody
# who uses the page fetches anything. SHOAL_HTMX names a copy of that version instead.
set -euo pipefail
cd "$(dirname "$0")/.."
version=2.0.4
package_sha256=a34988d1b9f005a458d593aa8d7486537cb878b8ac3b82703db1268983123ecc
file_sha256=e209dda5c8235479f3166defc7750e1dbcd5a5c1808b7792fc2e6733768fb447

if [ -n "${SHOAL_HTMX:-}" ]; then
  file=$SHOAL_HTMX
else
  file=$PWD/.deps/htmx-$version/htmx.min.js
  if [ ! -f "$file" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo "fetching htmx.org@$version" >&2
    archive=$(cd "$work" && npm pack --silent "htmx.org@$version" 2>/dev/null | tail -n 1)
    [ -n "$archive" ] || { echo "npm could not fetch htmx.org@$version" >&2; exit 1; }
    echo "$package_sha256  $work/$archive" | sha256sum --check --quiet >&2 ||
      { echo "checksum of htmx.org@$version is wrong; nothing installed" >&2; exit 1; }
    mkdir -p "$(dirname "$file")"
    tar -xzf "$work/$archive" -O package/dist/htmx.min.js > "$work/htmx.min.js"
    mv "$work/htmx.min.js" "$file"
  fi
fi
echo "$file_sha256  $file" | sha256sum --check --quiet >&2 || { echo "$file is not htmx $version" >&2; exit 1; }
echo "$file"
