"""On Spark: local[2], and a standalone cluster of a master and two workers on loopback, from PySpark's own package."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading

import pyarrow
import pyarrow.parquet
import pytest

pyspark = pytest.importorskip("pyspark", reason="PySpark is not installed (tools/test_spark.sh installs it)")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java, which is not installed", allow_module_level=True)

import shoal

from conftest import people

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spark_program.py")
HOME = os.path.dirname(pyspark.__file__)
PATIENCE = 1800  # seconds: only a run that hangs takes so long, on a busy machine too
ACCEPTED = ["near-unique", "reveals", "one-value", "tight"]
COLUMNS = {
    "name": "identifier",
    "age": "quasi",
    "sex": "quasi",
    "zip": {"role": "quasi", "hierarchy": {"build": "mask"}},
    "education": {"role": "quasi", "hierarchy": "education.csv"},
    "illness": "sensitive",
    "income": "plain",
}
RELEASED = [name for name in COLUMNS if name != "name"]
SEARCHED = {"columns": COLUMNS, "k": 4, "method": "shoal", "params": {"effort": "fast", "fragments": "5"}, "accept": ACCEPTED}


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_NO_DAEMONIZE": "1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_HOME": HOME,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.path.dirname(PROGRAM),
    }


def drive(folder, job, *, name: str, master: str = "local[2,3]", **asked) -> dict:
    """Runs the program, with the job as a file, and gives its answer."""
    job_file = os.path.join(folder, f"{name}.yaml")
    with open(job_file, "w") as file:
        json.dump(job, file)
    asked = {"input": os.path.join(folder, "people.parquet"), "output": os.path.join(folder, name), **asked}
    words = json.dumps({**asked, "master": master, "job": job_file})
    done = subprocess.run(
        [sys.executable, PROGRAM, words], env=environment(), capture_output=True, text=True, timeout=PATIENCE, cwd=folder
    )
    found = re.findall(r"^ANSWER (.*)$", done.stdout, re.MULTILINE)
    assert found, done.stdout[-2000:] + done.stderr[-6000:]
    return dict(json.loads(found[-1]))


def expect_nothing_left(folder, name: str) -> None:
    left = [entry for entry in os.listdir(folder) if name in entry and not entry.endswith((".yaml", ".attempt"))]
    assert left == []


def expect_the_report_of_one_process(found: dict, whole) -> None:
    """Measures, groups and risks over the whole table."""
    report = whole.report.as_dict()
    expected = {name: value for name, value in report["measures"].items() if value is not None}
    assert found["measures"].keys() == expected.keys()
    for told, known in ((found["measures"], expected), (found["risk"], report["risk"]), (found["risk_before"], report["risk_before"])):
        assert told == pytest.approx(known)
    assert found["groups"] == report["groups"]


def rows_of(table, names=RELEASED) -> list[tuple]:
    return sorted(tuple(str(row[name]) for name in names) for row in table.to_pylist())


def rows_in(folder, name: str, names=RELEASED) -> list[tuple]:
    return rows_of(pyarrow.parquet.read_table(os.path.join(folder, name)), names)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> str:
    folder = str(tmp_path_factory.mktemp("spark"))
    pyarrow.parquet.write_table(people(900, seed=3, missing=True), os.path.join(folder, "people.parquet"))
    with open(os.path.join(folder, "education.csv"), "w") as file:
        file.write("9th,School,*\n10th,School,*\nBSc,BSc,*\nMSc,MSc,*\n")  # uneven: distortion depends on the value
    return folder


@pytest.fixture(scope="module")
def local(folder) -> dict:
    return drive(folder, SEARCHED, name="local", partitions=4)


def test_the_release_of_one_process(folder, local):
    assert local["rows_in"] == local["rows_out"] == local["rows_read"] == 900
    assert local["fragments"] > 2
    table = pyarrow.parquet.read_table(os.path.join(folder, "people.parquet"))
    whole = shoal.anonymize(table, os.path.join(folder, "local.yaml"))
    assert rows_in(folder, "local") == rows_of(whole.frame)
    expect_the_report_of_one_process(local, whole)
    names = {check["name"] for check in local["checks"]}
    assert {"columns", "requirement (age, sex, zip, education) k=4", "files", "rows", "coverage"} <= names
    assert {check["result"] for check in local["checks"]} == {"passed"}
    assert [stage for stage in local["stages"] if stage != "done"] == ["count", "pilot", "route", "search", "write", "verify", "measure"]


def test_the_same_bytes_from_seven_partitions_and_with_a_worker_killed(folder, local):
    other = drive(folder, SEARCHED, name="seven", partitions=7, fault="worker")
    assert os.path.exists(os.path.join(folder, "seven.attempt"))  # it was killed
    assert other["files"] == local["files"]


@pytest.fixture(scope="module")
def cluster(folder):
    """A master and two workers, each a process; their addresses are read from what they log."""
    started: list[subprocess.Popen] = []

    def start(*words: str) -> subprocess.Popen:
        process = subprocess.Popen(
            [os.path.join(HOME, "bin", "spark-class"), *words],
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
        )
        started.append(process)
        return process

    def wait_for(process: subprocess.Popen, pattern: str) -> str:
        timer = threading.Timer(PATIENCE, process.kill)
        timer.start()
        try:
            for line in process.stderr:
                found = re.search(pattern, line)
                if found:
                    threading.Thread(target=lambda: [None for _ in process.stderr], daemon=True).start()
                    return found.group(0)
        finally:
            timer.cancel()
        raise AssertionError(f"{process.args} ended without {pattern}")

    try:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        master = start(
            "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0"
        )
        address = wait_for(master, r"spark://127\.0\.0\.1:\d+")
        for number in range(2):
            worker = start(
                *["org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1"],
                *["--memory", "1g", "--work-dir", os.path.join(folder, f"worker-{number}"), address],
            )
            wait_for(worker, "Successfully registered with master")
        yield address
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def test_the_same_bytes_on_a_cluster(folder, local, cluster):
    first = drive(folder, SEARCHED, name="cluster-4", master=cluster, partitions=4)
    assert first["files"] == local["files"]
    killed = drive(folder, SEARCHED, name="cluster-7", master=cluster, partitions=7, fault="executor")
    assert os.path.exists(os.path.join(folder, "cluster-7.attempt"))
    assert killed["files"] == local["files"]


@pytest.mark.parametrize(
    "method, more",
    [
        ("incognito", {"suppress_rows": 0.05, "models": [{"model": "t-closeness", "column": "illness", "t": 0.4}]}),
        ("datafly", {"suppress_rows": 0.1}),
        ("mondrian", {"columns": {**COLUMNS, "name": "person"}, "models": [{"model": "distinct-l", "column": "illness", "l": 2}]}),
        ("mu-argus", {"params": {"combinations": "2"}}),
    ],
)
def test_methods_that_need_tuples_alone(folder, method, more):
    """Searched by distinct tuples with counts on the driver: the rows, the measures and the checks of one process that has all rows."""
    job = {**SEARCHED, "method": method, "params": {}, **more}
    found = drive(folder, job, name=method, partitions=3)
    table = pyarrow.parquet.read_table(os.path.join(folder, "people.parquet"))
    whole = shoal.anonymize(table, os.path.join(folder, f"{method}.yaml"))
    assert "error" not in found, found
    assert rows_in(folder, method) == rows_of(whole.frame)
    assert found["fragments"] == 1 and found["rows_in"] == 900 and found["rows_out"] == len(whole)
    expect_the_report_of_one_process(found, whole)
    assert {check["result"] for check in found["checks"]} == {"passed"}
    wanted = {check["name"] for check in whole.report.as_dict()["verification"]["checks"]}
    assert wanted <= {check["name"] for check in found["checks"]}


def test_what_tuples_cannot_say_is_refused_by_name(folder):
    relaxed = {**SEARCHED, "method": "mondrian", "params": {"cuts": "relaxed"}}
    found = drive(folder, relaxed, name="relaxed")
    assert found["error"] == "JobError" and "method mondrian may part equal rows (cuts=relaxed)" in found["words"]
    expect_nothing_left(folder, "relaxed")


def test_models_and_skew(folder):
    """Half of the rows are one tuple, three rows stand alone in a partition; every group has three illnesses."""
    table = people(400, seed=9)
    alike = pyarrow.Table.from_pylist([{**table.slice(0, 1).to_pylist()[0], "illness": ["flu", "none"][i % 2]} for i in range(400)])
    os.makedirs(os.path.join(folder, "skew"))
    pyarrow.parquet.write_table(pyarrow.concat_tables([table.slice(3), alike]), os.path.join(folder, "skew", "a.parquet"))
    pyarrow.parquet.write_table(table.slice(0, 3), os.path.join(folder, "skew", "b.parquet"))
    job = {**SEARCHED, "models": [{"model": "distinct-l", "column": "illness", "l": 3}]}
    found = drive(folder, job, name="skewed", input=os.path.join(folder, "skew"))
    assert found["rows_out"] == 800
    groups: dict[tuple, set[str]] = {}
    for row in rows_in(folder, "skewed"):
        groups.setdefault(row[:4], set()).add(row[4])
    assert min(len(values) for values in groups.values()) >= 3


COMPARED = {
    "equal": ({}, {"model": "t-closeness", "column": "illness", "t": 0.3}),
    "ordered": ({"pay": {"role": "sensitive", "type": "numeric"}}, {"model": "t-closeness", "column": "pay", "t": 0.2, "distance": "ordered"}),
    "hierarchical": (
        {"illness": {"role": "sensitive", "hierarchy": "illness.csv"}},
        {"model": "t-closeness", "column": "illness", "t": 0.3, "distance": "hierarchical"},
    ),
    "beta": ({}, {"model": "beta-likeness", "column": "illness", "beta": 1.5}),
    "delta": ({}, {"model": "delta-disclosure", "column": "illness", "delta": 2.5}),
    "joint": ({"income": "sensitive"}, {"model": "t-closeness", "column": "illness", "t": 0.5, "joint": "true"}),
}


@pytest.fixture(scope="module")
def unlike(folder) -> str:
    """A table in which illness and pay go with the age, so that a fragment is unlike the whole. Pay is written in several ways."""
    draw = random.Random(17)
    table = people(900, seed=4, missing=True)
    ages = [age or 40 for age in table["age"].to_pylist()]
    illness = [draw.choice(["flu", "asthma", "none"]) if draw.random() < 0.5 else ["flu", "asthma", "none"][(age - 18) // 21] for age in ages]
    pay = [draw.choice([0.0, 0.00025, 1.5, 100.0, 12345678.5, 3e20][(age - 18) // 21 :]) for age in ages]
    table = table.set_column(table.column_names.index("illness"), "illness", pyarrow.array(illness))
    path = os.path.join(folder, "unlike.parquet")
    pyarrow.parquet.write_table(table.append_column("pay", pyarrow.array(pay)), path)
    with open(os.path.join(folder, "illness.csv"), "w") as file:
        file.write("flu,ill,*\nasthma,ill,*\nnone,well,*\n")
    return path


def compared(kind: str) -> dict:
    columns, model = COMPARED[kind]
    return {**SEARCHED, "columns": {**COLUMNS, **columns}, "models": [model]}


@pytest.mark.parametrize("kind", COMPARED)
def test_models_that_compare_groups_with_the_whole_table(folder, unlike, kind):
    """In every fragment, and in the files as they were written: the rows and checks of one process that has all rows."""
    job = compared(kind)
    names = [*RELEASED, "pay"] if kind == "ordered" else RELEASED
    found = drive(folder, job, name=kind, input=unlike, partitions=3 + len(kind))
    assert "error" not in found, found
    assert found["fragments"] > 1
    table = pyarrow.parquet.read_table(unlike)
    whole = shoal.anonymize(table, os.path.join(folder, f"{kind}.yaml"))
    assert rows_in(folder, kind, names) == rows_of(whole.frame, names)
    told = {check["name"]: check for check in found["checks"]}
    model = [check for name, check in told.items() if model_word(job) in name]
    assert len(model) == 1 and model[0]["detail"] == "no group breaks it"  # counted by Spark, not taken from the fragments
    assert {check["result"] for check in found["checks"]} == {"passed"}
    expect_the_report_of_one_process(found, whole)


def model_word(job: dict) -> str:
    return f": {job['models'][0]['model']}:"


APART = [{"columns": ["age", "sex"], "k": 5}, {"columns": ["zip"], "k": 6}, {"columns": ["education"], "k": 30}]


@pytest.mark.parametrize("kind", ["plain", "persons", "whole"])
def test_requirements_that_share_no_column(folder, unlike, kind):
    """Each family has fragments of its own, searched one after the other: the rows, measures and checks of one process."""
    more = {
        "plain": {"columns": {**COLUMNS, "illness": "target"}, "method": "kaca", "params": {"fragments": "5"}, "suppress_rows": 0.05},
        "persons": {"columns": {**COLUMNS, "name": "person"}},
        "whole": {"models": [{"model": "t-closeness", "column": "illness", "t": 0.35}]},
    }[kind]
    job = {**{name: value for name, value in SEARCHED.items() if name != "k"}, "requirements": APART, **more}
    found = drive(folder, job, name=f"apart-{kind}", input=unlike, partitions=4, fault="worker")
    assert "error" not in found, found
    assert found["fragments"] > 6 and found["rows_in"] == found["rows_out"] == 900
    assert sum(found["fragment_rows"]) == 3 * 900
    whole = shoal.anonymize(pyarrow.parquet.read_table(unlike), os.path.join(folder, f"apart-{kind}.yaml"))
    assert rows_in(folder, f"apart-{kind}") == rows_of(whole.frame)
    assert {check["result"] for check in found["checks"]} == {"passed"}
    wanted = {check["name"] for check in whole.report.as_dict()["verification"]["checks"]}
    assert wanted <= {check["name"] for check in found["checks"]}
    expect_the_report_of_one_process(found, whole)
    assert {finding["code"] for finding in whole.findings} <= {finding["code"] for finding in found["findings"]}
    told = [notice for notice in found["notices"] if "no rows are dropped" in notice]
    assert len(told) == (1 if kind == "plain" else 0)


def test_the_same_bytes_where_requirements_share_no_column(folder, unlike):
    job = {**{name: value for name, value in SEARCHED.items() if name != "k"}, "requirements": APART}
    first = drive(folder, job, name="apart-2", input=unlike, partitions=2)
    other = drive(folder, job, name="apart-7", input=unlike, partitions=7, fault="worker")
    assert first["files"] == other["files"]


def test_the_same_bytes_of_what_is_compared_with_the_whole_table(folder, unlike):
    first = drive(folder, compared("equal"), name="compared-2", input=unlike, partitions=2)
    other = drive(folder, compared("equal"), name="compared-7", input=unlike, partitions=7, fault="worker")
    assert first["files"] == other["files"]


def test_verify_compares_with_the_original(folder, unlike):
    job = {**SEARCHED, "columns": {**COLUMNS, "pay": {"role": "sensitive", "type": "numeric"}}}
    found = drive(folder, job, name="uncompared", input=unlike)
    assert "error" not in found, found
    release = os.path.join(folder, "uncompared")

    def result(name: str, t: float, **asked) -> tuple[bool, str]:
        model = {"model": "t-closeness", "column": "pay", "t": t, "distance": "ordered"}
        answer = drive(folder, {**job, "models": [model]}, name=name, do="verify", input=release, **asked)
        return answer["ok"], answer["checks"][-1]["result"]

    assert result("kept", 0.99, original=unlike) == (True, "passed")
    assert result("broken", 0.05, original=unlike) == (False, "failed")
    assert result("unknown", 0.99) == (False, "not checked")


def test_verify_counts_in_spark(folder, local):
    kept = drive(folder, SEARCHED, name="verified", do="verify", input=os.path.join(folder, "local"))
    assert [check["result"] for check in kept["checks"]] == ["passed", "passed"]
    stricter = drive(folder, {**SEARCHED, "k": 40}, name="stricter", do="verify", input=os.path.join(folder, "local"))
    assert not stricter["ok"]
    assert [check["result"] for check in stricter["checks"]] == ["passed", "failed"]


def test_risk_and_measure_are_those_of_one_process(folder, local):
    table = pyarrow.parquet.read_table(os.path.join(folder, "people.parquet"))
    job = os.path.join(folder, "local.yaml")
    found = drive(folder, SEARCHED, name="risk", do="risk")
    expected = shoal.risk(table, job).as_dict()
    assert found["rows"] == 900 and found["risk"] == pytest.approx(expected["risk"])
    measured = drive(
        folder, SEARCHED, name="measured", do="measure", input=os.path.join(folder, "local"),
        original=os.path.join(folder, "people.parquet"),
    )
    whole = shoal.anonymize(table, job)
    assert measured["rows_in"] == measured["rows_out"] == 900
    for name, value in measured["measures"].items():
        assert value == pytest.approx(whole.measures[name]), name
    assert measured["risk"] == pytest.approx(whole.report.as_dict()["risk"])


def test_the_program_for_spark_submit(folder, local):
    program = os.path.join(os.path.dirname(PROGRAM), "..", "..", "examples", "spark", "anonymize_on_spark.py")

    def submit() -> subprocess.CompletedProcess[str]:
        words = [program, os.path.join(folder, "local.yaml"), os.path.join(folder, "people.parquet"), os.path.join(folder, "submitted")]
        return subprocess.run(
            [os.path.join(HOME, "bin", "spark-submit"), "--master", "local[2]", "--conf", "spark.ui.enabled=false",
             "--conf", "spark.sql.shuffle.partitions=4", *words],
            env=environment(), capture_output=True, text=True, timeout=PATIENCE, cwd=folder,
        )

    done = submit()
    assert done.returncode == 0, done.stderr[-4000:]
    assert json.loads(done.stdout)["rows_out"] == 900
    assert rows_in(folder, "submitted") == rows_in(folder, "local")
    again = submit()
    assert again.returncode == 1 and "is there already" in again.stdout + again.stderr  # spark-submit joins them


def test_a_partition_that_cannot_be_read(folder):
    found = drive(folder, SEARCHED, name="unreadable", partitions=4, fault="always")
    assert found["error"] == "ShoalError" and "this partition cannot be read" in found["words"]
    expect_nothing_left(folder, "unreadable")


def test_a_file_with_a_column_of_another_type(folder):
    os.makedirs(os.path.join(folder, "mixed"))
    table = people(60, seed=2)
    pyarrow.parquet.write_table(table, os.path.join(folder, "mixed", "a.parquet"))
    words = table.set_column(1, "age", pyarrow.array(["old"] * 60))
    pyarrow.parquet.write_table(words, os.path.join(folder, "mixed", "b.parquet"))
    found = drive(
        folder, SEARCHED, name="other-type", input=os.path.join(folder, "mixed"), schema_of=os.path.join(folder, "people.parquet")
    )
    assert "nothing was released" in found["words"] and found["error"] == "ShoalError"
    expect_nothing_left(folder, "other-type")


def test_an_output_that_is_there(folder, local):
    found = drive(folder, SEARCHED, name="local")
    assert found["error"] == "JobError" and "is there already" in found["words"]
    assert len(rows_in(folder, "local")) == 900  # untouched


def test_what_cannot_be_had(folder):
    few = drive(folder, {**SEARCHED, "k": 901}, name="few")
    assert few["error"] == "Unsatisfiable" and "900" in few["words"]
    expect_nothing_left(folder, "few")
    unknown = drive(folder, {**SEARCHED, "columns": {**COLUMNS, "salary": "quasi"}}, name="unknown")
    assert unknown["error"] == "JobError" and "salary" in unknown["words"]
    expect_nothing_left(folder, "unknown")
