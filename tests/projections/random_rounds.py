"""Random histories of eight rounds at two tables: facts in any order, most in that of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from tests.projections.history_cases import (
    House,
    concluded,
    placed,
    round_opened,
    round_voided,
    rules_published,
    settled,
    spun,
    voided,
)
from tests.projections.projection_cases import Chain

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["IN_ORDER", "histories", "recorded"]

ALTERNATING = "69games.roulette"
WAYS = ("clockwise", "counterclockwise")


def opened(name: str, bets: list[e.BetPlaced], _: int) -> list[e.Event]:
    table = bets[0].table
    plan = {"game": ALTERNATING, "plan_version": "unknown"} if table == "u" else {}
    return [round_opened(name, table=table, streamed=table == "t", **plan)]


def closed(name: str, bets: list[e.BetPlaced], turn: int) -> list[e.Event]:
    total = sum(bet.stake for bet in bets[: turn % 3])
    head = e.BetsClosed(round=name, table=bets[0].table, bets=turn % 3, stakes=total)
    return [head, *(concluded(bet) for bet in bets)]


def resulted(name: str, bets: list[e.BetPlaced], turn: int) -> list[e.Event]:
    outcome = {"number": 17 + turn % 3}
    return [
        e.RoundResulted(
            round=name,
            table=bets[0].table,
            outcome=str(outcome).replace("'", '"'),
            wording="17",
            streamed=True,
            accounts=(),
        )
    ]


def corrected(name: str, bets: list[e.BetPlaced], turn: int) -> list[e.Event]:
    bet = bets[turn % 2]
    return [
        e.WinCorrected(
            account=bet.account, round=name, bet=bet.bet, difference=500, cause="x", claimed=0
        )
    ]


def stake_corrected(name: str, bets: list[e.BetPlaced], turn: int) -> list[e.Event]:
    bet = bets[turn % 2]
    facts = {"account": bet.account, "round": name, "bet": bet.bet, "cause": "x"}
    return [e.BetCorrected(difference=100 * turn - 300, claimed=0, **facts)]


def withheld(name: str, bets: list[e.BetPlaced], turn: int) -> list[e.Event]:
    bet = bets[turn % 2]
    facts = {"account": bet.account, "round": name, "bet": bet.bet, "cause": "x"}
    amounts = {"amount": 900, "collected": 100 * turn, "claimed": 300}
    return [e.PrizeWithheld(paragraph="SAZKA 15(1)", **amounts, **facts)]


FACTS: tuple[Callable[[str, list[e.BetPlaced], int], list[e.Event]], ...] = (
    opened,
    lambda _, bets, turn: [bets[turn % 2]],
    lambda name, _, turn: [spun(name, way=WAYS[turn % 2], turns=1 + turn)],
    closed,
    lambda name, _, turn: [e.BallLanded(round=name, number=17 + turn % 2)],
    lambda name, *_: [e.SpinDeclaredInvalid(round=name, cause="too_few_revolutions")],
    resulted,
    lambda _, bets, turn: [settled(bets[turn % 2], due=2_000 * (turn % 3))],
    lambda _, bets, turn: [voided(bets[turn % 2])],
    lambda name, bets, _: [round_voided(name, table=bets[0].table)],
    corrected,
    stake_corrected,
    withheld,
)
IN_ORDER = (0, 1, 1, 2, 3, 4, 6, 7, 7)
STEP = st.tuples(st.integers(0, len(FACTS) - 1), st.integers(0, 7), st.integers(0, 5))
PLAYED = st.tuples(st.integers(0, 7), st.integers(0, 5))


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[int, int, int]]:
    """Draw facts of eight rounds in any order, most of them in that of a round."""
    steps: list[tuple[int, int, int]] = []
    for rounds in draw(st.lists(PLAYED | STEP, min_size=8, max_size=20)):
        if len(rounds) == 2:
            steps += [(fact, rounds[0], rounds[1] + number) for number, fact in enumerate(IN_ORDER)]
        else:
            steps.append(rounds)
    return steps


def recorded(steps: list[tuple[int, int, int]], apart: int = MINUTE) -> Chain:
    """Record the facts, so many microseconds apart."""
    house = House(Chain())
    for table, streamed in (("t", True), ("u", False)):
        house.table(table, streamed=streamed)
    house.at(0, rules_published(version="unknown", game=ALTERNATING))
    house.account()
    for minute, (fact, number, turn) in enumerate(steps, start=1):
        name, table = f"r{number}", "tu"[number % 2]
        bets = [placed(name, 1 + bet, table=table) for bet in (0, 1)]
        house.at(minute * apart / MINUTE, *FACTS[fact](name, bets, turn))
    return house.chain
