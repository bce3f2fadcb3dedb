"""From a frame to a verified frame beside the command line on the same table: bench/python.sh speed calls this.

Every line is run ROUNDS times, one line after the other, and the least of each is printed: seconds by the clock and of processors.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable

import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet

import shoal


def spent(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def timed(work: Callable[[], object], who: int) -> tuple[float, float]:
    clock, processors = time.monotonic(), spent(who)
    work()
    return time.monotonic() - clock, spent(who) - processors


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("table")
    parser.add_argument("--quasi", required=True)
    parser.add_argument("--numeric", default="age")
    parser.add_argument("--hierarchies", required=True)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--method", default="mondrian")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    quasi = given.quasi.split(",")
    options = pyarrow.csv.ConvertOptions(include_columns=quasi)
    table = pyarrow.csv.read_csv(given.table, convert_options=options)
    hierarchies = {}
    for name in quasi:
        found = [file for file in os.listdir(given.hierarchies) if file in (f"{name}.csv",) or file.endswith(f"_{name}.csv")]
        if found and name != given.numeric:
            hierarchies[name] = os.path.abspath(os.path.join(given.hierarchies, found[0]))
    job = shoal.Job(
        quasi=quasi, numeric=[given.numeric], k=given.k, method=given.method, threads=given.threads, hierarchies=hierarchies
    )
    with tempfile.TemporaryDirectory() as folder:
        sources = {"CSV": os.path.join(folder, "table.csv"), "Parquet": os.path.join(folder, "table.parquet")}
        pyarrow.csv.write_csv(table, sources["CSV"], pyarrow.csv.WriteOptions(quoting_style="needed"))
        pyarrow.parquet.write_table(table, sources["Parquet"])
        job_file = os.path.join(folder, "job.yaml")
        with open(job_file, "w") as file:
            file.write(job.to_yaml())
        frames = {"pandas": table.to_pandas(), "polars": polars.from_arrow(table), "pyarrow": table}

        def program(kind: str) -> Callable[[], object]:
            output = os.path.join(folder, "release." + sources[kind].rpartition(".")[2])
            words = [given.program, "anonymize", sources[kind], "-o", output, "--job", job_file, "--quiet"]
            return lambda: subprocess.run(words, check=True)

        lines: list[tuple[str, Callable[[], object], int]] = [
            ("df.copy()", lambda: frames["pandas"].copy(), resource.RUSAGE_SELF),
            ("command line, CSV", program("CSV"), resource.RUSAGE_CHILDREN),
            ("command line, Parquet", program("Parquet"), resource.RUSAGE_CHILDREN),
        ]
        for kind, frame in frames.items():
            lines.append((f"import shoal, {kind}", lambda frame=frame: shoal.anonymize(frame, job).frame, resource.RUSAGE_SELF))
        best: dict[str, tuple[float, float]] = {}
        for _ in range(given.rounds):
            for name, work, who in lines:
                clock, processors = timed(work, who)
                before = best.get(name, (clock, processors))
                best[name] = (min(clock, before[0]), min(processors, before[1]))
    print(f"{table.num_rows:,} x {len(quasi)} rows, {given.method} k={given.k}, {given.threads} threads, least of {given.rounds} rounds")
    print(f"{'':<24}{'clock s':>9}{'processor s':>13}{'of CSV, clock':>15}{'of CSV, processors':>20}")
    base = best["command line, CSV"]
    for name, (clock, processors) in best.items():
        print(f"{name:<24}{clock:>9.2f}{processors:>13.2f}{clock / base[0]:>15.2f}{processors / base[1]:>20.2f}")
    last = shoal.anonymize(frames["pandas"], job).report.as_dict()["timings"]
    print("stages of the last: " + ", ".join(f"{name} {seconds:.2f}" for name, seconds in last.items() if isinstance(seconds, float)))


if __name__ == "__main__":
    assert pandas and pyarrow
    main()
