"""The ASGI application: its routes, the layers in front of them, and the rendering of errors."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from ledger.core.errors import LedgerError
from ledger.core.phrases import Phrase
from ledger.core.version import VERSION
from tools.access import (
    api,
    api_books,
    api_chain,
    api_changes,
    api_files,
    api_findings,
    api_rules,
    api_views,
    live,
    pages,
    pages_accounts,
    pages_actions,
    pages_api,
    pages_batches,
    pages_books,
    pages_changes,
    pages_findings,
    pages_licences,
    pages_reading,
    pages_reports,
    pages_saved,
    pages_sql,
    pages_statements,
)
from tools.access.access_service import note_refused_parameter
from tools.access.guard import Guard, Metrics
from tools.access.uploads import UPLOAD_BYTES_MAX
from tools.web.problems import NotModifiedError, ProblemError, as_problem, response_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp

    from tools.access.access_service import AccessService
    from tools.access.pages_actions import Writers
    from tools.mirror.folder import MirrorFolder

__all__ = ["application"]

STATIC = Path(__file__).with_name("static")
TEXT_MAX = 200
REFUSED_PARAMETERS = frozenset(
    {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.NOT_ACCEPTABLE}
)


class _Guarded(FastAPI):
    """The application behind its guard, which also wraps the handler of internal errors."""

    def __init__(self, guard: Callable[[ASGIApp], ASGIApp], **options: Any) -> None:
        self._guard = guard
        super().__init__(**options)

    def build_middleware_stack(self) -> ASGIApp:
        return self._guard(super().build_middleware_stack())


def application(
    service: AccessService | None,
    *,
    is_secure: bool = False,
    writers: Writers | None = None,
    mirror: MirrorFolder | None = None,
) -> FastAPI:
    """Create the application; without a service only its description can be read.

    Args:
        service: the service behind the routes; None if there is none.
        is_secure: browsers connect over TLS.
        writers: where actions on findings are sent; None: there are no routes for actions.
        mirror: the mirror of which the chain is a copy; None: there is no page over all its logs.

    """
    uploads = {} if writers is None else {pages_actions.IMPORT: UPLOAD_BYTES_MAX}
    metrics = Metrics("" if service is None else service.sources.opening.chain)
    app = _Guarded(
        partial(Guard, metrics=metrics, is_secure=is_secure, uploads=uploads),
        title="gameledger access",
        summary="Read-only access to a ledger for live-dealer games.",
        version=VERSION,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service, app.state.metrics, app.state.writers = service, metrics, writers
    app.state.mirror = mirror
    if mirror is not None:
        app.include_router(pages_licences.router, include_in_schema=False)
    if writers is not None:
        for acting in (pages_actions, pages_batches):
            app.include_router(acting.router, include_in_schema=False)
    for one in (
        api,
        api_chain,
        api_findings,
        api_rules,
        api_files,
        api_views,
        api_books,
        api_changes,
    ):
        app.include_router(one.router)
    for one in (
        live,
        pages,
        pages_reading,
        pages_accounts,
        pages_api,
        pages_reports,
        pages_findings,
        pages_books,
        pages_changes,
        pages_statements,
        pages_saved,
        pages_sql,
    ):
        app.include_router(one.router, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    _add_states(app, metrics)
    app.add_exception_handler(NotModifiedError, _unchanged)
    for kind in (LedgerError, ProblemError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(kind, _render_error)
    return app


def _add_states(app: FastAPI, metrics: Metrics) -> None:
    """Add the routes for monitoring; they run in the event loop and need no worker thread."""

    @app.get("/health", include_in_schema=False)
    async def health() -> Response:
        return PlainTextResponse("alive\n")

    @app.get("/ready", include_in_schema=False)
    async def ready() -> Response:
        is_ready = app.state.service.sources.is_ready
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return PlainTextResponse("ready\n" if is_ready else "not ready\n", status_code=status)

    @app.get("/metrics", include_in_schema=False)
    async def counted() -> Response:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)


def _unchanged(_: Request, error: Exception) -> Response:
    headers = error.headers if isinstance(error, NotModifiedError) else {}
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)


def _render_error(request: Request, error: Exception) -> Response:
    problem = _problem_of(error)
    if problem.status in REFUSED_PARAMETERS:
        note_refused_parameter(request)
    if request.url.path.startswith("/api/"):
        return response_of(problem)
    return pages.problem_page(request, problem)


def _problem_of(error: Exception) -> ProblemError:
    if isinstance(error, RequestValidationError):
        faults = [_fault(one) for one in error.errors()]
        text = "; ".join(f"{one['parameter']}: {one['why']}" for one in faults)
        return ProblemError(HTTPStatus.BAD_REQUEST, "parameter", text, faults=faults)
    if isinstance(error, HTTPException):
        status = HTTPStatus(error.status_code)
        headers = dict(error.headers or {})
        is_unknown = status is HTTPStatus.NOT_FOUND
        reason = Phrase("ADDRESS_UNKNOWN") if is_unknown else status.description or status.phrase
        return ProblemError(status, "address", reason, headers=headers)
    return as_problem(error)


def _fault(found: dict[str, Any]) -> dict[str, str]:
    place = str(found["loc"][-1])[:TEXT_MAX]
    return {"parameter": place, "why": str(found["msg"])[:TEXT_MAX]}
