"""Random frames against a plain recount in Python: groups, coverage, rows in and out."""

from __future__ import annotations

import collections

import pyarrow
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import shoal


@st.composite
def frames(draw):
    rows = draw(st.integers(2, 40))
    texts = ["a", "b", "ä", "", "a b", "[1,2]"] + (["*"] if draw(st.integers(0, 7)) == 7 else [])
    cells = {
        "n": st.one_of(st.none(), st.integers(-5, 5)),
        "t": st.one_of(st.none(), st.sampled_from(texts)),
        "f": st.sampled_from([0.5, 1.0, -2.25, 1e20]),
    }
    return pyarrow.table({name: draw(st.lists(kind, min_size=rows, max_size=rows)) for name, kind in cells.items()})


def covers(released: str | None, original, numeric: bool) -> bool:
    if original in (None, ""):
        return released in (None, "", "*")
    if released == "*":
        return True
    if released is not None and numeric and released.startswith("["):
        low, high = released[1:-1].split(",")
        return float(low) <= float(original) <= float(high)
    return released is not None and (float(released) == float(original) if numeric else released == str(original))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(frames(), st.integers(1, 6), st.sampled_from(["shoal", "mondrian", "incognito", "bottom-up"]))
def test_releases_keep_their_promise(frame, k, method):
    try:
        release = shoal.anonymize(frame, quasi=["n", "t", "f"], numeric=["n", "f"], categorical=["t"], k=k, method=method)
    except shoal.Unsatisfiable:
        assert k > frame.num_rows
        return
    except shoal.InputError as refused:
        assert "*" in frame["t"].to_pylist() and "has the value '*'" in str(refused)
        return
    assert "*" not in frame["t"].to_pylist()
    columns = [release.frame[name].to_pylist() for name in ("n", "t", "f")]
    groups = collections.Counter(zip(*([cell or "" for cell in column] for column in columns)))
    assert min(groups.values()) >= k
    rows = release.original_rows()
    assert sorted(rows) == list(range(frame.num_rows))
    for name, column in zip(("n", "t", "f"), columns):
        for row, cell in zip(rows, column):
            assert covers(cell, frame[name][row].as_py(), name != "t"), (name, cell, frame[name][row])
