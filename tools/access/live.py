"""Notify open pages of growth of the chain: server-sent events with its number of messages.

Input: a request of a signed-in reader. Output: an event with the number of messages whenever it
grew, a comment at intervals to detect broken connections, and an event at the end. The events hold
no other data of the chain: a page requests its content again, and that access is recorded as usual.
The stream ends with the session, the reader's right or the service; the number of listeners is
limited.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from ledger.core.phrases import Phrase
from tools.access.access_service import serve_query, service_of
from tools.access.scopes import Scope
from tools.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Receive, Send
    from starlette.types import Scope as Connection

    from tools.access.access_service import AccessService, Principal

__all__ = ["router"]

router = APIRouter()

TICK_SECONDS = 1.0
HEARTBEAT_TICKS = 15
REPEAT_MILLISECONDS = 5000
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@router.get("/live")
def live(request: Request) -> Response:
    """Say how far the chain is, whenever it grew."""
    service = service_of(request)
    visitor = service.visitor(request)
    if not service.listening.acquire(blocking=False):
        text = Phrase("TOO_MANY_LIVE_PAGES")
        raise ProblemError(
            HTTPStatus.SERVICE_UNAVAILABLE, "listeners", text, headers={"Retry-After": "60"}
        )
    try:
        serve_query(request, Scope.CHAIN, lambda _: None, of_log=True, rows=lambda _: None)
        return _EventStream(service, visitor, request.cookies.get(service.cookie, ""))
    except BaseException:
        service.listening.release()
        raise


class _EventStream(StreamingResponse):
    """The event stream; it occupies one of the listener slots until it ends."""

    def __init__(self, service: AccessService, visitor: Principal, cookie: str) -> None:
        super().__init__(
            _events(service, visitor, cookie), media_type="text/event-stream", headers=HEADERS
        )
        self._service = service

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._service.listening.release()


async def _events(service: AccessService, visitor: Principal, cookie: str) -> AsyncIterator[str]:
    told, ticks = service.sources.projected.size, 0
    yield f"retry: {REPEAT_MILLISECONDS}\n\n{_grown(told)}"
    while not service.over.is_set() and await run_in_threadpool(
        _is_let_in, service, visitor, cookie
    ):
        size = service.sources.projected.size
        if size != told:
            told, ticks = size, 0
            yield _grown(size)
        elif ticks >= HEARTBEAT_TICKS:
            ticks = 0
            yield ": still here\n\n"
        ticks += 1
        await asyncio.sleep(TICK_SECONDS)
    yield "event: over\ndata:\n\n"


def _grown(size: int) -> str:
    return f"event: chain\ndata: {size}\n\n"


def _is_let_in(service: AccessService, visitor: Principal, cookie: str) -> bool:
    """Return whether the listener is still admitted; listening does not extend the session."""
    if visitor.session is not None and service.sessions.find(cookie, is_used=False) is None:
        return False
    reader = visitor.reader
    return service.readers.still(reader.name, reader.known_by, service.clock.now()) is not None
