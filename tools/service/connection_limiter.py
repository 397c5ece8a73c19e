"""Who is connected, and who goes when others want to come in.

Two kinds of places. A connection that has not said yet who it is waits; there the oldest makes
room, so that strangers push out strangers. Clients that were let in keep their place while they
do something; the one that was quiet longest makes room for the next, and only when no client is
quiet the next is refused.
"""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from ledger.core.errors import LedgerError
    from tools.service.limits import Limits

__all__ = ["ConnectionLimiter", "Evictable"]


class Evictable(Protocol):
    """Who can be shown the door."""

    @property
    def quiet_seconds(self) -> float:
        """How long it has done nothing."""

    def disconnect(self, reason: LedgerError, /) -> None:
        """Let it go."""


SessionT = TypeVar("SessionT", bound=Evictable)


class ConnectionLimiter(Generic[SessionT]):
    """The sessions of a service; any thread may ask."""

    def __init__(self, limits: Limits) -> None:
        """Begin empty."""
        self._limits = limits
        self._lock = Lock()
        self._waiting: dict[SessionT, None] = {}
        self._clients: dict[SessionT, None] = {}

    @property
    def sessions(self) -> list[SessionT]:
        """All connections."""
        with self._lock:
            return [*self._waiting, *self._clients]

    def enter(self, session: SessionT) -> None:
        """Let a connection wait; the oldest goes if there are too many."""
        oldest = None
        with self._lock:
            if len(self._waiting) >= self._limits.waiting:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
            self._waiting[session] = None
        if oldest is not None:
            oldest.disconnect(AvailabilityError("others came: say sooner who you are"))

    def admit(self, session: SessionT) -> None:
        """Give a client its place.

        Raises:
            AvailabilityError: all are taken, and none is quiet.

        """
        quiet = None
        with self._lock:
            if len(self._clients) >= self._limits.clients:
                quiet = max(self._clients, key=lambda one: one.quiet_seconds)
                if quiet.quiet_seconds < self._limits.quiet_seconds:
                    raise AvailabilityError(
                        f"there are {self._limits.clients} clients already: connect later"
                    )
                del self._clients[quiet]
            self._waiting.pop(session, None)
            self._clients[session] = None
        if quiet is not None:
            quiet.disconnect(AvailabilityError("others came while nothing was sent: connect again"))

    def leave(self, session: SessionT) -> None:
        """Set the place of a session free; leaving twice is allowed."""
        with self._lock:
            self._waiting.pop(session, None)
            self._clients.pop(session, None)
