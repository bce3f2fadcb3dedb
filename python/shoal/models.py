"""Privacy models for a job, on top of k: what every group's sensitive values must be like (docs/models.md).

Each function gives an entry of ``Job(models=[...])``; the words are those of job files.

>>> distinct_l("diagnosis", 3)
{'model': 'distinct-l', 'column': 'diagnosis', 'l': 3}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def _model(word: str, column: str | None, **parameters: object) -> dict[str, Any]:
    entry: dict[str, Any] = {"model": word}
    if column is not None:
        entry["column"] = column
    entry.update({name: value for name, value in parameters.items() if value is not None})
    return entry


def distinct_l(column: str, l: int, joint: bool | None = None) -> dict[str, Any]:  # noqa: E741
    """At least ``l`` different values in every group."""
    return _model("distinct-l", column, l=l, joint=joint)


def entropy_l(column: str, l: float, joint: bool | None = None) -> dict[str, Any]:  # noqa: E741
    """Values in every group as even as ``l`` equally frequent ones."""
    return _model("entropy-l", column, l=l, joint=joint)


def recursive_l(column: str, c: float, l: int, joint: bool | None = None) -> dict[str, Any]:  # noqa: E741
    """The most frequent value rarer than ``c`` times all values from the ``l``-th on."""
    return _model("recursive-l", column, c=c, l=l, joint=joint)


def confidence(
    column: str, alpha: float, values: Sequence[str] | None = None, joint: bool | None = None
) -> dict[str, Any]:
    """No value (or none of those named) has a larger share of a group than ``alpha``."""
    return _model("confidence", column, alpha=alpha, values=None if values is None else list(values), joint=joint)


def t_closeness(column: str, t: float, distance: str = "equal", joint: bool | None = None) -> dict[str, Any]:
    """The values of every group are spread like those of the whole table, up to ``t``; distance equal, ordered or hierarchical."""
    return _model("t-closeness", column, t=t, distance=distance, joint=joint)


def delta_disclosure(column: str, delta: float, joint: bool | None = None) -> dict[str, Any]:
    """No value is more than 2**delta times as frequent or as rare in a group as in the table."""
    return _model("delta-disclosure", column, delta=delta, joint=joint)


def beta_likeness(column: str, beta: float, form: str = "enhanced", joint: bool | None = None) -> dict[str, Any]:
    """No value gains more than ``beta`` relative to its share of the table; form enhanced or basic."""
    return _model("beta-likeness", column, beta=beta, form=form, joint=joint)


def persons(column: str, k: int) -> dict[str, Any]:
    """At least ``k`` different persons in every group, by the column that says who a row is about."""
    return _model("persons", column, k=k)


def k_map(k: int) -> dict[str, Any]:
    """Every released row fits at least ``k`` people of the population (``anonymize(..., population=table)``)."""
    return _model("k-map", None, k=k)


def delta_presence(max: float, min: float = 0.0) -> dict[str, Any]:  # noqa: A002
    """Rows / people of the population that fit them: between ``min`` and ``max`` in every group (``population=table``).

    >>> delta_presence(max=0.5)
    {'model': 'delta-presence', 'min': 0.0, 'max': 0.5}
    """
    return _model("delta-presence", None, min=min, max=max)


def average_risk(risk: float) -> dict[str, Any]:
    """Over the whole release at most ``risk`` groups per row."""
    return _model("average-risk", None, risk=risk)


def lkc(column: str, l: int, k: int, c: float, values: Sequence[str] | None = None) -> dict[str, Any]:  # noqa: E741
    """Attackers who know at most ``l`` of the quasi columns find k rows and no value with a larger share than ``c``."""
    return _model("lkc", column, l=l, k=k, c=c, values=None if values is None else list(values))
