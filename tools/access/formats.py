"""An answer in the form that was asked for: JSON, or for lists CSV, NDJSON, Arrow, Parquet, XLSX.

What comes in: an answer, and the rows of its list if it is one. What goes out: a response that
names the place in the chain it rests on. In every form money is whole haléř, moments are
microseconds, and what a field holds besides numbers and texts is JSON. No text is a formula.
"""

from __future__ import annotations

import csv
import io
from dataclasses import fields
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, get_type_hints

import msgspec
from starlette.responses import Response

from tools.access.problems import ProblemError
from tools.plain import for_spreadsheet, json_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from tools.access.answer import Answer, Basis

__all__ = ["FORMATS", "JSON", "etag_of", "format_of", "in_form", "rests_on"]

JSON = "application/json"
CSV = "text/csv"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
PARQUET = "application/vnd.apache.parquet"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
CELL_MAX = 32_767
"""Characters of a cell in XLSX."""
INTEGER_MAX = 1 << 53
"""Above, a cell of a spreadsheet would round a number; it becomes a text."""


def format_of(request: Request, *, is_list: bool) -> str:
    """Choose the form by ``Accept``.

    Raises:
        ProblemError: nothing that is asked for can be given.

    """
    offered = [JSON, *FORMATS] if is_list else [JSON]
    accepted = request.headers.get("Accept", "*/*")[:1000].split(",")
    ranked = sorted((_wish(text) for text in accepted), key=lambda wish: -wish[1])
    for wanted, quality in ranked:
        for one in offered:
            family = f"{one.partition('/')[0]}/*"
            if quality > 0 and wanted in {one, family, "*/*"}:
                return one
    raise ProblemError(
        HTTPStatus.NOT_ACCEPTABLE, "accept", f"this is given as {', '.join(offered)}"
    )


def in_form(
    request: Request, answer: Answer, rows: Sequence[Any] | None = None, kind: type | None = None
) -> Response:
    """Write an answer.

    Args:
        request: asks for the form.
        answer: the answer.
        rows: of its list, if it is one.
        kind: of the rows, a dataclass.

    """
    form = format_of(request, is_list=kind is not None)
    headers = rests_on(answer.basis, form)
    if form == JSON or kind is None or rows is None:
        text = json_line({"basis": answer.basis, "answer": answer.found})
        return Response(text, media_type=JSON, headers=headers)
    names = [field.name for field in fields(kind)]
    headers["Content-Disposition"] = f'attachment; filename="answer.{FORMATS[form][0]}"'
    content = FORMATS[form][1](names, [msgspec.to_builtins(row) for row in rows], kind)
    return Response(content, media_type=form, headers=headers)


def rests_on(basis: Basis, form: str) -> dict[str, str]:
    """Return the headers that name what an answer rests on."""
    return {
        "ETag": etag_of(basis.position, basis.head, form),
        "Gameledger-Position": str(basis.position),
        "Gameledger-Head": basis.head,
        "Gameledger-Age": str(basis.age_seconds),
        "Cache-Control": "private, no-cache",
        "Vary": "Accept, Authorization, Cookie",
    }


def etag_of(position: int, head: str, form: str) -> str:
    """Return what stays the same as long as an answer of an address does."""
    return f'"{position}-{head[:16]}-{form.rpartition("/")[2][:12]}"'


def _wish(text: str) -> tuple[str, float]:
    name, *options = (part.strip().lower() for part in text.split(";"))
    given = next((one[2:] for one in options if one.startswith("q=")), "1")
    try:
        return name, float(given)
    except ValueError:
        return name, 0.0


def _cell(value: Any) -> Any:
    return json_line(value) if isinstance(value, list | dict) else value


def _csv(names: list[str], rows: list[dict[str, Any]], _: type) -> bytes:
    out = io.StringIO(newline="")
    lines = csv.writer(out, lineterminator="\r\n")
    lines.writerow(names)
    for row in rows:
        lines.writerow([_spread(row[name]) for name in names])
    return out.getvalue().encode()


def _spread(value: Any) -> Any:
    value = _cell(value)
    return for_spreadsheet(value) if isinstance(value, str) else value


def _ndjson(_: list[str], rows: list[dict[str, Any]], __: type) -> bytes:
    return b"".join(json_line(row).encode() + b"\n" for row in rows)


def _arrow_table(names: list[str], rows: list[dict[str, Any]], kind: type) -> Any:
    import pyarrow as pa

    hints = get_type_hints(kind)
    columns = []
    for name in names:
        parts = set(getattr(hints[name], "__args__", ())) - {type(None)} or {hints[name]}
        if parts == {bool}:
            columns.append(pa.array([row[name] for row in rows], pa.bool_()))
        elif parts == {int}:
            columns.append(pa.array([row[name] for row in rows], pa.int64()))
        else:
            columns.append(pa.array([_cell(row[name]) for row in rows], pa.string()))
    return pa.table(columns, names=names)


def _arrow(names: list[str], rows: list[dict[str, Any]], kind: type) -> bytes:
    import pyarrow as pa

    table, out = _arrow_table(names, rows, kind), pa.BufferOutputStream()
    with pa.ipc.new_stream(out, table.schema) as stream:
        stream.write_table(table)
    return bytes(out.getvalue())


def _parquet(names: list[str], rows: list[dict[str, Any]], kind: type) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    out = pa.BufferOutputStream()
    parquet.write_table(_arrow_table(names, rows, kind), out)
    return bytes(out.getvalue())


def _xlsx(names: list[str], rows: list[dict[str, Any]], _: type) -> bytes:
    import xlsxwriter

    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(out, options) as book:
        sheet = book.add_worksheet("answer")
        sheet.write_row(0, 0, names, book.add_format({"bold": True}))
        for line, row in enumerate(rows, 1):
            for column, name in enumerate(names):
                _write_cell(sheet, line, column, _cell(row[name]))
        sheet.freeze_panes(1, 0)
    return out.getvalue()


def _write_cell(sheet: Any, line: int, column: int, value: Any) -> None:
    if isinstance(value, bool):
        sheet.write_boolean(line, column, value)
    elif isinstance(value, int) and abs(value) < INTEGER_MAX:
        sheet.write_number(line, column, value)
    elif value is not None:
        sheet.write_string(line, column, for_spreadsheet(str(value))[:CELL_MAX])


FORMATS: dict[str, tuple[str, Callable[[list[str], list[dict[str, Any]], type], bytes]]] = {
    CSV: ("csv", _csv),
    NDJSON: ("ndjson", _ndjson),
    ARROW: ("arrow", _arrow),
    PARQUET: ("parquet", _parquet),
    XLSX: ("xlsx", _xlsx),
}
"""Forms of a list besides JSON: the end of a file's name, and what writes it."""
