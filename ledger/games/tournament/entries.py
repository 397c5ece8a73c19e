"""Payments of players into a tournament: payments that a format allows, entries, money pool.

Entries are buy-ins and re-entries; rebuys and add-ons only buy chips. A player who withdraws before
the first hand counts as never entered. Amounts are haler.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import Code, SettlementError, Wager
from ledger.games.api.plan_table import PlanTable, wrong

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.tournament.outcome import Withdrawal

BUY_IN = "buy_in"
ENTRY_WORDS = {
    BUY_IN: "buy-in",
    "re_entry": "re-entry",
    "rebuy": "rebuy of chips",
    "addon": "add-on of chips",
}
ENTRIES = frozenset({BUY_IN, "re_entry"})
"""Payments that are entries; all others only buy chips."""


class TournamentFormat(PlanTable, frozen=True):
    """Payments allowed in a format: those allowed once per player, and those without a limit."""

    once: frozenset[str] = frozenset()
    any_number: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Reject unknown payments."""
        for bet in sorted(self.once | self.any_number):
            if bet not in ENTRY_WORDS:
                raise wrong("once", f"names {bet!r}, which is no payment")


@dataclass(frozen=True, slots=True)
class Field:
    """Entries and money of a tournament; `entry_line` is the wager on which a prize is booked."""

    entries: int
    moneypool_haler: int
    entry_line: Mapping[str, str]


def check_entries(header: PlanHeader, wagers: Sequence[Wager], allowed: TournamentFormat) -> None:
    """Check every payment on its own, then among the others.

    Because of this order, the error names an invalid buy-in and not the re-entry that depends on
    it.

    Raises:
        SettlementError: UNKNOWN_BET, INVALID_STAKE, BET_AFTER_CLOSE, DUPLICATE_WAGER or
            ENTRY_NOT_ALLOWED.

    """
    seen: set[str] = set()
    for wager in wagers:
        check_payment(header, wager)
        checks.check_identifiers(wager, seen)
    bought_in = {wager.player for wager in wagers if wager.bet == BUY_IN}
    paid: Counter[tuple[str, str]] = Counter()
    for wager in wagers:
        check_bought_in(wager, bought_in)
        kind = (wager.player, wager.bet)
        if wager.bet not in allowed.any_number and (wager.bet not in allowed.once or paid[kind]):
            raise SettlementError(
                Code.ENTRY_NOT_ALLOWED,
                Phrase("PAYMENT_NOT_OF_FORMAT", bet=wager.bet, wager=wager.id, player=wager.player),
            )
        paid[kind] += 1


def check_payment(header: PlanHeader, wager: Wager) -> None:
    """Check one payment on its own.

    Raises:
        SettlementError: UNKNOWN_BET, INVALID_STAKE or BET_AFTER_CLOSE.

    """
    if wager.bet not in ENTRY_WORDS:
        raise SettlementError(Code.UNKNOWN_BET, Phrase("TOURNAMENT_WITHOUT_BET", bet=wager.bet))
    if wager.stake_haler <= 0:
        raise SettlementError(Code.INVALID_STAKE, Phrase("PAYMENT_NOT_POSITIVE", wager=wager.id))
    checks.check_late(header, wager)


def check_bought_in(wager: Wager, bought_in: Collection[str]) -> None:
    """Refuse a payment of a player without a buy-in; raises ENTRY_NOT_ALLOWED."""
    if wager.bet != BUY_IN and wager.player not in bought_in:
        raise SettlementError(
            Code.ENTRY_NOT_ALLOWED, Phrase("BUY_IN_MISSING", player=wager.player, bet=wager.bet)
        )


def check_withdrawn(wagers: Sequence[Wager], withdrawn: Sequence[Withdrawal]) -> frozenset[str]:
    """Return the players whose withdrawal is in time.

    Raises:
        SettlementError: INVALID_OUTCOME or REFUND_NOT_ALLOWED.

    """
    players = {wager.player for wager in wagers}
    gone: set[str] = set()
    for entry in withdrawn:
        if entry.player not in players or entry.player in gone or entry.hands_played < 0:
            raise SettlementError(
                Code.INVALID_OUTCOME, Phrase("WITHDRAWAL_NOT_POSSIBLE", player=entry.player)
            )
        if entry.hands_played:
            raise SettlementError(
                Code.REFUND_NOT_ALLOWED,
                Phrase("PLAYED_AND_WITHDRAWN", player=entry.player),
            )
        gone.add(entry.player)
    return frozenset(gone)


def count_field(wagers: Sequence[Wager], withdrawn: Collection[str]) -> Field:
    """Return the number of entries and their money, without withdrawn players."""
    staying = [wager for wager in wagers if wager.player not in withdrawn]
    entries = [wager for wager in staying if wager.bet in ENTRIES]
    return Field(
        entries=len(entries),
        moneypool_haler=sum(wager.stake_haler for wager in staying),
        entry_line={wager.player: wager.id for wager in entries},
    )
