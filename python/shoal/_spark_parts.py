"""What Spark's workers run: functions over Arrow batches, and the plan that they all follow.

Workers find the plan in a broadcast of plain data, and make the engine's object of it once per process.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow
import pyarrow.compute

from . import _second_engine, _shoal

FRAGMENT = "shoal_fragment"  # the column that says where a row goes
TOLD = "shoal_told"  # the column that says what became of a fragment, in a row of its own
LEAF = "shoal_leaf"  # the column that says under which leaf of the tree a row lies
ROWS = "shoal_rows"  # the column that says for how many rows one stands
FOUND = "shoal_found_"  # before the names of columns that say what quasi columns are released as, before all of them are

_plans: dict[str, _shoal.TablePlan] = {}


def job_handle(job: dict[str, Any]) -> _shoal.JobHandle:
    """A job that came with the texts of its hierarchy files: they are put into a folder for as long as it takes to read them."""
    with tempfile.TemporaryDirectory(prefix="shoal-") as folder:
        for name, content in job["files"].items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        return _shoal.JobHandle(json.dumps(job["document"], ensure_ascii=False), "the job", folder, job["trees"])


def plan_of(shared: dict[str, Any]) -> _shoal.TablePlan:
    """The plan in a broadcast. Only the last few are kept: a worker lives longer than a run."""
    if shared["id"] not in _plans:
        while len(_plans) >= 4:
            _plans.pop(next(iter(_plans)))
        _plans[shared["id"]] = _shoal.TablePlan(job_handle(shared["job"]), shared["plan"])
    return _plans[shared["id"]]


def taken(table: Any, name: str = "the table") -> _shoal.InputTable:
    return _shoal.InputTable(table.__arrow_c_stream__(), name)


def _numbers(packed: bytes, kind: Any) -> Any:
    return pyarrow.Array.from_buffers(kind, len(packed) // (kind.bit_width // 8), [None, pyarrow.py_buffer(packed)])


def _filled(batches: Iterable[Any]) -> Iterator[Any]:
    """Hash partitions may be empty, and so may batches."""
    return (pyarrow.Table.from_batches([batch]) for batch in batches if batch.num_rows > 0)


def keys(shared: dict[str, Any], batches: Iterable[Any]) -> Iterator[Any]:
    """Counted raw tuples -> keys and counts."""
    plan = plan_of(shared)
    for table in _filled(batches):
        key = pyarrow.table(plan.keys(taken(table)))["key"].cast(pyarrow.string())
        yield from pyarrow.table({"key": key, "count": table["count"]}).combine_chunks().to_batches()


def drawn(shared: dict[str, Any], wanted: int, batches: Iterable[Any]) -> Iterator[Any]:
    """Keys and counts -> those of which rows are drawn for the pilot, and how many."""
    plan = plan_of(shared)
    for table in _filled(batches):
        counts = _numbers(plan.drawn(taken(table), wanted), pyarrow.uint64()).cast(pyarrow.int64())
        found = pyarrow.table({"key": table["key"], "count": counts})
        yield from found.filter(pyarrow.compute.greater(found["count"], 0)).combine_chunks().to_batches()


def leaves(shared: dict[str, Any], batches: Iterable[Any]) -> Iterator[Any]:
    """Keys and counts -> leaves of the tree and counts."""
    plan = plan_of(shared)
    for table in _filled(batches):
        leaf = _numbers(plan.leaves_of(taken(table)), pyarrow.uint32()).cast(pyarrow.int32())
        yield from pyarrow.table({"leaf": leaf, "count": table["count"]}).combine_chunks().to_batches()


def under_leaves(shared: dict[str, Any], columns: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """Rows -> the leaf of each, beside what models look at."""
    plan = plan_of(shared)
    for table in _filled(batches):
        leaf = _numbers(plan.leaves_of(taken(plan.keys(taken(table)))), pyarrow.uint32()).cast(pyarrow.int32())
        yield from table.select(columns).add_column(0, LEAF, leaf).combine_chunks().to_batches()


def kept(shared: dict[str, Any], columns: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """Counted rows sorted by the set that they are in -> whether those of a set keep the models as one group."""
    plan = plan_of(shared)
    for part in _parts(batches):
        times = part[ROWS].to_numpy().astype("uint32").tobytes()
        keeps = plan.keeps_models(taken(part.select(columns)), times)
        yield pyarrow.RecordBatch.from_pydict({FRAGMENT: part[FRAGMENT][:1].combine_chunks(), "keeps": pyarrow.array([keeps])})


def routed(shared: dict[str, Any], places: list[int], batches: Iterable[Any]) -> Iterator[Any]:
    """Rows -> rows with the place of their fragment in front."""
    plan = plan_of(shared)
    place_of = pyarrow.array(places, pyarrow.int32())
    for table in _filled(batches):
        fragment = _numbers(plan.fragments_of(taken(table)), pyarrow.uint32())
        yield from table.add_column(0, FRAGMENT, place_of.take(fragment)).combine_chunks().to_batches()


def told_by(handle: _shoal.ReleaseHandle, number: int, rows: int) -> dict[str, Any]:
    """What becomes of a fragment of so many rows, as plain data."""
    report = json.loads(handle.json(False))
    measures = report.get("measures")
    return {
        "fragment": number,
        "status": handle.status,
        "reason": handle.reason,
        "rows_in": rows,
        "rows_out": 0,
        "measures": measures,
        "distortion_at_root": handle.distortion_at_root,
        "tuples_before": round(measures["rows"] / measures["rows_ratio"]) if measures and measures["rows"] else 0,
        "risk_before": report.get("risk_before"),
        "findings": report.get("findings") or [],
        "checks": report.get("verification", {}).get("checks", []),
        "notices": report.get("notices") or [],
    }


def fragment(shared: dict[str, Any], number_of_place: dict[int, int], table: Any) -> Any:
    """The rows of one fragment -> its release, verified, behind a row that tells what became of it. Where other requirements follow that
    share no column with these (``shared["found"]`` says what is to be kept for then): the rows as they are, and beside them what they
    are released as so far."""
    plan = plan_of(shared)
    number = number_of_place[table[FRAGMENT][0].as_py()]
    before = [name for name in table.column_names if name.startswith(FOUND)]
    rows = table.drop_columns([FRAGMENT, *before])
    found = taken(table.select(before).rename_columns([name[len(FOUND) :] for name in before])) if before else None
    part = _shoal.FragmentRows(number, taken(rows, f"fragment {number}"), found)
    handle = plan.anonymize(part, _second_engine.engine(), None, None)
    told = told_by(handle, number, rows.num_rows)
    follow = bool(shared["found"])
    if follow:
        texts = [*before, *[FOUND + name for name in shared["found"]]]
        fields = [*rows.schema, *[(name, pyarrow.string()) for name in texts]]
    else:
        fields = [(name, pyarrow.string() if name in shared["quasi"] else rows.schema.field(name).type) for name in shared["released"]]
    schema = pyarrow.schema([*fields, (TOLD, pyarrow.string())])
    released = []
    if handle.status == "released":
        release = pyarrow.table(handle.table)
        told["rows_out"] = release.num_rows
        if follow:
            kept = table.take(_numbers(handle.row_of_release, pyarrow.uint32()))
            release = pyarrow.table([*kept.drop_columns([FRAGMENT]).columns, *[release[name] for name in shared["found"]]], schema.names[:-1])
        columns = [release[field.name].cast(field.type) for field in schema if field.name != TOLD]
        released.append(pyarrow.table([*columns, pyarrow.nulls(release.num_rows, pyarrow.string())], schema=schema))
    words = pyarrow.array([json.dumps(told)], pyarrow.string())
    nothing = [pyarrow.nulls(1, field.type) for field in schema if field.name != TOLD]
    return pyarrow.concat_tables([pyarrow.table([*nothing, words], schema=schema), *released])


def fragments(shared: dict[str, Any], number_of_place: dict[int, int], batches: Iterable[Any]) -> Iterator[Any]:
    """Rows sorted by fragment -> the releases of the fragments, for Spark versions without applyInArrow."""
    for part in _parts(batches):
        yield from fragment(shared, number_of_place, part).combine_chunks().to_batches()


def _parts(batches: Iterable[Any]) -> Iterator[Any]:
    """Rows sorted by FRAGMENT -> those of each, as one table."""
    held: list[Any] = []
    for table in _filled(batches):
        places = table[FRAGMENT].combine_chunks()
        borders = [0]
        for row in range(1, len(places)):
            if places[row] != places[row - 1]:
                borders.append(row)
        borders.append(len(places))
        for first, last in zip(borders, borders[1:]):
            if held and held[0][FRAGMENT][0] != places[first]:
                yield pyarrow.concat_tables(held)
                held = []
            held.append(table.slice(first, last - first))
    if held:
        yield pyarrow.concat_tables(held)
