"""The examination of the chain, which is costly: one worker, and requests that wait for it.

What comes in: the place in the chain that a request is about. What goes out: the findings of that
place, or of an earlier place that the worker examined last. The worker has a connection of its own;
a request that waits holds none. So many requests wait at a time, and each for a bounded time; then
the answer is that it is not there yet, while the worker goes on.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import BoundedSemaphore, Condition, Thread
from typing import TYPE_CHECKING

import structlog

from ledger.core.errors import AvailabilityError, LedgerError
from projections.reconciliation.reconcile import Reconciliation, examine

if TYPE_CHECKING:
    from threading import Event

    from tools.access.sources import Sources

__all__ = ["Examiner"]

WAITING_MAX = 8
"""Requests that wait at a time: others need threads too."""
PLACES = 4
"""Places whose findings are kept."""
EXACT_SECONDS = 3.0
"""How long a request waits for its own place before it takes the last one examined."""
WAIT_SECONDS = 15.0
"""How long it waits where none was examined, or where it names its place."""
LOOK_SECONDS = 0.25
CLOSE_SECONDS = 8.0
"""How long the end of the service waits for an examination that is under way."""
BUSY = "too many requests wait for an examination of the chain: repeat in a moment"
LATE = "the chain is still being examined: repeat in a moment"

_log = structlog.get_logger("gameledger.access")


class Examiner:
    """Examines the chain in a thread of its own, which starts with the first request for it."""

    def __init__(self, sources: Sources, over: Event) -> None:
        """Know nothing yet; ``over`` is set when the service is to end."""
        self._sources, self._over = sources, over
        self._waiting = BoundedSemaphore(WAITING_MAX)
        self._changed = Condition()
        self._known: OrderedDict[int, Reconciliation] = OrderedDict()
        self._faults: dict[int, LedgerError] = {}
        self._wanted: list[int] = []
        self._worker: Thread | None = None
        self.last: Reconciliation | None = None
        """What was examined last, of the furthest place."""

    def of(self, size: int, *, is_exact: bool, gone: Event | None = None) -> Reconciliation:
        """Return what is found of so many messages; hold no connection meanwhile.

        Args:
            size: number of messages.
            is_exact: nothing but this place will do.
            gone: set when nobody waits for the answer any more.

        Raises:
            AvailabilityError: it takes too long, or too many requests wait.
            LedgerError: it can't be examined.

        """
        found = self._known.get(size)
        if found is not None:
            return found
        if not self._waiting.acquire(blocking=False):
            return self._earlier(is_exact=is_exact, why=BUSY)
        try:
            return self._awaited(size, is_exact=is_exact, gone=gone)
        finally:
            self._waiting.release()

    def close(self) -> None:
        """Wait for an examination that is under way, so that its connection can be closed."""
        with self._changed:
            self._wanted.clear()
            worker = self._worker
        if worker is not None:
            worker.join(CLOSE_SECONDS)

    def _awaited(self, size: int, *, is_exact: bool, gone: Event | None) -> Reconciliation:
        began = time.monotonic()
        with self._changed:
            self._want(size)
            while size not in self._known:
                if size in self._faults:
                    raise self._faults[size]
                waited = time.monotonic() - began
                is_late = waited > EXACT_SECONDS and self.last is not None and not is_exact
                is_left = self._over.is_set() or (gone is not None and gone.is_set())
                if is_late or is_left or waited > WAIT_SECONDS:
                    return self._earlier(is_exact=is_exact, why=LATE)
                self._changed.wait(LOOK_SECONDS)
            return self._known[size]

    def _earlier(self, *, is_exact: bool, why: str) -> Reconciliation:
        last = self.last
        if last is None or is_exact:
            raise AvailabilityError(why)
        return last

    def _want(self, size: int) -> None:
        """Put a place before those that wait already: its request is the youngest."""
        if size not in self._wanted:
            self._wanted.append(size)
            del self._wanted[:-WAITING_MAX]
        self._faults.pop(size, None)
        if self._worker is None or not self._worker.is_alive():
            self._worker = Thread(target=self._work, name="access-examiner", daemon=True)
            self._worker.start()
        self._changed.notify_all()

    def _work(self) -> None:
        """Examine what is wanted until there is no more."""
        while True:
            with self._changed:
                if not self._wanted or self._over.is_set():
                    self._worker = None
                    return
                size = self._wanted[-1]
            found: Reconciliation | LedgerError
            try:
                with self._sources.store_for_examining() as store:
                    found = examine(store, at=size)
            except LedgerError as error:
                found = error
            except Exception as error:  # noqa: BLE001 - the requests that wait are told
                _log.error("examination_failed", why=repr(error))
                found = LedgerError("the examination failed: this is a fault of the service")
            self._keep(size, found)

    def _keep(self, size: int, found: Reconciliation | LedgerError) -> None:
        with self._changed:
            self._wanted = [one for one in self._wanted if one != size]
            if isinstance(found, LedgerError):
                self._faults = {size: found}
            else:
                self._known[size] = found
                while len(self._known) > PLACES:
                    self._known.popitem(last=False)
                if self.last is None or self.last.position < size:
                    self.last = found
            self._changed.notify_all()
