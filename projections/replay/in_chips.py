"""Sum the bets that guests without account placed in chips, next to account bets of a round.

What comes in: the events of a round. What goes out: the recorded sums by currency. These bets are
never settled again: the chosen numbers and the actions on a box are not recorded, so no plan can
compute the amounts due.
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
    """Recorded bets in chips of one currency, including corrections; hundredths of the currency.

    ``stakes`` and ``paid`` are not part of those of the round's line, and are not checked.
    """

    currency: str
    bets: int
    stakes: int
    paid: int


def bets_in_chips(events: Iterable[EventAt[Any]]) -> tuple[InChips, ...]:
    """Sum a round's bets in chips by currency."""
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
