"""Where answers come from: the log and the tables of one chain, opened for reading.

With the tables in the data directory, this process is the one that projects: a thread follows the
log, and questions are put to connections beside it. On a ClickHouse server `gameledger project
--follow` does that, and here is only asked. A question waits for a connection, and when none
becomes free in time it is turned away rather than put in an endless line.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.encoding import decode
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from projections.store.projector import Projector
from projections.store.rebuild import is_of, rebuild
from projections.store.tables import Store
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.privacy import KeyStore
    from ledger.log.port import Log
    from tools.data import DataDirectory

__all__ = ["Sources", "opening_of"]

CONNECTIONS = 4
WAIT_SECONDS = 5.0
READY_SECONDS = 20.0
"""How long a question waits for tables that are being made."""
FOLLOW_SECONDS = 0.5


def opening_of(log: Log) -> e.ChainOpened:
    """Return how a chain begins.

    Raises:
        IntegrityError: not as a chain does.

    """
    for _, message in log.read(0, 1):
        event = decode(message).event
        if isinstance(event, e.ChainOpened):
            return event
    raise IntegrityError("the log does not begin with ChainOpened: verify it", position=0)


class Sources:
    """Log and tables; :meth:`open` them, and close them at the end.

    ``fault`` is why the tables don't go on, once they don't.
    """

    def __init__(self, directory: DataDirectory) -> None:
        """Open the log; the tables follow.

        Raises:
            InputError: there is no chain.
            IntegrityError: the log is damaged.

        """
        self.log = directory.read()
        self.opening = opening_of(self.log)
        self.fault: LedgerError | None = None
        self._directory = directory
        self._idle: SimpleQueue[Store] = SimpleQueue()
        self._ready, self._over = Event(), Event()
        self._following = Thread(target=self._work, name="access-tables", daemon=True)
        self._following.start()

    @property
    def is_ready(self) -> bool:
        """Return whether questions are answered."""
        return self._ready.is_set() and self.fault is None

    def wait_until_ready(self, timeout_seconds: float) -> bool:
        """Wait for the tables."""
        return self._ready.wait(timeout_seconds) and self.fault is None

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Lend a connection to the tables.

        Raises:
            AvailabilityError: they are not there yet, don't go on, or all connections are in use.

        """
        if not self._ready.wait(READY_SECONDS):
            raise AvailabilityError("the tables are being made: repeat in a moment")
        if self.fault is not None:
            raise AvailabilityError(f"the tables can't be asked: {self.fault}")
        try:
            store = self._idle.get(timeout=WAIT_SECONDS)
        except Empty as error:
            raise AvailabilityError("too many questions at once: repeat in a moment") from error
        try:
            yield store
        finally:
            self._idle.put(store)

    def keys(self) -> KeyStore:
        """Open the keys of persons for reading.

        Raises:
            InputError: they are not on this machine.
            AuthorizationError: this user may not read them.

        """
        return self._directory.keys()

    def close(self) -> None:
        """Stop following, and let go of tables and log."""
        self._over.set()
        self._following.join()
        self.log.close()

    def _work(self) -> None:
        try:
            with ExitStack() as stack:
                place = self._directory.projection()
                if isinstance(place, Path):
                    found = tables.for_questions(place, self._directory.cache)
                    store = stack.enter_context(found)
                    projector = self._caught_up(store)
                else:
                    store = stack.enter_context(Store.open(place, creating=False))
                    projector = None
                stack.callback(self._close_connections)
                for _ in range(CONNECTIONS):
                    self._idle.put(store.beside())
                self._ready.set()
                self._follow(store, projector)
        except LedgerError as error:
            self.fault = error
        finally:
            self._ready.set()

    def _caught_up(self, store: Store) -> Projector:
        if not is_of(self.log, store):
            raise InputError("the tables are those of another chain: `gameledger rebuild`")
        if not store.is_current:
            rebuild(self.log, store)
        projector = Projector(self.log, store)
        projector.catch_up()
        return projector

    def _follow(self, store: Store, projector: Projector | None) -> None:
        size = store.position
        while not self._over.wait(0 if projector else FOLLOW_SECONDS):
            if projector is not None and self.log.wait(size, FOLLOW_SECONDS):
                done = projector.catch_up()
                size = done.head.size + done.torn

    def _close_connections(self) -> None:
        for _ in range(CONNECTIONS):
            self._idle.get(timeout=WAIT_SECONDS * 2).close()
