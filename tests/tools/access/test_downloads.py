"""Downloads: whole tables in flat memory, begun and ended in the chain of accesses."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import threading
from datetime import UTC, datetime
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from openpyxl import load_workbook
from pyarrow import parquet

from ledger.core.clock import HOUR, from_datetime
from ledger.events import event_types as e
from ledger.log.port import Query
from projections.store.queries import SMALL
from projections.store.reader_views import shown, view_name
from projections.store.tables import Store
from projections.words.catalogue import Language
from tools.access import downloads, writers
from tools.access.access_service import DOWNLOADS_MAX
from tools.access.answer import Answer, Basis
from tools.access.downloads import Content, Download, Tally, of_bytes
from tools.access.writers import FORMATS, Column, csv_writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.access.access_cases import Service

COUNT = "SELECT count() FROM {}"
SOME_VIEWS = ["reader_operator_figures", "reader_bets", "reader_rounds", "reader_play"]
SOME_VIEWS += ["reader_cases", "reader_findings", "reader_checkpoint_signed"]
CSV, NDJSON, ARROW, PARQUET, XLSX = FORMATS
KEY = ("kind", "account", "position")
"""By which the table of postings is sorted."""
FORM = {"csv": CSV, "ndjson": NDJSON, "arrow": ARROW, "parquet": PARQUET, "xlsx": XLSX}


def last_end(service: Service) -> e.DownloadEnded:
    (found,) = service.desk.chain.newest(Query(types=("DownloadEnded",)), 1)
    assert isinstance(found.event, e.DownloadEnded)
    return found.event


def test_every_kind_of_view_is_given_whole_as_its_columns_are_declared(service: Service) -> None:
    declared = service.get("/api/views").json()["answer"]
    assert [one["view"] for one in declared] == [view_name(found.name) for found, _ in shown()]
    for name in SOME_VIEWS:
        (counted,) = service.get("/api/sql", params={"q": COUNT.format(name)}).json()["answer"][
            "data"
        ]
        given = service.get(f"/api/views/{name}?form=arrow")
        assert given.status_code == HTTPStatus.OK, (name, given.text)
        table = pa.ipc.open_stream(given.content).read_all()
        columns = next(one["columns"] for one in declared if one["view"] == name)
        assert table.column_names == [column["name"] for column in columns]
        assert [str(table.num_rows)] == [str(one) for one in counted]


def test_a_view_is_the_same_in_every_form(service: Service) -> None:
    def get(form: str) -> bytes:
        found = service.get(f"/api/views/reader_postings?form={form}")
        assert found.headers["Content-Type"].startswith(FORM[form])
        assert f'filename="reader_postings.{form}"' in found.headers["Content-Disposition"]
        assert found.headers["Gameledger-Head"]
        assert "ETag" not in found.headers
        return found.content

    rows = [json.loads(line) for line in get("ndjson").splitlines()]
    assert len(rows) > 100
    places = [(*(row[of] for of in KEY), row["posting"]) for row in rows]
    assert places == sorted(places)
    assert pa.ipc.open_stream(get("arrow")).read_all().to_pylist() == rows
    assert parquet.read_table(io.BytesIO(get("parquet"))).to_pylist() == rows
    lines = list(csv.DictReader(io.StringIO(get("csv").decode())))
    assert [{**row, "amount": str(row["amount"])}["amount"] for row in rows] == [
        line["amount"] for line in lines
    ]
    assert get("xlsx")[:2] == b"PK"


def test_a_view_is_narrowed_and_asked_for_the_past(service: Service) -> None:
    def rows(asked: str, view: str = "reader_postings") -> list[dict[str, Any]]:
        found = service.get(f"/api/views/{view}?form=ndjson&{asked}")
        assert found.status_code == HTTPStatus.OK, found.text
        return [json.loads(line) for line in found.text.splitlines()]

    everything = rows("")
    account = next(row["account"] for row in everything if row["account"])
    middle = everything[len(everything) // 2]["position"]
    assert rows(f"as_of={middle}") == [row for row in everything if row["position"] < middle]
    assert rows(f"since={middle}") == [row for row in everything if row["position"] >= middle]
    of_account = [row for row in everything if row["account"] == account]
    assert rows(f"account={account}") == sorted(
        of_account, key=lambda row: (row["position"], row["posting"])
    )
    bets = rows(f"until={middle}", "reader_bets")
    assert all(0 <= row["first_position"] < middle for row in bets)
    assert rows(f"as_of={middle}", "reader_bets")
    refused = service.get("/api/views/reader_operator_figures?since=1")
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "no such column" in refused.json()["detail"]


@pytest.mark.parametrize("path", ["events", "log", "views/reader_bets", "accounts/a-0001/evidence"])
def test_a_period_that_ends_before_it_begins_is_refused(service: Service, path: str) -> None:
    refused = service.get(f"/api/{path}?since=2026-11-21&until=2026-11-20")
    assert refused.status_code == HTTPStatus.BAD_REQUEST
    assert "ends before it begins" in refused.json()["detail"]


@pytest.mark.parametrize("form", [CSV, NDJSON, ARROW, PARQUET])
def test_rows_come_as_they_lie_in_the_table(service: Service, form: str) -> None:
    """Rows that had to be sorted would all be in memory before the first one leaves.

    A small chain has few.
    """
    asked: list[str] = []

    def ask(sql: str, *_: object, **_given: object) -> Iterator[Any]:
        asked.append(sql)
        return iter(())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "written", lambda _, *given, **more: ask(*given, **more))
        patch.setattr(Store, "batches", lambda _, *given, **more: ask(*given, **more))
        patch.setattr(Store, "blocks", lambda _, *given, **more: ask(*given, **more))
        assert service.get("/api/views/reader_postings", headers={"Accept": form}).is_success
    with service.desk.sources.store() as store:
        store.plan_for(SMALL + 1)
        plan = [next(iter(row.values())) for row in store.rows(f"EXPLAIN PIPELINE {asked[0]}")]
    assert any("InOrder" in step for step in plan), plan
    assert not any("MergeSorting" in step for step in plan), plan


def test_a_download_is_recorded_when_it_begins_and_when_it_ends(service: Service) -> None:
    before = service.accesses()
    given = service.get("/api/views/reader_bets?form=ndjson", "investigator")
    begun, ended = service.desk.chain.newest(Query(), 2)[::-1]
    assert isinstance(begun.event, e.AccessRecorded)
    assert (begun.event.question, begun.event.rows) == ("GET /api/views/{name}", None)
    assert begun.position >= before
    assert ended.event == e.DownloadEnded(
        reader="the-investigator",
        access=begun.position,
        rows=given.text.count("\n"),
        bytes=len(given.content),
        digest=sha256(given.content).hexdigest(),
        whole=True,
    )
    reported = service.get("/api/accesses?reader=the-investigator").json()["answer"]["accesses"]
    assert reported[0]["what"] == "DownloadEnded"
    assert json.loads(reported[0]["parameters"])["access"] == begun.position


@pytest.mark.parametrize(
    ("address", "role", "status"),
    [
        ("/api/views/reader_bets", "data-protection", HTTPStatus.FORBIDDEN),
        ("/api/views/reader_postings", "data-protection", HTTPStatus.FORBIDDEN),
        ("/api/views/reader_cases", "reconciliation", HTTPStatus.FORBIDDEN),
        ("/api/views/reader_account_opened", "data-protection", HTTPStatus.FORBIDDEN),
        ("/api/views/reader_table_opened", "data-protection", HTTPStatus.OK),
        ("/api/views/AccountOpened", "regulator", HTTPStatus.NOT_FOUND),
        ("/api/views/reader_bets?form=json", "regulator", HTTPStatus.NOT_ACCEPTABLE),
        ("/api/views/reader_bets?form=exe", "regulator", HTTPStatus.BAD_REQUEST),
        ("/api/views/reader_bets?as_of=99999999", "regulator", HTTPStatus.BAD_REQUEST),
    ],
)
def test_a_view_asks_for_its_scope(
    service: Service, address: str, role: str, status: HTTPStatus
) -> None:
    assert service.get(address, role).status_code == status
    assert service.desk.downloads._value == DOWNLOADS_MAX  # type: ignore[attr-defined]


def test_so_many_downloads_go_on_at_a_time(service: Service) -> None:
    for _ in range(DOWNLOADS_MAX):
        assert service.desk.downloads.acquire(blocking=False)
    before = service.accesses()
    refused = service.get("/api/views/reader_bets")
    assert refused.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert refused.headers["Retry-After"]
    assert service.accesses() == before
    service.desk.downloads.release(DOWNLOADS_MAX)


def test_a_sheet_for_people_has_a_bound(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "XLSX_ROWS_MAX", 3)
    refused = service.get("/api/views/reader_postings?form=xlsx")
    assert (refused.status_code, refused.json()["type"]) == (
        HTTPStatus.BAD_REQUEST,
        "urn:gameledger:problem:too-many-rows",
    )
    assert (last_end(service).bytes, last_end(service).whole) == (0, False)


class Client:
    """The other end of a connection, which leaves or stalls after so many parts."""

    def __init__(self, *, leaves_after: int | None = None, stalls_after: int | None = None) -> None:
        self.leaves_after, self.stalls_after = leaves_after, stalls_after
        self.parts: list[bytes] = []
        self.has_left = asyncio.Event()
        self.is_complete = False

    async def receive(self) -> dict[str, Any]:
        await self.has_left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.body":
            if len(self.parts) == self.stalls_after:
                await asyncio.Event().wait()
            self.parts.append(message["body"])
            self.is_complete = not message["more_body"]
            if len(self.parts) == self.leaves_after:
                self.has_left.set()
                await asyncio.sleep(0)


def sent_to(client: Client, service: Service, pieces: Any) -> e.DownloadEnded:
    """Send pieces to a client; return what was recorded at the end."""
    service.desk.downloads.acquire()
    basis = Basis(service.desk.sources.opening.chain, 1, "00", 0, 0, 0)
    answer = Answer(Content(pieces, NDJSON, "x.ndjson", Tally()), basis, "r", 7, is_of_chain=False)

    async def run() -> None:
        await Download(service.desk, answer)({}, client.receive, client.send)

    asyncio.run(run())
    return last_end(service)


def pieces_forever() -> Iterator[bytes]:
    while True:
        yield b"x" * 1000


@pytest.mark.parametrize("kind", ["leaves_after", "stalls_after"])
def test_who_leaves_or_stalls_is_cut_off_and_that_is_recorded(
    service: Service, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(downloads, "PART_SECONDS", 0.05)
    pieces = pieces_forever()
    client = Client(**{kind: 3})
    ended = sent_to(client, service, pieces)
    assert (ended.whole, ended.rows) == (False, None)
    assert not client.is_complete
    assert ended.bytes == {"leaves_after": 2000, "stalls_after": 3000}[kind]
    assert next(pieces, None) is None
    assert service.desk.downloads._value == DOWNLOADS_MAX  # type: ignore[attr-defined]


def test_a_large_piece_leaves_in_parts(service: Service) -> None:
    client = Client()
    content = b"y" * (downloads.PART_BYTES * 2 + 1)
    ended = sent_to(client, service, of_bytes(content))
    assert (ended.bytes, ended.whole, ended.access) == (len(content), True, 7)
    assert [len(part) for part in client.parts] == [downloads.PART_BYTES] * 2 + [1, 0]


def test_the_next_pieces_are_made_while_others_are_sent(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even to a client for whom a send never waits."""
    monkeypatch.setattr(downloads, "PART_BYTES", 1)
    monkeypatch.setattr(downloads, "AHEAD_BYTES", 100)
    client, next_begun = Client(), threading.Event()
    sent_before: list[int] = []

    def pieces() -> Iterator[bytes]:
        yield b"x" * 100
        sent_before.append(len(client.parts))
        next_begun.set()
        yield b"y"

    send = client.send

    async def patient(message: Any) -> None:
        await send(message)
        if len(client.parts) == 50:
            next_begun.wait(10)

    monkeypatch.setattr(client, "send", patient)
    assert sent_to(client, service, pieces()).whole
    assert sent_before[0] <= 50


def test_rows_of_parquet_come_in_groups_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "GROUP_BYTES", 10_000)
    columns = [Column("number", "int"), Column("text", "text")]
    blocks = [[list(range(at, at + 100)), ["x" * 10] * 100] for at in range(0, 2_000, 100)]
    content = io.BytesIO(b"".join(FORMATS[PARQUET].write(columns, blocks)))
    file = parquet.ParquetFile(content)
    groups = [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]
    assert sum(groups) == 2_000
    assert len(groups) > 3
    assert max(groups) < 1_000
    assert file.read()["number"].to_pylist() == list(range(2_000))


HOSTILE = ["=1+1", " =1", "+1", "-1", "@x", "\uff1d1", "\t=1", "a\nb", "\x1b[31m", "\u202eevil"]


@pytest.mark.parametrize("text", [*HOSTILE, "plain", "Žižkov", "", "a=1", None])
def test_no_text_acts_in_a_spreadsheet_or_on_a_terminal(text: str | None) -> None:
    """A block of harmless texts takes a short way, so each is tried alone and among others."""
    columns = [Column("a", "text"), Column("b", "json")]
    for texts in ([text], ["x", text, "y"]):
        block = [texts, [[one] for one in texts]]
        for language, separator in ((Language.EN, ","), (Language.CS, ";")):
            written = b"".join(csv_writer(language)(columns, [block])).decode("utf-8-sig")
            file = io.StringIO(written, newline="")
            cells = list(csv.reader(file, delimiter=separator))[1:]
            assert len(cells) == len(texts)
            for line in cells:
                assert line[0].isprintable()
                assert not line[0].lstrip().startswith(("=", "+", "-", "@", "\uff1d"))
        told = b"".join(FORMATS[NDJSON].write(columns, [block])).decode()
        assert told.replace("\n", "").isprintable()
        assert [json.loads(line)["a"] for line in told.splitlines()] == texts


def test_the_hour_that_occurs_twice_keeps_its_offset() -> None:
    twice = from_datetime(datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    columns, block = [Column("at", "moment")], [[twice, twice + HOUR, twice + 3 * HOUR, None]]
    text = b"".join(csv_writer(Language.CS)(columns, [block])).decode()
    assert text.split()[1:] == [
        '"2026-10-25T02:30:00+02:00"',
        '"2026-10-25T02:30:00+01:00"',
        '"25.10.2026',
        '04:30:00"',
    ]
    given = b"".join(FORMATS[XLSX].write(columns, [block]))
    sheet = load_workbook(io.BytesIO(given)).active
    cells = [row[0].value for row in sheet.iter_rows(min_row=2)]  # type: ignore[union-attr]
    assert cells[:2] == ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]
    assert cells[2].isoformat() == "2026-10-25T04:30:00"


def test_a_million_rows_need_no_more_memory_than_a_block() -> None:
    columns = [Column("position", "int"), Column("account", "text")]
    held: list[int] = []

    def blocks() -> Iterator[list[list[Any]]]:
        for first in range(0, 1_000_000, 50_000):
            held.append(first)
            yield [list(range(first, first + 50_000)), ["a-1"] * 50_000]

    for form in (CSV, NDJSON, ARROW, PARQUET):
        held.clear()
        pieces = FORMATS[form].write(columns, blocks())
        sizes = []
        for piece in pieces:
            sizes.append(len(piece))
            assert len(held) <= len(sizes) + 1, "a piece is given for each block"
        assert len(held) == 20
        assert max(sizes) < 3_000_000
