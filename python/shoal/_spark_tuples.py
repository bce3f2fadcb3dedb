"""Methods of shape levels, cut and regions on Spark: equal rows are released alike, so that distinct tuples with their counts are
all that a search needs. One GROUP BY, the search on the driver, and a map that workers join with."""

from __future__ import annotations

import json
from typing import Any

import pyarrow
import pyarrow.compute

from . import _second_engine, _shoal, _spark_parts
from ._spark_session import arrow_of, quoted

_RELEASED = "shoal_released_"
_MOST_ROWS = 2_000_000_000  # rows have numbers of 32 bits on the driver


def release_by_tuples(frame: Any, job: Any, watch: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A frame of the released rows, not computed yet, and what is told about them: in the form that fragments tell it in."""
    names = job.of("quasi", "sensitive", "target", "person")
    tuples = arrow_of(frame.groupBy(*[quoted(name) for name in names]).count()).combine_chunks()
    rows = pyarrow.compute.sum(tuples["count"]).as_py() or 0
    if rows == 0:
        raise _shoal.InputError("the table has no rows")
    if rows > _MOST_ROWS:
        raise _shoal.InputError(f"{rows} rows are too many for a search on the driver; choose method shoal, which searches in fragments")
    watch.stage("search")
    tuple_of_row = _repeated(tuples["count"])
    table = pyarrow.table({name: _short(tuples[name]).take(tuple_of_row) for name in names})
    handle = _shoal.anonymize(
        _spark_parts.job_handle(_without_plain(job)),
        _shoal.AnonymizeTables(_spark_parts.taken(table), None, []),
        _second_engine.engine(),
        None,
        None,
    )
    report = json.loads(handle.json(False))
    told = {
        "fragment": 0,
        "status": handle.status,
        "reason": handle.reason,
        "rows_in": rows,
        "rows_out": 0,
        "measures": report.get("measures"),
        "findings": report.get("findings") or [],
        "checks": report.get("verification", {}).get("checks", []),
        "notices": report.get("notices") or [],
    }
    if handle.status != "released":
        return None, [told]
    release = pyarrow.table(handle.table)
    told["rows_out"] = release.num_rows
    recoding = _map_of(tuples, tuple_of_row, handle, release, job.of("quasi"))
    return _joined(frame, recoding, job), [told]


def _repeated(counts: Any) -> Any:
    """0 0 0 1 2 2 ...: each tuple's number as often as it occurs."""
    import numpy

    return pyarrow.array(numpy.repeat(numpy.arange(len(counts), dtype=numpy.int64), counts.to_numpy()))


def _short(column: Any) -> Any:
    """Texts as dictionaries: a row then costs a number."""
    array = column.combine_chunks()
    return array.dictionary_encode() if pyarrow.types.is_string(array.type) or pyarrow.types.is_large_string(array.type) else array


def _without_plain(job: Any) -> dict[str, Any]:
    """The job for the columns that reach the driver."""
    shared = job.shared()
    document = json.loads(json.dumps(shared["document"]))
    for name in job.of("plain"):
        document["columns"].pop(name, None)
    document.pop("others", None)
    return {**shared, "document": document}


def _map_of(tuples: Any, tuple_of_row: Any, handle: Any, release: Any, quasi: list[str]) -> Any:
    """Distinct quasi tuples, and what each of them is released as. Tuples whose rows were dropped are absent."""
    import numpy

    rows = numpy.frombuffer(handle.row_of_release, dtype=numpy.uint32)
    released_tuples = tuple_of_row.to_numpy()[rows]
    present, first, kept = numpy.unique(released_tuples, return_index=True, return_counts=True)
    if not (kept == tuples["count"].to_numpy()[present]).all():
        raise _shoal.ShoalError("this method dropped some of equal rows, which a map of tuples cannot say; choose another method")
    originals = tuples.select(quasi).take(pyarrow.array(present))
    cells = release.select(quasi).take(pyarrow.array(first))
    columns = {name: originals[name] for name in quasi}
    columns.update({f"{_RELEASED}{place}": cells[name].cast(pyarrow.string()) for place, name in enumerate(quasi)})
    # Tuples that differ in sensitive or target columns alone are one here.
    grouped = pyarrow.table(columns).group_by(list(columns)).aggregate([])
    if grouped.group_by(quasi).aggregate([]).num_rows != grouped.num_rows:
        raise _shoal.ShoalError("this method releases equal rows differently, which a map of tuples cannot say; choose another method")
    return grouped


def _joined(frame: Any, recoding: Any, job: Any) -> Any:
    """The frame with its quasi columns replaced, by a join with the map that is sent to all workers."""
    from pyspark.sql import functions, types

    quasi = job.of("quasi")
    schema = types.StructType(
        [types.StructField(f"shoal_original_{place}", frame.schema[name].dataType) for place, name in enumerate(quasi)]
        + [types.StructField(f"{_RELEASED}{place}", types.StringType()) for place in range(len(quasi))]
    )
    columns = [*quasi, *[f"{_RELEASED}{place}" for place in range(len(quasi))]]
    rows = list(zip(*[recoding[name].to_pylist() for name in columns]))
    broadcast = functions.broadcast(frame.sparkSession.createDataFrame(rows, schema))
    same = None
    for place, name in enumerate(quasi):
        equal = frame[quoted(name)].eqNullSafe(broadcast[f"shoal_original_{place}"])
        same = equal if same is None else same & equal
    place_of = {name: place for place, name in enumerate(quasi)}
    chosen = [
        broadcast[f"{_RELEASED}{place_of[name]}"].alias(name) if name in place_of else frame[quoted(name)]
        for name in job.released
    ]
    return frame.join(broadcast, same).select(*chosen)
