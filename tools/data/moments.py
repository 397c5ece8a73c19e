"""Where in the chain an answer looks: a position, or a day or moment of Prague.

A position is a number of messages, a moment all that was recorded before it. A day stands for
its beginning where an answer begins and for its end where it ends, so that both days of a
range are in it; days follow the clock changes of Prague and last 23 to 25 hours.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import PRAGUE, from_datetime, midnight_after, moments_of
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.log.port import size_before

if TYPE_CHECKING:
    from ledger.log.port import ReadableLog

__all__ = [
    "Span",
    "When",
    "day",
    "moment_in_prague",
    "moment_or_midnight",
    "position",
    "require_period",
    "when",
]

REVERSED = "the period ends before it begins: name an earlier beginning, or a later end"
FORMS = Phrase("PLACE_FORMS")
POSITION_DIGITS_MAX = 18


class When(NamedTuple):
    """A number of messages, or the moments at which a text begins and ends (microseconds)."""

    size: int | None
    begins: int = 0
    ends: int = 0


def when(text: str) -> When:
    """Read a position, a day or a moment of Prague.

    Raises:
        InputError: it is none of them, or the clock in Prague shows it never or twice.

    """
    if text.isascii() and text.isdigit() and len(text) <= POSITION_DIGITS_MAX:
        return When(int(text))
    return moment_or_midnight(text)


def day(text: str) -> When:
    """Read a day of Prague, from midnight to midnight."""
    try:
        found = date.fromisoformat(text)
        begins = from_datetime(datetime(found.year, found.month, found.day, tzinfo=PRAGUE))
        return When(None, begins, midnight_after(begins))
    except (ValueError, OverflowError) as error:
        malformed = Phrase("DAY_MALFORMED", text=repr(text), example="2026-11-20")
        raise InputError(malformed) from error


def moment_or_midnight(text: str) -> When:
    """Read a moment of Prague; a day stands for the midnight that begins it."""
    try:
        return day(text)
    except InputError:
        moment = moment_in_prague(text)
        return When(None, moment, moment)


def moment_in_prague(text: str) -> int:
    """Read a moment in microseconds; without an offset it is what the clock in Prague shows."""
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


def position(log: ReadableLog, at: When | None, *, size: int, begins: bool = False) -> int | None:
    """Find a position: how many messages came before then; None for none.

    Args:
        log: the chain.
        at: what was asked for.
        size: messages to search in.
        begins: a day stands for its beginning, not for its end.

    """
    if at is None or at.size is not None:
        return at.size if at else None
    return size_before(log, at.begins if begins else at.ends, size)


def require_period(first: When | None, end: When | None) -> None:
    """Refuse a period that ends before it begins, and moments with no time between them.

    Two positions may be the same: then nothing is new. A
    position and a moment are compared by :meth:`Span.of`, which has a chain to find both in.
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
    """Positions from ``first`` up to, not including, ``end``; None where it is open."""

    first: int
    end: int | None

    @classmethod
    def of(
        cls, log: ReadableLog, size: int, day: When | None, first: When | None, end: When | None
    ) -> Span:
        """Find the positions of a day, or of a beginning and an end.

        Raises:
            InputError: a day is asked for and a range besides, or the range ends before it begins.

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
        """Return where a list ends that was to end before a position besides."""
        return min((one for one in (asked, self.end) if one is not None), default=None)

    def holds(self, at: int) -> bool:
        """Return whether a position lies in it."""
        return at >= self.first and (self.end is None or at < self.end)
