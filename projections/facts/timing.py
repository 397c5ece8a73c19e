"""When something happened, beside when it was recorded, and on which side of "no more bets".

The record decides (SAZKA 13(5)): the close is the moment at which it was recorded, and so is
a bet. A click that took its time on the way is what a late one is disputed about.
"""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND
from projections.facts.words import clock_time, duration

__all__ = ["APART", "timing"]

APART = 50_000
"""Microseconds by which happening and record may differ before it is worth a word: as long
as a message takes from a browser to the ledger on a good line."""

CLICKS = frozenset(
    {"BetPlaced", "BetRefused", "BetWithdrawn", "PlayerDecided", "HandAction", "PanicButtonPressed"}
)
"""What a player does; all else happens in the studio, at the cage or in the back office."""
NEAR = 10 * MINUTE
"""From the close; what is further away has nothing to do with it."""


def timing(event: str, occurred_at: int, recorded_at: int, closed_at: int | None) -> str:
    """Return when a fact happened if that is not when it was recorded; empty otherwise.

    Args:
        event: its type.
        occurred_at: when its source says that it happened (microseconds).
        recorded_at: when it was recorded.
        closed_at: when the close of its round was recorded; None without a close.

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
    """Write seconds to the millisecond; from a minute on, minutes too."""
    if abs(length) < MINUTE:
        return f"{abs(length) / SECOND:.3f} s"
    return f"{duration(abs(length))} min"
