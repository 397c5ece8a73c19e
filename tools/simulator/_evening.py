"""An evening of the studio, or as many as are asked for, from the first table to the books."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from functools import partial
from random import Random
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import msgspec

from ledger.core.clock import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    StoppedClock,
    day_of,
    from_datetime,
    midnight_after,
)
from ledger.decisions.accounts.books import CloseBooks
from ledger.decisions.operator.keys import AddSigningKey, RecordCheckpoint
from ledger.privacy import KeyStore
from ledger.tlog.signing import SigningKey
from ledger.writer import Ledger
from tools.simulator._card_room import CardRoom
from tools.simulator._casino import Casino
from tools.simulator._duties import clock_measured, duties
from tools.simulator._games import SAZKA
from tools.simulator._incidents import IncidentContext, incidents
from tools.simulator._people import HABITS, NIGHT_OWL
from tools.simulator._setup import open_studio
from tools.simulator._sources import seal_sources
from tools.simulator._stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ledger.log.port import Log
    from tools.simulator._games import SimulatedGame
    from tools.simulator._players import Player, Table
    from tools.simulator._sources import SourceFault
    from tools.simulator._stage import Script

__all__ = ["START", "Summary", "create", "run"]

START = from_datetime(datetime(2026, 11, 20, 19, tzinfo=ZoneInfo("Europe/Prague")))
"""When the first evening opens by itself: 19:00 in Prague on 2026-11-20."""

SETUP = 30 * MINUTE
MORNING = 6 * HOUR
WINDING_UP_MINUTES = 15
WINDOW_MIN = 64
WINDOW_PER_TABLE = 24
PROGRESS_EVERY = 2_000
OPERATOR = "26493993"


class Summary(msgspec.Struct, frozen=True):
    """The result of a simulation.

    ``notable`` maps a kind, such as ``voided_round``, to a round or account of interest.
    """

    seed: int
    chain: str
    size: int
    head: str
    started_at: int
    ended_at: int
    commands: int
    events: int
    rounds: int
    voided: int
    accounts: int
    refusals: dict[str, int]
    notable: dict[str, str]


def create(
    log: Log, keys: Path, *, seed: int = 1, start: int = START, chain: str = "sazka-live"
) -> Ledger:
    """Create a chain whose clock and randomness are simulated.

    Args:
        log: an empty log; the ledger closes it.
        keys: folder of the key store; it must be empty for reproducible results.
        seed: of keys, nonces and command identifiers.
        start: when the first evening opens, in microseconds.
        chain: its name.

    Raises:
        InputError: the log is not empty.

    """
    entropy = Random(f"gameledger|entropy|{seed}").randbytes
    sealing = Random(f"gameledger|keys|{seed}").randbytes
    return Ledger.create(
        log,
        KeyStore(keys, entropy=sealing),
        operator=OPERATOR,
        operator_name="SAZKA a.s.",
        chain_name=chain,
        clock=StoppedClock(start - SETUP),
        entropy=entropy,
        writer="simulator",
    )


def run(
    ledger: Ledger,
    *,
    seed: int = 1,
    hours: float = 4.5,
    tables: int = 0,
    players: int = 100,
    events_max: int | None = None,
    start: int = START,
    dealt: Sequence[SimulatedGame] = SAZKA,
    card_room: Sequence[str] = (),
    casino: bool = False,
    other_players: bool = False,
    sources: Mapping[str, SourceFault | None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Play an evening into a new ledger; with ``events_max`` as many evenings as necessary.

    Memory does not grow with the number of events.

    Args:
        ledger: created by :func:`create` with the same ``start``; it stays open.
        seed: of all random choices.
        hours: how long the studio is open in an evening.
        tables: number of tables; 0 opens one for each game.
        players: number of regular players; about a dozen guests come in addition.
        events_max: no round is opened once this many events are recorded.
        start: when the first evening opens, in microseconds.
        dealt: the games against the house; tables are opened for each in turn.
        card_room: the games among players; a table for each, with players of its own.
        casino: simulate a casino on land, whose guests play with chips.
        other_players: new players come each evening, and all incidents of the first evening
            happen again. Otherwise the same players come, on quiet evenings.
        sources: systems that seal what they send, by the first part of ``source`` in their
            commands, each with a fault to be found, or None.
        progress: called with the amount done and the total, in events or in seconds.

    """
    tables = tables or len(dealt)
    window = max(WINDOW_MIN, WINDOW_PER_TABLE * tables)
    stage = Stage(ledger, seed=seed, start=start - SETUP + SECOND, window=window)
    seal_sources(stage, sources or {})
    notable: dict[str, str] = {}
    context = IncidentContext(stage, open_studio(stage, dealt, tables, notable), notable)
    cards = CardRoom(stage, card_room, notable, context.new_player)
    listed = frozenset({one.game for one in dealt[:tables]} | set(card_room))
    floor = Casino(stage, notable, listed) if casino else None
    studio = _Studio(
        context,
        cards,
        floor,
        ledger,
        seed=seed,
        hours=hours,
        players=players,
        events_max=events_max,
        start=start,
        other_players=other_players,
    )
    stage.play(studio.evenings(), after=(SETUP - SECOND) / SECOND)
    stage.run(_progress_reporter(stage, progress, events_max, start, round(hours * HOUR)))
    for source in stage.sources.values():
        source.seal(is_last=True)
    stage.drain()
    head, casino_rounds = ledger.head, floor.rounds if floor else 0
    return Summary(
        seed=seed,
        chain=ledger.chain,
        size=head.size,
        head=head.hash.hex(),
        started_at=start,
        ended_at=stage.moment,
        commands=stage.commands,
        events=stage.events,
        rounds=sum(table.rounds for table in context.tables) + cards.rounds + casino_rounds,
        voided=sum(table.voided for table in context.tables) + cards.voided,
        accounts=context.players,
        refusals=dict(Counter(stage.refusals).most_common()),
        notable=notable,
    )


def _progress_reporter(
    stage: Stage,
    progress: Callable[[int, int], None] | None,
    events_max: int | None,
    start: int,
    length: int,
) -> Callable[[], None] | None:
    if progress is None:
        return None
    report, seen = progress, 0

    def before_action() -> None:
        nonlocal seen
        if stage.events - seen < PROGRESS_EVERY:
            return
        seen = stage.events
        if events_max is None:
            report(min(stage.moment - start, length) // SECOND, length // SECOND)
        else:
            report(min(seen, events_max), events_max)

    return before_action


class _Studio:
    """Opens and closes the evenings."""

    def __init__(
        self,
        context: IncidentContext,
        cards: CardRoom,
        floor: Casino | None,
        ledger: Ledger,
        *,
        seed: int,
        hours: float,
        players: int,
        events_max: int | None,
        start: int,
        other_players: bool,
    ) -> None:
        self._context = context
        self._cards = cards
        self._floor = floor
        self._stage = context.stage
        self._length = round(hours * HOUR)
        self._events_max = events_max
        self._start = start
        secret = Random(f"gameledger|signing|{seed}").randbytes(32)
        self._key = SigningKey(ledger.chain, secret)
        self._ledger = ledger
        self._players = players if context.tables else 0
        self._has_other_players = other_players
        self._crowd = self._new_crowd()
        if self._crowd:
            context.notable["night_owl_account"] = self._crowd[0].account

    def _new_crowd(self) -> list[Player]:
        context, choices = self._context, self._stage.random.choices
        habits, shares = [habit for habit, _ in HABITS], [share for _, share in HABITS]
        crowd = [context.new_player(NIGHT_OWL)][: self._players]
        others = range(self._players - 1)
        return crowd + [context.new_player(choices(habits, shares)[0]) for _ in others]

    def evenings(self) -> Script:
        """One evening after the other, until enough has happened."""
        number = 0
        key = self._key
        self._stage.send(
            AddSigningKey(key_id=key.key_id, public_key=key.public.raw, reason="First key.")
        )
        self._disturb()
        while True:
            opened = self._stage.moment
            for hour in range(self._length // HOUR + 1):
                self._stage.after(hour * HOUR / SECOND, partial(clock_measured, self._stage))
            self._invite()
            for table in self._context.tables:
                table.open()
            self._cards.open()
            if self._floor is not None:
                self._stage.play(self._floor.day(self._length))
            while self._stage.moment < opened + self._length and not self._has_enough:
                yield 5
            for table in self._context.tables:
                table.is_closing = True
            self._cards.close()
            for _ in range(WINDING_UP_MINUTES):
                yield MINUTE / SECOND
                self._stage.drain()
            morning = midnight_after(opened) + MORNING
            yield (max(morning, self._stage.moment + 2 * HOUR) - self._stage.moment) / SECOND
            clock_measured(self._stage)
            self._close_books()
            self._sign()
            if self._events_max is None or self._has_enough:
                return
            number += 1
            yield (self._start + number * DAY - self._stage.moment) / SECOND
            if self._has_other_players:
                self._crowd = self._new_crowd()
                self._cards.bring_others(self._context.new_player)
                self._disturb()

    def _disturb(self) -> None:
        """Make every possible incident happen once in the evening."""
        if self._context.tables:
            for part, script in (*incidents(self._context), *duties(self._context)):
                self._stage.play(script, after=part * self._length / SECOND)

    @property
    def _has_enough(self) -> bool:
        return self._events_max is not None and self._stage.events >= self._events_max

    def _invite(self) -> None:
        """Schedule the arrival of each player; night owls come in the first 4 % of the evening."""
        random, length = self._stage.random, self._length / SECOND
        for player in self._crowd:
            arrival = random.triangular(0, 0.85 * length, 0.3 * length)
            if player.habit is NIGHT_OWL:
                arrival = random.uniform(5, 0.04 * length)
            self._stage.after(arrival, self._arrival(player.visit))

    def _arrival(self, visit: Callable[[Table], Script]) -> Callable[[], None]:
        def arrive() -> None:
            table = self._context.table()
            if not table.is_closing:
                self._stage.play(visit(table))

        return arrive

    def _close_books(self) -> None:
        """Close the books of the day that is over, for all accounts with play."""
        today = day_of(self._stage.moment)
        self._stage.drain()
        due = [name for name, seen in self._stage.open_books.items() if day_of(seen) < today]
        for account in due:
            self._stage.send(CloseBooks(account=account, source="books"))
        self._stage.drain()
        for account in due:
            del self._stage.open_books[account]

    def _sign(self) -> None:
        """Sign a checkpoint of the evening."""
        self._stage.drain()
        self._stage.send(RecordCheckpoint.of(self._ledger.checkpoint(), self._key))
