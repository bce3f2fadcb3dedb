"""The notebooks of examples/ run from their first cell to their last."""

from __future__ import annotations

import json
import os
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "notebooks"
DATA = pathlib.Path(os.environ.get("SHOAL_DATA", FOLDER.parents[2] / "shared" / "data")) / "adult" / "adult_train.csv"
LONG = {"adult_learner"}  # minutes, on data that are not part of the project


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    if path.stem in LONG and not (os.environ.get("SHOAL_LONG") and DATA.exists()):
        pytest.skip(f"{path.stem}: needs SHOAL_LONG=1 and Adult in SHOAL_DATA")
    monkeypatch.chdir(FOLDER)
    names: dict = {"__name__": "notebook"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name} {cell['id']}", "exec"), names)  # noqa: S102
    assert len(names) > 3


def test_there_are_notebooks():
    assert len(list(FOLDER.glob("*.ipynb"))) >= 3
    assert os.path.exists(FOLDER.parent / "census" / "people.csv")
