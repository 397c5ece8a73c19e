"""Odds as printed by the plans, and the result lines computed from them.

Odds such as "0.95:1" or "3:2" are the winnings on top of the stake. Winnings are exact fractions,
rounded half up to the haler once per line, so repeated rounding cannot favour either side.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Self

from ledger.games.api.contract import Result, ResultLine
from ledger.games.api.explanation import StakeBack, Winnings
from ledger.games.api.typed import text_value_type

if TYPE_CHECKING:
    from ledger.games.api.explanation import Why

_ODDS = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4})?):([1-9][0-9]{0,3})")


class PrintedOdds(Fraction):
    """Odds as a fraction, with their printed form."""

    __slots__ = ("printed",)
    printed: str

    def __new__(cls, text: str) -> Self:
        """Parse odds; raises `ValueError`."""
        match = _ODDS.fullmatch(text)
        odds = Fraction(0) if match is None else Fraction(match[1]) / Fraction(match[2])
        if odds == 0:
            message = 'must be odds such as "8:1"'
            raise ValueError(message)
        value = super().__new__(cls, odds)
        value.printed = text
        return value


if TYPE_CHECKING:
    Odds = PrintedOdds
else:
    Odds = text_value_type(PrintedOdds, PrintedOdds)


def winnings(stake_haler: int, odds: PrintedOdds) -> Winnings:
    """Return the winnings of a stake without the stake itself, rounded half up to the haler."""
    twice = 2 * stake_haler * odds.numerator + odds.denominator
    return Winnings(twice // (2 * odds.denominator), stake_haler, odds.printed)


def won(
    line_id: str,
    stake_haler: int,
    odds: PrintedOdds,
    rule: str,
    why: Why,
    *,
    parent: str | None = None,
) -> ResultLine:
    """Return the line of a stake that is returned with its winnings."""
    terms = (winnings(stake_haler, odds), StakeBack(stake_haler))
    return ResultLine(line_id, stake_haler, Result.WIN, terms, rule, why, parent)


def lost(
    line_id: str, stake_haler: int, rule: str, why: Why, *, parent: str | None = None
) -> ResultLine:
    """Return the line of a stake that is lost."""
    return ResultLine(line_id, stake_haler, Result.LOSE, (), rule, why, parent)


def pushed(
    line_id: str, stake_haler: int, rule: str, why: Why, *, parent: str | None = None
) -> ResultLine:
    """Return the line of a stake that is returned, neither won nor lost."""
    terms = (StakeBack(stake_haler),)
    return ResultLine(line_id, stake_haler, Result.PUSH, terms, rule, why, parent)


def voided(
    line_id: str, stake_haler: int, rule: str, why: Why, *, parent: str | None = None
) -> ResultLine:
    """Return the line of a stake that is returned because its bet was void."""
    terms = (StakeBack(stake_haler),)
    return ResultLine(line_id, stake_haler, Result.VOID, terms, rule, why, parent)
