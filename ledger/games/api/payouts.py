"""Odds as the plans print them, and the lines that they lead to.

Odds such as "0.95:1" or "3:2" say what is won on top of the stake. Winnings are exact fractions,
rounded half up to the haler once per line, so no chain of roundings can favour anybody.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from ledger.games.api.contract import Result, ResultLine
from ledger.games.api.typed import written

_ODDS = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4})?):([1-9][0-9]{0,3})")


def _odds(text: str) -> Fraction:
    found = _ODDS.fullmatch(text)
    odds = Fraction(0) if found is None else Fraction(found[1]) / Fraction(found[2])
    if odds == 0:
        message = 'must be odds such as "8:1"'
        raise ValueError(message)
    return odds


if TYPE_CHECKING:
    Odds = Fraction
else:
    Odds = written(Fraction, _odds)


def winnings_haler(stake_haler: int, odds: Fraction) -> int:
    """What a stake wins, without the stake itself, rounded half up."""
    twice = 2 * stake_haler * odds.numerator + odds.denominator
    return twice // (2 * odds.denominator)


def won(
    line_id: str, stake_haler: int, odds: Fraction, rule: str, *, parent: str | None = None
) -> ResultLine:
    """Return the line of a stake that comes back with its winnings."""
    payout = stake_haler + winnings_haler(stake_haler, odds)
    return ResultLine(line_id, stake_haler, Result.WIN, payout, rule, parent)


def lost(line_id: str, stake_haler: int, rule: str, *, parent: str | None = None) -> ResultLine:
    """Return the line of a stake that is lost."""
    return ResultLine(line_id, stake_haler, Result.LOSE, 0, rule, parent)


def pushed(line_id: str, stake_haler: int, rule: str, *, parent: str | None = None) -> ResultLine:
    """Return the line of a stake that comes back, neither won nor lost."""
    return ResultLine(line_id, stake_haler, Result.PUSH, stake_haler, rule, parent)


def voided(line_id: str, stake_haler: int, rule: str, *, parent: str | None = None) -> ResultLine:
    """Return the line of a stake that comes back because it did not play."""
    return ResultLine(line_id, stake_haler, Result.VOID, stake_haler, rule, parent)
