#!/usr/bin/env bash
# Installs the Debian packages the build needs that are not there yet; with `tests`, also what only tests need. Does nothing
# where all are.
set -euo pipefail
packages=(ca-certificates g++ cmake ninja-build make npm libyaml-cpp-dev libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev zlib1g-dev libzstd-dev libcpp-httplib-dev libgtest-dev python3-dev python3-venv)
[ "${1:-}" = tests ] && packages+=(chromium)
missing=()
for package in "${packages[@]}"; do
  case $package in
    npm) command -v npm >/dev/null && continue ;;   # a Node.js from elsewhere brings its own npm
    python3-*)  # so does a Python from elsewhere
      command -v python3 >/dev/null && python3 -c 'import ensurepip, sysconfig, os, sys
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null && continue ;;
  esac
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
echo "installing: ${missing[*]}"
sudo=""
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
