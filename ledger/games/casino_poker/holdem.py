"""Casino Hold'em of SAZKA: one shared box, ante, call and the AA side bet against the dealer.

The order of a round: bets close, two cards for the box and the dealer, the flop, a decision of each
player, two more board cards. `call` after the flop, or `call_blind` before the cards, adds twice
the ante; who folds, also by timeout, loses ante and AA whatever the cards are. The rules of cards
and decisions are in `casino_poker_holdem_round`; here wagers are judged and the order is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    Outcome,
    RoundResult,
    SettlementError,
    TableLimits,
    Void,
    Wager,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.payouts import read_odds
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import shown
from ledger.games.api.stake_limits import PlacedStakes, StakeLimits, check_stake, read_limits
from ledger.games.casino_poker.common import (
    Place,
    check_bet,
    check_places,
    check_single,
    read_pay_table,
    read_rank,
)
from ledger.games.casino_poker.holdem_actions import check_action_shapes, check_decisions
from ledger.games.casino_poker.holdem_round import (
    CasinoHoldemOutcome,
    CasinoHoldemRules,
    deal,
    decide_wagers,
    read_holdem_outcome,
)
from ledger.games.casino_poker.seen import hands_shown, holdem_outcome, in_words
from ledger.games.casino_poker.stakes import holdem_stakes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.seen import RoundFacts, ShownHand
    from ledger.games.api.shapes import Document

_WORDS = {"ante": "ante", "aa": "AA side bet"}


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class CasinoHoldemPlan(GamePlan):
    """Limits and rules of one plan.

    `void_for_all` are the reasons that cancel the whole round and never that of single players.
    """

    optional_fields: ClassVar[frozenset[str]] = frozenset({"burn"})
    early_decisions: ClassVar[frozenset[str]] = frozenset({"call_blind"})
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"call", "call_blind"})
    header: PlanHeader
    limits: StakeLimits
    rules: CasinoHoldemRules
    void_for_all: frozenset[str]

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> CasinoHoldemOutcome:
        """Read the cards; raises MALFORMED_REQUEST."""
        return read_holdem_outcome(document, void, disconnects)

    def describe(self, bet: str, selection: object) -> str:
        """Name the bet; raises UNKNOWN_BET."""
        del selection  # No bet of this game has one.
        check_bet(self.header, bet, _WORDS)
        return _WORDS[bet]

    def outcome_seen(self, facts: RoundFacts) -> Document:
        """Read the cards of a round; raises OUTCOME_INCOMPLETE."""
        return holdem_outcome(facts)

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the call that a decision adds; raises ACTION_NOT_ALLOWED."""
        del table  # The call follows the ante.
        return holdem_stakes(self.rules.call_times, facts, action)

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips lie beside the ante that they need."""
        return wager.bet == "ante" or any(other.bet == "ante" for other in others)

    def may_void(self, reason: str, *, everybody: bool) -> bool:
        """Return whether a reason is one for all players, or for single ones."""
        return reason in self.header.void_reasons and (everybody or reason not in self.void_for_all)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Show the hands with their names."""
        return hands_shown(document)

    def result_in_words(self, document: Document) -> str:
        """Name the dealer's hand."""
        return in_words(document)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.limits.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager beside the player's other wagers; raises `SettlementError`."""
        check_bet(self.header, wager.bet, _WORDS)
        check_stake(wager)
        others = {_place(other) for other in placed}
        check_single(_place(wager), others)
        _check_antes((*others, _place(wager)))
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager and call of one round.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, CasinoHoldemOutcome):
            message = "a round of Casino Hold'em needs a CasinoHoldemOutcome"
            raise TypeError(message)
        check_action_shapes(actions)
        places = [_place(wager) for wager in wagers]
        _check_antes(tuple(check_places(self.header, wagers, places, _WORDS)))
        disconnected = checks.players_disconnected(self.header, outcome)
        self.limits.check_round(wagers, disconnected, table)
        self._check_void(outcome)
        checks.check_participants(self.header, wagers, outcome)
        void_rules = {
            wager.player: checks.void_rule(self.header, wager, outcome, disconnected)
            for wager in wagers
        }
        playing = {player for player, rule in void_rules.items() if rule is None}
        dealt = deal(outcome, self.rules.decks, is_played=bool(playing))
        decisions = check_decisions(
            actions, players=void_rules.keys(), playing=playing, disconnected=disconnected
        )
        lines = decide_wagers(self.rules, wagers, decisions, void_rules, dealt)
        return RoundResult(self.header.game, self.header.version, lines)

    def _check_void(self, outcome: Outcome) -> None:
        void = outcome.void
        if void is not None and void.players is not None and void.reason in self.void_for_all:
            raise SettlementError(
                Code.INVALID_VOID_REASON,
                f"{void.reason} cancels the round for all players, not for single ones",
            )
        checks.check_void(self.header, outcome)


def read_plan(header: PlanHeader, section: Section) -> CasinoHoldemPlan:
    """Read the Casino Hold'em part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    cards, void = section.section("cards"), section.section("void")
    dealer, call, fold = section.section("dealer"), section.section("call"), section.section("fold")
    for_all = void.texts("for_all")
    if not frozenset(for_all).issubset(header.void_reasons):
        raise PlanError(void.place("for_all"), "must be reasons of void_reasons")
    plan = CasinoHoldemPlan(
        header=header,
        limits=read_limits(section.section("limits"), _WORDS),
        rules=CasinoHoldemRules(
            decks=cards.integer("decks"),
            dealer_pair_min=read_rank(dealer, "qualifies_with_pair"),
            rule_dealer=dealer.text("rule"),
            call_times=call.integer("times"),
            call_odds=read_odds(call, "pays"),
            rule_call=call.text("rule"),
            rule_fold=fold.text("rule"),
            ante=read_pay_table(section.section("ante"), needs_all=True),
            aa=read_pay_table(section.section("aa")),
        ),
        void_for_all=frozenset(for_all),
    )
    for part in (cards, void, dealer, call, fold):
        part.close()
    return plan


def _place(wager: Wager) -> Place:
    return Place(wager.player, "", wager.bet)


def _check_antes(places: Sequence[Place]) -> None:
    with_ante = {place.player for place in places if place.bet == "ante"}
    for place in places:
        if place.player not in with_ante:
            raise SettlementError(
                Code.SIDE_BET_WITHOUT_MAIN, f"{shown(place.player)} has AA without an ante"
            )
