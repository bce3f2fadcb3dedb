"""The same job gives the same release in Python and on the command line, whoever reads the file."""

from __future__ import annotations

import csv
import datetime
import decimal
import random

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv
import pytest
from conftest import needs_program, people, run_program

import shoal
from shoal import _shoal

SHAPES = dict(_shoal.method_names())
MODELS = {name for name, shape in SHAPES.items() if shape == "model"}
METHODS = [name for name in SHAPES if name not in MODELS and name != "mingen"]  # mingen is for tables of a few rows
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

# Every reader's own way to the cells of a file. pandas makes floats of whole numbers where some are missing, unless asked not to.
READERS = {
    "pandas": lambda path: pandas.read_csv(path, dtype_backend="numpy_nullable"),
    "pandas texts": lambda path: pandas.read_csv(path, dtype=str),
    "pandas arrow": lambda path: pandas.read_csv(path, engine="pyarrow", dtype_backend="pyarrow"),
    "polars": polars.read_csv,
    "polars lazy": polars.scan_csv,
    "pyarrow": lambda path: pyarrow.csv.read_csv(path, convert_options=pyarrow.csv.ConvertOptions(strings_can_be_null=True)),
    "duckdb": lambda path: duckdb.connect().read_csv(str(path)),
}


def as_texts(table: pyarrow.Table) -> list[list[str]]:
    columns = [["" if cell is None else str(cell) for cell in table[name].to_pylist()] for name in table.column_names]
    return [list(table.column_names), *map(list, zip(*columns))]


def released(release: shoal.Release) -> list[list[str]]:
    return as_texts(pyarrow.table(release))


def write(path, table: pyarrow.Table) -> None:
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows(as_texts(table))


def by_command_line(folder, job: str, *words: str) -> list[list[str]]:
    (folder / "job.yaml").write_text(job)
    run = run_program(folder, ["anonymize", "in.csv", "-o", "out.csv", "--job", "job.yaml", "--quiet", *words])
    assert run.returncode == 0, run.stderr
    with open(folder / "out.csv", newline="") as file:
        return list(csv.reader(file))


@needs_program
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_every_method_releases_the_same_cells_whoever_reads_the_file(tmp_path, method, missing):
    write(tmp_path / "in.csv", people(120, seed=5, missing=missing).drop_columns(["zip"]))
    there = by_command_line(tmp_path, JOB, "--method", method)
    for reader, read in READERS.items():
        here = shoal.anonymize(read(tmp_path / "in.csv"), shoal.Job.from_yaml(JOB), method=method)
        assert released(here) == there, reader


DRAW = random.Random(3)
AGES = [DRAW.randrange(20, 60) for _ in range(60)]
NOTES = [DRAW.choice(["a", "b", "c"]) for _ in range(60)]
DAYS = [datetime.date(1990, 1, 1) + datetime.timedelta(days=DRAW.randrange(900)) for _ in range(60)]
HOURS = [datetime.datetime(2024, 3, 1 + DRAW.randrange(9), DRAW.randrange(24), 15) for _ in range(60)]
PAID = [decimal.Decimal(DRAW.randrange(10000)).scaleb(-2) for _ in range(60)]
LONG = [9400123412341237 + DRAW.randrange(12) for _ in range(60)]
HUGE = [2**64 - 1 - DRAW.randrange(12) for _ in range(60)]
HALVES = [DRAW.randrange(80) / 2 for _ in range(60)]
NAMES = [DRAW.choice(["ä", "ß, quoted", 'say "x"', "two\nlines", " b ", "[1,2]", "02139"]) for _ in range(60)]


def with_nulls(cells: list) -> list:
    return [None if place % 7 == 3 else cell for place, cell in enumerate(cells)]


# What stands in the column, its Arrow type, and what a job says about it. The file has the texts that the engine means.
KINDS = {
    "whole numbers": (AGES, pyarrow.int32(), "{role: quasi, type: numeric}"),
    "small whole numbers": (AGES, pyarrow.uint8(), "{role: quasi, type: numeric}"),
    "with nulls": (with_nulls(AGES), pyarrow.int64(), "{role: quasi, type: numeric}"),
    "dates": (DAYS, pyarrow.date32(), "{role: quasi, hierarchy: {build: dates}}"),
    "dates with nulls": (with_nulls(DAYS), pyarrow.date32(), "{role: quasi, hierarchy: {build: dates}}"),
    "times": (HOURS, pyarrow.timestamp("us"), "{role: quasi, hierarchy: {build: flat}}"),
    "decimals": (PAID, pyarrow.decimal128(8, 2), "{role: quasi, type: numeric}"),
    "long numbers": (LONG, pyarrow.int64(), "{role: quasi, type: numeric}"),
    "huge numbers": (HUGE, pyarrow.uint64(), "{role: quasi, type: numeric}"),
    "halves": (HALVES, pyarrow.float64(), "{role: quasi, type: numeric}"),
    "categories": (NOTES, pyarrow.dictionary(pyarrow.int8(), pyarrow.string()), "quasi"),
    "categories with nulls": (with_nulls(NOTES), pyarrow.dictionary(pyarrow.int32(), pyarrow.large_string()), "quasi"),
    "truths": ([age > 40 for age in AGES], pyarrow.bool_(), "quasi"),
    "odd texts": (NAMES, pyarrow.string_view(), "{role: quasi, hierarchy: {build: flat}}"),
    "nothing": ([None] * 60, pyarrow.null(), "quasi"),
}


def text_of(cell: object) -> str | None:
    if cell is None:
        return None
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


@needs_program
@pytest.mark.parametrize("method", ["mondrian", "incognito", "shoal", "tdr"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_cells_of_every_kind_are_the_same(tmp_path, kind, method):
    """As a recoded column and as one that is released as it is."""
    cells, arrow, words = KINDS[kind]
    classes = ["yes" if age > 40 else "no" for age in AGES]
    columns = {"age": AGES, "this": pyarrow.array(cells, arrow), "as it is": pyarrow.array(cells, arrow), "class": classes}
    table = pyarrow.table(columns)
    texts = [text_of(cell) for cell in cells]
    write(tmp_path / "in.csv", pyarrow.table(columns | {"this": texts, "as it is": texts}))
    job = f"columns: {{age: quasi, this: {words}, as it is: plain, class: target}}\nk: 4\naccept: [near-unique, reveals]\n"
    there = by_command_line(tmp_path, job, "--method", method)
    for frame in (table, polars.from_arrow(table), duckdb.from_arrow(table)) if kind not in ("times", "nothing") else (table,):
        here = pyarrow.table(shoal.anonymize(frame, shoal.Job.from_yaml(job), method=method))
        plain = pyarrow.array([text_of(cell) for cell in here["as it is"].to_pylist()], pyarrow.string())
        here = here.set_column(here.column_names.index("as it is"), "as it is", plain)
        assert as_texts(here) == there, type(frame)


@needs_program
@pytest.mark.parametrize("method", METHODS)
def test_one_row_is_a_table(tmp_path, method):
    table = people(1, seed=8).drop_columns(["zip"])
    write(tmp_path / "in.csv", table)
    job = JOB.replace("k: 4", "k: 1")
    assert released(shoal.anonymize(table, shoal.Job.from_yaml(job), method=method)) == by_command_line(tmp_path, job, "--method", method)
    with pytest.raises(shoal.Unsatisfiable):
        shoal.anonymize(table, shoal.Job.from_yaml(JOB), method=method)


@needs_program
def test_no_row_is_none_in_the_same_words(tmp_path):
    table = people(3).drop_columns(["zip"]).slice(0, 0)
    write(tmp_path / "in.csv", table)
    (tmp_path / "job.yaml").write_text(JOB)
    run = run_program(tmp_path, ["anonymize", "in.csv", "-o", "out.csv", "--job", "job.yaml"])
    for frame in (table, table.to_pandas(), polars.from_arrow(table)):
        with pytest.raises(shoal.InputError) as said:
            shoal.anonymize(frame, shoal.Job.from_yaml(JOB))
        assert run.returncode == 3
        assert str(said.value).replace("the table", "in.csv").replace("'", "") in run.stderr.replace("'", "")


@needs_program
def test_names_of_columns_are_texts_of_any_kind(tmp_path):
    """Also numbers, once they are texts; two of one name are refused by both."""
    frame = pandas.DataFrame({7: [1, 1, 2, 2], "two words": [3, 3, 3, 4], 'a "b"': ["x", "y", "x", "y"]})
    with pytest.raises(shoal.InputError, match="column names are strings, found 7"):
        shoal.anonymize(frame, quasi=["7"], k=2)
    frame = frame.rename(columns=str)
    job = 'columns: {"7": quasi, two words: quasi, "a \\"b\\"": plain}\nk: 2\naccept: [near-unique]\n'
    frame.to_csv(tmp_path / "in.csv", index=False)
    assert released(shoal.anonymize(frame, shoal.Job.from_yaml(job))) == by_command_line(tmp_path, job)
    (tmp_path / "twice.csv").write_text("a,a\n1,2\n1,2\n")
    run = run_program(tmp_path, ["anonymize", "twice.csv", "-o", "no.csv", "--quasi", "a", "--k", "2"])
    assert run.returncode in (2, 3) and "'a'" in run.stderr


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_a_release_is_that_of_its_cells(method):
    """Methods of every shape: rows stand by what they say, and equal recoded cells whatever the order of the input."""
    table = people(90, seed=12).drop_columns(["zip"])
    release = shoal.anonymize(table, shoal.Job.from_yaml(JOB), method=method)
    quasi = ["age", "sex", "education"]
    rows = [tuple(row[name] for name in quasi) for row in release.frame.select(quasi).to_pylist()]

    def place(text: str) -> tuple:
        """Numbers and ranges first, by their ends, then other texts by their bytes."""
        try:
            low, _, high = text.removeprefix("[").removesuffix("]").partition(",")
            return (0, float(low), float(high or low), b"")
        except ValueError:
            return (1, 0.0, 0.0, text.encode())

    assert rows == sorted(rows, key=lambda row: tuple(place(text) for text in row))
    # The rest of a row orders what is left: rows given in another order come out alike where the search finds the same.
    order = list(range(table.num_rows))
    random.Random(1).shuffle(order)
    again = shoal.anonymize(table.take(order), shoal.Job.from_yaml(JOB), method=method)
    cells = release.frame.to_pylist()
    other = again.frame.to_pylist()
    if sorted(map(str, cells)) == sorted(map(str, other)):
        assert cells == other
    elif SHAPES[method] == "levels":
        pytest.fail("methods of shape levels do not look at the order of rows")


def test_methods_that_release_a_model_say_so(table):
    for name in MODELS:
        with pytest.raises(shoal.JobError, match="releases a model"):
            shoal.anonymize(table, shoal.Job.from_yaml(JOB), method=name)
