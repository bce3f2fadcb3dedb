"""inspect and compare: the command line's answers and its jobs. SHOAL_PROGRAM names the program."""

from __future__ import annotations

import json
import math
import os
import random
import stat
import xml.etree.ElementTree

import pandas
import pyarrow
import pyarrow.csv
import pytest
from conftest import needs_program, people, run_program

import shoal


def register(rows: int = 400, seed: int = 3) -> pyarrow.Table:
    """A table as it comes: a name, a birth date as text, codes, a rare category, missing cells."""
    draw = random.Random(seed)
    towns = ["Aden", "Basel", "Cadiz", "Delft", "Evora", "Fes"]
    return pyarrow.table(
        {
            "full_name": [f"{draw.choice(['Ann', 'Bob', 'Eva'])} Number{row}" for row in range(rows)],
            "birth_date": [f"19{draw.randrange(30, 99)}-{draw.randrange(1, 13):02d}-{draw.randrange(1, 29):02d}" for _ in range(rows)],
            "postal_code": [f"{draw.randrange(10, 14)}{draw.randrange(100):02d}" for _ in range(rows)],
            "town": [draw.choice(towns) for _ in range(rows)],
            "income": [draw.choice([None, 1000 + 50 * draw.randrange(60)]) for _ in range(rows)],
            "diagnosis": [draw.choice(["flu", "asthma", "none", "none", "none"]) for _ in range(rows)],
        }
    )


def written(folder, table: pyarrow.Table) -> None:
    pyarrow.csv.write_csv(table, folder / "table.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))


def read_back(folder) -> pandas.DataFrame:
    return pandas.read_csv(folder / "table.csv", dtype=str)


@needs_program
@pytest.mark.parametrize("table", [register(), people(150), people(90, missing=True)], ids=["register", "people", "missing"])
def test_inspect_says_what_the_command_line_says_and_writes_its_job(tmp_path, table):
    written(tmp_path, table)
    run = run_program(tmp_path, ["inspect", "table.csv", "--k", "7", "--json", "-", "--quiet", "--write-job", "there.yaml"])
    assert run.returncode == 0, run.stderr
    there = json.loads(run.stdout)
    plan = shoal.inspect(read_back(tmp_path), k=7)
    here = plan.as_dict()
    assert here.pop("input") == "the table" and there.pop("input") == "table.csv"
    assert here == there
    folder = tmp_path / "python"
    folder.mkdir()
    paths = plan.write_job(folder / "there.yaml")
    assert sorted(os.listdir(folder)) == sorted(os.path.basename(path) for path in paths)
    for path in paths:
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        beside = (tmp_path / os.path.basename(path)).read_text()
        mine = open(path).read()
        if path.endswith(".yaml"):  # a frame has no file
            beside = "".join(line for line in beside.splitlines(True) if not line.startswith("input:"))
        assert mine == beside
    with pytest.raises(shoal.JobError, match="is there already; nothing was written"):
        plan.write_job(folder / "there.yaml")


def test_the_suggested_job_runs_as_it_is(tmp_path):
    table = register()
    plan = shoal.inspect(table)
    assert plan.roles["full_name"] == "identifier" and plan.roles["birth_date"] == "quasi"
    release = shoal.anonymize(table, plan.job)
    assert "full_name" not in release.frame.column_names and len(release) == 400
    by_file = shoal.anonymize(table, shoal.Job.from_file(plan.write_job(tmp_path / "job.yaml")[0]))
    assert by_file.frame.column_names == release.frame.column_names
    assert "<iframe" in plan._repr_html_() and "birth_date" in plan._repr_html_()
    assert "Ann Number" not in plan.html() and "Ann Number" in shoal.inspect(table, examples=True).html()


def test_a_table_without_quasi_columns_has_no_job(tmp_path):
    plan = shoal.inspect(pyarrow.table({"name": [f"Person {row}" for row in range(50)]}))
    with pytest.raises(shoal.JobError, match="no column could be quasi.*quasi="):
        plan.job
    with pytest.raises(shoal.JobError):
        plan.write_job(tmp_path / "job.yaml")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("given", "words"),
    [(dict(k=0), "k is 0"), (dict(k="5"), "whole number"), (dict(missing=[3]), "wanted texts"), (dict(seed=-1), "seed is -1")],
)
def test_what_inspect_cannot_take(given, words):
    with pytest.raises(shoal.JobError, match=words):
        shoal.inspect(people(20), **given)


def test_jobs_that_cannot_be_written_leave_nothing(tmp_path):
    plan = shoal.inspect(register())
    with pytest.raises(OSError):
        plan.write_job(tmp_path / "no such folder" / "job.yaml")
    names = [os.path.basename(path) for path in plan.write_job(tmp_path / "job.yaml")]
    beside = next(name for name in names if name.endswith(".csv"))
    os.unlink(tmp_path / "job.yaml")
    with pytest.raises(shoal.JobError, match=beside):
        plan.write_job(tmp_path / "job.yaml")
    assert sorted(os.listdir(tmp_path)) == sorted(name for name in names if name != "job.yaml")


# ---- compare ----

COMPARED = """
columns:
  name: identifier
  age: {role: quasi, type: numeric}
  sex: quasi
  zip: {role: quasi, hierarchy: {build: mask}}
  education: quasi
  illness: sensitive
  income: target
"""


def timeless(document: dict) -> dict:
    del document["input"]
    for run in document["runs"]:
        run.pop("seconds", None)
    return document


@needs_program
@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["--methods", "shoal,mondrian,tdr,mingen", "--k", "2,5"], dict(methods=["shoal", "mondrian", "tdr", "mingen"], k=[2, 5])),
        (["--sample", "80", "--learners", "none"], dict(sample=80, learners=())),
        (["--methods", "mondrian,datafly", "--learners", "c45,nb"], dict(methods=["mondrian", "datafly"], learners=["c45", "nb"])),
    ],
)
def test_compare_says_what_the_command_line_says_and_recommends_its_job(tmp_path, words, given):
    table = people(150, seed=8)
    written(tmp_path, table)
    (tmp_path / "job.yaml").write_text(COMPARED)
    run = run_program(
        tmp_path, ["compare", "table.csv", "--job", "job.yaml", "--json", "-", "--quiet", "--write-job", "best.yaml", *words]
    )
    assert run.returncode == 0, run.stderr
    found = shoal.compare(read_back(tmp_path), shoal.Job.from_yaml(COMPARED), **given)
    assert timeless(found.as_dict()) == timeless(json.loads(run.stdout))
    best = "".join(line for line in (tmp_path / "best.yaml").read_text().splitlines(True) if not line.startswith("input:"))
    assert found.job.to_yaml() == best
    assert found.recommended is not None and found.job.method == found.recommended["method"]
    release = shoal.anonymize(table, found.job)
    assert release.method == found.recommended["method"]
    assert "sample" in given or math.isclose(release.measures["gcp"], found.recommended["gcp"])


def test_the_picture_has_a_point_for_every_run(tmp_path):
    found = shoal.compare(people(100), shoal.Job.from_yaml(COMPARED), methods=["mondrian", "shoal"], k=[2, 5], learners=())
    picture = found.plot()
    root = xml.etree.ElementTree.fromstring(picture.svg)
    titles = [circle.findtext("{*}title") for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert sorted(title.partition(":")[0] for title in titles if title) == sorted(
        f"{run['method']}, k={run['k']}" for run in found.runs
    )
    picture.save(tmp_path / "risk.svg")
    assert (tmp_path / "risk.svg").read_text() == picture.svg == picture._repr_html_()
    with pytest.raises(shoal.JobError, match="does not end in .svg"):
        picture.save(tmp_path / "risk.png")
    with pytest.raises(shoal.JobError, match="svg, matplotlib, altair"):
        found.plot("gnuplot")
    pytest.importorskip("matplotlib")
    axes = found.plot("matplotlib")
    assert {line.get_label() for line in axes.get_lines()} == {"mondrian", "shoal"}
    assert found.plot(ax=axes) is axes
    pytest.importorskip("altair")
    assert len(found.plot("altair").to_dict()["data"]["values"]) == 4


def test_where_no_method_has_a_release_there_is_no_job():
    found = shoal.compare(people(30), quasi=["age", "sex"], k=31, methods=["mondrian"], learners=())
    assert found.recommended is None and found.runs[0]["refused"]
    assert found.plot().svg.startswith("<svg")
    with pytest.raises(shoal.Unsatisfiable):
        found.job


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (dict(k="5"), "k is '5'"),
        (dict(k=[0]), "k is 0"),
        (dict(methods=["mondrain"]), "mondrian"),
        (dict(sample=1), "sample"),
        (dict(sample=-1), "sample is -1"),
        (dict(learners=[3]), "no learner of ours"),
    ],
)
def test_what_compare_cannot_take(given, words):
    with pytest.raises(shoal.JobError, match=words):
        shoal.compare(people(40), quasi=["age", "sex"], **{"k": 2, **given})


def test_a_comparison_can_be_stopped():
    cancel = shoal.Cancel()
    cancel.cancel()
    with pytest.raises(shoal.Cancelled):
        shoal.compare(people(40), quasi=["age"], k=2, cancel=cancel)
