"""Baccarat with commission: any number of players bet on the same two hands.

The plan gives decks, bets, odds and limits; `coup` has the rules of the cards. Side bets need no
main bet, and any mix of bets is allowed. Cards are not checked when there are no players, because a
coup may be void because its cards were recorded wrongly.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.cards import check_copies, parse_cards
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    Result,
    ResultLine,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.api.explanation import Reason, Why
from ledger.games.api.payouts import Odds, lost, pushed, voided, won
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.stake_limits import LimitedPlan
from ledger.games.api.typed import Decks, OptionalField, Text
from ledger.games.baccarat.coup import BETS, Coup, check_draws, result_of
from ledger.games.baccarat.recorded_outcome import hands_shown, in_words, outcome_from_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.round_facts import RoundFacts, ShownHand
    from ledger.games.api.typed import Document

_HAND_CARDS_MIN = 2


class BaccaratOutcome(Outcome, frozen=True):
    """The cards of both hands in the order of dealing, as recorded; None when left out."""

    player: OptionalField[tuple[str, ...]] = None
    banker: OptionalField[tuple[str, ...]] = None


class BaccaratBet(PlanTable, frozen=True):
    """Odds of a bet and the paragraph that decides it; None means that of the game."""

    odds: Odds = field(name="pays")
    rule: Text | None = None


class BaccaratCards(PlanTable, frozen=True):
    """The shoe, and the paragraph by which stakes are returned on a tie."""

    decks: Decks
    tie_rule: Text


class BaccaratPlan(LimitedPlan, frozen=True):
    """Bets, decks and limits of one plan."""

    outcome_type: ClassVar[type[Outcome]] = BaccaratOutcome
    announced_before_void: ClassVar[frozenset[str]] = frozenset({"game_error"})
    made_by: ClassVar[frozenset[str]] = frozenset({"shoe", "shuffler", "machine"})
    bets: dict[str, BaccaratBet]
    cards: BaccaratCards

    def __post_init__(self) -> None:
        """Reject bets that the result of a coup cannot decide."""
        for code in self.bets:
            if code not in BETS:
                raise wrong(f"bets.{code}", "is not a bet of this family")
        super().__post_init__()

    @cached_property
    def bet_words(self) -> dict[str, str]:
        """Return the names of the bets by their codes."""
        return {code: code.replace("_", " ") for code in self.bets}

    def outcome_from_facts(self, facts: RoundFacts) -> Document:
        """Derive both hands from the cards; raises OUTCOME_INCOMPLETE."""
        return outcome_from_facts(facts)

    def hands_shown(self, document: Document) -> Iterable[ShownHand]:
        """Yield both hands with their points."""
        return hands_shown(document)

    def describe_result(self, document: Document) -> str:
        """Return the points of both hands."""
        return in_words(document)

    def decide(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: BaccaratOutcome,
        table: TableLimits,
    ) -> Iterable[ResultLine]:
        """Decide every wager of one coup."""
        checks.check_each_wager(self.header, wagers, self.check_wager)
        disconnected = checks.players_disconnected(self.header, outcome)
        self.check_limits(wagers, disconnected, table)
        checks.check_void(self.header, outcome)
        checks.check_participants(self.header, wagers, outcome)
        unplayed = [
            checks.return_ground(self.header, wager, outcome, disconnected) for wager in wagers
        ]
        is_played = None in unplayed
        coup = self._read_coup(outcome) if is_played else Coup((), ())
        if actions:
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("BACCARAT_WITHOUT_DECISIONS"))
        if is_played:
            check_draws(coup)
        return tuple(
            self._line(wager, coup, why_not)
            for wager, why_not in zip(wagers, unplayed, strict=True)
        )

    def _read_coup(self, outcome: BaccaratOutcome) -> Coup:
        coup = Coup(parse_cards(outcome.player or ()), parse_cards(outcome.banker or ()))
        if min(len(coup.player), len(coup.banker)) < _HAND_CARDS_MIN:
            raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("COUP_WITHOUT_CARDS"))
        check_copies((*coup.player, *coup.banker), self.cards.decks)
        return coup

    def _line(self, wager: Wager, coup: Coup, unplayed: checks.ReturnGround | None) -> ResultLine:
        line_id, stake = wager.id, wager.stake_haler
        if unplayed is not None:
            return voided(line_id, stake, *unplayed)
        bet = self.bets[wager.bet]
        rule = bet.rule or self.header.rule_settled
        match result_of(wager.bet, coup):
            case Result.WIN:
                why = Why(Reason.COUP_WON, coup.facts, wager.bet)
                return won(line_id, stake, bet.odds, rule, why)
            case Result.PUSH:
                return pushed(
                    line_id, stake, self.cards.tie_rule, Why(Reason.COUP_TIED, coup.facts)
                )
            case _:
                return lost(line_id, stake, rule, Why(Reason.COUP_LOST, coup.facts))
