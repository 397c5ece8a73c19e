"""Draw the state of packages as a calendar: a box for each day, with a sign for each period.

Packages of casinos cover a month: they are in a line below it, with the casino's name.

States are shown by sign and word: dots for a due one, a box for a built one, an arrow for a
published one, a tick for an accepted one, a cross for a refused one. An exclamation mark is a
package that must be corrected.
"""

from __future__ import annotations

import calendar
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    LINE,
    PALE,
    PAPER,
    RED,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    below,
    element,
    group,
    picture,
    placed,
    rectangle,
    text_width,
    words_at,
)
from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PackageMark", "PackageState", "draw_packages"]

PackageState = Literal["due", "built", "published", "accepted", "refused"]
CELL_WIDTH, CELL_HEIGHT = 102.0, 44.0
STATES: dict[PackageState, str] = {
    "due": "pictures.package_due",
    "built": "pictures.package_built",
    "published": "pictures.package_published",
    "accepted": "pictures.package_accepted",
    "refused": "pictures.package_refused",
}
SIGNS: dict[PackageState, str] = {
    "due": "M5 10h.1M10 10h.1M15 10h.1",
    "built": "M5 5h10v10h-10z",
    "published": "M10 16V5M5.500 9L10 4.500L14.500 9",
    "accepted": "M4 10.500L8.500 15L16 6",
    "refused": "M5 5L15 15M15 5L5 15",
}
DESCRIBED_MAX = 100
LEGEND_SIZE = 11.5


class PackageMark(NamedTuple):
    """One period: its day in Prague, its first hour, and the state of its package.

    ``casino`` is empty except for the package of a casino's month.
    """

    day: date
    hour: int
    state: PackageState
    to_correct: bool = False
    casino: str = ""


def draw_packages(marks: Sequence[PackageMark], language: Language, *, title: str) -> str:
    """Draw the state of packages by month; return an ``svg`` element."""
    words = Words(language)
    months = sorted({(mark.day.year, mark.day.month) for mark in marks})
    by_day: dict[date, list[PackageMark]] = {}
    for mark in sorted(marks):
        if not mark.casino:
            by_day.setdefault(mark.day, []).append(mark)
    by_casino = [mark for mark in sorted(marks) if mark.casino]
    counts = {state: sum(mark.state == state for mark in marks) for state in STATES}
    counted = " ".join(f"{words.text(STATES[state])}: {counts[state]}." for state in STATES)
    odd = [mark for mark in sorted(marks) if mark.state == "refused" or mark.to_correct]
    named = [f"{_when(mark)} {words.text(STATES[mark.state])};" for mark in odd]
    pieces = [
        label(title, size=15),
        *(
            piece
            for year, month in months
            for piece in (
                _month(words, year, month, by_day),
                *(_casino(mark) for mark in by_casino if mark.day == date(year, month, 1)),
            )
        ),
        _legend(words, counts),
    ]
    return picture(
        pieces,
        title=title,
        description=" ".join([counted, *named[:DESCRIBED_MAX]]),
        language=language,
    )


def _when(mark: PackageMark) -> str:
    if mark.casino:
        return f"{mark.day.month}/{mark.day.year} {mark.casino}"
    return f"{mark.day.day}. {mark.day.month}. {mark.hour}:00"


def _casino(mark: PackageMark) -> Drawing:
    """Draw the month of a casino: its sign and its name."""
    name = words_at(36, 15, mark.casino, size=12, width_max=WIDTH - 40)
    body = group(_sign(mark).body, name, data_casino=mark.casino)
    return Drawing(WIDTH, 24, body)


def _month(words: Words, year: int, month: int, by_day: dict[date, list[PackageMark]]) -> Drawing:
    name = words.text("pictures.months").split()[month - 1]
    weekdays = words.text("pictures.weekdays").split()
    head = [
        words_at(place * CELL_WIDTH + 4, 12, day, size=11, bold=True)
        for place, day in enumerate(weekdays)
    ]
    parts = list(head)
    for row, week in enumerate(calendar.Calendar().monthdatescalendar(year, month)):
        for column, day in enumerate(week):
            if day.month == month:
                cell = _day(day, by_day.get(day, []))
                parts.append(placed(column * CELL_WIDTH, 18 + row * CELL_HEIGHT, cell))
    weeks = len(calendar.Calendar().monthdatescalendar(year, month))
    grid = Drawing(WIDTH, 18 + weeks * CELL_HEIGHT, Svg("".join(parts)))
    return below(label(f"{name} {year}", size=13), grid, gap=2)


def _day(day: date, marks: list[PackageMark]) -> Drawing:
    parts = [
        rectangle(
            0.5,
            0.5,
            CELL_WIDTH - 3,
            CELL_HEIGHT - 3,
            rx=4,
            fill=PAPER if marks else PALE,
            stroke=LINE,
        ),
        words_at(5, 14, str(day.day), size=11, bold=True),
    ]
    parts += [placed(5 + place * 31, 18, _sign(mark)) for place, mark in enumerate(marks)]
    return Drawing(CELL_WIDTH, CELL_HEIGHT, group(*parts, data_day=day.isoformat()))


def _sign(mark: PackageMark) -> Drawing:
    is_odd = mark.state == "refused" or mark.to_correct
    frame = rectangle(
        0.5,
        0.5,
        28,
        20,
        rx=3,
        fill=PAPER,
        stroke=RED if is_odd else LINE,
        stroke_width=2 if is_odd else 1,
    )
    alarm = words_at(23, 15, "!", size=14, bold=True, anchor="middle", fill=RED)
    body = group(
        frame,
        _shape(mark.state),
        alarm if mark.to_correct else Svg(""),
        data_hour=mark.hour,
        data_state=mark.state,
    )
    return Drawing(29, 21, body)


def _shape(state: PackageState) -> Svg:
    return element(
        "path",
        d=SIGNS[state],
        fill="none",
        stroke=RED if state == "refused" else INK,
        stroke_width=2.4 if state != "built" else 1.6,
        stroke_linecap="round",
    )


def _legend(words: Words, counts: dict[PackageState, int]) -> Drawing:
    texts = {state: f"{words.text(key)} ({counts[state]})" for state, key in STATES.items()}
    widths = [24 + text_width(text, LEGEND_SIZE) for text in texts.values()]
    space = (WIDTH - sum(widths)) / len(texts)
    parts, x = [], 0.0
    for (state, text), width in zip(texts.items(), widths, strict=True):
        parts.append(placed(x, 0, Drawing(20, 20, _shape(state))))
        parts.append(words_at(x + 24, 14, text, size=LEGEND_SIZE))
        x += width + space
    note = words_at(0, 36, words.text("pictures.to_correct"), size=11, fill=SOFT)
    return Drawing(WIDTH, 42, Svg("".join([*parts, note])))
