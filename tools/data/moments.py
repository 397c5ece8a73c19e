"""Parse positions in the chain: a number of messages, or a day or time in Prague.

A position is a number of messages; a time means all that was recorded before it. A day means its
beginning at the start of a range and its end at the end of a range, so that a range includes both
days. Days follow the clock changes of Prague and last 23 to 25 hours.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import DAY, PRAGUE, from_datetime, midnight_after, moments_of
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.log.port import size_before

if TYPE_CHECKING:
    from ledger.core.clock import Clock
    from ledger.log.port import ReadableLog

__all__ = [
    "AsOfPoint",
    "Span",
    "day",
    "moment_in_prague",
    "moment_or_midnight",
    "now_of_question",
    "parse_now",
    "position",
    "require_period",
    "when",
]

REVERSED = "the period ends before it begins: name an earlier beginning, or a later end"
FORMS = Phrase("PLACE_FORMS")
POSITION_DIGITS_MAX = 18
OF_RECORD = "record"
"""Text for the moment of the last message that counts."""


class AsOfPoint(NamedTuple):
    """A number of messages, or the timestamps at which a text begins and ends (microseconds)."""

    size: int | None
    begins: int = 0
    ends: int = 0


def when(text: str) -> AsOfPoint:
    """Parse a position, a day or a time in Prague.

    Raises:
        InputError: the text is none of them, or the time occurs never or twice in Prague.

    """
    if text.isascii() and text.isdigit() and len(text) <= POSITION_DIGITS_MAX:
        return AsOfPoint(int(text))
    return moment_or_midnight(text)


def day(text: str) -> AsOfPoint:
    """Parse a day in Prague, from midnight to midnight."""
    try:
        found = date.fromisoformat(text)
        begins = from_datetime(datetime(found.year, found.month, found.day, tzinfo=PRAGUE))
        return AsOfPoint(None, begins, midnight_after(begins))
    except (ValueError, OverflowError) as error:
        malformed = Phrase("DAY_MALFORMED", text=repr(text), example="2026-11-20")
        raise InputError(malformed) from error


def moment_or_midnight(text: str) -> AsOfPoint:
    """Parse a time in Prague; a day means the midnight at its beginning."""
    try:
        return day(text)
    except InputError:
        moment = moment_in_prague(text)
        return AsOfPoint(None, moment, moment)


def moment_in_prague(text: str) -> int:
    """Parse a time, local in Prague without an offset, as microseconds since the epoch."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is not None:
            return from_datetime(found)
        moments = moments_of(found)
    except (ValueError, OverflowError) as error:
        raise InputError(Phrase("MOMENT_MALFORMED", text=repr(text), forms=FORMS)) from error
    if not moments:
        raise InputError(Phrase("MOMENT_SKIPPED", text=text))
    if len(moments) > 1:
        offsets = tuple(one.isoformat()[-6:] for one in moments)
        raise InputError(Phrase("MOMENT_TWICE", text=text, offsets=offsets))
    return from_datetime(moments[0])


KEPT_YEARS = 10
KEPT = KEPT_YEARS * 366 * DAY
"""The record is kept ten years."""


def parse_now(text: str) -> int:
    """Parse the moment of a question; ``record`` is 0, which the last message always exceeds."""
    return 0 if text == OF_RECORD else moment_in_prague(text)


def now_of_question(clock: Clock, at: AsOfPoint | None, given: int | None = None) -> int | None:
    """Return the moment at which an answer judges what is late (ADR 0053).

    It is the given one; otherwise the clock's. An answer as of a day or time in the past is judged
    at its end, and one as of a number of messages at the last of them (None).

    Raises:
        InputError: the given one is later than anything that is kept: what is due each day until
            then would be counted.

    """
    if given is not None:
        if given > clock.now() + KEPT:
            raise InputError(Phrase("NOW_TOO_LATE", years=KEPT_YEARS))
        return given
    if at is None:
        return clock.now()
    return None if at.size is not None else min(at.ends, clock.now())


def position(
    log: ReadableLog, at: AsOfPoint | None, *, size: int, begins: bool = False
) -> int | None:
    """Find a position: the number of messages before a time; None for no limit.

    Args:
        log: the chain.
        at: position or time.
        size: number of messages to search.
        begins: a day means its beginning, not its end.

    """
    if at is None or at.size is not None:
        return at.size if at else None
    return size_before(log, at.begins if begins else at.ends, size)


def require_period(first: AsOfPoint | None, end: AsOfPoint | None) -> None:
    """Refuse a range that ends before it begins, or two times without time between them.

    Two equal positions are allowed: then nothing is new. A position and a time are compared by
    :meth:`Span.of`, which has a chain to look up both.
    """
    if first is None or end is None:
        return
    if first.size is not None and end.size is not None:
        is_reversed = first.size > end.size
    else:
        are_moments = first.size is None and end.size is None
        is_reversed = are_moments and first.begins >= end.ends
    if is_reversed:
        raise InputError(REVERSED)


class Span(NamedTuple):
    """Positions from ``first`` up to, not including, ``end``; None for an open end."""

    first: int
    end: int | None

    @classmethod
    def of(
        cls,
        log: ReadableLog,
        size: int,
        day: AsOfPoint | None,
        first: AsOfPoint | None,
        end: AsOfPoint | None,
    ) -> Span:
        """Find the positions of a day, or of a range.

        Raises:
            InputError: both a day and a range are given, or the range ends before it begins.

        """
        if day and (first or end):
            raise InputError(Phrase("DAY_AND_SPAN"))
        require_period(first, end)
        begun = position(log, day or first, size=size, begins=True) or 0
        ended = position(log, day or end, size=size)
        if ended is not None and min(begun, size) > ended:
            raise InputError(REVERSED)
        return cls(begun, ended)

    def before(self, asked: int | None) -> int | None:
        """Return the earlier of the span's end and the given position, as the end of a list."""
        return min((one for one in (asked, self.end) if one is not None), default=None)

    def holds(self, at: int) -> bool:
        """Return whether the span contains a position."""
        return at >= self.first and (self.end is None or at < self.end)
