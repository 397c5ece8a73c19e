"""The value that is counted: one bet and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["STRATEGY", "Edge", "percent"]

STRATEGY = "depends on how the player plays"

_DIGITS = 10_000


@dataclass(frozen=True, slots=True)
class Edge:
    """What a bet costs on average.

    `house` is the share of the stake that stays with the house, None where it cannot be counted for
    the bet alone; `note` is what was assumed, or why there is no figure. `published` is the
    figure in percent as it is printed in `where`, None where none is known.
    """

    bet: str
    house: Fraction | None
    note: str = ""
    published: str | None = None
    where: str = ""


def percent(share: Fraction) -> str:
    """Write a share as percent with four decimals, rounded half up."""
    scaled = share * 100 * _DIGITS
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    whole, rest = divmod(abs(rounded), _DIGITS)
    return f"{'-' if rounded < 0 else ''}{whole}.{rest:04d}"
