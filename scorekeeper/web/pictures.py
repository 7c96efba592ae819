"""Pictures in a page, as SVG: line charts and QR codes.

Each line of a chart has a colour, a mark, and its name at the end.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final
from unicodedata import east_asian_width

import segno
from markupsafe import Markup
from msgspec import Struct

from scorekeeper.web.people import called

# No wider than a phone's screen, so that the letters are not made smaller there.
_WIDTH: Final = 420
_HEIGHT: Final = 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 112, 16, 28
_LABEL: Final = 17
"""The height of a label."""
_LETTER: Final = 8
"""The width of a letter; Chinese ones are wider."""
_MOST_NUMBERS: Final = 7
_MOST_STEPS: Final = 7
"""Steps from one line behind a plot to the next."""
_MOST_MARKS: Final = 14
"""Marks on one line. More of them would look like one thick stroke."""
_MARKS: Final = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "M-4-4h8v8h-8z",
    "M0-5 5 4H-5z",
    "M0-5 5 0 0 5-5 0z",
    "M-1.5-5h3v3.5h3.5v3h-3.5V5h-3V1.5H-5v-3h3.5z",
    "M0 5-5-4H5z",
    "M-5-1.5H5v3H-5z",
    "M-1.5-5h3V5h-3z",
)
"""A mark for each line in turn, as a path around the origin. The sheet has a colour for each."""

MOST_LINES: Final = len(_MARKS)
"""How many lines can still be told apart."""
MOST_ROWS: Final = 40
"""Rows of the table beside a plot."""


class PlotFigures(Struct, frozen=True):
    """What a plot and the table beside it show: players in columns, and rows with their numbers."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[int, tuple[int | None, ...]]]


def plot(figures: PlotFigures, names: Mapping[str, str]) -> Markup:
    """Draw a line for each player, from 0 on through the figures of all rows, at least one."""
    lines = [
        [(0, 0), *((place, row[column]) for place, (_, row) in enumerate(figures.rows, 1))]
        for column in range(len(figures.columns))
    ]
    known = [value for line in lines for _, value in line if value is not None]
    low, high = min(0, *known), max(1, *known)
    return Markup('<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true">{}{}</svg>').format(
        _WIDTH,
        _HEIGHT,
        _axes(low, high, [number for number, _ in figures.rows]),
        Markup("").join(
            _lines(
                [called(each, names) for each in figures.columns],
                lines,
                low,
                high,
                len(figures.rows),
            )
        ),
    )


def rating_plot(name: str, ratings: Sequence[tuple[float, float]]) -> Markup:
    """Draw a rating match by match, in a band that shows how uncertain each estimate is.

    `ratings`: the estimate, and how far the edges of the band are from it, never below 0.
    """
    if not ratings:
        return Markup("")
    low = math.floor(min(middle - apart for middle, apart in ratings))
    high = math.ceil(max(middle + apart for middle, apart in ratings))
    many = len(ratings)
    upper, lower = (
        [
            f"{_x(number, many):.1f} {_y(middle + side * apart, low, high):.1f}"
            for number, (middle, apart) in enumerate(ratings, 1)
        ]
        for side in (1, -1)
    )
    line = [(number, middle) for number, (middle, _) in enumerate(ratings, 1)]
    return Markup(
        '<svg class="plot" viewBox="0 0 {} {}" aria-hidden="true">{}'
        '<path class="band" d="M{}z"/>{}</svg>'
    ).format(
        _WIDTH,
        _HEIGHT,
        _axes(low, high, range(1, many + 1)),
        " ".join([*upper, *reversed(lower)]),
        Markup("").join(_lines([name], [line], low, high, many)),
    )


def _x(number: int, rounds: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * number / rounds


def _y(value: float, low: int, high: int) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low)


def _axes(low: int, high: int, numbers: Sequence[int]) -> Markup:
    step = _step(high - low)
    grid = Markup("").join(
        Markup('<path class="grid" d="M{} {:.1f}H{}"/><text x="{}" y="{:.1f}">{}</text>').format(
            _LEFT, y, _WIDTH - _RIGHT, _LEFT - 8, y + 4, value
        )
        for value in range(math.ceil(low / step) * step, high + 1, step)
        if (y := _y(value, low, high))
    )
    every = math.ceil(len(numbers) / _MOST_NUMBERS)
    below = Markup("").join(
        Markup('<text class="round" x="{:.1f}" y="{}">{}</text>').format(
            _x(place, len(numbers)), _HEIGHT - 8, numbers[place - 1]
        )
        for place in range(every, len(numbers) + 1, every)
    )
    return grid + below


def _step(extent: int) -> int:
    """Return how far apart the lines behind a plot are: 1, 2 or 5, with any number of zeros."""
    steps: Iterator[int] = (each * 10**zeros for zeros in count() for each in (1, 2, 5))
    return next(step for step in steps if extent <= _MOST_STEPS * step)


def _lines(
    names: Sequence[str],
    lines: Sequence[Sequence[tuple[int, float | None]]],
    low: int,
    high: int,
    rounds: int,
) -> list[Markup]:
    known = [[(n, value) for n, value in line if value is not None] for line in lines]
    ends = [_y(line[-1][1], low, high) for line in known]
    heights = _apart(ends)
    drawn: list[Markup] = []
    for column, line in enumerate(known):
        points = [(_x(n, rounds), _y(value, low, high)) for n, value in line]
        # Counted from the end, so that the end beside the name has a mark.
        marked = points[:: -math.ceil(len(points) / _MOST_MARKS)]
        x, y = points[-1]
        drawn.append(
            Markup(
                '<g class="line-{0}"><marker id="mark-{1}" overflow="visible" markerWidth="1" '
                'markerHeight="1" markerUnits="userSpaceOnUse"><path d="{2}"/></marker>'
                '<path class="line" d="M{3}"/><path class="marks" d="M{4}" '
                'marker-start="url(#mark-{1})" marker-mid="url(#mark-{1})" '
                'marker-end="url(#mark-{1})"/><path class="lead" d="M{5:.1f} {6:.1f}L{7} {8:.1f}"/>'
                '<text class="name" x="{9}" y="{10:.1f}">{11}</text></g>'
            ).format(
                column % len(_MARKS),
                column,
                _MARKS[column % len(_MARKS)],
                _path(points),
                _path(marked),
                x + 6,
                y,
                _WIDTH - _RIGHT + 14,
                heights[column],
                _WIDTH - _RIGHT + 18,
                heights[column] + 4,
                _short(names[column]),
            )
        )
    return drawn


def _path(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _short(name: str) -> str:
    """As much of a name as there is room for at the end of its line."""
    room = _RIGHT - 22
    for place, letter in enumerate(name):
        room -= 13 if east_asian_width(letter) in "WF" else _LETTER
        if room < 0:
            return f"{name[: place - 1]}…"
    return name


def _apart(ends: Sequence[float]) -> list[float]:
    """Return heights for labels near the ends of their lines, without overlaps.

    Labels are first moved down, then up if they would end below the picture.
    """
    order = sorted(range(len(ends)), key=lambda column: ends[column])
    placed = [0.0] * len(ends)
    least = float(_TOP)
    for column in order:
        placed[column] = max(ends[column], least)
        least = placed[column] + _LABEL
    most = float(_HEIGHT - 8)
    for column in reversed(order):
        placed[column] = min(placed[column], most)
        most = placed[column] - _LABEL
    return placed


def qr_code(text: str) -> str:
    """Return a QR code as an SVG without a style of its own; the sheet gives its size."""
    return segno.make(text, error="m").svg_inline(
        border=4, svgclass="qr", lineclass=None, omitsize=True, dark="#000", light="#fff"
    )
