"""A realistic chain for benchmarks: simulated evenings, continued day by day.

Every evening has all games, a casino on land, deposits, complaints and everything that goes wrong
in a simulation, with other players than the evening before. The same size gives the same chain.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING

from ledger.core.clock import PRAGUE, from_datetime
from ledger.log.sqlite import SqliteLog
from tools.garbage import collect_seldom
from tools.simulator import ALL, CARD_ROOM, create, run

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["lengthened"]

SEED = 5
PLAYERS = 100
START = from_datetime(datetime(2026, 1, 9, 19, tzinfo=PRAGUE))
"""So long ago that a writer of today can go on with a chain of millions of events."""


def lengthened(folder: Path, events: int) -> Path:
    """Return a data directory whose chain has about so many events; make it if it is not there.

    Some 370 s of processor time a million events.
    """
    if (folder / "log.sqlite").exists():
        return folder
    collect_seldom()
    folder.mkdir(parents=True, exist_ok=True)
    with (
        closing(SqliteLog(folder, writable=True)) as log,
        create(log, folder / "keys", seed=SEED, start=START) as ledger,
    ):
        run(
            ledger,
            seed=SEED,
            players=PLAYERS,
            events_max=events,
            start=START,
            dealt=ALL,
            card_room=tuple(CARD_ROOM),
            casino=True,
            other_players=True,
        )
    return folder
