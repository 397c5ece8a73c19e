"""Describe when an event happened, if its record differs, and whether before "no more bets".

The record decides (SAZKA 13(5)): the time of the recorded close counts, as does that of a bet.
Disputes about late clicks concern the time in transit.
"""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND
from projections.facts.words import clock_time, duration
from projections.words.catalogue import Language, Words

__all__ = ["APART", "late_by", "timing"]

MILLISECOND = 1_000
APART = 50_000
"""Difference in microseconds between occurrence and record that is not mentioned: the transit time
of a message from a browser to the ledger over a good connection."""

CLICKS = frozenset(
    {"BetPlaced", "BetRefused", "BetWithdrawn", "PlayerDecided", "HandAction", "PanicButtonPressed"}
)
"""Actions of players; everything else happens in the studio, at the cage or in the back office."""
LATE = frozenset({"BET_AFTER_CLOSE", "DECISION_TOO_LATE"})
"""Codes of refusals of what came too late."""
NEAR = 10 * MINUTE
"""Greatest distance from the close, in microseconds, at which the order of both is mentioned."""


def timing(
    event: str,
    occurred_at: int,
    recorded_at: int,
    closed_at: int | None,
    words: Words = Words(Language.EN),  # noqa: B008 - immutable
) -> str:
    """Return a text on when an event happened if that differs from its record; otherwise "".

    Args:
        event: its type.
        occurred_at: time reported by its source (microseconds).
        recorded_at: time of its record (microseconds).
        closed_at: time of the recorded close of its round; None without a close.
        words: texts in the reader's language.

    """
    if abs(recorded_at - occurred_at) <= APART:
        return ""
    is_click = event in CLICKS
    if is_click and closed_at is not None and abs(occurred_at - closed_at) < NEAR:
        return words.text(
            "timing.clicked",
            clicked=_to_close(words, occurred_at, closed_at),
            recorded=_to_close(words, recorded_at, closed_at),
        )
    if occurred_at < recorded_at:
        key = "timing.clicked_before" if is_click else "timing.happened_before"
    else:
        key = "timing.clicked_after" if is_click else "timing.happened_after"
    return words.text(
        key,
        clock=_clock(words, clock_time(occurred_at)),
        length=_length(words, recorded_at - occurred_at),
    )


def late_by(words: Words, code: str, recorded_at: int, closed_at: int | None) -> str:
    """Describe how long after the close a bet was recorded that was refused as late; otherwise "".

    Close and bet have their times from one clock, so the distance does not depend on its skew.
    """
    if closed_at is None or recorded_at < closed_at or code not in LATE:
        return ""
    seconds = words.decimal((recorded_at - closed_at) // MILLISECOND, 3)
    return words.text("evidence.late", seconds=seconds)


def _to_close(words: Words, moment: int, closed_at: int) -> str:
    if moment == closed_at:
        return words.text("timing.at_close")
    key = "timing.before_close" if moment < closed_at else "timing.after_close"
    return words.text(key, length=_length(words, moment - closed_at))


def _length(words: Words, length: int) -> str:
    """Format a duration in seconds to the millisecond, from one minute on with minutes."""
    if abs(length) < MINUTE:
        return _clock(words, f"{abs(length) / SECOND:.3f} s")
    return _clock(words, f"{duration(abs(length))} min")


def _clock(words: Words, text: str) -> str:
    return text.replace(".", ",") if words.language is Language.CS else text
