"""Sum the changes made to bets after their settlement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.events import EventAt

__all__ = ["AMENDING", "UNTOUCHED", "Amendment", "amendments_in"]

AMENDING = ("WinCorrected", "BetCorrected", "PrizeWithheld")
"""Event types that change a bet after its settlement."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """Sum of the changes of one bet after settlement, in haléř, from the wallet's side.

    ``withheld`` is the part of a payment that is not due, ``collected`` the part of it that was
    reclaimed or became a claim.
    """

    last_position: int = 0
    win: int = 0
    stake: int = 0
    withheld: int = 0
    collected: int = 0


UNTOUCHED = Amendment()


def amendments_in(events: Iterable[EventAt[Any]]) -> dict[str, Amendment]:
    """Sum the changes of settled bets, by bet; the events must be in the order of the chain."""
    found: dict[str, Amendment] = {}
    for position, _, event in events:
        match event:
            case e.WinCorrected():
                win, stake, withheld, collected = event.difference, 0, 0, 0
            case e.BetCorrected():
                win, stake, withheld, collected = 0, event.difference, 0, 0
            case e.PrizeWithheld():
                win, stake, withheld = 0, 0, event.amount
                collected = event.collected + event.claimed
            case _:
                continue
        before = found.get(event.bet, UNTOUCHED)
        found[event.bet] = Amendment(
            last_position=position,
            win=before.win + win,
            stake=before.stake + stake,
            withheld=before.withheld + withheld,
            collected=before.collected + collected,
        )
    return found
