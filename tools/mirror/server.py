"""The port of a mirror: uploads of logs, and their copies as files.

The body of an upload may be cut off at a bound of bytes or seconds: what arrived is used, and the
answer states where to go on. Copies are read under the hash of the log's name (C2SP tlog-tiles).
"""

from __future__ import annotations

import asyncio
import zlib
from contextlib import suppress
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
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from starlette.responses import Response

    from tools.mirror.mirror import Mirror

__all__ = ["serving"]

UPLOAD_BYTES_MAX = 32 << 20
"""More than one package of the longest messages; what is behind it is sent again."""
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

    async def add_entries(request: Request) -> Response:
        body = BytesIO(await _arrived(request))
        response = await answered(partial(mirror.add_entries, body), notify)
        response.headers["Accept-Encoding"] = "gzip"
        return response

    make_folder(mirror.folder.tiles, mode=OPEN)
    routes = [
        Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
        Route("/add-entries", add_entries, methods=["POST"]),
        Mount("/", StaticFiles(directory=mirror.folder.tiles)),
    ]
    return serving_routes(routes, listener, "mirror", tls=tls, hosts=hosts)


async def _arrived(request: Request) -> bytes:
    """Return what arrived of a body within the bounds, decompressed."""
    is_compressed = request.headers.get("content-encoding") == "gzip"
    stream = zlib.decompressobj(_GZIP)
    body = bytearray()
    with suppress(TimeoutError, ClientDisconnect, zlib.error):
        async with asyncio.timeout(UPLOAD_SECONDS):
            async for part in request.stream():
                room = UPLOAD_BYTES_MAX - len(body)
                body += stream.decompress(part, room) if is_compressed else part[:room]
                if len(body) == UPLOAD_BYTES_MAX:
                    break
    return bytes(body)
