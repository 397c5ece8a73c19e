"""Edges of roulette and the wheels: every pocket and every field is equally likely."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ledger.games.roulette import EVEN_CHANCES, POCKETS
from tools.plans._edge import Edge

if TYPE_CHECKING:
    from ledger.games.roulette import Bet, RoulettePlan
    from ledger.games.wheels import WheelPlan

__all__ = ["roulette_edges", "wheel_edges"]

_HALF = Fraction(1, 2)


def roulette_edges(plan: RoulettePlan) -> list[Edge]:
    """Count every selection of every bet on every pocket."""
    found = []
    for code, selections in plan.bets.items():
        if plan.spin.rule_prison is not None and code in EVEN_CHANCES:
            found += [_halved(code, bet) for bet in selections.values()]
            chips = 1 + bool(plan.spin.released_chip_wins)
            found += [_imprisoned(code, bet, chips) for bet in selections.values()]
            continue
        shares = sorted({_house(bet) for bet in selections.values()})
        note = f"{len(selections)} selections" if len(selections) > 1 else ""
        if len(shares) == 1:
            found.append(Edge(code, shares[0], note))
        else:
            found.append(Edge(f"{code} (best)", shares[0], note))
            found.append(Edge(f"{code} (worst)", shares[-1], note))
    return found


def wheel_edges(plan: WheelPlan) -> list[Edge]:
    """Count every field of a wheel."""
    fields = sum(field.count for field in plan.fields.values())
    return [
        Edge(
            code,
            1 - Fraction(field.count, fields) * (field.odds + 1),
            f"{field.count} of {fields} fields",
        )
        for code, field in plan.fields.items()
    ]


def _house(bet: Bet) -> Fraction:
    return 1 - Fraction(sum(bet.returns), len(POCKETS) * bet.chips)


def _halved(code: str, bet: Bet) -> Edge:
    """Zero takes half of an even number of chips."""
    back = sum(bet.returns) + _HALF
    return Edge(code, 1 - back / len(POCKETS), "even number of chips: half comes back on zero")


def _imprisoned(code: str, bet: Bet, chips: int) -> Edge:
    """Zero imprisons a single chip, which the next spin releases or takes."""
    released = Fraction(sum(returned > 0 for returned in bet.returns), len(POCKETS))
    back = sum(bet.returns) + chips * released
    return Edge(f"{code} (one chip)", 1 - back / len(POCKETS), "zero imprisons the chip")
