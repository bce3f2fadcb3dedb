"""Looking at Spark DataFrames without releasing anything: risk and measure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _shoal
from ._spark_measures import Sizes, group_sizes, of_groups, of_texts, risk_of, rows_in, texts_of
from ._spark_plan import PlanningRun, PortableJob, columns_of, readable
from ._spark_session import Watch, plain_errors, quoted
from .job import Job
from .looking import JobLike


def _group_sizes(frame: Any, job: PortableJob) -> Sizes:
    """Over all quasi columns. Missing cells are one value, however spelled."""
    from pyspark.sql import functions

    missing = [str(text) for text in job.document.get("missing", [])]
    cells = []
    for name in job.of("quasi"):
        cell = functions.col(quoted(name))
        text = cell.cast("string")
        cells.append(functions.when(text.isin("", *missing), functions.lit(None)).otherwise(cell).alias(name))
    return group_sizes(frame.select(*cells), job.of("quasi"))


def risk(frame: Any, job: JobLike = None, *, threshold: float = 0.2, **keywords: Any) -> dict[str, Any]:
    """Groups, uniques and re-identification risks of a table as it stands, over the job's quasi columns: counted by one Spark job, of
    which only the sizes of groups reach the driver. The numbers of shoal.risk (docs/measures.md)."""
    asked = PortableJob(Job.of(job, keywords), columns_of(frame), checked=False)
    sizes = _group_sizes(readable(frame, asked.of("quasi")), asked)
    return {"rows": rows_in(sizes), "risk": risk_of(sizes, threshold)}


def measure(release: Any, original: Any, job: JobLike = None, **keywords: Any) -> dict[str, Any]:
    """What a release lost against its original, in those measures that need not know which row became which: ncp, gcp (of the table and
    of each column), dm, c_avg, entropy, and risks. Both are Spark DataFrames; values, released texts and their counts reach the driver."""
    asked = PortableJob(Job.of(job, keywords), columns_of(original), checked=False)
    quasi = asked.of("quasi")
    absent = [name for name in quasi if name not in release.columns]
    if absent:
        raise _shoal.InputError(f"the release has no column {absent[0]!r}")
    asked.document = {**asked.document, "method": "shoal"}
    for key in ("params", "models", "requirements", "time_budget", "order", "suppress_rows", "union"):
        asked.document.pop(key, None)
    asked.document["k"] = 1
    with Watch(original.sparkSession, None) as watch, plain_errors(watch):
        counted = PlanningRun(readable(original, asked.columns), asked, watch).count()
        rows = original.count()
        sizes = _group_sizes(release.select(*[quoted(name) for name in quasi]), asked)
        texts = texts_of(release, quasi)
    rows_out = rows_in(sizes)
    if rows_out > rows:
        raise _shoal.InputError(f"the release has {rows_out} rows, and the original {rows}")
    column_ncp = {name: _lost(counted, name, *texts[name]) + (rows - rows_out) for name in quasi}
    weights = {name: _weight(asked.document["columns"][name]) for name in quasi}
    lost = sum(column_ncp[name] * weights[name] for name in quasi)
    return {
        "rows_in": rows,
        "rows_out": rows_out,
        "measures": {
            "ncp": lost,
            "gcp": lost / (rows * sum(weights.values())),
            **of_groups(sizes, rows, asked.handle.c_avg_k),
            **of_texts(counted, texts),
        },
        "column_gcp": {name: column_ncp[name] / rows for name in quasi},
        "risk": risk_of(sizes, 0.2),
    }


def _weight(column: Any) -> float:
    return float(column.get("weight", 1)) if isinstance(column, Mapping) else 1.0


def _lost(counted: _shoal.TablePlan, name: str, texts: list[str], rows: list[int]) -> float:
    """NCP of a released column: a sum over its different texts."""
    losses = counted.losses(name, texts)
    for text, loss in zip(texts, losses):
        if loss is None:
            raise _shoal.InputError(f"{text!r} in the column {name!r} of the release is no value, range or node of the original's")
    return sum(float(loss or 0) * cells for loss, cells in zip(losses, rows))
