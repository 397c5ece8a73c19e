"""Readers on the command line, beside a running service, and the chain that tells who read what."""

from __future__ import annotations

import fcntl
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from threading import Event, Semaphore
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from ledger.core.clock import StoppedClock
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events import event_types as e
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from tests.tools.access.access_cases import moment
from tests.tools.cli_cases import SECONDS_MAX, run_here
from tools.access import chain as access_chain
from tools.access.accesses import ShownAccount, read_accesses
from tools.access.anchor import anchored
from tools.access.chain import AccessChain
from tools.access.sources import Sources
from tools.data import DataDirectory, tables
from tools.data.locations import LOCAL, Locations
from tools.practice.certificates import write_practice_certificates

if TYPE_CHECKING:
    from pathlib import Path

    from tests.tools.access.access_cases import Service


OPENED = e.ChainOpened(
    operator="1", operator_name="T", chain="t/access", format_version=1, hash_algorithm="sha256"
)


def test_a_reader_added_beside_the_service_reads_until_revoked(service: Service) -> None:
    arguments = ("reader", "add", "mf-1", "--role", "investigator", "--until", "2199-01-01")
    given = json.loads(run_here(*arguments, "--json", data=service.data).stdout)
    headers = {"Authorization": f"Bearer {given['token']}"}
    assert service.client.get("/api/chain", headers=headers).status_code == HTTPStatus.OK
    again = run_here(*arguments, data=service.data)
    assert (again.returncode, "there is a reader mf-1" in again.stderr) == (2, True)
    renewed = run_here("reader", "renew", "mf-1", "--until", "2199-02-01", data=service.data)
    assert renewed.returncode == 0
    assert service.client.get("/api/chain", headers=headers).status_code == 401
    gone = run_here("reader", "revoke", "mf-1", "--reason", "left", data=service.data)
    assert gone.returncode == 0
    listed = json.loads(run_here("reader", "list", "--json", data=service.data).stdout)
    assert [one["name"] for one in listed if one["revoked_at"] is not None] == ["mf-1"]
    assert given["token"] not in json.dumps(listed)
    assert service.get("/api/chain").status_code == HTTPStatus.OK


def test_a_reader_keeps_a_certificate_and_nobody_else_gets_it(
    service: Service, tmp_path: Path
) -> None:
    write_practice_certificates(tmp_path / "tls", ["localhost"], ["mf.example"])
    shown = ("--until", "2199-01-01", "--certificate", str(tmp_path / "tls" / "mf.example.crt"))
    added = run_here("reader", "add", "by-crt", "--role", "auditor", *shown, data=service.data)
    assert added.returncode == 0, added.stderr
    renewed = run_here("reader", "renew", "by-crt", *shown, data=service.data)
    assert renewed.returncode == 0, renewed.stderr
    again = run_here("reader", "add", "other", "--role", "auditor", *shown, data=service.data)
    assert (again.returncode, "certificate of reader by-crt" in again.stderr) == (2, True)


@pytest.mark.law("L-21")
def test_the_chain_of_accesses_is_verified_as_any_chain(service: Service) -> None:
    read = service.get("/api/chain", headers={"Gameledger-Purpose": "MF-7"})
    assert read.status_code == HTTPStatus.OK, read.text
    done = run_here("log", "verify", "--access", "--json", data=service.data)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["chain"] == "sazka-live/access"
    report = json.loads(run_here("access", "report", "--json", data=service.data).stdout)
    newest = report["accesses"][0]
    assert (newest["reader"], newest["purpose"]) == ("the-regulator", "MF-7")
    assert newest["what"] == "GET /api/chain"


@pytest.mark.parametrize("kind", ["account", "reader"])
def test_nobody_is_said_to_have_read_nothing_who_is_mistyped(service: Service, kind: str) -> None:
    done = run_here("access", "report", f"--{kind}", "a-00001", data=service.data)
    assert done.returncode == 2
    assert f"{kind} a-00001 is unknown" in done.stderr
    asked = service.get(f"/api/accesses?{kind}=a-00001", "data-protection")
    assert asked.status_code == HTTPStatus.BAD_REQUEST
    assert asked.json()["detail"] == f"{kind} a-00001 is unknown: no event names it"


def test_who_is_known_and_was_not_read_about_has_an_empty_report(service: Service) -> None:
    opened = service.get("/api/events?type=AccountOpened&limit=1").json()["answer"]["events"]
    name = opened[0]["facts"]["account"]
    done = run_here("access", "report", "--account", name, "--before", "0", data=service.data)
    assert done.returncode == 0, done.stderr
    assert "Nobody read anything like that." in done.stdout


@pytest.mark.law("L-21")
def test_when_the_access_can_not_be_recorded_nothing_is_read(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.desk.chain.wait_until_current()
    log = service.desk.chain._require_log()

    def full(_: object) -> None:
        raise AvailabilityError("the disk is full")

    monkeypatch.setattr(log, "append", full)
    found = service.get("/api/chain")
    assert found.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert found.headers["Content-Type"] == "application/problem+json"
    assert "nothing is read" in found.json()["detail"]
    assert service.desk.sources.opening.operator_name not in found.text
    monkeypatch.undo()
    assert service.get("/api/chain").status_code == HTTPStatus.OK


def test_accesses_at_once_share_a_transaction_and_none_is_lost(service: Service) -> None:
    before = service.accesses()
    ended = e.ReaderSignedOut(reader="the-auditor")
    with ThreadPoolExecutor(16) as pool:
        places = list(pool.map(lambda _: service.desk.chain.record(ended), range(200)))
    assert sorted(places) == list(range(before, before + 200))


def test_nobody_takes_an_access_for_recorded_that_fell_with_those_of_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, before = service.desk.chain, service.accesses()

    def broken(_: object) -> None:
        raise ValueError("a bug")

    monkeypatch.setattr(chain._require_log(), "append", broken)
    ended = e.ReaderSignedOut(reader="the-auditor")
    with ThreadPoolExecutor(2) as pool:
        with chain._writing:
            asked = [pool.submit(chain.record, ended) for _ in range(2)]
            while len(chain._waiting) < len(asked):
                Event().wait(0.01)
        errors = [type(one.exception()) for one in asked]
    monkeypatch.undo()
    assert sorted(error.__name__ for error in errors) == ["AvailabilityError", "ValueError"]
    assert service.accesses() == before


@pytest.mark.parametrize("error", [AvailabilityError, OSError, RuntimeError])
def test_a_chain_that_could_not_be_opened_after_a_turn_is_opened_when_it_can(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the service would answer nothing until somebody began it anew."""
    monkeypatch.setattr(access_chain, "PATIENCE_SECONDS", 0.2)
    tried = Event()

    def away(*_: object, **__: object) -> None:
        tried.set()
        raise error("no descriptor is free")

    with AccessChain(tmp_path, OPENED, lambda _: None, serving=True) as chain:
        with (tmp_path / "turn.lock").open() as turn, monkeypatch.context() as patched:
            patched.setattr(access_chain, "SqliteLog", away)
            fcntl.flock(turn, fcntl.LOCK_EX)
            while chain._log is not None:
                Event().wait(0.01)
            fcntl.flock(turn, fcntl.LOCK_UN)
            assert tried.wait(SECONDS_MAX)
            while chain._fault is None:
                Event().wait(0.01)
            with pytest.raises(AvailabilityError, match="written: no descriptor is free"):
                chain.wait_until_current()
            with chain._writing:
                pass  # it gave up
        monkeypatch.undo()
        chain.wait_until_current()
        chain.record(e.ReaderSignedOut(reader="a"))


def test_a_log_of_accesses_that_has_stopped_is_opened_again(tmp_path: Path) -> None:
    """An append of unknown outcome closes a log for good; nobody else would open it again."""
    signed_out = e.ReaderSignedOut(reader="a")
    with AccessChain(tmp_path, OPENED, lambda _: None, serving=True) as chain:
        first = chain.record(signed_out)
        log = chain._require_log()
        assert isinstance(log, SqliteLog)
        log._stop(log._unknown("disk I/O error"))
        with pytest.raises(AvailabilityError, match="the outcome of an append"):
            chain.record(signed_out)
        chain.wait_until_current()
        assert chain.record(signed_out) == first + 1


def test_the_head_of_the_accesses_is_recorded_again_whatever_went_wrong_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Semaphore(0)

    def failing(_: DataDirectory) -> None:
        tried.release()
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(DataDirectory, "write", failing)
    data, chain = DataDirectory(tmp_path, Locations(writers="localhost:1")), Mock()
    with anchored(data, chain, seconds=0.01):
        assert all(tried.acquire(timeout=SECONDS_MAX) for _ in range(2))


def test_nobody_is_told_that_tables_answer_which_could_not_be_opened(
    studio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise OSError("too many open files")

    monkeypatch.setattr(tables, "for_questions", failing)
    with closing(Sources(DataDirectory(studio, LOCAL))) as sources:
        assert not sources.wait_until_ready(SECONDS_MAX)
        with pytest.raises(AvailabilityError, match="too many open files"), sources.store():
            pass


def test_a_chain_of_accesses_that_was_damaged_meanwhile_is_left_alone_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_chain, "PATIENCE_SECONDS", 0.2)
    tried: list[int] = []

    def damaged(*_: object, **__: object) -> None:
        tried.append(1)
        raise IntegrityError("message 3 is torn")

    with AccessChain(tmp_path, OPENED, lambda _: None, serving=True) as chain:
        monkeypatch.setattr(access_chain, "SqliteLog", damaged)
        with (tmp_path / "turn.lock").open() as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            while chain._current.is_set():
                Event().wait(0.01)
        chain._giving.join(SECONDS_MAX)
        with pytest.raises(AvailabilityError, match="message 3 is torn"):
            chain.wait_until_current()
    assert len(tried) == 1


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("trial", "--role", "auditor", "--until", "2199-01-01"), "name of a reader"),
        (("x y", "--role", "auditor", "--until", "2199-01-01"), "name of a reader"),
        (("x", "--role", "king", "--until", "2199-01-01"), "there is no role"),
        (("x", "--role", "auditor", "--until", "2020-01-01"), "name a day to come"),
    ],
)
def test_a_reader_that_can_not_be_is_not_added(
    service: Service, arguments: tuple[str, ...], text: str
) -> None:
    done = run_here("reader", "add", *arguments, data=service.data)
    assert (done.returncode, text in done.stderr) == (2, True), done.stderr


def test_the_head_of_the_accesses_in_the_chain_finds_what_is_missing(tmp_path: Path) -> None:
    """A chain of accesses that was cut behind a recorded head is not verified, nor recorded."""
    names = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run_here("init", *names, data=tmp_path).returncode == 0
    reader = ("reader", "add", "mf-1", "--role", "auditor", "--until", "2199-01-01")
    assert run_here(*reader, data=tmp_path).returncode == 0
    kept = shutil.copytree(tmp_path / "access", tmp_path / "kept")
    revoke = ("reader", "revoke", "mf-1", "--reason", "left")
    assert run_here(*revoke, data=tmp_path).returncode == 0
    assert run_here("access", "record", "--json", data=tmp_path).returncode == 0
    whole = run_here("log", "verify", "--access", data=tmp_path)
    assert whole.returncode == 0
    assert "the first 13 are those whose head the chain itself recorded last" in whole.stdout
    assert "not read again" not in whole.stdout
    assert run_here("log", "verify", data=tmp_path).returncode == 0
    shutil.rmtree(tmp_path / "access")
    kept.rename(tmp_path / "access")
    cut = run_here("log", "verify", "--access", data=tmp_path)
    assert (cut.returncode, "cut off" in cut.stderr) == (3, True), cut.stderr
    again = run_here("access", "record", data=tmp_path)
    assert (again.returncode, "accesses are missing" in again.stderr) == (3, True), again.stderr


def test_a_lost_chain_of_accesses_is_never_silently_begun_again(tmp_path: Path) -> None:
    """Not by a reader who is added, nor by one of the same length; its successor is recorded."""
    names = ("--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run_here("init", *names, data=tmp_path).returncode == 0
    assert run_here("access", "begin", data=tmp_path).returncode == 2
    reader = ("reader", "add", "mf-1", "--role", "auditor", "--until", "2199-01-01")
    assert run_here(*reader, data=tmp_path).returncode == 0
    assert run_here("access", "record", data=tmp_path).returncode == 0
    assert run_here("access", "begin", data=tmp_path).returncode == 2
    (tmp_path / "access").rename(tmp_path / "lost")
    for command in (reader, ("access", "record"), ("reader", "list")):
        done = run_here(*command, data=tmp_path)
        assert (done.returncode, "is not in" in done.stderr) == (3, True), done.stderr
    other = run_here("init", *names, data=tmp_path / "other")
    assert other.returncode == 0
    assert run_here(*reader, data=tmp_path / "other").returncode == 0
    shutil.copytree(tmp_path / "other" / "access", tmp_path / "access")
    done = run_here("access", "record", data=tmp_path)
    assert (done.returncode, "are not those" in done.stderr) == (3, True), done.stderr
    shutil.rmtree(tmp_path / "access")
    begun = run_here("access", "begin", data=tmp_path)
    assert begun.stdout.startswith("test/access-2 begins"), begun.stderr
    assert run_here(*reader, data=tmp_path).returncode == 0
    assert run_here("access", "record", data=tmp_path).returncode == 0
    assert run_here("log", "verify", "--access", data=tmp_path).returncode == 0
    heads = run_here("log", "show", "--type", "AccessHeadRecorded", "--json", data=tmp_path)
    assert [json.loads(line)["facts"]["chain"] for line in heads.stdout.splitlines()] == [
        "test/access",
        "test/access-2",
        "test/access-2",
    ]


def test_the_grants_of_a_server_give_nothing_but_select(tmp_path: Path) -> None:
    found = json.loads(run_here("access", "grants", "--json", data=tmp_path).stdout)
    granted = [line for line in found if line.startswith("GRANT")]
    assert granted == [
        "GRANT SELECT ON gameledger.* TO gameledger_access",
        "GRANT SELECT ON gameledger_*.* TO gameledger_access",
    ]
    assert run_here("access", "grants", "--user", "x; DROP", data=tmp_path).returncode == 2


def test_a_person_is_unmasked_for_a_purpose_and_that_is_a_fact(service: Service) -> None:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    address = f"/api/accounts/{line['account']}/person"
    purpose = {"Gameledger-Purpose": "MF-3/2026"}
    assert service.get(address).status_code == HTTPStatus.BAD_REQUEST
    assert service.get(address, "auditor", headers=purpose).status_code == HTTPStatus.FORBIDDEN
    found = service.get(address, headers=purpose)
    assert found.status_code == HTTPStatus.OK, found.text
    fields = found.json()["answer"]["fields"]
    (fact,) = service.desk.chain.newest(Query(types=("PersonUnmasked",)), 1)
    assert isinstance(fact.event, e.PersonUnmasked)
    assert (fact.event.account, fact.event.purpose) == (line["account"], "MF-3/2026")
    assert set(fact.event.fields) == set(fields)
    assert fields["name"]
    assert fields["name"] not in repr(fact.event)
    assert fields["name"] not in service.get(f"/accounts/{line['account']}").text


def test_whom_a_question_by_tags_or_of_a_case_is_about_is_recorded(service: Service) -> None:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    account, round_name = line["account"], line["round"]
    filed = service.get("/api/events?type=ComplaintFiled").json()["answer"]["events"]
    case = filed[0]["facts"]
    tags = f"tag=account:{account}&tag=round:{round_name}"
    tagged = service.get(f"/api/events?type=BetPlaced&{tags}")
    placed = tagged.json()["answer"]["events"][0]["position"]
    by_account, by_round = f"tag=account:{account}", f"tag=round:{round_name}"
    for address, about in (
        (f"/api/events?{by_round}&{by_account}", (account, round_name)),
        (f"/api/events?{by_account}&tag=account:other", (account, "")),
        (f"/events?{by_account}", (account, "")),
        (f"/events?{by_round}", ("", round_name)),
        (f"/api/cases/{case['case']}", (case["account"], "")),
        (f"/cases/{case['case']}", (case["account"], "")),
        ("/api/events?tag=game:x", ("", "")),
        (f"/api/events/{placed}", (account, round_name)),
        (f"/api/events/{placed}/message", (account, round_name)),
        (f"/events/{placed}", (account, round_name)),
    ):
        found = service.get(address)
        assert found.status_code == HTTPStatus.OK, address
        access = service.last_access()
        assert (access.account, access.round) == about, address
    for name in ("", "%00", "x" * 5_000):
        assert service.get(f"/api/events?tag=account:{name}").status_code < 500
    listed = service.get(f"/api/accesses?account={case['account']}", "data-protection").json()
    questions = {one["what"] for one in listed["answer"]["accesses"]}
    assert {"GET /api/cases/{name}", "GET /cases/{name}"} <= questions


@pytest.mark.parametrize(
    "address", ["/api/packages/{}/hra_toky/1", "/packages/{}?file=hra_toky&row=1"]
)
def test_whom_a_row_of_a_package_is_about_is_recorded(service: Service, address: str) -> None:
    packages = service.get("/api/packages?limit=500").json()["answer"]
    package = next(one["package"] for one in packages if "-V-2026112016-" in one["package"])
    shown = service.get(f"/api/packages/{package}/hra_toky/1").json()["answer"]["events"]
    (account,) = {one["facts"]["account"] for one in shown if one["facts"].get("account")}
    (round_name,) = {one["facts"]["round"] for one in shown if one["facts"].get("round")}
    found = service.get(address.format(package))
    assert found.status_code == HTTPStatus.OK
    access = service.last_access()
    assert (access.account, access.round) == (account, round_name)


def test_whom_a_search_found_is_recorded(service: Service) -> None:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    for kind in ("account", "round"):
        found = service.get("/search", params={"q": line[kind]}, follow_redirects=False)
        assert found.status_code == HTTPStatus.SEE_OTHER
        access = service.last_access()
        assert (access.question, getattr(access, kind)) == ("GET /search", line[kind])


def test_every_value_of_a_parameter_is_recorded(service: Service) -> None:
    assert service.get("/api/events?tag=game:x&limit=2&tag=game:y").status_code == HTTPStatus.OK
    recorded = json.loads(service.last_parameters())
    assert recorded == {"tag": ["game:x", "game:y"], "limit": "2"}


@pytest.mark.law("L-58")
def test_what_was_looked_for_is_in_no_file_in_clear(service: Service) -> None:
    looked_for = "Anna Karenina"
    service.get("/search", params={"q": looked_for}, follow_redirects=False)
    service.get("/api/sql", params={"q": f"SELECT '{looked_for}' AS who"})
    service.get("/api/events", params={"tag": f"account:{looked_for}"})
    assert looked_for in service.last_parameters()
    files = [one for one in (service.data / "access").rglob("*") if one.is_file()]
    assert len(files) > 2
    assert not [one.name for one in files if looked_for.encode() in one.read_bytes()]
    report = run_here("access", "report", "--json", data=service.data)
    assert looked_for in report.stdout


@pytest.mark.law("L-58")
def test_the_key_of_a_month_of_accesses_is_destroyed_and_that_is_recorded(tmp_path: Path) -> None:
    folder, before, later = tmp_path / "access", moment("2026-11-22"), moment("2029-12-01")
    accesses = [before, moment("2028-01-01")]
    for at in accesses:
        with AccessChain(
            folder, OPENED, lambda _: None, serving=False, clock=StoppedClock(at)
        ) as chain:
            month, sealed = chain.sealed('{"q": "Anna"}')
            chain.record(access(period_key=month, parameters=sealed))
            assert chain.due_keys() == []
    clock = StoppedClock(later)
    with AccessChain(folder, OPENED, lambda _: None, serving=False, clock=clock) as chain:
        assert [one.parameters for one in read_accesses(chain).accesses] == ['{"q": "Anna"}'] * 2
        assert chain.due_keys() == ["access:2026-11"]
        chain.destroy("access:2026-11")
        assert chain.due_keys() == []
        shown = [one.parameters for one in read_accesses(chain).accesses]
        assert shown == ['{"q": "Anna"}', "(erased)"]
        (gone,) = chain.newest(Query(types=("PeriodKeyDestroyed",)), 5)
        assert gone.event.fields == ("AccessRecorded.parameters",)  # type: ignore[attr-defined]


def test_a_key_of_accesses_that_a_crash_left_is_destroyed_at_the_next_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = StoppedClock(moment("2026-11-22"))
    with AccessChain(tmp_path, OPENED, lambda _: None, serving=False, clock=clock) as chain:
        month, _ = chain.sealed("{}")
        with monkeypatch.context() as patched:
            patched.setattr(KeyStore, "destroy", lambda *_: None)
            chain.destroy(month)
        assert chain.keys.has_key(month)
    with AccessChain(tmp_path, OPENED, lambda _: None, serving=False, clock=clock) as chain:
        assert not chain.keys.has_key(month)


def access(**facts: Any) -> e.AccessRecorded:
    texts = dict.fromkeys(("scope", "question", "purpose", "account", "round", "head"), "")
    return e.AccessRecorded(reader="r", size=0, rows=None, **texts, **facts)


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        ("Přezkum žádosti č. 7".encode(), "Přezkum žádosti č. 7"),
        ("ž".encode() * 300, "ž" * 250),
        ("Prüfung".encode("latin-1"), "Prüfung"),
        (b"MF-1/2026", "MF-1/2026"),
    ],
)
def test_a_purpose_is_recorded_as_it_was_sent(service: Service, sent: bytes, recorded: str) -> None:
    headers = {"Gameledger-Purpose": sent}
    assert service.get("/api/chain", headers=headers).status_code == HTTPStatus.OK
    assert service.last_access().purpose == recorded


@pytest.mark.parametrize(
    "address",
    ["/api/accounts/novak", "/api/rounds/novak", "/api/bets?account=novak", "/rounds/novak"],
)
def test_what_names_nothing_of_the_chain_is_recorded_sealed_only(
    service: Service, address: str
) -> None:
    """A reader may type the name of a person where an account or a round is asked for."""
    assert service.get(address).status_code in {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND}
    access = service.last_access()
    assert (access.account, access.round) == ("", "")
    assert "novak" in service.last_parameters()


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/api/accounts/nobody", 404),
        ("/accounts/nobody", 404),
        ("/api/rounds/nothing", 404),
        ("/api/events?type=Nothing", 400),
        ("/api/events?tag=account:a-1&tag=round:r-1&tag=bet:b&tag=case:c&tag=fee:f", 400),
        ("/api/events?limit=0", 400),
        ("/api/events?accounts=a-0001", 400),
        ("/api/events?since=yesterday-ish", 400),
        ("/api/events/99999999", 404),
        ("/api/views/nothing", 404),
        ("/api/views/reader_bets?form=nothing", 400),
        ("/api/accounts/a-0001/balance?as_of=nothing", 400),
        ("/api/sql?q=DROP TABLE bets", 400),
        ("/api/sql?q=SELECT nothing FROM reader_bets", 400),
        ("/sql?q=SELECT nothing FROM reader_bets", 400),
        ("/api/packages/nothing/zip", 404),
    ],
)
def test_a_question_without_an_answer_leaves_a_record(
    service: Service, address: str, status: int
) -> None:
    before = service.accesses()
    answer = service.get(address, "auditor")
    assert answer.status_code == status, answer.text
    service.desk.refusals.close()  # records what was only counted, as the service does at its end
    assert service.accesses() > before
    (last,) = service.desk.chain.newest(
        Query(types=("AccessRecorded", "AccessRefused"), tags=("reader:the-auditor",)), 1
    )
    event = last.event
    assert event.question.startswith("GET ")  # type: ignore[attr-defined]
    if "nobody" in address:
        assert isinstance(event, e.AccessRecorded)
        assert (event.account, event.rows) == ("", 0)


def test_a_report_on_an_account_has_what_may_have_shown_it_among_others(service: Service) -> None:
    service.add("wide", "auditor")
    for address in (
        "/api/sql?q=SELECT count() FROM reader_bets",
        "/api/views/reader_bets?form=csv",
        "/api/views/reader_bets?form=csv&account=a-0002",
        "/api/accounts/a-0001/balance",
        "/api/accounts/a-0002/balance",
        "/api/log",
    ):
        assert service.get(address, "wide").status_code == HTTPStatus.OK
    shown = ShownAccount(service.desk.sources.log, "a-0001")
    found = read_accesses(service.desk.chain, reader="the-wide", account=shown, limit=10)
    asked = [one.what for one in found.accesses if one.what.startswith("GET")]
    assert asked == [
        "GET /api/log",
        "GET /api/accounts/{name}/balance",
        "GET /api/views/{name}",
        "GET /api/sql",
    ]
    pages, before = [], None
    while page := read_accesses(
        service.desk.chain, reader="the-wide", account=shown, limit=1, before=before
    ):
        pages += [one.what for one in page.accesses if one.what.startswith("GET")]
        before = page.before
        if before is None:
            break
    assert pages == asked
