"""Hierarchies for a job: how the values of a column become coarser.

Each function gives what ``Job(hierarchies={"column": ...})`` takes; a file name or a dict does as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

from . import _shoal


@dataclass(frozen=True)
class Builder:
    """A hierarchy made from the values of the column themselves."""

    kind: str
    settings: Mapping[str, str] = field(default_factory=dict)

    def table(self, values: Sequence[object]) -> str:
        """The hierarchy of these values as a level table (the ARX form): a line per value, from leaf to root.

        >>> print(mask().table(["4350", "4351"]), end="")
        4350;435*;43**;4***;*
        4351;435*;43**;4***;*
        """
        return _shoal.build_level_table(self.kind, dict(self.settings), [str(value) for value in values])


@dataclass(frozen=True)
class GivenTree:
    """A hierarchy at hand, in the JSON form of hierarchy files."""

    json: str

    def table(self) -> str:
        """As a level table (the ARX form)."""
        return _shoal.level_table(self.json, ".json")


HierarchyLike = Union[Builder, GivenTree, Mapping[str, Any], str, "os.PathLike[str]"]


def _builder(kind: str, **settings: object) -> Builder:
    given = {}
    for name, value in settings.items():
        if value is None:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(str(part) for part in value)
        given[name] = str(value)
    return Builder(kind, given)


def mask(character: str | None = None, from_left: bool = False) -> Builder:
    """Codes of equal meaning per place, masked place by place: 5371*, 537**, ... (zip codes, ICD, NUTS)."""
    return _builder("mask", character=character, **({"from": "left"} if from_left else {}))


def intervals(
    width: float | None = None,
    start: float | None = None,
    factor: int | None = None,
    levels: int | None = None,
    edges: Sequence[float] | None = None,
) -> Builder:
    """Numbers in intervals: of equal ``width``, ``factor`` times as wide on each next level, or with given ``edges``.

    >>> intervals(width=5, levels=2).settings
    {'width': '5', 'levels': '2'}
    """
    return _builder("intervals", width=width, start=start, factor=factor, levels=levels, edges=edges)


def quantiles(parts: int = 8) -> Builder:
    """Numbers in a binary tree over parts of about equal row counts."""
    return _builder("quantiles", parts=parts)


def dates(levels: Sequence[str] | None = None) -> Builder:
    """Dates (2024-03-17, 2024-03 or 2024) to months, years, decades; ``levels`` may also name quarter."""
    return _builder("dates", levels=levels)


def flat() -> Builder:
    """Every value directly under the root: kept or hidden."""
    return _builder("flat")


def tree(nested: Mapping[str, Any] | Sequence[Any], label: str = "*") -> GivenTree:
    """A tree from nested mappings and lists: keys are inner nodes, list items and None leaves.

    >>> print(tree({"School": ["9th", "10th"], "University": ["BSc", "MSc"]}).table(), end="")
    9th;School;*
    10th;School;*
    BSc;University;*
    MSc;University;*
    """
    return GivenTree(json.dumps(_node(label, nested), ensure_ascii=False))


def _node(label: str, below: Any) -> Any:
    if below is None:
        return str(label)
    if isinstance(below, Mapping):
        return {"label": str(label), "children": [_node(name, inner) for name, inner in below.items()]}
    if isinstance(below, Sequence) and not isinstance(below, (str, bytes)):
        children = []
        for item in below:
            if isinstance(item, Mapping):
                children += [_node(name, inner) for name, inner in item.items()]
            else:
                children.append(str(item))
        return {"label": str(label), "children": children}
    return {"label": str(label), "children": [str(below)]}


def from_dict(parents: Mapping[object, object], root: str = "*") -> GivenTree:
    """A tree from child to parent; parents that are nobody's child stand under the root.

    >>> print(from_dict({"9th": "School", "10th": "School", "BSc": "University"}).table(), end="")
    9th;School;*
    10th;School;*
    BSc;University;*
    """
    children: dict[str, list[str]] = {}
    known = {str(child) for child in parents}
    for child, parent in parents.items():
        children.setdefault(str(parent), []).append(str(child))
    tops = [parent for parent in children if parent not in known and parent != root]
    tops += [child for child in children.pop(root, []) if child not in tops]

    def below(label: str, path: tuple[str, ...]) -> Any:
        if label in path:
            raise _shoal.InputError(f"the hierarchy goes in a circle at {label!r}")
        if label not in children:
            return label
        return {"label": label, "children": [below(child, (*path, label)) for child in children[label]]}

    if not tops and parents:
        raise _shoal.InputError(f"the hierarchy goes in a circle at {next(iter(parents))!r}")
    return GivenTree(json.dumps({"label": root, "children": [below(top, ()) for top in tops]}, ensure_ascii=False))


def from_csv(path: str | os.PathLike[str]) -> str:
    """A hierarchy file: a level table (.csv, .tsv), indented text (.txt, .tree) or JSON (.json)."""
    return os.fspath(path)
