"""Python packages that anonymize, on Adult with one k: time and loss side by side. bench/python.sh peers calls this.

Each package runs in an environment of its own (their requirements exclude each other): this script calls itself there with --as NAME.
Loss is counted here by one rule for all, from the released cells alone: of a number's cell the width of its range over that of the
column, of another cell (values it covers - 1) / (values of the column - 1), averaged over all cells; a dropped row loses everything.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
PEERS = ["shoal", "shoal-mondrian", "shoal-incognito", "anjana", "polarfrost", "pycanon"]


def rows_of(path: str) -> list[dict[str, str]]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def hierarchy_of(folder: str, column: str) -> list[list[str]]:
    with open(os.path.join(folder, f"adult_hierarchy_{column}.csv"), newline="") as file:
        return [line for line in csv.reader(file, delimiter=";") if line]


# ---- one package, in its own environment; each gives its rows, or one row for each group with its size as "count" ----


def by_shoal(given: argparse.Namespace, method: str):
    import pandas

    import shoal

    frame = pandas.read_csv(given.table)[QUASI]
    trees = {name: os.path.join(given.hierarchies, f"adult_hierarchy_{name}.csv") for name in QUASI if name != "age"}
    job = shoal.Job(quasi=QUASI, numeric=["age"], k=given.k, method=method, hierarchies=trees)
    return lambda: shoal.anonymize(frame, job), lambda release: [dict(zip(QUASI, row)) for row in release.frame.astype(str).itertuples(index=False)]


def by_anjana(given: argparse.Namespace, _: str):
    import pandas
    from anjana.anonymity import k_anonymity

    frame = pandas.read_csv(given.table)[QUASI].astype(str)
    trees = {}
    for name in QUASI:
        table = {line[0]: line for line in hierarchy_of(given.hierarchies, name)}
        cells = frame[name].map(table)
        trees[name] = {level: cells.map(lambda line, level=level: line[level]).to_numpy() for level in range(len(next(iter(table.values()))))}
    return lambda: k_anonymity(frame, [], QUASI, given.k, 0, trees), lambda release: release[QUASI].astype(str).to_dict("records")


def by_polarfrost(given: argparse.Namespace, _: str):
    import polars
    from polarfrost import mondrian_k_anonymity

    frame = polars.read_csv(given.table).select([*QUASI, "class"])
    return (
        lambda: mondrian_k_anonymity(
            frame, quasi_identifiers=QUASI, sensitive_column="class", k=given.k, categorical=[name for name in QUASI if name != "age"]
        ),
        lambda release: release.select([*QUASI, "count"]).to_dicts(),
    )


def by_pycanon(given: argparse.Namespace, _: str):
    """It measures, and anonymizes nothing: the k of the release that is given."""
    import pandas
    from pycanon import anonymity

    frame = pandas.read_csv(given.table, dtype=str)
    return lambda: anonymity.k_anonymity(frame, QUASI), lambda found: [{"k": int(found)}]


def run_as(given: argparse.Namespace) -> None:
    name = given.run_as
    kind, _, method = name.partition("-")
    work, rows = {"shoal": by_shoal, "anjana": by_anjana, "polarfrost": by_polarfrost, "pycanon": by_pycanon}[kind](given, method or "shoal")
    clock, before = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    answer = work()
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = time.monotonic() - clock
    with open(given.output, "w") as file:
        json.dump({"clock": seconds, "processors": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "rows": rows(answer)}, file)


# ---- loss ----


class Covered:
    """How many of a column's values a released cell stands for, whoever wrote it."""

    def __init__(self, values: set[str], numeric: bool, hierarchy: list[list[str]]) -> None:
        self.values, self.numeric = values, numeric
        self.low, self.high = (min(map(float, values)), max(map(float, values))) if numeric else (0.0, 0.0)
        self.below: dict[str, set[str]] = {}
        for line in hierarchy:
            for label in line:
                self.below.setdefault(label, set()).add(line[0])

    def loss(self, cell: str) -> float:
        if cell in self.values:
            return 0.0
        if cell == "*":
            return 1.0
        if self.numeric:
            low, high = self.ends(cell)
            return (high - low) / (self.high - self.low)
        parts = self.below.get(cell) or set(cell.split(","))
        parts = parts & self.values
        assert parts, f"a cell that nobody understands: {cell!r}"
        return (len(parts) - 1) / (len(self.values) - 1)

    def ends(self, cell: str) -> tuple[float, float]:
        if cell in self.below:  # a node of a number's hierarchy: the values it covers
            covered = [float(value) for value in self.below[cell] & self.values]
            return min(covered), max(covered)
        low, high = cell.strip("[]").replace("-", ",").split(",")
        return float(low), float(high)


def loss_of(original: list[dict[str, str]], released: list[dict[str, str]], hierarchies: str) -> tuple[float, int, int]:
    """Loss, rows that are left, and the smallest group."""
    columns = {}
    for name in QUASI:
        columns[name] = Covered({row[name] for row in original}, name == "age", hierarchy_of(hierarchies, name))
    known: dict[tuple[str, str], float] = {}
    groups: dict[tuple[str, ...], int] = {}
    lost, rows = 0.0, 0
    for row in released:
        size = int(row.get("count", 1))
        rows += size
        key = tuple(str(row[name]) for name in QUASI)
        groups[key] = groups.get(key, 0) + size
        for name in QUASI:
            cell = (name, str(row[name]))
            if cell not in known:
                known[cell] = columns[name].loss(cell[1])
            lost += size * known[cell]
    dropped = len(original) - rows
    return (lost + dropped * len(QUASI)) / (len(original) * len(QUASI)), rows, min(groups.values())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--hierarchies", required=True)
    parser.add_argument("--environments", help="folder with an environment of each peer's name")
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--patience", type=float, default=1800, help="seconds after which a peer is given up")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--as", dest="run_as")
    parser.add_argument("--output")
    given = parser.parse_args()
    if given.run_as:
        return run_as(given)
    original = rows_of(given.table)
    print(f"Adult, {len(original):,} rows, {len(QUASI)} quasi columns, k={given.k}")
    print(f"{'':<18}{'clock s':>9}{'processor s':>13}{'loss':>8}{'rows':>8}{'smallest group':>16}")
    with tempfile.TemporaryDirectory() as folder:
        release = os.path.join(folder, "release.csv")
        for name in given.peers.split(","):
            kind = name.partition("-")[0]
            python = sys.executable if kind == "shoal" else os.path.join(given.environments, kind, "bin", "python")
            output = os.path.join(folder, "answer.json")
            table = release if kind == "pycanon" else given.table
            words = ["--table", table, "--hierarchies", given.hierarchies, "--k", str(given.k), "--as", name, "--output", output]
            try:
                done = subprocess.run([python, __file__, *words], capture_output=True, text=True, timeout=given.patience)
            except subprocess.TimeoutExpired:
                print(f"{name:<18}no answer within {given.patience:.0f} s")
                continue
            except OSError as error:
                print(f"{name:<18}{error}")
                continue
            if done.returncode != 0:
                print(f"{name:<18}failed: {(done.stderr.strip().splitlines() or ['?'])[-1][:100]}")
                continue
            with open(output) as file:
                answer = json.load(file)
            times = f"{name:<18}{answer['clock']:>9.2f}{answer['processors']:>13.2f}"
            if kind == "pycanon":
                print(f"{times}{'':>8}{'':>8}{answer['rows'][0]['k']:>16}  (measures the release of shoal, makes none)")
                continue
            loss, rows, smallest = loss_of(original, answer["rows"], given.hierarchies)
            print(f"{times}{loss:>8.4f}{rows:>8}{smallest:>16}")
            if name == "shoal":
                with open(release, "w", newline="") as file:
                    writer = csv.DictWriter(file, QUASI)
                    writer.writeheader()
                    writer.writerows(answer["rows"])


if __name__ == "__main__":
    main()
