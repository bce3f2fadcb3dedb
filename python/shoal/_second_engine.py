"""Verification by a second engine: DuckDB's Python package runs the promise as plain SQL on the released table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow

from . import _shoal


def engine() -> Callable[[Any], DuckEngine]:
    """What makes an engine of a table. Raises ShoalError where DuckDB's package cannot be loaded: nothing is released unverified."""
    try:
        import duckdb  # noqa: F401
    except ImportError as error:
        raise _shoal.ShoalError(
            f"releases are verified by DuckDB's Python package, which cannot be loaded ({error}); pip install duckdb"
        ) from error
    return DuckEngine


class DuckEngine:
    """Holds a released table under the name "release"; shares no code with the engine that made it."""

    def __init__(self, table: Any) -> None:
        import duckdb

        self._connection = duckdb.connect(":memory:")
        self._connection.register("release", pyarrow.table(table))  # read where it lies, as often as it is asked about

    def create_table(self, name: str, table: Any) -> None:
        """Makes the table, or makes it anew."""
        self._connection.register("shoal_given", pyarrow.table(table))
        self._connection.execute(f'CREATE OR REPLACE TABLE "{name}" AS SELECT * FROM shoal_given')
        self._connection.unregister("shoal_given")

    def query(self, sql: str) -> list[list[str | None]]:
        rows = self._connection.execute(sql).fetchall()
        return [[None if cell is None else str(cell) for cell in row] for row in rows]
