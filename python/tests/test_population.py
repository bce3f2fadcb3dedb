"""A table beside the people it was taken from: k-map and delta-presence as on the command line, and recounted here."""

from __future__ import annotations

import json

import pyarrow
import pyarrow.csv
import pytest
from conftest import needs_program, people, run_program

import shoal

JOB = """
columns:
  name: identifier
  age: {role: quasi, type: numeric, hierarchy: {build: intervals, width: 5, start: 0, factor: 2, levels: 4}}
  sex: {role: quasi, hierarchy: {build: flat}}
  zip: {role: quasi, hierarchy: {build: mask}}
  illness: sensitive
"""
KMAP = "k: 2\nmodels: [{model: k-map, k: 12}]\n"
PRESENCE = "k: 2\nmethod: incognito\nmodels: [{model: delta-presence, min: 0, max: 0.6}]\n"
EVERYBODY = people(400, seed=11)
TABLE = EVERYBODY.take(list(range(0, 400, 3)))


def number_of_people(cells: dict[str, str]) -> int:
    """Plain counting: ranges, masks, `*` and values of a released row against everybody."""

    def fits(name: str, cell: str, value: object) -> bool:
        if cell == "*":
            return True
        if cell.startswith("["):
            closed = cell.endswith("]")
            low, high = (float(end) for end in cell[1:-1].split(","))
            return low <= float(str(value)) and (float(str(value)) <= high if closed else float(str(value)) < high)
        return all(mine in ("*", other) for mine, other in zip(cell, str(value)))

    return sum(all(fits(name, cell, person[name]) for name, cell in cells.items()) for person in EVERYBODY.to_pylist())


@pytest.mark.parametrize("method", ["shoal", "mondrian", "incognito"])
def test_every_released_row_fits_enough_people(method):
    release = shoal.anonymize(TABLE, shoal.Job.from_yaml(JOB + KMAP), method=method, population=EVERYBODY)
    groups = {tuple(row.items()) for row in release.frame.select(["age", "sex", "zip"]).to_pylist()}
    counts = [number_of_people(dict(group)) for group in groups]
    assert min(counts) >= 12
    assert shoal.verify(release, original=TABLE, population=EVERYBODY).ok
    raw = shoal.anonymize(TABLE, shoal.Job.from_yaml(JOB + "k: 2\n"), method="mondrian")
    assert not shoal.verify(raw.frame, shoal.Job.from_yaml(JOB + KMAP), original=TABLE, population=EVERYBODY).ok


@needs_program
@pytest.mark.parametrize("settings", [KMAP, PRESENCE])
def test_the_same_as_on_the_command_line(tmp_path, settings):
    for name, table in (("table", TABLE), ("people", EVERYBODY)):
        pyarrow.csv.write_csv(table, tmp_path / f"{name}.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))
    (tmp_path / "job.yaml").write_text(JOB + settings)
    common = ["--job", "job.yaml", "--population", "people.csv", "--quiet"]
    run = run_program(tmp_path, ["anonymize", "table.csv", "-o", "release.csv", *common])
    assert run.returncode == 0, run.stderr
    job = shoal.Job.from_yaml(JOB + settings)
    release = shoal.anonymize(TABLE, job, population=EVERYBODY)
    there = pyarrow.csv.read_csv(
        tmp_path / "release.csv", convert_options=pyarrow.csv.ConvertOptions(column_types={n: pyarrow.string() for n in release.frame.column_names})
    )
    assert [column.cast(pyarrow.string()).to_pylist() for column in release.frame.columns] == [column.to_pylist() for column in there.columns]
    for command, page in (
        (["risk", "table.csv"], shoal.risk(TABLE, job, population=EVERYBODY)),
        (["measure", "release.csv", "--original", "table.csv"], shoal.measure(release, TABLE, population=EVERYBODY)),
        (["verify", "release.csv", "--original", "table.csv"], shoal.verify(release, original=TABLE, population=EVERYBODY)),
    ):
        run = run_program(tmp_path, [*command, *common, "--json", "-"])
        assert run.stdout, run.stderr
        there_page, here_page = json.loads(run.stdout), page.as_dict()
        for document in (there_page, here_page):
            for name in ("input", "release", "original", "audience"):
                document.pop(name, None)
        assert here_page == there_page, command


def test_a_population_that_is_not_there_is_missed(tmp_path):
    with pytest.raises(shoal.JobError, match="population"):
        shoal.anonymize(TABLE, shoal.Job.from_yaml(JOB + KMAP))
    named = shoal.Job.from_yaml(JOB + KMAP + "population: register.csv\n", tmp_path)
    with pytest.raises(shoal.JobError, match=r"register.csv.*population=\.\.\."):
        shoal.anonymize(TABLE, named)
    assert shoal.anonymize(TABLE, named, population=EVERYBODY).frame.num_rows == TABLE.num_rows
    with pytest.raises(shoal.InputError, match="the population is a list, not a table"):
        shoal.anonymize(TABLE, named, population=[1])
    with pytest.raises(shoal.ShoalError, match="zip"):
        shoal.anonymize(TABLE, named, population=EVERYBODY.drop_columns(["zip"]))


def test_models_are_said_in_python():
    job = shoal.Job(quasi=["age", "sex"], k=2, models=[shoal.k_map(9)])
    release = shoal.anonymize(TABLE, job, population=EVERYBODY.to_pandas())
    assert all(number_of_people(dict(row)) >= 9 for row in {tuple(row.items()) for row in release.frame.to_pylist()})
    assert shoal.delta_presence(0.5) == {"model": "delta-presence", "min": 0.0, "max": 0.5}
    assert shoal.persons("id", 3) == {"model": "persons", "column": "id", "k": 3}


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["--population-size", "5000"], dict(population_size=5000)),
        (["--weight-column", "age"], dict(weight_column="age")),
        (["--suda"], dict(suda=True)),
    ],
)
@needs_program
def test_risks_of_a_sample_as_on_the_command_line(tmp_path, words, given):
    pyarrow.csv.write_csv(TABLE, tmp_path / "table.csv", pyarrow.csv.WriteOptions(quoting_style="needed"))
    run = run_program(tmp_path, ["risk", "table.csv", "--quasi", "sex,zip", "--json", "-", "--quiet", *words])
    there, here = json.loads(run.stdout), shoal.risk(TABLE, quasi=["sex", "zip"], **given).as_dict()
    assert {**here, "input": ""} == {**there, "input": ""}


@pytest.mark.parametrize("given", [dict(population_size="7"), dict(population_size=3), dict(population_size=-1), dict(threshold=2), dict(weight_column="nobody")])
def test_what_risk_cannot_take(given):
    with pytest.raises(shoal.JobError):
        shoal.risk(TABLE, quasi=["sex"], **given)
