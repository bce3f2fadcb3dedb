"""Risk against loss as a picture: SVG by ourselves, or by matplotlib or altair where these are installed."""

from __future__ import annotations

import html
import math
import os
from typing import Any

from . import _shoal
from ._files import write_text

_COLOURS = ("#1f6f8b", "#d1495b", "#edae49", "#66a182", "#8d6a9f", "#5b5b5b")
_ACROSS, _UPWARD = "information lost (GCP)", "highest risk of a row"
_WIDTH, _HEIGHT, _LEFT, _TOP, _RIGHT, _BELOW = 640, 400, 70, 40, 20, 60


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _round_above(number: float) -> float:
    """A number of at least this whose quarters are round."""
    ten = 1e-6
    while True:
        for step in (1.0, 2.0, 5.0):
            if 4 * step * ten >= number:
                return 4 * step * ten
        ten *= 10


class Picture:
    """An SVG: ``svg`` is its text, ``save(path)`` writes it, a notebook shows it."""

    def __init__(self, points: list[dict[str, Any]]) -> None:
        self._points = points

    @property
    def svg(self) -> str:
        methods = list(dict.fromkeys(point["method"] for point in self._points))
        risks = [max(point["highest_risk"], 1e-6) for point in self._points] or [1.0]
        end = _round_above(max((point["gcp"] for point in self._points), default=1.0))
        low, high = min(risks), max(risks)
        parts: list[str] = []

        def x_of(loss: float) -> float:
            return _LEFT + 8 + (_WIDTH - _LEFT - _RIGHT - 16) * loss / end

        def y_of(risk: float) -> float:
            place = math.log(max(risk, 1e-6) / low) / math.log(high / low) if high > low else 0.5
            return _HEIGHT - _BELOW - 10 - (_HEIGHT - _BELOW - _TOP - 20) * place

        def words(x: float, y: float, text: str, anchor: str) -> None:
            parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>')

        marked: list[float] = []
        for risk in sorted(set(risks), reverse=True):
            height = y_of(risk)
            parts.append(f'<path d="M{_LEFT} {height:.1f}H{_WIDTH - _RIGHT}" stroke="#ccc"/>')
            if not marked or height - marked[-1] >= 14:
                marked.append(height)
                words(_LEFT - 6, height + 4, _percent(risk), "end")
        for step in range(5):
            words(x_of(end * step / 4), _HEIGHT - _BELOW + 18, _percent(end * step / 4), "middle")
        words(_WIDTH - _RIGHT, _HEIGHT - _BELOW + 40, f"{_ACROSS} →", "end")
        words(4, 14, f"↑ {_UPWARD}", "start")
        for point in reversed(self._points):  # the first method is drawn last, on top of the others
            place = methods.index(point["method"])
            asked = f", k={point['k']}" if point.get("k") is not None else ""
            said = f"{point['method']}{asked}: lost {_percent(point['gcp'])}, highest risk {_percent(point['highest_risk'])}"
            parts.append(
                f'<circle cx="{x_of(point["gcp"]):.1f}" cy="{y_of(point["highest_risk"]):.1f}" r="6" '
                f'fill="{_COLOURS[place % 6]}" stroke="#fff"><title>{html.escape(said)}</title></circle>'
            )
        across = 200.0
        for place, method in enumerate(methods):
            parts.append(f'<circle cx="{across:.1f}" cy="10" r="5" fill="{_COLOURS[place % 6]}"/>')
            words(across + 9, 14, method, "start")
            across += 30 + 7 * len(method)
        width = max(_WIDTH, int(across))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}" '
            'font-family="sans-serif" font-size="12" role="img"><title>Risk against loss, a point for each method and k</title>'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """As an SVG file."""
        if not os.fspath(path).endswith(".svg"):
            raise _shoal.JobError(f"'{os.fspath(path)}' does not end in .svg; for other kinds plot(library=\"matplotlib\")")
        write_text(path, self.svg)

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<shoal picture of {len(self._points)} runs; save(\"name.svg\") writes it>"


def drawn_by(library: str, points: list[dict[str, Any]], ax: Any) -> Any:
    if library == "altair":
        altair = _library("altair")
        rows = [{name: point.get(name) for name in ("method", "k", "gcp", "highest_risk")} for point in points]
        chart = altair.Chart(altair.Data(values=rows)).mark_circle(size=90)
        return chart.encode(
            x=altair.X("gcp:Q", title=_ACROSS),
            y=altair.Y("highest_risk:Q", title=_UPWARD, scale=altair.Scale(type="log")),
            color="method:N",
            tooltip=["method:N", "k:Q", "gcp:Q", "highest_risk:Q"],
        )
    if library not in ("matplotlib", "svg"):
        raise _shoal.JobError(f"library is {library!r}; it must be one of svg, matplotlib, altair")
    if ax is None:
        ax = _library("matplotlib.figure").Figure().subplots()
    for method in dict.fromkeys(point["method"] for point in points):
        own = [point for point in points if point["method"] == method]
        ax.plot([point["gcp"] for point in own], [point["highest_risk"] for point in own], "o", label=method)
    ax.set_yscale("log")
    ax.set_xlabel(_ACROSS)
    ax.set_ylabel(_UPWARD)
    ax.legend()
    return ax


def _library(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise _shoal.ShoalError(f"{package} cannot be loaded ({error}); pip install {package}, or plot() without it") from error
