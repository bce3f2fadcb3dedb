"""Shoal anonymizes person-level tables.

It finds the most useful recoding of a table that still hides every person among at least k, has it verified by a second
engine, and shows what was lost. Tables are anything with ``__arrow_c_stream__``: pandas, polars, pyarrow, DuckDB relations.

>>> import pyarrow
>>> people = pyarrow.table({"age": [31, 32, 33, 61, 62, 63], "ill": ["flu", "flu", "none", "none", "flu", "none"]})
>>> release = anonymize(people, quasi=["age"], sensitive=["ill"], k=3)
>>> sorted(set(release.frame["age"].to_pylist()))
['[31,33]', '[61,63]']
"""

from ._shoal import (
    Cancel,
    Cancelled,
    FindingError,
    InputError,
    JobError,
    ShoalError,
    Unsatisfiable,
    VerificationError,
    __version__,
)
from .hierarchies import dates, flat, from_csv, from_dict, intervals, mask, quantiles, tree
from .job import Job
from .looking import Page, Verification, attack, evaluate, measure, methods, risk, verify
from .models import (
    average_risk,
    beta_likeness,
    confidence,
    delta_disclosure,
    delta_presence,
    distinct_l,
    entropy_l,
    k_map,
    lkc,
    persons,
    recursive_l,
    t_closeness,
)
from .planning import Comparison, Inspection, compare, inspect
from .release import Release, anonymize

__all__ = [
    "Cancel",
    "Cancelled",
    "Comparison",
    "FindingError",
    "InputError",
    "Inspection",
    "Job",
    "JobError",
    "Page",
    "Release",
    "ShoalError",
    "Unsatisfiable",
    "Verification",
    "VerificationError",
    "__version__",
    "anonymize",
    "attack",
    "average_risk",
    "beta_likeness",
    "compare",
    "confidence",
    "dates",
    "delta_disclosure",
    "delta_presence",
    "distinct_l",
    "entropy_l",
    "evaluate",
    "flat",
    "from_csv",
    "from_dict",
    "inspect",
    "intervals",
    "k_map",
    "lkc",
    "mask",
    "measure",
    "methods",
    "persons",
    "quantiles",
    "recursive_l",
    "risk",
    "t_closeness",
    "tree",
    "verify",
]
