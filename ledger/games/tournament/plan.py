"""Poker tournaments of 69GAMES: Texas Hold'em, Omaha and Pineapple Open Face Chinese Poker.

Settling a tournament goes from payments to entries, money pool, fee, prize pool and prizes. The
prize pool is the money pool less the fee, at least the guarantee; the operator tops it up. A prize
is booked on the player's last entry. Single hands in tournament chips are settled by the rules of
their game (`poker_kinds`). What differs between the three plans is data. All money is haler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Code,
    Outcome,
    Result,
    ResultLine,
    RoundResult,
    SettlementError,
    TableLimits,
    Wager,
    format_amount,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.plan_reader import PlanError
from ledger.games.cash.kinds import (
    ChipRules,
    check_chips,
    chip_words,
    is_hand,
    read_chip_outcome,
    read_chip_rules,
    settle_chips,
)
from ledger.games.poker.placement import check_table_limits, describe_bet, table_problem
from ledger.games.tournament.entries import (
    BUY_IN,
    ENTRY_WORDS,
    TournamentFormat,
    check_bought_in,
    check_entries,
    check_payment,
    check_withdrawn,
    count_field,
)
from ledger.games.tournament.outcome import TournamentOutcome, read_tournament_outcome
from ledger.games.tournament.payouts import PayoutTable, read_payouts
from ledger.games.tournament.prizes import (
    check_places,
    prizes_by_place,
    share_by_deal,
    share_by_place,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ledger.games.api.contract import Action, Disconnect, Void
    from ledger.games.api.plan_reader import Section
    from ledger.games.api.shapes import Document
    from ledger.games.tournament.entries import Field


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TournamentPlan(GamePlan):
    """Formats, fee, payout table and hands of one kind of tournament.

    `guarantees_deposits`: a guarantee is measured by all deposits, not by what is left for prizes
    after the fee; then deposits above it bear the whole fee, and deposits below it none.
    """

    header: PlanHeader
    formats: Mapping[str, TournamentFormat]
    fee_percent_min: int
    fee_percent_max: int
    guarantees_deposits: bool
    rule_refund: str
    payouts: PayoutTable
    hand: ChipRules

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Read a tournament or one of its hands; raises MALFORMED_REQUEST."""
        if is_hand(document):
            return read_chip_outcome(self.hand, document, void, disconnects)
        return read_tournament_outcome(document, void, disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle a tournament or one of its hands.

        Raises:
            SettlementError: the first problem, in the order of the contract.
            TypeError: the outcome is of another family.

        """
        if not isinstance(outcome, TournamentOutcome):
            return settle_chips(self.header, self.hand, wagers, actions, outcome, table=table)
        if outcome.format not in self.formats:
            raise SettlementError(
                Code.MALFORMED_REQUEST, f"outcome.format must be one of {', '.join(self.formats)}"
            )
        check_entries(self.header, wagers, self.formats[outcome.format])
        check_table_limits(table, self._words)
        if outcome.void is not None:
            raise SettlementError(Code.INVALID_VOID_REASON, "the plan knows no void tournament")
        checks.check_participants(self.header, wagers, outcome)
        self._check_fee(outcome)
        withdrawn = check_withdrawn(wagers, outcome.withdrawn)
        result = self._pay(wagers, outcome, count_field(wagers, withdrawn))
        if actions:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, "the prizes of a tournament need no decisions"
            )
        return result

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a payment or the chips of a hand beside the player's other wagers.

        What the format allows is judged with the whole tournament.
        """
        del table
        if wager.bet in chip_words(self.hand):
            check_chips(self.header, self.hand, wager, placed)
            return
        bought_in = {other.player for other in placed if other.bet == BUY_IN}
        if wager.bet == BUY_IN and bought_in:
            raise SettlementError(Code.ENTRY_NOT_ALLOWED, "a player buys in once")
        check_payment(self.header, wager)
        check_bought_in(wager, bought_in)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return table_problem(table, self._words)

    def describe(self, bet: str, selection: object) -> str:
        """Return in words what the money is for; raises UNKNOWN_BET."""
        del selection
        return describe_bet(bet, self._words)

    @property
    def _words(self) -> Mapping[str, str]:
        return {**ENTRY_WORDS, **chip_words(self.hand)}

    def _check_fee(self, outcome: TournamentOutcome) -> None:
        if not self.fee_percent_min <= outcome.fee_percent <= self.fee_percent_max:
            raise SettlementError(
                Code.FEE_OUT_OF_RANGE,
                f"the fee must be {self.fee_percent_min} to {self.fee_percent_max} percent",
            )

    def _pay(
        self, wagers: Sequence[Wager], outcome: TournamentOutcome, field: Field
    ) -> RoundResult:
        column = self.payouts.column(field.entries)
        fee = int(field.moneypool_haler * outcome.fee_percent / 100)
        guarantee = outcome.guarantee_haler or 0
        if self.guarantees_deposits:
            fee = 0 if guarantee > field.moneypool_haler else fee
            pool = max(field.moneypool_haler, guarantee) - fee
        else:
            pool = max(field.moneypool_haler - fee, guarantee)
        players = field.entry_line.keys()
        prizes = prizes_by_place(column, pool, len(players))
        deal = outcome.deal
        shares = {} if deal is None else share_by_deal(deal, prizes, players)
        check_places(outcome.places, players=players, dealt=tuple(shares), paid=len(prizes))
        shares |= share_by_place(outcome.places, prizes, first_place=len(shares))
        prize_of_line = {field.entry_line[player]: haler for player, haler in shares.items()}
        return RoundResult(
            self.header.game,
            self.header.version,
            tuple(self._line(wager, players, prize_of_line) for wager in wagers),
            {
                "entries": field.entries,
                "column": column.head,
                "moneypool": format_amount(field.moneypool_haler),
                "fee": format_amount(fee),
                "top_up": format_amount(pool + fee - field.moneypool_haler),
                "prize_pool": format_amount(pool),
            },
        )

    def _line(
        self, wager: Wager, players: AbstractSet[str], prize_of_line: Mapping[str, int]
    ) -> ResultLine:
        stake = wager.stake_haler
        if wager.player not in players:
            return ResultLine(wager.id, stake, Result.VOID, stake, self.rule_refund)
        prize = prize_of_line.get(wager.id, 0)
        result = Result.WIN if prize else Result.LOSE
        return ResultLine(wager.id, stake, result, prize, self.header.rule_settled)


def read_plan(header: PlanHeader, section: Section) -> TournamentPlan:
    """Read the tournament part of a plan file.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    formats, fee = section.section("formats"), section.section("fee")
    plan = TournamentPlan(
        header=header,
        formats={name: _read_format(formats.section(name)) for name in formats},
        fee_percent_min=fee.integer("percent_min"),
        fee_percent_max=fee.integer("percent_max"),
        guarantees_deposits=fee.flag("guarantee_is_of_deposits"),
        rule_refund=fee.text("refund_rule"),
        payouts=read_payouts(section.section("payouts")),
        hand=read_chip_rules(section),
    )
    fee.close()
    return plan


def _read_format(section: Section) -> TournamentFormat:
    once, any_number = section.texts("once"), section.texts("any_number")
    for bet in (*once, *any_number):
        if bet not in ENTRY_WORDS:
            raise PlanError(section.place("once"), f"names {bet!r}, which is no payment")
    section.close()
    return TournamentFormat(frozenset(once), frozenset(any_number))
