"""The calculated value: one bet and its house edge."""

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
    """The average cost of a bet.

    `house` is the share of the stake that stays with the house, None if it can't be calculated for
    the bet alone; `note` is the assumption made, or why there is no value. `published` is
    the percentage as printed in `where`, None if none is known.
    """

    bet: str
    house: Fraction | None
    note: str = ""
    published: str | None = None
    where: str = ""


def percent(share: Fraction) -> str:
    """Format a share as percent with four decimals, rounded half up."""
    scaled = share * 100 * _DIGITS
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    whole, rest = divmod(abs(rounded), _DIGITS)
    return f"{'-' if rounded < 0 else ''}{whole}.{rest:04d}"
