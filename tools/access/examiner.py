"""Maintain the findings of the chain: one worker examines new messages, requests read the result.

Input: the growth of the tables, and the clock: time alone makes what is open late. Output: the
findings of the position examined last, at once, with the moment at which they were judged. The
worker continues from there; it starts from the result cached by its predecessor, or from the last
recorded reconciliation. Only a request for a specific position waits, for a bounded time and
without holding a connection; the number of such requests is limited.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import BoundedSemaphore, Condition, Thread
from typing import TYPE_CHECKING, NamedTuple

import structlog

from ledger.core.clock import MINUTE
from ledger.core.errors import AvailabilityError, LedgerError
from ledger.core.phrases import Phrase
from projections.questions.continuous_play import Play, Violations, play_and_violations
from projections.reconciliation.duties import DutyRegister, list_duties
from projections.reconciliation.finding_lifecycle import last_reconciliation
from projections.reconciliation.reconcile import Reconciliation, examine_on
from tools.data.examination_cache import (
    MAINTAINED,
    Examination,
    store_examination,
    stored_examination,
)
from tools.data.fairness import WatchedGames, watched_games

if TYPE_CHECKING:
    from threading import Event

    from ledger.core.clock import Clock
    from projections.reconciliation.earlier_results import EarlierResults
    from projections.reconciliation.rounds_to_recheck import PreviousReconciliation
    from projections.store.tables import Store
    from tools.access.sources import Sources

__all__ = ["Examiner", "Supervision"]

WAITING_MAX = 8
"""Requests that wait at a time: others need threads too."""
PLACES = 4
"""Places whose findings are kept."""
WAIT_SECONDS = 15.0
"""How long a request waits where it names its place, or where nothing was examined yet."""
LOOK_SECONDS = 0.25
REST = 8
"""How long the worker rests, as a multiple of what the last examination took."""
REST_SECONDS = 2.0, 600.0
"""How long it rests at least and at most."""
JUDGED_AGAIN = MINUTE
"""How long the findings of a silent chain are kept, before what is open is judged again."""
CLOSE_SECONDS = 8.0
"""How long the end of the service waits for an examination that is under way."""
BUSY = Phrase("EXAMINATIONS_WAITING")
LATE = Phrase("EXAMINATION_RUNNING")

_log = structlog.get_logger("gameledger.access")


class _Request(NamedTuple):
    """A position to examine and the moment at which to judge; ``is_current``: for the pages."""

    size: int
    now: int
    is_current: bool


class Supervision(NamedTuple):
    """Fairness of results, open duties and continuous play as of so many messages."""

    position: int
    watched: WatchedGames
    duties: DutyRegister
    play: Play
    violations: Violations


class Examiner:
    """Examine the chain in a separate thread, from :meth:`start` or the first request on."""

    def __init__(self, sources: Sources, over: Event, clock: Clock) -> None:
        """Begin without results; ``over`` is set when the service is to end."""
        self._sources, self._over, self._clock = sources, over, clock
        self._waiting = BoundedSemaphore(WAITING_MAX)
        self._changed = Condition()
        self._known: OrderedDict[tuple[int, int], Reconciliation] = OrderedDict()
        self._faults: dict[_Request, LedgerError] = {}
        self._wanted: list[_Request] = []
        self._rests_until = 0.0
        self._worker: Thread | None = None
        self._examined_at = 0.0
        self._memory: EarlierResults | None = None
        self.last: Reconciliation | None = None
        """Newest examination; one of a position before the head at the start is not shown as it."""
        self.supervision: Supervision | None = None
        """What pages show besides, of the furthest place."""

    @property
    def age_seconds(self) -> int:
        """Seconds since the last examination ended."""
        return int(time.monotonic() - self._examined_at)

    def start(self) -> None:
        """Start the thread that keeps the findings up to date, if it does not run yet."""
        with self._changed:
            if self._worker is None and not self._over.is_set():
                self._worker = Thread(target=self._work, name="access-examiner", daemon=True)
                self._worker.start()

    def of(
        self, size: int, now: int, *, is_exact: bool, gone: Event | None = None
    ) -> Reconciliation:
        """Return the findings; no connection is held while waiting.

        Args:
            size: number of messages.
            now: moment at which what is late is judged.
            is_exact: return only the findings of this size and moment; otherwise those examined
                last.
            gone: set when the client has disconnected.

        Raises:
            AvailabilityError: the examination takes too long, or too many requests wait.
            LedgerError: the position can't be examined.

        """
        asked = _Request(size, now, not is_exact)
        found = self._answer(asked)
        if found is not None:
            return found
        if not self._waiting.acquire(blocking=False):
            raise AvailabilityError(BUSY)
        try:
            return self._awaited(asked, gone)
        finally:
            self._waiting.release()

    def close(self) -> None:
        """End the examinations and wait for one in progress, so its connection can be closed."""
        self._over.set()
        with self._changed:
            self._wanted.clear()
            worker = self._worker
            self._changed.notify_all()
        if worker is not None:
            worker.join(CLOSE_SECONDS)

    def _answer(self, asked: _Request) -> Reconciliation | None:
        return self.last if asked.is_current else self._known.get((asked.size, asked.now))

    def _awaited(self, asked: _Request, gone: Event | None) -> Reconciliation:
        self.start()
        began = time.monotonic()
        with self._changed:
            self._want(asked)
            while True:
                found = self._answer(asked)
                if found is not None:
                    return found
                if asked in self._faults:
                    raise self._faults[asked]
                waited = time.monotonic() - began
                is_left = self._over.is_set() or (gone is not None and gone.is_set())
                if is_left or waited > WAIT_SECONDS:
                    raise AvailabilityError(LATE)
                self._changed.wait(LOOK_SECONDS)

    def _want(self, asked: _Request) -> None:
        """Put a position at the front of the queue: the newest request is served first."""
        if asked not in self._wanted:
            self._wanted.append(asked)
            del self._wanted[:-WAITING_MAX]
        self._faults.pop(asked, None)
        self._changed.notify_all()

    def _work(self) -> None:
        """Examine requested positions, and new messages in between."""
        while (asked := self._next()) is not None:
            began = time.monotonic()
            try:
                with self._sources.store_for_examining() as store:
                    self._keep(asked, self._examined(store, asked))
                    known = self.supervision
                    if asked.is_current and (known is None or known.position <= asked.size):
                        self.supervision = _supervised(store, asked, known)
            except LedgerError as error:
                self._keep(asked, error)
            except Exception as error:  # noqa: BLE001 - the waiting requests get it
                _log.error("examination_failed", why=repr(error))
                fault = LedgerError("the examination failed: this is a fault of the service")
                self._keep(asked, fault)
            least, most = REST_SECONDS
            now = time.monotonic()
            self._rests_until = now + min(max(REST * (now - began), least), most)

    def _next(self) -> _Request | None:
        """Wait for a position to examine; return None at the end."""
        with self._changed:
            while not self._over.is_set():
                size, last = self._sources.projected.size, self.last
                if self._wanted:
                    return self._wanted[-1]
                now = self._clock.now()
                is_due = last is None or last.position < size or now >= last.moment + JUDGED_AGAIN
                if size and is_due and time.monotonic() >= self._rests_until:
                    return _Request(size, now, is_current=True)
                self._changed.wait(LOOK_SECONDS)
        return None

    def _examined(self, store: Store, asked: _Request) -> Reconciliation:
        """Examine a position, continuing from an earlier one."""
        size = asked.size
        directory = self._sources.directory
        if self._memory is None:
            kept = stored_examination(directory, self._sources.log, MAINTAINED)
            self._memory = None if kept is None else kept.memory
            if kept is not None and asked.is_current and kept.found.position == size:
                return kept.found  # shown with its moment until the next one
        earlier: PreviousReconciliation | EarlierResults | None = self._memory
        if earlier is None or earlier.until > size:
            earlier = _recorded(store, size)
        found, memory = examine_on(store, at=size, now=asked.now, since=earlier)
        if self._memory is None or self._memory.until < size:
            self._memory = memory
            store_examination(directory, Examination(found, memory), MAINTAINED)
        return found

    def _keep(self, asked: _Request, found: Reconciliation | LedgerError) -> None:
        with self._changed:
            self._wanted = [one for one in self._wanted if one != asked]
            if isinstance(found, LedgerError):
                self._faults = {asked: found}
            elif not asked.is_current:
                self._known[asked.size, asked.now] = found
                while len(self._known) > PLACES:
                    self._known.popitem(last=False)
            elif self.last is None or self.last.position <= asked.size:
                self.last, self._examined_at = found, time.monotonic()
            self._changed.notify_all()


def _supervised(store: Store, asked: _Request, known: Supervision | None) -> Supervision:
    """Return what pages show besides; of a silent chain only duties change."""
    open_duties = list_duties(store, at=asked.size, now=asked.now)
    if known is not None and known.position == asked.size:
        return known._replace(duties=open_duties)
    return Supervision(
        asked.size,
        watched_games(store, at=asked.size),
        open_duties,
        *play_and_violations(store, at=asked.size),
    )


def _recorded(store: Store, size: int) -> PreviousReconciliation | None:
    """Return the last recorded reconciliation, if an examination can continue from it."""
    run = last_reconciliation(store, size)
    return run.earlier if run is not None and run.is_whole else None
