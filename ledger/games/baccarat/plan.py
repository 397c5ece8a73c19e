"""Baccarat with commission: any number of players bet on the same two hands.

The plan gives decks, bets, odds and limits; `baccarat_coup` has the rules of the cards. Side bets
need no main bet, and any mix of bets is allowed. Cards are not judged when nobody plays, because a
coup may be void for the very reason that its cards were recorded wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api import round_checks as checks
from ledger.games.api.cards import card_texts, check_copies, parse_cards
from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    Outcome,
    Result,
    ResultLine,
    RoundResult,
    SettlementError,
    TableLimits,
    Void,
    Wager,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.payouts import lost, pushed, read_odds, voided, won
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import shown
from ledger.games.api.stake_limits import PlacedStakes, StakeLimits, check_stake, read_limits
from ledger.games.baccarat.coup import BETS, Coup, check_draws, result_of
from ledger.games.baccarat.seen import hands_shown, in_words, outcome_seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from fractions import Fraction

    from ledger.games.api.seen import RoundFacts, ShownHand
    from ledger.games.api.shapes import Document

_HAND_CARDS_MIN = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class BaccaratOutcome(Outcome):
    """The cards of both hands in the order of dealing, as recorded; None when left out."""

    player: tuple[str, ...] | None = None
    banker: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class BaccaratBet:
    """What a bet pays and which paragraph says so."""

    odds: Fraction
    rule: str


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class BaccaratPlan(GamePlan):
    """Bets, decks and limits of one plan."""

    header: PlanHeader
    bets: Mapping[str, BaccaratBet]
    limits: StakeLimits
    decks: int
    rule_tie: str

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> BaccaratOutcome:
        """Read both hands; raises MALFORMED_REQUEST."""
        return BaccaratOutcome(
            void=void,
            disconnects=disconnects,
            player=card_texts(document, "player", "outcome"),
            banker=card_texts(document, "banker", "outcome"),
        )

    def describe(self, bet: str, selection: object) -> str:
        """Name the bet; raises UNKNOWN_BET."""
        del selection  # No bet of this game has one.
        self._find_bet(bet)
        return bet.replace("_", " ")

    def outcome_seen(self, facts: RoundFacts) -> Document:
        """Read both hands from the cards; raises OUTCOME_INCOMPLETE."""
        return outcome_seen(facts)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Show both hands with their points."""
        return hands_shown(document)

    def result_in_words(self, document: Document) -> str:
        """Return the points of both hands."""
        return in_words(document)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.limits.table_problem(table)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager beside the player's other wagers; raises `SettlementError`."""
        self._check_wager(wager)
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Decide every wager of one coup.

        Raises:
            SettlementError: the first problem, in the order wagers, limits, void, cards, actions,
                drawing.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, BaccaratOutcome):
            message = "a coup of baccarat needs a BaccaratOutcome"
            raise TypeError(message)
        checks.judge_wagers(self.header, wagers, self._check_wager)
        disconnected = checks.players_disconnected(self.header, outcome)
        self.limits.check_round(wagers, disconnected, table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        void_rules = [
            checks.void_rule(self.header, wager, outcome, disconnected) for wager in wagers
        ]
        is_played = None in void_rules
        coup = self._read_coup(outcome) if is_played else Coup((), ())
        if actions:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, "baccarat has no decisions after the close of bets"
            )
        if is_played:
            check_draws(coup)
        lines = tuple(
            self._line(wager, coup, void_rule)
            for wager, void_rule in zip(wagers, void_rules, strict=True)
        )
        return RoundResult(self.header.game, self.header.version, lines)

    def _check_wager(self, wager: Wager) -> None:
        """Judge a wager by itself: bet and stake."""
        self._find_bet(wager.bet)
        check_stake(wager)

    def _find_bet(self, code: str) -> BaccaratBet:
        bet = self.bets.get(code)
        if bet is None:
            raise SettlementError(Code.UNKNOWN_BET, f"{self.header.game} has no bet {shown(code)}")
        return bet

    def _read_coup(self, outcome: BaccaratOutcome) -> Coup:
        coup = Coup(parse_cards(outcome.player or ()), parse_cards(outcome.banker or ()))
        if min(len(coup.player), len(coup.banker)) < _HAND_CARDS_MIN:
            raise SettlementError(
                Code.OUTCOME_INCOMPLETE, "both hands need two cards and the coup is not void"
            )
        check_copies((*coup.player, *coup.banker), self.decks)
        return coup

    def _line(self, wager: Wager, coup: Coup, void_rule: str | None) -> ResultLine:
        if void_rule is not None:
            return voided(wager.id, wager.stake_haler, void_rule)
        bet = self.bets[wager.bet]
        match result_of(wager.bet, coup):
            case Result.WIN:
                return won(wager.id, wager.stake_haler, bet.odds, bet.rule)
            case Result.PUSH:
                return pushed(wager.id, wager.stake_haler, self.rule_tie)
            case _:
                return lost(wager.id, wager.stake_haler, bet.rule)


def read_plan(header: PlanHeader, section: Section) -> BaccaratPlan:
    """Read the baccarat part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    cards, offered = section.section("cards"), section.section("bets")
    bets = {code: _read_bet(offered.section(code), header.rule_settled) for code in offered}
    for code in bets:
        if code not in BETS:
            raise PlanError(offered.place(code), "is not a bet of this family")
    plan = BaccaratPlan(
        header=header,
        bets=bets,
        limits=read_limits(section.section("limits"), bets),
        decks=cards.integer("decks"),
        rule_tie=cards.text("tie_rule"),
    )
    cards.close()
    return plan


def _read_bet(section: Section, rule_settled: str) -> BaccaratBet:
    bet = BaccaratBet(read_odds(section, "pays"), section.optional_text("rule") or rule_settled)
    section.close()
    return bet
