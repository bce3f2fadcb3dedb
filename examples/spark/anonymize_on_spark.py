"""spark-submit anonymize_on_spark.py JOB INPUT OUTPUT: a verified release of Parquet files, or an error and no OUTPUT.

    spark-submit --master spark://host:7077 --archives shoal-env.tar.gz#env --conf spark.pyspark.python=env/bin/python \
        anonymize_on_spark.py job.yaml hdfs:///people hdfs:///people-release

JOB is the same file that `shoal anonymize --job` reads; the driver reads it and the hierarchy files that it names. docs/spark.md.
"""

from __future__ import annotations

import json
import sys

from pyspark.sql import SparkSession

import shoal
import shoal.spark


def main() -> int:
    if len(sys.argv) != 4:
        sys.stderr.write(__doc__ or "")
        return 2
    job, source, output = sys.argv[1:]
    session = SparkSession.builder.appName("shoal").getOrCreate()
    try:
        # No progress in words: spark-submit joins the two outputs of a program into one, and the report below should be alone
        # there. Spark's own page shows the stages by name.
        release = shoal.spark.anonymize(session.read.parquet(source), job, output=output)
    except shoal.ShoalError as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1
    told = {key: release.report[key] for key in ("rows_in", "rows_out", "fragments", "measures", "checks", "findings")}
    print(json.dumps(told, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
