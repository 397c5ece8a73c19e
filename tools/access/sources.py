"""Log and tables of one chain, opened for reading: the sources of all answers.

If the tables are in the data directory, this process is the projector: a thread follows the log,
and queries use other connections. On a ClickHouse server `gameledger project --follow` is the
projector; this process only queries, and the thread monitors its progress. Of several servers it
queries the one with the highest watermark, and another one if that lags. ``projected`` is the
position up to which the tables can answer. A query waits for a connection; if none becomes free in
time, or too many queries wait already, it is refused.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Event, Lock, Thread
from typing import TYPE_CHECKING, TypeVar

import structlog

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.core.message import EMPTY
from ledger.core.phrases import Phrase
from ledger.log.opening import opening_of
from projections.packages.country import CZ, country_of
from projections.replay.from_log import RoundLines
from projections.store.projector import Projector, check_continues
from projections.store.rebuild import is_due, is_of, rebuild
from projections.store.servers import open_newest
from tools.access.query_cancelling import QueryCanceller
from tools.data import tables
from tools.data.last_verification import last_verified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ledger.core.message import Head
    from ledger.privacy import KeyStore
    from projections.store.clickhouse import ClickHouseServer
    from projections.store.tables import Store
    from tools.data import DataDirectory
    from tools.data.last_verification import LastVerified

__all__ = ["Sources"]

CONNECTIONS = 4
WAIT_SECONDS = 5.0
CLOSE_SECONDS = 2.0
"""How long the end of the service waits for each connection that is in use."""
READY_SECONDS = 20.0
"""How long a question waits for tables that are being made."""
WAITING_MAX = 24
"""Questions that may wait for a connection or be at it; a thread is left for those to the log."""
SLOW_MAX = CONNECTIONS // 2
"""Slow questions at work at a time; the other connections are for the others."""
SLOW_WAITING_MAX = 8
LOOK_SECONDS = 0.25
QUERY_SECONDS_MAX = 30
"""How long the engine may work at one query of a page or of the API."""
NOTHING = AvailabilityError(Phrase("NOTHING_PROJECTED"))
BUSY = Phrase("TOO_MANY_QUERIES")
FOLLOW_SECONDS = 0.5
LAG_SECONDS = 10.0
"""How long the tables of a server may lag before those of another are queried."""
REST = 8
"""How long projecting rests, as a multiple of what it took: the readers have the processor too."""

_Taken = TypeVar("_Taken")

_log = structlog.get_logger("gameledger.access")


class Sources:
    """Log and tables; :meth:`open` them, and close them at the end.

    ``fault`` is the reason why the tables don't answer, while they don't; ``projected`` is the
    position at which they end. ``prepare`` is called with a new end just before it is published.
    """

    def __init__(self, directory: DataDirectory, country: str = CZ) -> None:
        """Open the log; the tables follow.

        Args:
            directory: of the chain.
            country: code of the country whose packages are shown.

        Raises:
            InputError: there is no chain, or no such country.
            IntegrityError: the log is damaged.

        """
        self.country = country_of(country)
        self.log = directory.read()
        self.opening = opening_of(self.log)
        self.lines = RoundLines(self.log)
        self.projected = EMPTY
        self.fault: LedgerError | None = None
        self.directory = directory
        self.prepare: Callable[[int], None] = lambda _: None
        self._idle: SimpleQueue[Store] = SimpleQueue()
        self._examining: SimpleQueue[Store] = SimpleQueue()
        self._open: set[Store] = set()
        self._returning = Lock()
        self._room = BoundedSemaphore(WAITING_MAX)
        self._slow_room, self._slow = BoundedSemaphore(SLOW_WAITING_MAX), BoundedSemaphore(SLOW_MAX)
        self._ready, self._over = Event(), Event()
        self._cancelling = QueryCanceller(self._over)
        self._following = Thread(target=self._work, name="access-tables", daemon=True)
        self._following.start()

    @property
    def is_ready(self) -> bool:
        """Return whether queries are answered."""
        return self._ready.is_set() and self.fault is None

    def wait_until_ready(self, timeout_seconds: float) -> bool:
        """Wait for the tables."""
        return self._ready.wait(timeout_seconds) and self.fault is None

    def require_ready(self) -> None:
        """Wait until the tables can be queried and ``projected`` is their position.

        Raises:
            AvailabilityError: the tables are not ready yet, or no longer follow the log.

        """
        if not self._ready.wait(READY_SECONDS):
            raise AvailabilityError(Phrase("TABLES_BEING_MADE"))
        if self.fault is not None:
            raise AvailabilityError(Phrase("TABLES_UNUSABLE", english=self.fault))

    @contextmanager
    def store(
        self,
        gone: Event | None = None,
        *,
        is_slow: bool = False,
        wait_seconds: float = WAIT_SECONDS,
    ) -> Iterator[Store]:
        """Lend a connection to the tables.

        Args:
            gone: set when the client has disconnected.
            is_slow: the query takes long; such queries may not use all connections.
            wait_seconds: how long to wait for a connection in use.

        Raises:
            AvailabilityError: the tables are not ready, no longer follow the log, or all
                connections are in use.

        """
        rooms = (self._slow_room, self._room) if is_slow else (self._room,)
        with ExitStack() as held:
            for room in rooms:
                if not room.acquire(blocking=False):
                    raise AvailabilityError(BUSY)
                held.callback(room.release)
            self.require_ready()
            if is_slow:
                _wait_for(self._slow_taken, gone, wait_seconds)
                held.callback(self._slow.release)
            store = _wait_for(self._taken, gone, wait_seconds)
            held.callback(self._return, store, self._idle)
            held.enter_context(store.repeatable())
            yield held.enter_context(self._cancelling.marked(store, gone))

    def _slow_taken(self) -> bool | None:
        return self._slow.acquire(timeout=LOOK_SECONDS) or None

    def _taken(self) -> Store | None:
        try:
            return self._idle.get(timeout=LOOK_SECONDS)
        except Empty:
            return None

    @contextmanager
    def store_for_examining(self) -> Iterator[Store]:
        """Lend the connection reserved for :class:`tools.access.examiner.Examiner`.

        Raises:
            AvailabilityError: the tables can't be queried.

        """
        self.require_ready()
        store = self._examining.get()
        try:
            with self._cancelling.marked(store, None):
                yield store
        finally:
            self._return(store, self._examining)

    def release_memory(self) -> None:
        """Let the embedded engine release the memory of a large answer."""
        if isinstance(self.directory.tables_to_read(), Path):
            with suppress(AvailabilityError), self.store() as store:
                store.command("SYSTEM JEMALLOC PURGE")

    @property
    def folder(self) -> Path:
        """The data directory."""
        return self.directory.path

    def last_verified(self) -> LastVerified | None:
        """Return the result of the last verification on this machine."""
        return last_verified(self.directory, self.log)

    def keys(self) -> KeyStore:
        """Open the keys of persons for reading.

        Raises:
            InputError: the keys are not on this machine.
            AuthorizationError: this user may not read them.

        """
        return self.directory.keys()

    def keys_at_hand(self) -> AbstractContextManager[KeyStore | None]:
        """Lend the keys of persons; None if this user may not read them."""
        return self.directory.keys_at_hand()

    def close(self) -> None:
        """Stop following the log, and close tables and log."""
        self._over.set()
        self._following.join()
        self.log.close()

    def _work(self) -> None:
        try:
            place = self.directory.tables_to_read()
            if isinstance(place, Path):
                is_ours = partial(is_of, self.log)
                with tables.for_questions(place, self.directory.cache, is_ours) as store:
                    projector = self._caught_up(store)
                    with self._connections(store):
                        self._project(projector)
            else:
                self._ask_newest(place)
        except Exception as error:  # noqa: BLE001 - whatever it is, the tables can't be asked
            self.fault = error if isinstance(error, LedgerError) else LedgerError(repr(error))
            _log.error("tables_unusable", why=str(self.fault))
        finally:
            self._ready.set()

    def _caught_up(self, store: Store) -> Projector:
        if not is_of(self.log, store):
            raise InputError("the tables are those of another chain: `gameledger rebuild`")
        if is_due(self.log, store):
            rebuild(self.log, store, opened=self.directory.read)
        projector = Projector(self.log, store)
        self.projected = projector.catch_up().head
        return projector

    def _project(self, projector: Projector) -> None:
        """Follow the log, even if it was replaced and does not grow."""
        size, rest = self.projected.size, 0.0
        while not self._over.wait(rest):
            rest = 0.0
            try:
                has_grown = self.log.wait(size, FOLLOW_SECONDS)
                began = time.monotonic()
                done = projector.catch_up()
                if has_grown:
                    self._grow(done.head)
                    size = done.head.size + done.torn
                    rest = REST * (time.monotonic() - began)
                self.fault = None
            except AvailabilityError as error:
                self.fault, rest = error, FOLLOW_SECONDS

    def _grow(self, head: Head) -> None:
        self.prepare(head.size)
        self.projected = head

    def _ask_newest(self, servers: Sequence[ClickHouseServer]) -> None:
        while not self._over.is_set():
            try:
                with self._reached(servers) as store, self._connections(store):
                    self._look(store, servers)
            except AvailabilityError as error:  # this one is away; the others may not be
                self.fault = error
                self._over.wait(FOLLOW_SECONDS)

    @contextmanager
    def _reached(self, servers: Sequence[ClickHouseServer]) -> Iterator[Store]:
        """Connect to the server with the highest watermark, as soon as one has the tables.

        No answer may rest on fewer messages than an earlier one, so a server below the position
        that was published is waited for.
        """
        while True:
            try:
                store = open_newest(servers)
                if store.position >= self.projected.size:
                    break
                store.close()
            except (AvailabilityError, InputError) as error:
                self.fault = error
                self._ready.set()
            if self._over.wait(FOLLOW_SECONDS):
                raise NOTHING
        with store:
            if not is_of(self.log, store):
                raise InputError(
                    "the tables on the server of ClickHouse are those of another chain"
                )
            yield store

    def _look(self, store: Store, servers: Sequence[ClickHouseServer]) -> None:
        """Follow the tables of a server, which another process fills; they must be of this log.

        Returns at the end of the service, or when another server is ahead of this one.
        """
        rest, lag = 0.0, _Lag()
        while not self._over.wait(rest):
            rest, size = FOLLOW_SECONDS, -1
            try:
                head = store.head
                size, end = head.size, self.log.head().size
                if head != self.projected and size <= end:
                    check_continues(self.log, head)
                    self._grow(head)
                self.fault = None if self.projected.size else NOTHING
                lag.see(size, end)
            except AvailabilityError as error:
                self.fault = error
            self._ready.set()
            if len(servers) > 1 and lag.is_due() and self._is_one_ahead(servers, size):
                return

    def _is_one_ahead(self, servers: Sequence[ClickHouseServer], size: int) -> bool:
        """Return whether a server has more messages than ``size``, and all that were published."""
        with suppress(AvailabilityError, InputError), open_newest(servers) as newest:
            return newest.position > size and newest.position >= self.projected.size
        return False

    @contextmanager
    def _connections(self, store: Store) -> Iterator[None]:
        """Open the connections lent to queries; close them when all have been returned."""
        store.log = self.directory.at_hand(self.log)
        lent = [store.clone(max_execution_time=QUERY_SECONDS_MAX) for _ in range(CONNECTIONS)]
        examining = store.clone()
        self._open = {*lent, examining}
        for one in lent:
            self._idle.put(one)
        self._examining.put(examining)
        if self.projected.size:
            self._ready.set()
        with self._cancelling.working(store):
            try:
                yield
            finally:
                self._take_back()

    def _return(self, store: Store, to: SimpleQueue[Store]) -> None:
        """Put a connection back, or close it if the service has left its server meanwhile."""
        with self._returning:
            if store in self._open:
                to.put(store)
                return
        store.close()

    def _take_back(self) -> None:
        with suppress(Empty):
            for _ in range(CONNECTIONS):
                self._idle.get(timeout=CLOSE_SECONDS).close()
            self._examining.get(timeout=CLOSE_SECONDS).close()
        with self._returning:
            self._open = set()
            for queue in (self._idle, self._examining):
                while not queue.empty():
                    queue.get().close()


class _Lag:
    """Whether the tables of a server have not moved to where the log was some time ago."""

    def __init__(self) -> None:
        self._goal, self._since = 0, time.monotonic()

    def see(self, size: int, end: int) -> None:
        """Note how far the tables are, and the log."""
        if size >= self._goal:
            self._goal, self._since = end, time.monotonic()

    def is_due(self) -> bool:
        """Return whether other servers should be looked at; True once in ``LAG_SECONDS``."""
        if time.monotonic() - self._since < LAG_SECONDS:
            return False
        self._since = time.monotonic()
        return True


def _wait_for(taken: Callable[[], _Taken | None], gone: Event | None, seconds: float) -> _Taken:
    """Wait for a connection for a limited time, as long as the client is connected."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not (gone is not None and gone.is_set()):
        found = taken()
        if found is not None:
            return found
    raise AvailabilityError(BUSY)
