"""Looking at tables and releases without releasing anything: risk, measure, verify, attack, evaluate, methods."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _shoal, _tables
from ._progress import Show, shown
from .job import Job

JobLike = Union[Job, Mapping[str, Any], str, "os.PathLike[str]", None]


class Page:
    """What was found: text when printed, a page in a notebook, ``as_dict()`` for programs."""

    def __init__(self, handle: _shoal.DocumentHandle) -> None:
        self._handle = handle

    def as_dict(self) -> dict[str, Any]:
        """Everything that was found, as `--json` writes it."""
        return dict(json.loads(self._handle.json()))

    def html(self) -> str:
        """One self-contained page."""
        return self._handle.html()

    def __repr__(self) -> str:
        return self._handle.text()

    def _repr_html_(self) -> str:
        return framed(self.html())


def framed(page: str) -> str:
    """A whole page inside a notebook's cell, without its styles touching the notebook."""
    import html

    return f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width:100%;height:40em;border:0"></iframe>'


def _ordinary(table: Any) -> Any:
    """A Release stands for its table."""
    return table._handle.table if hasattr(table, "_handle") and hasattr(table._handle, "table") else table


def risk(
    data: Any,
    job: JobLike = None,
    *,
    threshold: float = 0.2,
    population: Any = None,
    population_size: int | None = None,
    weight_column: str | None = None,
    suda: bool = False,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Page:
    """Groups, uniques and risks of a table as it stands, over the job's quasi columns.

    Where the table is a sample: ``population`` (the table of the people that it was taken from, for k-map and delta-presence),
    ``population_size`` or ``weight_column`` (for how many people a row stands) give the risks in the population. ``suda``: also
    SUDA2 scores, of rows that are unique by few of their values.

    >>> import pyarrow
    >>> risk(pyarrow.table({"age": [1, 1, 2]}), quasi=["age"]).as_dict()["rows"]
    3
    """
    asked = Job.of(job, keywords)
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
        raise _shoal.JobError(f"threshold is {threshold!r}; it must be a number between 0 and 1")
    if population_size is not None:
        population_size = Job._whole("population_size", population_size)
        if population_size < 0:
            raise _shoal.JobError(f"population_size is {population_size}; it must be a number of people")
    words = _shoal.RiskWords(threshold, population_size, weight_column or "", suda)
    table = _tables.read(_ordinary(data))
    handle = asked._handle()
    return Page(_shoal.risk(handle, table, population_table(handle, population), words, shown(progress), cancel))


def measure(
    release: Any,
    original: Any,
    job: JobLike = None,
    *,
    population: Any = None,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Page:
    """Every measure of a release against its original, whoever made it. ``population``: for models that ask about it.

    >>> import pyarrow
    >>> people = pyarrow.table({"age": [30, 31, 50, 51]})
    >>> released = pyarrow.table({"age": ["[30,31]", "[30,31]", "[50,51]", "[50,51]"]})
    >>> round(measure(released, people, quasi=["age"]).as_dict()["measures"]["gcp"], 4)
    0.0476
    """
    if job is None and not keywords and hasattr(release, "job"):
        job = release.job
    asked = Job.of(job, keywords)
    released = _tables.read(_ordinary(release), "the release")
    source = _tables.read(original, "the original")
    handle = asked._handle()
    return Page(_shoal.measure(handle, released, source, population_table(handle, population), shown(progress), cancel))


class Verification(Page):
    """Whether a release keeps the job's promise. True where it does and no finding stands in the way."""

    def __init__(self, handle: _shoal.VerificationHandle, with_original: bool) -> None:
        super().__init__(handle.page)
        self._verdict = handle.verdict
        self._words = handle.words
        self._with_original = with_original

    @property
    def ok(self) -> bool:
        """Every check passed and no finding stands in the way (exit code 0 of `shoal verify`)."""
        return self._verdict == "kept"

    def __bool__(self) -> bool:
        return self.ok

    @property
    def checks(self) -> list[dict[str, Any]]:
        """Each check with its name, result ("passed", "failed" or "not checked") and what was found."""
        checks: list[dict[str, Any]] = self.as_dict()["checks"]
        return checks

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What a careful steward must know before signing; empty also where nobody could look."""
        return self.as_dict().get("findings") or []

    def require(self) -> None:
        """Raises VerificationError where a check failed or could not be made, FindingError where a finding stands in the way."""
        if not self.ok:
            kind = _shoal.FindingError if self._verdict == "finding" else _shoal.VerificationError
            error = kind(self._words)
            error.report = self
            raise error

    def __repr__(self) -> str:
        lines = [super().__repr__().rstrip("\n")]
        if not self._with_original:
            lines.append("Rows and cells are checked with original=frame.")
        if self._words:
            lines.append(self._words)
        return "\n".join(lines)


def verify(
    release: Any,
    job: JobLike = None,
    *,
    original: Any = None,
    population: Any = None,
    earlier: Sequence[Any] = (),
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Verification:
    """Checks a release made by any tool, from its cells alone: no identifier column, every requirement and model holds and, where
    the ``original`` is given, every released row stands for a row of it. Groups are counted by DuckDB. ``earlier``: releases of
    the same table that are out already, for the findings. ``population``: the people that the table was taken from, for k-map and
    delta-presence.

    >>> import pyarrow
    >>> foreign = pyarrow.table({"age": ["30-39", "30-39", "*"]})
    >>> verify(foreign, quasi=["age"], k=2).ok
    False
    """
    if job is None and not keywords and hasattr(release, "job"):
        job = release.job
    from ._second_engine import engine

    asked = Job.of(job, keywords)
    question = asked._handle()
    tables = _shoal.VerifyTables(
        _tables.read(_ordinary(release), "the release"),
        _tables.read_if_given(original, "the original"),
        population_table(question, population),
        earlier_tables(question, earlier),
    )
    return Verification(_shoal.verify(question, tables, engine(), shown(progress), cancel), original is not None)


def population_table(job: _shoal.JobHandle, population: Any) -> _shoal.InputTable | None:
    """The people that a table was taken from. A job file may name a file, which nobody here reads: it must not be forgotten."""
    if population is None and job.population:
        raise _shoal.JobError(f"the job names a population ({job.population}); read it and give it as a table (population=...)")
    return _tables.read_if_given(population, "the population")


def earlier_tables(job: _shoal.JobHandle, earlier: Sequence[Any]) -> list[_shoal.InputTable]:
    """Releases that are out already. A job file may name files, which nobody here reads: they must not be forgotten."""
    if isinstance(earlier, (str, os.PathLike)) or _tables.is_table(earlier):
        raise _shoal.JobError("earlier: wanted a list of tables, found one alone; write earlier=[table]")
    given = [_tables.read(_ordinary(table), f"earlier release {place}") for place, table in enumerate(earlier, 1)]
    named = job.earlier
    if named and not given:
        raise _shoal.JobError(
            f"the job names earlier releases ({', '.join(named)}); read them and give them as tables (earlier=[...])"
        )
    return given


def attack(
    release: Any,
    original: Any,
    job: JobLike = None,
    *,
    earlier: Sequence[Any] = (),
    outsiders: Any = None,
    sample: int = 50000,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Page:
    """Plays the attacker on a release made by any tool, scored against the original: linkage, homogeneity, membership, downcoding,
    minimality, intersection with ``earlier`` releases, singling out, reconstruction (docs/attacks.md).

    ``outsiders``: people known not to be in the table, for membership. ``sample``: most rows that are looked at one by one. The same
    numbers as `shoal attack`, with the same ``seed``.

    >>> import pyarrow
    >>> people = pyarrow.table({"age": [30, 31, 50, 51]})
    >>> attack(pyarrow.table({"age": ["[30,31]", "[30,31]", "[50,51]", "[50,51]"]}), people, quasi=["age"], k=2).as_dict()["groups"]
    2
    """
    if job is None and not keywords and hasattr(release, "job"):
        job = release.job
    asked = Job.of(job, keywords)
    if isinstance(sample, bool) or not isinstance(sample, int) or sample < 1:
        raise _shoal.JobError(f"sample is {sample!r}; it must be a whole number of at least 1")
    question = asked._handle()
    handle = _shoal.attack(
        question,
        _tables.read(_ordinary(release), "the release"),
        _tables.read(original, "the original"),
        earlier_tables(question, earlier),
        _tables.read_if_given(outsiders, "the outsiders"),
        sample,
        shown(progress),
        cancel,
    )
    return Page(handle)


def methods(name: str | None = None) -> Page:
    """All methods, or all about one: its paper, its parameters."""
    return Page(_shoal.methods() if name is None else _shoal.method(name))


def evaluate(
    data: Any,
    job: JobLike = None,
    *,
    methods: Iterable[str] = ("tdr", "mondrian-infogain", "kactus"),
    learners: Iterable[Any] = ("c45", "nb"),
    k: int | Iterable[int] = (5, 50),
    protocol: str = "train-only",
    folds: int | None = None,
    seed: int = 1,
    progress: bool | Show = False,
    cancel: _shoal.Cancel | None = None,
    **keywords: Any,
) -> Page:
    """What anonymization costs a learner: errors on rows that were not trained on, raw, anonymized and without the quasi columns.

    ``learners``: names of ours (c45, nb, logistic, part, boosted) or scikit-learn estimators, which are trained on the release's features()
    and tested on rows mapped by transform_features(). ``folds``: cross-validation; without it five times two folds. ``target``: the
    class, also in place of the job's own.

    >>> import pyarrow
    >>> rows = pyarrow.table({"age": list(range(40)), "pay": ["low"] * 20 + ["high"] * 20})
    >>> page = evaluate(rows, quasi=["age"], target="pay", methods=["mondrian"], learners=["c45"], k=5, folds=2)
    >>> len(page.as_dict()["evaluations"])
    1
    """
    listed = list(learners)  # what can be read once is read once
    ours = [learner for learner in listed if isinstance(learner, str)]
    others = [learner for learner in listed if not isinstance(learner, str)]
    names = list(methods)
    ks = [k] if isinstance(k, int) else list(k)
    for number in ks:
        if Job._whole("k", number) < 1:
            raise _shoal.JobError(f"k is {number}; it must be at least 1")
    target = keywords.pop("target", None) if job is not None else None
    asked = Job.of(job, keywords)
    if target is not None:
        asked = asked._with_target(target)
    pages: list[_shoal.DocumentHandle] = []
    if ours:
        words = _shoal.EvaluateWords(names, ours, ks, protocol, folds or 10, folds is None)
        pages.append(_shoal.evaluate(asked._handle(), _tables.read(data), words, shown(progress), cancel))
    if not others:
        return Page(pages[0])
    from .sklearn import evaluate_estimators

    rows = evaluate_estimators(data, asked, names, others, ks, folds or 2, seed)
    return EvaluationPage(Page(pages[0]) if pages else None, rows)


class EvaluationPage(Page):
    """Errors of our learners and of scikit-learn's, side by side."""

    def __init__(self, page: Page | None, rows: list[dict[str, Any]]) -> None:
        self._page = page
        self._rows = rows

    def as_dict(self) -> dict[str, Any]:
        result = self._page.as_dict() if self._page is not None else {}
        result["estimators"] = self._rows
        return result

    def __repr__(self) -> str:
        lines = [repr(self._page)] if self._page is not None else []
        lines.append(f"{'estimator':<36}{'method':<20}{'k':>6}{'error %':>10}")
        for row in self._rows:
            lines.append(f"{row['estimator'][:35]:<36}{row['method']:<20}{row['k']:>6}{100 * row['error']:>10.2f}")
        return "\n".join(lines)

    def html(self) -> str:
        import html

        return f"<pre>{html.escape(repr(self))}</pre>"

    def _repr_html_(self) -> str:
        return self.html()
