"""A Spark driver of its own for the tests: reads what to do as JSON from its argument, prints what became of it as JSON."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import sys
import time


def told(attempt_file: str, kind: str, batches):
    """Rows as they are; a worker that meets `attempt_file` missing makes it, and dies in the way that `kind` says."""
    from pyspark import TaskContext

    context = TaskContext.get()
    if kind == "always" and context.partitionId() == 1:
        raise RuntimeError("this partition cannot be read")
    if kind in ("worker", "executor") and context.partitionId() == 1 and not os.path.exists(attempt_file):
        open(attempt_file, "w").close()
        if kind == "executor":  # Spark's JVM: the parent of the daemon that is our parent
            with open(f"/proc/{os.getppid()}/stat") as stat:
                os.kill(int(stat.read().rpartition(")")[2].split()[1]), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    yield from batches


def digest(folder: str) -> dict[str, str]:
    """Of each file: the bytes of its cells, row by row as they stand. (The bytes of the whole file would not do: Spark's writer lists
    the encodings of a column in the footer in an order that differs from one Java process to the next.)"""
    import pyarrow.csv
    import pyarrow.parquet

    found = {}
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".crc"):
            cells = io.BytesIO()
            pyarrow.csv.write_csv(pyarrow.parquet.read_table(os.path.join(folder, name)), cells)
            found[name] = hashlib.sha256(cells.getvalue()).hexdigest()
    return found


def main() -> None:
    asked = json.loads(sys.argv[1])
    from pyspark.sql import SparkSession

    import shoal
    import shoal.spark

    builder = SparkSession.builder.master(asked["master"]).appName("shoal tests")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "512m",
        "spark.task.maxFailures": "3",
        "spark.network.timeout": "600s",
        "spark.excludeOnFailure.enabled": "false",
        **asked.get("settings", {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    answer: dict = {}
    stages: list[str] = []
    try:
        frame = session.read.parquet(asked["input"])
        if asked.get("schema_of"):
            frame = session.read.schema(session.read.parquet(asked["schema_of"]).schema).parquet(asked["input"])
        if asked.get("partitions"):
            frame = frame.repartition(asked["partitions"])
        if asked.get("fault"):
            attempt_file, kind = asked["output"] + ".attempt", asked["fault"]
            frame = frame.mapInArrow(lambda batches: told(attempt_file, kind, batches), frame.schema)
        start = time.monotonic()
        if asked.get("do") == "verify":
            original = session.read.parquet(asked["original"]) if asked.get("original") else None
            verification = shoal.spark.verify(frame, asked["job"], original=original)
            answer = {"ok": bool(verification), "checks": verification.checks}
        elif asked.get("do") == "risk":
            answer = shoal.spark.risk(frame, asked["job"])
        elif asked.get("do") == "measure":
            original = session.read.parquet(asked["original"])
            answer = shoal.spark.measure(frame, original, asked["job"])
        else:
            release = shoal.spark.anonymize(
                frame, asked["job"], output=asked["output"], progress=lambda stage, fraction: stages.append(stage)
            )
            answer = {**release.report, "files": digest(asked["output"]), "rows_read": release.frame.count(), "words": repr(release)}
        answer["seconds"] = time.monotonic() - start
    except shoal.ShoalError as error:
        answer = {"error": type(error).__name__, "words": str(error)}
    answer["stages"] = list(dict.fromkeys(stages))
    print("ANSWER " + json.dumps(answer))
    session.stop()


if __name__ == "__main__":
    # Workers find this module by its name.
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import spark_program

    spark_program.main()
