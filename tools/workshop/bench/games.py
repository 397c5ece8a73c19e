"""Measure how fast recorded rounds are settled again, game by game, on one core.

The simulator plays an evening of every game, and the rounds in its log are settled again as often
as requested. The first figure, in bets a second (a bet is a result line), starts from typed values,
as reconciliation does. The second starts and ends with a line of JSON, as ``gameledger settle``
does. The baseline of the same run only reads the lines and writes them as JSON. Processor time is
measured, so a busy machine changes the figures little.
"""

from __future__ import annotations

import json
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import to_builtins
from rich.table import Table

from ledger import games
from ledger.games import format_amount, read_request
from ledger.log.port import events_at
from ledger.log.sqlite import SqliteLog
from ledger.state import tournament_record
from ledger.state.tournament import TOURNAMENT_EVENTS, fold
from projections.resettlement import hand_settlement
from projections.resettlement.hands import hand_in
from projections.resettlement.round_history import replay_round
from projections.resettlement.settle import settle
from projections.store.events import EventAt
from tools import simulator
from tools.workshop.bench.machine import machine, show

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ledger.games import Action, Wager
    from ledger.log.port import Log
    from ledger.state.tournament import TournamentState
    from projections.resettlement.hands import HandHistory
    from projections.resettlement.round_history import RoundHistory

__all__ = ["Speed", "measure_game", "recorded_rounds", "run"]

Request = dict[str, Any]

SEED = 186
HOURS = 1.0
WARM_UP = 50


class Speed(NamedTuple):
    """The figures of one game."""

    game: str
    rounds: int
    bets: int
    bets_per_second: float
    json_bets_per_second: float
    baseline_bets_per_second: float


def run(asked: argparse.Namespace) -> None:
    """Measure every game and print it."""
    with tempfile.TemporaryDirectory() as place:
        recorded = recorded_rounds(Path(place), HOURS)
    speeds = [measure_game(game, recorded[game], asked.rounds) for game in games.games()]
    on = machine("pokerkit", "msgspec", seed=str(SEED))
    if asked.json:
        found = [speed._asdict() for speed in speeds]
        print(json.dumps({"games": found, "machine": on}, indent=2))
    else:
        _print(speeds, on)


def recorded_rounds(folder: Path, hours: float) -> dict[str, list[Request]]:
    """Play an evening of every game; return its rounds as requests of the settlement contract.

    Voided rounds are left out, and those in which bets of single players are void.
    """
    with simulator.create(SqliteLog(folder, writable=True), folder / "keys", seed=SEED) as ledger:
        simulator.run(
            ledger,
            seed=SEED,
            hours=hours,
            dealt=simulator.ALL,
            card_room=tuple(simulator.CARD_ROOM),
        )
    log = SqliteLog(folder, writable=False)
    found: dict[str, list[Request]] = {}
    for request in _requests(log):
        found.setdefault(request["game"], []).append(request)
    log.close()
    return found


def _requests(log: Log) -> Iterator[Request]:
    rounds: dict[str, list[EventAt[Any]]] = {}
    tournaments: dict[str, TournamentState | None] = {}
    for one in events_at(log, range(log.head().size)):
        moment, event = one.envelope.recorded_at, one.event
        if name := getattr(event, "round", ""):
            rounds.setdefault(name, []).append(EventAt(one.position, moment, event))
        elif event.type in TOURNAMENT_EVENTS:
            name = event.tournament  # type: ignore[attr-defined]
            tournaments[name] = fold(tournaments.get(name), event, moment)
    for name, events in rounds.items():
        yield from _of_house(replay_round(name, events))
        yield from _of_players(hand_in(events))
    for state in tournaments.values():
        if state is not None and state.status == "ended":
            wagers = tournament_record.wagers_of(state.entries)
            outcome = tournament_record.outcome_of(state)
            yield _request(state.announced.game, wagers, (), outcome)


def _of_house(history: RoundHistory) -> Iterator[Request]:
    if history.game and history.resulted_position and not history.has_voided:
        plan = games.plan(history.game, history.plan_version)
        facts = settle(history, plan, games.TableLimits(), {}).played.facts
        if facts.wagers:
            outcome = json.loads(history.outcome)
            yield _request(history.game, facts.wagers, facts.actions, outcome)


def _of_players(history: HandHistory | None) -> Iterator[Request]:
    if history is not None and history.hand is not None and history.resulted is not None:
        hand = history.hand
        if not hand.started.tournament:
            actions, outcome = hand_settlement.actions_of(hand), hand_settlement.outcome_of(hand)
            yield _request(hand.started.game, hand_settlement.wagers_of(hand), actions, outcome)


def _request(
    game: str, wagers: Sequence[Wager], actions: Sequence[Action], outcome: Request
) -> Request:
    return {
        "id": game,
        "game": game,
        "wagers": [_written(wager) for wager in wagers],
        "actions": [{"player": one.player, "type": one.type, **one.fields} for one in actions],
        "outcome": outcome,
    }


def _written(wager: Wager) -> Request:
    found = to_builtins(wager) | {"stake": format_amount(wager.stake_haler)}
    if wager.streets_haler:
        found["streets"] = {name: format_amount(part) for name, part in wager.streets_haler.items()}
    return {name: value for name, value in found.items() if value is not None}


def measure_game(game: str, recorded: Sequence[Request], rounds: int) -> Speed:
    """Settle recorded rounds of a game again, one after the other, until it were so many."""
    written = [json.dumps(request) for request in recorded]
    for line in islice(cycle(written), WARM_UP):
        answer = json.loads(games.settle_line(line))
        if "error" in answer:
            raise RuntimeError(f"a round of {game} can't be settled again: {answer['error']}")
    lines = list(islice(cycle(written), rounds))
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
