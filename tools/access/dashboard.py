"""The state of the chain, shown at the top of the front page."""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from math import inf
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ledger.core.clock import DAY, MINUTE, PRAGUE, from_datetime, in_prague
from ledger.core.errors import AvailabilityError, LedgerError
from ledger.events import event_types as e
from ledger.log.port import Query, envelope_at, events_at, size_before
from ledger.log.tiles import mirrored_size
from ledger.rules.published_rules import (
    AuthorityCopy,
    authority_copy,
)
from projections.books.tax import tax_base
from projections.packages.results import Casino
from projections.packages.status import series_of
from projections.questions.briefing import (
    TREND_DAYS,
    DayRange,
    OpenMatters,
    PlayedDay,
    open_matters,
    played_day,
)
from projections.reconciliation.finding_lifecycle import list_findings
from projections.replay.round_line import RoundLine  # noqa: TC001 - msgspec reads the types
from projections.store.period import read_period
from tools.data.last_verification import LastVerified  # noqa: TC001 - the same
from tools.web.problems import reason_of

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.core.phrases import Phrase
    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from projections.store.tables import Store
    from tools.access.sources import Sources

_Event = TypeVar("_Event", bound=e.Event)

__all__ = [
    "Briefing",
    "ChainState",
    "Checkpointed",
    "Cosigned",
    "DashboardCache",
    "DuePackage",
    "FrontPage",
    "MirrorState",
    "Stamped",
    "front",
    "mirror_state",
]

ROUNDS = 20
PLACES = 4
READ_SECONDS = 60
"""Who reads the front page looks again within this time."""
RECORDED_SECONDS = 1.0
"""How long the front page waits for a connection; the rest of it comes from the log."""
PACKAGES_OF, BUILT_MAX, CASINOS_MAX = 31 * DAY, 400, 100
BEARING = Query(types=("PackageBuilt", "CasinoOpened", "OperatingDayOpened", "OperatingDayClosed"))
"""What changes which packages are due; else time does."""
SAID_MAX = 50
"""Of so many cosignatures and stamps the last of each witness and authority is shown."""


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """The last signed checkpoint: what it covers, by which key, and where it stands."""

    position: int
    recorded_at: int
    size: int
    key_id: str


@dataclass(frozen=True, slots=True)
class Cosigned:
    """The last checkpoint of which a witness said that it has seen no other history."""

    witness: str
    size: int
    cosigned_at: int
    position: int


@dataclass(frozen=True, slots=True)
class Stamped:
    """The last checkpoint that a time-stamp authority stamped, each authority by its name."""

    authority: str
    size: int
    stamped_at: int
    position: int


@dataclass(frozen=True, slots=True)
class ChainState:
    """How far log and tables are, and what vouches for them.

    ``cosigned`` and ``stamped`` are as they were recorded: whose word counts is for the reader to
    say; ``held`` is the copy of the authority whose mirror the operator's rules name, which is not
    among the witnesses. ``accesses`` is the size of the chain of accesses that the chain itself
    recorded last. ``rounds`` are the newest, for readers of rounds.
    ``verified`` is what ``gameledger log verify`` found last here, as the user of the service.
    """

    operator: str
    operator_name: str
    log_size: int
    size: int
    checkpoint: Checkpointed | None
    cosigned: tuple[Cosigned, ...]
    held: AuthorityCopy | None
    stamped: tuple[Stamped, ...]
    accesses: int
    verified: LastVerified | None
    rounds: tuple[RoundLine, ...]


class MirrorState(NamedTuple):
    """How many messages the published tiles hold, or why that is not known."""

    size: int
    fault: str | Phrase


def mirror_state(log: Log, folder: Path | None) -> MirrorState | None:
    """Compare the folder of published tiles with the log; None if no folder is configured."""
    if folder is None:
        return None
    opened, head = next(events_at(log, [0])), log.head()
    chain = opened.event.chain if isinstance(opened.event, e.ChainOpened) else ""
    try:
        return MirrorState(mirrored_size(folder, log, chain, head.size), "")
    except LedgerError as error:
        return MirrorState(0, reason_of(error))


class DuePackage(NamedTuple):
    """A package that is late, and the end of its period."""

    name: str
    ended_at: int


class Briefing(NamedTuple):
    """What happened on a gaming day, and what is open now.

    ``bases`` are the contributions of its games to the base of the gambling tax, in haléř.
    """

    played: PlayedDay
    matters: OpenMatters
    days: DayRange
    bases: dict[str, int]


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The data of the front page; ``due`` are packages of the last month that were not built."""

    state: ChainState
    due: tuple[DuePackage, ...]


class DashboardCache:
    """Cache of front pages for the newest positions in the chain; each is computed once."""

    def __init__(self) -> None:
        """Begin with an empty cache."""
        self._finding = Lock()
        self._states: OrderedDict[int, ChainState] = OrderedDict()
        self._due: tuple[tuple[list[int], int], tuple[DuePackage, ...]] = ([], 0), ()
        self._asked_at = -inf
        self._recorded: tuple[int, int] = -1, 0
        self._played: OrderedDict[DayRange, PlayedDay] = OrderedDict()
        self._bases: OrderedDict[tuple[date, int], dict[str, int]] = OrderedDict()
        self._matters: OrderedDict[tuple[int, int], OpenMatters] = OrderedDict()

    def of(self, sources: Sources, size: int, now: int) -> FrontPage:
        """Return the front page for a position and a time; due packages are up to the minute."""
        self._asked_at = time.monotonic()
        state = self._states.get(size)
        if state is None:
            with self._finding:
                state = self._states.get(size) or self._found(sources, size)
        since = sources.log.find(BEARING, before=size, limit=1, backwards=True)
        known, due = self._due
        if known != (since, now // MINUTE):
            due = _packages_due(sources, size, now)
            self._due = (since, now // MINUTE), due
        return FrontPage(_as_of_now(state, sources, size), due)

    def recorded(self, sources: Sources, size: int) -> int | None:
        """Count the open recorded findings at a position; return None if the tables are busy."""
        known, count = self._recorded
        if known == size:
            return count
        try:
            with sources.store(wait_seconds=RECORDED_SECONDS) as store:
                count = len(list_findings(store, at=size).findings)
        except AvailabilityError:
            return None
        self._recorded = size, count
        return count

    def briefing(self, sources: Sources, size: int, now: int, day: date | None) -> Briefing | None:
        """Return the briefing of a day, by default the last full one; None if tables are busy.

        What is late is judged up to the minute of ``now``.
        """
        days = _days(sources.log, size, day)
        played, matters = self._played.get(days), self._matters.get((size, now // MINUTE))
        bases = self._bases.get((days.day, size))
        if played is None or matters is None or bases is None:
            try:
                with sources.store(wait_seconds=RECORDED_SECONDS) as store:
                    played = played or played_day(store, days)
                    matters = matters or open_matters(store, at=size, now=now)
                    bases = _bases(store, days, size)
            except AvailabilityError:
                return None
            self._played[days], self._matters[size, now // MINUTE] = played, matters
            self._bases[days.day, size] = bases
            for known in (self._played, self._matters, self._bases):
                while len(known) > PLACES:
                    known.popitem(last=False)
        return Briefing(played, matters, days, bases)

    def prepare(self, sources: Sources, size: int) -> None:
        """Compute the front page of a position before its first request, if there are readers.

        Errors are not raised here: the request for the page reports them.
        """
        if time.monotonic() - self._asked_at < READ_SECONDS:
            with suppress(Exception):
                self._found(sources, size)

    def _found(self, sources: Sources, size: int) -> ChainState:
        state = self._states[size] = front(sources, size)
        while len(self._states) > PLACES:
            self._states.popitem(last=False)
        return state


def _bases(store: Store, days: DayRange, size: int) -> dict[str, int]:
    """Return the contribution of each game to the gambling tax base of a day, as known now."""
    found: dict[str, int] = {}
    if days.first < days.end:
        period = read_period(days.day.isoformat())
        for part in tax_base(store, period, at=size).parts:
            found[part.game] = found.get(part.game, 0) + (part.base_czk or 0)
    return found


def _days(log: Log, size: int, day: date | None) -> DayRange:
    """Find the positions of a day in the chain; by default the day before the last message's.

    A chain of less than a day has the day of its first message.
    """
    first, last = (in_prague(envelope_at(log, at).recorded_at).date() for at in (0, size - 1))
    asked = max(last - timedelta(days=1), first) if day is None else day

    def begins(one: date) -> int:
        return size_before(log, from_datetime(datetime.combine(one, time_of_day(), PRAGUE)), size)

    trend = asked - timedelta(days=TREND_DAYS - 1)
    places = (trend - timedelta(days=1), trend, asked, asked + timedelta(days=1))
    return DayRange(asked, *map(begins, places))


def front(sources: Sources, size: int) -> ChainState:
    """Compute the state of the chain from the log; of the tables only the position is used."""
    log = sources.log
    signed = _last(log, size, e.CheckpointSigned)
    accesses = _last(log, size, e.AccessHeadRecorded)
    announced = signed[0][1].size if signed else 0
    held = authority_copy(log, announced=announced, before=size)
    return ChainState(
        sources.opening.operator,
        sources.opening.operator_name,
        log.head().size,
        min(sources.projected.size, size),
        _checkpointed(*signed[0]) if signed else None,
        tuple(one for one in _cosigned(log, size) if held is None or one.witness != held.mirror),
        held,
        _stamped(log, size),
        accesses[0][1].size if accesses else 0,
        sources.last_verified(),
        sources.lines.newest(size, ROUNDS),
    )


def _as_of_now(state: ChainState, sources: Sources, size: int) -> ChainState:
    """Update the values that change without a new position: the ends of log and tables."""
    projected = min(sources.projected.size, size)
    return replace(state, log_size=sources.log.head().size, size=projected)


def _packages_due(sources: Sources, size: int, now: int) -> tuple[DuePackage, ...]:
    """Return the overdue periods of the last month without a package, oldest first."""
    opened, country = next(events_at(sources.log, [0])), sources.country
    since = max(opened.envelope.recorded_at, now - PACKAGES_OF)
    casinos = _casinos(sources.log, size)
    settings = country.read_settings(None)
    due = country.due_since(sources.opening.operator, since, casinos, now, settings)
    built = {event.series for _, event in _last(sources.log, size, e.PackageBuilt, BUILT_MAX)}
    late = {series_of(name): DuePackage(str(name), name.end) for name in due}
    return tuple(sorted((late[one] for one in late.keys() - built), key=attrgetter("ended_at")))


def _casinos(log: Log, size: int) -> list[Casino]:
    return [
        Casino(one.place, at.envelope.recorded_at, _open_day(log, size, one.place))
        for at, one in _last(log, size, e.CasinoOpened, CASINOS_MAX)
        if one.kind == "casino"
    ]


def _open_day(log: Log, size: int, place: str) -> str:
    """Return the current operating day of a casino, if one is open."""
    query = Query(types=("OperatingDayOpened", "OperatingDayClosed"), tags=(f"place:{place}",))
    for last in events_at(log, log.find(query, before=size, limit=1, backwards=True)):
        if isinstance(last.event, e.OperatingDayOpened):
            return last.event.day
    return ""


def _checkpointed(at: RecordedEvent, signed: e.CheckpointSigned) -> Checkpointed:
    return Checkpointed(at.position, at.envelope.recorded_at, signed.size, signed.key_id)


def _cosigned(log: Log, size: int) -> tuple[Cosigned, ...]:
    found: dict[str, Cosigned] = {}
    for at, one in _last(log, size, e.CheckpointCosigned, SAID_MAX):
        said = Cosigned(one.witness, one.size, one.cosigned_at, at.position)
        found.setdefault(one.witness, said)
    return tuple(found.values())


def _stamped(log: Log, size: int) -> tuple[Stamped, ...]:
    found: dict[str, Stamped] = {}
    for at, one in _last(log, size, e.CheckpointStamped, SAID_MAX):
        said = Stamped(one.authority, one.size, one.stamped_at, at.position)
        found.setdefault(one.authority, said)
    return tuple(found.values())


def _last(
    log: Log, size: int, kind: type[_Event], limit: int = 1
) -> list[tuple[RecordedEvent, _Event]]:
    """Return the last events of a type, newest first."""
    query = Query(types=(kind.__name__,))
    found = log.find(query, before=size, limit=limit, backwards=True)
    return [
        (recorded, recorded.event)
        for recorded in events_at(log, found)
        if isinstance(recorded.event, kind)
    ]
