"""Recodings and new rows: what `--recoding` writes, what `shoal apply` gives, and jobs that are changed on the way."""

from __future__ import annotations

import json
import pickle

import numpy
import pyarrow
import pyarrow.csv
import pytest
from conftest import EDUCATION, needs_program, people, run_program

import shoal
from shoal.sklearn import Anonymizer

JOB = """
columns:
  name: identifier
  age: {role: quasi, type: numeric}
  sex: quasi
  education: {role: quasi, hierarchy: {build: flat}}
  illness: sensitive
  income: target
k: 4
"""
AS_TEXTS = pyarrow.csv.WriteOptions(quoting_style="needed")


def cells(table: pyarrow.Table) -> list[list[str]]:
    return [["" if cell is None else str(cell) for cell in column.to_pylist()] for column in table.columns]


@needs_program
@pytest.mark.parametrize("settings", ["method: mondrian", "method: mondrian\nranges: nodes", "method: tdr", "method: incognito", "method: shoal"])
def test_recoding_and_new_rows_as_on_the_command_line(tmp_path, settings):
    table, new = people(150, missing=True), people(120, seed=5, missing=True)
    for name, rows in (("table", table), ("new", new)):
        pyarrow.csv.write_csv(rows, tmp_path / f"{name}.csv", AS_TEXTS)
    (tmp_path / "job.yaml").write_text(f"{JOB}{settings}\n")
    run = run_program(
        tmp_path, ["anonymize", "table.csv", "-o", "release.csv", "--job", "job.yaml", "--recoding", "recoding.json", "--quiet"]
    )
    assert run.returncode == 0, run.stderr
    release = shoal.anonymize(table, shoal.Job.from_yaml(f"{JOB}{settings}\n"))
    assert release.recoding == json.loads((tmp_path / "recoding.json").read_text())
    if release.shape == "groups":
        return  # `apply` takes none of these
    run = run_program(tmp_path, ["apply", "recoding.json", "new.csv", "-o", "mapped.csv", "--quiet"])
    assert run.returncode == 0, run.stderr
    names = pyarrow.csv.open_csv(tmp_path / "mapped.csv").schema.names
    options = pyarrow.csv.ConvertOptions(column_types={name: pyarrow.string() for name in names}, strings_can_be_null=False)
    there = pyarrow.csv.read_csv(tmp_path / "mapped.csv", convert_options=options)
    here = release.transform(new)
    assert cells(here.select(there.column_names)) == cells(there)
    again = pickle.loads(pickle.dumps(release._mapping()))
    assert cells(pyarrow.table(again.transform(shoal._tables.read(new)))) == cells(here)


def test_groups_are_mapped_to_the_one_with_the_fewest_cells_outside():
    table, new = people(200), people(60, seed=5)
    release = shoal.anonymize(table, shoal.Job.from_yaml(JOB), method="shoal")
    assert release.shape == "groups"
    names = ["age", "sex", "education"]
    columns = release.columns()
    groups = sorted({tuple(row[name] for name in names) for row in release.frame.to_pylist()})

    def outside(cell: str, name: str, value: object) -> bool:
        column = columns[name]
        first, last = column.stretch(cell)
        leaf = column.leaves.index(str(value)) if str(value) in column.leaves else None
        return leaf is not None and not first <= leaf <= last

    for row, mapped in zip(new.to_pylist(), release.transform(new).to_pylist()):
        if str(row["age"]) not in columns["age"].leaves:
            continue
        counts = [sum(outside(cell, name, row[name]) for cell, name in zip(group, names)) for group in groups]
        taken = tuple(mapped[name] for name in names)
        assert counts[groups.index(taken)] == min(counts)


# ---- jobs that are changed ----


def test_asking_less_than_the_job_is_told(table):
    job = shoal.Job.from_yaml(JOB)
    with pytest.warns(UserWarning, match="k"):
        release = shoal.anonymize(table, job, k=2)
    assert any("4" in notice and "2" in notice for notice in release.report.as_dict()["notices"])
    with pytest.warns(UserWarning):
        shoal.risk(table, job, suppress_rows=0.5)


@pytest.mark.filterwarnings("error")
def test_asking_more_than_the_job_is_not(table):
    assert shoal.anonymize(table, shoal.Job.from_yaml(JOB), k=9, method="mondrian").report.as_dict()["requirements"][0]["k"] == 9


def test_the_class_can_be_named_beside_a_job(table):
    job = shoal.Job(quasi=["age", "sex"], k=5, target="income", plain=["education"])
    errors = {}
    for target in ("income", "illness"):
        page = shoal.evaluate(table.drop_columns(["name", "zip"]), job, target=target, methods=["mondrian"], learners=["nb"], k=5, folds=2)
        errors[target] = json.dumps(page.as_dict()["evaluations"])
        assert f'"{target}"' in errors[target]
    assert job.columns("target") == ["income"]


# ---- Anonymizer with a job ----


def test_an_anonymizer_takes_a_job(table):
    frame = table.to_pandas()
    X, y = frame[["age", "sex", "education"]], frame["income"]
    job = shoal.Job(quasi=["age", "sex", "education"], target="income", k=12, method="tdr", hierarchies={"education": EDUCATION})
    anonymizer = Anonymizer(job).fit(X, y)
    assert anonymizer.report_["method"] == "tdr" and anonymizer.report_["requirements"][0]["k"] == 12
    other = Anonymizer(job, k=3, method="mondrian").fit(X, y)
    assert other.report_["method"] == "mondrian" and other.report_["requirements"][0]["k"] == 3
    with pytest.raises(shoal.JobError, match="give it as y"):
        Anonymizer(job).fit(X)
    with pytest.raises(shoal.JobError, match="beside a job"):
        Anonymizer(job, quasi=["age"]).fit(X, y)
    with pytest.raises(shoal.JobError, match="must be a shoal.Job"):
        Anonymizer({"k": 3}).fit(X, y)


def test_rows_that_a_method_drops_stay_as_general_as_can_be():
    rows = numpy.array([[1.0, 1.0]] * 6 + [[2.0, 2.0]] * 6 + [[9.0, 2.0]])
    job = shoal.Job(quasi=["x0", "x1"], categorical=["x0", "x1"], k=3, method="incognito", suppress_rows=0.2)
    anonymizer = Anonymizer(job).fit(rows)
    assert anonymizer.report_["rows_dropped"] == 1
    numbers = anonymizer.transform(rows)
    assert numbers.shape[0] == 13
    names = list(anonymizer.get_feature_names_out())
    places = [names.index(name) for name in sorted(names) if name.startswith("x0=")]  # 1, 2, 9
    assert len(places) == 3 and numbers[0][places].tolist() == [1, 0, 0]
    assert numpy.allclose(numbers[12][places].sum(), 1)
    assert numbers[12][places[0]] > 0 and numbers[12][places[1]] > 0  # spread over everything


@pytest.mark.parametrize("settings", ["", "ranges: nodes\n"])
def test_rows_find_the_region_that_the_rule_names(settings):
    """Plain counting on the written recoding: the region that holds the row, else that covers it with least loss, else the nearest."""
    table, new = people(600, seed=3), people(300, seed=4)
    release = shoal.anonymize(table, shoal.Job.from_yaml(f"{JOB}method: mondrian\n{settings}"))
    written = release.recoding
    domains = [domain["values"] for domain in written["domains"]]
    places = [{value: place for place, value in enumerate(values)} for values in domains]
    names = written["columns"]

    def box(group: dict, which: str) -> list[tuple[int, int]]:
        return [(places[i][low], places[i][high]) for i, (low, high) in enumerate(group.get(which) or group["covers"])]

    regions = [(box(group, "covers"), box(group, "holds"), group["loss"], group["released"]) for group in written["groups"]]
    assert len(regions) > 40
    mapped = release.transform(new).select(names).to_pylist()
    looked = 0
    for row, cells_of_row in zip(new.to_pylist(), mapped):
        if any(str(row[name]) not in places[i] for i, name in enumerate(names)):
            continue
        leaves = [places[i][str(row[name])] for i, name in enumerate(names)]
        keys = []
        for covers, holds, loss, released in regions:
            gap = sum(max(low - leaf, leaf - high, 0) / len(domains[i]) for i, (leaf, (low, high)) in enumerate(zip(leaves, covers)))
            held = all(low <= leaf <= high for leaf, (low, high) in zip(leaves, holds))
            keys.append((gap, not held, loss))
        best = min(keys)
        allowed = [regions[i][3] for i, key in enumerate(keys) if key == best]
        assert [cells_of_row[name] for name in names] in allowed
        looked += 1
    assert looked > 200
