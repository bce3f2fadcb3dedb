"""Line charts and scatter plots as SVG, with the standard library alone."""
import math
from html import escape

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 66, 16, 34, 74
COLOURS = ["#1b5e8c", "#c05a1b", "#3b7d3b", "#8a3b8a", "#666666", "#a88f00"]
DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"]


def short(number):
    if abs(number) >= 1e6:
        return f"{number / 1e6:g}M"
    if abs(number) >= 1e4:
        return f"{number / 1e3:g}k"
    return f"{number:.3g}"


def steps(low, high, wanted=5):
    """Round numbers from below `low` to above `high`."""
    if high <= low:
        high = low + (abs(low) or 1)
    rough = (high - low) / wanted
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [round(index * step, 12) for index in range(first, last + 1)]


class Axis:
    """Values to places between two ends; ticks are (value, words)."""

    def __init__(self, ticks, low, high, start, end, log=False):
        self.ticks, self.low, self.high, self.start, self.end, self.log = ticks, low, high, start, end, log

    def place(self, value):
        scale = math.log10 if self.log else float
        share = (scale(value) - scale(self.low)) / ((scale(self.high) - scale(self.low)) or 1)
        return round(self.start + share * (self.end - self.start), 1)


def numbers_axis(values, start, end, log=False):
    if log:
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        ticks = [10.0 ** power for power in range(low, max(high, low + 1) + 1)]
    else:
        ticks = steps(min(values), max(values))
    return Axis([(tick, short(tick)) for tick in ticks], ticks[0], ticks[-1], start, end, log)


def names_axis(names, start, end):
    places = Axis([(index, str(name)) for index, name in enumerate(names)], -0.3, len(names) - 0.7, start, end)
    return places, {name: index for index, name in enumerate(names)}


def svg(chart):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" '
             f'font-size="11"><title>{escape(chart["title"])}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{LEFT}" y="18" font-size="13" font-weight="bold">{escape(chart["title"])}</text>']
    bottom = HEIGHT - BOTTOM
    if "points" in chart:
        both = [number for point in chart["points"] for number in point]
        x_axis, y_axis = numbers_axis(both, LEFT, WIDTH - RIGHT), numbers_axis(both, bottom, TOP)
        place_of = lambda name: x_axis.place(name)
    else:
        lines = {name: points for name, points in chart["lines"].items() if points}
        y_axis = numbers_axis([y for points in lines.values() for _, y in points], bottom, TOP, chart.get("log", False))
        names = list(dict.fromkeys(x for points in lines.values() for x, _ in points))
        if chart.get("numeric"):
            x_axis = numbers_axis(names, LEFT, WIDTH - RIGHT)
            place_of = x_axis.place
        else:
            x_axis, index = names_axis(names, LEFT, WIDTH - RIGHT)
            place_of = lambda name: x_axis.place(index[name])
    for value, words in y_axis.ticks:
        y = y_axis.place(value)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{words}</text>')
    for value, words in x_axis.ticks:
        x = x_axis.place(value)
        parts.append(f'<path d="M{x} {bottom}v4" stroke="#555"/><text x="{x}" y="{bottom + 16}" text-anchor="middle">{escape(words)}</text>')
    parts.append(f'<path d="M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}" fill="none" stroke="#555"/>'
                 f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{bottom + 32}" text-anchor="middle">{escape(chart["x"])}</text>'
                 f'<text transform="translate(14 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(chart["y"])}</text>')
    if "points" in chart:
        low, high = x_axis.low, x_axis.high
        parts.append(f'<path d="M{x_axis.place(low)} {y_axis.place(low)}L{x_axis.place(high)} {y_axis.place(high)}" stroke="#888" stroke-dasharray="4 3"/>')
        parts += [f'<circle cx="{x_axis.place(x)}" cy="{y_axis.place(y)}" r="3.5" fill="{COLOURS[0]}" fill-opacity=".7"/>' for x, y in chart["points"]]
    else:
        across = LEFT
        down = HEIGHT - 22
        for number, (name, points) in enumerate(lines.items()):
            colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
            path = "L".join(f"{place_of(x)} {y_axis.place(y)}" for x, y in points)
            parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
            parts += [f'<circle cx="{place_of(x)}" cy="{y_axis.place(y)}" r="2.5" fill="{colour}"><title>{escape(name)}, {x}: {y:.4g}</title></circle>'
                      for x, y in points]
            width = 40 + 6.2 * len(name)
            if across + width > WIDTH:
                across, down = LEFT, down + 15
            parts.append(f'<path d="M{across} {down - 4}h22" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>'
                         f'<text x="{across + 27}" y="{down}">{escape(name)}</text>')
            across += width
    return "".join(parts) + "</svg>\n"
