"""Poker tournaments of 69GAMES: Texas Hold'em, Omaha and Pineapple Open Face Chinese Poker.

A settlement computes, from the payments, the entries, money pool, fee, prize pool and prizes. The
prize pool is the money pool less the fee, at least the guarantee; the operator tops it up. A prize
is booked on the player's last entry. Single hands in tournament chips are settled by the rules of
their game (`ledger.games.cash.kinds`). The differences between the three plans are data. Amounts
are haler.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from ledger.core.phrases import Phrase
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
    read,
)
from ledger.games.api.explanation import AnyTerm, Reason, Why
from ledger.games.api.facts import PlaceFacts
from ledger.games.api.payouts import lost, voided
from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import Document, Percent, ShapeError, Text, decode
from ledger.games.cash.kinds import (
    ChipRules,
    check_chips,
    chip_words,
    read_chip_outcome,
    settle_chips,
)
from ledger.games.cash.money_hand import HandPlan
from ledger.games.open_face.rows import Fantasyland, Royalties
from ledger.games.open_face.rules import RuledOfcTable, ofc_rules
from ledger.games.poker.placement import check_table_limits, describe_bet, table_problem
from ledger.games.poker.rules import RuledHandTable, hand_rules
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
from ledger.games.tournament.outcome import TournamentOutcome
from ledger.games.tournament.payouts import PayoutLines, PayoutTable
from ledger.games.tournament.prizes import (
    check_places,
    prizes_by_place,
    share_by_deal,
    share_by_place,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.api.contract import Action, Disconnect, Void
    from ledger.games.api.explanation import DealShare, PlayedFor, PrizeShare
    from ledger.games.tournament.entries import Field


class FeeTable(PlanTable, frozen=True):
    """The fee in percent of the money pool.

    `guarantees_deposits`: a guarantee applies to all deposits, not to the money left for prizes
    after the fee. In that case deposits above the guarantee bear the whole fee, and deposits below
    it none.
    """

    percent_min: Percent
    percent_max: Percent
    guarantees_deposits: bool = field(name="guarantee_is_of_deposits")
    rule_refund: Text = field(name="refund_rule")


class _Kind(Struct, frozen=True):
    kind: Literal["prizes", "hand"] = "prizes"


class TournamentPlan(HandPlan, frozen=True):
    """Formats, fee, payout table and hands of one kind of tournament.

    If `royalties` is set, its hands are Open Face Chinese Poker.
    """

    formats: dict[str, TournamentFormat]
    fee: FeeTable
    payout_lines: PayoutLines = field(name="payouts")
    hand_table: Document = field(name="hand")
    royalties: Royalties | None = None
    fantasyland: Fantasyland | None = None

    def __post_init__(self) -> None:
        """Parse payouts and hand rules, so that an invalid file is rejected when it is loaded."""
        _ = self.payouts, self.played

    @cached_property
    def payouts(self) -> PayoutTable:
        """Return the payout table."""
        return self.payout_lines.read()

    @cached_property
    def played(self) -> ChipRules:
        """Return the rules of a hand."""
        if self.royalties is None and self.fantasyland is None:
            hand = decode(self.hand_table, RuledHandTable, ".hand")
            return hand_rules(hand, hand.rule)
        if self.royalties is None or self.fantasyland is None:
            raise ShapeError(".fantasyland", "must be given with royalties and without none")
        ofc = decode(self.hand_table, RuledOfcTable, ".hand")
        return ofc_rules(ofc, ofc.rule, self.royalties, self.fantasyland)

    def read_outcome(
        self, document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
    ) -> Outcome:
        """Parse a tournament or one of its hands; raises MALFORMED_REQUEST."""
        if read(document, _Kind, "outcome").kind == "hand":
            return read_chip_outcome(self.played, document, void, disconnects)
        outcome = read(document, TournamentOutcome, "outcome")
        return replace(outcome, void=void, disconnects=disconnects)

    def settle_round(
        self,
        wagers: Sequence[Wager],
        actions: Sequence[Action],
        outcome: Outcome,
        table: TableLimits,
    ) -> RoundResult:
        """Settle a tournament or one of its hands."""
        if not isinstance(outcome, TournamentOutcome):
            return settle_chips(self.header, self.played, wagers, actions, outcome, table=table)
        if outcome.format not in self.formats:
            raise SettlementError(
                Code.MALFORMED_REQUEST, Phrase("FORMAT_UNKNOWN", formats=", ".join(self.formats))
            )
        check_entries(self.header, wagers, self.formats[outcome.format])
        check_table_limits(table, self._words)
        if outcome.void is not None:
            raise SettlementError(Code.INVALID_VOID_REASON, Phrase("NO_VOID_TOURNAMENT"))
        checks.check_participants(self.header, wagers, outcome)
        self._check_fee(outcome)
        withdrawn = check_withdrawn(wagers, outcome.withdrawn)
        result = self._pay(wagers, outcome, count_field(wagers, withdrawn))
        if actions:
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("TOURNAMENT_WITHOUT_DECISIONS"))
        return result

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a payment or the chips of a hand together with the player's other wagers.

        The settlement of the tournament checks whether the format allows the payment.
        """
        del table
        if wager.bet in chip_words(self.played):
            check_chips(self.header, self.played, wager, placed)
            return
        bought_in = {other.player for other in placed if other.bet == BUY_IN}
        if wager.bet == BUY_IN and bought_in:
            raise SettlementError(Code.ENTRY_NOT_ALLOWED, Phrase("SECOND_BUY_IN"))
        check_payment(self.header, wager)
        check_bought_in(wager, bought_in)

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return table_problem(table, self._words)

    def describe(self, bet: str, selection: object) -> str:
        """Describe the purpose of the money; raises UNKNOWN_BET."""
        del selection
        return describe_bet(bet, self._words)

    @property
    def _words(self) -> Mapping[str, str]:
        return {**ENTRY_WORDS, **chip_words(self.played)}

    def _check_fee(self, outcome: TournamentOutcome) -> None:
        if not self.fee.percent_min <= outcome.fee_percent <= self.fee.percent_max:
            raise SettlementError(
                Code.FEE_OUT_OF_RANGE,
                Phrase(
                    "FEE_PERCENT_OUT_OF_RANGE",
                    least=self.fee.percent_min,
                    most=self.fee.percent_max,
                ),
            )

    def _pay(
        self, wagers: Sequence[Wager], outcome: TournamentOutcome, field: Field
    ) -> RoundResult:
        column = self.payouts.column(field.entries)
        fee = int(field.moneypool_haler * outcome.fee_percent / 100)
        guarantee = outcome.guarantee_haler or 0
        if self.fee.guarantees_deposits:
            fee = 0 if guarantee > field.moneypool_haler else fee
            pool = max(field.moneypool_haler, guarantee) - fee
        else:
            pool = max(field.moneypool_haler - fee, guarantee)
        players = field.entry_line.keys()
        prizes = prizes_by_place(column, pool, len(players))
        deal = outcome.deal
        shares = {} if deal is None else share_by_deal(deal, prizes, players)
        check_places(outcome.places, players=players, dealt=tuple(shares), paid=len(prizes))
        placed = share_by_place(outcome.places, prizes, first_place=len(shares))
        money = PlaceFacts(
            place=None,
            entries=field.entries,
            column=column.head,
            percents=column.shares[: len(prizes)],
            money_pool=field.moneypool_haler,
            fee=fee,
            top_up=pool + fee - field.moneypool_haler,
            prize_pool=pool,
        )
        return RoundResult(
            self.header.game,
            self.header.version,
            tuple(self._line(wager, field, shares, placed, money) for wager in wagers),
            {
                "entries": field.entries,
                "column": column.head,
                "moneypool": format_amount(field.moneypool_haler),
                "fee": format_amount(fee),
                "top_up": format_amount(money.top_up),
                "prize_pool": format_amount(pool),
            },
        )

    def _line(
        self,
        wager: Wager,
        field: Field,
        shares: Mapping[str, tuple[DealShare | PlayedFor, ...]],
        placed: Mapping[str, PrizeShare],
        money: PlaceFacts,
    ) -> ResultLine:
        """Book a player's prize on the last entry; other payments of the player win nothing."""
        line_id, stake, rule = wager.id, wager.stake_haler, self.header.rule_settled
        entry = field.entry_line.get(wager.player)
        if entry is None:
            return voided(line_id, stake, self.fee.rule_refund, Why(Reason.WITHDRAWN))
        if entry != line_id:
            return lost(line_id, stake, rule, Why(Reason.ENTRY_NOT_LAST))
        if wager.player in shares:
            why = Why(Reason.DEAL_SHARED, partial(replace, money))
            return _prize_line(wager, shares[wager.player], rule, why)
        share = placed.get(wager.player)
        if share is None or not share.amount:
            place = share.first_place if share is not None else None
            why = Why(Reason.PLACE_NOT_PAID, partial(replace, money, place=place))
            return lost(line_id, stake, rule, why)
        why = Why(Reason.PLACE_PAID, partial(replace, money, place=share.first_place), money.column)
        return _prize_line(wager, (share,), rule, why)


def _prize_line(wager: Wager, terms: tuple[AnyTerm, ...], rule: str, why: Why) -> ResultLine:
    result = Result.WIN if any(term.amount for term in terms) else Result.LOSE
    return ResultLine(wager.id, wager.stake_haler, result, terms, rule, why)
