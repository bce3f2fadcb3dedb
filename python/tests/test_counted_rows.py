"""Rows that stand for several, as Spark's driver gives them to the engine: what is released and said is what all of these rows give."""

from __future__ import annotations

import json
import random

import pyarrow
import pytest

import shoal
from shoal import _second_engine, _shoal, _spark_parts
from shoal.job import Job

METHODS = [name for name, _ in _shoal.method_names() if _shoal.takes_counted_rows(name)]


def table_of(rows: list[tuple]) -> pyarrow.Table:
    return pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(["age", "town", "illness", "class"])})


def answer(job, rows: pyarrow.Table, times: bytes = b"") -> _shoal.ReleaseHandle:
    tables = _shoal.AnonymizeTables(_spark_parts.taken(rows), None, [], times=times)
    return _shoal.anonymize(Job.of(job, {})._handle(), tables, _second_engine.engine(), None, None)


def test_thirteen_methods():
    assert len(METHODS) == 13 and "mondrian" in METHODS and "mu-argus" in METHODS and "shoal" not in METHODS


@pytest.mark.parametrize("method", METHODS)
def test_same_as_every_row(method):
    draw = random.Random(method)
    rows = []
    for _ in range(400):
        town = min(draw.randrange(6), draw.randrange(6))
        age = None if draw.randrange(20) == 0 else 30 + min(draw.randrange(9), draw.randrange(9))
        rows.append((age, f"t{town}", f"i{draw.randrange(3)}", "yes" if draw.random() < town / 6 else "no"))
    times: dict[tuple, int] = {}
    for row in rows:
        times[row] = times.get(row, 0) + 1
    columns = {"age": "quasi", "town": {"role": "quasi", "hierarchy": {"build": "mask"}}, "illness": "sensitive", "class": "target"}
    params = {"genetic": {"generations": "3"}, "mu-argus": {"combinations": "2"}}.get(method, {})
    job = {"columns": columns, "k": 5, "method": method, "params": params, "accept": ["reveals", "one-value", "tight", "near-unique"]}
    if method != "mu-argus":
        job["models"] = [{"model": "distinct-l", "column": "illness", "l": 2}]
    whole = answer(job, table_of(rows))
    counts = array_of(times.values())
    found = answer(job, table_of(list(times)), counts)
    assert found.status == whole.status == "released", found.reason + whole.reason
    lines: dict[tuple, int] = {}
    kept = memoryview(found.row_of_release).cast("I")
    for row, line in zip(kept, pyarrow.table(found.table).to_pylist()):
        lines[tuple(line.values())] = lines.get(tuple(line.values()), 0) + list(times.values())[row]
    expected: dict[tuple, int] = {}
    for line in pyarrow.table(whole.table).to_pylist():
        expected[tuple(line.values())] = expected.get(tuple(line.values()), 0) + 1
    assert lines == expected
    told, all_told = json.loads(found.json(False)), json.loads(whole.json(False))
    assert told["measures"] == pytest.approx(all_told["measures"])
    assert told["verification"]["checks"] == all_told["verification"]["checks"]
    assert told["findings"] == all_told["findings"]


def array_of(counts) -> bytes:
    import array

    return array.array("I", counts).tobytes()


def test_refused_by_name():
    rows = table_of([(30, "a", "flu", "yes"), (31, "b", "none", "no")])
    job = {"columns": {"age": "quasi", "town": "quasi"}, "k": 2}
    with pytest.raises(shoal.JobError, match="method shoal must be given every row"):
        answer({**job, "method": "shoal"}, rows, array_of([3, 3]))
    with pytest.raises(shoal.JobError, match="may part equal rows"):
        answer({**job, "method": "mondrian", "params": {"cuts": "relaxed"}}, rows, array_of([3, 3]))
    with pytest.raises(shoal.InputError, match="stands for no row"):
        answer({**job, "method": "mondrian"}, rows, array_of([3, 0]))
