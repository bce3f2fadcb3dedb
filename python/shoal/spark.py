"""Tables of any size on Apache Spark (PySpark 3.5 and 4): the same job, searched in fragments by Spark's workers.

>>> import shoal.spark                                                           # doctest: +SKIP
>>> release = shoal.spark.anonymize(frame, "job.yaml", output="hdfs:///release")  # doctest: +SKIP

Workers need this package, DuckDB's and pyarrow: see docs/spark.md.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow

from . import _shoal, _spark_parts
from ._progress import Show, shown
from ._spark_looking import measure, risk
from ._spark_measures import Told, measured
from ._spark_plan import PlannedRun, PlanningRun, PortableJob, columns_of, readable
from ._spark_session import Folder, SparkEngine, Watch, counted_texts, plain_errors, quoted
from ._spark_tuples import release_by_tuples
from .job import Job
from .looking import JobLike, Verification

__all__ = ["SparkRelease", "anonymize", "measure", "risk", "verify"]

_ROWS_PER_FILE = 1_000_000
_ERRORS: dict[str, type[_shoal.ShoalError]] = {
    "unsatisfied": _shoal.Unsatisfiable,
    "verification-failed": _shoal.VerificationError,
    "verification_failed": _shoal.VerificationError,
}


class SparkRelease:
    """A verified release, as Parquet files in a folder. ``frame`` reads it, ``report`` says what was done, lost and found."""

    def __init__(self, session: Any, path: str, report: dict[str, Any]) -> None:
        self._session = session
        self.path = path
        self.report = report

    @property
    def frame(self) -> Any:
        """The release as a Spark DataFrame."""
        return self._session.read.parquet(self.path)

    @property
    def checks(self) -> list[dict[str, Any]]:
        """The checks that the files have passed; a release that fails one is never made."""
        return list(self.report["checks"])

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What a careful steward must know before signing, each once, with the number of fragments that show it."""
        return list(self.report["findings"])

    @property
    def measures(self) -> dict[str, Any]:
        """What was lost, over the whole table."""
        return dict(self.report["measures"])

    def __repr__(self) -> str:
        told = self.report
        gcp = told["measures"].get("gcp")
        return (
            f"{told['rows_out']} of {told['rows_in']} rows released to {self.path} by {told['method']}, "
            f"{told['fragments']} fragment{'s' if told['fragments'] != 1 else ''}" + (f", GCP {gcp:.5f}" if gcp is not None else "")
        )


def _told(staged: Any) -> Told:
    rows = staged.where(f"{_spark_parts.TOLD} IS NOT NULL").select(_spark_parts.TOLD).collect()
    return sorted((json.loads(row[0]) for row in rows), key=lambda told: int(told["fragment"]))


def _search(planned: PlannedRun, folder: Folder, turn: int) -> tuple[Any, Told]:
    """Searches all fragments, those that have no answer alone together with others."""
    run = planned.run
    for attempt in range(64):
        run.watch.stage("search")
        path = folder.inside(f"fragments-{turn}-{attempt}")
        planned.answers().write.parquet(path)
        staged = run.session.read.parquet(path)
        told = _told(staged)
        if len(told) != planned.plan.fragments:
            raise _shoal.VerificationError(
                f"{len(told)} of {planned.plan.fragments} fragments came back; nothing was released"
            )
        alone = [one["fragment"] for one in told if one["status"] == "unsatisfied"]
        if not alone or not planned.refuse(alone):
            return staged, told
        folder.remove(path)
    raise _shoal.Unsatisfiable("fragments without an answer could not be joined to ones that have one")


def _search_all(run: PlanningRun, folder: Folder) -> tuple[Any, list[Told], _shoal.TablePlan]:
    """The rows released, and what was told of each family of requirements that share no column: each is searched by itself, the last
    one over rows that have what was found for all others beside them, by the plan that comes last."""
    plans = run.count().by_family()
    told_of: list[Told] = []
    staged: Any = None
    for turn, counted in enumerate(plans):
        if turn > 0:
            run.go_on(staged)
        staged, told = _search(run.plan(counted, last=turn + 1 == len(plans)), folder, turn)
        _must_be_released(told)
        told_of.append(told)
        if sum(one["rows_in"] for one in told) != sum(one["rows_in"] for one in told_of[0]):
            raise _shoal.VerificationError("requirements that share no column were searched for in other rows; nothing was released")
    rows = staged.where(f"{_spark_parts.TOLD} IS NULL").select(*[quoted(name) for name in run.job.released])
    return rows, told_of, plans[-1]


def _merged_findings(told: Told) -> list[dict[str, Any]]:
    merged: dict[str, dict[str, Any]] = {}
    for one in told:
        for finding in one["findings"]:
            known = merged.setdefault(json.dumps([finding.get("code"), finding.get("columns")]), {**finding, "fragments": 0})
            known["fragments"] += 1
    return list(merged.values())


def _must_be_released(told: Told) -> None:
    for one in told:
        if one["status"] != "released":
            error = _ERRORS.get(one["status"], _shoal.FindingError)(
                one["reason"] if len(told) == 1 else f"fragment {one['fragment']} of {len(told)}: {one['reason']}"
            )
            error.report = {"findings": _merged_findings(told), "fragments": told}
            raise error


def _write(rows: Any, job: PortableJob, files: int, folder: Folder) -> str:
    """Released rows in an order, and in files, that what they say decides: neither the input's order nor the fragments show."""
    path = folder.inside("release")
    quasi = [quoted(name) for name in job.of("quasi")]
    order = [quoted(name) for name in job.released]
    rows.repartition(files, *quasi).sortWithinPartitions(*order).write.parquet(path)
    folder.plain_names(path)
    return path


def _fingerprint(rows: Any, names: list[str]) -> tuple[int, int]:
    """How many rows, and a number that the same rows in another order have too."""
    from pyspark.sql import functions

    hashed = functions.xxhash64(*[functions.col(quoted(name)) for name in names]).cast("decimal(38,0)")
    count, total = rows.agg(functions.count("*"), functions.sum(hashed)).collect()[0]
    return int(count), int(total or 0)


def _passed_in_fragments(told_of: list[Told]) -> dict[str, int]:
    """Checks that passed in all fragments, with how many these are: of every family of requirements that was searched for."""
    passed: dict[str, int] = {}
    broken: set[str] = set()
    for told in told_of:
        results = [{check["name"]: check["result"] == "passed" for check in one["checks"]} for one in told]
        for name in set().union(*results):
            if all(result.get(name) for result in results):
                passed[name] = passed.get(name, 0) + len(told)
            else:
                broken.add(name)
    return {name: fragments for name, fragments in passed.items() if name not in broken}


def _verified(frame: Any, path: str, staged: tuple[int, int], job: PortableJob, told_of: list[Told]) -> list[dict[str, Any]]:
    """The checks of the files as they were written, beside the frame that they are a release of. Raises VerificationError unless all of
    them passed."""
    written = frame.sparkSession.read.parquet(path)
    verification = _verification(written, job.handle, counted_texts(frame, job.handle.compared_columns))
    checks = list(json.loads(verification.page.json())["checks"])
    here = _fingerprint(written, job.released)
    same = here == staged and here[0] == sum(one["rows_out"] for one in told_of[-1])
    checks.append(
        {
            "name": "files",
            "result": "passed" if same else "failed",
            "detail": f"{here[0]} rows in the files, {staged[0]} from the fragments" + ("" if same else "; they are not the same"),
        }
    )
    in_fragments = _passed_in_fragments(told_of)
    for check in checks:
        # What needs the original was checked where that was: in every fragment, cell by cell.
        if check["result"] == "not checked" and check["name"] in in_fragments:
            check["result"], check["detail"] = "passed", f"in each of {in_fragments[check['name']]} fragments"
    for name in ("rows", "coverage"):
        if name in in_fragments:
            checks.append({"name": name, "result": "passed", "detail": f"in each of {in_fragments[name]} fragments"})
    bad = [check for check in checks if check["result"] != "passed"]
    if bad:
        error = _shoal.VerificationError(
            "the release failed its verification (" + "; ".join(f"{check['name']}: {check['detail']}" for check in bad) + "); nothing was released"
        )
        error.report = checks
        raise error
    return checks


def _verification(frame: Any, handle: _shoal.JobHandle, counted: list[tuple[str, Any]]) -> _shoal.VerificationHandle:
    """The engine asks, Spark counts: the same SQL text that DuckDB is given elsewhere. The engine itself is shown no rows. `counted`:
    columns of the original, for models that compare groups with it."""
    with SparkEngine(frame) as engine:
        empty = pyarrow.table({name: pyarrow.array([], pyarrow.string()) for name in frame.columns})
        whole = [(name, _spark_parts.taken(values, f"the column {name!r}")) for name, values in counted]
        tables = _shoal.VerifyTables(_spark_parts.taken(empty, "the release"), None, None, [], counted=whole)
        return _shoal.verify(handle, tables, lambda _: engine, None, None)


def anonymize(
    frame: Any,
    job: JobLike = None,
    *,
    output: str,
    progress: bool | Show = False,
    effort: str | None = None,
    **keywords: Any,
) -> SparkRelease:
    """Anonymizes a Spark DataFrame and writes the verified release as Parquet files into the folder ``output``.

    ``job`` and keywords as for shoal.anonymize. Methods that search in fragments (shoal, kaca, bottom-up, top-down) send each fragment
    to a worker; only distinct values, a pilot of some ten thousand rows and the tree of cuts reach the driver. Other methods
    search on the driver, over the distinct tuples of quasi, sensitive and target columns with their counts; the answer goes to the
    workers as a map. Plain columns stay where they are.

    ``output`` must not be there. It appears by a rename after every check has passed; after any fault there is no such folder.
    Raises what shoal.anonymize raises.
    """
    if effort is not None:
        keywords["params"] = {**keywords.get("params", {}), "effort": effort}
    asked = PortableJob(Job.of(job, keywords), columns_of(frame))
    if not asked.of("quasi"):
        raise _shoal.JobError("the job names no quasi column")
    session = frame.sparkSession
    shape = dict(_shoal.method_names())[asked.method]
    if shape == "model":
        raise _shoal.JobError(f"method {asked.method} releases a model instead of a table; choose another method")
    watch = Watch(session, shown(progress))
    with Folder(session, output) as folder, watch, plain_errors(watch):
        chosen = readable(frame, asked.columns)
        plan: _shoal.TablePlan | None = None
        if _shoal.takes_counted_rows(asked.method):
            watch.stage("count")
            rows, told = release_by_tuples(chosen, asked, watch)
            _must_be_released(told)
            told_of = [told]
        else:
            run = PlanningRun(chosen, asked, watch)
            try:
                rows, told_of, plan = _search_all(run, folder)
            finally:
                run.close()
        told = told_of[-1]
        everything = [one for told in told_of for one in told]
        rows_out = sum(one["rows_out"] for one in told)
        watch.stage("write")
        path = _write(rows, asked, max(1, -(-rows_out // _ROWS_PER_FILE)), folder)
        watch.stage("verify")
        checks = _verified(chosen, path, _fingerprint(rows, asked.released), asked, told_of)
        watch.stage("measure")
        found = measured(session.read.parquet(path), chosen, asked, told, plan if len(told) > 1 else None)
        folder.publish(path)
    notices = {notice for one in everything for notice in one["notices"]} | set(plan.notices if plan else [])
    report = {
        "method": asked.method,
        "shape": shape,
        "rows_in": sum(one["rows_in"] for one in told),
        "rows_out": rows_out,
        "fragments": len(everything),
        "fragment_rows": [one["rows_in"] for one in everything],
        **found,
        "checks": checks,
        "findings": _merged_findings(everything),
        "notices": sorted(notices),
    }
    return SparkRelease(session, output, report)


def verify(frame: Any, job: JobLike = None, *, original: Any = None, **keywords: Any) -> Verification:
    """Whether a release in a Spark DataFrame keeps the job's promise: its groups are counted by Spark, from the same SQL text that
    shoal.verify has DuckDB run. ``original``: the DataFrame that it was made from, for models that compare groups with the whole table
    (they are not checked without it). Cells are not compared with it: who is whose row only the maker of a release knows."""
    columns_of(frame)
    handle = Job.of(job, keywords)._handle()
    counted = []
    if original is not None:
        names = handle.compared_columns
        absent = [name for name in names if name not in columns_of(original)]
        if absent:
            raise _shoal.InputError(f"the original has no column {absent[0]!r}")
        counted = counted_texts(readable(original, names), names)
    return Verification(_verification(frame, handle, counted), with_original=False)
