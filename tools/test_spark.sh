#!/usr/bin/env bash
# Runs the tests of shoal.spark with PySpark 3.5 and 4, each in a virtual environment of its own, on the wheel that tools/test_python.sh
# built (or builds one). Versions may be given: tools/test_spark.sh 4.0.5. Without Java nothing can be tried, which is said.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v java >/dev/null; then
  echo "shoal.spark was not tried: Spark needs Java 17, which is not installed"
  exit 0
fi
wheel=$(ls -t build-python/wheels/shoal-*.whl 2>/dev/null | head -n 1 || true)
[ -n "$wheel" ] || wheel=$(tools/make_wheel.sh build-python/wheels)
[ $# -gt 0 ] || set -- 3.5.9 4.0.5
for version in "$@"; do
  echo "PySpark $version"
  environment=build-python/spark-$version
  [ -x "$environment/bin/pip" ] || "${PYTHON:-python3}" -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check "$wheel[spark]" "pyspark==$version" pytest pandas
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$wheel"
  # From another folder than the sources, so that what was installed is what is tried.
  (cd build-python && OMP_NUM_THREADS=1 PYTHONPATH=../python/tests "spark-$version/bin/python" -m pytest -q \
    -p no:cacheprovider --import-mode=importlib -c ../pyproject.toml --rootdir .. ../python/tests/test_spark.py)
done
