"""The description of the API: as a file for generators, and as a page to read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tools.access.access_service import serve_query
from tools.access.openapi import describe
from tools.access.pages import page
from tools.access.scopes import Scope

if TYPE_CHECKING:
    from fastapi import FastAPI

    from tools.access.answer import Answer

__all__ = ["router"]

router = APIRouter()


@cache
def _described(app: FastAPI) -> dict[str, Any]:
    return describe(app)


def _record_access(request: Request) -> Answer:
    return serve_query(request, Scope.CHAIN, lambda _: None, of_log=True, is_of_chain=False)


@router.get("/openapi.json")
def openapi_file(request: Request) -> Response:
    """Give the description of the API (OpenAPI 3.1) to a signed-in reader."""
    _record_access(request)
    return JSONResponse(_described(request.app))


@router.get("/docs")
def api_page(request: Request) -> Response:
    """Show each address of the API with its parameters and forms."""
    answer = _record_access(request)
    addresses = [
        (address, operation)
        for address, operations in _described(request.app)["paths"].items()
        for operation in operations.values()
    ]
    return page(request, "docs.html", answer=answer, addresses=addresses)
