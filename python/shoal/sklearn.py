"""Shoal in scikit-learn: a transformer for pipelines, and estimators in evaluations.

>>> import numpy
>>> rows = numpy.array([[1.0, 5.0], [2.0, 5.0], [8.0, 5.0], [9.0, 7.0]])
>>> Anonymizer(k=2).fit_transform(rows).tolist()
[[1.5, 5.0], [1.5, 5.0], [8.5, 6.0], [8.5, 6.0]]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import pyarrow
import pyarrow.compute
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _shoal, _tables
from ._cells import numbers_frame
from .job import Job
from .release import Release, anonymize

_TARGET = "shoal target"

_FITTED = ("report_", "mapping_", "columns_", "names_out_", "dropped_")

# Learners get features, not a release: every column may be one, and findings do not stand in the way.
_NOTHING_LEAVES = {"others": "plain", "accept": ["near-unique", "reveals", "persons", "order"]}


class Anonymizer(TransformerMixin, BaseEstimator):
    """Learns a recoding under which every row of the training table is hidden among at least k, and applies it to any rows.

    For methods that map new rows (shapes levels, cut and regions). Gives numbers: the middle of each released range, and for every
    other recoded column the shares of its values. Rows are never dropped: where a method would drop one it is given as general as
    can be. Rows transformed later are not promised any k.

    ``job``: a Job in place of ``quasi`` and ``hierarchies``, with models, requirements and whatever else a job can say; ``k`` and
    ``method`` override what it says. Without them k is 5 and the method mondrian. ``quasi``: the columns to recode (all by default).
    """

    def __init__(
        self,
        job: Job | None = None,
        k: int | None = None,
        method: str | None = None,
        params: Mapping[str, Any] | None = None,
        quasi: Sequence[str] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        seed: int = 1,
    ) -> None:
        self.k = k
        self.method = method
        self.params = params
        self.quasi = quasi
        self.hierarchies = hierarchies
        self.job = job
        self.seed = seed

    def _checked(self, X: Any, reset: bool) -> pyarrow.Table:
        """The rows as a table; arrays get the names x0, x1, ..."""
        if _tables.kind_of(X) in ("pandas", "polars", "pyarrow") and not _all_numbers(X):
            validate_data(self, X=X, reset=reset, skip_check_array=True)
            return pyarrow.table(_tables._pandas_to_arrow(X, "X")) if _tables.kind_of(X) == "pandas" else pyarrow.table(X)
        checked = validate_data(self, X, reset=reset, dtype="numeric", ensure_all_finite="allow-nan", ensure_min_samples=1)
        names = getattr(self, "feature_names_in_", None)
        names = [f"x{j}" for j in range(checked.shape[1])] if names is None else list(names)
        columns = [pyarrow.array(checked[:, j].astype(float), from_pandas=True) for j in range(checked.shape[1])]
        return pyarrow.table(columns, names=names)

    def fit(self, X: Any, y: Any = None) -> Anonymizer:
        """Finds the recoding. ``y``: the class, for methods that keep one predictable (tdr, tds, mondrian-infogain, ...)."""
        for name in _FITTED:  # a fit that is interrupted leaves none, not half of two
            self.__dict__.pop(name, None)
        table = self._checked(X, reset=True)
        if self.job is not None and not isinstance(self.job, Job):
            raise _shoal.JobError(f"job is a {type(self.job).__name__}; it must be a shoal.Job")
        method = self.method or (self.job._named_method() if self.job is not None else None) or "mondrian"
        shape = dict(_shoal.method_names()).get(method)
        if shape in ("groups", "model"):
            able = ", ".join(name for name, kind in _shoal.method_names() if kind not in ("groups", "model"))
            raise _shoal.JobError(
                f"method {method} recodes the rows it was given and no others, so that it cannot transform; use one of {able}, or "
                "shoal.anonymize(...) and its transform_features()"
            )
        given = table.column_names
        job, table = self._question(table, y)
        k = job._handle().k
        if k is not None and table.num_rows < k:
            raise ValueError(f"k={k} needs at least {k} rows; found array with {table.num_rows} sample(s)")
        settings: dict[str, Any] = {"method": method, "seed": self.seed, **_NOTHING_LEAVES}
        if self.params is not None:
            settings["params"] = self.params
        release = anonymize(table, job.with_settings(**settings))
        self.columns_ = release.columns()
        mapping = release._mapping()
        self.dropped_ = self._dropped(release, mapping, table)
        self.report_ = release.report.as_dict()
        first = table.slice(0, 1).select(given)
        self.names_out_ = numpy.array(self._in_numbers(mapping, first).column_names, dtype=object)
        self.mapping_ = mapping
        return self

    def _question(self, table: pyarrow.Table, y: Any) -> tuple[Job, pyarrow.Table]:
        """The job, and the table with the class."""
        job = self.job
        if job is None:
            quasi = list(table.column_names if self.quasi is None else self.quasi)
            plain = [name for name in table.column_names if name not in quasi]
            job = Job(quasi=quasi, plain=plain, k=5, hierarchies=self.hierarchies)
        elif self.quasi is not None or self.hierarchies is not None:
            raise _shoal.JobError("quasi and hierarchies cannot be given beside a job; make a new Job")
        if self.k is not None:
            job = job.with_settings(k=self.k)
        targets = job.columns("target")
        if [name for name in targets if name in table.column_names]:
            return job, table
        if y is not None:
            name = targets[0] if targets else _TARGET
            table = table.append_column(name, pyarrow.array([str(label) for label in numpy.asarray(y).ravel()]))
            job = job._with_target(name)
        elif targets:
            raise _shoal.JobError(f"the job's target {targets[0]!r} is no column of X; give it as y")
        return job, table

    def _dropped(self, release: Release, mapping: _shoal.RowMapping, table: pyarrow.Table) -> set[tuple[str | None, ...]]:
        """What the rows that were left out would have been released as: nobody else is released so."""
        left_out = sorted(set(range(table.num_rows)) - set(release.original_rows()))
        if not left_out:
            return set()
        mapped = pyarrow.table(mapping.transform(_tables.read(table.take(left_out), "X")))
        kept = {tuple(row.values()) for row in pyarrow.table(release).select(list(self.columns_)).to_pylist()}
        return {tuple(row.values()) for row in mapped.select(list(self.columns_)).to_pylist()} - kept

    def _generalized(self, mapped: pyarrow.Table) -> pyarrow.Table:
        """Rows like those that were dropped stay, as general as can be."""
        if not self.dropped_:
            return mapped
        texts = [mapped[name].cast(pyarrow.large_string()) for name in self.columns_]
        hidden = pyarrow.array([row in self.dropped_ for row in zip(*(column.to_pylist() for column in texts))])
        for name, column in zip(self.columns_, texts):
            covered = pyarrow.compute.if_else(hidden, "*", column)
            mapped = mapped.set_column(mapped.column_names.index(name), name, covered)
        return mapped

    def _in_numbers(self, mapping: _shoal.RowMapping, table: pyarrow.Table) -> pyarrow.Table:
        mapped = self._generalized(pyarrow.table(mapping.transform(_tables.read(table, "X"))))
        return numbers_frame(mapped, self.columns_, "midpoint", "shares")

    def transform(self, X: Any) -> Any:
        """The rows recoded, as numbers."""
        check_is_fitted(self, "mapping_")
        numbers = self._in_numbers(self.mapping_, self._checked(X, reset=False))
        columns = [numbers[name].to_numpy(zero_copy_only=False) for name in numbers.column_names]
        return numpy.column_stack(columns) if columns else numpy.empty((numbers.num_rows, 0))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        check_is_fitted(self, "mapping_")
        return self.names_out_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _all_numbers(frame: Any) -> bool:
    table = frame if isinstance(frame, pyarrow.Table) else None
    if table is None:
        kinds = getattr(frame, "dtypes", [])
        return all(getattr(kind, "kind", "O") in "iuf" for kind in kinds) and _tables.kind_of(frame) == "pandas"
    return False


# ---- estimators in evaluations --------------------------------------------------------------------------------------


def _matrix(table: pyarrow.Table, like: list[str] | None, leave_out: Sequence[str]) -> tuple[numpy.ndarray, list[str]]:
    """Numbers as they are, everything else as one column per value; with ``like`` exactly those columns."""
    columns: dict[str, numpy.ndarray] = {}
    for name in table.column_names:
        if name in leave_out:
            continue
        column = table[name]
        if pyarrow.types.is_integer(column.type) or pyarrow.types.is_floating(column.type) or pyarrow.types.is_boolean(column.type):
            columns[name] = column.cast(pyarrow.float64()).to_numpy(zero_copy_only=False)
            continue
        texts = numpy.array([str(cell) for cell in column.to_pylist()], dtype=object)
        for value in sorted(set(texts)):
            columns[f"{name}={value}"] = (texts == value).astype(float)
    names = list(columns) if like is None else like
    rows = table.num_rows
    return numpy.column_stack([columns.get(name, numpy.zeros(rows)) for name in names]) if names else numpy.zeros((rows, 1)), names


def evaluate_estimators(
    data: Any, job: Job, methods: Sequence[str], estimators: Sequence[Any], ks: Sequence[int], folds: int, seed: int
) -> list[dict[str, Any]]:
    """Errors of scikit-learn's estimators by cross-validation: raw, without the quasi columns, and on every release's features()."""
    from sklearn.impute import SimpleImputer
    from sklearn.model_selection import StratifiedKFold
    from sklearn.pipeline import make_pipeline

    targets = job.columns("target")
    if len(targets) != 1:
        raise _shoal.JobError("an evaluation needs a class to predict; name it (target=\"column\")")
    target = targets[0]
    hidden = [*job.columns("identifier"), *job.columns("person")]
    quasi = job.columns("quasi")
    table = pyarrow.table(_tables._pandas_to_arrow(data, "the table")) if _tables.kind_of(data) == "pandas" else pyarrow.table(data)
    if target not in table.column_names:
        raise _shoal.JobError(f"no column '{target}' in the table")
    classes = numpy.array([str(cell) for cell in table[target].to_pylist()], dtype=object)
    parts = list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(numpy.zeros(len(classes)), classes))
    wrong: dict[tuple[int, str, int], int] = {}

    def count(place: int, name: str, k: int, train: Any, labels: Any, test: Any, truth: Any) -> None:
        model = make_pipeline(SimpleImputer(keep_empty_features=True), clone(estimators[place])).fit(train, labels)
        key = (place, name, k)
        wrong[key] = wrong.get(key, 0) + int((model.predict(test) != truth).sum())

    for train_rows, test_rows in parts:
        train, test = table.take(train_rows), table.take(test_rows)
        truth = classes[test_rows]
        for name, left in (("raw", []), ("without-quasi", quasi)):
            matrix, names = _matrix(train, None, [target, *hidden, *left])
            test_matrix, _ = _matrix(test, names, [target, *hidden, *left])
            for place in range(len(estimators)):
                count(place, name, 0, matrix, classes[train_rows], test_matrix, truth)
        for k in ks:
            for method in methods:
                asked = job.with_settings(k=k, method=method, seed=seed, **_NOTHING_LEAVES)
                release = anonymize(train, asked)
                released = numbers_frame(release._handle.table, release.columns(), "midpoint", "shares")
                mapped = numbers_frame(
                    release._mapping().transform(_tables.read(test, "the test rows")), release.columns(), "midpoint", "shares"
                )
                labels = numpy.array([str(cell) for cell in released[target].to_pylist()], dtype=object)
                matrix, names = _matrix(released, None, [target])
                test_matrix, _ = _matrix(mapped, names, [target])
                for place in range(len(estimators)):
                    count(place, method, k, matrix, labels, test_matrix, truth)
    return [
        {"estimator": str(estimators[place]), "method": name, "k": k, "error": count / len(classes), "folds": folds}
        for (place, name, k), count in wrong.items()
    ]
