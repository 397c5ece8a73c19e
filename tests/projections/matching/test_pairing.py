"""Pairs by day are as many as any assignment within the windows has."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from projections.matching.pairing import pair_by_day


class OfDay(NamedTuple):
    """A line or an entry of a day."""

    day: int
    order: tuple[int, ...]


ITEMS = st.lists(st.integers(0, 15), max_size=12).map(
    lambda days: [OfDay(day, (number,)) for number, day in enumerate(days)]
)


@given(
    lines=ITEMS,
    entries=ITEMS,
    first=st.integers(0, 12),
    windows=st.tuples(st.integers(0, 5), st.integers(0, 5)),
)
def test_no_other_pairs_within_the_windows_are_more(
    lines: list[OfDay], entries: list[OfDay], first: int, windows: tuple[int, int]
) -> None:
    """An independent search moves single lines to other entries, whatever their distance."""

    def window_of(day: int) -> int:
        return windows[day > 7]

    def may_pair(line: OfDay, entry: OfDay) -> bool:
        return abs(line.day - entry.day) <= window_of(line.day)

    taken: dict[OfDay, OfDay] = {}

    def finds_entry(line: OfDay, tried: set[OfDay]) -> bool:
        for entry in entries:
            if entry not in tried and may_pair(line, entry):
                tried.add(entry)
                if entry not in taken or finds_entry(taken[entry], tried):
                    taken[entry] = line
                    return True
        return False

    last, every = entries[first:], entries
    entries = every[:first]
    most_first = sum(finds_entry(line, set()) for line in lines)
    taken.clear()
    entries = every
    most = sum(finds_entry(line, set()) for line in lines)
    pairs, single_lines, single_entries = pair_by_day(lines, every[:first], window_of, last=last)
    assert len(pairs) == most
    assert sum(entry not in last for _, entry in pairs) == most_first
    assert all(may_pair(line, entry) for line, entry in pairs)
    assert sorted([line for line, _ in pairs] + single_lines) == sorted(lines)
    assert sorted([entry for _, entry in pairs] + single_entries) == sorted(entries)
    again = pair_by_day(lines[::-1], every[:first][::-1], window_of, last=last[::-1])
    assert again == (pairs, single_lines, single_entries)
