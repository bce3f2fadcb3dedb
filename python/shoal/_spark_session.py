"""What a driver needs of Spark: SQL in its dialect, an engine that counts, a folder that appears complete or not at all, progress."""

from __future__ import annotations

import contextlib
import re
import threading
import uuid
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import pyarrow
import pyarrow.compute

from . import _shoal
from ._progress import Show

_TOKENS = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\bSUM\(1\)", re.DOTALL)


def quoted(name: str) -> str:
    """A column's name as Spark quotes it."""
    return "`" + name.replace("`", "``") + "`"


def spark_sql(sql: str, relation: str = "release") -> str:
    """Standard SQL as Spark reads it: names in backticks, texts with backslashes; FROM "release" names `relation`. Counts of rows are
    decimals of 38 digits: models multiply them, and what Spark counts in 64 bits may overflow without a word."""

    def token(found: re.Match[str]) -> str:
        text = found.group(0)
        if text == "SUM(1)":
            return "SUM(CAST(1 AS DECIMAL(20, 0)))"
        inner = text[1:-1]
        if text[0] == "'":
            return "'" + inner.replace("\\", "\\\\").replace("''", "\\'") + "'"
        name = inner.replace('""', '"')
        if name == "release" and sql[: found.start()].endswith("FROM "):
            name = relation
        return quoted(name)

    return _TOKENS.sub(token, sql)


def arrow_of(frame: Any) -> Any:
    """All rows of a (small) frame on the driver."""
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    from pyspark.sql.pandas.types import to_arrow_schema

    batches = frame._collect_as_arrow()
    if not batches:
        return to_arrow_schema(frame.schema).empty_table()
    return pyarrow.Table.from_batches(batches)


def as_texts(frame: Any) -> Any:
    """The frame with texts for cells, as the engine means them."""
    from pyspark.sql import functions

    cells = []
    for field in frame.schema.fields:
        cell = functions.col(quoted(field.name)).cast("string")
        if field.dataType.typeName() in ("float", "double"):
            cell = functions.regexp_replace(cell, r"\.0$", "")
        cells.append(cell.alias(field.name))
    return frame.select(*cells)


def counted_texts(frame: Any, names: list[str]) -> list[tuple[str, Any]]:
    """Of each of these columns the different texts, and how many rows have them."""
    from pyspark.sql import functions

    texts = as_texts(frame.select(*[quoted(name) for name in names]))
    return [(name, arrow_of(texts.groupBy(functions.col(quoted(name)).alias("value")).count())) for name in names]


def counted_by_column(frame: Any, names: list[str]) -> list[tuple[str, Any]]:
    """Of each of these columns the different values (`value`), and how many rows have them (`count`): by one job."""
    session = frame.sparkSession
    listed = ", ".join(quoted(name) for name in names)
    sets = ", ".join(f"({quoted(name)})" for name in names)
    view = f"shoal_{uuid.uuid4().hex}"
    frame.createOrReplaceTempView(view)
    try:
        counted = arrow_of(
            session.sql(
                f"SELECT {listed}, grouping_id({listed}) AS shoal_set, count(*) AS shoal_rows FROM {view} "
                f"GROUP BY {listed} GROUPING SETS ({sets})"
            )
        )
    finally:
        session.catalog.dropTempView(view)
    by_column = []
    for place, name in enumerate(names):
        bits = (1 << len(names)) - 1 - (1 << (len(names) - 1 - place))
        chosen = counted.filter(pyarrow.compute.equal(counted["shoal_set"], bits))
        by_column.append((name, pyarrow.table({"value": chosen[name], "count": chosen["shoal_rows"]})))
    return by_column


class SparkEngine:
    """Counts the groups of a release for the verification."""

    def __init__(self, frame: Any) -> None:
        self._session = frame.sparkSession
        self._view = f"shoal_{uuid.uuid4().hex}"
        as_texts(frame).createOrReplaceTempView(self._view)

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self._session.catalog.dropTempView(self._view)

    def query(self, sql: str) -> list[list[str | None]]:
        rows = self._session.sql(spark_sql(sql, self._view)).collect()
        return [[None if cell is None else str(cell) for cell in row] for row in rows]

    def create_table(self, name: str, table: Any) -> None:
        raise _shoal.ShoalError(f"the table {name} cannot be made on Spark")


class Folder:
    """A folder that appears when everything in it is complete and checked, or never: what is written goes to a folder beside it,
    which is removed whatever happens. Any file system that Spark writes to; the rename is as atomic as that system's."""

    def __init__(self, session: Any, output: str) -> None:
        self._jvm = session._jvm
        self._output = self._jvm.org.apache.hadoop.fs.Path(output)
        self._system = self._output.getFileSystem(session._jsc.hadoopConfiguration())
        self._output = self._system.makeQualified(self._output)
        self._refuse_existing()
        parent = self._output.getParent()
        if parent is None:
            raise _shoal.JobError(f"{output!r} cannot be an output folder")
        self._beside = self._jvm.org.apache.hadoop.fs.Path(parent, f".{self._output.getName()}.{uuid.uuid4().hex}.partial")

    def _refuse_existing(self) -> None:
        if self._system.exists(self._output):
            raise _shoal.JobError(f"'{self._output.toString()}' is there already; nothing was written")

    def __enter__(self) -> Folder:
        self._system.mkdirs(self._beside)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._system.delete(self._beside, True)

    def inside(self, name: str) -> str:
        return str(self._jvm.org.apache.hadoop.fs.Path(self._beside, name).toString())

    def remove(self, path: str) -> None:
        self._system.delete(self._jvm.org.apache.hadoop.fs.Path(path), True)

    def plain_names(self, path: str) -> None:
        """part-00000.parquet, ...: without the number that Spark draws for each run. Other files go."""
        folder = self._jvm.org.apache.hadoop.fs.Path(path)
        for status in self._system.listStatus(folder):
            name = status.getPath().getName()
            part = re.match(r"(part-\d+)-", name)
            if part is None:
                self._system.delete(status.getPath(), True)
                continue
            plain = self._jvm.org.apache.hadoop.fs.Path(folder, part.group(1) + ".parquet")
            if not self._system.rename(status.getPath(), plain):
                raise _shoal.ShoalError(f"cannot rename {name} in {path}")

    def publish(self, path: str) -> None:
        """The rename. Whoever made a folder of that name in the meantime keeps it."""
        self._refuse_existing()
        if not self._system.rename(self._jvm.org.apache.hadoop.fs.Path(path), self._output):
            raise _shoal.ShoalError(f"cannot rename the finished release to '{self._output.toString()}'; nothing was released")


@contextlib.contextmanager
def plain_errors(watch: Watch) -> Iterator[None]:
    """What Spark raises, as this package's errors: those that a worker raised under their own name, others with the stage that failed
    and the cause in a line."""
    try:
        yield
    except _shoal.ShoalError:
        raise
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
            raise
        text = str(error)
        ours = re.search(r"shoal(?:\._shoal)?\.(\w+): ([^\n]*)", text)
        if ours and issubclass(getattr(_shoal, ours.group(1), object), _shoal.ShoalError):
            raise getattr(_shoal, ours.group(1))(ours.group(2)) from error
        raise _shoal.ShoalError(f"Spark could not finish ({watch.name}): {_cause(text)}; nothing was released") from error


def _cause(text: str) -> str:
    """The line that says most: what a Python worker raised, the last cause of a Java stack, or the first line."""
    workers = re.findall(r"^Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+([^\s][^\n]*)", text, re.MULTILINE)
    causes = re.findall(r"^Caused by: ([^\n]*)", text, re.MULTILINE)
    lines = [line for line in text.splitlines() if line.strip()]
    return str((workers[-1:] or causes[-1:] or lines[:1] or ["it did not say why"])[0])[:500]


class Watch:
    """Shows which stage a run is in and how many of its tasks are done; stops its Spark jobs when it is left by an exception."""

    def __init__(self, session: Any, show: Show | None) -> None:
        self._context = session.sparkContext
        self._show = show
        self._group = f"shoal-{uuid.uuid4().hex}"
        self._stage = ""
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def stage(self, name: str) -> None:
        self._stage = name
        self._context.setJobGroup(self._group, f"shoal: {name}", True)
        if self._show is not None:
            self._show(name, 0.0)

    @property
    def name(self) -> str:
        """The stage that the run is in."""
        return self._stage

    def __enter__(self) -> Watch:
        if self._show is not None:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if kind is not None:
            self._context.cancelJobGroup(self._group)
        self._context.setLocalProperty("spark.jobGroup.id", None)
        self._context.setLocalProperty("spark.job.description", None)
        if self._show is not None:
            self._show("done", 1.0)

    def _watch(self) -> None:
        tracker = self._context.statusTracker()
        while not self._ended.wait(0.5):
            done = total = 0
            for number in tracker.getActiveStageIds():
                stage = tracker.getStageInfo(number)
                if stage is not None:
                    done += stage.numCompletedTasks
                    total += stage.numTasks
            if total and self._show is not None:
                self._show(self._stage, done / total)
