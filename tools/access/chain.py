"""The chain of accesses: a log owned by the service, in the format of the main one.

Input: events about readers and their accesses. Output: the events' positions, once they are
durable; without a recorded access there is no answer. The chain is stored in ``access/`` of the
data directory and is verified like any chain (``gameledger log verify --access``).

One process has it open at a time. To write while the service runs, ``gameledger reader`` requests a
turn with a lock that the kernel releases if the process dies; the service then closes the log,
waits, and continues with what was added, so that a revoked reader is refused at the next request.
"""

from __future__ import annotations

import fcntl
import os
import time
from threading import Event as Signal
from threading import Lock, Thread
from typing import TYPE_CHECKING, Self, TypeVar

import structlog

import schemas
from ledger import chain
from ledger.core.clock import SystemClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.events.encoding import decode_envelope
from ledger.events.schema_book import SELF_DESCRIBED
from ledger.log.port import Query, events_at
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore, period_key
from ledger.storage.durable import make_folder
from ledger.tlog.merkle import root
from ledger.tlog.signing import Checkpoint
from tools.data.personal import ERASED, due_months

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ledger.core.clock import Clock
    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log

__all__ = ["FOLDER", "AccessChain"]

_log = structlog.get_logger("gameledger.access")

_Result = TypeVar("_Result")

FOLDER = "access"
"""Folder of the chain of accesses in a data directory."""

KEYS = "keys"
PURPOSE = "access"
PARAMETERS = "AccessRecorded.parameters"

ACTOR = "gameledger"
RECORDED = (
    "ReaderAdded",
    "ReaderRenewed",
    "ReaderRevoked",
    "ReaderSignedIn",
    "ReaderSignedOut",
    "AccessRecorded",
    "PeriodKeyDestroyed",
    "PersonUnmasked",
    "DownloadEnded",
    "AccessRefused",
)
ABOUT_READERS = ("ReaderAdded", "ReaderRenewed", "ReaderRevoked")
TURN_SECONDS = 0.1
PATIENCE_SECONDS = 10.0
IDENTIFIER_BYTES = 16
NOT_RECORDED = Phrase("ACCESS_NOT_RECORDED")


class _Entry:
    """A decision that waits to be written."""

    def __init__(self, events: Sequence[e.Event], actor: str) -> None:
        self.events = events
        self.actor = actor
        self.position = -1
        self.error: LedgerError | None = AvailabilityError(NOT_RECORDED)


class AccessChain:
    """The chain of accesses, open for writing; thread-safe.

    Args:
        folder: of its log.
        opened: first event of a new chain.
        learn: called with every event about readers, from the oldest; called with None to discard
            all earlier ones.
        serving: keep the chain open for long, and give other processes turns on request.
        clock: returns the timestamp of each record.

    Request parameters are sealed with a monthly key (:meth:`sealed`) in ``keys/`` next to the log.

    Raises:
        AvailabilityError: another process has the chain open and gives no turn.
        IntegrityError: the log is damaged.

    """

    def __init__(
        self,
        folder: Path,
        opened: e.ChainOpened,
        learn: Callable[[RecordedEvent | None], None],
        *,
        serving: bool,
        clock: Clock | None = None,
    ) -> None:
        """Open the chain, or create it."""
        self._folder, self._opened, self._learn = folder, opened, learn
        self._clock = clock or SystemClock()
        self._queueing, self._writing = Lock(), Lock()
        self._waiting: list[_Entry] = []
        self._over, self._current = Signal(), Signal()
        self._fault: Exception | None = None
        make_folder(folder)
        self._turn = os.open(folder / "turn.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        self._log: Log | None = None
        self.keys = KeyStore(folder / KEYS)
        self._giving = Thread(target=self._give_turns, name="access-turns", daemon=True)
        try:
            if not serving:
                _retried(lambda: _take(self._turn))
            self._open()
        except BaseException:
            self.keys.close()
            os.close(self._turn)
            raise
        if serving:
            self._giving.start()

    def record(self, *events: e.Event, actor: str = ACTOR) -> int:
        """Record events durably; return the position of the first event.

        Decisions that wait at the same time share one transaction.

        Raises:
            AvailabilityError: the events could not be written; no data may be returned.

        """
        entry = _Entry(events, actor)
        with self._queueing:
            self._waiting.append(entry)
        with self._writing:
            with self._queueing:
                batch, self._waiting = self._waiting, []
            if batch:
                self._append(batch)
        if entry.error is not None:
            raise entry.error
        return entry.position

    def sealed(self, parameters: str) -> tuple[str, bytes]:
        """Seal the parameters of a request; return the name of the month's key and the result."""
        name = period_key(PURPOSE, self._clock.now())
        return name, self.keys.seal(name, PARAMETERS, parameters)

    def parameters(self, event: e.AccessRecorded) -> str:
        """Open the parameters of a request; :data:`ERASED` once the key is destroyed."""
        text = self.keys.open(event.period_key, PARAMETERS, event.parameters)
        return ERASED if text is None else text

    def due_keys(self) -> list[str]:
        """Return the names of the keys whose retention period has ended."""
        return due_months(self.keys, self._clock.now())

    def destroy(self, name: str) -> None:
        """Record that the key of a month is destroyed, and destroy it.

        Raises:
            AvailabilityError: the destruction could not be recorded; the key is kept.

        """
        self.record(e.PeriodKeyDestroyed(period_key=name, fields=(PARAMETERS,)))
        self.keys.destroy(name)

    def wait_until_current(self) -> None:
        """Wait while another process has its turn; on return everything it recorded is known.

        Raises:
            AvailabilityError: the turn takes too long.

        """
        if not self._current.wait(PATIENCE_SECONDS):
            if self._fault is not None:
                raise AvailabilityError(Phrase("ACCESS_CHAIN_UNWRITABLE", english=self._fault))
            raise AvailabilityError(Phrase("ACCESS_CHAIN_IN_USE"))

    def checkpoint(self, size: int | None = None) -> Checkpoint:
        """Return name, size and root of the chain, now or at an earlier, smaller size.

        Raises:
            InputError: the chain is smaller than that size.

        """
        with self._writing:
            log = self._require_log()
            now = log.head().size
            size = now if size is None else size
            if size > now:
                raise InputError(f"{self.name} has {now} messages, and not {size}")
            return Checkpoint(self.name, size, root(log.node, size))

    @property
    def name(self) -> str:
        """Name of the chain."""
        return self._opened.chain

    def newest(self, query: Query, limit: int, *, before: int | None = None) -> list[RecordedEvent]:
        """Return the newest events that match a query, newest first."""
        with self._writing:
            log = self._require_log()
            found = log.find(query, before=before, limit=limit, backwards=True)
            return list(events_at(log, found))

    def close(self) -> None:
        """Release the chain to other processes; closing twice is allowed."""
        if self._over.is_set():
            return
        self._over.set()
        if self._giving.is_alive():
            self._giving.join()
        with self._writing:
            self._leave()
            self.keys.close()
            os.close(self._turn)

    def __enter__(self) -> Self:
        """Close it at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _require_log(self) -> Log:
        if self._log is None:
            raise AvailabilityError(f"the chain of accesses in {self._folder} is not open")
        return self._log

    def _open_log(self) -> Log:
        return _retried(lambda: SqliteLog(self._folder, writable=True))

    def _leave(self) -> None:
        """Close the log, if it is open."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def _open(self) -> None:
        self._log = self._open_log()
        try:
            if not self._log.head().size:
                self._link([_Entry([self._opened], ACTOR)])
            self._publish(self._log)
            self._learn(None)
            for recorded in events_at(self._log, self._log.find(Query(types=ABOUT_READERS))):
                self._learn(recorded)
            gone = self._log.find(Query(types=("PeriodKeyDestroyed",)))
            months = (
                one.event.period_key
                for one in events_at(self._log, gone)
                if isinstance(one.event, e.PeriodKeyDestroyed)
            )
            self.keys.destroy_keys_of(months, self._log.confirm)
            self._current.set()
        except BaseException:
            self._leave()
            raise

    def _publish(self, log: Log) -> None:
        """Publish the schemas that the chain needs and lacks."""
        found = events_at(log, log.find(Query(types=("SchemaPublished",))))
        published = {one.event.fingerprint for one in found}  # type: ignore[attr-defined]
        missing: list[e.Event] = [
            e.SchemaPublished(
                name=name,
                version=schema.version,
                fingerprint=schema.fingerprint.hex(),
                schema=schema.text,
            )
            for name in RECORDED
            if name not in SELF_DESCRIBED
            and (schema := schemas.newest()[name]).fingerprint.hex() not in published
        ]
        if missing:
            self._link([_Entry(missing, ACTOR)])

    def _append(self, batch: list[_Entry]) -> None:
        try:
            if self._log is None:
                self._open()
            self._link(batch)
        except (LedgerError, OSError) as error:
            for entry in batch:
                entry.error = AvailabilityError(Phrase("ACCESS_NOT_RECORDED_BY", english=error))
            self._leave()  # it may have stopped for good; what is opened again knows the outcome
            self._current.clear()
            return
        for entry in batch:
            entry.error = None
        for entry in batch:
            if isinstance(entry.events[0], e.ReaderAdded | e.ReaderRenewed | e.ReaderRevoked):
                for recorded in events_at(self._require_log(), [entry.position]):
                    self._learn(recorded)

    def _link(self, batch: list[_Entry]) -> None:
        log = self._require_log()
        head, messages = log.head(), []
        moment = max(self._clock.now(), _last_moment(log))
        for entry in batch:
            entry.position = head.size
            linked, head = chain.link(
                head,
                entry.events,
                command_id=os.urandom(IDENTIFIER_BYTES),
                command_digest=bytes(IDENTIFIER_BYTES),
                recorded_at=moment,
                occurred_at=moment,
                actor=entry.actor,
                source=ACTOR,
            )
            messages += linked
        chain.require_fits(messages)
        log.append(messages)

    def _give_turns(self) -> None:
        """Give other processes turns on request, and reopen the log after each, with retries."""
        while not self._over.wait(TURN_SECONDS):
            if not self._look():
                return

    def _look(self) -> bool:
        """Give a turn that is requested, or open the log again; False: never again."""
        try:
            if not self._current.is_set() or not _is_free(self._turn):
                self._grant_access()
            self._fault = None
        except Exception as error:  # noqa: BLE001 - the waiting requests get it
            if repr(error) != repr(self._fault):
                _log.error("accesses_not_written", why=str(error) or repr(error))
            self._fault = error
            return not isinstance(error, IntegrityError)
        return True

    def _grant_access(self) -> None:
        with self._writing:
            self._current.clear()
            self._leave()
            fcntl.flock(self._turn, fcntl.LOCK_EX)
            fcntl.flock(self._turn, fcntl.LOCK_UN)
            self._open()


def _last_moment(log: Log) -> int:
    size = log.head().size
    return max((decode_envelope(last).recorded_at for _, last in log.read(size - 1)), default=0)


def _is_free(turn: int) -> bool:
    """Return whether no request waits for a turn."""
    try:
        _take(turn)
    except AvailabilityError:
        return False
    fcntl.flock(turn, fcntl.LOCK_UN)
    return True


def _take(turn: int) -> None:
    try:
        fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        text = Phrase("ACCESS_CHAIN_OTHER_WRITER")
        raise AvailabilityError(text) from error


def _retried(act: Callable[[], _Result]) -> _Result:
    """Retry for a while what fails because another process has the chain open."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return act()
        except AvailabilityError:
            if time.monotonic() > deadline:
                raise
        time.sleep(TURN_SECONDS)
