"""The port of commands over HTTP: a thread with uvicorn next to the thread of the socket.

A standby keeps its port open and answers that it does not lead; so does a writer that is ending.
Guaranteed: when the list of clients and the certificates are reloaded, requests that were read are
answered, then all connections are closed, so that every client authenticates again. Requests are
parsed by h11, which rejects ambiguous messages (request smuggling).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import h11
import uvicorn

from tools.sanitize import warn
from tools.service.address import Address, taken
from tools.service.authentication import RejectedClientError
from tools.service.http.app import ADMITTED, ENDING, App
from tools.service.http.description import description
from tools.service.limits import Limits
from tools.web.protocol import Protocol
from tools.web.serving import config_of

if TYPE_CHECKING:
    import ssl

    from starlette.types import Receive, Scope, Send

    from tools.service.authentication import ClientAuthenticator
    from tools.service.command_intake import Service
    from tools.service.metrics import Metrics

__all__ = ["HttpListener"]

BACKLOG = 256
KEEP_ALIVE_SECONDS = 75
RETRY_SECONDS = 1.0


class HttpListener:
    """A listener for commands over HTTP."""

    def __init__(
        self,
        address: Address,
        authenticator: ClientAuthenticator,
        limits: Limits | None = None,
        *,
        hosts: frozenset[str] = frozenset(),
    ) -> None:
        """Bind the address and answer from now on, as a standby.

        Args:
            address: host and port.
            authenticator: authenticates clients.
            limits: number of clients, and the time that they may take.
            hosts: names, besides those of this machine, by which clients may address the port.

        Raises:
            InputError: the address is not a host and port.
            AvailabilityError: the address is taken or not of this machine.

        """
        self._authenticator, self._limits, self._hosts = authenticator, limits or Limits(), hosts
        self._app = App(authenticator, self._limits, description)
        self._socket = taken(address, backlog=BACKLOG)
        self.address = Address.of(self._socket)
        self._is_over = False
        self._is_begun = Event()
        self._thread = Thread(target=self._run, name="http", daemon=True)
        self._thread.start()
        self._is_begun.wait()

    @property
    def url(self) -> str:
        """URL of the listener."""
        scheme = "http" if self._authenticator.context is None else "https"
        return f"{scheme}://{self.address}"

    def share(self, metrics: Metrics) -> None:
        """Serve the writer's metrics, also on a standby."""
        self._app.metrics = metrics

    def lead(self, service: Service) -> None:
        """Take commands from now on."""
        self._app.service = service

    def reload(self) -> None:
        """Reload list and certificates, and close all connections: clients authenticate again.

        Raises:
            LedgerError: the files are invalid; the previous ones stay in force.

        """
        self._authenticator.reload()
        self._end()

    def close(self) -> None:
        """Answer the requests that were read, and end; closing twice is allowed."""
        self._is_over = True
        if self._thread.is_alive():
            self._end()
            self._thread.join()
        self._socket.close()

    def _end(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop ended: the next one has its own
            self._loop.call_soon_threadsafe(self._ending.set)

    def _run(self) -> None:
        while not self._is_over:
            try:
                asyncio.run(self._serve())
            except Exception as error:  # noqa: BLE001 - such as no descriptor that is free
                warn(f"commands over HTTP are not taken: {error!r}")
                time.sleep(RETRY_SECONDS)

    async def _serve(self) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        self._is_begun.set()
        if self._is_over:
            return
        server = uvicorn.Server(self._config())
        serving = asyncio.create_task(server.serve(sockets=[self._socket.dup()]))
        ending = asyncio.create_task(self._ending.wait())
        await asyncio.wait({ending, serving}, return_when=asyncio.FIRST_COMPLETED)
        server.should_exit = True
        await serving

    def _config(self) -> uvicorn.Config:
        protocol: Any = partial(
            Protocol,
            introduce=self._introduce,
            seconds=self._limits.line_seconds,
            untaken_seconds=self._limits.send_seconds,
            waited_for=frozenset({h11.IDLE}),
        )
        return config_of(
            self._answer,
            self._authenticator.context,
            hosts=self._hosts,
            interface="asgi3",
            http=protocol,
            limit_concurrency=self._limits.connections,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=round(self._limits.drain_seconds),
        )

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[ENDING] = self._ending
        await self._app.asgi(scope, receive, send)

    def _introduce(self, tls: ssl.SSLObject | None) -> dict[str, Any]:
        if tls is None:
            return {ADMITTED: None}
        try:
            return {ADMITTED: self._authenticator.admit_certificate(tls)}
        except RejectedClientError as error:
            return {ADMITTED: error}
