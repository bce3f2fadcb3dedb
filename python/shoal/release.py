"""Releases: a table that hides everybody it is about, verified, and what can be done with it."""

from __future__ import annotations

import array
import json
import os
import random
from collections.abc import Sequence
from typing import Any

from . import _second_engine, _shoal, _tables
from ._cells import ReleasedColumn, numbers_frame
from ._files import write_text
from ._progress import Show, shown
from .job import Job
from .looking import JobLike, Page, earlier_tables, population_table

_ERRORS = {
    "unsatisfied": _shoal.Unsatisfiable,
    "verification-failed": _shoal.VerificationError,
    "verification_failed": _shoal.VerificationError,
}


def anonymize(
    data: Any,
    job: JobLike = None,
    *,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    earlier: Sequence[Any] = (),
    population: Any = None,
    effort: str | None = None,
    **keywords: Any,
) -> Release:
    """Finds the most useful release of a table under which the job's requirements hold, and has it verified.

    ``data``: a pandas or polars DataFrame, a pyarrow Table, a DuckDB relation, or anything with ``__arrow_c_stream__``. ``job``: a
    Job, a dict as in a job file, or a file name; without one, keywords as for Job. Beside a job, keywords override its settings
    (``method``, ``params``, ``seed``, ``k``, ...). ``effort`` is short for ``params={"effort": ...}`` of method shoal. The same job
    and seed give the same release, whatever the number of threads, and the same as the command line. ``earlier``: releases of the
    same table that are out already, as tables; what both tell together is a finding. ``population``: the people that the table was
    taken from, as a table, for models that ask about it (shoal.k_map, shoal.delta_presence).

    Raises JobError, InputError, Unsatisfiable (nothing can keep what was asked), FindingError (see docs/findings.md) or
    VerificationError; nothing is released then. Ctrl-C stops it within a moment.

    >>> import pyarrow
    >>> people = pyarrow.table({"name": ["Ann", "Bob", "Eva", "Jim"], "age": [31, 35, 52, 58]})
    >>> release = anonymize(people, quasi=["age"], identifier=["name"], k=2)
    >>> release.frame["age"].to_pylist()
    ['[31,35]', '[31,35]', '[52,58]', '[52,58]']
    """
    if effort is not None:
        keywords["params"] = {**keywords.get("params", {}), "effort": effort}
    asked = Job.of(job, keywords)
    kind = _tables.kind_of(data)
    question = asked._handle()
    tables = _shoal.AnonymizeTables(
        _tables.read(data), population_table(question, population), earlier_tables(question, earlier)
    )
    handle = _shoal.anonymize(question, tables, _second_engine.engine(), shown(progress), cancel)
    if handle.status != "released":
        error = _ERRORS.get(handle.status, _shoal.FindingError)(handle.reason)
        error.report = Report(handle)  # what was found, also where nothing is released
        raise error
    types = data.dtypes.to_dict() if kind == "pandas" else getattr(data, "schema", None) if kind == "pyarrow" else None
    return Release(handle, asked, kind, types)


class Report(Page):
    """What was done, found and lost: a page in a notebook, ``as_dict()`` for programs."""

    def __init__(self, handle: _shoal.ReleaseHandle) -> None:
        self._release = handle

    def save(self, path: str | os.PathLike[str], public: bool = False) -> None:
        """As a page (.html) or as JSON (.json); ``public`` leaves out every value of the table."""
        write_text(path, self._release.json(public) if os.fspath(path).endswith(".json") else self.html(public))

    def as_dict(self, public: bool = False) -> dict[str, Any]:
        """Everything that was found, as `--json` writes it; ``public``: without values of the table."""
        return dict(json.loads(self._release.json(public)))

    def html(self, public: bool = False) -> str:
        """One self-contained page."""
        return self._release.html(public)

    def __repr__(self) -> str:
        return self._release.text()


class Release:
    """A verified release. ``frame`` is the table, in the kind that came in."""

    def __init__(self, handle: _shoal.ReleaseHandle, job: Job, kind: str, types: Any = None) -> None:
        self._handle = handle
        self._kind = kind
        self._types = types  # of the pyarrow table or pandas frame that came in
        self._frame: Any = None
        self._row_mapping: _shoal.RowMapping | None = None
        self._columns: dict[str, ReleasedColumn] | None = None
        self.job = job

    @property
    def frame(self) -> Any:
        """The released table, in the order of the release, without an index of the input."""
        if self._frame is None:
            recoded = self._handle.quasi_names()
            if self._types is None:
                self._frame = _tables.give(self._handle.table, self._kind)
            elif self._kind == "pandas":
                self._frame = _tables.as_pandas(_tables.give(self._handle.table, "pyarrow"), self._types, recoded)
            else:
                self._frame = _tables.with_types(_tables.give(self._handle.table, self._kind), self._types, recoded)
        return self._frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._handle.table.__arrow_c_stream__(requested_schema)

    def aligned(self) -> Any:
        """The released rows in the order of the input (dropped rows are absent). For use inside the process: whoever sees this
        order next to the input knows which row is whose."""
        rows = self._rows()
        return _tables.take(self.frame, sorted(range(len(rows)), key=rows.__getitem__), self._kind)

    def original_rows(self) -> list[int]:
        """For each released row the number of its original row, from 0. For use inside the process only."""
        return list(self._rows())

    def _rows(self) -> array.array[int]:
        rows = array.array("I")
        rows.frombytes(self._handle.row_of_release)
        return rows

    @property
    def report(self) -> Report:
        """What was done, found and lost."""
        return Report(self._handle)

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What a careful steward must know before signing."""
        return self.report.as_dict().get("findings") or []

    @property
    def measures(self) -> dict[str, Any]:
        """What was lost, in numbers: gcp, prec, dm, ... (docs/measures.md)."""
        return dict(self.report.as_dict()["measures"])

    @property
    def method(self) -> str:
        """The method that made it."""
        return str(self.report.as_dict()["method"])

    @property
    def shape(self) -> str:
        """levels, cut, regions or groups."""
        return self._handle.shape

    @property
    def recoding(self) -> dict[str, Any]:
        """What became of what: by value for levels and cuts, by group for regions and groups; what `shoal apply` reads when it is
        written as JSON. For internal use: it holds values that the release hides."""
        return dict(json.loads(self._handle.recoding()))

    def verify(self) -> list[dict[str, Any]]:
        """The checks that this release has passed: a release that fails one is never made."""
        return list(self.report.as_dict()["verification"]["checks"])

    # ---- for learning ----

    def columns(self) -> dict[str, ReleasedColumn]:
        """The recoded columns, with what each of their released cells stands for."""
        if self._columns is None:
            self._columns = {
                name: ReleasedColumn.of(self._handle, place, name) for place, name in enumerate(self._handle.quasi_names())
            }
        return self._columns

    def frame_as(self, numbers: str = "midpoint", categories: str = "text") -> Any:
        """The release with cells that programs can count with.

        ``numbers``: recoded numbers as "midpoint" (the middle of what a range covers; of `*` the column's mean; missing stays missing),
        "bounds" (two columns, _low and _high) or "text". ``categories``: other recoded cells as "text", as "codes" (a number for
        each different release) or as "shares" (a column for each original value: how much of it the cell stands for, by how
        often the released cells name it; nodes and ``*`` are spread, never a category of their own).
        """
        table = numbers_frame(self._handle.table, self.columns(), numbers, categories)
        return _tables.give(table, self._kind)

    def features(self) -> Any:
        """The release as numbers for a learner: middles, and shares for everything that is no number."""
        return self.frame_as(numbers="midpoint", categories="shares")

    def _mapping(self) -> _shoal.RowMapping:
        if self._row_mapping is None:
            self._row_mapping = self._handle.row_mapping()
        return self._row_mapping

    def transform(self, data: Any) -> Any:
        """New rows as this release would have them: what a model trained on it should be given. Columns that the release hides are
        left out. Values find their recoding; rows of local methods take the cells of the group that they violate least. New rows are
        not promised any k."""
        kind = _tables.kind_of(data)
        return _tables.give(self._mapping().transform(_tables.read(data, "the new rows")), kind)

    def transform_features(self, data: Any) -> Any:
        """transform(), then the numbers that features() gives."""
        kind = _tables.kind_of(data)
        table = self._mapping().transform(_tables.read(data, "the new rows"))
        return _tables.give(numbers_frame(table, self.columns(), "midpoint", "shares"), kind)

    def draw(self, n: int | None = None, seed: int = 1) -> Any:
        """A table of rows drawn from what the release says: each cell one of the values that it stands for, by their shares. For
        learners that take neither ranges nor shares (boosting). ``n`` rows drawn at random, or each row once."""
        from ._cells import drawn_frame

        table = drawn_frame(self._handle.table, self.columns(), n, random.Random(seed))
        return _tables.give(table, self._kind)

    def save(self, folder: str | os.PathLike[str], names: Sequence[str] = ()) -> list[str]:
        """Writes release.parquet, report.html, report.json, report-public.html and job.yaml into a folder (made if need be; files of
        these names must not be there). Gives their paths."""
        import pyarrow.parquet

        os.makedirs(folder, exist_ok=True)
        wanted = list(names) or ["release.parquet", "report.html", "report.json", "report-public.html", "job.yaml"]
        paths = [os.path.join(os.fspath(folder), name) for name in wanted]
        for path in paths:
            if os.path.exists(path):
                raise _shoal.JobError(f"'{path}' is there already; nothing was written")
        for name, path in zip(wanted, paths):
            if name == "release.parquet":
                beside = f"{path}.{os.getpid()}.partial"
                os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                try:
                    pyarrow.parquet.write_table(_tables.give(self._handle.table, "pyarrow"), beside)
                    os.replace(beside, path)
                except BaseException:
                    os.unlink(beside)
                    raise
            elif name == "job.yaml":
                write_text(path, self.job.to_yaml())
            else:
                self.report.save(path, public="public" in name)
        return paths

    def __len__(self) -> int:
        return self._handle.table.rows

    def __repr__(self) -> str:
        return self._handle.text()

    def _repr_html_(self) -> str:
        return self.report._repr_html_()
