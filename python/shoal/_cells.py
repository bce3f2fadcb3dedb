"""What released cells stand for, in numbers: middles, bounds, codes, shares.

A cell covers a stretch of the column's original values (leaves). How often each of these stands behind it is not known from the
release alone; it is estimated from the release: the marginal of the column by expectation maximisation over its cells (the Turnbull
estimate), where `*` takes no part. So a node or `*` is spread over values as the other cells are, and never a value of its own.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy
import pyarrow
import pyarrow.compute

from . import _shoal

_ROUNDS = 25


@dataclass
class ReleasedColumn:
    """A recoded column: its original values in order, and the stretch of them that each released text covers."""

    name: str
    leaves: list[str]
    numbers: list[float | None]  # of each leaf; empty: no column of numbers
    missing: int | None  # the leaf that stands for missing cells
    covered: dict[str | None, tuple[int, int]]  # first and last leaf by released text; None: a missing cell
    shares: list[float] = field(default_factory=list)  # of each leaf in the whole column, estimated

    @classmethod
    def of(cls, handle: _shoal.ReleaseHandle, place: int, name: str) -> ReleasedColumn:
        covered: dict[str | None, tuple[int, int]] = {}
        for text, first, last in handle.cell_meanings(place):
            known = covered.get(text or None)
            covered[text or None] = (first, last) if known is None else (min(first, known[0]), max(last, known[1]))
        leaves = handle.leaf_texts(place)
        covered.setdefault("*", (0, len(leaves) - 1))
        column = cls(name, leaves, handle.leaf_numbers(place), handle.missing_leaf(place), covered)
        column._estimate(handle)
        return column

    @property
    def numeric(self) -> bool:
        return bool(self.numbers)

    def stretch(self, text: str | None) -> tuple[int, int]:
        """The leaves that a released text covers; all of them for one that this release does not have."""
        return self.covered.get(text or None, (0, len(self.leaves) - 1))

    def _estimate(self, handle: _shoal.ReleaseHandle) -> None:
        cells = pyarrow.table(handle.table)[self.name].cast(pyarrow.string())
        counts: dict[tuple[int, int], int] = {}
        for entry in pyarrow.compute.value_counts(cells).to_pylist():
            stretch = self.stretch(entry["values"])
            if entry["values"] != "*":
                counts[stretch] = counts.get(stretch, 0) + entry["counts"]
        size = len(self.leaves)
        shares = numpy.full(size, 1.0 / max(size, 1))
        first = numpy.array([stretch[0] for stretch in counts], dtype=numpy.intp)
        after = numpy.array([stretch[1] + 1 for stretch in counts], dtype=numpy.intp)
        rows = numpy.array(list(counts.values()), dtype=float)
        for _ in range(_ROUNDS if counts else 0):
            sums = numpy.concatenate([[0.0], numpy.cumsum(shares)])
            inside = sums[after] - sums[first]
            parts = numpy.divide(rows, inside, out=numpy.zeros_like(rows), where=inside > 0)
            steps = numpy.zeros(size + 1)  # differences: what every leaf of a stretch is multiplied by
            numpy.add.at(steps, first, parts)
            numpy.subtract.at(steps, after, parts)
            shares = shares * numpy.maximum(numpy.cumsum(steps)[:size], 0.0)
            shares = shares / shares.sum() if shares.sum() > 0 else numpy.full(size, 1.0 / size)
        self.shares = shares.tolist()

    def spread(self, text: str | None) -> list[tuple[int, float]]:
        """The leaves behind a cell with their probabilities."""
        first, last = self.stretch(text)
        total = sum(self.shares[first : last + 1])
        if total <= 0:
            return [(leaf, 1.0 / (last - first + 1)) for leaf in range(first, last + 1)]
        return [(leaf, self.shares[leaf] / total) for leaf in range(first, last + 1) if self.shares[leaf] > 0]

    def bounds(self, text: str | None) -> tuple[float | None, float | None]:
        first, last = self.stretch(text)
        if first == last == self.missing:
            return None, None
        if last == self.missing:
            last -= 1
        return self.numbers[first], self.numbers[last]

    def middle(self, text: str | None) -> float | None:
        """The middle of what the cell covers; of `*`, which covers everything, the mean by shares; missing for a missing cell."""
        if text == "*":
            parts = [(leaf, share) for leaf, share in self.spread(text) if leaf != self.missing]
            total = sum(share for _, share in parts)
            if total <= 0:
                return None
            return sum((self.numbers[leaf] or 0.0) * share for leaf, share in parts) / total
        low, high = self.bounds(text)
        return None if low is None or high is None else low + (high - low) / 2


def _texts(table: pyarrow.Table, name: str) -> tuple[pyarrow.Array, list[str | None]]:
    """Codes and texts of a released column."""
    column = table[name].cast(pyarrow.large_string()).dictionary_encode(null_encoding="encode")
    column = column.unify_dictionaries().combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column
    if isinstance(column, pyarrow.ChunkedArray):  # no chunks at all
        return pyarrow.array([], pyarrow.int32()), []
    return column.indices, column.dictionary.to_pylist()


def _by_text(values: list[Any], codes: pyarrow.Array, kind: pyarrow.DataType) -> pyarrow.Array:
    return pyarrow.array(values, kind).take(codes)


def numbers_frame(table: Any, columns: dict[str, ReleasedColumn], numbers: str, categories: str) -> Any:
    """The table with recoded columns as numbers; see Release.frame_as."""

    for word, given, choices in (
        ("numbers", numbers, ("midpoint", "bounds", "text")),
        ("categories", categories, ("text", "codes", "shares")),
    ):
        if given not in choices:
            raise _shoal.JobError(f"{word} is {given!r}; it must be one of {', '.join(choices)}")
    source = pyarrow.table(table)
    result: dict[str, Any] = {}

    def put(name: str, values: Any) -> None:
        if name in result:
            raise _shoal.JobError(f"two columns would be named {name!r}; rename one in the table")
        result[name] = values

    for name in source.column_names:
        column = columns.get(name)
        if column is None or (numbers if column.numeric else categories) == "text":
            put(name, source[name])
            continue
        codes, texts = _texts(source, name)
        if column.numeric and numbers == "midpoint":
            values = [column.middle(text) for text in texts]
            put(name, _by_text(values, codes, pyarrow.float64()))
        elif column.numeric:
            bounds = [column.bounds(text) for text in texts]
            put(f"{name}_low", _by_text([low for low, _ in bounds], codes, pyarrow.float64()))
            put(f"{name}_high", _by_text([high for _, high in bounds], codes, pyarrow.float64()))
        elif categories == "codes":
            order = {text: place for place, text in enumerate(sorted(column.covered, key=lambda text: (text is None, text)))}
            numbered = [order.get(text, len(order)) for text in texts]
            put(name, _by_text(numbered, codes, pyarrow.int64()))
        else:
            spreads = [dict(column.spread(text)) for text in texts]
            for leaf, label in enumerate(column.leaves):
                label = "(missing)" if leaf == column.missing else label
                parts = [spread.get(leaf, 0.0) for spread in spreads]
                put(f"{name}={label}", _by_text(parts, codes, pyarrow.float64()))
    return pyarrow.table(result)


def _drawn_leaves(column: ReleasedColumn, codes: pyarrow.Array, texts: list[str | None], draw: random.Random) -> list[int]:
    """For each cell one of the leaves that it stands for, by their shares."""
    below = numpy.concatenate([[0.0], numpy.cumsum(column.shares)])
    stretches = numpy.array([column.stretch(text) for text in texts], dtype=numpy.intp).reshape(-1, 2)
    rows = codes.to_numpy(zero_copy_only=False).astype(numpy.intp)
    first, last = stretches[rows, 0], stretches[rows, 1]
    dice = numpy.array([draw.random() for _ in range(len(rows))])
    known = below[last + 1] > below[first]
    by_share = numpy.searchsorted(below, below[first] + dice * (below[last + 1] - below[first]), side="right") - 1
    evenly = numpy.floor(first + dice * (last + 1 - first)).astype(numpy.intp)  # for stretches that no share falls into
    leaves = numpy.clip(numpy.where(known, by_share, evenly), first, last)
    return [int(leaf) for leaf in leaves]


def drawn_frame(table: Any, columns: dict[str, ReleasedColumn], n: int | None, draw: random.Random) -> Any:
    """Rows with one value for each cell; see Release.draw."""

    source = pyarrow.table(table)
    if n is not None:
        if n < 0 or (n > 0 and source.num_rows == 0):
            raise _shoal.JobError(f"cannot draw {n} rows from {source.num_rows}")
        source = source.take([draw.randrange(source.num_rows) for _ in range(n)])
    result: dict[str, Any] = {}
    for name in source.column_names:
        column = columns.get(name)
        if column is None:
            result[name] = source[name]
            continue
        codes, texts = _texts(source, name)
        leaves = _drawn_leaves(column, codes, texts, draw)
        if column.numeric:
            result[name] = pyarrow.array([column.numbers[leaf] for leaf in leaves], pyarrow.float64())
        else:
            result[name] = pyarrow.array([None if leaf == column.missing else column.leaves[leaf] for leaf in leaves])
    return pyarrow.table(result)
