"""Usefulness and risk from counts: of groups, of cells by what they say, and of what every fragment says of itself.

Equal rows of the input lie in one fragment, so that what is said of the input adds up. Groups of the release may be found in several
fragments; they are counted in the files.
"""

from __future__ import annotations

from typing import Any

from . import _shoal
from ._spark_session import as_texts, counted_by_column, quoted

# Sums over cells, each divided by the rows: what they are over the whole table follows from what they are in fragments.
_MEANS = ("prec", "gcp", "modification_rate", "lm")
_SUMS = ("ncp", "distortion")

Sizes = list[tuple[int, int]]  # rows of a group, and how many groups have so many; ascending
Told = list[dict[str, Any]]  # what was told of each fragment


def sizes_of(groups: Any) -> Sizes:
    """`groups`: a frame with a row for each group and its rows as `count`."""
    from pyspark.sql import functions

    sizes = groups.groupBy("count").agg(functions.count("*").alias("groups")).collect()
    return sorted((int(size), int(number)) for size, number in sizes)


def group_sizes(frame: Any, names: list[str]) -> Sizes:
    """Of the rows that agree in these columns."""
    return sizes_of(frame.groupBy(*[quoted(name) for name in names]).count())


def rows_in(sizes: Sizes) -> int:
    return sum(size * groups for size, groups in sizes)


def _risk(rows: int, groups: int, sizes: tuple[int, int], uniques: int, above: float, threshold: float) -> dict[str, Any]:
    """`sizes`: of the smallest and the largest group; `above`: rows whose risk is above the threshold."""
    smallest, largest = sizes
    return {
        "groups": groups,
        "uniques": uniques,
        "smallest_group": smallest,
        "largest_group": largest,
        "average_group": rows / groups if groups else 0.0,
        "prosecutor_max": 1 / smallest if groups else 0.0,
        "prosecutor_average": groups / rows if rows else 0.0,
        "threshold": threshold,
        "share_above_threshold": above / rows if rows else 0.0,
        "journalist_max": 1 / smallest if groups else 0.0,
        "marketer": groups / rows if rows else 0.0,
    }


def risk_of(sizes: Sizes, threshold: float) -> dict[str, Any]:
    groups = sum(count for _, count in sizes)
    uniques = sum(count for size, count in sizes if size == 1)
    above = sum(size * count for size, count in sizes if 1 / size > threshold)
    return _risk(rows_in(sizes), groups, (sizes[0][0], sizes[-1][0]) if sizes else (0, 0), uniques, above, threshold)


def risk_before(told: Told) -> dict[str, Any]:
    """Of the table as it stands: groups of different fragments are different ones."""
    risks = [one["risk_before"] for one in told]
    rows = sum(one["rows_in"] for one in told)
    sizes = min(risk["smallest_group"] for risk in risks), max(risk["largest_group"] for risk in risks)
    groups, uniques = (sum(risk[name] for risk in risks) for name in ("groups", "uniques"))
    above = sum(risk["share_above_threshold"] * one["rows_in"] for risk, one in zip(risks, told))
    return _risk(rows, groups, sizes, uniques, above, risks[0]["threshold"])


def of_groups(sizes: Sizes, rows: int, k: int) -> dict[str, Any]:
    """dm and c_avg of a release of so many rows of the input; those that are in no group were dropped."""
    groups = sum(count for _, count in sizes)
    dropped = rows - rows_in(sizes)
    return {
        "dm": float(sum(size * size * count for size, count in sizes) + dropped * rows),
        "c_avg": rows / (groups * k) if groups else None,
    }


def texts_of(release: Any, quasi: list[str]) -> dict[str, tuple[list[str], list[int]]]:
    """Of each column the different released texts, and how many cells have each."""
    found = {}
    for name, counted in counted_by_column(as_texts(release.select(*[quoted(name) for name in quasi])), quasi):
        texts = ["" if text is None else text for text in counted["value"].to_pylist()]
        found[name] = (texts, counted["count"].to_pylist())
    return found


def of_texts(plan: _shoal.TablePlan, texts: dict[str, tuple[list[str], list[int]]]) -> dict[str, Any]:
    """entropy and its ratio."""
    bits = [plan.bits_lost(name, *counted) for name, counted in texts.items()]
    lost, at_root = sum(lost for lost, _ in bits), sum(at_root for _, at_root in bits)
    return {"entropy": lost, "entropy_ratio": lost / at_root if at_root else 0.0}


def different_rows(frame: Any, names: list[str]) -> int:
    """By fingerprints of 128 bits. Empty cells leave a hash as it is, so whether a cell is empty is hashed, too."""
    from pyspark.sql import functions

    cells = [cell for name in names for cell in (functions.col(quoted(name)), functions.col(quoted(name)).isNull())]
    first, second = functions.xxhash64(*cells), functions.xxhash64(functions.lit(1), *cells)
    return int(frame.select(first.alias("first"), second.alias("second")).distinct().count())


def _minority(release: Any, quasi: list[str], target: str) -> tuple[Sizes, int]:
    """Sizes of groups, and how many rows are not of their group's most frequent class."""
    from pyspark.sql import functions

    names = [quoted(name) for name in quasi]
    classes = release.groupBy(*names, quoted(target)).count()
    groups = classes.groupBy(*names).agg(functions.sum("count").alias("rows"), functions.max("count").alias("most")).persist()
    try:
        minority = groups.agg(functions.sum(functions.col("rows") - functions.col("most"))).collect()[0][0]
        return sizes_of(groups.withColumnRenamed("rows", "count")), int(minority or 0)
    finally:
        groups.unpersist()


def measured(written: Any, frame: Any, job: Any, told: Told, plan: _shoal.TablePlan | None) -> dict[str, Any]:
    """Measures, groups and risks of a release over the whole table, as one process reports them. `told`: of the fragments that made it;
    `plan`: of the table, where there are several."""
    rows = sum(one["rows_in"] for one in told)
    found: dict[str, Any] = {name: sum(one["measures"][name] * (one["rows_in"] / rows) for one in told) for name in _MEANS}
    found.update({name: sum(one["measures"][name] for one in told) for name in _SUMS})
    at_root = sum(one["distortion_at_root"] for one in told)
    found["distortion_ratio"] = found["distortion"] / at_root if at_root else 0.0

    quasi, targets = job.of("quasi"), job.of("target")
    if targets:
        sizes, minority = _minority(written, quasi, targets[0])
        found["cm"] = (minority + rows - rows_in(sizes)) / rows
    else:
        sizes = group_sizes(written, quasi)
    found.update(of_groups(sizes, rows, job.handle.c_avg_k))
    if plan is None:
        found.update({name: told[0]["measures"][name] for name in ("entropy", "entropy_ratio")})
    else:
        found.update(of_texts(plan, texts_of(written, quasi)))
    names = [name for name in job.released if name not in targets]
    before = [one["tuples_before"] for one in told]
    found["rows"] = different_rows(written, names)
    found["rows_ratio"] = found["rows"] / (different_rows(frame, names) if None in before else sum(before))
    return {
        "measures": found,
        "groups": sum(count for _, count in sizes),
        "risk_before": risk_before(told),
        "risk": risk_of(sizes, told[0]["risk_before"]["threshold"]),
    }
