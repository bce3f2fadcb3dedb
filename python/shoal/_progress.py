"""A bar for long runs: one line in a terminal or a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

Show = Callable[[str, float], Any]


def shown(progress: bool | Show | None) -> Show | None:
    """What to call with stage and fraction: the caller's own function, a bar, or nothing."""
    if callable(progress):
        return progress
    if not progress:
        return None
    return _Bar() if sys.stderr.isatty() or "ipykernel" in sys.modules else _Lines()


class _Bar:
    """Appears only for runs that take longer than a moment."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._drawn = 0

    def __call__(self, stage: str, fraction: float) -> None:
        if stage == "done":
            if self._drawn:
                sys.stderr.write("\r" + " " * self._drawn + "\r")
                sys.stderr.flush()
            return
        if time.monotonic() - self._start < 0.3:
            return
        filled = int(round(30 * min(max(fraction, 0.0), 1.0)))
        line = f"{stage:<8} [{'#' * filled}{'.' * (30 - filled)}] {time.monotonic() - self._start:5.1f} s"
        sys.stderr.write("\r" + line.ljust(self._drawn))
        sys.stderr.flush()
        self._drawn = len(line)


class _Lines:
    """A line per stage, for logs."""

    def __init__(self) -> None:
        self._stage = ""

    def __call__(self, stage: str, fraction: float) -> None:
        if stage != self._stage and stage not in ("", "done"):
            sys.stderr.write(f"shoal: {stage}\n")
        self._stage = stage
