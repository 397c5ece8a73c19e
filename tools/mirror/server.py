"""The port of a mirror: uploads of logs, and their copies as files.

The body of an upload may be cut off at a bound of bytes or seconds: what arrived is used, and the
answer states where to go on. Copies are read under the hash of the log's name (C2SP tlog-tiles).
"""

from __future__ import annotations

import asyncio
import zlib
from contextlib import contextmanager, suppress
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ledger.storage.durable import OPEN, make_folder
from tools.web.serving import read_body
from tools.witness.server import BODY_BYTES_MAX, answered, serving_routes

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from starlette.responses import Response

    from tools.mirror.mirror import Mirror

__all__ = ["serving"]

UPLOAD_BYTES_MAX = 32 << 20
"""More than one package of the longest messages; what is behind it is sent again."""
UPLOADS_BYTES_MAX = 128 << 20
"""Of all uploads together: what is behind it is sent again, too."""
SMALL_BYTES = 1 << 20
"""As much of an upload is always taken: uploads that are held open keep no other out."""
UPLOAD_SECONDS = 25.0
"""Less than a connection has for its request, so that what arrived is used."""
_GZIP = 16 + zlib.MAX_WBITS


def serving(
    mirror: Mirror,
    listener: socket.socket,
    notify: Callable[[str], None],
    *,
    tls: ssl.SSLContext | None = None,
    hosts: frozenset[str] = frozenset(),
) -> AbstractContextManager[None]:
    """Answer requests in a separate thread until the end of the block; see the witness's."""

    async def add_checkpoint(request: Request) -> Response:
        body = await read_body(request, bytes_max=BODY_BYTES_MAX)
        return await answered(partial(mirror.add_checkpoint, body), notify)

    buffers = _UploadBuffers()

    async def add_entries(request: Request) -> Response:
        with buffers.body() as body:
            await _arrive(request, body, buffers)
            response = await answered(partial(mirror.add_entries, BytesIO(body)), notify)
        response.headers["Accept-Encoding"] = "gzip"
        return response

    make_folder(mirror.folder.tiles, mode=OPEN)
    routes = [
        Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
        Route("/add-entries", add_entries, methods=["POST"]),
        Mount("/", StaticFiles(directory=mirror.folder.tiles)),
    ]
    return serving_routes(routes, listener, "mirror", tls=tls, hosts=hosts)


class _UploadBuffers:
    """Buffers of uploads within a common bound; all of them are in the thread of the server."""

    def __init__(self) -> None:
        self._bodies: list[bytearray] = []

    @contextmanager
    def body(self) -> Iterator[bytearray]:
        """Have an upload, whose bytes count until the end of the block."""
        body = bytearray()
        self._bodies.append(body)
        try:
            yield body
        finally:
            self._bodies = [one for one in self._bodies if one is not body]

    def bytes_for(self, body: bytearray) -> int:
        """Return how many bytes may be added to an upload; none if it is not positive."""
        free = UPLOADS_BYTES_MAX - sum(map(len, self._bodies))
        return min(UPLOAD_BYTES_MAX - len(body), max(free, SMALL_BYTES - len(body)))


async def _arrive(request: Request, body: bytearray, buffers: _UploadBuffers) -> None:
    """Add what arrives of a body within the bounds, decompressed."""
    is_compressed = request.headers.get("content-encoding", "").lower() == "gzip"
    stream = zlib.decompressobj(_GZIP)
    with suppress(TimeoutError, ClientDisconnect, zlib.error):
        async with asyncio.timeout(UPLOAD_SECONDS):
            async for part in request.stream():
                if (most := buffers.bytes_for(body)) <= 0:
                    break
                body += stream.decompress(part, most) if is_compressed else part[:most]
                if buffers.bytes_for(body) <= 0 or stream.unconsumed_tail:
                    break
