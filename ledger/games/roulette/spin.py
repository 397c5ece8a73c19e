"""One spin: its record and the result of a wager.

Zero at Czech Casinos (simple chance): half of the chips on an even chance are lost and half are
returned; an odd chip is imprisoned until the next valid spin and returned, without winnings, if
the chance then wins. If no chip value is recorded, a chip is one haler. By SAZKA 18 and 21 and
69GAMES Ruleta 5 even chances lose on zero. Amounts are haler.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.core.phrases import Phrase
from ledger.games.api.contract import (
    Code,
    Outcome,
    Result,
    ResultLine,
    SettlementError,
    Wager,
)
from ledger.games.api.explanation import ChipsBack, Reason, StakeBack, Why, Winnings
from ledger.games.api.facts import SpinFacts, WonPosition
from ledger.games.api.payouts import lost
from ledger.games.api.typed import OptionalField
from ledger.games.roulette.layout import EVEN_CHANCES, POCKETS, RED

if TYPE_CHECKING:
    from ledger.games.roulette.bets import Bet, WinningChips

_ZERO = 0


class InvalidSpin(Struct, frozen=True):
    """An invalid spin that was repeated, and the reason."""

    reason: str


class RouletteOutcome(Outcome, frozen=True):
    """Pocket of the valid spin, the invalid spins before it, and the pocket of the next spin."""

    number: OptionalField[int] = None
    invalid_spins: tuple[InvalidSpin, ...] = ()
    next_number: OptionalField[int] = None


def check_pockets(outcome: RouletteOutcome) -> None:
    """Refuse numbers that no wheel has; raises INVALID_OUTCOME."""
    for number in (outcome.number, outcome.next_number):
        if number is not None and number not in POCKETS:
            raise SettlementError(Code.INVALID_OUTCOME, Phrase("NUMBER_NOT_A_POCKET"))


def prison_chip_haler(wager: Wager, rule_prison: str | None) -> int:
    """Return the chip value of an even chance that zero halves; one haler for anything else."""
    if rule_prison is None or wager.chip_haler is None or wager.bet not in EVEN_CHANCES:
        return 1
    return wager.chip_haler


def decide_wager(
    wager: Wager,
    bet: Bet,
    outcome: RouletteOutcome,
    *,
    rule_prison: str | None,
    released_chip_wins: bool,
) -> ResultLine:
    """Return the line of a wager that takes part in the spin.

    Args:
        wager: a wager whose stake is a whole number of its chips.
        bet: the bet of its code and selection.
        outcome: the spin.
        rule_prison: the paragraph by which zero halves even chances; None if they lose.
        released_chip_wins: whether a chip that the next spin releases is also paid.

    Raises:
        SettlementError: OUTCOME_INCOMPLETE, the number or a needed next number is missing.

    """
    stake, number = wager.stake_haler, outcome.number
    if number is None:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("NUMBER_MISSING"))
    if number == _ZERO and rule_prison is not None and bet.code in EVEN_CHANCES:
        chip = prison_chip_haler(wager, rule_prison)
        terms = _half_back(
            stake // chip, chip, bet, outcome.next_number, released_chips=1 + released_chip_wins
        )
        is_odd = bool(stake // chip % 2)
        why = Why(
            Reason.ZERO_IMPRISONS if is_odd else Reason.ZERO_HALVES,
            partial(_facts, number, None, outcome.next_number if is_odd else None),
        )
        return ResultLine(wager.id, stake, Result.HALF_BACK, terms, rule_prison, why)
    won, chip = bet.winning[number], stake // bet.chips
    if not won.chips:
        return lost(wager.id, stake, bet.rule, Why(Reason.NUMBER_LOST, partial(_facts, number)))
    named = won if len(bet.positions) > 1 else None
    why = Why(Reason.NUMBER_WON, partial(_facts, number, named), won.kinds)
    wins = [
        Winnings(chip * count * position.pays, chip * count, odds)
        for position, odds, count in won.chips
    ]
    back = StakeBack(sum(term.stake for term in wins))
    return ResultLine(wager.id, stake, Result.WIN, (*wins, back), bet.rule, why)


def colour_of(number: int) -> str:
    """Return the colour of a pocket."""
    if number == _ZERO:
        return "green"
    return "red" if number in RED else "black"


def _facts(
    number: int, won: WinningChips | None = None, next_number: int | None = None
) -> SpinFacts:
    positions = [position for position, _, _ in won.chips] if won is not None else ()
    won_on = tuple(WonPosition(position.kind, position.numbers) for position in positions)
    return SpinFacts(number, colour_of(number), won_on, next_number)


def _half_back(
    chips: int, chip_haler: int, bet: Bet, next_number: int | None, *, released_chips: int
) -> tuple[ChipsBack, ...]:
    half, odd = divmod(chips, 2)
    back = ChipsBack(half * chip_haler, half, chip_haler)
    if not odd:
        return (back,)
    if next_number is None:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("NEXT_NUMBER_MISSING"))
    if not bet.winning[next_number].chips:
        return (back,)
    return back, ChipsBack(released_chips * chip_haler, released_chips, chip_haler, released=True)
