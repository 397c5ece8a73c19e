"""Casino Hold'em of SAZKA: one shared box, ante, call and the AA side bet against the dealer.

The order of a round: betting closes, two cards for the box and the dealer, the flop, an action of
each player, two more board cards. `call` after the flop, or `call_blind` before the cards, adds
twice the ante; a player who folds, also by timeout, loses ante and AA whatever the cards are.
`holdem_round` has the rules of cards and actions; this module checks wagers in the contract's
order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    ResultLine,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.api.round_checks import CARD_FAULTS
from ledger.games.api.stake_limits import PlacedStakes
from ledger.games.casino_poker.common import Place, check_places, check_single
from ledger.games.casino_poker.holdem_actions import check_action_shapes, check_actions
from ledger.games.casino_poker.holdem_round import (
    CasinoHoldemOutcome,
    CasinoHoldemRules,
    deal,
    decide_wagers,
)
from ledger.games.casino_poker.recorded_outcome import hands_shown, holdem_outcome, in_words
from ledger.games.casino_poker.stakes import holdem_stakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ledger.games.api.round_facts import RoundFacts, ShownHand
    from ledger.games.api.typed import Document

_WORDS = {"ante": "ante", "aa": "AA side bet"}


class CasinoHoldemPlan(CasinoHoldemRules, frozen=True):
    """One plan of Casino Hold'em."""

    ranks_hands: ClassVar[bool] = True

    outcome_type: ClassVar[type[Outcome]] = CasinoHoldemOutcome
    made_by: ClassVar[frozenset[str]] = frozenset({"shoe", "shuffler", "machine"})
    optional_fields: ClassVar[frozenset[str]] = frozenset({"burn"})
    early_actions: ClassVar[frozenset[str]] = frozenset({"call_blind"})
    reconstructed_first: ClassVar[frozenset[str]] = CARD_FAULTS
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"call", "call_blind"})

    def __post_init__(self) -> None:
        """Reject tables that contradict each other."""
        super().__post_init__()
        self.void.check_reasons(self.header)

    @property
    def bet_words(self) -> Mapping[str, str]:
        """Return the names of the bets by their codes."""
        return _WORDS

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive the cards of a round; raises OUTCOME_INCOMPLETE."""
        return holdem_outcome(facts)

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the call that an action adds; raises ACTION_NOT_ALLOWED."""
        del table  # The call follows the ante.
        return holdem_stakes(self.call.times, facts, action)

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips have the ante that they require."""
        return wager.bet == "ante" or any(other.bet == "ante" for other in others)

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason applies to all players, or to single ones."""
        known = super().may_void(reason, everybody=everybody)
        return known and self.void.allows(reason, everybody=everybody)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield the hands with their names."""
        return hands_shown(document)

    def describe_result(self, document: Document) -> str:
        """Return the name of the dealer's hand."""
        return in_words(document)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager with the player's other wagers; raises `SettlementError`."""
        self.check_wager(wager)
        others = {_place(other) for other in placed}
        check_single(_place(wager), others)
        _check_antes((*others, _place(wager)))
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: CasinoHoldemOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Settle every wager and call of one round."""
        check_action_shapes(actions)
        places = [_place(wager) for wager in wagers]
        _check_antes(tuple(check_places(self, wagers, places)))
        disconnected = checks.players_disconnected(self.header, outcome)
        self.check_limits(wagers, disconnected, table)
        self.void.check(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        unplayed = {
            wager.player: checks.return_ground(self.header, wager, outcome, disconnected)
            for wager in wagers
        }
        playing = {player for player, why_not in unplayed.items() if why_not is None}
        dealt = deal(outcome, self.cards.decks, is_played=bool(playing))
        acts = check_actions(
            actions, players=unplayed.keys(), playing=playing, disconnected=disconnected
        )
        return decide_wagers(self, wagers, acts, unplayed, dealt)


def _place(wager: Wager) -> Place:
    return Place(wager.player, "", wager.bet)


def _check_antes(places: Sequence[Place]) -> None:
    with_ante = {place.player for place in places if place.bet == "ante"}
    for place in places:
        if place.player not in with_ante:
            raise SettlementError(
                Code.SIDE_BET_WITHOUT_MAIN, Phrase("AA_WITHOUT_ANTE", player=place.player)
            )
