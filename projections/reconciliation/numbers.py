"""Short numbers of findings, such as ``F-2026-000123``, for use in conversation and letters.

What comes in: where findings were recorded. What goes out: the year in Prague of a finding's first
record, and the ordinal of that record among all ``FindingRaised`` of the year. The number follows
from the chain alone and never changes. A finding that was raised again keeps its first number, so
the sequence may have gaps.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from datetime import MAXYEAR, datetime
from typing import TYPE_CHECKING

from ledger.core.clock import PRAGUE, from_datetime, in_prague
from ledger.events import event_types as e
from ledger.log.port import Query, envelope_at, events_at, size_before

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.log.port import Log

__all__ = ["number_at", "numbers_in", "numbers_of", "parse_number", "position_of"]

NUMBER = re.compile(r"F-(\d{4})-(\d{1,12})", re.ASCII | re.IGNORECASE)
EPOCH_YEAR = 1970
RAISED = Query(types=("FindingRaised",))


def numbers_of(raised: Iterable[tuple[int, int]]) -> dict[int, str]:
    """Return the numbers of all records of findings, by position.

    Args:
        raised: position and timestamp (microseconds) of each ``FindingRaised``, in the order of the
            chain.

    """
    of_year: Counter[int] = Counter()
    found = {}
    for position, recorded_at in raised:
        year = in_prague(recorded_at).year
        of_year[year] += 1
        found[position] = _number(year, of_year[year])
    return found


def numbers_in(log: Log) -> dict[str, str]:
    """Return the numbers of all findings recorded in a log, by identifier."""
    found: dict[str, str] = {}
    raised = list(events_at(log, log.find(RAISED)))
    numbers = numbers_of((one.position, one.envelope.recorded_at) for one in raised)
    for one in raised:
        if isinstance(one.event, e.FindingRaised):
            found.setdefault(one.event.finding, numbers[one.position])
    return found


def number_at(log: Log, position: int) -> str:
    """Return the number of the record of a finding at a position of the log."""
    year = in_prague(envelope_at(log, position).recorded_at).year
    places = log.find(RAISED, before=position + 1)
    return _number(year, len(places) - bisect_left(places, _begin(log, year, position + 1)))


def position_of(log: Log, number: str, size: int) -> int | None:
    """Return the position of a numbered record among the first ``size`` messages, or None."""
    parsed = parse_number(number)
    if parsed is None or not EPOCH_YEAR <= parsed[0] < MAXYEAR:
        return None
    year, ordinal = parsed
    begin, end = _begin(log, year, size), _begin(log, year + 1, size)
    places = [one for one in log.find(RAISED, before=end) if one >= begin]
    return places[ordinal - 1] if 0 < ordinal <= len(places) else None


def parse_number(text: str) -> tuple[int, int] | None:
    """Parse a number into year and ordinal (leading zeros are optional); None if it is not one."""
    found = NUMBER.fullmatch(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def _number(year: int, ordinal: int) -> str:
    return f"F-{year}-{ordinal:06d}"


def _begin(log: Log, year: int, size: int) -> int:
    """Count the messages recorded before a year."""
    if year == EPOCH_YEAR:
        return 0
    return size_before(log, from_datetime(datetime(year, 1, 1, tzinfo=PRAGUE)), size)
