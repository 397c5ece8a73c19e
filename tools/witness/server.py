"""The port of a witness: HTTP, for any client that can connect.

Requests are small and answered at once, so every resource is bounded: the bytes of a body, the
seconds until it has arrived, the seconds until an answer has been read, the number of connections.
An internal error is reported to the operator; the client gets only its status code.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.routing import Route

from ledger.core.errors import LedgerError
from tools.web.protocol import Protocol
from tools.web.serving import config_of, in_thread, read_body, starlette_app
from tools.witness.witness import Reply

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterator

    from starlette.applications import Starlette
    from starlette.requests import Request

    from tools.witness.witness import Witness

__all__ = ["serving"]

BODY_BYTES_MAX = 128 * 1024
CONNECTION_SECONDS = 30.0
CONNECTIONS_MAX = 256
_BUSY = Reply(503, "this witness can't answer now: ask again later\n")


@contextmanager
def serving(
    witness: Witness,
    listener: socket.socket,
    notify: Callable[[str], None],
    *,
    tls: ssl.SSLContext | None = None,
    hosts: frozenset[str] = frozenset(),
) -> Iterator[None]:
    """Answer requests in a separate thread until the end of the block.

    Args:
        witness: answers the requests.
        listener: a bound, listening socket.
        notify: called with a description of each internal error.
        tls: context of the port; None for plain HTTP.
        hosts: names, besides those of this machine, by which clients may address the port.

    Raises:
        AvailabilityError: the server did not start.

    """
    config = config_of(
        _app(witness, notify),
        tls,
        hosts=hosts,
        http=partial(Protocol, seconds=CONNECTION_SECONDS),
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=int(CONNECTION_SECONDS),
        timeout_graceful_shutdown=2,
    )
    with in_thread(config, listener, "witness"):
        yield


def _app(witness: Witness, notify: Callable[[str], None]) -> Starlette:
    async def add_checkpoint(request: Request) -> Response:
        body = await read_body(request, bytes_max=BODY_BYTES_MAX)
        return await answer(lambda: witness.add_checkpoint(body))

    async def last(request: Request) -> Response:
        return await answer(lambda: witness.last(request.path_params["log"]))

    async def answer(work: Callable[[], Reply]) -> Response:
        try:
            return _response(await run_in_threadpool(work))
        except LedgerError as error:
            notify(str(error))
            return _response(_BUSY)

    routes = [
        Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
        Route("/{log}/checkpoint", last, methods=["GET"]),
        Route("/logs/{log}/checkpoint", last, methods=["GET"]),
    ]
    return starlette_app(routes, lambda found: _response(Reply(found.status, f"{found.detail}\n")))


def _response(reply: Reply) -> Response:
    headers = {"Content-Type": reply.kind, "Cache-Control": "no-store"}
    return Response(reply.body.encode(), reply.status, headers)
