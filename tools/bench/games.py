"""How fast recorded rounds are settled again, game by game, on one core.

Reconciliation settles every recorded round again from typed values; that is the first figure, in
bets a second, where a bet is a result line. The second begins and ends with a line of JSON, as
``gameledger settle`` does. Baseline in the same run: the same lines are only read and written as
JSON. Time is that of the processor, so a busy machine does not change the figures much.
"""

from __future__ import annotations

import json
import random
import time
from typing import Any, NamedTuple

from rich.table import Table

from ledger import games
from ledger.games import read_request
from tools.bench.dealer import deal
from tools.bench.machine import machine, show

__all__ = ["Speed", "measure_game", "run"]

SEED = 186
ROUNDS = 1_000
WARM_UP = 50


class Speed(NamedTuple):
    """What one game reaches."""

    game: str
    rounds: int
    bets: int
    bets_per_second: float
    json_bets_per_second: float
    baseline_bets_per_second: float


def run(*, rounds: int = ROUNDS, as_json: bool = False) -> None:
    """Measure every game and print it."""
    speeds = [measure_game(game, rounds) for game in games.games()]
    on = machine("pokerkit", "msgspec", seed=str(SEED))
    if as_json:
        found = [speed._asdict() for speed in speeds]
        print(json.dumps({"games": found, "machine": on}, indent=2))
    else:
        _print(speeds, on)


def measure_game(game: str, rounds: int) -> Speed:
    """Deal rounds of a game and settle them again."""
    drawer = random.Random(f"{SEED} {game}")
    lines = [json.dumps(deal(game, drawer)) for _ in range(rounds + WARM_UP)]
    for line in lines[:WARM_UP]:
        answer = json.loads(games.settle_line(line))
        if "error" in answer:
            raise RuntimeError(f"the benchmark deals no legal round of {game}: {answer['error']}")
    lines = lines[WARM_UP:]
    prepared = [_typed(line) for line in lines]
    started = time.process_time()
    bets = sum(
        len(games.settle_round(plan, wagers, actions, outcome, table=table).lines)
        for plan, wagers, actions, outcome, table in prepared
    )
    typed = time.process_time() - started
    started = time.process_time()
    answers = [games.settle_line(line) for line in lines]
    whole = time.process_time() - started
    read = [json.loads(answer) for answer in answers]
    started = time.process_time()
    for line, answer in zip(lines, read, strict=True):
        json.loads(line)
        json.dumps(answer)
    baseline = time.process_time() - started
    return Speed(game, rounds, bets, *(bets / seconds for seconds in (typed, whole, baseline)))


def _typed(line: str) -> tuple[Any, ...]:
    asked = read_request(json.loads(line))
    plan = games.plan(asked.game)
    outcome = plan.read_outcome(asked.outcome, asked.void, asked.disconnects)
    return plan, asked.wagers, asked.actions, outcome, asked.table


def _print(speeds: list[Speed], on: dict[str, str]) -> None:
    title = f"settling again, {speeds[0].rounds:,} rounds a game, one core"
    table = Table(title=title, title_justify="left")
    for column in ("game", "bets/s", "rounds/s", "with JSON", "baseline"):
        table.add_column(column, no_wrap=True, justify="left" if column == "game" else "right")
    for speed in speeds:
        table.add_row(
            speed.game,
            f"{speed.bets_per_second:,.0f}",
            f"{speed.bets_per_second * speed.rounds / speed.bets:,.0f}",
            f"{speed.json_bets_per_second:,.0f}",
            f"{speed.baseline_bets_per_second:,.0f}",
        )
    show(table, on)
