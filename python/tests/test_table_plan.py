"""The engine's part of what Spark does, without Spark: plan from counts, route, search fragments, against one process."""

from __future__ import annotations

import collections
import json
import random

import pyarrow
import pytest

import shoal
import shoal.spark
from shoal import _shoal, _spark_parts
from shoal._spark_session import _cause, spark_sql

from conftest import people

JOB = {
    "columns": {
        "age": "quasi",
        "sex": "quasi",
        "zip": {"role": "quasi", "hierarchy": {"build": "mask"}},
        "education": "quasi",
        "illness": "sensitive",
        "income": "plain",
    },
    "k": 4,
    "method": "shoal",
    "params": {"effort": "fast", "fragments": "5"},
    "accept": ["near-unique", "reveals", "one-value", "tight"],
}
QUASI = ["age", "sex", "zip", "education"]
COLUMNS = ["age", "sex", "zip", "education", "illness", "income"]


def shared(plan: bytes, document: dict = JOB, found: list[str] = []) -> dict:
    job = {"document": document, "files": {}, "trees": {}}
    return {"id": str(hash(plan)) + json.dumps(document), "job": job, "plan": plan, "quasi": QUASI, "released": COLUMNS, "found": found}


def counts_of(values) -> pyarrow.Table:
    counted = collections.Counter(values)
    return pyarrow.table({"value": list(counted), "count": list(counted.values())})


def batches(table: pyarrow.Table, size: int = 97) -> list[pyarrow.RecordBatch]:
    empty = table.slice(0, 0).to_batches() or [pyarrow.RecordBatch.from_pylist([], schema=table.schema)]
    return [*empty, *table.to_batches(max_chunksize=size)]


def counted_plan(table: pyarrow.Table, job: dict = JOB) -> _shoal.TablePlan:
    handle = _spark_parts.job_handle(shared(b"", job)["job"])
    domains = [(name, _spark_parts.taken(counts_of(table[name].to_pylist()))) for name in COLUMNS if name in [*QUASI, *handle.columns("sensitive")]]
    return _shoal.TablePlan.counted(handle, COLUMNS, table.num_rows, domains)


def planned(table: pyarrow.Table, job: dict = JOB, counted_before: _shoal.TablePlan | None = None) -> bytes:
    plan = counted_before or counted_plan(table, job)
    planner = _shoal.FragmentPlanner(plan)
    assert planner.fragments == 5 and planner.reason == ""
    raw = table.select(QUASI).append_column("count", pyarrow.array([1] * table.num_rows, pyarrow.int64()))
    counted: collections.Counter = collections.Counter()
    for batch in _spark_parts.keys(shared(plan.bytes(), job), batches(raw)):
        for row in batch.to_pylist():
            counted[row["key"]] += row["count"]
    tuples = pyarrow.table({"key": list(counted), "count": list(counted.values())})
    pilot = list(_spark_parts.drawn(shared(plan.bytes(), job), planner.pilot_rows, batches(tuples)))
    planner.grow(_spark_parts.taken(pyarrow.Table.from_batches(pilot)), None, None)

    def rows() -> list[int]:
        here = shared(planner.bytes(), job)
        found = [0] * len(_spark_parts.plan_of(here).fragment_of_leaf)
        for batch in _spark_parts.leaves(here, batches(tuples)):
            for row in batch.to_pylist():
                found[row["leaf"]] += row["count"]
        return found

    counts = rows()
    while planner.cut_again(counts):
        counts = rows()
    assert sum(counts) == table.num_rows
    holding: list[list[int]] = []
    broken: list[list[int]] = []
    columns = plan.model_columns()
    unknown = planner.join(counts, holding, broken)
    while unknown and columns is not None:
        here = shared(planner.bytes(), job)
        under = pyarrow.Table.from_batches(_spark_parts.under_leaves(here, columns, batches(table)))
        counted_under = under.group_by([_spark_parts.LEAF, *columns]).aggregate([([], "count_all")])
        counted_under = counted_under.rename_columns([_spark_parts.LEAF, *columns, _spark_parts.ROWS])
        sets = []
        for number, leaves in enumerate(unknown):
            chosen = counted_under.filter(pyarrow.compute.is_in(counted_under[_spark_parts.LEAF], pyarrow.array(leaves, pyarrow.int32())))
            sets.append(chosen.append_column(_spark_parts.FRAGMENT, pyarrow.array([number] * chosen.num_rows, pyarrow.int32())))
        kept = pyarrow.Table.from_batches(_spark_parts.kept(here, columns, batches(pyarrow.concat_tables(sets), 3)))
        assert kept[_spark_parts.FRAGMENT].to_pylist() == list(range(len(unknown)))
        for leaves, keeps in zip(unknown, kept["keeps"].to_pylist()):
            (holding if keeps else broken).append(leaves)
        unknown = planner.join(counts, holding, broken)
    return planner.bytes()


def answers(plan: bytes, table: pyarrow.Table, job: dict = JOB, found: list[str] = []) -> pyarrow.Table:
    """As on Spark without applyInArrow: rows of all fragments in one stream, sorted by their fragment."""
    places = [100, 7, 55, 3, 20, 1, 0, 9][: _spark_parts.plan_of(shared(plan, job)).fragments]
    routed = pyarrow.Table.from_batches(_spark_parts.routed(shared(plan, job), places, batches(table))).sort_by(_spark_parts.FRAGMENT)
    number_of_place = {place: number for number, place in enumerate(places)}
    return pyarrow.Table.from_batches(_spark_parts.fragments(shared(plan, job, found), number_of_place, batches(routed)))


def released_rows(table: pyarrow.Table) -> list[tuple]:
    rows = [tuple(row[name] for name in COLUMNS) for row in table.to_pylist()]
    return sorted(rows, key=lambda row: [str(cell) for cell in row])


def test_fragments_of_a_plan_give_the_release_of_one_process():
    table = people(700, seed=3, missing=True).select(COLUMNS)
    plan = planned(table)
    answer = answers(plan, table)
    told = [json.loads(words) for words in answer[_spark_parts.TOLD].to_pylist() if words]
    assert len(told) > 2 and {one["status"] for one in told} == {"released"}
    assert sum(one["rows_in"] for one in told) == 700 == sum(one["rows_out"] for one in told)
    released = answer.filter(pyarrow.compute.is_null(answer[_spark_parts.TOLD])).drop_columns([_spark_parts.TOLD])
    whole = shoal.anonymize(table, JOB)
    assert released_rows(released) == released_rows(whole.frame)
    gcp = sum(one["measures"]["gcp"] * one["rows_in"] for one in told) / 700
    assert gcp == pytest.approx(whole.measures["gcp"])


@pytest.mark.parametrize(
    "model",
    [
        {"model": "distinct-l", "column": "illness", "l": 3},
        {"model": "t-closeness", "column": "illness", "t": 0.25},
        {"model": "beta-likeness", "column": "illness", "beta": 1},
        {"model": "delta-disclosure", "column": "illness", "delta": 2},
        {"model": "t-closeness", "column": "illness", "t": 0.6, "joint": "true"},
    ],
    ids=str,
)
def test_leaves_that_break_a_model_join_others_as_in_one_process(model):
    job = {**JOB, "columns": {**JOB["columns"], "income": "sensitive"}, "models": [model]}
    table = people(700, seed=6, missing=True).select(COLUMNS)
    draw = random.Random(1)
    by_age = [["flu", "asthma", "none"][min(2, ((age or 40) - 18) // 21)] for age in table["age"].to_pylist()]
    ill = [draw.choice(["flu", "asthma", "none"]) if draw.random() < 0.4 else likely for likely in by_age]
    table = table.set_column(COLUMNS.index("illness"), "illness", pyarrow.array(ill))
    answer = answers(planned(table, job), table, job)
    told = [json.loads(words) for words in answer[_spark_parts.TOLD].to_pylist() if words]
    assert {one["status"] for one in told} == {"released"}
    released = answer.filter(pyarrow.compute.is_null(answer[_spark_parts.TOLD])).drop_columns([_spark_parts.TOLD])
    whole = shoal.anonymize(table, job)
    assert released_rows(released) == released_rows(whole.frame)


def test_requirements_that_share_no_column_are_searched_one_after_the_other():
    """Rows go on to the next family as they are, what was found beside them."""
    requirements = [{"columns": ["age"], "k": 5}, {"columns": ["sex", "zip"], "k": 4}, {"columns": ["education"], "k": 20}]
    job = {**{name: value for name, value in JOB.items() if name != "k"}, "requirements": requirements, "method": "kaca", "params": {"fragments": "5"}, "suppress_rows": 0.1}
    table = people(700, seed=12, missing=True).select(COLUMNS)
    plans = counted_plan(table, job).by_family()
    keys = [plan.key_columns() for plan in plans]
    assert sorted(sum(keys, [])) == sorted(QUASI) and ["age"] in keys
    rows = table
    for number, counted in enumerate(plans):
        last = number + 1 == len(plans)
        answer = answers(planned(rows, job, counted), rows, job, [] if last else counted.key_columns())
        told = [json.loads(words) for words in answer[_spark_parts.TOLD].to_pylist() if words]
        assert len(told) > 1 and {one["status"] for one in told} == {"released"}
        rows = answer.filter(pyarrow.compute.is_null(answer[_spark_parts.TOLD])).drop_columns([_spark_parts.TOLD])
        if not last:
            assert rows.select(COLUMNS).schema.equals(table.schema)
            assert released_rows(rows.select(COLUMNS)) == released_rows(table)
            assert [name for name in rows.column_names if name not in COLUMNS] == [_spark_parts.FOUND + name for name in sum(keys[: number + 1], [])]
    whole = shoal.anonymize(table, job)
    assert released_rows(rows) == released_rows(whole.frame)
    gcp = sum(one["measures"]["gcp"] * one["rows_in"] for one in told) / 700
    assert gcp == pytest.approx(whole.measures["gcp"])
    assert plans[0].notices == ["no rows are dropped where several requirements are kept apart"]
    assert plans[0].notices[0] in whole.report.as_dict()["notices"]


def test_the_order_of_rows_and_batches_does_not_matter():
    table = people(500, seed=8).select(COLUMNS)
    order = list(range(500))
    random.Random(4).shuffle(order)
    assert planned(table) == planned(table.take(order))
    first, other = answers(planned(table), table), answers(planned(table), table.take(order))
    assert first.equals(other)


def test_a_fragment_without_an_answer_says_so():
    table = people(300, seed=5).select(COLUMNS)
    plan = _spark_parts.plan_of(shared(planned(table)))
    part = _shoal.FragmentRows(0, _spark_parts.taken(table.slice(0, 3)))
    handle = plan.anonymize(part, _spark_parts._second_engine.engine(), None, None)
    assert handle.status == "unsatisfied" and "3 rows" in handle.reason


def test_a_value_that_was_not_counted_is_refused():
    table = people(300, seed=5).select(COLUMNS)
    plan = planned(table)
    strange = table.set_column(1, "sex", pyarrow.array(["x"] * 300))
    with pytest.raises(shoal.InputError, match="not among the values"):
        list(_spark_parts.routed(shared(plan), list(range(8)), batches(strange)))


def test_bytes_that_are_no_plan_are_refused():
    with pytest.raises(shoal.InputError, match="not a plan"):
        _shoal.TablePlan(_spark_parts.job_handle(shared(b"")["job"]), b"something")


@pytest.mark.parametrize("call", [shoal.spark.anonymize, shoal.spark.risk, shoal.spark.verify])
def test_tables_that_are_no_spark_frames_are_refused(call):
    wanted = {"output": "nowhere"} if call is shoal.spark.anonymize else {}
    with pytest.raises(shoal.InputError, match="not a Spark DataFrame"):
        call(people(10), JOB, **wanted)


def test_what_spark_raises_in_a_line():
    java = "An error occurred.\n: org.x.SparkException: Job aborted\n\tat org.x\nCaused by: java.io.IOException: no disk\n\tat org.y"
    assert _cause(java) == "java.io.IOException: no disk"
    worker = 'Oh.\nTraceback (most recent call last):\n  File "a.py", line 3\n    f()\nRuntimeError: no such row\n\n\tat org.x\n'
    assert _cause(worker + "Caused by: something else") == "RuntimeError: no such row"
    assert _cause("plain words\nand more") == "plain words" and _cause("") == "it did not say why"


@pytest.mark.parametrize(
    "standard, spark",
    [
        ('SELECT "a""b" FROM "release"', 'SELECT `a"b` FROM `seen`'),
        ("SELECT 'it''s \\ ', \"release\"", "SELECT 'it\\'s \\\\ ', `release`"),
        ('SELECT \'"no name"\' FROM "release" WHERE "b`c" = 1', "SELECT '\"no name\"' FROM `seen` WHERE `b``c` = 1"),
    ],
)
def test_sql_in_the_dialect_of_spark(standard: str, spark: str):
    assert spark_sql(standard, "seen") == spark
