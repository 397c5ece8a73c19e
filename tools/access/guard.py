"""What stands before every address: bounds of a request, headers of an answer, the count of both.

Refused before anything is read: bodies above a bound, compressed bodies (a small one may unpack to
a huge one), other methods than GET and POST. Logged is the pattern of an address, never what
was asked or who asked: that stands in the chain of accesses alone.
"""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import TYPE_CHECKING

import structlog
from prometheus_client import Counter, Gauge, Histogram

from tools.web.metrics import ChainRegistry
from tools.web.problems import ProblemError, response_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BODY_BYTES_MAX", "Guard", "Metrics"]

BODY_BYTES_MAX = 64 * 1024
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
TRANSPORT_SECURITY = "max-age=31536000"
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 10, 60)

_log = structlog.get_logger("gameledger.access")


class Metrics:
    """What is counted, with units in the names as Prometheus has them."""

    def __init__(self, chain: str) -> None:
        """Begin at zero, in a registry of its own."""
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

    def __init__(self, app: ASGIApp, *, metrics: Metrics, is_secure: bool) -> None:
        """Stand before an application."""
        self._app, self._metrics = app, metrics
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
            problem = _fault_of(scope)
            if problem is not None:
                await response_of(problem)(scope, receive, sending)
            else:
                await self._app(scope, _bounded(receive), sending)
        finally:
            self._metrics.running.dec()
            self._count(scope, status, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        address = getattr(scope.get("route"), "path", "") or "(none)"
        method = scope["method"] if scope["method"] in METHODS else "(other)"
        self._metrics.requests.labels(method, address, str(status)).inc()
        self._metrics.seconds.labels(address).observe(seconds)
        _log.info(
            "answered", method=method, address=address, status=status, seconds=round(seconds, 4)
        )


def _fault_of(scope: Scope) -> ProblemError | None:
    headers = dict(scope["headers"])
    if scope["method"] not in METHODS:
        allow = {"Allow": ", ".join(sorted(METHODS))}
        text = "this service is read only: GET, and POST for its few forms"
        return ProblemError(HTTPStatus.METHOD_NOT_ALLOWED, "method", text, headers=allow)
    if headers.get(b"content-encoding", b"identity") != b"identity":
        text = "a body is taken as it is: send it without Content-Encoding"
        return ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "content-encoding", text)
    length = headers.get(b"content-length", b"0")
    if not length.isdigit() or int(length[:9]) > BODY_BYTES_MAX or len(length) > len("123456789"):
        return _too_large()
    return None


def _too_large() -> ProblemError:
    text = f"a body has {BODY_BYTES_MAX} bytes at most"
    return ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", text)


def _bounded(receive: Receive) -> Receive:
    """Count a body that comes in pieces."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > BODY_BYTES_MAX:
            raise _too_large()
        return message

    return receiving
