"""The listeners of a writer: its Unix socket, HTTP and topics, and which clients are served."""

from __future__ import annotations

import socket
from collections import Counter
from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from ledger.core.decoders import build_types
from ledger.core.errors import AvailabilityError, InputError, LedgerError
from tools.service.authentication import ClientAuthenticator
from tools.service.command_intake import Service
from tools.service.connection_limiter import ConnectionLimiter
from tools.service.limits import Limits
from tools.service.metrics import Metrics
from tools.service.session import Session
from tools.service.socket_file import SocketFile
from tools.service.tracing import Tracing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ledger.writer import Ledger
    from tools.service.address import Address
    from tools.service.http.serving import HttpListener
    from tools.service.kafka.serving import CommandConsumer
    from tools.service.leader_health import LeaderHealth
    from tools.service.stop import Stop

__all__ = ["RejectionLog", "Server", "require_guarded"]

BACKLOG = 64
ACCEPT_SECONDS = 0.2
BREATH_SECONDS = 0.05
"""How long it waits when the system has no room for another connection."""


class RejectionLog:
    """Count rejected clients and commands, and report them at 1, 10, 100 and so on."""

    def __init__(self, notify: Callable[..., None], metrics: Metrics) -> None:
        """Begin at zero; ``notify`` gets ``turned_away`` with client, reason and count."""
        self._notify, self._metrics = notify, metrics
        self._lock = Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def __call__(self, client: str, why: str) -> None:
        """Count a rejection; ``client`` is empty if the client is not listed."""
        self._metrics.turned_away.labels(why).inc()
        with self._lock:
            self._counts[client, why] += 1
            count = self._counts[client, why]
            if str(count).strip("0") == "1":
                self._notify("turned_away", client=client, why=why, count=count)

    @property
    def total(self) -> int:
        """Number of all rejections."""
        with self._lock:
            return self._counts.total()


def _no_total(_state: str, **_facts: Any) -> None:
    """Discard a report."""


class Server:
    """The listeners of a writer and the clients behind them."""

    def __init__(
        self,
        path: Path | None = None,
        authenticator: ClientAuthenticator | None = None,
        *,
        group: str | None = None,
        limits: Limits | None = None,
        notify: Callable[..., None] = _no_total,
        http: HttpListener | None = None,
        topics: Sequence[CommandConsumer] = (),
        tracing: Tracing | None = None,
    ) -> None:
        """Prepare the socket; no client can connect before :meth:`listen`.

        Args:
            path: of the Unix socket; None if clients connect by HTTP or topics alone.
            authenticator: authenticates clients of the socket; by default all are admitted.
            group: system group that may connect to the socket, besides its owner.
            limits: number of clients, and how long they may take.
            notify: called with reports for operators.
            http: the listener for commands over HTTP, with the same list; closed with this one.
            topics: the listener for commands from Kafka; closed with this one.
            tracing: exports the spans of commands; by default they are not recorded.

        Raises:
            InputError: something other than a socket exists at the path.

        """
        build_types()  # before there are threads of clients
        self.path = path
        self.metrics = Metrics()
        for topic in topics:
            self.metrics.serve_topic(topic.topic)
        self.turned_away = RejectionLog(notify, self.metrics)
        self._authenticator = authenticator or ClientAuthenticator()
        self._limits = limits or Limits()
        self._limiter = ConnectionLimiter[Session](self._limits)
        self._notify = notify
        self._http = http
        if http is not None:
            http.share(self.metrics)
        self._topics = topics
        self._tracing = tracing or Tracing()
        self._should_reload = Event()
        self._file = None if path is None else SocketFile(path, group)
        self._socket = socket.socket(socket.AF_UNIX)

    @property
    def addresses(self) -> dict[str, str | list[str]]:
        """Addresses for clients, by the name of the listener."""
        found: dict[str, str | list[str]] = {}
        if self.path is not None:
            found["address"] = f"unix:{self.path}"
        if self._http is not None:
            found["http"] = self._http.url
        if self._topics:
            found["topics"] = [one.topic for one in self._topics]
        return found

    def listen(self) -> None:
        """Let clients connect; :meth:`serve` accepts them.

        Raises:
            InputError: something other than a socket exists at the path.
            AvailabilityError: another writer serves the socket.

        """
        if self._file is None:
            return
        try:
            self._file.listen(self._socket, BACKLOG)
            self._socket.settimeout(ACCEPT_SECONDS)
        except OSError as error:
            text = f"unix:{self.path} can't be listened at: {error.strerror}"
            raise AvailabilityError(text) from error

    def serve(self, ledger: Ledger, stop: Stop, health: LeaderHealth) -> None:
        """Serve clients until stopped; commands in flight are answered before the return."""
        self.refresh()
        self.metrics.watch(ledger)
        self._tracing.watch(ledger)
        service = Service(
            ledger,
            self._authenticator,
            self._limits,
            stop,
            self.turned_away,
            self.metrics,
            self._tracing,
            health,
        )
        if self._http is not None:
            self._http.lead(service)
        for topic in self._topics:
            topic.lead(service)
        while not stop.is_set:
            if ledger.broken is not None:
                stop(ledger.broken)
            self.refresh()
            if self._file is None:
                Event().wait(ACCEPT_SECONDS)
                continue
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            except OSError:  # it disconnected, or no descriptor is free
                Event().wait(BREATH_SECONDS)
                continue
            self._begin(connection, service)
        deadline = monotonic() + self._limits.drain_seconds
        sessions = self._limiter.sessions
        for session in sessions:
            session.stop_reading()
        self.close()
        for session in sessions:
            session.join(max(deadline - monotonic(), 0))

    def reload(self) -> None:
        """Request a reload of list and certificates, after which all clients authenticate again."""
        self._should_reload.set()

    def refresh(self) -> None:
        """Carry out a requested reload; a standby does so, too, before it has clients."""
        if self._should_reload.is_set():
            self._should_reload.clear()
            self._reload()

    def close(self) -> None:
        """Stop listening; closing twice is allowed."""
        self._socket.close()
        if self._file is not None:
            self._file.remove()
        if self._http is not None:
            self._http.close()
        for topic in self._topics:
            topic.close()

    def _begin(self, connection: socket.socket, service: Service) -> None:
        try:
            session = Session(connection, service, self._limiter)
        except OSError:  # it disconnected, or no descriptor is free
            connection.close()
            return
        self._limiter.enter(session)
        try:
            session.start()
        except RuntimeError:  # the system can't start a thread
            self._limiter.leave(session)
            session.close()

    def _reload(self) -> None:
        try:
            self._authenticator.reload()
            if self._http is not None:
                self._http.reload()
        except LedgerError as error:
            self._notify("not_reloaded", text=str(error))
            return
        self._notify("reloaded")
        for session in self._limiter.sessions:
            session.stop_reading()


def require_guarded(address: Address, authenticator: ClientAuthenticator, *, plain: bool) -> None:
    """Refuse a port through which anyone on the network could write.

    Raises:
        InputError: other machines can connect, clients need no certificate, and ``plain`` is false.

    """
    if not (address.is_of_this_machine or authenticator.asks_for_certificates or plain):
        raise InputError(
            f"whoever reaches {address} could write: give --tls-ca, --tls-cert and --tls-key "
            "(before `writer`) and --clients, or say --plain if something before it checks"
        )
