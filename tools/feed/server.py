"""The port of a feed: webhooks over HTTP, stored before they are acknowledged.

Status 202 means that the message is on disk, now or from an earlier delivery; after any other
status the provider has to send it again. A body is limited in size and time, and a full spool
accepts no more messages.
"""

from __future__ import annotations

from contextlib import contextmanager
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ledger.core.errors import AuthorizationError, AvailabilityError
from tools.feed.provider import UnmappedError
from tools.web.problems import ProblemError
from tools.web.serving import config_of, in_thread, read_body, starlette_app
from tools.web.webhooks import require_signed

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Iterator, Sequence
    from threading import Event

    from starlette.applications import Starlette
    from starlette.requests import Request

    from ledger.core.clock import Clock
    from tools.feed.provider import Provider
    from tools.feed.spool import Spool

__all__ = ["PATH", "Intake", "serving"]

PATH = "/v1/webhooks"
BODY_BYTES_MAX = 64 * 1024
CONNECTIONS_MAX = 128
WAITING_MAX = 100_000


class Intake:
    """Receive messages of one provider into a spool."""

    def __init__(
        self,
        spool: Spool,
        provider: Provider,
        secrets: Sequence[bytes],
        clock: Clock,
        arrived: Event,
    ) -> None:
        """Open a separate connection to the spool; ``arrived`` is set for each message."""
        self._spool, self._provider, self._secrets = spool, provider, secrets
        self._clock, self._arrived = clock, arrived
        self._lock = Lock()

    def take(self, headers: dict[str, str], body: bytes) -> None:
        """Store a message.

        Raises:
            AuthorizationError: the message is not signed by the provider.
            AvailabilityError: the message can't be stored now.

        """
        now = self._clock.now()
        message = require_signed(headers, body, secrets=self._secrets, at=now)
        try:
            place, why = self._provider.place(body), ""
        except UnmappedError as error:
            place, why = None, str(error)
        with self._lock:
            if self._spool.waiting() >= WAITING_MAX:
                raise AvailabilityError("too many messages wait: send it again later")
            self._spool.put(message, body, place, why, now)
        self._arrived.set()


@contextmanager
def serving(
    intake: Intake,
    listener: socket.socket,
    tls: ssl.SSLContext | None = None,
    hosts: frozenset[str] = frozenset(),
) -> Iterator[None]:
    """Answer requests in a separate thread until the end of the block.

    Args:
        intake: receives the messages.
        listener: a bound, listening socket.
        tls: context of the port; None for plain HTTP.
        hosts: names, besides those of this machine, by which clients may address the port.

    Raises:
        AvailabilityError: the server did not start.

    """
    config = config_of(
        _app(intake),
        tls,
        hosts=hosts,
        limit_concurrency=CONNECTIONS_MAX,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=5,
    )
    with in_thread(config, listener, "port of the feed"):
        yield


def _app(intake: Intake) -> Starlette:
    async def webhook(request: Request) -> Response:
        body = await read_body(request, bytes_max=BODY_BYTES_MAX)
        try:
            await run_in_threadpool(intake.take, dict(request.headers), body)
        except AuthorizationError as error:
            raise ProblemError(HTTPStatus.UNAUTHORIZED, error.kind, str(error)) from error
        return Response(status_code=HTTPStatus.ACCEPTED)

    async def health(_: Request) -> Response:
        return PlainTextResponse("alive\n")

    return starlette_app([Route(PATH, webhook, methods=["POST"]), Route("/health", health)])
