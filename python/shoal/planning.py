"""Before a release: inspect (what is this table?) and compare (which method, which k?)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from . import _shoal, _tables
from ._files import write_together
from ._plot import Picture, drawn_by
from ._progress import Show, shown
from .job import Job
from .looking import JobLike, Page


def inspect(
    data: Any,
    *,
    k: int = 5,
    missing: Iterable[str] = (),
    examples: bool = False,
    seed: int = 1,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
) -> Inspection:
    """Looks at a table that nobody has said anything about: for every column its type, how far it tells rows apart, a role with the
    reason and a hierarchy; which few columns single out most rows; findings; and a job that runs as it is.

    ``k``: of that job. ``missing``: texts that mean missing, besides those that are found. ``examples``: also show some cells of
    every column, names and free text included. Roles are suggestions: only you know who could know what. The same answer as
    `shoal inspect` gives for the same table in a file.

    >>> import pyarrow
    >>> ages = [20 + 7 * row % 50 for row in range(60)]
    >>> people = pyarrow.table({"name": [f"Person {row}" for row in range(60)], "age": ages, "sex": ["f", "m"] * 30})
    >>> plan = inspect(people)
    >>> plan.roles["name"], plan.roles["age"]
    ('identifier', 'quasi')
    >>> len(anonymize(people, plan.job))  # doctest: +SKIP
    60
    """
    words = [missing] if isinstance(missing, str) else list(missing)
    for word in words:
        if not isinstance(word, str):
            raise _shoal.JobError(f"missing: wanted texts, found {word!r}")
    if Job._whole("k", k) < 1:
        raise _shoal.JobError(f"k is {k}; it must be at least 1")
    if Job._whole("seed", seed) < 0:
        raise _shoal.JobError(f"seed is {seed}; it must be at least 0")
    handle = _shoal.inspect(_tables.read(data), words, int(k), int(seed), shown(progress), cancel)
    return Inspection(handle, examples)


class Inspection(Page):
    """What was found by looking at a table alone: text when printed, a page in a notebook. ``job`` runs as it is."""

    def __init__(self, handle: _shoal.InspectionHandle, examples: bool) -> None:
        super().__init__(handle.page(examples))
        self._inspection = handle

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Every column with its type, values, role, reason and hierarchy."""
        columns: list[dict[str, Any]] = self.as_dict()["columns"]
        return columns

    @property
    def roles(self) -> dict[str, str]:
        """The suggested role of every column."""
        return {column["name"]: column["role"] for column in self.columns}

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What a careful steward must know."""
        return self.as_dict().get("findings") or []

    @property
    def job(self) -> Job:
        """The suggested job. Raises JobError where no column could be quasi."""
        return Job.from_yaml(self.job_yaml())

    def job_yaml(self) -> str:
        """The suggested job as a file says it, with the reason for every line beside it."""
        return self._inspection.job_yaml()

    def write_job(self, path: str | os.PathLike[str]) -> list[str]:
        """Writes the job, and beside it the hierarchies that a person may want to edit, as `shoal inspect --write-job` does; never
        over files that exist. Gives the paths. ``shoal.Job.from_file(path)`` reads it."""
        path = os.fspath(path)
        folder, name = os.path.split(path)
        text, hierarchies = self._inspection.written_job(name)
        return write_together([(path, text), *((os.path.join(folder, file), table) for file, table in hierarchies)])

    def __repr__(self) -> str:
        commas = self._inspection.comma_columns
        if not commas:
            return super().__repr__()
        return (
            super().__repr__().rstrip("\n")
            + f"\nTexts with a decimal comma ({', '.join(commas)}) are no numbers here: convert them before (read_csv(decimal=\",\")).\n"
        )


def compare(
    data: Any,
    job: JobLike = None,
    *,
    methods: Iterable[str] | None = None,
    k: int | Iterable[int] | None = None,
    sample: int | None = None,
    learners: Iterable[str] = ("c45",),
    folds: int = 5,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Comparison:
    """Runs methods side by side, with one or several k: what each would lose, what risk would stay, how long it takes, how far from
    the best possible it is at most; where the job has a target also what learners lose. Recommends one and says why. Nothing is
    released. The same answer as `shoal compare`, times aside.

    ``methods``: names, or "all"; without them a few of each kind, and the job's own. ``k``: without it what the job asks, else 2, 5
    and 10. ``sample``: run on so many rows, drawn by the seed. ``learners``: of ours; () for none. Stopped through ``cancel`` after the
    first run it gives what is done so far (``interrupted``).

    >>> import pyarrow
    >>> people = pyarrow.table({"age": [20 + row * 7 % 50 for row in range(60)], "sex": ["f", "m"] * 30})
    >>> found = compare(people, quasi=["age", "sex"], k=[2, 5], methods=["mondrian", "shoal"])
    >>> [(run["method"], run["k"]) for run in found.runs]
    [('mondrian', 2), ('shoal', 2), ('mondrian', 5), ('shoal', 5)]
    >>> found.recommended["k"]
    5
    """
    asked = Job.of(job, keywords)
    names = [] if methods is None else [methods] if isinstance(methods, str) else list(methods)
    ks = [] if k is None else [k] if not isinstance(k, Iterable) or isinstance(k, str) else list(k)
    for number in ks:
        if Job._whole("k", number) < 1:
            raise _shoal.JobError(f"k is {number}; it must be at least 1")
    if sample is not None and Job._whole("sample", sample) < 0:
        raise _shoal.JobError(f"sample is {sample}; it must be a number of rows")
    listed = [learners] if isinstance(learners, str) else list(learners)
    for learner in listed:
        if not isinstance(learner, str):
            raise _shoal.JobError(f"learners: {learner!r} is no learner of ours; shoal.evaluate() takes scikit-learn's")
    words = _shoal.CompareWords(names, listed, [int(number) for number in ks], sample, folds)
    return Comparison(_shoal.compare(asked._handle(), _tables.read(data), words, shown(progress), cancel), asked)


class Comparison(Page):
    """Methods side by side: text when printed, a page in a notebook, ``plot()`` the picture of risk against loss."""

    def __init__(self, handle: _shoal.ComparisonHandle, asked: Job) -> None:
        super().__init__(handle.page)
        self._comparison = handle
        self._asked = asked

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Every method with every k: gcp, highest_risk, seconds, ...; ``refused`` where there is no release."""
        runs: list[dict[str, Any]] = self.as_dict()["runs"]
        return runs

    @property
    def recommended(self) -> dict[str, Any] | None:
        """The run to take; None where no method gave a release."""
        if self._comparison.recommended is None:
            return None
        method, k = self._comparison.recommended
        return next(run for run in self.runs if run["method"] == method and run["k"] == k)

    @property
    def interrupted(self) -> bool:
        """Stopped before all runs were done."""
        return self._comparison.interrupted

    @property
    def job(self) -> Job:
        """The job that is recommended, for anonymize(). Raises Unsatisfiable where no method gave a release."""
        if self._comparison.recommended is None:
            raise _shoal.Unsatisfiable("no method gave a release, so that there is no job to recommend")
        method, k = self._comparison.recommended
        settings: dict[str, Any] = {"method": method, "params": dict(self._comparison.params) or None}
        if k is not None:
            settings["k"] = k
        return self._asked.with_settings(**settings)

    def plot(self, library: str = "svg", ax: Any = None) -> Any:
        """Risk against loss, a point for each method and k. Gives a Picture, which a notebook shows and ``save()`` writes as SVG;
        with ``library`` "matplotlib" (or its axes as ``ax``) or "altair" that library's own figure."""
        points = [run for run in self.runs if run.get("gcp") is not None]
        if library == "svg" and ax is None:
            return Picture(points)
        return drawn_by(library, points, ax)
