"""From a frame to a verified frame: every kind of table, the promise by a plain recount, mistakes in clear words."""

from __future__ import annotations

import collections
import threading
import time

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pytest
from conftest import EDUCATION, people

import shoal

ROLES = {"quasi": ["age", "sex", "zip", "education"], "identifier": ["name"], "sensitive": ["illness"], "target": ["income"]}
TREES = {"zip": shoal.mask(), "education": EDUCATION}


def group_sizes(frame: pyarrow.Table, columns: list[str]) -> collections.Counter:
    return collections.Counter(zip(*(frame[name].to_pylist() for name in columns)))


def as_arrow(frame) -> pyarrow.Table:
    if isinstance(frame, pandas.DataFrame):
        return pyarrow.Table.from_pandas(frame, preserve_index=False)
    if isinstance(frame, polars.DataFrame):
        return frame.to_arrow()
    if isinstance(frame, duckdb.DuckDBPyRelation):
        return pyarrow.table(frame)
    return frame


def rows_of(frame) -> list[tuple]:
    table = as_arrow(frame)
    return list(zip(*([None if cell is None else str(cell) for cell in table[name].to_pylist()] for name in table.column_names)))


@pytest.mark.parametrize("k", [2, 5, 20])
@pytest.mark.parametrize("method", ["shoal", "mondrian", "incognito", "tdr"])
def test_every_group_has_k_rows_and_nothing_else_changes(table, method, k):
    release = shoal.anonymize(table, method=method, k=k, hierarchies=TREES, **ROLES)
    assert release.frame.column_names == ["age", "sex", "zip", "education", "illness", "income"]
    assert min(group_sizes(release.frame, ROLES["quasi"]).values()) >= k
    assert collections.Counter(release.frame["illness"].to_pylist()) == collections.Counter(table["illness"].to_pylist())
    assert all(check["result"] == "passed" for check in release.verify())
    for row, original in enumerate(release.original_rows()):
        assert release.frame["illness"][row].as_py() == table["illness"][original].as_py()


def test_the_kind_that_comes_in_goes_out_with_the_same_cells(table):
    frames = {
        "pyarrow": table,
        "pandas": table.to_pandas(),
        "pandas categories": table.to_pandas().astype({"sex": "category", "education": "category"}),
        "polars": polars.from_arrow(table),
        "polars categories": polars.from_arrow(table).with_columns(polars.col("sex").cast(polars.Categorical)),
        "duckdb": duckdb.from_arrow(table),
    }
    expected = None
    for kind, frame in frames.items():
        release = shoal.anonymize(frame, k=5, hierarchies=TREES, **ROLES)
        wanted = type(frame)
        assert isinstance(release.frame, wanted), kind
        rows = rows_of(release.frame)
        expected = expected or rows
        assert rows == expected, kind


def test_a_release_is_read_as_often_as_wanted(table):
    release = shoal.anonymize(table, k=5, **ROLES)
    assert pyarrow.table(release).num_rows == pyarrow.table(release).num_rows == 200


def test_nulls_nan_dates_decimals_and_long_numbers_keep_what_they_are():
    import datetime
    import decimal

    table = pyarrow.table(
        {
            "age": pyarrow.array([30, None, 31, None, 30, 31], pyarrow.int64()),
            "id": pyarrow.array([9400123412341237, 9400123412341238, 1, 2, 3, 4], pyarrow.int64()),
            "born": pyarrow.array([datetime.date(1990, 1, day) for day in range(1, 7)]),
            "paid": pyarrow.array([decimal.Decimal("1.50")] * 6),
            "yes": pyarrow.array([True, False, None, True, True, False]),
        }
    )
    release = shoal.anonymize(table, quasi=["age"], plain=["id", "born", "paid", "yes"], k=2, accept=["near-unique"])
    back = release.aligned()
    for name in ("id", "born", "paid", "yes"):
        assert back[name].to_pylist() == table[name].to_pylist(), name
        assert back[name].type == table[name].type, name
    assert [cell is None for cell in back["age"].to_pylist()] == [False, True, False, True, False, False]
    frame = table.to_pandas().astype({"age": "Int64"})  # plain pandas would make floats of these, 30.0
    assert rows_of(shoal.anonymize(frame, quasi=["age"], plain=["yes"], k=2).frame) == rows_of(
        shoal.anonymize(table, quasi=["age"], plain=["yes"], k=2).frame
    )


def test_jobs_say_the_same_in_every_form(table, tmp_path):
    made = shoal.Job(k=5, hierarchies=TREES | {"education": shoal.from_dict({"9th": "School", "10th": "School", "BSc": "Uni", "MSc": "Uni"})}, **ROLES)
    levels = tmp_path / "education.csv"
    levels.write_text("9th;School;*\n10th;School;*\nBSc;Uni;*\nMSc;Uni;*\n")
    text = (
        "columns: {name: identifier, age: quasi, sex: quasi, zip: {role: quasi, hierarchy: {build: mask}},\n"
        "  education: {role: quasi, hierarchy: education.csv}, illness: sensitive, income: target}\nk: 5\n"
    )
    (tmp_path / "job.yaml").write_text(text)
    as_dict = {
        "columns": {
            "name": "identifier",
            "age": "quasi",
            "sex": "quasi",
            "zip": {"role": "quasi", "hierarchy": {"build": "mask"}},
            "education": {"role": "quasi", "hierarchy": str(levels)},
            "illness": "sensitive",
            "income": "target",
        },
        "k": 5,
    }
    answers = [rows_of(shoal.anonymize(table, job).frame) for job in (made, str(tmp_path / "job.yaml"), shoal.Job.from_yaml(text, tmp_path), as_dict)]
    assert all(answer == answers[0] for answer in answers)
    assert shoal.Job.from_file(tmp_path / "job.yaml").with_settings(k=9, method="mondrian").to_yaml().count("k: 9") == 1


def test_a_cancel_handle_stops_a_run():
    table = people(60000, seed=2)
    cancel = shoal.Cancel()
    timer = threading.Timer(0.3, cancel.cancel)
    timer.start()
    start = time.monotonic()
    with pytest.raises(shoal.Cancelled):
        shoal.anonymize(table, k=5, method="shoal", effort="best", cancel=cancel, **ROLES)
    assert time.monotonic() - start < 30
    timer.join()


def test_what_progress_raises_ends_the_run():
    class Stop(Exception):
        pass

    def show(stage, fraction):
        assert 0 <= fraction <= 1
        raise Stop

    with pytest.raises(Stop):
        shoal.anonymize(people(60000, seed=2), k=5, method="shoal", effort="best", progress=show, **ROLES)


def test_a_failed_second_engine_releases_nothing(table, monkeypatch):
    from shoal import _second_engine

    class Liar(_second_engine.DuckEngine):
        def query(self, sql):
            raise RuntimeError("no such engine")

    monkeypatch.setattr(_second_engine, "DuckEngine", Liar)
    with pytest.raises(shoal.InputError, match="cannot be counted.*no such engine"):
        shoal.anonymize(table, k=5, **ROLES)


def test_the_same_release_for_any_number_of_threads(table):
    releases = [rows_of(shoal.anonymize(table, k=5, threads=threads, **ROLES).frame) for threads in (1, 2, 8)]
    assert releases[0] == releases[1] == releases[2]


def test_saved_files_are_private_complete_and_never_overwritten(table, tmp_path):
    import json
    import os

    release = shoal.anonymize(table, k=5, **ROLES)
    paths = release.save(tmp_path / "out")
    assert sorted(os.listdir(tmp_path / "out")) == sorted(os.path.basename(path) for path in paths)
    assert json.load(open(tmp_path / "out" / "report.json"))["status"] == "released"
    assert all(os.stat(path).st_mode & 0o077 == 0 for path in paths)
    with pytest.raises(shoal.JobError, match="is there already"):
        release.save(tmp_path / "out")


def test_reports_show_themselves(table):
    release = shoal.anonymize(table, k=5, **ROLES)
    assert "<iframe" in release._repr_html_()
    assert release.measures["gcp"] == pytest.approx(release.report.as_dict()["measures"]["gcp"])
    assert "released" in repr(release).lower()
    risk = shoal.risk(table, **ROLES)
    assert risk.as_dict()["rows"] == 200
    measured = shoal.measure(release.aligned(), table, release.job)
    assert measured.as_dict()["measures"]["gcp"] == pytest.approx(release.measures["gcp"])


def test_columns_that_are_not_recoded_keep_the_types_that_pandas_gave_them():
    rows = 40
    frame = pandas.DataFrame(
        {
            "age": [row // 10 for row in range(rows)],
            "whole": pandas.array([None if row == 3 else row % 4 for row in range(rows)], dtype="Int64"),
            "small": numpy.arange(rows, dtype="int8") % 3,
            "yes": pandas.array([None if row == 5 else row % 2 == 0 for row in range(rows)], dtype="boolean"),
            "text": pandas.array([None if row == 7 else str(row % 3) for row in range(rows)], dtype="string"),
            "arrow": pandas.array([row % 5 for row in range(rows)], dtype="int32[pyarrow]"),
            "when": pandas.to_datetime("2024-03-01") + pandas.to_timedelta([row % 3 for row in range(rows)], "D"),
            "kind": pandas.Categorical([["a", "b"][row % 2] for row in range(rows)]),
        }
    )
    release = shoal.anonymize(frame, quasi=["age"], others="plain", k=5, method="mondrian", accept=["reveals"])
    plain = list(frame.columns[1:])
    assert release.frame.dtypes[plain].to_dict() == frame.dtypes[plain].to_dict()
    pandas.testing.assert_frame_equal(release.aligned()[plain], frame[plain])
