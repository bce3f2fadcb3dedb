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
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _shoal, _tables
from ._cells import numbers_frame
from .job import Job
from .release import anonymize

_TARGET = "shoal target"

# Learners get features, not a release: every column may be one, and findings do not stand in the way.
_NOTHING_LEAVES = {"others": "plain", "accept": ["near-unique", "reveals", "persons", "order"]}


class Anonymizer(TransformerMixin, BaseEstimator):
    """Learns a recoding under which every row of the training table is hidden among at least k, and applies it to any rows.

    For methods that map new rows (shapes levels, cut and regions). Gives numbers: the middle of each released range, and for every
    other recoded column the shares of its values. Rows are never dropped: where a method would drop one it is given as general as
    can be. Rows transformed later are not promised any k.

    ``quasi``: the columns to recode (all by default); ``job``: a Job in place of ``quasi``, ``hierarchies`` and ``models``.
    """

    def __init__(
        self,
        k: int = 5,
        method: str = "mondrian",
        params: Mapping[str, Any] | None = None,
        quasi: Sequence[str] | None = None,
        hierarchies: Mapping[str, Any] | None = None,
        job: Job | None = None,
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
        for name in ("report_", "mapping_", "columns_", "names_out_"):  # a fit that is interrupted leaves none, not half of two
            self.__dict__.pop(name, None)
        table = self._checked(X, reset=True)
        shape = dict(_shoal.method_names()).get(self.method)
        if shape in ("groups", "model"):
            able = ", ".join(name for name, kind in _shoal.method_names() if kind not in ("groups", "model"))
            raise _shoal.JobError(
                f"method {self.method} recodes the rows it was given and no others, so that it cannot transform; use one of {able}, or "
                "shoal.anonymize(...) and its transform_features()"
            )
        if table.num_rows < self.k:
            raise ValueError(f"k={self.k} needs at least {self.k} rows; found array with {table.num_rows} sample(s)")
        columns = {"quasi": list(table.column_names if self.quasi is None else self.quasi)}
        columns["plain"] = [name for name in table.column_names if name not in columns["quasi"]]
        if y is not None and (self.job is None or not self.job.columns("target")):
            table = table.append_column(_TARGET, pyarrow.array([str(label) for label in numpy.asarray(y).ravel()]))
            columns["target"] = [_TARGET]
        if self.job is None:
            job = Job(
                quasi=columns["quasi"],
                plain=columns["plain"],
                target=columns.get("target"),
                k=self.k,
                hierarchies=self.hierarchies,
            )
        else:
            job = self.job.with_settings(k=self.k)
        job = job.with_settings(method=self.method, params=self.params, seed=self.seed, **_NOTHING_LEAVES)
        release = anonymize(table, job)
        self.report_ = release.report.as_dict()
        self.mapping_ = release._mapping()
        self.columns_ = release.columns()
        self.names_out_ = numpy.array(self._numbers(table).column_names, dtype=object)
        return self

    def _numbers(self, table: pyarrow.Table) -> pyarrow.Table:
        mapped = self.mapping_.transform(_tables.read(table, "X"))
        numbers = numbers_frame(mapped, self.columns_, "midpoint", "shares")
        return numbers.drop_columns([_TARGET]) if _TARGET in numbers.column_names else numbers

    def transform(self, X: Any) -> Any:
        """The rows recoded, as numbers."""
        check_is_fitted(self, "mapping_")
        numbers = self._numbers(self._checked(X, reset=False))
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
