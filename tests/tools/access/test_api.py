"""The API: the answers of the command line, in every form, and problems for everything else."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from jsonschema import Draft202012Validator
from openpyxl import load_workbook
from pyarrow import parquet

from ledger.core.clock import DAY, from_datetime, in_prague
from projections.replay.from_log import RoundLines, replay
from projections.replay.rounds import list_rounds
from projections.store import queries
from projections.words.catalogue import Language, Words, catalogue
from tests.tools.access.access_cases import LANGUAGE
from tests.tools.cli_cases import run_here
from tools.access.app import application
from tools.access.openapi import describe
from tools.access.scopes import ROLES
from tools.data.tables import keep_tables_open

if TYPE_CHECKING:
    from tests.tools.access.access_cases import Service

EN = Words(Language.EN)
ROOT = Path(__file__).parents[3]
DESCRIBED = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))
ADDRESSES = sorted(DESCRIBED["paths"])
OF_THE_CHAIN = {"accesses", "chain", "checkpoints", "events", "games", "log", "readers"}
OF_THE_CHAIN |= {"tables", "views"}
"""What every role may read, or the one that asks in the test."""
SAID_ALIKE = {
    "/api/rounds?limit=20": "round list",
    "/api/rounds?near=2026-11-20T21:03&limit=20": "round list --near 2026-11-20T21:03",
    "/api/rounds/{round}": "round replay {round}",
    "/api/bets?account={account}&limit=20": "bet list --account {account} --limit 20",
    "/api/accounts/{account}/balance": "balance {account}",
    "/api/accounts/{account}/movements?limit=50": "account movements {account}",
    "/api/balances": "balances",
    "/api/play-time": "play-time",
    "/api/findings?now=record": "reconcile",
    "/api/cases?now=record": "complaint list",
    "/api/holds?ended=yes&now=record": "hold list --all",
    "/api/duties?now=record": "duty list",
    "/api/open-items?now=record": "books open-items",
    "/api/games": "games list",
    "/api/games/sazka.roulette_evolution": "games show sazka.roulette_evolution",
    "/api/games/sazka.roulette_evolution/edge": "games edge sazka.roulette_evolution",
    "/api/retention?everybody=yes&as_of=900": "retention show --all --at 900",
}
"""An address, and the command that answers alike."""
CZECH = {"Accept-Language": "cs"}
OF_A_RUN = {"rounds": 0, "bets": 0, "since": 0}
"""What an examination had to look at: less where it continues an earlier one."""


@pytest.fixture(scope="module")
def command_line(played: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the command line says, in one start of the engine."""
    data = shutil.copytree(played, tmp_path_factory.mktemp("command_line") / "data", symlinks=True)

    def said(arguments: str) -> Any:
        done = run_here(*arguments.split(), "--json", data=data)
        assert done.returncode in {0, 1}, done.stderr
        return json.loads(done.stdout)

    with keep_tables_open(data / "projection"):
        (line,) = said("bet list --limit 1")["bets"]
        return {address: said(asked.format(**line)) for address, asked in SAID_ALIKE.items()}


@pytest.fixture(scope="module")
def service(command_line: dict[str, Any], service: Service) -> Service:  # noqa: ARG001 - before it holds the engine
    """The service, once the command line has said what it says."""
    return service


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    """Names of what the evening holds, for the addresses that take one."""
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    (case, *_) = service.get("/api/cases?ended=yes").json()["answer"]["cases"]
    about = {"round": line["round"], "account": line["account"], "view": "reader_bets"}
    about["case"] = case["case"]
    *_, about["package"] = re.findall(r'href="/packages/([^"]+)"', service.get("/packages").text)
    return {**about, "day": "2026-11-20", "game": "sazka.roulette_evolution"}


def address_of(template: str, names: dict[str, str]) -> str:
    kind = template.replace("/changes", "").split("/")[2].rstrip("s")
    parts = {"name": names.get(kind, "nobody"), "one_day": names["day"], "position": "7"}
    parts["period"] = names["day"]
    address = template.format(**parts, file="hra_toky", row="1", size="1")
    asked = {"/api/sql": "?q=SELECT%201"}
    asked["/api/evidence/rounds"] = f"?limit=2&account={names['account']}"
    asked[f"/api/rounds/{names['round']}/letter"] = f"?account={names['account']}"
    return address + asked.get(address, "")


def test_the_description_is_what_the_application_says() -> None:
    assert json.loads(json.dumps(describe(application(None)))) == DESCRIBED


@pytest.mark.parametrize("template", ADDRESSES)
def test_an_answer_is_as_described_and_says_what_it_rests_on(
    service: Service, names: dict[str, str], template: str
) -> None:
    purpose = {"Gameledger-Purpose": "test"}
    found = service.get(address_of(template, names), headers=purpose)
    if found.status_code == HTTPStatus.NOT_FOUND:
        assert found.headers["Content-Type"] == "application/problem+json"
        return
    assert found.status_code == HTTPStatus.OK, found.text
    (operation,) = DESCRIBED["paths"][template].values()
    content = operation["responses"]["200"]["content"]
    assert found.headers["Content-Type"].partition(";")[0] in content
    if "application/json" not in content:
        assert found.headers["Gameledger-Head"]
        return
    schema = content["application/json"]["schema"]
    Draft202012Validator({**schema, "components": DESCRIBED["components"]}).validate(found.json())
    basis = found.json()["basis"]
    assert found.headers["Gameledger-Position"] == str(basis["position"])
    assert found.headers["Gameledger-Head"] == basis["head"]


def test_no_answer_depends_on_how_the_engine_plans_its_queries(
    service: Service, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    of_tables = (one for one in ADDRESSES if not re.search("access|changes|readers|sql", one))
    for address in (address_of(template, names) for template in of_tables):
        quickly, thoroughly = (
            answer_planned_for(small, service, address, monkeypatch) for small in (queries.SMALL, 0)
        )
        assert quickly == thoroughly, address


def answer_planned_for(
    small: int, service: Service, address: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[Any, ...]:
    """Return an answer without what differs from one moment to the next."""
    monkeypatch.setattr(queries, "SMALL", small)
    found = service.get(address, headers={"Gameledger-Purpose": "test"})
    if "application/json" not in found.headers["Content-Type"]:
        return found.status_code, found.headers["Content-Type"]
    answer = found.json()["answer"]
    if isinstance(answer, dict):
        answer |= OF_A_RUN | {"moment": 0}
    return found.status_code, answer


@pytest.mark.parametrize("address", SAID_ALIKE)
def test_the_command_line_says_the_same(
    service: Service, names: dict[str, str], command_line: dict[str, Any], address: str
) -> None:
    answer = service.get(address.format(**names)).json()["answer"]
    said = command_line[address]
    if address.startswith("/api/findings"):
        answer, said = answer | OF_A_RUN, said | OF_A_RUN
    assert answer == said


def test_the_log_and_the_tables_tell_a_round_alike(service: Service) -> None:
    """Written apart: the front page and replays read rounds from the log, lists from the tables."""
    sources = service.desk.sources
    size = sources.projected.size
    with sources.store() as store:
        lines = list_rounds(store, limit=1000).rounds
    assert RoundLines(sources.log).newest(size, 1000) == lines
    for line in {line.game: line for line in lines}.values():
        assert replay(sources.log, line.round, at=size).round == line


@pytest.mark.law("L-21")
def test_who_lacks_the_scope_is_told_so_and_reads_nothing(
    service: Service, names: dict[str, str]
) -> None:
    for template in ADDRESSES:
        before = service.last_answer()
        (method,) = DESCRIBED["paths"][template]
        if method != "get":
            continue
        found = service.get(address_of(template, names), "data-protection")
        if template.replace("/changes", "").split("/")[2] in OF_THE_CHAIN:
            continue
        assert found.status_code == HTTPStatus.FORBIDDEN, template
        assert "basis" not in found.text
        assert service.last_answer() == before


def test_an_answer_that_is_known_is_not_given_again(service: Service) -> None:
    first = service.get("/api/rounds")
    known = {"If-None-Match": first.headers["ETag"]}
    before = service.accesses()
    again = service.get("/api/rounds", headers=known)
    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")
    for name in ("ETag", "Cache-Control", "Vary"):  # RFC 9110, 15.4.5
        assert again.headers[name] == first.headers[name]
    assert service.accesses() == before
    assert service.get("/api/rounds?as_of=100", headers=known).status_code == HTTPStatus.OK


def test_an_answer_that_another_role_has_is_not_that_of_this_reader(service: Service) -> None:
    """A browser offers what it keeps of the reader before (RFC 9111, 4.1)."""
    of_regulator = service.get("/api/events", params={"limit": 1000})
    known = {"If-None-Match": of_regulator.headers["ETag"]}
    for role in ("clerk", "investigator", "data-protection"):
        own = service.get("/api/events", role, params={"limit": 1000}, headers=known)
        assert own.status_code == HTTPStatus.OK
        assert own.content != of_regulator.content


@pytest.mark.parametrize("address", ["/api/accesses", "/api/chain", "/api/packages"])
def test_what_changes_without_the_chain_is_always_given_again(
    service: Service, address: str
) -> None:
    """It has no mark of its own, which would be the same of an answer that is another."""
    known = {"If-None-Match": service.get("/api/rounds").headers["ETag"]}
    found = service.get(address, headers=known)
    assert found.status_code == HTTPStatus.OK
    assert "ETag" not in found.headers


def test_what_is_late_is_judged_at_the_moment_of_the_question(service: Service) -> None:
    """The same messages, asked about at their end and forty days later; each answer says when."""
    head = service.get("/api/balances").json()["basis"]
    ended_at, size = head["recorded_at"], head["position"]
    later = in_prague(ended_at + 40 * DAY).isoformat()
    for path in ("/api/duties", "/api/findings"):
        role = "auditor" if path.endswith("findings") else "regulator"
        then = service.get(path, role, params={"now": "record"}).json()
        now = service.get(path, role, params={"now": later}).json()
        assert then["basis"]["position"] == now["basis"]["position"] == size
        assert then["basis"]["moment"] == ended_at
        assert now["basis"]["moment"] == now["answer"]["moment"] == ended_at + 40 * DAY
        as_of = service.get(path, role, params={"as_of": str(size)}).json()
        assert as_of["basis"]["moment"] == ended_at
        assert as_of["answer"] == then["answer"]
    codes = {one["code"] for one in now["answer"]["findings"]}
    assert "CHAIN_SILENT" in codes - {one["code"] for one in then["answer"]["findings"]}
    open_duties = service.get("/api/duties", params={"now": later}).json()["answer"]["duties"]
    assert open_duties
    overdue = [one["is_overdue"] for one in open_duties]
    assert overdue == [one["until"] <= ended_at + 40 * DAY for one in open_duties]
    shown = service.get("/duties", params={"now": later}).text
    assert shown.count("overdue: ") == sum(overdue)
    for one in open_duties:
        left = one["until"] - (ended_at + 40 * DAY)
        text = f"in time, left: {EN.age(left)}" if left > 0 else f"overdue: {EN.age(-left)}"
        assert text in shown
    for asked, late in (("now", later), ("record", "record")):
        packages = service.get("/packages", params={"now": late}).text
        rows = packages.count('<th scope="row">')
        assert rows == packages.count("overdue: ") + packages.count("in time, left: "), asked
        assert ("overdue: 20 days" in packages) == (asked == "now")
    fresh = service.get("/api/duties").headers
    assert "ETag" not in fresh or fresh["Cache-Control"] == "no-store"


def test_what_was_known_then_is_given_as_it_was(service: Service) -> None:
    early = service.get("/api/rounds?as_of=300").json()
    assert early["basis"]["position"] == 300
    assert all(one["opened_position"] < 300 for one in early["answer"]["rounds"])
    cursor = service.get("/api/rounds?limit=2").json()["answer"]
    later = service.get(f"/api/rounds?limit=2&before={cursor['before']}").json()["answer"]
    opened = [one["opened_position"] for one in [*cursor["rounds"], *later["rounds"]]]
    assert opened == sorted(opened, reverse=True)
    assert len(set(opened)) == 4


def test_a_place_that_the_tables_have_not_reached_is_asked_for_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = service.desk.sources
    size = sources.log.head().size
    monkeypatch.setattr(sources, "projected", sources.projected._replace(size=size - 5))
    early = service.get(f"/api/rounds?as_of={size - 4}")
    assert early.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert early.headers["Retry-After"]
    assert early.json()["detail"] == f"position {size - 4} is not projected yet: repeat in a moment"
    beyond = service.get(f"/api/rounds?as_of={size + 1}")
    assert beyond.status_code == HTTPStatus.BAD_REQUEST
    assert "is not in the chain" in beyond.json()["detail"]
    before = service.get("/api/rounds?as_of=1999-01-01")
    assert before.json()["detail"] == "nothing was recorded by then"
    for address in (f"/api/rounds?as_of={size - 5}", f"/api/chain?as_of={size}"):
        assert service.get(address).status_code == HTTPStatus.OK


def test_a_list_is_the_same_in_every_form(service: Service) -> None:
    def get(accept: str) -> bytes:
        found = service.get("/api/bets?limit=50", headers={"Accept": accept})
        assert found.status_code == HTTPStatus.OK
        assert found.headers["Content-Type"].startswith(accept.split(";", maxsplit=1)[0])
        assert found.headers["Gameledger-Head"]
        return found.content

    rows: list[dict[str, Any]] = json.loads(get("application/json"))["answer"]["bets"]
    assert [json.loads(line) for line in get("application/x-ndjson").splitlines()] == rows
    arrow = pa.ipc.open_stream(get("application/vnd.apache.arrow.stream")).read_all()
    assert arrow.to_pylist() == rows
    columns = parquet.read_table(io.BytesIO(get("application/vnd.apache.parquet")))
    assert columns.to_pylist() == rows
    lines = list(csv.DictReader(io.StringIO(get("text/csv").decode())))
    assert [line["bet"] for line in lines] == [row["bet"] for row in rows]
    assert [Decimal(line["stake (CZK)"]) * 100 for line in lines] == [row["stake"] for row in rows]
    placed = [datetime.fromisoformat(line["placed_at"]) for line in lines]
    assert [from_datetime(one) for one in placed] == [row["placed_at"] for row in rows]
    assert get("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")[:2] == b"PK"


def test_every_list_for_people_says_its_units_and_names_its_file(service: Service) -> None:
    described = service.get("/openapi.json").json()["paths"]
    lists = [
        address
        for address, operations in described.items()
        if "text/csv" in operations["get"]["responses"]["200"]["content"] and "{" not in address
    ]
    lists.remove("/api/sql")
    assert len(lists) > 10
    for address in lists:
        found = service.get(address, params={"form": "csv"}, headers=CZECH)
        assert found.status_code == HTTPStatus.OK, found.text
        heading, *_ = csv.reader(io.StringIO(found.content.decode("utf-8-sig")), delimiter=";")
        assert len(set(heading)) == len(heading), heading
        found = service.get(address, params={"form": "csv"})
        name = address.removeprefix("/api/").replace("/", "-")
        file = re.escape(f'attachment; filename="{name}-')
        assert re.fullmatch(file + r'\d{4}-\d\d-\d\d\.csv"', found.headers["Content-Disposition"])


@pytest.mark.parametrize(
    "address",
    [
        "rounds?limit=1000",
        "bets?limit=1000",
        "findings?state=all",
        "duties?code=",
        "cases?ended=yes",
        "tables?now=",
        "tournaments?as_of=",
        "changes/rounds?from=100",
        "changes/findings?from=100",
        "changes/tables?from=100",
    ],
)
def test_no_cell_of_a_czech_list_is_a_code_with_a_name(service: Service, address: str) -> None:
    given = service.get(f"/api/{address}&form=csv", headers=CZECH)
    _, *rows = csv.reader(io.StringIO(given.content.decode("utf-8-sig")), delimiter=";")
    areas = ("games", "findings", "states", "statuses", "duties", "cases", "offers", "changes")
    codes = {
        code
        for key, name in catalogue(Language.CS).items()
        for area, _, code in [key.partition(".")]
        if area in areas and name != code
    }
    assert {cell for row in rows for cell in row} & codes == set()


def test_a_czech_spreadsheet_opens_a_list_as_numbers_and_dates(service: Service) -> None:
    rows: list[dict[str, Any]] = service.get("/api/bets").json()["answer"]["bets"]
    given = service.get("/api/bets?form=csv", headers=CZECH)
    assert given.content.startswith("\N{BYTE ORDER MARK}".encode())
    text = given.content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text), delimiter=";"))
    for line, row in zip(lines, rows, strict=True):
        assert line["Sázka"] == row["bet"]
        assert int(line["Vklad (Kč)"].replace(",", "")) == row["stake"]
        assert re.fullmatch(r"-?\d+,\d\d", line["Vklad (Kč)"])
        placed = datetime.strptime(line["Vloženo (pražský čas)"], "%d.%m.%Y %H:%M:%S")  # noqa: DTZ007
        assert placed == in_prague(row["placed_at"]).replace(microsecond=0, tzinfo=None)
    again = {**CZECH, "If-None-Match": given.headers["ETag"]}
    assert service.get("/api/bets?form=csv", headers=again).status_code == HTTPStatus.NOT_MODIFIED
    assert service.get("/api/bets?form=csv", headers=again | LANGUAGE).status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    ("headers", "headings"),
    [
        (LANGUAGE, ("Stake (CZK)", "Placed (Prague time)")),
        (CZECH, ("Vklad (Kč)", "Vloženo (pražský čas)")),
    ],
    ids=["en", "cs"],
)
def test_a_sheet_has_numbers_and_dates_below_the_words_of_the_reader(
    service: Service, headers: dict[str, str], headings: tuple[str, str]
) -> None:
    rows: list[dict[str, Any]] = service.get("/api/bets").json()["answer"]["bets"]
    given = service.get("/api/bets?form=xlsx", headers=headers).content
    heading, *lines = load_workbook(io.BytesIO(given)).active.iter_rows()  # type: ignore[union-attr]
    stake, placed = ([one.value for one in heading].index(text) for text in headings)
    assert [round(line[stake].value * 100) for line in lines] == [row["stake"] for row in rows]
    assert all(line[placed].is_date for line in lines)
    for line, row in zip(lines, rows, strict=True):
        exact = in_prague(row["placed_at"]).replace(tzinfo=None)
        assert abs(line[placed].value - exact) < timedelta(milliseconds=1)


def test_foreign_currency_stands_under_no_heading_of_crowns(service: Service) -> None:
    given = service.get("/api/books/2026-11-20?form=csv", headers=CZECH).content.decode("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(given), delimiter=";"))
    assert {"Účet", "Měna", "Konečný stav (v měně řádku)"} <= lines[0].keys()
    statements = service.get("/api/statements?form=csv", headers=CZECH).content.decode("utf-8-sig")
    for heading in (*lines[0], *next(csv.reader(io.StringIO(statements), delimiter=";"))):
        assert heading != "Konto", "an account of a participant"
    assert not any("Kč" in heading for heading in lines[0])


def test_what_is_nested_in_a_list_is_json_in_tables(service: Service) -> None:
    (view, *_) = service.get("/api/views").json()["answer"]
    given = service.get("/api/views?form=arrow").content
    row = pa.ipc.open_stream(given).read_all().to_pylist()[0]
    assert json.loads(row["columns"]) == view["columns"]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/rounds?limit=0", 400),
        ("/api/rounds?limit=99999999999999999999", 400),
        ("/api/rounds?limit=20&limit=30", 400),
        ("/api/rounds?accout=a", 400),
        ("/api/rounds?status=lost", 400),
        ("/api/rounds?before=-1", 400),
        ("/api/rounds?day=2026-02-30", 400),
        ("/api/rounds?as_of=tomorrow", 400),
        ("/api/rounds?as_of=999999999", 400),
        ("/api/rounds?as_of=2026-10-25T02:30", 400),
        ("/api/rounds?account=%00", 400),
        ("/api/rounds?account=" + "x" * 151, 400),
        ("/api/rounds/nope", 404),
        ("/api/rounds/..%2f..%2fetc%2fpasswd", 404),
        ("/api/accounts/%3Cscript%3E", 404),
        ("/api/accounts/nobody/play-time", 404),
        ("/api/accounts/nobody/balance", 404),
        ("/api/accounts/a'%20OR%20'1'='1", 404),
        ("/api/accounts/%E2%80%AEevil", 404),
        ("/api/nothing", 404),
        ("/api/games/nope", 404),
        ("/api/games/sazka.roulette_evolution?version=1066-10-14", 404),
        ("/api/days/yesterday", 400),
    ],
)
def test_a_wrong_parameter_is_a_problem_document(
    service: Service, address: str, status: int
) -> None:
    found = service.get(address)
    assert found.status_code == status, found.text
    assert found.headers["Content-Type"] == "application/problem+json"
    problem = found.json()
    assert problem["status"] == status
    assert problem["type"].startswith("urn:gameledger:problem:")
    assert "\u202e" not in found.text


@pytest.mark.parametrize("template", [one for one in ADDRESSES if "{" in one])
def test_an_address_of_something_unknown_is_not_found(service: Service, template: str) -> None:
    unknown = {"position": "999999999", "row": "999999999", "size": "999999999"}
    parts = defaultdict(lambda: "no-such", unknown, period="2026-13", one_day="2026-13-01")
    found = service.get(template.format_map(parts), headers={"Gameledger-Purpose": "test"})
    is_malformed = "{one_day}" in template and found.status_code == HTTPStatus.BAD_REQUEST
    assert is_malformed or found.status_code == HTTPStatus.NOT_FOUND, found.text
    assert found.json()["detail"]


@pytest.mark.parametrize("method", ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
def test_nothing_can_be_sent_but_questions(service: Service, method: str) -> None:
    for address in ("/api/rounds", "/", "/sign-in"):
        refused = service.client.request(method, address)
        assert (refused.status_code, refused.headers["Allow"]) == (405, "GET, POST")


def test_what_is_too_large_or_packed_is_not_read(service: Service) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    large = service.client.post("/sign-in", content=b"token=" + b"x" * 70_000, headers=form)
    assert large.status_code == 413
    pieces = service.client.post("/sign-in", content=iter([b"x" * 40_000] * 3), headers=form)
    assert pieces.status_code == 413
    packed = service.client.post(
        "/sign-in", content=b"x", headers={**form, "Content-Encoding": "gzip"}
    )
    assert packed.status_code == 415


def test_every_role_has_an_address_and_every_scope_a_role() -> None:
    assert set().union(*ROLES.values())
    for role, scopes in ROLES.items():
        assert scopes, role


def test_tables_are_as_they_were_then(service: Service) -> None:
    tables = service.get("/api/tables").json()["answer"]["tables"]
    first = min(one["position"] for one in tables)
    assert service.get(f"/api/tables?as_of={first}").json()["answer"]["tables"] == []
    (opened,) = service.get(f"/api/tables?as_of={first + 1}").json()["answer"]["tables"]
    assert (opened["position"], opened["limits"]) == (first, [])
    rows = service.get("/api/tables?form=ndjson").text.splitlines()
    assert [json.loads(line) for line in rows] == tables


def test_readers_are_listed_without_what_lets_them_in(service: Service) -> None:
    found = service.get("/api/readers", "data-protection")
    assert {one["name"] for one in found.json()["answer"]} >= {f"the-{role}" for role in ROLES}
    assert "digest" not in found.text
    assert service.get("/api/readers", "investigator").status_code == HTTPStatus.FORBIDDEN
