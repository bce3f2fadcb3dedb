#!/usr/bin/env bash
# Builds the Python wheel from this tree into dist/ (or the folder given) and prints its path. PYTHON chooses the interpreter.
# SHOAL_CORE_ARCHIVE: a core built before, which is linked instead of compiling it again; such a wheel is for this machine alone.
# SHOAL_SANITIZE: the sanitizers that this core was compiled with.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-dist}
python=${PYTHON:-python3}
settings=()
if [ -n "${SHOAL_CORE_ARCHIVE:-}" ]; then
  settings=(--config-settings="build-dir=build-python/with-core${SHOAL_SANITIZE:+-sanitized}/{wheel_tag}"
            --config-settings="cmake.define.SHOAL_CORE_ARCHIVE=$SHOAL_CORE_ARCHIVE"
            --config-settings="cmake.define.SHOAL_SANITIZE=${SHOAL_SANITIZE:-}")
fi
mkdir -p "$folder" build-python
tools=build-python/tools-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[ -x "$tools/bin/pip" ] || "$python" -m venv "$tools" >&2
"$tools/bin/pip" wheel --quiet --no-deps "${settings[@]}" --wheel-dir "$folder" . >&2
ls -t "$folder"/shoal-*.whl | head -n 1
