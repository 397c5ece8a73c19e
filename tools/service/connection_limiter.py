"""Limit the connections of a service, and choose which one is closed in favour of a new one.

Unauthenticated and admitted connections have separate limits. Above the limit of unauthenticated
connections the oldest of them is closed, so that strangers displace only strangers. Above the limit
of clients the client that has been idle longest is closed; if no client is idle, the new one is
refused.
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
    """A session that the limiter may disconnect."""

    @property
    def quiet_seconds(self) -> float:
        """Seconds for which the session has done nothing."""

    def disconnect(self, reason: LedgerError, /) -> None:
        """Close the connection and report the reason to its client."""


SessionT = TypeVar("SessionT", bound=Evictable)


class ConnectionLimiter(Generic[SessionT]):
    """The connections of a service; thread-safe."""

    def __init__(self, limits: Limits) -> None:
        """Begin without connections."""
        self._limits = limits
        self._lock = Lock()
        self._waiting: dict[SessionT, None] = {}
        self._clients: dict[SessionT, None] = {}

    @property
    def sessions(self) -> list[SessionT]:
        """All connections, unauthenticated ones first."""
        with self._lock:
            return [*self._waiting, *self._clients]

    def enter(self, session: SessionT) -> None:
        """Add an unauthenticated connection; disconnect the oldest if there are too many."""
        oldest = None
        with self._lock:
            if len(self._waiting) >= self._limits.waiting:
                oldest = next(iter(self._waiting))
                del self._waiting[oldest]
            self._waiting[session] = None
        if oldest is not None:
            oldest.disconnect(AvailabilityError("others came: say sooner who you are"))

    def admit(self, session: SessionT) -> None:
        """Count a connection as that of an admitted client.

        Raises:
            AvailabilityError: the limit of clients is reached, and none of them is idle.

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
        """Remove a session; removing it twice is allowed."""
        with self._lock:
            self._waiting.pop(session, None)
            self._clients.pop(session, None)
