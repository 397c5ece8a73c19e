"""Findings handled and statements imported from a browser, with a writer at work beside it."""

from __future__ import annotations

import re
import resource
import shutil
import socket
import time
from contextlib import ExitStack, closing
from datetime import date, timedelta
from http import HTTPStatus
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from ledger.core.clock import StoppedClock, SystemClock, in_prague
from ledger.core.errors import AvailabilityError, InputError
from ledger.log.sqlite import SqliteLog
from projections.words.catalogue import Language, Words
from tests.tools.access.access_cases import HANDLED, Service, handled
from tests.tools.cli_cases import run_here
from tests.tools.writer_cases import ANY_PORT, serving
from tests.waiting import PATIENCE_SECONDS
from tools.access import uploads
from tools.access.app import application
from tools.access.pages_actions import IMPORT, Writers
from tools.access.uploads import UPLOAD_BYTES_MAX, Upload, fields_and_file
from tools.data.documents import decoded
from tools.service.address import listening
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener
from tools.web import serving as web_serving
from tools.web.problems import problem_of
from tools.web.serving import config_of, in_thread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

MULTIPART = "multipart/form-data; boundary=x"
FORM = "application/x-www-form-urlencoded"
ADDRESS = f"/findings/{HANDLED}"
SEEN_SECONDS = 60


@pytest.fixture(scope="module")
def service(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = shutil.copytree(played, tmp_path_factory.mktemp("actions") / "data", symlinks=True)
    with Service.over(handled(data, is_closed=False)) as service:
        yield service


@pytest.fixture(scope="module")
def acting(service: Service) -> Iterator[TestClient]:
    """A clerk's browser at a service that acts, beside a writer over HTTP."""
    clock = StoppedClock(last_event(service.data).envelope.recorded_at + 1)
    with (
        closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http,
        serving(service.data, clock=clock, http=http),
    ):
        writers = Writers(
            (http.url,),
            None,
            issuers=service.data / "issuers",
            sources=service.data / "statement-sources.toml",
        )
        browser = Service.browser(application(service.desk, writers=writers))
        sign_in(browser, service, "clerk")
        yield browser


def sign_in(browser: TestClient, service: Service, role: str) -> None:
    assert browser.post("/sign-in", data={"token": service.tokens[role]}).is_redirect


def token_on(page: str) -> str:
    return re.findall(r'name="form_token" value="([^"]+)"', page)[-1]


def last_event(data: Path) -> Any:
    log = SqliteLog(data, writable=False)
    try:
        size = log.head().size
        ((position, message),) = log.read(size - 1, size)
        return decoded(position, message)
    finally:
        log.close()


def test_an_action_is_shown_then_confirmed_and_recorded_in_the_name_of_the_reader(
    service: Service, acting: TestClient
) -> None:
    page = acting.get(ADDRESS).text
    fields = {"form_token": token_on(page), "assignee": "cage-7", "text": "Her <b>shift</b>."}
    before = last_event(service.data)
    asked = acting.post(f"{ADDRESS}/assign", data=fields)
    assert asked.status_code == HTTPStatus.OK
    assert "Her &lt;b&gt;shift&lt;/b&gt;." in asked.text
    assert last_event(service.data).position == before.position
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', asked.text))
    done = acting.post(f"{ADDRESS}/assign", data=hidden)
    recorded = last_event(service.data)
    again = acting.post(f"{ADDRESS}/assign", data=hidden)
    assert last_event(service.data).position == recorded.position, "a double click, or a reload"
    assert f"position {recorded.position}" in again.text.replace(",", "")
    assert f"position {recorded.position}" in done.text.replace(",", "")
    assert recorded.event.assignee == "cage-7"
    altered = acting.post(f"{ADDRESS}/assign", data=hidden | {"assignee": "cage-8"})
    assert last_event(service.data).position == recorded.position, "other content, one identifier"
    assert altered.status_code == HTTPStatus.BAD_REQUEST
    assert (recorded.event.by, recorded.envelope.actor) == ("the-clerk", "the-clerk")
    assert recorded.envelope.source == "serve"
    ends = time.monotonic() + SEEN_SECONDS
    while "cage-7" not in (shown := acting.get(ADDRESS).text) and time.monotonic() < ends:
        time.sleep(0.2)
    assert "cage-7" in shown


def test_what_can_not_be_recorded_is_told_and_nothing_is_sent(
    service: Service, acting: TestClient
) -> None:
    fields = {"form_token": token_on(acting.get(ADDRESS).text), "command_id": str(uuid4())}
    before = last_event(service.data)
    assert acting.post(f"{ADDRESS}/close", data=fields).status_code == HTTPStatus.BAD_REQUEST
    assert acting.post(f"{ADDRESS}/burn", data=fields).status_code == HTTPStatus.BAD_REQUEST
    text = {"text": "Paid back."}
    altered = acting.post(f"{ADDRESS}/close", data=fields | text | {"command_id": "1"})
    assert altered.status_code == HTTPStatus.BAD_REQUEST
    assert "open the finding again" in altered.text
    assert acting.post(f"{ADDRESS}/close", data=text).status_code == HTTPStatus.FORBIDDEN
    foreign = acting.post(
        f"{ADDRESS}/close", data=fields | text, headers={"Origin": "https://evil.example"}
    )
    assert foreign.status_code == HTTPStatus.FORBIDDEN
    assert last_event(service.data).position == before.position


def test_only_a_clerk_acts(service: Service, acting: TestClient) -> None:
    browser = Service.browser(acting.app)
    sign_in(browser, service, "regulator")
    page = browser.get(ADDRESS).text
    assert "gameledger finding close" in page
    fields = {"form_token": token_on(page), "command_id": str(uuid4()), "text": "x"}
    assert browser.post(f"{ADDRESS}/close", data=fields).status_code == HTTPStatus.FORBIDDEN


STATEMENT = "at,amount,fee,order\n2026-11-20,500.00,5.00,{}\n{},12.00,0.12,d-unknown\n"


@pytest.fixture(scope="module", autouse=True)
def issuer(service: Service) -> str:
    """Name an issuer that the clerk may choose."""
    folder = service.data / "issuers"
    folder.mkdir()
    columns = {"booked": "at", "amount": "amount", "fee": "fee", "reference": "order"}
    text = "".join(f'{name} = "{column}"\n' for name, column in columns.items())
    (folder / "cards.toml").write_text(f'kind = "PAYMENTS"\nformat = "csv"\n[columns]\n{text}')
    return "cards"


def upload(browser: TestClient, content: str | bytes, name: str = "day.csv") -> Any:
    token = token_on(browser.get("/statements").text)
    sent = {"form_token": token, "issuer": "cards"}
    return browser.post("/statements/import", data=sent, files={"file": (name, content)})


def test_a_statement_is_shown_then_imported_in_the_name_of_the_reader(
    service: Service, acting: TestClient, issuer: str
) -> None:
    before = last_event(service.data)
    today = in_prague(SystemClock().now()).date()
    content = STATEMENT.format("d-1", today)
    shown = upload(acting, content, "C:\\x\\..\\<day>.csv")
    assert shown.status_code == HTTPStatus.OK, shown.text
    assert "_day_.csv" in shown.text
    assert last_event(service.data).position == before.position
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
    assert acting.post("/statements/import", data=hidden | {"form_token": "x"}).status_code == 403
    done = acting.post("/statements/import", data=hidden)
    assert done.status_code == HTTPStatus.OK, done.text
    recorded = last_event(service.data)
    assert (recorded.event.type, recorded.event.issuer) == ("StatementImported", issuer)
    assert (recorded.envelope.actor, recorded.envelope.source) == ("the-clerk", "serve")
    assert acting.post("/statements/import", data=hidden).status_code == HTTPStatus.BAD_REQUEST
    again = upload(acting, content)
    assert again.status_code == HTTPStatus.BAD_REQUEST
    assert "is imported already" in again.text
    ends = time.monotonic() + SEEN_SECONDS
    while recorded.event.statement not in (page := acting.get("/statements").text):
        assert time.monotonic() < ends
        time.sleep(0.2)
    english = Words(Language.EN)
    first, last, until = map(english.date, (date(2026, 11, 20), today, today + timedelta(days=2)))
    assert re.search(rf"<h2[^>]*>cards, {first} . {last}</h2>", page)
    assert "2 lines" in page
    (line,) = (row for row in page.split("</tr>") if "d-unknown" in row)
    assert f"until {until}" in line


def test_statements_are_fetched_by_a_button_once_each(
    service: Service, acting: TestClient, issuer: str, tmp_path: Path
) -> None:
    assert "/statements/fetch" not in acting.get("/statements").text
    day = in_prague(last_event(service.data).envelope.recorded_at).date()
    head, line = "at,amount,fee,order\n", f"{day - timedelta(days=60)},7.00,0.00,d-fetched\n"
    (tmp_path / "good.csv").write_text(head + line)
    (tmp_path / "bad.csv").write_text(head + line.replace("7.00", "seven"))
    settings = f'issuer = "{issuer}"\nfolder = "{tmp_path}"\nsettle_seconds = 0.05\n'
    (service.data / "statement-sources.toml").write_text(f"[cards]\n{settings}")
    page = acting.get("/statements").text
    assert 'action="/statements/fetch"' in page
    sent = {"form_token": token_on(page)}
    assert acting.post("/statements/fetch", data={"form_token": "x"}).status_code == 403
    done = acting.post("/statements/fetch", data=sent)
    assert done.status_code == HTTPStatus.OK, done.text
    recorded = last_event(service.data)
    assert (recorded.event.type, recorded.envelope.actor) == ("StatementImported", "the-clerk")
    assert "is no amount" in done.text
    assert recorded.event.statement in done.text
    again = acting.post("/statements/fetch", data=sent)
    assert "imported before" in again.text
    assert last_event(service.data).position == recorded.position
    regulator = Service.browser(acting.app)
    sign_in(regulator, service, "regulator")
    page = regulator.get("/statements").text
    assert 'action="/statements/fetch"' not in page
    sent = {"form_token": token_on(page)}
    assert regulator.post("/statements/fetch", data=sent).status_code == HTTPStatus.FORBIDDEN


def test_all_faults_of_a_statement_are_shown_at_once_and_nothing_is_recorded(
    service: Service, acting: TestClient
) -> None:
    wrong = (
        STATEMENT.format("d-1,surplus", "2026-11-21").replace("12.00,", "twelve,")
        + "2026-13-01,1,1,x\n"
    )
    before = last_event(service.data)
    shown = upload(acting, wrong)
    assert shown.status_code == HTTPStatus.BAD_REQUEST
    faults = re.findall(r"<li>(line \d+, column[^<]*)</li>", shown.text.partition("<ol>")[2])
    assert [one.partition(",")[0] for one in faults] == ["line 2", "line 3", "line 4"]
    assert 'name="upload"' not in shown.text
    assert last_event(service.data).position == before.position


@pytest.mark.parametrize("content", [b"", b"\x00\xff\r\n--x", b"a\rb\n\r\n"])
def test_the_bytes_of_an_upload_are_those_of_the_file(content: bytes) -> None:
    body = (
        b'--b\r\nContent-Disposition: form-data; name="issuer"\r\n\r\nk\xc5\xaf\xc5\x88\r\n'
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
        b"Content-Type: text/csv\r\n\r\n" + content + b"\r\n--b--\r\n"
    )
    assert fields_and_file("multipart/form-data; boundary=b", body) == Upload(
        "a.csv", content, {"issuer": "kůň"}
    )


def _nested(depth: int) -> bytes:
    """Return forms within forms."""
    names = [b"b%d" % number for number in range(depth)]
    opened = b"--%s\r\nContent-Type: multipart/form-data; boundary=%s\r\n\r\n"
    return b"".join(opened % pair for pair in pairwise([b"b", *names]))


@pytest.mark.parametrize(
    "body",
    [
        _nested(5_000),
        b"--b\r\n" + b"Content-Disposition: form-data;" + b" x=y;" * 3_000_000 + b"\r\n\r\n--b--",
        b"--b\r\n\r\n\r\n" * 1_000_000 + b"--b--",
        b"--b" + b"\r\nX: y" * 2_000_000,
        b"--b\r\nContent-Disposition: form-data;" + b' x=";"' * 1_000_000 + b"\r\n\r\n--b--",
    ],
    ids=["nested", "long header", "many parts", "many headers", "quoted"],
)
def test_a_form_that_costs_too_much_is_refused_within_its_bounds(
    monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    assert len(body) <= UPLOAD_BYTES_MAX
    monkeypatch.setattr(uploads, "BOUNDS", uploads.BOUNDS._replace(seconds=3))
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with pytest.raises(InputError):
        fields_and_file("multipart/form-data; boundary=b", body)
    assert time.monotonic() - begun < PATIENCE_SECONDS
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 200_000, "the service itself parses nothing"


@pytest.mark.parametrize("parameter", [b"filename*=\0''a.csv", b"filename*%s*=a" % (b"9" * 5_000)])
def test_a_form_with_a_parameter_that_is_none_is_malformed(
    capfd: pytest.CaptureFixture[str], parameter: bytes
) -> None:
    body = b"--b\r\nContent-Disposition: form-data; " + parameter + b"\r\n\r\n--b--"
    with pytest.raises(InputError, match="malformed"):
        fields_and_file("multipart/form-data; boundary=b", body)
    assert "Traceback" not in capfd.readouterr().err


def test_uploads_that_come_at_once_are_told_to_come_again() -> None:
    kept = uploads.Uploads()
    with kept.reading(), kept.reading():
        with pytest.raises(AvailabilityError) as caught, kept.reading():
            pass
        problem = problem_of(caught.value)
        assert problem.status == HTTPStatus.SERVICE_UNAVAILABLE
        assert "Retry-After" in problem.headers
    with kept.reading():
        pass


@pytest.mark.parametrize("role", ["reconciliation", "regulator"])
def test_only_a_clerk_imports(service: Service, acting: TestClient, role: str) -> None:
    browser = Service.browser(acting.app)
    sign_in(browser, service, role)
    page = browser.get("/statements").text
    assert "gameledger statement import" in page, page
    assert "multipart/form-data" not in page
    refused = upload(browser, STATEMENT.format("d-1", "2026-11-21"))
    assert refused.status_code == HTTPStatus.FORBIDDEN


def test_an_upload_is_bounded_and_kept_for_its_session_alone(
    service: Service, acting: TestClient
) -> None:
    too_large = upload(acting, b"0" * UPLOAD_BYTES_MAX)
    assert too_large.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    shown = upload(acting, STATEMENT.format("d-2", "2026-11-21"))
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown.text))
    other = Service.browser(acting.app)
    sign_in(other, service, "clerk")
    hidden["form_token"] = token_on(other.get("/statements").text)
    taken = other.post("/statements/import", data=hidden)
    assert taken.status_code == HTTPStatus.BAD_REQUEST
    assert "choose it again" in taken.text


def test_a_service_without_actions_has_no_address_that_acts(service: Service) -> None:
    sent = {"form_token": "x", "command_id": str(uuid4()), "text": "x"}
    assert "gameledger finding close" in service.get(ADDRESS, "clerk").text
    answer = service.client.post(f"{ADDRESS}/close", data=sent)
    assert answer.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
    sent_to = service.client.post("/statements/import", data=sent, files={"file": ("a", b"a")})
    assert sent_to.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}


def test_actions_without_a_writer_are_refused(service: Service) -> None:
    done = run_here("serve", "--actions", "--listen", "127.0.0.1:0", data=service.copy)
    assert done.returncode == 2
    assert "--writers" in done.stderr


@pytest.mark.parametrize("kind", [MULTIPART, FORM])
def test_half_of_an_upload_gives_its_place_back_in_time(
    acting: TestClient, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    cookies = "; ".join(f"{one.name}={one.value}" for one in acting.cookies.jar)
    head = (
        f"POST {IMPORT} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookies}\r\n"
        f"Content-Type: {kind}\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
    ).encode()
    monkeypatch.setattr(web_serving, "BODY_SECONDS", 1.0)
    with (
        ExitStack() as stack,
        listening("127.0.0.1:0") as port,
        in_thread(config_of(acting.app), port, "port"),
    ):

        def asking() -> socket.socket:
            wire = stack.enter_context(socket.create_connection(port.getsockname(), SEEN_SECONDS))
            wire.sendall(head)
            return wire

        def status(wire: socket.socket) -> int:
            return int(wire.makefile("rb").readline().split()[1])

        half = [asking() for _ in range(uploads.AT_ONCE)]
        assert [status(wire) for wire in half] == [HTTPStatus.CONTINUE] * len(half)
        if kind == MULTIPART:
            assert status(asking()) == HTTPStatus.SERVICE_UNAVAILABLE
        for wire in half:
            wire.sendall(b"1")
        for wire in half:
            answer = wire.makefile("rb").read()
            assert b"HTTP/1.1 408 " in answer
            assert b"1 s" in answer
        assert status(asking()) == HTTPStatus.CONTINUE
