#!/usr/bin/env bash
# The Python package's tests with its extension under the address and undefined-behaviour sanitizers. The given build folder has the
# core compiled so (build-asan); the program that releases are compared with may be a plain one (SHOAL_PROGRAM). What is given after
# the folder goes to pytest. Run tools/test_python.sh before: the environment with what the tests need is the one it makes.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-asan}
shift || true
export SHOAL_PROGRAM=${SHOAL_PROGRAM:-$PWD/build/shoal}
rm -rf build-python/asan-wheels build-python/asan-package
wheel=$(SHOAL_CORE_ARCHIVE=$PWD/$folder/libshoal_core.a SHOAL_SANITIZE=address,undefined tools/make_wheel.sh build-python/asan-wheels)
build-python/tests/bin/python -m zipfile -e "$wheel" build-python/asan-package
# The interpreter is not compiled so, and must load the sanitizer first; what it leaves behind at its end is its own.
export LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libubsan.so) $(g++ -print-file-name=libstdc++.so)"
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export OMP_NUM_THREADS=1 PYTHONPATH=$PWD/build-python/asan-package:$PWD/python/tests
cd build-python
found=$(tests/bin/python -c 'import os, shoal; print(os.path.dirname(shoal.__file__))')
case $found in */asan-package/shoal) ;; *) echo "the package under test is not the one just built: $found" >&2; exit 1 ;; esac
# mypy reads sources and runs nothing of ours. What a sanitizer says before it ends the program must not be caught and lost.
exec tests/bin/python -m pytest -q --capture=sys -p no:cacheprovider --import-mode=importlib -c ../pyproject.toml --rootdir .. \
  --deselect ../python/tests/test_types.py::test_mypy_finds_nothing_wrong "${@:-../python/tests}"
