"""The description of the API: as a file for generators, and as a page to read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from tools.access.access_service import service_of
from tools.access.openapi import describe
from tools.access.pages import page

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["router"]

router = APIRouter()


@cache
def _described(app: FastAPI) -> dict[str, Any]:
    return describe(app)


@router.get("/openapi.json")
def openapi_file(request: Request) -> Response:
    """Give the description of the API (OpenAPI 3.1) to a signed-in reader."""
    service_of(request).visitor(request)
    return JSONResponse(_described(request.app))


@router.get("/docs")
def api_page(request: Request) -> Response:
    """Show each address of the API with its parameters and forms."""
    service_of(request).visitor(request)
    addresses = [
        (address, operation)
        for address, operations in _described(request.app)["paths"].items()
        for operation in operations.values()
    ]
    return page(request, "docs.html", addresses=addresses)
