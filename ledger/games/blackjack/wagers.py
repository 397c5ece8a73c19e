"""Wagers of blackjack: the bets of a plan, the boxes of each player, and the stakes.

If a player was disconnected before the close of betting, the wager does not become a bet: it takes
no place on a box and counts towards no limit. Amounts are haler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import (
    Code,
    SettlementError,
    StakeRange,
    TableLimits,
    Wager,
)
from ledger.games.api.stake_limits import check_stake, is_within, smallest
from ledger.games.api.typed import Document, ShapeError, decode
from ledger.games.blackjack.rules import Boxes, SeatRules
from ledger.games.blackjack.side_bets import Bet, SideBet

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ledger.games.api.game_plan import PlanHeader

MAIN = "main"
_NO_RANGE = StakeRange()


class MainBet(Bet, frozen=True):
    """The main bet; with `adds_up`, its maximum applies to the box, summed over all players."""

    adds_up: bool = field(name="maximum_is_for_the_box")


@dataclass(frozen=True, kw_only=True, slots=True)
class BetRules:
    """All bets of a plan; with `main_adds_up`, the main maximum is summed over a box's players."""

    bets: Mapping[str, MainBet | SideBet]
    main_adds_up: bool

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None.

        The general range of a table applies to the main bet alone.
        """
        ranges = {MAIN: [table.every]}
        for code, bounds in table.by_bet.items():
            ranges.setdefault(code, []).append(bounds)
        if all(
            code in self.bets and all(_fits(bounds, self.bets[code]) for bounds in listed)
            for code, listed in ranges.items()
        ):
            return None
        return SettlementError(
            Code.INVALID_TABLE_LIMITS,
            Phrase("LIMITS_OUTSIDE_PLAN"),
        )

    def find(self, wager: Wager) -> MainBet | SideBet:
        """Return the bet of a wager; raises UNKNOWN_BET."""
        bet = self.bets.get(wager.bet)
        if bet is None:
            raise SettlementError(Code.UNKNOWN_BET, Phrase("BET_UNKNOWN", bet=wager.bet))
        return bet


def box_named(wager: Wager) -> str:
    """Return the box of a wager; raises MALFORMED_REQUEST if it names none."""
    if wager.box is None:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("WAGER_WITHOUT_BOX", wager=wager.id))
    return wager.box


def check_wagers(
    header: PlanHeader,
    rules: BetRules,
    seats: SeatRules,
    wagers: Sequence[Wager],
    disconnected: Collection[str],
) -> None:
    """Check all wagers of a round except their limits, one by one in the given order.

    That a side bet has a main bet is checked last. So the error names a main bet on a wrong box or
    with a wrong name, and not the side bets that depend on it, whatever their order.

    Raises:
        SettlementError: the first problem.

    """
    identifiers: set[str] = set()
    placed: set[tuple[str, str | None, str]] = set()
    players_on: dict[str | None, int] = {}
    for wager in wagers:
        check_wager(rules, seats, wager)
        checks.check_late(header, wager)
        checks.check_identifiers(wager, identifiers)
        place = (wager.player, wager.box, wager.bet)
        if place in placed:
            raise SettlementError(Code.DUPLICATE_WAGER, Phrase("WAGER_REPEATED", wager=wager.id))
        placed.add(place)
        if wager.bet == MAIN and wager.player not in disconnected:
            players_on[wager.box] = players_on.get(wager.box, 0) + 1
            if players_on[wager.box] > seats.mains_per_box:
                raise SettlementError(
                    Code.BOX_LIMIT_EXCEEDED,
                    Phrase("BOX_WAGERS_TOO_MANY", count=seats.mains_per_box, box=wager.box or ""),
                )
    for wager in wagers:
        if (wager.player, wager.box, MAIN) not in placed:
            raise _without_main(wager)


def check_wager(rules: BetRules, seats: SeatRules, wager: Wager) -> None:
    """Check a wager on its own: bet, stake and box; raises `SettlementError`."""
    rules.find(wager)
    check_stake(wager)
    box = box_named(wager)
    match seats.boxes:
        case Boxes.NUMBERED:
            is_box = box in {str(number) for number in range(1, seats.numbers_max + 1)}
        case Boxes.NAMED:
            is_box = box != "" and "." not in box
        case Boxes.SHARED:
            is_box = box == wager.player
    if not is_box:
        raise SettlementError(Code.INVALID_BOX, Phrase("BOX_NOT_ALLOWED", wager=wager.id, box=box))


def check_limits(rules: BetRules, wagers: Sequence[Wager], table: TableLimits) -> None:
    """Check the stakes of all wagers that became bets, in the order given.

    Raises:
        SettlementError: BET_BELOW_MINIMUM, BET_ABOVE_MAXIMUM or TABLE_LIMIT_EXCEEDED.

    """
    on_box: dict[str | None, int] = {}
    of_player: dict[str, int] = {}
    for wager in wagers:
        bet = rules.find(wager)
        stake = wager.stake_haler
        flat = table.every if isinstance(bet, MainBet) else _NO_RANGE
        own = table.by_bet.get(wager.bet, _NO_RANGE)
        minimum = max(bet.haler_min, flat.haler_min or 0, own.haler_min or 0)
        if stake < minimum:
            raise SettlementError(
                Code.BET_BELOW_MINIMUM,
                Phrase("WAGER_BELOW_MINIMUM", wager=wager.id, amount=minimum),
            )
        if isinstance(bet, MainBet) and bet.adds_up:
            on_box[wager.box] = stake = on_box.get(wager.box, 0) + stake
        maximum = smallest(bet.haler_max, flat.haler_max, own.haler_max)
        if maximum is not None and stake > maximum:
            raise SettlementError(
                Code.BET_ABOVE_MAXIMUM,
                Phrase("BET_ABOVE_MAXIMUM", amount=maximum, bet=wager.bet),
            )
        total = of_player.get(wager.player, 0) + wager.stake_haler
        of_player[wager.player] = total
        if table.round_haler_max is not None and total > table.round_haler_max:
            raise SettlementError(
                Code.TABLE_LIMIT_EXCEEDED,
                Phrase("PLAYER_ABOVE_ROUND_MAXIMUM", amount=table.round_haler_max),
            )


def check_placement(
    rules: BetRules,
    seats: SeatRules,
    wager: Wager,
    placed: Sequence[Wager],
    table: TableLimits,
) -> None:
    """Check a wager that a player wants to add to the wagers already placed.

    Raises:
        SettlementError: the first problem.

    """
    check_wager(rules, seats, wager)
    if any((other.box, other.bet) == (wager.box, wager.bet) for other in placed):
        raise SettlementError(Code.DUPLICATE_WAGER, Phrase("BOX_BET_TWICE", bet=wager.bet))
    if wager.bet != MAIN and all((other.box, other.bet) != (wager.box, MAIN) for other in placed):
        raise _without_main(wager)
    check_limits(rules, (*placed, wager), table)


def check_box(
    rules: BetRules,
    seats: SeatRules,
    wager: Wager,
    on_box: Sequence[Wager],
    table: TableLimits,
) -> None:
    """Check a main wager with the wagers of all players on its box; raises `SettlementError`."""
    if wager.bet != MAIN:
        return
    mains = [other for other in on_box if other.bet == MAIN]
    if len(mains) >= seats.mains_per_box:
        raise SettlementError(
            Code.BOX_LIMIT_EXCEEDED,
            Phrase("BOX_FULL", count=len(mains), box=wager.box or ""),
        )
    if rules.main_adds_up:
        limits = TableLimits(every=table.every, by_bet=table.by_bet)
        check_limits(rules, (*mains, wager), limits)


def bet_rules(bets: Mapping[str, Document]) -> BetRules:
    """Parse the table `bets` of a plan file.

    Raises:
        ShapeError: a bet is not valid, or there is no main bet.

    """
    if MAIN not in bets:
        raise ShapeError(f".bets.{MAIN}", "is missing")
    main = decode(bets[MAIN], MainBet, f".bets.{MAIN}")
    sides = {
        code: decode(bet, SideBet, f".bets.{code}") for code, bet in bets.items() if code != MAIN
    }
    read = {code: sides.get(code, main) for code in bets}
    return BetRules(bets=read, main_adds_up=main.adds_up)


def _without_main(wager: Wager) -> SettlementError:
    return SettlementError(
        Code.SIDE_BET_WITHOUT_MAIN,
        Phrase("SIDE_BET_WITHOUT_MAIN_BET", wager=wager.id),
    )


def _fits(bounds: StakeRange, bet: Bet) -> bool:
    low, high = bounds.haler_min, bounds.haler_max
    return is_within(high, bet.haler_min, bet.haler_max) and is_within(
        low, bet.haler_min, smallest(high, bet.haler_max)
    )
