"""What the engine writes: it says what the writers here say row by row."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from ledger.core.errors import AvailabilityError
from projections.store.arrow import END, batches_in
from projections.store.connection import whole_lines
from projections.store.definitions import Column
from tools.access.downloads import Tally, counted
from tools.access.engine_forms import ENGINE_FORMS, FORM_SETTINGS, selected, written
from tools.access.writers import ARROW, BATCHED, CSV, FORMATS, NDJSON, PARQUET, write_batches
from tools.access.writers import Column as WrittenColumn

if TYPE_CHECKING:
    from tests.tools.access.access_cases import Service

HOSTILE = ["=1+1", " =1", "+1", "-1", "@x", "\uff1d1", "\t=1", "a\nb", "a\r\nb", "\x1b[31m"]
HOSTILE += ["\u202eevil", "\x01", "\x01=1", '"', '",=1', '"=1', "a,b", "\\n", "'=1", "\x7f", "</a>"]
HARMLESS = ["plain", "Žižkov", "", "a=1", "1\u00a0000 Kč", "null", "\\N"]
COLUMNS = [
    Column("number", "Int64", ""),
    Column("a", "String", ""),
    Column("b", "Array(String)", ""),
    Column("hash", "FixedString(2)", ""),
    Column("day", "Date", ""),
    Column("is_so", "Bool", ""),
    Column("missing", "Nullable(Int64)", ""),
    Column("kind", "LowCardinality(String)", ""),
]
KINDS = ["int", "text", "json", "text", "text", "bool", "int", "text"]
WRITTEN = [WrittenColumn(one.name, kind) for one, kind in zip(COLUMNS, KINDS, strict=True)]  # type: ignore[arg-type]


def asked(service: Service, form: str, texts: list[str]) -> bytes:
    names = ", ".join(selected(column, form) for column in COLUMNS)
    sql = (
        f"SELECT {names} FROM (SELECT toInt64(number) AS number, "  # noqa: S608 - own texts
        "arrayElement({texts:Array(String)}, number + 1) AS a, [a, 'x'] AS b, "
        "toFixedString(unhex('0aff'), 2) AS hash, toDate('2026-11-22') AS day, true AS is_so, "
        "CAST(NULL AS Nullable(Int64)) AS missing, toLowCardinality(a) AS kind "
        f"FROM numbers({len(texts)})) ORDER BY number SETTINGS {FORM_SETTINGS[form]}"
    )
    tally = Tally()
    with service.desk.sources.store() as store:
        if form in BATCHED:
            batches = counted(store.batches(sql, texts=texts), tally)
            found = b"".join(write_batches(form, WRITTEN, batches))
        else:
            lines = store.written(sql, ENGINE_FORMS[form], texts=texts)
            found = b"".join(written(form, [one.name for one in COLUMNS], lines, tally))
    assert tally.rows == len(texts)
    return found


def by_hand(form: str, texts: list[str]) -> bytes:
    count = len(texts)
    block: list[list[Any]] = [list(range(count)), texts, [[one, "x"] for one in texts]]
    block += [["0aff"] * count, ["2026-11-22"] * count, [True] * count, [None] * count, texts]
    return b"".join(FORMATS[form].write(WRITTEN, [block]))


@pytest.mark.parametrize("texts", [HOSTILE, HARMLESS, [*HOSTILE, *HARMLESS], ["plain"]])
def test_csv_of_the_engine_says_what_is_said_row_by_row(service: Service, texts: list[str]) -> None:
    def cells(content: bytes) -> list[list[str]]:
        """Read cells; in JSON the engine writes digits of escapes in capitals."""
        return list(csv.reader(io.StringIO(content.decode().replace("001B[", "001b["), newline="")))

    given = asked(service, CSV, texts)
    assert cells(given) == cells(by_hand(CSV, texts))
    assert given.decode().replace("\r\n", "").replace("\u00a0", "").isprintable()
    assert not any(line[1].lstrip().startswith(("=", "+", "-", "@")) for line in cells(given))


@pytest.mark.parametrize("texts", [HOSTILE, HARMLESS, [*HOSTILE, *HARMLESS]])
def test_ndjson_of_the_engine_says_what_is_said_row_by_row(
    service: Service, texts: list[str]
) -> None:
    def rows(content: bytes) -> list[Any]:
        return [json.loads(line) for line in content.splitlines()]

    given = asked(service, NDJSON, texts)
    assert rows(given) == rows(by_hand(NDJSON, texts))
    assert given.decode().replace("\n", "").replace("\u00a0", "").isprintable()


@pytest.mark.parametrize("form", [ARROW, PARQUET])
@pytest.mark.parametrize("texts", [[*HOSTILE, *HARMLESS], ["plain"] * 40_000, []])
def test_batches_of_the_engine_hold_what_is_written_row_by_row(
    service: Service, form: str, texts: list[str]
) -> None:
    def table(content: bytes) -> pa.Table:
        if form == PARQUET:
            return parquet.read_table(io.BytesIO(content))
        return pa.ipc.open_stream(content).read_all()

    def rows(found: pa.Table) -> list[dict[str, Any]]:
        return [{**row, "b": json.loads(row["b"])} for row in found.to_pylist()]

    given, wanted = table(asked(service, form, texts)), table(by_hand(form, texts))
    assert given.schema == wanted.schema
    assert rows(given) == rows(wanted)


def test_batches_that_do_not_go_on_are_no_whole_answer(service: Service) -> None:
    with service.desk.sources.store() as store:
        found = store.batches("SELECT throwIf(number = 50000) FROM numbers(100000)")
        with pytest.raises(AvailabilityError, match="throwIf"):
            list(found)


@pytest.mark.parametrize("rest", [b"", b"Code: 241. DB::Exception: too much", b"\xff\xff\xff\xff"])
def test_batches_that_a_server_cuts_off_are_no_whole_answer(rest: bytes) -> None:
    out = io.BytesIO()
    batch = pa.record_batch({"number": [1, 2, 3]})
    with pa.ipc.new_stream(out, batch.schema) as stream:
        stream.write_batch(batch)
    whole = out.getvalue()
    assert [one.num_rows for one in batches_in(io.BytesIO(whole))] == [3]
    with pytest.raises(AvailabilityError, match="did not go on"):
        list(batches_in(io.BytesIO(whole[: -len(END)] + rest)))
    for end in (0, 5, len(whole) // 2, len(whole) - 20):
        with pytest.raises(AvailabilityError, match="did not go on"):
            list(batches_in(io.BytesIO(whole[:end])))


@pytest.mark.parametrize("form", [CSV, NDJSON])
def test_one_sign_that_acts_is_found_wherever_it_stands_in_a_piece(
    service: Service, form: str
) -> None:
    """Of many plain texts, most of which leave together, one may be another."""
    plain = ["plain"] * 500
    for acts in ("=1+1", "\x7f", "\u202e", " =1", "@x"):
        for at in (0, 250, 499):
            texts = [*plain[:at], acts, *plain[at:]]
            given = asked(service, form, texts).decode()
            assert given.replace("\r\n", "").replace("\n", "").isprintable()
            assert form == NDJSON or f',"{acts}",' not in given


@pytest.mark.parametrize(
    "content",
    [
        b'{"a":1}\n{"a":',
        b'{"a":1}\nCode: 241. DB::Exception: too much memory\n',
        b'1,"a"\n\r\n__exception__\r\nabc\r\nCode: 241\r\n9 abc\r\n__exception__\r\n',
    ],
)
def test_what_a_server_says_among_rows_is_no_row(content: bytes) -> None:
    with pytest.raises(AvailabilityError, match="did not go on"):
        list(whole_lines(io.BytesIO(content)))  # type: ignore[arg-type]


def test_lines_stay_whole_however_they_come() -> None:
    class Slow(io.BytesIO):
        def read(self, _: int | None = -1) -> bytes:
            return super().read(3)

    content = b'{"a":1}\n{"abcdefgh":2}\n1\n'
    assert list(whole_lines(Slow(content))) == [b'{"a":1}\n', b'{"abcdefgh":2}\n', b"1\n"]  # type: ignore[arg-type]
