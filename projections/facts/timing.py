"""When something happened, compared with its record, and on which side of "no more bets".

The record decides (SAZKA 13(5)): the moment of the recorded close counts, as does that of a bet.
Disputes about late clicks concern the time in transit.
"""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND
from projections.facts.words import clock_time, duration

__all__ = ["APART", "timing"]

APART = 50_000
"""Microseconds by which occurrence and record may differ without a remark: the time of a message
from a browser to the ledger on a good line."""

CLICKS = frozenset(
    {"BetPlaced", "BetRefused", "BetWithdrawn", "PlayerDecided", "HandAction", "PanicButtonPressed"}
)
"""Actions of players; everything else happens in the studio, at the cage or in the back office."""
NEAR = 10 * MINUTE
"""Maximum distance from the close; later events are unrelated to it."""


def timing(event: str, occurred_at: int, recorded_at: int, closed_at: int | None) -> str:
    """Return when a fact happened if that differs from its record; empty otherwise.

    Args:
        event: its type.
        occurred_at: moment reported by its source (microseconds).
        recorded_at: moment of the record.
        closed_at: moment of the recorded close of its round; None without a close.

    """
    if abs(recorded_at - occurred_at) <= APART:
        return ""
    is_click = event in CLICKS
    verb = "clicked" if is_click else "happened"
    if is_click and closed_at is not None and abs(occurred_at - closed_at) < NEAR:
        return f"clicked {_to_close(occurred_at, closed_at)}, recorded " + (
            _to_close(recorded_at, closed_at)
        )
    apart = _length(recorded_at - occurred_at)
    side = "before" if occurred_at < recorded_at else "after"
    return f"{verb} at {clock_time(occurred_at)}, {apart} {side} it was recorded"


def _to_close(moment: int, closed_at: int) -> str:
    if moment == closed_at:
        return "at the close"
    return f"{_length(moment - closed_at)} {'before' if moment < closed_at else 'after'} the close"


def _length(length: int) -> str:
    """Format seconds to the millisecond; from a minute on, also minutes."""
    if abs(length) < MINUTE:
        return f"{abs(length) / SECOND:.3f} s"
    return f"{duration(abs(length))} min"
