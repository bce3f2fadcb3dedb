"""Files that leave together or not at all, readable by the user alone."""

from __future__ import annotations

import os
from collections.abc import Sequence

from . import _shoal


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Beside its place first, then renamed: never half a file. Replaces what is there."""
    path = os.fspath(path)
    beside = _written_beside(path, text)
    try:
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


def write_together(files: Sequence[tuple[str, str]]) -> list[str]:
    """Paths and texts; never over files that exist. Gives the paths."""
    for path, _ in files:
        if os.path.lexists(path):
            raise _shoal.JobError(f"'{path}' is there already; nothing was written")
    beside: list[str] = []
    placed: list[str] = []
    try:
        for path, text in files:
            beside.append(_written_beside(path, text))
        for (path, _), partial in zip(files, beside):
            os.link(partial, path)  # unlike a rename this never replaces what came in between
            placed.append(path)
    except FileExistsError as error:
        for path in placed:
            os.unlink(path)
        raise _shoal.JobError(f"'{error.filename2 or error.filename}' is there already; nothing was written") from None
    except BaseException:
        for path in placed:
            os.unlink(path)
        raise
    finally:
        for partial in beside:
            os.unlink(partial)
    return [path for path, _ in files]


def _written_beside(path: str, text: str) -> str:
    beside = f"{path}.{os.getpid()}.partial"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(beside)
        raise
    return beside
