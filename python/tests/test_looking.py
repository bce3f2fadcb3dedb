"""verify and attack on releases of any origin: the command line's numbers, and its verdicts. SHOAL_PROGRAM names the program."""

from __future__ import annotations

import json
import random

import pyarrow
import pyarrow.csv
import pytest
from conftest import needs_program, people, run_program

import shoal

JOB = """
columns:
  name: identifier
  age: {role: quasi, type: numeric}
  sex: quasi
  zip: {role: quasi, hierarchy: {build: mask}}
  education: plain
  illness: sensitive
k: 3
"""


def coarse(table: pyarrow.Table, width: int, seed: int, spoil: bool) -> pyarrow.Table:
    """A release as another tool might make it: intervals of the ages that occur, masked codes, small groups dropped, rows shuffled."""
    decades: dict[int, list[int]] = {}
    for age in table["age"].to_pylist():
        decades.setdefault(age // width, []).append(age)
    rows = [
        {
            "age": f"[{min(decades[row['age'] // width])},{max(decades[row['age'] // width])}]",
            "sex": row["sex"],
            "zip": row["zip"][:2] + "**",
            "education": row["education"],
            "illness": row["illness"],
        }
        for row in table.to_pylist()
    ]
    sizes: dict[tuple[str, ...], int] = {}
    for row in rows:
        key = (row["age"], row["sex"], row["zip"])
        sizes[key] = sizes.get(key, 0) + 1
    rows = [row for row in rows if spoil or sizes[(row["age"], row["sex"], row["zip"])] >= 3]
    random.Random(seed).shuffle(rows)
    return pyarrow.Table.from_pylist(rows, schema=pyarrow.schema([(name, pyarrow.string()) for name in rows[0]]))


def without_names(document: dict) -> dict:
    """Files and tables are called otherwise; all else must be the same."""
    for attack in document.get("intersection", []):
        del attack["earlier"]
    return {key: value for key, value in document.items() if key not in ("release", "original")}


def by_program(folder, words: list[str], release: pyarrow.Table, original: pyarrow.Table, job: str, **more: pyarrow.Table) -> tuple[int, dict]:
    for name, table in {"release": release, "original": original, **more}.items():
        pyarrow.csv.write_csv(table, folder / f"{name}.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))
    (folder / "job.yaml").write_text(job)
    run = run_program(folder, [words[0], "release.csv", "--job", "job.yaml", "--json", "-", "--quiet", *words[1:]])
    assert run.stdout, run.stderr
    return run.returncode, json.loads(run.stdout)


@needs_program
@pytest.mark.parametrize("with_original", [True, False])
@pytest.mark.parametrize(
    ("settings", "spoil", "verdict"),
    [
        ("suppress_rows: 0.5\n", False, 0),
        ("", True, 5),  # groups below k
        ("suppress_rows: 0.0\n", False, 5),  # more rows dropped than may be
        ("suppress_rows: 0.5\nmodels: [{model: distinct-l, column: illness, l: 2}]\n", False, None),
        ("suppress_rows: 0.5\nmodels: [{model: t-closeness, column: illness, t: 0.1}]\n", False, 5),
        ("suppress_rows: 0.5\nrequirements: [{columns: [age, sex], k: 400}]\n", False, 5),
    ],
)
def test_verify_says_what_the_command_line_says(tmp_path, settings, spoil, verdict, with_original):
    for seed in range(2):
        table = people(150, seed=seed)
        release = coarse(table, 12, seed, spoil)
        code, there = by_program(
            tmp_path, ["verify", *(["--original", "original.csv"] if with_original else [])], release, table, JOB + settings
        )
        here = shoal.verify(release, shoal.Job.from_yaml(JOB + settings), original=table if with_original else None)
        assert without_names(here.as_dict()) == without_names(there)
        assert here.ok == bool(here) == (code == 0)
        if verdict is not None and (with_original or "suppress_rows: 0.0" not in settings):
            assert code == verdict
        if code == 0:
            here.require()
        else:
            with pytest.raises(shoal.FindingError if code == 6 else shoal.VerificationError):
                here.require()


@needs_program
def test_attacks_get_what_they_get_on_the_command_line(tmp_path):
    table = people(150, seed=4)
    release, earlier, outsiders = coarse(table, 12, 4, False), coarse(table, 20, 5, False), people(60, seed=6)
    _, there = by_program(
        tmp_path,
        ["attack", "--original", "original.csv", "--earlier", "earlier.csv", "--outsiders", "outsiders.csv", "--sample", "100", "--seed", "7"],
        release,
        table,
        JOB,
        earlier=earlier,
        outsiders=outsiders,
    )
    job = shoal.Job.from_yaml(JOB)
    here = shoal.attack(release, table, job, earlier=[earlier.to_pandas()], outsiders=outsiders, sample=100, seed=7)
    assert without_names(here.as_dict()) == without_names(there)
    assert there["intersection"] and there["outsiders"] == 60
    _, alone = by_program(tmp_path, ["attack", "--original", "original.csv"], release, table, JOB)
    assert without_names(shoal.attack(release, table, job).as_dict()) == without_names(alone)


def test_a_release_of_ours_is_verified_and_attacked_without_its_job(table):
    release = shoal.anonymize(table, shoal.Job.from_yaml(JOB))
    verified = shoal.verify(release, original=table)
    assert verified.ok and [check["result"] for check in verified.checks] == ["passed"] * len(verified.checks)
    assert shoal.attack(release, table).as_dict()["rows_out"] == 200
    assert "original=frame" in repr(shoal.verify(release))


def test_one_changed_cell_is_found(table):
    release = shoal.anonymize(table, shoal.Job.from_yaml(JOB)).frame
    column = release["illness"].to_pylist()
    column[17] = "gout"
    changed = release.set_column(release.column_names.index("illness"), "illness", pyarrow.array(column))
    verified = shoal.verify(changed, shoal.Job.from_yaml(JOB), original=table)
    assert not verified.ok
    assert [check["name"] for check in verified.checks if check["result"] == "failed"] == ["coverage"]
    with pytest.raises(shoal.VerificationError, match="1 of .* checks failed"):
        verified.require()


def test_an_identifier_in_the_release_is_found_before_anything_is_counted(table):
    verified = shoal.verify(table, shoal.Job.from_yaml(JOB), original=table)
    assert [(check["name"], check["result"]) for check in verified.checks] == [("columns", "failed")]


def test_earlier_releases_are_looked_at_and_never_forgotten(table, tmp_path):
    job = shoal.Job.from_yaml(JOB + "accept: [tight]\n")
    first = shoal.anonymize(table, job)
    other = shoal.Job.from_yaml(JOB.replace("k: 3", "k: 4") + "method: top-down\naccept: [tight]\n")
    with pytest.raises(shoal.FindingError, match="earlier"):
        shoal.anonymize(table, other, earlier=[first])
    accepted = shoal.anonymize(table, other, earlier=[first], accept=["tight", "earlier"])
    assert "earlier" in {finding["code"] for finding in accepted.findings}
    named = shoal.Job.from_yaml(JOB + "earlier: [last_year.csv]\n", tmp_path)
    with pytest.raises(shoal.JobError, match=r"last_year.csv.*earlier=\[...\]"):
        shoal.anonymize(table, named)
    with pytest.raises(shoal.JobError, match=r"earlier=\[table\]"):
        shoal.anonymize(table, job, earlier=table)


@pytest.mark.parametrize("sample", [0, -1, True, "5"])
def test_a_sample_is_a_number_of_rows(table, sample):
    with pytest.raises(shoal.JobError, match="sample is"):
        shoal.attack(table, table, quasi=["age"], k=2, sample=sample)
