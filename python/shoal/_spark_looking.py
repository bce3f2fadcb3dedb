"""Looking at Spark DataFrames without releasing anything: risk and measure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from . import _shoal
from ._spark_plan import PlanningRun, PortableJob, columns_of, readable
from ._spark_session import Watch, plain_errors, quoted
from .job import Job
from .looking import JobLike


def _group_sizes(frame: Any, job: PortableJob) -> list[tuple[int, int]]:
    """Over all quasi columns: sizes of groups, and how many groups have each. Missing cells are one value, however spelled."""
    from pyspark.sql import functions

    missing = [str(text) for text in job.document.get("missing", [])]
    cells = []
    for name in job.of("quasi"):
        cell = functions.col(quoted(name))
        text = cell.cast("string")
        cells.append(functions.when(text.isin("", *missing), functions.lit(None)).otherwise(cell).alias(name))
    groups = frame.select(*cells).groupBy(*[quoted(name) for name in job.of("quasi")]).count()
    sizes = groups.groupBy("count").agg(functions.count("*").alias("groups")).collect()
    return sorted((int(size), int(groups)) for size, groups in sizes)


def _risk_of(sizes: list[tuple[int, int]], threshold: float) -> dict[str, Any]:
    rows = sum(size * groups for size, groups in sizes)
    groups = sum(count for _, count in sizes)
    above = sum(size * count for size, count in sizes if 1 / size > threshold)
    return {
        "groups": groups,
        "uniques": sum(count for size, count in sizes if size == 1),
        "smallest_group": sizes[0][0] if sizes else 0,
        "largest_group": sizes[-1][0] if sizes else 0,
        "average_group": rows / groups if groups else 0.0,
        "prosecutor_max": 1 / sizes[0][0] if sizes else 0.0,
        "prosecutor_average": groups / rows if rows else 0.0,
        "threshold": threshold,
        "share_above_threshold": above / rows if rows else 0.0,
        "journalist_max": 1 / sizes[0][0] if sizes else 0.0,
        "marketer": groups / rows if rows else 0.0,
    }


def risk(frame: Any, job: JobLike = None, *, threshold: float = 0.2, **keywords: Any) -> dict[str, Any]:
    """Groups, uniques and re-identification risks of a table as it stands, over the job's quasi columns: counted by one Spark job, of
    which only the sizes of groups reach the driver. The numbers of shoal.risk (docs/measures.md)."""
    asked = PortableJob(Job.of(job, keywords), columns_of(frame), checked=False)
    sizes = _group_sizes(readable(frame, asked.of("quasi")), asked)
    return {"rows": sum(size * groups for size, groups in sizes), "risk": _risk_of(sizes, threshold)}


def measure(release: Any, original: Any, job: JobLike = None, **keywords: Any) -> dict[str, Any]:
    """What a release lost against its original, in those measures that need not know which row became which: ncp, gcp (of the table and
    of each column), dm, c_avg, and risks. Both are Spark DataFrames; values, released texts and their counts reach the driver."""
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
        rows_in = original.count()
        sizes = _group_sizes(release.select(*[quoted(name) for name in quasi]), asked)
        rows_out = sum(size * groups for size, groups in sizes)
        column_ncp = {name: _lost(release, counted, name) + (rows_in - rows_out) for name in quasi}
    if rows_out > rows_in:
        raise _shoal.InputError(f"the release has {rows_out} rows, and the original {rows_in}")
    weights = {name: _weight(asked.document["columns"][name]) for name in quasi}
    lost = sum(column_ncp[name] * weights[name] for name in quasi)
    groups = sum(count for _, count in sizes)
    k = _largest_k(Job.of(job, keywords))
    return {
        "rows_in": rows_in,
        "rows_out": rows_out,
        "measures": {
            "ncp": lost,
            "gcp": lost / (rows_in * sum(weights.values())),
            "dm": float(sum(size * size * count for size, count in sizes) + (rows_in - rows_out) * rows_in),
            "c_avg": rows_in / (groups * k) if groups else None,
        },
        "column_gcp": {name: column_ncp[name] / rows_in for name in quasi},
        "risk": _risk_of(sizes, 0.2),
    }


def _weight(column: Any) -> float:
    return float(column.get("weight", 1)) if isinstance(column, Mapping) else 1.0


def _largest_k(job: Job) -> int:
    document = json.loads(_shoal.job_json(job._text, job._name, job._folder)) if job._text is not None else job._document
    if "k" in document:
        return int(document["k"])
    return max((int(requirement["k"]) for requirement in document.get("requirements", [])), default=1)


def _lost(release: Any, counted: _shoal.TablePlan, name: str) -> float:
    """NCP of a released column: a sum over its different texts."""
    texts = [("" if text is None else str(text), int(rows)) for text, rows in release.groupBy(quoted(name)).count().collect()]
    losses = counted.losses(name, [text for text, _ in texts])
    for (text, _), loss in zip(texts, losses):
        if loss is None:
            raise _shoal.InputError(f"{text!r} in the column {name!r} of the release is no value, range or node of the original's")
    return sum(float(loss or 0) * rows for loss, (_, rows) in zip(losses, texts))
