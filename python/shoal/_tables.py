"""Tables of every kind: into the engine as Arrow streams, and back as the kind they came as."""

from __future__ import annotations

from typing import Any

import pyarrow

from . import _shoal


def kind_of(data: Any) -> str:
    """pandas, polars, pyarrow, duckdb or arrow."""
    module = type(data).__module__.partition(".")[0]
    name = type(data).__name__
    if module == "pandas" and name == "DataFrame":
        return "pandas"
    if module == "polars" and name in ("DataFrame", "LazyFrame"):
        return "polars"
    if module in ("duckdb", "_duckdb"):
        return "duckdb"
    if module == "pyarrow":
        return "pyarrow"
    return "arrow"


def is_table(data: Any) -> bool:
    return kind_of(data) == "pandas" or hasattr(data, "__arrow_c_stream__")


def read(data: Any, name: str = "the table") -> _shoal.InputTable:
    """Takes a table over for the engine. Raises InputError for what is none."""
    if isinstance(data, _shoal.InputTable):
        return data
    kind = kind_of(data)
    if kind == "polars" and type(data).__name__ == "LazyFrame":
        data = data.collect()
    if kind == "pandas":
        data = _pandas_to_arrow(data, name)
    if not hasattr(data, "__arrow_c_stream__"):
        raise _shoal.InputError(
            f"{name} is a {type(data).__name__}, not a table: wanted a pandas or polars DataFrame, a pyarrow Table, a DuckDB "
            "relation, or anything with __arrow_c_stream__"
        )
    try:
        capsule = data.__arrow_c_stream__()
    except _shoal.ShoalError:
        raise
    except Exception as error:  # whatever the other library says about its own table
        raise _shoal.InputError(f"{name} cannot be read: {error}") from error
    return _shoal.InputTable(capsule, name)


def read_if_given(data: Any, name: str) -> _shoal.InputTable | None:
    return None if data is None else read(data, name)


def _pandas_to_arrow(frame: Any, name: str) -> Any:
    """Without the index; NaN and None alike are missing; a column of mixed kinds is refused by name."""

    seen = set()
    for column in frame.columns:
        if not isinstance(column, str):
            raise _shoal.InputError(f"{name}: column names are strings, found {column!r}; rename it, str({column!r})")
        if column in seen:
            raise _shoal.InputError(f"{name}: two columns are named {column!r}; rename one")
        seen.add(column)
    arrays = []
    for column in frame.columns:
        series = frame[column]
        try:
            arrays.append(pyarrow.array(series, from_pandas=True))
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError) as error:
            kinds = sorted({type(cell).__name__ for cell in series.dropna().head(10000)})
            raise _shoal.InputError(
                f"{name}: column {column!r} holds {' and '.join(kinds)} together ({error}); make it one kind, say with astype(str)"
            ) from None
    arrays = [array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array for array in arrays]
    return pyarrow.table(arrays, names=list(frame.columns))


def give(table: Any, kind: str) -> Any:
    """A table of the engine as `kind`; texts that are dictionaries become that library's categories or strings."""
    if kind == "polars":
        import polars

        return polars.DataFrame(table)
    if kind == "pandas":

        return pyarrow.table(table).to_pandas()
    if kind == "duckdb":
        import duckdb

        return duckdb.from_arrow(pyarrow.table(table))
    return pyarrow.table(table)


def as_pandas(table: pyarrow.Table, like: Any, recoded: list[str]) -> Any:
    """As a pandas frame, columns that were not recoded with the type they had: whole numbers with missing ones stay whole numbers."""
    frame = table.to_pandas()
    for name in table.column_names:
        wanted = like.get(name)
        if name in recoded or wanted is None or frame[name].dtype == wanted or str(wanted) == "category":
            continue
        if hasattr(wanted, "__from_arrow__"):
            cells = table[name]
            if pyarrow.types.is_large_string(cells.type) and str(wanted) != "large_string[pyarrow]":
                cells = cells.cast(pyarrow.string())
            frame[name] = wanted.__from_arrow__(cells)
        elif wanted.kind in "iufb" and not frame[name].isna().any():
            frame[name] = frame[name].astype(wanted)
    return frame


def with_types(table: pyarrow.Table, schema: pyarrow.Schema, recoded: list[str]) -> pyarrow.Table:
    """Columns that were not recoded with exactly the type they came with (texts leave the engine as large strings)."""
    for place, name in enumerate(table.column_names):
        wanted = schema.field(name).type
        if name not in recoded and table.schema.field(name).type != wanted:
            table = table.set_column(place, pyarrow.field(name, wanted), table[name].cast(wanted))
    return table


def take(frame: Any, rows: list[int], kind: str) -> Any:
    """Rows of a frame that `give` gave, in this order."""
    if kind == "polars":
        return frame[rows]
    if kind == "pandas":
        return frame.iloc[rows].reset_index(drop=True)
    if kind == "duckdb":
        import duckdb

        return duckdb.from_arrow(frame.fetch_arrow_table().take(rows))
    return frame.take(rows)
