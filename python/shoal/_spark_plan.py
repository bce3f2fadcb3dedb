"""The plan of a run on Spark: jobs that reach workers, values and tuples counted, the tree of cuts, rows on their way to fragments."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

import pyarrow
import pyarrow.compute

from . import _shoal, _spark_parts
from ._spark_session import Watch, arrow_of, counted_by_column, quoted, spark_sql
from .job import Job

_MOST_SQL = 60_000  # characters of a CASE; larger trees are walked in Arrow batches


def columns_of(frame: Any) -> list[str]:
    """The columns of a frame that can be worked with; raises InputError for what is none."""
    if type(frame).__module__.startswith("pyspark.sql.connect"):
        raise _shoal.InputError("a Spark Connect session gives no access to broadcasts and files; use an ordinary SparkSession")
    if not type(frame).__module__.startswith("pyspark.") or not hasattr(frame, "sparkSession"):
        raise _shoal.InputError(f"the table is a {type(frame).__name__}, not a Spark DataFrame; shoal.anonymize takes others")
    columns = list(frame.columns)
    for name in columns:
        if columns.count(name) > 1:
            raise _shoal.InputError(f"the table has two columns {name!r}")
        needed = (_spark_parts.FRAGMENT, _spark_parts.TOLD, _spark_parts.LEAF, _spark_parts.ROWS)
        if name in needed or name.startswith(_spark_parts.FOUND):
            raise _shoal.InputError(f"the table has a column {name!r}, a name that is needed here; rename it")
    return columns


class PortableJob:
    """A job in a form that reaches workers: a document, trees, and the contents of its hierarchy files. Columns that are not
    released and not needed are left out: they never leave their partition."""

    def __init__(self, job: Job, columns: list[str], checked: bool = True) -> None:
        self.handle = job._handle()
        if checked:
            self.handle.check()
        document = json.loads(_shoal.job_json(job._text, job._name, job._folder)) if job._text is not None else job._document
        document = json.loads(json.dumps(document))
        hidden = set(self.handle.columns("identifier"))
        missing = [name for name in document.get("columns", {}) if name not in columns]
        if missing:
            raise _shoal.JobError(f"no column {missing[0]!r} in the table; it has {', '.join(columns)}")
        self.files: dict[str, bytes] = {}
        for name in list(document.get("columns", {})):
            if name in hidden:
                del document["columns"][name]
                continue
            self._take_file(document["columns"][name], job)
        self.document = document
        self.trees = {name: tree for name, tree in job._trees.items() if name not in hidden}
        self.method = self.handle.method
        self.roles: dict[str, str] = {}
        for role in ("quasi", "sensitive", "target", "person", "plain"):
            self.roles.update({name: role for name in self.handle.columns(role)})
        if document.get("others") == "plain":
            self.roles.update({name: "plain" for name in columns if name not in self.roles and name not in hidden})
        self.columns = [name for name in columns if name in self.roles]
        self.released = [name for name in self.columns if self.roles[name] != "person"]

    def _take_file(self, column: Any, job: Job) -> None:
        if not isinstance(column, dict) or not isinstance(column.get("hierarchy"), str):
            return
        path = os.path.join(job._folder, column["hierarchy"])
        name = f"hierarchy-{len(self.files)}{os.path.splitext(path)[1]}"
        with open(path, "rb") as file:
            self.files[name] = file.read()
        column["hierarchy"] = name

    def of(self, *roles: str) -> list[str]:
        """Columns of these roles, in the table's order."""
        return [name for name in self.columns if self.roles[name] in roles]

    def shared(self) -> dict[str, Any]:
        return {"document": self.document, "files": self.files, "trees": self.trees}


def readable(frame: Any, columns: list[str]) -> Any:
    """The columns that are needed; 0.0 and -0.0, which Spark counts as one value, written alike."""
    from pyspark.sql import functions

    chosen = []
    for name in columns:
        column = functions.col(quoted(name))
        if frame.schema[name].dataType.typeName() in ("float", "double"):
            column = (column + functions.lit(0.0)).cast(frame.schema[name].dataType).alias(name)
        chosen.append(column)
    return frame.select(*chosen)


class PlanningRun:
    """One run of a job over a frame, from counting to the staged answers of all fragments. Where requirements share no column, each
    family of them is planned and searched by itself, one after the other; the frame then has what was found before beside its rows."""

    def __init__(self, frame: Any, job: PortableJob, watch: Watch) -> None:
        self.frame, self.job, self.watch = frame, job, watch
        self.session = frame.sparkSession
        self.broadcasts: list[Any] = []
        self.tuples: Any = None
        self.under_leaves: Any = None
        self.handle = _spark_parts.job_handle(job.shared())

    def broadcast(self, plan: bytes, found: list[str] | None = None) -> Any:
        """`found`: columns that are released in this turn, whose rows are searched once more for others."""
        job = self.job.shared()
        job["document"] = {"threads": 1, **job["document"]}  # Spark counts a core for each task
        shared = {
            "id": hashlib.sha256(plan + json.dumps(job["document"]).encode()).hexdigest(),
            "job": job,
            "plan": plan,
            "quasi": self.job.of("quasi"),
            "released": self.job.released,
            "found": found or [],
        }
        self.broadcasts.append(self.session.sparkContext.broadcast(shared))
        return self.broadcasts[-1]

    def close(self) -> None:
        for broadcast in self.broadcasts:
            broadcast.unpersist()
        for counted in (self.tuples, self.under_leaves):
            if counted is not None:
                counted.unpersist()
        self.broadcasts, self.tuples, self.under_leaves = [], None, None

    # ---- count, plan, route ----

    def count(self) -> _shoal.TablePlan:
        """Distinct values and counts of every quasi and sensitive column by one job."""
        self.watch.stage("count")
        counted = counted_by_column(self.frame, self.job.of("quasi", "sensitive"))
        rows = pyarrow.compute.sum(counted[0][1]["count"]).as_py() or 0
        if rows == 0:
            raise _shoal.InputError("the table has no rows")
        domains = [(name, _spark_parts.taken(table, f"the column {name!r}")) for name, table in counted]
        return _shoal.TablePlan.counted(self.handle, self.job.columns, rows, domains)

    def plan(self, counted: _shoal.TablePlan, last: bool) -> PlannedRun:
        """The fragments of a plan that has counts. `last`: no other requirements are searched for after these."""
        planner = _shoal.FragmentPlanner(counted)
        planned = PlannedRun(self, counted, planner, last)
        if planner.fragments >= 2:
            planned.cut()
        return planned

    def go_on(self, staged: Any) -> None:
        """The turn is over: these are the rows of the next one."""
        self.close()
        self.frame = staged.where(f"{_spark_parts.TOLD} IS NULL").drop(_spark_parts.TOLD)


class PlannedRun:
    """The tree of a run, and what is known about its leaves."""

    def __init__(self, run: PlanningRun, counted: _shoal.TablePlan, planner: _shoal.FragmentPlanner, last: bool) -> None:
        self.run, self.planner, self.plan, self.last = run, planner, counted, last
        self.rows: list[int] = []
        # Sets of leaves, of which it is known whether their rows may be a fragment.
        self.holding: list[list[int]] = []
        self.broken: list[list[int]] = []

    def cut(self) -> None:
        run = self.run
        run.watch.stage("pilot")
        shared = run.broadcast(self.plan.bytes())
        columns = [quoted(name) for name in self.plan.key_columns()]
        raw = run.frame.groupBy(*columns).count()
        keyed = raw.mapInArrow(lambda batches: _worker().keys(shared.value, batches), "key string, count bigint")
        run.tuples = keyed.groupBy("key").sum("count").withColumnRenamed("sum(count)", "count").persist()
        self.planner.count_tuples(run.tuples.count())
        if self.planner.fragments < 2:
            return
        wanted = self.planner.pilot_rows
        pilot = arrow_of(
            run.tuples.mapInArrow(lambda batches: _worker().drawn(shared.value, wanted, batches), "key string, count bigint")
        )
        self.planner.grow(_spark_parts.taken(pilot, "the pilot"), None, None)
        run.watch.stage("route")
        self.rows = self.counts()
        while self.planner.cut_again(self.rows):
            self.rows = self.counts()
        self.join()

    def counts(self) -> list[int]:
        """Rows of each leaf of the tree, exactly."""
        plan = _shoal.TablePlan(self.run.handle, self.planner.bytes())
        shared = self.run.broadcast(self.planner.bytes())
        leaves = self.run.tuples.mapInArrow(lambda batches: _worker().leaves(shared.value, batches), "leaf int, count bigint")
        rows = [0] * len(plan.fragment_of_leaf)
        for leaf, count in leaves.groupBy("leaf").sum("count").collect():
            rows[leaf] = count
        return rows

    def join(self) -> None:
        """Leaves become fragments. Those whose rows break a model as one group join others, as they do where one process has all rows:
        every set of leaves that this depends on is looked at."""
        columns = self.plan.model_columns()
        unknown = self.planner.join(self.rows, self.holding, self.broken)
        while unknown and columns is not None:
            keeps = self.keep_models(unknown, columns)
            for leaves, keep in zip(unknown, keeps):
                (self.holding if keep else self.broken).append(leaves)
            unknown = self.planner.join(self.rows, self.holding, self.broken)
        self.plan = _shoal.TablePlan(self.run.handle, self.planner.bytes())

    def keep_models(self, sets: list[list[int]], columns: list[str]) -> list[bool]:
        """Whether the rows under each of these sets of leaves keep the models as one group: Spark counts different rows under each leaf
        once, and workers look at those of a set together."""
        from pyspark.sql import functions, types

        run = self.run
        shared = run.broadcast(self.planner.bytes())
        if run.under_leaves is None:
            keys = list(dict.fromkeys([*self.plan.key_columns(), *columns]))
            schema = types.StructType(
                [types.StructField(_spark_parts.LEAF, types.IntegerType()), *[run.frame.schema[name] for name in columns]]
            )
            seen = run.frame.select(*[quoted(name) for name in keys]).mapInArrow(
                lambda batches: _worker().under_leaves(shared.value, columns, batches), schema
            )
            grouped = seen.groupBy(*[quoted(name) for name in (_spark_parts.LEAF, *columns)])
            run.under_leaves = grouped.agg(functions.count("*").alias(_spark_parts.ROWS)).persist()
        set_of_leaf = run.session.createDataFrame(
            [(leaf, number) for number, leaves in enumerate(sets) for leaf in leaves],
            f"{_spark_parts.LEAF} int, {_spark_parts.FRAGMENT} int",
        )
        kept = (
            run.under_leaves.join(functions.broadcast(set_of_leaf), _spark_parts.LEAF)
            .repartition(_spark_parts.FRAGMENT)
            .sortWithinPartitions(_spark_parts.FRAGMENT)
            .mapInArrow(
                lambda batches: _worker().kept(shared.value, columns, batches), f"{_spark_parts.FRAGMENT} int, keeps boolean"
            )
        )
        found = {number: bool(keeps) for number, keeps in kept.collect()}
        return [found.get(number, False) for number in range(len(sets))]

    def refuse(self, fragments: list[int]) -> bool:
        """These fragments have no answer alone: they join others. False where there is nobody left to join."""
        if self.plan.fragments < 2:
            return False
        for fragment in fragments:
            leaves = [leaf for leaf in self.plan.leaves if self.plan.fragment_of_leaf[leaf] == fragment]
            self.holding = [known for known in self.holding if known != leaves]
            self.broken.append(leaves)
        self.join()
        return True

    # ---- run ----

    def places(self, fragments: int) -> list[int]:
        """For each fragment a number that Spark's hash partitioning sends to a partition of its own."""
        found: dict[int, int] = {}
        first, step = 0, 16 * fragments + 64
        while len(found) < fragments:
            numbers = self.run.session.range(first, first + step).selectExpr(
                "CAST(id AS INT) AS place", f"pmod(hash(CAST(id AS INT)), {fragments}) AS partition"
            )
            for place, partition in numbers.collect():
                if place < found.get(partition, 1 << 62):
                    found[partition] = place
            first += step
        return [found[partition] for partition in range(fragments)]

    def routed(self, shared: Any, places: list[int]) -> Any:
        """The frame with the place of each row's fragment in front: by SQL where that is short, else by Arrow batches."""
        from pyspark.sql import functions, types

        frame = self.run.frame
        kinds = []
        for name in self.plan.key_columns():
            kind = frame.schema[name].dataType
            number = isinstance(kind, (types.ByteType, types.ShortType, types.IntegerType, types.LongType))
            kinds.append("text" if isinstance(kind, types.StringType) else "number" if number else "other")
        sql = self.plan.fragments_sql(kinds, _MOST_SQL)
        if sql is not None:
            listed = ", ".join(str(place) for place in places)
            place = functions.expr(f"element_at(array({listed}), {spark_sql(sql)} + 1)").cast("int")
            return frame.select(place.alias(_spark_parts.FRAGMENT), *[functions.col(quoted(name)) for name in frame.columns])
        schema = types.StructType([types.StructField(_spark_parts.FRAGMENT, types.IntegerType()), *frame.schema.fields])
        return frame.mapInArrow(lambda batches: _worker().routed(shared.value, places, batches), schema)

    def answers(self) -> Any:
        """A frame of all released rows, and a row for each fragment that tells what became of it. Not computed yet."""
        from pyspark.sql import types

        run = self.run
        fragments = self.plan.fragments
        found = [] if self.last else self.plan.key_columns()
        shared = run.broadcast(self.plan.bytes(), found)
        places = self.places(fragments)
        number_of_place = {place: number for number, place in enumerate(places)}
        text = types.StringType()
        if self.last:
            quasi = set(run.job.of("quasi"))
            fields = [types.StructField(name, text if name in quasi else run.frame.schema[name].dataType) for name in run.job.released]
        else:
            # All may be empty: the row that tells has nothing else.
            fields = [types.StructField(field.name, field.dataType) for field in run.frame.schema.fields]
            fields += [types.StructField(_spark_parts.FOUND + name, text) for name in found]
        schema = types.StructType([*fields, types.StructField(_spark_parts.TOLD, text)])
        rows = self.routed(shared, places).repartition(fragments, _spark_parts.FRAGMENT)
        grouped = rows.groupBy(_spark_parts.FRAGMENT)
        if hasattr(grouped, "applyInArrow"):

            def answer(table: pyarrow.Table) -> pyarrow.Table:
                return _worker().fragment(shared.value, number_of_place, table)

            return grouped.applyInArrow(answer, schema)
        return rows.sortWithinPartitions(_spark_parts.FRAGMENT).mapInArrow(
            lambda batches: _worker().fragments(shared.value, number_of_place, batches), schema
        )


def _worker() -> Any:
    """The functions that workers run, found there."""
    from shoal import _spark_parts as parts

    return parts
