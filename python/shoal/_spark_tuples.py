"""Methods of shape levels, cut and regions on Spark: equal rows are released alike, so that distinct tuples with their counts are
all that a search needs. One GROUP BY, the search on the driver, and a map that workers join with. The driver never counts them out."""

from __future__ import annotations

import json
from typing import Any

import pyarrow
import pyarrow.compute

from . import _second_engine, _shoal, _spark_parts
from ._spark_session import arrow_of, quoted

_RELEASED = "shoal_released_"
_MOST_ROWS = 2**32 - 1  # counts have 32 bits, and so have their sums


def release_by_tuples(frame: Any, job: Any, watch: Any) -> tuple[Any, list[dict[str, Any]]]:
    """A frame of the released rows, not computed yet, and what is told about them: in the form that fragments tell it in."""
    names = job.of("quasi", "sensitive", "target", "person")
    tuples = arrow_of(frame.groupBy(*[quoted(name) for name in names]).count()).combine_chunks()
    counts = tuples.column(len(names))
    rows = pyarrow.compute.sum(counts).as_py() or 0
    if rows == 0:
        raise _shoal.InputError("the table has no rows")
    if rows > _MOST_ROWS:
        raise _shoal.InputError(f"{rows} rows are too many for a search on the driver; choose method shoal, which searches in fragments")
    watch.stage("search")
    table = pyarrow.table({name: _short(tuples.column(place)) for place, name in enumerate(names)})
    handle = _shoal.anonymize(
        _spark_parts.job_handle(_without_plain(job)),
        _shoal.AnonymizeTables(_spark_parts.taken(table), None, [], times=counts.to_numpy().astype("uint32").tobytes()),
        _second_engine.engine(),
        None,
        None,
    )
    told = _spark_parts.told_by(handle, 0, rows)
    if job.of("plain"):  # which are not here: different rows are counted in the frame
        told["tuples_before"] = None
    if handle.status != "released":
        return None, [told]
    recoding, told["rows_out"] = _map_of(table, counts.to_numpy(), handle, job.of("quasi"))
    return _joined(frame, recoding, job), [told]


def _short(column: Any) -> Any:
    """Texts as dictionaries: a tuple then costs a number."""
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


def _map_of(tuples: Any, counts: Any, handle: Any, quasi: list[str]) -> tuple[Any, int]:
    """Distinct quasi tuples with what each of them is released as, and how many rows these are. Tuples whose rows were dropped are
    absent."""
    import numpy

    kept = numpy.frombuffer(handle.row_of_release, dtype=numpy.uint32)
    release = pyarrow.table(handle.table)
    originals = tuples.select(quasi)
    columns = {name: _plain(originals[name]).take(pyarrow.array(kept)) for name in quasi}
    columns.update({f"{_RELEASED}{place}": release[name].cast(pyarrow.string()) for place, name in enumerate(quasi)})
    # Tuples that differ in sensitive, target or person columns alone are one here.
    grouped = pyarrow.table(columns).group_by(list(columns)).aggregate([])
    if grouped.group_by(quasi).aggregate([]).num_rows != grouped.num_rows:
        raise _shoal.ShoalError("this method releases equal rows differently, which a map of tuples cannot say; choose another method")
    dropped = numpy.setdiff1d(numpy.arange(len(counts), dtype=numpy.uint32), kept)
    if len(dropped) > 0:
        gone = pyarrow.table({name: _plain(originals[name]).take(pyarrow.array(dropped)) for name in quasi})
        gone = gone.group_by(quasi).aggregate([])
        both = pyarrow.concat_tables([grouped.select(quasi), gone]).group_by(quasi).aggregate([])
        if both.num_rows != grouped.num_rows + gone.num_rows:
            raise _shoal.ShoalError("this method dropped some of equal rows, which a map of tuples cannot say; choose another method")
    return grouped, int(counts[kept].sum())


def _plain(column: Any) -> Any:
    """The other way round than _short."""
    array = column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    return array.dictionary_decode() if pyarrow.types.is_dictionary(array.type) else array


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
