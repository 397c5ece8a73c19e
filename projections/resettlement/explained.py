"""Why an amount is due on a bet, in a hand or in a tournament: the settlement's own explanation.

What was settled is explained by the settlement made again. What went back without one (a void, a
misdeal, chips that never became a bet) is explained from its event, in the same form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core import events as e

if TYPE_CHECKING:
    from ledger.state.hand_record import SettledHand
    from projections.resettlement.course import BetCourse
    from projections.resettlement.hands import HandCourse

__all__ = ["of_bet", "of_hand"]


def of_bet(bet: BetCourse, again: games.ResultLine | None) -> games.Explanation | None:
    """Explain a bet; None while it is open, or taken back by the player."""
    if again is not None:
        return again.explanation()
    match bet.back:
        case e.BetVoided() as voided:
            return _back(voided.amount, voided.paragraph, voided.ground)
        case e.BetReturned() as returned:
            return _back(
                returned.amount, returned.paragraph, returned.cause, games.Reason.NOT_CONCLUDED
            )
    return None


def of_hand(course: HandCourse, again: SettledHand | None, player: str) -> games.Explanation | None:
    """Explain what a player of a hand is due; None while it is played, or without money in it."""
    if again is not None and player in again.lines:
        return again.lines[player].explanation()
    if course.misdeal is None:
        return None
    event = course.misdeal.event
    amounts = dict(zip(event.accounts, event.amounts, strict=False))
    if player not in amounts:
        return None
    return _back(amounts[player], event.paragraph, event.ground)


def _back(
    amount: int, paragraph: str, ground: str, reason: games.Reason = games.Reason.DECLARED_VOID
) -> games.Explanation:
    back = games.StakeBack(amount)
    return games.Explanation(paragraph, reason, "", (back,), games.VoidFacts(ground))
