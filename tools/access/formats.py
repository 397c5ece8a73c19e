"""Format an answer as requested: JSON, and lists also as CSV, NDJSON, Arrow, Parquet or XLSX.

Input: an answer, and its rows if it is a list. Output: a response that names the position in the
chain on which it is based. In formats for programs money is in whole haléř and timestamps are in
microseconds; in CSV and XLSX, which people open, money is in crowns and timestamps are local times,
and headings name the unit. XLSX, and CSV for Czech readers, have headings and the names of codes in
the language of the reader; CSV for others has the names of fields, and codes. Field values other
than numbers and texts are JSON. No text is a spreadsheet formula.
"""

from __future__ import annotations

import re
from dataclasses import fields
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
from starlette.responses import Response

from ledger.core.clock import in_prague
from ledger.core.phrases import Phrase
from ledger.core.units import Unit, units_of
from ledger.core.version import VERSION
from projections.words.catalogue import Language
from tools.access.cells import heading_of, worded
from tools.access.language import words_of
from tools.access.writers import CSV, FORMATS, XLSX, Column, csv_writer
from tools.sanitize import json_line
from tools.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from projections.words.catalogue import Words
    from tools.access.answer import Answer, Basis
    from tools.access.scopes import Scope

__all__ = [
    "FORM",
    "FOR_PEOPLE",
    "JSON",
    "basis_headers",
    "cache_headers",
    "choose",
    "format_of",
    "in_form",
    "is_worded",
]

JSON = "application/json"
FOR_PEOPLE = frozenset({CSV, XLSX})
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
    form, words = format_of(request, is_list=kind is not None), words_of(request)
    headers = basis_headers(answer, form, words.language)
    if form == JSON or kind is None or rows is None:
        text = json_line({"basis": answer.basis, "answer": answer.found})
        return Response(text, media_type=JSON, headers=headers)
    names = [field.name for field in fields(kind)]
    columns, block = _columns(names, [msgspec.to_builtins(row) for row in rows], kind)
    write = FORMATS[form].write
    if form in FOR_PEOPLE:
        block = _crowns_alone(kind, rows, columns, block)
        has_words = is_worded(form, words)
        if has_words:
            columns, block = worded(words, kind, rows, columns, block)
        columns = [_for_people(one, kind, words, is_named=not has_words) for one in columns]
        write = csv_writer(words.language) if form == CSV else write
    name = _file_name(request, answer.basis)
    headers["Content-Disposition"] = f'attachment; filename="{name}.{FORMATS[form].suffix}"'
    content = b"".join(write(columns, [block]))
    return Response(content, media_type=form, headers=headers)


def _crowns_alone(
    kind: type, rows: Sequence[Any], columns: Sequence[Column], block: list[list[Any]]
) -> list[list[Any]]:
    """Leave out money in another currency under headings of crowns; the sentence has it."""
    if not isinstance(getattr(kind, "currency", None), property):
        return block
    units = units_of(kind)
    return [
        [value if row.currency == "CZK" else None for value, row in zip(values, rows, strict=True)]
        if units[column.name] is Unit.HALER
        else values
        for column, values in zip(columns, block, strict=True)
    ]


def is_worded(form: str, words: Words) -> bool:
    """Return whether a form has headings and codes in the words of its reader."""
    return form == XLSX or (form == CSV and words.language is not Language.EN)


def _file_name(request: Request, basis: Basis) -> str:
    """Return a file name: the path of the route and the day of the last message of the answer."""
    what = request.url.path.removeprefix("/api/")
    return f"{re.sub('[^A-Za-z0-9]+', '-', what)[:100]}-{in_prague(basis.recorded_at).date()}"


def _for_people(column: Column, kind: type, words: Words, *, is_named: bool) -> Column:
    """Return a column whose heading names the unit; with ``is_named`` it has the field's name."""
    unit = units_of(kind)[column.name]
    if column.kind == "int" and unit is None:
        raise LookupError(f"{column.name} declares no unit: use a type of ledger.core.units")
    name = column.name if is_named else heading_of(words, kind, column.name)
    if unit is Unit.HALER:
        return Column(words.text("units.in_crowns", name=name), "money")
    if unit is Unit.HUNDREDTH:
        return Column(words.text("units.in_currency_of_row", name=name), "money")
    if unit is Unit.MOMENT or column.kind == "moment":
        return Column(name if is_named else words.text("units.in_prague", name=name), "moment")
    return column._replace(name=name)


def basis_headers(answer: Answer, form: str, language: Language = Language.EN) -> dict[str, str]:
    """Return the headers that name the position on which an answer is based."""
    basis = answer.basis
    headers = cache_headers(basis.position, basis.head, form, language, answer.scopes)
    if not answer.is_of_chain:
        del headers["ETag"]
    return {
        **headers,
        "Gameledger-Position": str(basis.position),
        "Gameledger-Head": basis.head,
        "Gameledger-Age": str(basis.age_seconds),
        "Gameledger-Moment": str(basis.moment),
    }


def cache_headers(
    position: int, head: str, form: str, language: Language, scopes: frozenset[Scope]
) -> dict[str, str]:
    """Return the cache headers of an answer, with which a reader can revalidate it.

    The ``ETag`` stays the same as long as the answer of the route does: for readers with the same
    scopes, from the same version of the program. A browser offers what it keeps of one reader to
    the next one who signs in there, too.
    """
    spelled = f"-{language}" if form in FOR_PEOPLE else ""
    given_to = sha256(" ".join((VERSION, *sorted(scopes))).encode()).hexdigest()[:8]
    return {
        "ETag": f'"{position}-{head[:16]}-{form.rpartition("/")[2][:12]}{spelled}-{given_to}"',
        "Cache-Control": "private, no-cache",
        "Vary": "Accept, Accept-Language, Authorization, Cookie",
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
