"""Bad input: each mistake a clear exception, nothing half-done, no crash."""

from __future__ import annotations

import math
import signal
import sys

import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import people
from sklearn.exceptions import NotFittedError

import shoal
from shoal.sklearn import Anonymizer

ROLES = {"quasi": ["age", "sex", "zip"], "identifier": ["name"], "sensitive": ["illness"]}


@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        (dict(quasi=["age"], k="5"), shoal.JobError, "k is '5'; it must be a whole number"),
        (dict(quasi=["age"], k=True), shoal.JobError, "whole number"),
        (dict(quasi=["age"], k=5.0), shoal.JobError, "whole number"),
        (dict(quasi=["age"], k=math.nan), shoal.JobError, "whole number"),
        (dict(quasi=["age"], k=-1), shoal.JobError, "k"),
        (dict(quasi=["agee"], k=5), shoal.JobError, "did you mean 'age'"),
        (dict(quasi=["age", "age"], k=5), shoal.JobError, "'age' is listed twice as quasi"),
        (dict(quasi=["age", 7], k=5), shoal.JobError, "column names are strings, found 7"),
        (dict(quasi={"age": 1}, k=5), shoal.JobError, "a column name or a list of them"),
        (dict(quasi=["age"], k=5, method="mondrain"), shoal.JobError, "mondrian"),
        (dict(quasi=["age"], sensitive=["age"], k=5), shoal.JobError, "two roles"),
        (dict(quasi=["age"], k=5, colour="red"), shoal.JobError, "colour"),
        (dict(quasi=["age"], k=5, seed=object()), shoal.JobError, "cannot stand in a job"),
        (dict(quasi=["age"]), shoal.JobError, "k=5"),
        (dict(quasi=["age"], k=201), shoal.Unsatisfiable, "201"),
        (dict(quasi=["age"], k=5, hierarchies={"age": 3}), shoal.JobError, "no file, builder, tree or dict"),
        (dict(quasi=["age"], k=5, hierarchies={"age": "no_such_file.csv"}), shoal.ShoalError, "no_such_file.csv"),
        (dict(quasi=["zip"], k=5, hierarchies={"zip": {"x": ["1"]}}), shoal.InputError, "zip"),
        (dict(quasi=["name"], numeric=["name"], k=5), shoal.InputError, "not a finite number"),
    ],
)
def test_mistakes_in_jobs_are_named(table, given, kind, words):
    with pytest.raises(kind, match="(?s)" + words.replace("(", r"\(")):
        shoal.anonymize(table, **given)


NESTED = pyarrow.table({"a": [[1, 2], [3]], "b": [1, 1]})


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ("a text", "is a str, not a table"),
        (None, "not a table"),
        ([1, 2], "is a list, not a table"),
        ({"a": [1, 2]}, "is a dict, not a table"),
        (numpy.zeros((2, 2)), "is a ndarray, not a table"),
        (pandas.Series([1, 2], name="a"), "not a table"),
        (pyarrow.array([1, 2]), "table"),
        (pandas.DataFrame({1: [1, 2]}), "column names are strings, found 1"),
        (pandas.DataFrame({("a", "b"): [1, 2]}), "column names are strings"),
        (pandas.DataFrame([[1, 2]], columns=["a", "a"]), "two columns are named 'a'"),
        (pyarrow.table([[1], [2]], names=["a", "a"]), "two columns .* called 'a'"),
        (pyarrow.table([[1], [2]], names=["a", ""]), "no name"),
        (pandas.DataFrame({"a": [1, "x", 2.5]}), "'a' holds float and int and str together"),
        (pandas.DataFrame({"a": [[1], [2]]}), "'a'"),
        (pandas.DataFrame({"a": [{"x": 1}, {"x": 2}]}), "'a'"),
        (pandas.DataFrame({"a": [object(), object()]}), "'a' holds object"),
        (NESTED, "'a'.*list"),
        (polars.DataFrame({"a": [{"x": 1}, {"x": 2}]}), "'a'.*struct"),
        (pyarrow.table({"a": [b"x", b"y"]}), "'a'.*binary"),
        (pyarrow.table({"a": pyarrow.array([], pyarrow.int64())}), "no rows|without rows|empty"),
        (pandas.DataFrame({"a": []}), "no rows|without rows|empty"),
        (pandas.DataFrame(), "table|column"),
    ],
)
def test_tables_that_are_none_are_named(frame, words):
    with pytest.raises(shoal.ShoalError, match="(?s)" + words):
        shoal.anonymize(frame, quasi=["a"], k=1)


def test_a_nested_column_may_be_left_out():
    assert shoal.anonymize(NESTED, quasi=["b"], identifier=["a"], k=2).frame.column_names == ["b"]


def test_nan_and_none_are_both_missing():
    numbers = [30.5, None, 31.5, math.nan, 30.5, 31.5]
    frames = [
        pandas.DataFrame({"a": numbers}),
        pandas.DataFrame({"a": pandas.Series(numbers, dtype=object)}),
        pandas.DataFrame({"a": pandas.Series([None if cell is None or math.isnan(cell) else cell for cell in numbers], dtype="Float64")}),
        pyarrow.table({"a": pyarrow.array(numbers, from_pandas=True)}),
    ]
    for frame in frames:
        cells = pyarrow.table(shoal.anonymize(frame, quasi=["a"], k=2, method="mondrian"))["a"].to_pylist()
        assert sorted(cells, key=str) == ["30.5", "30.5", "31.5", "31.5", None, None]
    texts = pandas.DataFrame({"a": ["x", None, math.nan, "x", pandas.NA, "y", "y"]})
    cells = pyarrow.table(shoal.anonymize(texts, quasi=["a"], k=2, method="mondrian"))["a"].to_pylist()
    assert sorted(cells, key=str) == [None, None, None, "x", "x", "y", "y"]


@pytest.mark.parametrize("frame", [pyarrow.table({"a": [1.5, math.nan, 2.5]}), polars.DataFrame({"a": [1.5, math.nan, 2.5]})], ids=["pyarrow", "polars"])
def test_a_nan_that_its_library_does_not_call_missing_is_no_number(frame):
    with pytest.raises(shoal.InputError, match="row 2: 'nan' in the numeric column 'a' is not a finite number"):
        shoal.anonymize(frame, quasi=["a"], numeric=["a"], k=1)
    cells = pyarrow.table(shoal.anonymize(frame, quasi=["a"], numeric=["a"], k=1, missing=["nan"]))["a"].to_pylist()
    assert sorted(cells, key=str) == ["1.5", "2.5", "nan"] or sorted(cells, key=str) == ["1.5", "2.5", None]


def test_what_can_be_read_once_is_read_once(table):
    reader = table.to_reader()
    assert shoal.anonymize(reader, k=5, **ROLES).frame.num_rows == 200
    with pytest.raises(shoal.InputError):
        shoal.anonymize(reader, k=5, **ROLES)
    names = (name for name in ("age", "sex"))
    job = shoal.Job(quasi=names, k=5)
    assert job.columns("quasi") == job.columns("quasi") == ["age", "sex"]
    page = shoal.evaluate(
        table,
        quasi=["age", "sex"],
        target="income",
        methods=(name for name in ["mondrian"]),
        learners=(name for name in ["nb"]),
        k=(number for number in [5]),
        folds=2,
    )
    assert "nb" in repr(page)
    with pytest.raises(shoal.InputError, match="generator, not a table"):
        shoal.anonymize((row for row in [{"age": 1}]), quasi=["age"], k=1)


@pytest.fixture
def interrupting():
    """Ctrl-C as soon as a run shows itself; also where this process was started with SIGINT ignored, as in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def show(stage: str, fraction: float) -> None:
        assert stage != "done", "the run was over before it was interrupted"
        signal.raise_signal(signal.SIGINT)

    yield show
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_ends_a_run_and_leaves_nothing(interrupting):
    with pytest.raises(KeyboardInterrupt):
        shoal.anonymize(people(60000, seed=2), k=5, method="shoal", effort="best", progress=interrupting, **ROLES)
    assert shoal.anonymize(people(50), k=5, **ROLES).frame.num_rows == 50  # the next one runs


def test_an_interrupted_fit_is_no_fit(interrupting, monkeypatch):
    rows = numpy.arange(40.0).reshape(20, 2)
    anonymizer = Anonymizer(k=2).fit(rows)
    assert anonymizer.transform(rows).shape == (20, 2)
    wide = numpy.random.default_rng(1).integers(0, 1000, size=(60000, 10)).astype(float)
    monkeypatch.setattr("shoal.sklearn.anonymize", lambda table, job: shoal.anonymize(table, job, progress=interrupting))
    with pytest.raises(KeyboardInterrupt):
        anonymizer.set_params(k=2).fit(wide)
    with pytest.raises(NotFittedError):  # neither the new one nor the one before
        anonymizer.transform(rows)


def test_without_duckdb_nothing_is_released_and_the_reason_is_said(table, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)  # as if it were not installed
    for run in (lambda: shoal.anonymize(table, k=5, **ROLES), lambda: shoal.verify(table, k=5, **ROLES)):
        with pytest.raises(shoal.ShoalError, match="verified by DuckDB's Python package.*pip install duckdb"):
            run()


def test_names_that_differ_in_case_alone_are_two_columns():
    table = pyarrow.table({"a": [1, 1, 2, 2], "A": [5, 5, 5, 5], "b": ["x", "x", "y", "y"]})
    try:
        release = shoal.anonymize(table, quasi=["a", "A"], sensitive=["b"], k=2)
    except shoal.InputError as error:
        assert "'A'" in str(error) and "'a'" in str(error)
    else:
        assert release.frame.column_names == ["a", "A", "b"]
        assert release.frame["a"].to_pylist() == ["1", "1", "2", "2"]
