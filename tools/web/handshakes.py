"""TLS handshakes of a port, bounded in number and time.

A server of asyncio knows nothing of a connection until its handshake is over, waits a minute for
it, and holds 256 KiB for it meanwhile: clients that connect and say nothing could fill the memory
of a port. Here a connection is accepted plain and the handshake begun on it, so that the oldest one
is let go when too many are under way.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

__all__ = ["HANDSHAKES_MAX", "HANDSHAKE_SECONDS", "Handshakes"]

HANDSHAKES_MAX = 128
HANDSHAKE_SECONDS = 10.0


class Handshakes:
    """The handshakes that are under way at a port, oldest first."""

    def __init__(self, context: ssl.SSLContext, protocol: Callable[..., asyncio.Protocol]) -> None:
        """Store the context of the port, and what makes the protocol of a secured connection."""
        self.context, self._protocol = context, protocol
        self._under_way: dict[_Handshake, None] = {}

    def __call__(self, **settings: Any) -> asyncio.Protocol:
        """Return the protocol of a new connection; uvicorn gives the settings."""
        return _Handshake(self, self._protocol(**settings))

    def begin(self, one: _Handshake) -> None:
        """Add a handshake; let the oldest one go if there are too many."""
        if len(self._under_way) >= HANDSHAKES_MAX:
            oldest = next(iter(self._under_way))
            self.end(oldest)
            oldest.transport.abort()
        self._under_way[one] = None

    def end(self, one: _Handshake) -> None:
        """Remove a handshake."""
        self._under_way.pop(one, None)


class _Handshake(asyncio.Protocol):
    """A connection until it is secured; what comes with the end of the handshake is passed on."""

    transport: asyncio.Transport

    def __init__(self, handshakes: Handshakes, secured: asyncio.Protocol) -> None:
        self._handshakes, self._secured, self._early = handshakes, secured, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.pause_reading()
        self._handshakes.begin(self)
        self._task = asyncio.ensure_future(self._secure())

    def data_received(self, data: bytes) -> None:
        """Keep what came before the protocol of the secured connection is in place."""
        self._early += data

    async def _secure(self) -> None:
        try:
            secured = await asyncio.get_running_loop().start_tls(
                self.transport,
                self,
                self._handshakes.context,
                server_side=True,
                ssl_handshake_timeout=HANDSHAKE_SECONDS,
            )
        except OSError:  # also of OpenSSL
            self.transport.abort()
            return
        finally:
            self._handshakes.end(self)
        if secured is None or secured.is_closing():
            return
        self._secured.connection_made(secured)
        secured.set_protocol(self._secured)
        if self._early:
            self._secured.data_received(bytes(self._early))
