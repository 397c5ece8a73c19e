"""Common parts of the HTTP servers: settings of uvicorn, thread, body reading, errors.

Requests are parsed by h11, which rejects ambiguous messages (request smuggling). Each connection is
a :class:`tools.web.protocol.Protocol`; an application built from these parts answers errors as
problem documents (:func:`starlette_app`) and reads bodies within limits (:func:`read_body`).
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ledger.core.decoders import build_types
from ledger.core.errors import AvailabilityError, LedgerError
from ledger.core.phrases import Phrase
from tools.web.handshakes import Handshakes
from tools.web.hosts import hosts_checked
from tools.web.problems import ProblemError, as_problem, response_of
from tools.web.protocol import HEADER_BYTES_MAX, Protocol

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterator, Sequence

    from starlette.routing import BaseRoute

__all__ = ["config_of", "in_thread", "read_body", "starlette_app"]

START_SECONDS = 10.0
BODY_SECONDS = 10.0


def config_of(
    app: Any,
    tls: ssl.SSLContext | None = None,
    *,
    hosts: frozenset[str] = frozenset(),
    **bounds: Any,
) -> uvicorn.Config:
    """Return uvicorn's settings: h11 only, no log, and no header that names the server.

    Args:
        app: the application.
        tls: context of the port; None for plain HTTP.
        hosts: names, besides those of this machine, by which clients may address the port.
        bounds: other settings of uvicorn.

    Types are resolved here, because the server will answer requests in threads.

    """
    build_types()
    protocol: Any = bounds.pop("http", Protocol)
    if tls is not None:
        protocol = Handshakes(tls, protocol)
    return uvicorn.Config(
        hosts_checked(app, hosts),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=HEADER_BYTES_MAX,
        http=protocol,
        **bounds,
    )


@contextmanager
def in_thread(config: uvicorn.Config, listener: socket.socket, name: str) -> Iterator[None]:
    """Answer requests in a separate thread until the end of the block.

    Raises:
        AvailabilityError: the server did not start.

    """
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name=name)
    thread.start()
    try:
        waiting = threading.Event()
        for _ in range(int(START_SECONDS * 100)):
            if server.started or not thread.is_alive():
                break
            waiting.wait(0.01)
        if not server.started:
            text = f"the {name} did not start: look at its port and its certificate"
            raise AvailabilityError(text)
        yield
    finally:
        server.should_exit = True
        thread.join()


def starlette_app(
    routes: Sequence[BaseRoute], render: Callable[[ProblemError], Response] = response_of
) -> Starlette:
    """Create an application that answers errors as problems.

    Args:
        routes: of the application.
        render: formats a problem; by default as a problem document.

    """

    async def answer_error(request: Request, error: Exception) -> Response:
        if isinstance(error, ClientDisconnect):
            return Response(status_code=HTTPStatus.BAD_REQUEST)  # the client is gone
        return render(_problem_of(request, error))

    kinds = (ProblemError, LedgerError, HTTPException, ClientDisconnect, Exception)
    return Starlette(routes=routes, exception_handlers=dict.fromkeys(kinds, answer_error))


def _problem_of(request: Request, error: Exception) -> ProblemError:
    if not isinstance(error, HTTPException):
        return as_problem(error)
    status, headers = HTTPStatus(error.status_code), dict(error.headers or {})
    if status is HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = sorted(headers["Allow"].split(", "))
        headers["Allow"] = ", ".join(allowed)
        text = f"ask with {' or '.join(allowed)}"
        return ProblemError(status, "method", text, headers=headers)
    text = f"there is nothing at {request.url.path[:80]!r}"
    return ProblemError(status, "address", text, headers=headers)


async def read_body(
    request: Request,
    *,
    bytes_max: int,
    seconds: float | None = None,
    count: Callable[[int], None] = lambda _: None,
) -> bytes:
    """Read the whole body of a request.

    Args:
        request: whose body was not read yet.
        bytes_max: limit on the size of the body.
        seconds: time limit until the body has arrived; by default :data:`BODY_SECONDS`.
        count: called with the bytes of each part; may reject the rest by a :class:`ProblemError`.

    Raises:
        ProblemError: 413 if the body is too large, 408 if it takes too long.
        ClientDisconnect: the client disconnected before it sent everything.

    """
    body = bytearray()
    limit = BODY_SECONDS if seconds is None else seconds
    try:
        async with asyncio.timeout(limit):
            async for part in request.stream():
                body += part
                if len(body) > bytes_max:
                    too_large = Phrase("BODY_TOO_LARGE", most=bytes_max)
                    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                    raise ProblemError(status, "too-large", too_large)
                count(len(part))
    except TimeoutError as error:
        late = Phrase("BODY_LATE", seconds=f"{limit:g}")
        raise ProblemError(HTTPStatus.REQUEST_TIMEOUT, "slow", late) from error
    return bytes(body)
