"""Bets in chips of guests without account, next to the bets of accounts in a round.

What comes in: the events of a round. What goes out: the recorded sums, by currency. They are never
settled again: the chosen numbers and the actions on a box are not recorded, so no plan can compute
what is due.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.events import EventAt

__all__ = ["InChips", "bets_in_chips"]


@dataclass(frozen=True, slots=True)
class InChips:
    """Bets in chips of one currency as recorded, with corrections; amounts are hundredths.

    ``stakes`` and ``paid`` are not part of those of the round's line, and are not checked.
    """

    currency: str
    bets: int
    stakes: int
    paid: int


def bets_in_chips(events: Iterable[EventAt[Any]]) -> tuple[InChips, ...]:
    """Add up a round's bets in chips, by currency."""
    recorded = [at.event for at in events if isinstance(at.event, e.ChipBetSettled)]
    return tuple(
        InChips(
            currency,
            sum(not one.corrects for one in recorded if one.currency == currency),
            sum(one.amount for one in recorded if one.currency == currency),
            sum(one.paid for one in recorded if one.currency == currency),
        )
        for currency in sorted({one.currency for one in recorded})
    )
