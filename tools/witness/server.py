"""The port of a witness: HTTP, for anybody who may connect.

Requests are small and answered at once, so everything has a bound: the bytes of a body, the
seconds until it is there, the connections at a time, and the life of each connection, which ends
whatever a slow client still sends or does not read. What goes wrong inside is told to the operator
and answered with a status alone.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ledger.core.errors import LedgerError
from tools.web.serving import LifetimeLimited, config_of, in_thread
from tools.witness.witness import Reply

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterator

    from tools.witness.witness import Witness

__all__ = ["serving"]

BODY_BYTES_MAX = 128 * 1024
BODY_SECONDS = 10.0
CONNECTION_SECONDS = 30.0
CONNECTIONS_MAX = 256
_BUSY = Reply(503, "this witness can't answer now: ask again later\n")


@contextmanager
def serving(
    witness: Witness,
    listener: socket.socket,
    tell: Callable[[str], None],
    *,
    tls: ssl.SSLContext | None = None,
    patience: float = BODY_SECONDS,
) -> Iterator[None]:
    """Answer requests in a thread of their own, until the end of the block.

    Args:
        witness: answers.
        listener: is bound and listens.
        tell: is told in a sentence what went wrong.
        tls: of the port; None for plain HTTP.
        patience: seconds that a body may take to arrive.

    Raises:
        AvailabilityError: it did not start.

    """
    config = config_of(
        _app(witness, tell, patience),
        tls,
        http=partial(LifetimeLimited, seconds=CONNECTION_SECONDS),
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=int(CONNECTION_SECONDS),
        timeout_graceful_shutdown=2,
    )
    with in_thread(config, listener, "witness"):
        yield


def _app(witness: Witness, tell: Callable[[str], None], patience: float) -> Starlette:
    async def add_checkpoint(request: Request) -> Response:
        try:
            async with asyncio.timeout(patience):
                body = await _body(request)
        except TimeoutError:
            return _response(Reply(408, "the request took too long\n"))
        except ClientDisconnect:
            return _response(Reply(400, "the request was cut off\n"))
        if body is None:
            return _response(Reply(413, f"a request has at most {BODY_BYTES_MAX} bytes\n"))
        return await answer(lambda: witness.add_checkpoint(body))

    async def last(request: Request) -> Response:
        return await answer(lambda: witness.last(request.path_params["log"]))

    async def answer(work: Callable[[], Reply]) -> Response:
        try:
            return _response(await run_in_threadpool(work))
        except LedgerError as error:
            tell(str(error))
            return _response(_BUSY)

    return Starlette(
        routes=[
            Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
            Route("/logs/{log}/checkpoint", last, methods=["GET"]),
        ]
    )


async def _body(request: Request) -> bytes | None:
    """Read a body; None if it is too long."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > BODY_BYTES_MAX:
            return None
    return bytes(body)


def _response(reply: Reply) -> Response:
    headers = {"Content-Type": reply.kind, "Cache-Control": "no-store"}
    return Response(reply.body.encode(), reply.status, headers)
