#!/usr/bin/env bash
# Builds the wheel, installs it with what its tests need into a virtual environment of its own, and runs them. The given build
# folder has the program that releases are compared with, and the core that the wheel is linked with (make wheel compiles its own).
# PYTHON chooses the interpreter; each version that is asked for by PYTHON has an environment of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
export SHOAL_PROGRAM=$PWD/${1:-build}/shoal
wheel=$(SHOAL_CORE_ARCHIVE=$PWD/${1:-build}/libshoal_core.a tools/make_wheel.sh build-python/wheels)
tests=tests
[ -z "${PYTHON:-}" ] || tests=tests-$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
[ -x build-python/$tests/bin/pip ] || "${PYTHON:-python3}" -m venv build-python/$tests
build-python/$tests/bin/pip install --quiet --disable-pip-version-check "$wheel[test]"
build-python/$tests/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheel"
installed=$(cd build-python && $tests/bin/python -c 'import os, shoal; print(os.path.dirname(shoal.__file__))')
# One thread each for other libraries: theirs wait by spinning, which starves everybody on a busy machine.
export OMP_NUM_THREADS=1
export PYTHONPATH=$PWD/python/tests  # what tests share
# From another folder than the sources, so that what was installed is what is tried; examples in docstrings included.
cd build-python && exec $tests/bin/python -m pytest -q -p no:cacheprovider --import-mode=importlib --doctest-modules \
  -c ../pyproject.toml --rootdir .. ../python/tests "$installed"
