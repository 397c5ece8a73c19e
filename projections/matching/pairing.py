"""Pair lines and entries one to one by day, where only the amount and the day identify them.

What comes in: lines and entries of one group (same kind of issuer, amount, and account if the line
names one) with their days. What goes out: pairs, and the unpaired items of both sides. The pairs
with the smallest distance in days are formed first; at one distance, lines after the entry's day
come before lines ahead of it. Then pairs are moved to other days where one more line finds an entry
by that: a bank that books every payment a day later leaves nothing unpaired. Within a day, the
first line is paired with the first entry.
Guaranteed: no other pairs within the windows leave fewer items unpaired, the pairs do not depend on
the order of the input, and no pair is further apart than the window.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from itertools import pairwise
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


Pair = tuple[int, int]
"""Day of a line, and day of an entry."""
Theirs = TypeVar("Theirs", bound=Dated)
Ours = TypeVar("Ours", bound=Dated)


def distances(window: int) -> Iterator[int]:
    """Yield the distances of a line from an entry in days, nearest first: 0, 1, -1, 2, -2 …."""
    yield 0
    for distance in range(1, window + 1):
        yield distance
        yield -distance


def pair_by_day(
    lines: Iterable[Theirs],
    entries: Iterable[Ours],
    window_of: Callable[[int], int],
    *,
    last: Iterable[Ours] = (),
) -> tuple[list[tuple[Theirs, Ours]], list[Theirs], list[Ours]]:
    """Pair lines and entries of one group; return the pairs and the unpaired items of each side.

    Args:
        lines: lines of statements.
        entries: entries of our books.
        window_of: returns how many days an entry may lie from a line of a day, at most.
        last: entries that take lines only where the other entries lose none by that.
    """
    line_days, entry_days, last_days = _by_day(lines), _by_day(entries), _by_day(last)
    windows = {day: window_of(day) for day in line_days}
    free_lines = Counter({day: len(some) for day, some in line_days.items()})
    free_entries = Counter({day: len(some) for day, some in entry_days.items()})
    counts = Counter[Pair]()
    for distance in distances(max(windows.values(), default=0)):
        for day, window in windows.items():
            if abs(distance) <= window:
                _pair([(day, day - distance)], counts, free_lines, free_entries)
    for of_last in ({}, last_days):
        for day, some in of_last.items():
            free_entries[day] += len(some)
            entry_days.setdefault(day, deque()).extend(some)
        useless = set[int]()
        for day in windows:
            while free_lines[day] and (path := _path(day, windows, counts, free_entries, useless)):
                _pair(path, counts, free_lines, free_entries)
    pairs = [
        (line_days[day].popleft(), entry_days[of_entry].popleft())
        for (day, of_entry), count in sorted(counts.items(), key=_nearest_first)
        for _ in range(count)
    ]
    return pairs, _unpaired(line_days), _unpaired(entry_days)


def _pair(
    path: list[Pair], counts: Counter[Pair], lines: Counter[int], entries: Counter[int]
) -> None:
    """Pair free lines of the path's first day with free entries of its last, as many as can be.

    In between, lines that have an entry of the pair before take one of the path's next pair.
    """
    given_up = [(day, entry) for (_, entry), (day, _) in pairwise(path)]
    (first, _), (_, last) = path[0], path[-1]
    if count := min(lines[first], entries[last], *(counts[pair] for pair in given_up)):
        lines[first] -= count
        entries[last] -= count
        counts.update(dict.fromkeys(path, count))
        counts.subtract(dict.fromkeys(given_up, count))


def _path(
    first: int,
    windows: dict[int, int],
    counts: Counter[Pair],
    entries: Counter[int],
    useless: set[int],
) -> list[Pair]:
    """Return the shortest path of :func:`_pair` from the lines of a day; empty if there is none.

    ``useless`` are the days of entries from which no free entry is reached; more are added.
    """
    before: dict[int, Pair | None] = {first: None}
    queue, seen, widest = deque([first]), set[int](), max(windows.values())
    while queue:
        day = queue.popleft()
        for distance in distances(windows[day]):
            entry = day - distance
            if entry not in entries or entry in seen or entry in useless:
                continue
            seen.add(entry)
            if entries[entry]:
                path, last = [(day, entry)], before[day]
                while last is not None:
                    path.append(last)
                    last = before[last[0]]
                return path[::-1]
            for other in (entry + away for away in distances(widest)):
                if counts[other, entry] and other not in before:
                    before[other] = day, entry
                    queue.append(other)
    useless |= seen
    return []


def _nearest_first(one: tuple[Pair, int]) -> tuple[int, ...]:
    (day, entry), _ = one
    return abs(day - entry), entry - day, day


_One = TypeVar("_One", bound=Dated)


def _by_day(all_of: Iterable[_One]) -> dict[int, deque[_One]]:
    days = defaultdict[int, deque[_One]](deque)
    for one in sorted(all_of, key=lambda one: (one.day, one.order)):
        days[one.day].append(one)
    return dict(days)


def _unpaired(days: dict[int, deque[_One]]) -> list[_One]:
    return [one for day in sorted(days) for one in days[day]]
