"""Who belongs to whom where nothing but amount and day tells: lines and entries paired one to one.

What comes in: lines and entries of one group, that is of the same source, amount and account if
the line names one, with their days. What goes out: pairs, and what is left of both. The nearest
days are paired first, at one distance those behind our day before those ahead of it, and within a
day the first line with the first entry. Promised: the same pairs whatever the order in which
lines and entries come, and so in every run; nothing further apart than the window is paired.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Dated", "distances", "paired"]


class Dated(Protocol):
    """What has a day, counted from 1970, and a place among those of its day."""

    @property
    def day(self) -> int:
        """Day in Prague."""

    @property
    def order(self) -> tuple[int, ...]:
        """Place within its day; no two have the same."""


Theirs = TypeVar("Theirs", bound=Dated)
Ours = TypeVar("Ours", bound=Dated)


def distances(window: int) -> Iterator[int]:
    """Yield how many days a line lies behind an entry, the nearest first: 0, 1, -1, 2, -2 …."""
    yield 0
    for distance in range(1, window + 1):
        yield distance
        yield -distance


def paired(
    lines: Iterable[Theirs], entries: Iterable[Ours], window: int
) -> tuple[list[tuple[Theirs, Ours]], list[Theirs], list[Ours]]:
    """Pair lines and entries of one group; return the pairs and what is left on either side.

    Args:
        lines: of a statement.
        entries: ours.
        window: days that may lie between the two of a pair.

    """
    line_days, entry_days = _by_day(lines), _by_day(entries)
    pairs: list[tuple[Theirs, Ours]] = []
    for distance in distances(window):
        for day in sorted(line_days):
            here, there = line_days[day], entry_days.get(day - distance, ())
            while here and there:
                pairs.append((here.popleft(), there.popleft()))
    return pairs, _left(line_days), _left(entry_days)


_One = TypeVar("_One", bound=Dated)


def _by_day(all_of: Iterable[_One]) -> dict[int, deque[_One]]:
    days = defaultdict[int, deque[_One]](deque)
    for one in sorted(all_of, key=lambda one: (one.day, one.order)):
        days[one.day].append(one)
    return dict(days)


def _left(days: dict[int, deque[_One]]) -> list[_One]:
    return [one for day in sorted(days) for one in days[day]]
