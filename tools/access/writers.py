"""Write any number of rows in pieces: CSV, NDJSON, Arrow, Parquet, XLSX.

Input: columns and blocks of their values. Output: bytes in pieces. At most one block is held in
memory, except for XLSX, whose sheet is assembled on disk and has a row limit. No text is a formula
in a spreadsheet format, and none is a control sequence in CSV and NDJSON. Values other than numbers
and texts are JSON. CSV and XLSX also write money in units of its currency, and times of Prague:
XLSX as numbers and dates, CSV as :class:`Spelling` spells them.
"""

from __future__ import annotations

import io
import sys
from array import array
from datetime import datetime
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from itertools import chain
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from ledger.core.clock import in_prague, is_moment, occurs_twice
from ledger.core.phrases import Phrase
from projections.words.catalogue import Language
from tools.sanitize import for_spreadsheet, json_line, plain_json
from tools.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    Block = Sequence[Sequence[Any]]
    Writer = Callable[["Sequence[Column]", Iterable[Block]], Generator[bytes, None, None]]

__all__ = [
    "ARROW",
    "BATCHED",
    "CSV",
    "FORMATS",
    "NDJSON",
    "PARQUET",
    "SPELLINGS",
    "XLSX",
    "XLSX_ROWS_MAX",
    "Column",
    "Form",
    "Spelling",
    "csv_writer",
    "release_memory",
    "write_batches",
]

CSV = "text/csv"
NDJSON = "application/x-ndjson"
ARROW = "application/vnd.apache.arrow.stream"
PARQUET = "application/vnd.apache.parquet"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLSX_ROWS_MAX = 100_000
"""Rows of a sheet for people; a program takes one of the other forms."""
CELL_MAX = 32_767
"""Characters of a cell in XLSX."""
CUT = " … (cut: take another form)"
CUT_AT = CELL_MAX - len(CUT)
INTEGER_MAX = 1 << 53
"""Above, a cell of a spreadsheet would round a number; it becomes a text."""
EXACT_MAX = 10**15
"""Hundredths below which a number of a spreadsheet shows them all."""
MONEY_FORMAT, MOMENT_FORMAT = "#,##0.00", "dd.mm.yyyy hh:mm:ss"
MOMENT_WIDTH = 19
PIECE_BYTES = 1 << 16
GROUP_BYTES = 1 << 24
"""Of the rows of a group in Parquet, as Arrow holds them."""
MAYBE_FORMULA = tuple(f"\n{sign}" for sign in "=+-@ ")


class Column(NamedTuple):
    """A column: its name and value type.

    Money in hundredths, moments, and a number of any kind are for CSV and XLSX only.
    """

    name: str
    kind: Literal["int", "number", "money", "moment", "bool", "text", "json"]


class Form(NamedTuple):
    """A list format: the file name suffix, and the function that writes it."""

    suffix: str
    write: Writer


class Spelling(NamedTuple):
    """How CSV is spelled for the readers of a language, so that their spreadsheet opens it."""

    separator: str
    begin: bytes
    money: Callable[[int], str]
    moment: Callable[[int], str]
    truth: Callable[[bool], str]


def _units(hundredths: int) -> str:
    return str(Decimal(hundredths).scaleb(-2))


def _iso(moment: int) -> str:
    """Format a moment as local time with its offset; one outside the calendar as its number."""
    return in_prague(moment).isoformat() if is_moment(moment) else str(moment)


def _czech_moment(moment: int) -> str:
    """Format a moment as a Czech spreadsheet reads it, to the second; others as :func:`_iso`."""
    if not _is_plain_in_prague(moment):
        return _iso(moment)
    shown = in_prague(moment)
    return f"{shown.day}.{shown.month}.{shown.year} {shown:%H:%M:%S}"


def _is_plain_in_prague(moment: int) -> bool:
    """Return whether the local time alone says when: one hour a year occurs twice."""
    return is_moment(moment) and not occurs_twice(moment)


SPELLINGS = {
    Language.EN: Spelling(",", b"", _units, _iso, str),
    Language.CS: Spelling(
        ";",
        "\N{BYTE ORDER MARK}".encode(),
        lambda hundredths: _units(hundredths).replace(".", ","),
        _czech_moment,
        lambda value: "ano" if value else "ne",
    ),
}


def _csv(
    spelling: Spelling, columns: Sequence[Column], blocks: Iterable[Block]
) -> Generator[bytes, None, None]:
    from pyarrow.csv import WriteOptions, write_csv

    texts = [Column(for_spreadsheet(one.name), _in_csv(one)) for one in columns]
    schema, begin = _schema(texts), spelling.begin
    options = partial(WriteOptions, delimiter=spelling.separator)
    for block in chain([None], blocks):
        is_heading = block is None
        values = [()] * len(columns) if block is None else block
        shown = [_for_csv(spelling, *one) for one in zip(columns, values, strict=True)]
        out = io.BytesIO()
        write_csv(_batch(texts, shown, schema), out, options(include_header=is_heading))
        yield begin + out.getvalue().replace(b"\n", b"\r\n")  # no text has one
        begin = b""


def csv_writer(language: Language) -> Writer:
    """Return the writer of CSV for the readers of a language."""
    return partial(_csv, SPELLINGS[language])


def _in_csv(column: Column) -> Literal["int", "text"]:
    return "int" if column.kind == "int" else "text"


def _for_csv(spelling: Spelling, column: Column, values: Sequence[Any]) -> Sequence[Any]:
    if column.kind == "int":
        return values
    by_kind = {"money": spelling.money, "moment": spelling.moment, "bool": spelling.truth}
    spell = str if column.kind == "number" else by_kind.get(column.kind)
    if spell is not None:
        return [None if value is None else spell(value) for value in values]
    texts = _as_json(values) if column.kind == "json" else values
    if _is_harmless(texts):
        return texts
    return [None if text is None else for_spreadsheet(text) for text in texts]


def _is_harmless(texts: Sequence[str | None]) -> bool:
    """Return whether texts are certainly plain, without checking each."""
    try:
        joined = "\n" + "\n".join(texts)  # type: ignore[arg-type]
    except TypeError:  # one is missing
        return False
    return (
        joined.isascii()
        and joined.count("\n") == len(texts)
        and joined.replace("\n", "").isprintable()
        and not any(sign in joined for sign in MAYBE_FORMULA)
    )


def _as_json(values: Sequence[Any]) -> list[str | None]:
    return [None if value is None else json_line(value) for value in values]


def _ndjson(columns: Sequence[Column], blocks: Iterable[Block]) -> Generator[bytes, None, None]:
    row_of, encoder = _row_of([column.name for column in columns]), msgspec.json.Encoder()
    for block in blocks:
        text = encoder.encode_lines(list(map(row_of, *block))).decode()
        if not text.replace("\n", "").isprintable():
            text = "".join(f"{plain_json(line)}\n" for line in text.split("\n")[:-1])
        yield text.encode()


def _row_of(names: Sequence[str]) -> Callable[..., Any]:
    """Return a function that builds an object from the values of a row."""
    fields = {f"f{number}": name for number, name in enumerate(names)}
    try:
        return msgspec.defstruct("Row", list(fields), rename=fields, gc=False)
    except ValueError:  # a name that can't be a field's, such as one that stands twice
        return lambda *row: dict(zip(names, row, strict=True))


class _Drain(io.RawIOBase):
    """A file object that returns written bytes to its reader."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        self._pieces.append(bytes(piece))
        return len(self._pieces[-1])

    def take(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)


def _of_batches(
    write: Callable[[Any, Iterable[Any]], Generator[bytes, None, None]],
) -> Writer:
    def of_blocks(
        columns: Sequence[Column], blocks: Iterable[Block]
    ) -> Generator[bytes, None, None]:
        schema = _schema(columns)
        return write(schema, (_batch(columns, block, schema) for block in blocks))

    return of_blocks


def _arrow(schema: Any, batches: Iterable[Any]) -> Generator[bytes, None, None]:
    import pyarrow as pa

    out = _Drain()
    with pa.ipc.new_stream(out, schema) as stream:
        for batch in batches:
            stream.write_batch(batch)
            yield out.take()
    yield out.take()


def _parquet(schema: Any, batches: Iterable[Any]) -> Generator[bytes, None, None]:
    import pyarrow as pa
    from pyarrow import parquet

    out = _Drain()
    group: list[Any] = []
    with parquet.ParquetWriter(out, schema, compression="zstd", use_dictionary=False) as file:
        for batch in batches:
            group.append(batch)
            if sum(one.nbytes for one in group) >= GROUP_BYTES:
                file.write_table(pa.Table.from_batches(group))
                group.clear()
            yield out.take()
        if group:
            file.write_table(pa.Table.from_batches(group))
    yield out.take()


BATCHED = {ARROW: _arrow, PARQUET: _parquet}
"""Forms that are written of batches of Arrow."""


def write_batches(
    form: str, columns: Sequence[Column], batches: Iterable[Any]
) -> Generator[bytes, None, None]:
    """Write Arrow batches, in a format of :data:`BATCHED`; numbers become 64-bit."""
    import pyarrow as pa

    schema = _schema(columns)

    def fitting() -> Iterator[Any]:
        for batch in batches:
            arrays = [
                values.cast(kind) for values, kind in zip(batch.columns, schema.types, strict=True)
            ]
            yield pa.record_batch(arrays, schema=schema)

    return BATCHED[form](schema, fitting())


def _schema(columns: Sequence[Column]) -> Any:
    import pyarrow as pa

    kinds = {"int": pa.int64(), "bool": pa.bool_()}
    return pa.schema([(column.name, kinds.get(column.kind, pa.string())) for column in columns])


def _batch(columns: Sequence[Column], block: Block, schema: Any) -> Any:
    import pyarrow as pa

    def made(column: Column, values: Any, kind: Any) -> Any:
        if isinstance(values, array) and values.typecode == "q":  # unchanged: the fast path
            return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
        return pa.array(_as_json(values) if column.kind == "json" else values, kind)

    arrays = [made(*one) for one in zip(columns, block, schema.types, strict=True)]
    return pa.record_batch(arrays, schema=schema)


def _xlsx(columns: Sequence[Column], blocks: Iterable[Block]) -> Generator[bytes, None, None]:
    """Write a sheet.

    Raises:
        ProblemError: there are more rows than a sheet may have.

    """
    import xlsxwriter

    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with TemporaryFile() as file:
        with xlsxwriter.Workbook(file, options) as book:
            sheet = book.add_worksheet("answer")
            sheet.freeze_panes(1, 0)
            names = [for_spreadsheet(column.name) for column in columns]
            forms = {
                "money": book.add_format({"num_format": MONEY_FORMAT}),
                "moment": book.add_format({"num_format": MOMENT_FORMAT}),
            }
            for place, column in enumerate(columns):
                if column.kind in forms:
                    sheet.set_column(place, place, MOMENT_WIDTH)
            sheet.write_row(0, 0, names, book.add_format({"bold": True}))
            line = 0
            for block in blocks:
                for row in zip(*block, strict=True):
                    line += 1
                    if line > XLSX_ROWS_MAX:
                        raise _too_many_rows()
                    for place, (column, value) in enumerate(zip(columns, row, strict=True)):
                        shown = _in_cell(column.kind, value)
                        _write_cell(sheet, line, place, shown, forms.get(column.kind))
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


def _too_many_rows() -> ProblemError:
    """Return the error for a sheet that would be too long."""
    text = Phrase("XLSX_TOO_LARGE", most=f"{XLSX_ROWS_MAX:,}")
    return ProblemError(HTTPStatus.BAD_REQUEST, "too-many-rows", text)


def _in_cell(kind: str, value: Any) -> Any:
    """Return money and moments as numbers and dates, or as texts if a cell would change them."""
    if value is None:
        return None
    if kind == "money":
        return value / 100 if abs(value) < EXACT_MAX else _units(value)
    if kind == "moment":
        plain = _is_plain_in_prague(value)
        return in_prague(value).replace(tzinfo=None) if plain else _iso(value)
    return value


def _write_cell(sheet: Any, line: int, place: int, value: Any, form: Any) -> None:
    if isinstance(value, list | tuple | dict):
        value = json_line(value)
    if isinstance(value, bool):
        sheet.write_boolean(line, place, value)
    elif isinstance(value, datetime):
        sheet.write_datetime(line, place, value, form)
    elif isinstance(value, int | float) and abs(value) < INTEGER_MAX:
        sheet.write_number(line, place, value, form)
    elif value is not None:
        text = for_spreadsheet(str(value))
        sheet.write_string(line, place, text if len(text) <= CELL_MAX else text[:CUT_AT] + CUT)


def release_memory() -> None:
    """Let Arrow release the memory of blocks that were written."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()


FORMATS: dict[str, Form] = {
    CSV: Form("csv", csv_writer(Language.EN)),
    NDJSON: Form("ndjson", _ndjson),
    ARROW: Form("arrow", _of_batches(_arrow)),
    PARQUET: Form("parquet", _of_batches(_parquet)),
    XLSX: Form("xlsx", _xlsx),
}
"""Forms of a list besides JSON."""
