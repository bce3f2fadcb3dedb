#!/usr/bin/env bash
# The Python package on Adult (needs ../shared/data, and tools/test_python.sh run before). Usage:
#   bench/python.sh speed     a frame of 1,000,000 rows to a verified frame, beside the command line on CSV and Parquet and beside df.copy()
#   bench/python.sh peers     anjana, polarfrost and pyCANON beside us on Adult, k=5: time and loss; each in an environment of its own
# Without a word: both.
source "$(dirname "$0")/adult.sh"
what=${1:-all}
python=build-python/tests/bin/python
[ -x $python ] || { echo "run tools/test_python.sh first: it makes the environment"; exit 1; }
if [ "$what" = all ] || [ "$what" = speed ]; then
  build/enlarge "$data/adult/adult.csv" "$work/adult.csv" "${ROWS:-1000000}"
  for method in ${METHODS:-mondrian incognito}; do
    $python bench/python_speed.py build/shoal "$work/adult.csv" --quasi $quasi8 --hierarchies "$data/adult/hierarchies" \
      --threads "$threads" --rounds "${ROUNDS:-3}" --method "$method"
  done
fi
if [ "$what" = all ] || [ "$what" = peers ]; then
  for peer in anjana==1.2.3 "polarfrost==0.2.1 pandas pyspark==3.5.9" pycanon==1.3.6; do  # polarfrost asks for pyspark also without Spark
    environment=build-python/${peer%%=*}
    [ -x $environment/bin/pip ] || "${PYTHON:-python3}" -m venv $environment
    $environment/bin/pip install --quiet --disable-pip-version-check $peer || echo "skipped: $peer could not be installed"
  done
  $python bench/python_peers.py --table "$data/adult/adult_train.csv" --hierarchies "$data/adult/hierarchies" \
    --environments build-python --k "${K:-5}"
fi
