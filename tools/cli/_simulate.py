"""``simulate``: a made-up evening."""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ledger.core.errors import InputError
from tools.cli._answering import answers
from tools.cli._options import DATA, Data, DryRun, finite
from tools.cli._output import echo, facts, moment, number, progress
from tools.data import DataDirectory
from tools.simulator import CARD_ROOM, Summary, chosen, create, run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tools.simulator import SimulatedGame, SourceFault

__all__ = ["BeginsLater", "play", "simulate"]


@dataclass(frozen=True, slots=True)
class BeginsLater:
    """A simulation that could begin; nothing was written."""

    dry_run: Literal[True]
    data: str


def _show(summary: Summary | BeginsLater) -> None:
    if isinstance(summary, BeginsLater):
        echo(f"A new chain can begin in {summary.data}.")
        return
    rows = [
        ("chain", summary.chain),
        ("events", number(summary.size)),
        ("rounds", f"{number(summary.rounds)}, {summary.voided} of them void"),
        ("accounts", number(summary.accounts)),
        ("refusals", number(sum(summary.refusals.values()))),
        ("from", moment(summary.started_at)),
        ("to", moment(summary.ended_at)),
        ("head", summary.head),
    ]
    facts(rows)


@answers(_show)
def simulate(
    *,
    seed: Annotated[int, typer.Option(help="Of all chance; the same seed, the same chain.")] = 1,
    hours: Annotated[
        float, typer.Option(min=0.05, max=10, callback=finite, help="Length of an evening.")
    ] = 4.5,
    tables: Annotated[
        int, typer.Option(min=0, max=200, help="Tables, in turn of the games; 0: one for each.")
    ] = 0,
    players: Annotated[int, typer.Option(min=1, max=20_000, help="Regular players.")] = 100,
    games: Annotated[
        str,
        typer.Option(
            help="Games, with commas between them; `sazka` are seven, `cards` those among "
            "players, `all` every one."
        ),
    ] = "sazka",
    casino: Annotated[
        bool, typer.Option("--casino", help="With a casino on land: cage, tables, guests, chips.")
    ] = False,
    sealed: Annotated[
        bool, typer.Option("--sealed", help="Studio and cage seal what they send.")
    ] = False,
    events: Annotated[
        int | None,
        typer.Option(min=1, help="Play evening after evening until so many events are there."),
    ] = None,
    data: Data = DATA,
    dry_run: DryRun = False,
) -> Summary | BeginsLater:
    """Play simulated evenings of a live-dealer studio into a new chain.

    Everything is decided by the ledger as in real life; the clock is simulated, beginning
    at 19:00 in Prague on 2026-11-20. Cards come from shuffled shoes, players follow a simple
    strategy. Games among players have tables and players of their own; a tournament is
    announced in the evening and played eight days later. The operating day of a casino ends
    hours after midnight.

    Example: `gameledger simulate --data /tmp/evening --seed 7 --hours 1 --games all`
    """
    names = [name.strip() for name in games.split(",") if name.strip()]
    dealt = chosen([name for name in names if name != "cards" and name not in CARD_ROOM])
    card_room = [name for name in CARD_ROOM if {name, "cards", "all"} & set(names)]
    if not dealt and not card_room:
        raise InputError("no game is named: give --games sazka, --games all, or names of games")
    _require_new(data)
    if dry_run:
        return BeginsLater(dry_run=True, data=str(data))
    return play(
        data,
        seed=seed,
        hours=hours,
        tables=tables,
        players=players,
        events_max=events,
        dealt=dealt,
        card_room=card_room,
        casino=casino,
        sources=dict.fromkeys(("studio", "cage")) if sealed else None,
    )


def _require_new(directory: DataDirectory) -> None:
    if directory.has_log or directory.keys_path.exists():
        raise InputError(
            f"{directory.path} holds a chain or keys already: a simulation begins a new one, "
            "name another directory with --data"
        )


def play(
    directory: DataDirectory,
    *,
    seed: int,
    hours: float,
    tables: int,
    players: int,
    events_max: int | None,
    dealt: Sequence[SimulatedGame],
    card_room: Sequence[str] = (),
    casino: bool = False,
    sources: Mapping[str, SourceFault | None] | None = None,
) -> Summary:
    """Begin a chain in a directory and play into it, showing progress."""
    with ExitStack() as stack:
        advance = stack.enter_context(progress("playing"))
        log = stack.enter_context(closing(directory.open_log(writable=True)))
        ledger = stack.enter_context(create(log, directory.keys_path, seed=seed))
        return run(
            ledger,
            seed=seed,
            hours=hours,
            tables=tables,
            players=players,
            events_max=events_max,
            dealt=dealt,
            card_room=card_room,
            casino=casino,
            sources=sources,
            progress=advance,
        )
