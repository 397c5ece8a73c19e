"""The outermost layer of the service: request limits, response headers, and request metrics.

Refused before anything is read: bodies above a limit, compressed bodies (a small body may unpack to
a huge one), methods other than GET and POST. Only the path pattern of a route is logged, never the
values or the reader of a request: these are recorded only in the chain of accesses.
"""

from __future__ import annotations

import asyncio
import time
from http import HTTPStatus
from types import MappingProxyType
from typing import TYPE_CHECKING

import structlog
from prometheus_client import Counter, Gauge, Histogram

from ledger.core.phrases import Phrase
from tools.web.metrics import ChainRegistry
from tools.web.problems import REPEAT_SECONDS, ProblemError, response_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BODY_BYTES_MAX", "Guard", "Metrics"]

BODY_BYTES_MAX = 64 * 1024
ANSWER_SECONDS = 30.0
"""Until an answer begins; a download may then take longer."""
METHODS = frozenset({"GET", "POST"})
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; "
        "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
PERSON = ("/person", "/persons")
"""Addresses where persons are unmasked. Metrics are read without a right, so they count these with
the address above, such as that of the account, and do not show how often that was."""
TRANSPORT_SECURITY = "max-age=31536000"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10, 60)

_log = structlog.get_logger("gameledger.access")


class Metrics:
    """Metrics of the service, with units in the names as Prometheus recommends."""

    def __init__(self, chain: str) -> None:
        """Begin at zero, in a separate registry."""
        self.registry = ChainRegistry(chain)
        names = ("method", "address", "status")
        self.requests = Counter(
            "gameledger_access_requests", "Requests answered.", names, registry=self.registry
        )
        self.seconds = Histogram(
            "gameledger_access_request_seconds",
            "Time to the end of the answer.",
            ("address",),
            buckets=BUCKETS,
            registry=self.registry,
        )
        self.running = Gauge(
            "gameledger_access_requests_running", "Requests at work.", registry=self.registry
        )


class Guard:
    """The outermost layer of the service."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        metrics: Metrics,
        is_secure: bool,
        uploads: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Wrap an application; ``uploads`` are paths with a larger body limit."""
        self._app, self._metrics, self._uploads = app, metrics, uploads
        self._left: set[asyncio.Future[None]] = set()
        headers = dict(HEADERS)
        if is_secure:
            headers["Strict-Transport-Security"] = TRANSPORT_SECURITY
        self._headers = [(name.lower().encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in self._headers if pair[0] not in known),
                ]
            await send(message)

        self._metrics.running.inc()
        try:
            bytes_max = self._uploads.get(scope["path"], BODY_BYTES_MAX)
            problem = _fault_of(scope, bytes_max)
            if problem is not None:
                await response_of(problem)(scope, receive, sending)
            else:
                await self._in_time(
                    scope, _bounded(receive, bytes_max), sending, lambda: status != 0
                )
        finally:
            self._metrics.running.dec()
            self._count(scope, status, time.perf_counter() - began)

    async def _in_time(
        self, scope: Scope, receive: Receive, send: Send, has_begun: Callable[[], bool]
    ) -> None:
        """Respond with a timeout error if no response has begun in time.

        The thread that computes the answer continues without a request.
        """
        is_late = False

        async def sending(message: Message) -> None:
            if not is_late:
                await send(message)

        answering = asyncio.ensure_future(self._app(scope, receive, sending))
        try:
            await asyncio.wait({answering}, timeout=ANSWER_SECONDS)
            if answering.done() or has_begun():
                await answering
                return
            is_late = True
            await response_of(_late())(scope, receive, send)
        except asyncio.CancelledError:
            answering.cancel()
            raise
        self._left.add(answering)
        answering.add_done_callback(self._forget)

    def _forget(self, answering: asyncio.Future[None]) -> None:
        self._left.discard(answering)
        if not answering.cancelled() and (error := answering.exception()) is not None:
            _log.warning("late_answer_failed", why=type(error).__name__)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        address = getattr(scope.get("route"), "path", "") or "(none)"
        method = scope["method"] if scope["method"] in METHODS else "(other)"
        if address.endswith(PERSON):
            counted = "GET", address.rpartition("/")[0] or "/"
        else:
            counted = method, address
        self._metrics.requests.labels(*counted, str(status)).inc()
        self._metrics.seconds.labels(counted[1]).observe(seconds)
        _log.info(
            "answered", method=method, address=address, status=status, seconds=round(seconds, 4)
        )


def _fault_of(scope: Scope, bytes_max: int) -> ProblemError | None:
    headers = dict(scope["headers"])
    if scope["method"] not in METHODS:
        allow = {"Allow": ", ".join(sorted(METHODS))}
        text = Phrase("READ_ONLY_SERVICE")
        return ProblemError(HTTPStatus.METHOD_NOT_ALLOWED, "method", text, headers=allow)
    if headers.get(b"content-encoding", b"identity") != b"identity":
        text = Phrase("BODY_ENCODED")
        return ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content-encoding", text)
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:9]) > bytes_max or len(length) > len("123456789"):
        return _too_large(bytes_max)
    return None


def _late() -> ProblemError:
    text = Phrase("ANSWER_LATE", seconds=f"{ANSWER_SECONDS:g}")
    headers = {"Retry-After": str(REPEAT_SECONDS)}
    return ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, "availability", text, headers=headers)


def _too_large(bytes_max: int) -> ProblemError:
    text = Phrase("BODY_TOO_LARGE", most=bytes_max)
    return ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", text)


def _bounded(receive: Receive, bytes_max: int) -> Receive:
    """Enforce the limit of a body that arrives in pieces."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > bytes_max:
            raise _too_large(bytes_max)
        return message

    return receiving
