"""Types: the stub says what the module has, and the package keeps to its own hints."""

from __future__ import annotations

import ast
import inspect
import os
import pathlib
import subprocess
import sys

import pytest

import shoal
from shoal import _shoal

FOLDER = pathlib.Path(shoal.__file__).parent


def public(thing: object) -> set[str]:
    """What it has itself, without what every class has."""
    return {name for name in vars(thing) if not name.startswith("__") or name in ("__arrow_c_stream__", "__getstate__", "__setstate__")}


def test_the_stub_names_what_the_module_has():
    stub = ast.parse((FOLDER / "_shoal.pyi").read_text())
    known: dict[str, set[str]] = {}
    for entry in stub.body:
        if isinstance(entry, ast.ClassDef):
            methods = {inner.name for inner in entry.body if isinstance(inner, ast.FunctionDef)}
            known[entry.name] = methods - {"__init__"}
        elif isinstance(entry, ast.FunctionDef):
            known[entry.name] = {argument.arg for argument in entry.args.args}
    assert set(known) == public(_shoal)
    for name, members in known.items():
        thing = getattr(_shoal, name)
        if inspect.isclass(thing):
            assert members == (set() if issubclass(thing, Exception) else public(thing)), name
        else:
            for member in members:
                assert f"{member}:" in thing.__doc__, (name, member)


def test_everything_public_is_described_and_typed():
    for name in shoal.__all__:
        thing = getattr(shoal, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        if inspect.isfunction(thing):
            hints = inspect.signature(thing)
            assert hints.return_annotation is not inspect.Signature.empty, name
            assert all(parameter.annotation is not inspect.Parameter.empty for parameter in hints.parameters.values()), name
    assert (FOLDER / "py.typed").exists()


def test_mypy_finds_nothing_wrong(tmp_path):
    pytest.importorskip("mypy")
    config = pathlib.Path(__file__).parents[2] / "pyproject.toml"
    user = tmp_path / "user.py"
    user.write_text(
        "import shoal\n"
        "def run(frame: object) -> float:\n"
        "    release = shoal.anonymize(frame, quasi=['age'], k=5)\n"
        "    page: shoal.Page = shoal.risk(frame, quasi=['age'])\n"
        "    print(page, shoal.verify(release, original=frame).ok)\n"
        "    return float(release.measures['gcp'])\n"
        "def wrong(frame: object) -> int:\n"
        "    return shoal.anonymize(frame).method  # type: ignore[return-value]\n"
    )
    for what in (["-p", "shoal"], [str(user)]):
        run = subprocess.run(
            [sys.executable, "-m", "mypy", "--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), *what],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "MYPYPATH": str(FOLDER.parent)} if "site-packages" not in str(FOLDER) else None,
        )
        assert run.returncode == 0, run.stdout + run.stderr
