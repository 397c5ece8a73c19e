"""The showdown: the winners of each pot, and their shares.

Texas takes the best five of all seven cards, Omaha exactly two of four hole cards and three of the
board (69GAMES, Průběh hry). A player who claims a pot must show all hole cards. The last remaining
player need not, even in one of several pots: a side pot that the others folded has no showdown.
Equal hands share, odd crowns go to the first winners left of the button.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.explanation import PotShare
from ledger.games.api.facts import PotFacts
from ledger.games.poker.pots import Pot, share_out
from ledger.games.poker.ranking import best_of, best_omaha
from ledger.games.poker.streets import CROWN

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.games.poker.outcome import PokerDeal
    from ledger.games.poker.ranking import HandRank
    from ledger.games.poker.rules import HandRules

_BOARD_WHOLE = 5


@dataclass(frozen=True, slots=True)
class AwardedPot:
    """One pot after the showdown; `ranks` are the hands that contested it."""

    pot: Pot
    rake_haler: int
    winners: tuple[str, ...]
    ranks: Mapping[str, HandRank]

    def facts(self) -> PotFacts:
        """Return the pot, its winners and the hand that won it."""
        best = self.ranks[self.winners[0]].shown() if self.ranks else None
        return PotFacts(
            self.pot.haler, self.rake_haler, self.pot.eligible, tuple(sorted(self.winners)), best
        )


NOT_CONTESTED: Mapping[str, HandRank] = {}


def find_winners(
    rules: HandRules, pot: Pot, mucked: Collection[str], dealt: PokerDeal, order: Sequence[str]
) -> tuple[tuple[str, ...], Mapping[str, HandRank]]:
    """Return the winners of a pot, in seat order, and the hands that contested it.

    Args:
        rules: rules of the hand.
        pot: one pot.
        mucked: players who mucked.
        dealt: the shown cards.
        order: all seats from the left of the button.

    Raises:
        SettlementError: OUTCOME_INCOMPLETE, claims or cards are missing.

    """
    if len(pot.eligible) == 1:
        return pot.eligible, NOT_CONTESTED
    claimants = [player for player in order if player in pot.eligible and player not in mucked]
    if not claimants:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("POT_WITHOUT_CLAIM"))
    if len(claimants) == 1:
        return tuple(claimants), NOT_CONTESTED
    for player in claimants:
        if player not in dealt.hands:
            raise SettlementError(
                Code.OUTCOME_INCOMPLETE, Phrase("CLAIM_WITHOUT_CARDS", player=player)
            )
    if len(dealt.board) != _BOARD_WHOLE:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("POT_NEEDS_BOARD"))
    rank = best_omaha if rules.exactly_two else best_of
    strengths = {player: rank(dealt.hands[player], dealt.board) for player in claimants}
    best = max(strengths.values())
    return tuple(player for player in claimants if strengths[player] == best), strengths


def shares_of(won: Sequence[AwardedPot]) -> dict[str, list[PotShare]]:
    """Return each player's share of each pot."""
    shares: dict[str, list[PotShare]] = {}
    for number, entry in enumerate(won):
        money, rake, count = entry.pot.haler, entry.rake_haler, len(entry.winners)
        paid = share_out(money - rake, entry.winners, CROWN)
        equal = min(paid.values())
        for player, haler in paid.items():
            share = PotShare(haler, number, money, rake, count, haler - equal)
            shares.setdefault(player, []).append(share)
    return shares
