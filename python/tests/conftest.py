"""Tables that several tests use, all made here; and the program that they are compared with (SHOAL_PROGRAM)."""

from __future__ import annotations

import os
import random
import subprocess

import pyarrow
import pytest


PROGRAM = os.environ.get("SHOAL_PROGRAM", "")
needs_program = pytest.mark.skipif(not os.path.exists(PROGRAM), reason="no SHOAL_PROGRAM to compare with")


def run_program(folder, words: list[str]) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # sanitizers are for Python's process
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, env=plain)


def people(rows: int = 200, seed: int = 1, missing: bool = False) -> pyarrow.Table:
    """Persons with an age, a sex, a four-digit zip code, an education and an illness."""
    draw = random.Random(seed)
    ages = [draw.randrange(18, 80) for _ in range(rows)]
    columns = {
        "name": [f"person {row}" for row in range(rows)],
        "age": [None if missing and draw.random() < 0.1 else age for age in ages],
        "sex": [draw.choice(["f", "m"]) for _ in range(rows)],
        "zip": [f"{draw.randrange(10, 13)}{draw.randrange(100):02d}" for _ in range(rows)],
        "education": [draw.choice(["9th", "10th", "BSc", "MSc"]) for _ in range(rows)],
        "illness": [draw.choice(["flu", "asthma", "none"]) for _ in range(rows)],
    }
    columns["income"] = ["high" if age > 45 and draw.random() < 0.8 else "low" for age in ages]
    return pyarrow.table(columns)


EDUCATION = {"School": ["9th", "10th"], "University": ["BSc", "MSc"]}


@pytest.fixture
def table() -> pyarrow.Table:
    return people()
