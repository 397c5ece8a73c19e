"""The description of the API (OpenAPI 3.1): the responses of each route, and their types.

The types are those of the command line's answers, so both have the same schemas.
``docs/openapi.json`` is checked in; a test compares it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from fastapi.openapi.utils import get_openapi

from tools.access.answer import Basis
from tools.access.formats import JSON
from tools.access.writers import FORMATS
from tools.web.descriptions import for_generators
from tools.web.problems import MEDIA_TYPE, PROBLEM

if TYPE_CHECKING:
    from fastapi import FastAPI

__all__ = ["describe", "gives", "gives_files"]

REFERENCE = "#/components/schemas/{name}"
PROBLEMS = {
    400: "A parameter is wrong.",
    401: "No admitted reader.",
    403: "The reader's roles do not have the scope.",
    404: "There is no such thing.",
    406: "None of the forms that are asked for.",
    429: "Too many wrong tokens came from this address.",
    503: "The tables or the chain of accesses can't be used now.",
}

_TYPES: list[Any] = [Basis]


def gives(kind: Any, *, is_list: bool = False) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route."""
    _TYPES.append(kind)
    shape: dict[str, Any] = {
        "type": "object",
        "required": ["basis", "answer"],
        "properties": {
            "basis": {"x-type": 0},
            "answer": {"x-type": len(_TYPES) - 1},
        },
    }
    content: dict[str, Any] = {JSON: {"schema": shape}}
    if is_list:
        content |= {form: {} for form in FORMATS}
    return _with_problems("The answer, and what it rests on.", content)


def gives_files(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route that returns files."""
    text = "The file; how the download ended is recorded too."
    return _with_problems(text, {one: {} for one in media_types})


def _with_problems(text: str, content: dict[str, Any]) -> dict[int | str, dict[str, Any]]:
    found: dict[int | str, dict[str, Any]] = {200: {"description": text, "content": content}}
    problem = {MEDIA_TYPE: {"schema": {"$ref": REFERENCE.format(name="Problem")}}}
    found |= {code: {"description": text, "content": problem} for code, text in PROBLEMS.items()}
    return found


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the description of an application."""
    shapes, named = msgspec.json.schema_components(_TYPES, ref_template=REFERENCE)
    document = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        routes=app.routes,
        openapi_version="3.1.0",
    )
    document = dict(_filled(document, list(shapes)))
    components = document.setdefault("components", {})
    components["schemas"] = dict(sorted({**named, "Problem": PROBLEM}.items()))
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "certificate": {"type": "mutualTLS"},
    }
    document["security"] = [{"token": []}, {"certificate": []}]
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    return dict(for_generators(document))


def _filled(document: Any, shapes: list[Any]) -> Any:
    """Insert the schemas of types in place of their numbers."""
    if isinstance(document, list):
        return [_filled(one, shapes) for one in document]
    if not isinstance(document, dict):
        return document
    if "x-type" in document:
        return shapes[document["x-type"]]
    return {name: _filled(value, shapes) for name, value in document.items()}
