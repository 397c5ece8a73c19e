"""Pair lines and entries one to one by day, where only the amount and the day identify them.

What comes in: lines and entries of one group (same kind of issuer, amount, and account if the line
names one) with their days. What goes out: pairs, and the unpaired items of both sides. The pairs
with the smallest distance in days are formed first; at one distance, lines after the entry's day
come before lines ahead of it; within a day, the first line is paired with the first entry.
Guaranteed: the pairs do not depend on the order of the input, and no pair is further apart than the
window.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Dated", "distances", "pair_by_day"]


class Dated(Protocol):
    """An item with a day, counted from 1970-01-01, and a position within that day."""

    @property
    def day(self) -> int:
        """Day in Prague, counted from 1970-01-01."""

    @property
    def order(self) -> tuple[int, ...]:
        """Position within its day; unique there."""


Theirs = TypeVar("Theirs", bound=Dated)
Ours = TypeVar("Ours", bound=Dated)


def distances(window: int) -> Iterator[int]:
    """Yield the distances of a line from an entry in days, nearest first: 0, 1, -1, 2, -2 …."""
    yield 0
    for distance in range(1, window + 1):
        yield distance
        yield -distance


def pair_by_day(
    lines: Iterable[Theirs], entries: Iterable[Ours], window_of: Callable[[int], int]
) -> tuple[list[tuple[Theirs, Ours]], list[Theirs], list[Ours]]:
    """Pair lines and entries of one group; return the pairs and the unpaired items of each side.

    Args:
        lines: lines of statements.
        entries: entries of our books.
        window_of: returns how many days an entry may lie from a line of a day, at most.
    """
    line_days, entry_days = _by_day(lines), _by_day(entries)
    windows = {day: window_of(day) for day in sorted(line_days)}
    pairs: list[tuple[Theirs, Ours]] = []
    for distance in distances(max(windows.values(), default=0)):
        for day, window in windows.items():
            if abs(distance) > window:
                continue
            here, there = line_days[day], entry_days.get(day - distance, ())
            while here and there:
                pairs.append((here.popleft(), there.popleft()))
    return pairs, _unpaired(line_days), _unpaired(entry_days)


_One = TypeVar("_One", bound=Dated)


def _by_day(all_of: Iterable[_One]) -> dict[int, deque[_One]]:
    days = defaultdict[int, deque[_One]](deque)
    for one in sorted(all_of, key=lambda one: (one.day, one.order)):
        days[one.day].append(one)
    return dict(days)


def _unpaired(days: dict[int, deque[_One]]) -> list[_One]:
    return [one for day in sorted(days) for one in days[day]]
