"""Ultimate Texas Hold'em of 69GAMES: boxes with ante, equal blind and optional trips.

Each box belongs to one player, and a player may have several. The plan knows no void and no time
limit, so every round is played to its end. The rules of cards and decisions are in
`casino_poker_ultimate_round`; here wagers are judged and the order of the contract is kept.
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
    ResultLine,
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
from ledger.games.casino_poker.seen import hands_shown, in_words, ultimate_outcome
from ledger.games.casino_poker.stakes import ultimate_stakes
from ledger.games.casino_poker.ultimate_actions import Street, play_times, read_decisions
from ledger.games.casino_poker.ultimate_round import (
    UltimateHoldemOutcome,
    UltimateHoldemRules,
    decide_box_wager,
    read_ultimate_outcome,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.seen import RoundFacts, ShownHand
    from ledger.games.api.shapes import Document

_BETS = ("ante", "blind", "trips")


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class UltimateHoldemPlan(GamePlan):
    """Limits and rules of one plan."""

    optional_fields: ClassVar[frozenset[str]] = frozenset({"burn"})
    bets_depend: ClassVar[bool] = True
    additional_wagers: ClassVar[frozenset[str]] = frozenset({"raise"})
    header: PlanHeader
    limits: StakeLimits
    rules: UltimateHoldemRules

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> UltimateHoldemOutcome:
        """Read the cards; raises MALFORMED_REQUEST."""
        return read_ultimate_outcome(document, void, disconnects)

    def describe(self, bet: str, selection: object) -> str:
        """Name the bet; raises UNKNOWN_BET."""
        del selection  # No bet of this game has one.
        check_bet(self.header, bet, _BETS)
        return bet

    def outcome_seen(self, facts: RoundFacts) -> Document:
        """Read the cards of a hand; raises OUTCOME_INCOMPLETE."""
        return ultimate_outcome(facts)

    def outcome_for(self, document: Document, wagers: Sequence[Wager]) -> Document:
        """Leave out the hands of boxes without wagers; the plan knows no void of single ones."""
        hands = document.get("hands")
        if not isinstance(hands, dict):
            return document
        boxes = {wager.box for wager in wagers}
        return {**document, "hands": {box: hands[box] for box in hands if box in boxes}}

    def stakes_added(
        self, facts: RoundFacts, action: Action, table: TableLimits
    ) -> tuple[Wager, ...]:
        """Return the play bet that a decision adds; raises `SettlementError`."""
        del table  # The play bet follows the ante.
        return ultimate_stakes(self.rules.play_times, facts, action)

    def box_problem(
        self, wager: Wager, on_box: Sequence[Wager], table: TableLimits
    ) -> SettlementError | None:
        """Return why a wager may not join those on its box, or None: a box has one player."""
        del table
        if all(other.player == wager.player for other in on_box):
            return None
        return SettlementError(
            Code.BOX_LIMIT_EXCEEDED, f"box {shown(wager.box or '')} has another player"
        )

    def may_conclude(self, wager: Wager, others: Sequence[Wager]) -> bool:
        """Return whether chips lie beside the others that they need: ante and equal blind."""
        needed = "blind" if wager.bet == "ante" else "ante"
        return any((other.box, other.bet) == (wager.box, needed) for other in others)

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
        """Check a wager beside the player's other wagers; raises `SettlementError`.

        An ante may lie alone until its blind is placed; whether the blind came is judged with the
        round.
        """
        check_bet(self.header, wager.bet, _BETS)
        check_stake(wager)
        place = _place(wager)
        others = {_place(other): other.stake_haler for other in placed}
        check_single(place, set(others))
        if wager.bet != "ante":
            _check_beside_ante(place, wager.stake_haler, others)
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager and raise of one hand.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, UltimateHoldemOutcome):
            message = "a hand of Ultimate Texas Hold'em needs an UltimateHoldemOutcome"
            raise TypeError(message)
        places = [_place(wager) for wager in wagers]
        decisions = read_decisions(actions)
        owners = self._check_wagers(wagers, places)
        self.limits.check_round(wagers, (), table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        showdown = show(self.rules, outcome, tuple(owners))
        times = play_times(self.rules.play_times, decisions, owners)
        lines: list[ResultLine] = []
        for wager, (_player, box, _bet) in zip(wagers, places, strict=True):
            lines += decide_box_wager(self.rules, wager, box, times[box], showdown)
        return RoundResult(self.header.game, self.header.version, tuple(lines))

    def _check_wagers(self, wagers: Sequence[Wager], places: Sequence[Place]) -> dict[str, str]:
        """Judge the wagers among each other and give the player of each box."""
        owners: dict[str, str] = {}
        for place in check_places(self.header, wagers, places, _BETS):
            if owners.setdefault(place.box, place.player) != place.player:
                raise SettlementError(
                    Code.BOX_LIMIT_EXCEEDED, f"box {shown(place.box)} has another player"
                )
        stakes = {place: wager.stake_haler for wager, place in zip(wagers, places, strict=True)}
        for place, stake_haler in stakes.items():
            if place.bet != "ante":
                _check_beside_ante(place, stake_haler, stakes)
            elif place._replace(bet="blind") not in stakes:
                raise SettlementError(
                    Code.STAKE_MISMATCH, f"box {shown(place.box)} has an ante and no blind"
                )
        return owners


def read_plan(header: PlanHeader, section: Section) -> UltimateHoldemPlan:
    """Read the Ultimate Texas Hold'em part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    cards, play = section.section("cards"), section.section("play")
    dealer, fold = section.section("dealer"), section.section("fold")
    ante = section.section("ante")
    times = play.number_sets("times")
    if len(times) != len(Street) or any(count < 1 for street in times for count in street):
        raise PlanError(play.place("times"), "must give the raises of all three streets")
    plan = UltimateHoldemPlan(
        header=header,
        limits=read_limits(section.section("limits"), _BETS),
        rules=UltimateHoldemRules(
            decks=cards.integer("decks"),
            play_times=times,
            play_odds=read_odds(play, "pays"),
            rule_play=play.text("rule"),
            dealer_pair_min=read_rank(dealer, "qualifies_with_pair"),
            rule_dealer=dealer.text("rule"),
            rule_fold=fold.text("rule"),
            fold_loses_trips=fold.flag("loses_trips"),
            fold_wins_ante_back=fold.flag("wins_ante_back_from_unqualified_dealer"),
            ante_odds=read_odds(ante, "pays"),
            rule_ante=ante.text("rule"),
            blind=read_pay_table(section.section("blind")),
            trips=read_pay_table(section.section("trips")),
        ),
    )
    for part in (cards, play, dealer, fold, ante):
        part.close()
    return plan


def _place(wager: Wager) -> Place:
    if wager.box is None:
        raise SettlementError(Code.MALFORMED_REQUEST, f"wager {shown(wager.id)} must name its box")
    return Place(wager.player, wager.box, wager.bet)


def _check_beside_ante(place: Place, stake_haler: int, stakes: dict[Place, int]) -> None:
    """Refuse a blind or trips that does not fit the ante of its box."""
    ante = stakes.get(place._replace(bet="ante"))
    if ante is None:
        raise SettlementError(
            Code.SIDE_BET_WITHOUT_MAIN, f"{place.bet} on box {shown(place.box)} has no ante"
        )
    if stake_haler > ante or (place.bet == "blind" and stake_haler != ante):
        raise SettlementError(
            Code.STAKE_MISMATCH, f"{place.bet} on box {shown(place.box)} does not fit the ante"
        )
