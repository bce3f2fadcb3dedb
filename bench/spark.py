"""See bench/spark.sh: adult.csv in a folder, searched in the same fragments by one process and by Spark."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]


def job_of(hierarchies: str, fragments: str) -> dict:
    columns: dict = {}
    for name in QUASI:
        path = os.path.join(hierarchies, f"adult_hierarchy_{name}.csv")
        columns[name] = {"role": "quasi", "hierarchy": path} if name != "age" and os.path.exists(path) else "quasi"
    return {
        "columns": columns,
        "k": 10,
        "method": "shoal",
        "params": {"fragments": fragments, "effort": "normal"},
        "accept": ["near-unique", "reveals", "one-value", "tight", "types", "order"],
    }


def processor_seconds(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def one_process(folder: str, hierarchies: str, fragments: str) -> None:
    import pyarrow.parquet

    import shoal

    table = pyarrow.parquet.read_table(os.path.join(folder, "adult.parquet"))
    start, used = time.monotonic(), processor_seconds(resource.RUSAGE_SELF)
    release = shoal.anonymize(table, {**job_of(hierarchies, fragments), "threads": 2})
    print(
        f"one process, 2 threads   {time.monotonic() - start:8.1f} s {processor_seconds(resource.RUSAGE_SELF) - used:8.1f} "
        f"processor s   GCP {release.measures['gcp']:.5f}   {len(release)} rows"
    )


def on_spark(folder: str, hierarchies: str, fragments: str) -> None:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    import shoal.spark

    begun = time.monotonic()
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.memory", "2g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    session.range(8).mapInArrow(lambda batches: batches, "id bigint").count()
    jvm = int(session._jvm.java.lang.ProcessHandle.current().pid())

    def used() -> float:
        """Of Spark's Java process and everybody below it."""
        total, ticks = 0.0, os.sysconf("SC_CLK_TCK")
        for line in subprocess.run(["ps", "-eo", "pid,ppid"], capture_output=True, text=True).stdout.splitlines()[1:]:
            parents[int(line.split()[0])] = int(line.split()[1])
        for pid in [pid for pid in parents if below(pid)]:
            try:
                with open(f"/proc/{pid}/stat") as stat:
                    fields = stat.read().rpartition(")")[2].split()
                total += sum(int(field) for field in fields[11:15]) / ticks
            except OSError:
                pass
        return total + processor_seconds(resource.RUSAGE_SELF)

    parents: dict[int, int] = {}

    def below(pid: int) -> bool:
        while pid not in (0, 1, jvm):
            pid = parents.get(pid, 0)
        return pid == jvm

    frame = session.read.parquet(os.path.join(folder, "adult.parquet")).repartition(4)
    print(f"Spark's start and first Python worker {time.monotonic() - begun:.1f} s")
    start, before = time.monotonic(), used()
    stages: list[tuple[str, float]] = []

    def show(stage: str, fraction: float) -> None:
        if not stages or stages[-1][0] != stage:
            stages.append((stage, time.monotonic()))

    release = shoal.spark.anonymize(
        frame, job_of(hierarchies, fragments), output=os.path.join(folder, f"release-{os.getpid()}"), progress=show
    )
    print(
        f"Spark, local[2]          {time.monotonic() - start:8.1f} s {used() - before:8.1f} "
        f"processor s   GCP {release.measures['gcp']:.5f}   {release.report['rows_out']} rows, {release.report['fragments']} fragments"
    )
    for (stage, begin), (_, end) in zip(stages, stages[1:]):
        print(f"    {stage:<8} {end - begin:8.1f} s")
    session.stop()


def main() -> None:
    folder, hierarchies, fragments = sys.argv[1:4]
    if len(sys.argv) > 4:
        (one_process if sys.argv[4] == "one" else on_spark)(folder, hierarchies, fragments)
        return
    import pyarrow.csv
    import pyarrow.parquet

    table = pyarrow.csv.read_csv(os.path.join(folder, "adult.csv"))
    pyarrow.parquet.write_table(table, os.path.join(folder, "adult.parquet"))
    for way in ("one", "spark"):  # each in a process of its own
        subprocess.run([sys.executable, __file__, folder, hierarchies, fragments, way], check=True)


if __name__ == "__main__":
    main()
