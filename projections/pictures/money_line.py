"""Draw money over time as a step line: constant between bookings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from projections.pictures.axis import Scale, amount_ticks, grid, time_axis
from projections.pictures.pieces import label
from projections.pictures.svg import (
    INK,
    SOFT,
    WIDTH,
    Drawing,
    Svg,
    element,
    picture,
    words_at,
)
from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MoneyAt", "draw_money"]

LEFT, TOP, BOTTOM, HEIGHT = 78.0, 16.0, 210.0, 236.0
RIGHT = WIDTH - 10.0


class MoneyAt(NamedTuple):
    """The amount (haléř) from a time (microseconds) on."""

    at: int
    haler: int


def draw_money(points: Sequence[MoneyAt], language: Language, *, title: str) -> str:
    """Draw money over time; ``points`` in the order of time. Return an ``svg`` element.

    Of the points that fall on one unit of the picture's width, only the first, smallest, largest
    and last are drawn, so that the size is bounded and no peak is lost.
    """
    words = Words(language)
    if not points:
        said = words.text("pictures.no_money")
        return picture(
            [label(title, size=15), label(said, bold=False)],
            title=title,
            description=said,
            language=language,
        )
    smallest, largest = min(points, key=lambda p: p.haler), max(points, key=lambda p: p.haler)
    said = " ".join(
        words.text(key, amount=words.money(point.haler), time=words.moment(point.at))
        for key, point in (
            ("pictures.money_first", points[0]),
            ("pictures.money_smallest", smallest),
            ("pictures.money_largest", largest),
            ("pictures.money_last", points[-1]),
        )
    )
    pieces = [label(title, size=15), _chart(words, points, smallest.haler, largest.haler)]
    return picture(pieces, title=title, description=said, language=language)


def _chart(words: Words, points: Sequence[MoneyAt], smallest: int, largest: int) -> Drawing:
    ticks = amount_ticks(min(smallest, 0), max(largest, 0, smallest + 100))
    across = Scale(points[0].at, points[-1].at, LEFT, RIGHT)
    up = Scale(ticks[0], ticks[-1], BOTTOM, TOP)
    shown = _thinned(points, across)
    path = [f"M{across.at(shown[0].at):.1f} {up.at(shown[0].haler):.1f}"]
    for before, point in pairwise(shown):
        if point.at != before.at:
            path.append(f"H{across.at(point.at):.1f}")
        path.append(f"V{up.at(point.haler):.1f}")
    last = shown[-1]
    end = words.money(last.haler)
    parts = [
        grid(words, up, ticks, LEFT, RIGHT),
        time_axis(across, BOTTOM, TOP),
        words_at(0, TOP - 5, words.text("pictures.crowns_axis"), size=10, fill=SOFT),
        element("path", d="".join(path), fill="none", stroke=INK, stroke_width=1.8),
        element("circle", cx=across.at(last.at), cy=up.at(last.haler), r=3.5, fill=INK),
        words_at(
            across.at(last.at) - 6, up.at(last.haler) - 7, end, size=12, bold=True, anchor="end"
        ),
    ]
    return Drawing(WIDTH, HEIGHT, Svg("".join(parts)))


def _thinned(points: Sequence[MoneyAt], across: Scale) -> list[MoneyAt]:
    """Keep the first, smallest, largest and last point for each unit of the picture's width."""
    units: dict[int, list[MoneyAt]] = {}
    for point in points:
        units.setdefault(int(across.at(point.at)), []).append(point)
    kept: list[MoneyAt] = []
    for found in units.values():
        ends = {0, len(found) - 1}
        ends.add(min(range(len(found)), key=lambda place: found[place].haler))
        ends.add(max(range(len(found)), key=lambda place: found[place].haler))
        kept += [found[place] for place in sorted(ends)]
    return kept
