"""The question: which columns are what, and how well everybody must be hidden."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from . import _shoal
from .hierarchies import Builder, GivenTree, HierarchyLike

Names = Union[str, Iterable[str], None]
_ROLES = ("quasi", "identifier", "person", "sensitive", "target", "plain")
_TYPES = ("numeric", "categorical")


def _names(names: Names, what: str) -> list[str]:
    if names is None:
        return []
    if isinstance(names, str):
        return [names]
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        raise _shoal.JobError(f"{what}: wanted a column name or a list of them, found {names!r}")
    listed = list(names)
    for name in listed:
        if not isinstance(name, str):
            raise _shoal.JobError(f"{what}: column names are strings, found {name!r}")
        if listed.count(name) > 1:
            raise _shoal.JobError(f"column {name!r} is listed twice as {what}")
    return listed


def _plain(value: Any, what: str) -> Any:
    """Only what a job file could say; numpy's numbers become Python's."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner, what) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(inner, what) for inner in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if hasattr(value, "item"):
        return _plain(value.item(), what)
    raise _shoal.JobError(f"{what}: {value!r} cannot stand in a job")


class Job:
    """What to release, and what must hold: the same words as in a job file.

    Columns by role (``quasi``, ``identifier``, ``person``, ``sensitive``, ``target``, ``plain``), ``k`` over all quasi columns,
    further ``requirements`` as ``{"columns": [...], "k": n}`` or ``([...], n)``, ``models`` (shoal.distinct_l, ...), ``hierarchies``
    per column (a file name, shoal.mask(), shoal.intervals(...), shoal.tree({...}), a nested dict), ``weights`` per column, and any
    other key of a job file as a keyword: ``method``, ``params``, ``seed``, ``suppress_rows``, ``missing``, ``time_budget``, ...

    >>> from shoal import mask
    >>> job = Job(quasi=["age", "zip"], identifier="name", k=5, hierarchies={"zip": mask()})
    >>> job.method
    'shoal'
    >>> Job(quasi=["age"], k=0).check()
    Traceback (most recent call last):
    shoal.JobError: k is 0; it must be at least 1
    """

    def __init__(
        self,
        *,
        quasi: Names = None,
        identifier: Names = None,
        person: Names = None,
        sensitive: Names = None,
        target: Names = None,
        plain: Names = None,
        numeric: Names = None,
        categorical: Names = None,
        k: int | None = None,
        requirements: Sequence[Any] = (),
        models: Sequence[Mapping[str, Any]] = (),
        hierarchies: Mapping[str, HierarchyLike] | None = None,
        weights: Mapping[str, float] | None = None,
        **settings: Any,
    ) -> None:
        self._folder = ""
        self._name = "the job"
        self._weaker: list[str] = []  # what it asks less than the job it was made from; the report repeats it
        self._trees: dict[str, str] = {}
        columns: dict[str, dict[str, Any]] = {}
        given = {
            "quasi": quasi,
            "identifier": identifier,
            "person": person,
            "sensitive": sensitive,
            "target": target,
            "plain": plain,
        }
        for role in _ROLES:
            for name in _names(given[role], role):
                before = columns.setdefault(name, {}).get("role", role)
                if before != role:
                    raise _shoal.JobError(f"column {name!r} is given two roles: {before} and {role}")
                columns[name]["role"] = role
        for kind, names in (("numeric", numeric), ("categorical", categorical)):
            for name in _names(names, kind):
                before = columns.setdefault(name, {}).get("type", kind)
                if before != kind:
                    raise _shoal.JobError(f"column {name!r} is given two types: {before} and {kind}")
                columns[name]["type"] = kind
        for name, hierarchy in (hierarchies or {}).items():
            self._add_hierarchy(columns.setdefault(name, {}), name, hierarchy)
        for name, weight in (weights or {}).items():
            columns.setdefault(name, {})["weight"] = _plain(weight, "weights")
        self._document: dict[str, Any] = {"columns": columns} if columns else {}
        if k is not None:
            self._document["k"] = self._whole("k", k)
        if requirements:
            self._document["requirements"] = [self._requirement(entry) for entry in requirements]
        if models:
            self._document["models"] = [_plain(model, "models") for model in models]
        for key, value in settings.items():
            if value is not None:
                self._document[key] = _plain(value, key)
        self._text: str | None = None

    @staticmethod
    def _whole(what: str, value: Any) -> int:
        number = _plain(value, what)
        if isinstance(number, bool) or not isinstance(number, int):
            raise _shoal.JobError(f"{what} is {value!r}; it must be a whole number")
        return number

    def _requirement(self, entry: Any) -> Any:
        if isinstance(entry, Mapping):
            return _plain(entry, "requirements")
        if isinstance(entry, Sequence) and len(entry) == 2:
            return {"columns": _names(entry[0], "requirements"), "k": self._whole("k of a requirement", entry[1])}
        raise _shoal.JobError(f"requirements: wanted {{'columns': [...], 'k': 5}} or ([...], 5), found {entry!r}")

    def _add_hierarchy(self, column: dict[str, Any], name: str, hierarchy: HierarchyLike) -> None:
        from .hierarchies import tree

        if isinstance(hierarchy, Builder):
            column["hierarchy"] = {"build": hierarchy.kind, **hierarchy.settings}
        elif isinstance(hierarchy, GivenTree):
            self._trees[name] = hierarchy.json
        elif isinstance(hierarchy, Mapping):
            self._trees[name] = tree(hierarchy).json
        elif isinstance(hierarchy, (str, os.PathLike)):
            column["hierarchy"] = os.fspath(hierarchy)
        else:
            raise _shoal.JobError(f"the hierarchy of {name!r}: {hierarchy!r} is no file, builder, tree or dict")

    @classmethod
    def from_yaml(cls, text: str, folder: str | os.PathLike[str] = "") -> Job:
        """A job file's text; relative paths in it are relative to ``folder``.

        >>> Job.from_yaml("columns: {age: quasi, zip: quasi}\\nk: 5").method
        'shoal'
        """
        job = cls()
        job._text = text
        job._folder = os.fspath(folder)
        job._handle()
        return job

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Job:
        """A job file (YAML or JSON)."""
        try:
            with open(path, encoding="utf-8-sig") as file:
                text = file.read()
        except OSError as error:
            raise _shoal.JobError(f"cannot read the job file '{os.fspath(path)}': {error.strerror}") from None
        except UnicodeDecodeError:
            raise _shoal.JobError(f"the job file '{os.fspath(path)}' is not UTF-8 text") from None
        job = cls()
        job._text = text
        job._name = os.fspath(path)
        job._folder = os.path.dirname(os.fspath(path))
        job._handle()
        return job

    @classmethod
    def of(cls, job: Any, keywords: Mapping[str, Any]) -> Job:
        """Whatever stands for a job: a Job, a dict as in a job file, a file name, or keywords alone. Keywords override settings."""
        if job is None:
            return cls(**keywords)
        if isinstance(job, (str, os.PathLike)):
            job = cls.from_file(job)
        elif isinstance(job, Mapping):
            made = cls()
            made._document = _plain(job, "the job")
            job = made
        if not isinstance(job, cls):
            raise _shoal.JobError(f"{job!r} is no job; give a shoal.Job, a dict, a file name or keywords")
        if not keywords:
            return job
        changed = job.with_settings(**keywords)
        changed._weaker = job._handle().weakened_by(changed._handle())
        for sentence in changed._weaker:
            warnings.warn(sentence, stacklevel=3)
        return changed

    def with_settings(self, **settings: Any) -> Job:
        """A copy with other settings (method, params, seed, k, ...); roles stay as they are.

        >>> Job(quasi="age", k=5).with_settings(method="mondrian").method
        'mondrian'
        """
        changed = Job()
        changed._trees = dict(self._trees)
        changed._weaker = list(self._weaker)
        changed._folder, changed._name = self._folder, self._name
        if self._text is not None:
            changed._document = json.loads(_shoal.job_json(self._text, self._name, self._folder))
        else:
            changed._document = json.loads(json.dumps(self._document))
        for key, value in settings.items():
            if key in _ROLES or key in _TYPES or key in ("hierarchies", "weights", "models", "requirements"):
                raise _shoal.JobError(f"{key} cannot be given beside a job; make a new Job")
            if value is None:
                changed._document.pop(key, None)
            else:
                changed._document[key] = self._whole("k", value) if key == "k" else _plain(value, key)
        return changed

    def _with_target(self, target: Names) -> Job:
        """A copy in which these columns, and no others, are what is to be predicted."""
        names = _names(target, "target")
        changed = self.with_settings()
        columns = changed._document.setdefault("columns", {})
        for name, entry in columns.items():
            role = entry.get("role") if isinstance(entry, dict) else entry
            if role == "target" and name not in names:
                columns[name] = {**entry, "role": "plain"} if isinstance(entry, dict) else "plain"
        for name in names:
            entry = columns.get(name, {})
            columns[name] = {**entry, "role": "target"} if isinstance(entry, dict) else "target"
        return changed

    def _named_method(self) -> str | None:
        """The method that the job itself names."""
        method = self.with_settings()._document.get("method")
        return None if method is None else str(method)

    def _handle(self) -> _shoal.JobHandle:
        handle = self._made()
        handle.tell_weaker(self._weaker)
        return handle

    def _made(self) -> _shoal.JobHandle:
        if self._text is not None:
            return _shoal.JobHandle(self._text, self._name, self._folder, self._trees)
        text = json.dumps(self._document, ensure_ascii=False)
        try:
            return _shoal.JobHandle(text, self._name, self._folder, self._trees)
        except _shoal.ShoalError as error:  # a dict has no lines
            raise type(error)(str(error).removeprefix(f"{self._name} line 1: ")) from None

    def check(self) -> None:
        """Raises JobError with the first mistake that can be found without a table."""
        self._handle().check()

    @property
    def method(self) -> str:
        """The method that the job names, or the one that is chosen for it."""
        return self._handle().method

    def columns(self, role: str) -> list[str]:
        """The columns of a role, in the job's order."""
        return self._handle().columns(role)

    def to_yaml(self) -> str:
        """The job as a file says it, complete; trees given as dicts are left out."""
        return self._handle().yaml()

    def __repr__(self) -> str:
        return f"<shoal.Job\n{self.to_yaml()}>"
