"""Axes of charts: ticks at round amounts, and at times in Prague's local time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import DAY, HOUR, MINUTE, in_prague, midnight_after
from projections.pictures.svg import INK, LINE, SOFT, Svg, line, words_at

if TYPE_CHECKING:
    from projections.words.catalogue import Words

__all__ = ["Scale", "amount_ticks", "axis_words", "grid", "moment_ticks", "time_axis"]

STEPS = (5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR)
TICKS_MAX = 9
DAYS_LABELLED_MAX = 10


class Scale(NamedTuple):
    """Maps values linearly to coordinates."""

    first: int
    last: int
    begin: float
    end: float

    def at(self, value: int) -> float:
        """Return the coordinate of a value."""
        whole = max(self.last - self.first, 1)
        return self.begin + (self.end - self.begin) * (value - self.first) / whole


def amount_ticks(smallest: int, largest: int, *, count: int = 5) -> list[int]:
    """Return about ``count`` round values that enclose ``smallest`` and ``largest``."""
    wide = max(largest - smallest, 1)
    step = 10 ** max(len(str(wide)) - 2, 0)
    while True:
        for times in (1, 2, 5):
            if wide <= step * times * count:
                first = smallest // (step * times) * step * times
                last = -(-largest // (step * times)) * step * times
                return list(range(first, last + 1, step * times))
        step *= 10


def moment_ticks(first: int, last: int) -> list[int]:
    """Return times at whole steps of Prague's local time, or days for long ranges."""
    step = next((one for one in STEPS if (last - first) // one < TICKS_MAX), 0)
    if step:
        begin = midnight_after(first, 0)
        begin += (first - begin) // step * step
        return [at for at in range(begin, last + step, step) if first <= at <= last]
    days = [midnight_after(first, 0)]
    while days[-1] < last:
        days.append(midnight_after(days[-1]))
    apart = -(-len(days) // DAYS_LABELLED_MAX)
    return [at for at in days[::apart] if first <= at <= last]


def axis_words(moment: int, *, span: int) -> str:
    """Format a time for an axis: the time of day, or the day if ``span`` is many days."""
    shown = in_prague(moment)
    if span > 2 * DAY:
        return f"{shown.day}.\N{NO-BREAK SPACE}{shown.month}."
    return f"{shown.hour}:{shown.minute:02d}"


def time_axis(scale: Scale, y: float, top: float) -> Svg:
    """Draw the ticks of a time axis below a chart, with labels."""
    span = scale.last - scale.first
    parts = [line(scale.begin, y, scale.end, y, stroke=INK)]
    for at in moment_ticks(scale.first, scale.last):
        x = scale.at(at)
        parts.append(line(x, top, x, y + 4, stroke=LINE, stroke_width=0.5))
        parts.append(words_at(x, y + 17, axis_words(at, span=span), size=11, anchor="middle"))
    return Svg("".join(parts))


def grid(words: Words, scale: Scale, ticks: list[int], left: float, right: float) -> Svg:
    """Draw grid lines at amounts of haléř, with labels in crowns at the left."""
    parts = []
    for value in ticks:
        y = scale.at(value)
        is_zero = value == 0
        parts.append(
            line(
                left,
                y,
                right,
                y,
                stroke=INK if is_zero else LINE,
                stroke_width=1 if is_zero else 0.5,
            )
        )
        text = words.number(value // 100) if value % 100 == 0 else words.amount(value)
        parts.append(words_at(left - 6, y + 4, text, size=11, anchor="end", fill=SOFT))
    return Svg("".join(parts))
