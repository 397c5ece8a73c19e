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
    from collections.abc import Callable, Iterator, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from tools.witness.witness import Witness

__all__ = ["BODY_BYTES_MAX", "answered", "serving", "serving_routes"]

BODY_BYTES_MAX = 128 * 1024
CONNECTION_SECONDS = 30.0
CONNECTIONS_MAX = 256
_BUSY = Reply(503, "no answer is possible now: ask again later\n")


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

    async def add_checkpoint(request: Request) -> Response:
        body = await read_body(request, bytes_max=BODY_BYTES_MAX)
        return await answered(partial(witness.add_checkpoint, body), notify)

    async def last(request: Request) -> Response:
        return await answered(partial(witness.last, request.path_params["log"]), notify)

    routes = [
        Route("/add-checkpoint", add_checkpoint, methods=["POST"]),
        Route("/{log}/checkpoint", last, methods=["GET"]),
        Route("/logs/{log}/checkpoint", last, methods=["GET"]),
    ]
    with serving_routes(routes, listener, "witness", tls=tls, hosts=hosts):
        yield


@contextmanager
def serving_routes(
    routes: Sequence[BaseRoute],
    listener: socket.socket,
    name: str,
    *,
    tls: ssl.SSLContext | None,
    hosts: frozenset[str],
) -> Iterator[None]:
    """Answer requests of a cosigner in a separate thread, within the bounds of its port.

    Raises:
        AvailabilityError: the server did not start.

    """
    config = config_of(
        starlette_app(routes, lambda found: _response(Reply(found.status, f"{found.detail}\n"))),
        tls,
        hosts=hosts,
        http=partial(Protocol, seconds=CONNECTION_SECONDS),
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=int(CONNECTION_SECONDS),
        timeout_graceful_shutdown=2,
    )
    with in_thread(config, listener, name):
        yield


async def answered(work: Callable[[], Reply], notify: Callable[[str], None]) -> Response:
    """Return the answer of a cosigner; what it can't do is reported to its operator alone."""
    try:
        return _response(await run_in_threadpool(work))
    except LedgerError as error:
        notify(str(error))
        return _response(_BUSY)


def _response(reply: Reply) -> Response:
    headers = {"Content-Type": reply.kind, "Cache-Control": "no-store"}
    return Response(reply.body.encode(), reply.status, headers)
