"""Format an answer as requested: JSON, and lists also as CSV, NDJSON, Arrow, Parquet or XLSX.

Input: an answer, and its rows if it is a list. Output: a response that names the position in the
chain on which it is based. In formats for programs money is in whole haléř and timestamps are in
microseconds; in CSV and XLSX, which people open, money is in crowns with two decimals and
timestamps are local times with their offset (ISO 8601). Field values other than numbers and texts
are JSON. No text is a spreadsheet formula.
"""

from __future__ import annotations

import re
from dataclasses import fields
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
from starlette.responses import Response

from ledger.core.clock import in_prague, is_moment
from ledger.core.phrases import Phrase
from ledger.core.units import Unit, units_of
from tools.access.writers import CSV, FORMATS, XLSX, Column
from tools.sanitize import json_line
from tools.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from tools.access.answer import Answer, Basis

__all__ = [
    "FORM",
    "FOR_PEOPLE",
    "JSON",
    "basis_headers",
    "cache_headers",
    "choose",
    "format_of",
    "in_form",
    "local",
    "to_crowns",
]

JSON = "application/json"
FOR_PEOPLE = frozenset({CSV, XLSX})
EXACT_MAX = 10**15
"""Haléř below which a number of a spreadsheet shows crowns to the haléř."""
FORM = "form"
"""The parameter that names a form, for a link, which has no Accept header."""


def format_of(request: Request, *, is_list: bool) -> str:
    """Choose the form of an answer, as :func:`choose` does."""
    lists = {form: one.suffix for form, one in FORMATS.items()} if is_list else {}
    return choose(request, {JSON: "json", **lists})


def choose(request: Request, offered: Mapping[str, str]) -> str:
    """Choose a format by the parameter ``form``, or else by ``Accept``.

    Args:
        request: of the reader.
        offered: media types with their short names; the first is the default.

    Raises:
        ProblemError: none of the requested formats is offered.

    """
    named = request.query_params.get(FORM)
    if named is not None:
        found = next((form for form, name in offered.items() if name == named), None)
        if found is not None:
            return found
        accepted = ""
    else:
        accepted = request.headers.get("Accept", "*/*")[:1000]
    wishes = sorted(map(_requested_form, accepted.split(",")), key=lambda wish: -wish[1])
    for wanted, quality in wishes:
        for one in offered:
            family = f"{one.partition('/')[0]}/*"
            if quality > 0 and wanted in {one, family, "*/*"}:
                return one
    forms = ", ".join(f"{one} (form={name})" for one, name in offered.items())
    raise ProblemError(HTTPStatus.NOT_ACCEPTABLE, "accept", Phrase("FORMATS_GIVEN", forms=forms))


def in_form(
    request: Request, answer: Answer, rows: Sequence[Any] | None = None, kind: type | None = None
) -> Response:
    """Format an answer.

    Args:
        request: selects the format.
        answer: the answer.
        rows: of the list, if the answer is one.
        kind: type of the rows, a dataclass.

    """
    form = format_of(request, is_list=kind is not None)
    headers = basis_headers(answer.basis, form)
    if not answer.is_of_chain:
        del headers["ETag"]
    if form == JSON or kind is None or rows is None:
        text = json_line({"basis": answer.basis, "answer": answer.found})
        return Response(text, media_type=JSON, headers=headers)
    names = [field.name for field in fields(kind)]
    columns, block = _columns(names, [msgspec.to_builtins(row) for row in rows], kind)
    if form in FOR_PEOPLE:
        units, crowns = units_of(kind), to_crowns if form == CSV else _as_cell
        columns, block = _for_people(columns, block, units, crowns)
    name = _file_name(request, answer.basis)
    headers["Content-Disposition"] = f'attachment; filename="{name}.{FORMATS[form].suffix}"'
    content = b"".join(FORMATS[form].write(columns, [block]))
    return Response(content, media_type=form, headers=headers)


def _file_name(request: Request, basis: Basis) -> str:
    """Return a file name: the path of the route and the day of the last message of the answer."""
    what = request.url.path.removeprefix("/api/")
    return f"{re.sub('[^A-Za-z0-9]+', '-', what)[:100]}-{in_prague(basis.recorded_at).date()}"


def to_crowns(haler: int) -> Decimal:
    """Return haléř as crowns with two decimals."""
    return Decimal(haler).scaleb(-2)


def _as_cell(haler: int) -> float | str:
    """Return crowns as a spreadsheet number, or as text if a number would be rounded."""
    return haler / 100 if abs(haler) < EXACT_MAX else str(to_crowns(haler))


def _for_people(
    columns: list[Column],
    block: list[list[Any]],
    units: Mapping[str, Unit | None],
    crowns: Callable[[int], Any],
) -> tuple[list[Column], list[list[Any]]]:
    """Format money as crowns, and timestamps as local times; headings of money name the unit."""
    shown: list[Column] = []
    cells: list[list[Any]] = []
    for column, values in zip(columns, block, strict=True):
        unit = units[column.name]
        if column.kind == "int" and unit is None:
            raise LookupError(f"{column.name} declares no unit: use a type of ledger.core.units")
        if unit is Unit.HALER:
            shown.append(Column(f"{column.name} (CZK)", "number"))
            cells.append([None if one is None else crowns(one) for one in values])
        elif unit is Unit.MOMENT:
            shown.append(Column(column.name, "text"))
            cells.append([None if one is None else local(one) for one in values])
        else:
            shown.append(column)
            cells.append(values)
    return shown, cells


def local(moment: int) -> str:
    """Format a moment as local time with its offset; one outside the calendar as its number."""
    return in_prague(moment).isoformat() if is_moment(moment) else str(moment)


def basis_headers(basis: Basis, form: str) -> dict[str, str]:
    """Return the headers that name the position on which an answer is based."""
    return {
        **cache_headers(basis.position, basis.head, form),
        "Gameledger-Position": str(basis.position),
        "Gameledger-Head": basis.head,
        "Gameledger-Age": str(basis.age_seconds),
        "Gameledger-Moment": str(basis.moment),
    }


def cache_headers(position: int, head: str, form: str) -> dict[str, str]:
    """Return the cache headers of an answer, with which a reader can revalidate it.

    The ``ETag`` stays the same as long as the answer of the route does.
    """
    return {
        "ETag": f'"{position}-{head[:16]}-{form.rpartition("/")[2][:12]}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Accept, Authorization, Cookie",
    }


def _requested_form(text: str) -> tuple[str, float]:
    name, *options = (part.strip().lower() for part in text.split(";"))
    given = next((one[2:] for one in options if one.startswith("q=")), "1")
    try:
        return name, float(given)
    except ValueError:
        return name, 0.0


def _columns(
    names: list[str], rows: list[dict[str, Any]], kind: type
) -> tuple[list[Column], list[list[Any]]]:
    """Convert rows to columns; the column types are those of the fields."""
    hints, columns, block = get_type_hints(kind), [], []
    for name in names:
        values = [row[name] for row in rows]
        parts = set(getattr(hints[name], "__args__", ())) - {type(None)} or {hints[name]}
        if parts in ({bool}, {int}):
            columns.append(Column(name, "bool" if parts == {bool} else "int"))
        else:
            is_nested = any(isinstance(value, list | tuple | dict) for value in values)
            columns.append(Column(name, "json" if is_nested else "text"))
        block.append(values)
    return columns, block
