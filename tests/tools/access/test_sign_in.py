"""Who is let in, how long, and what other sites and wrong tokens achieve."""

from __future__ import annotations

import asyncio
import fcntl
import html
import re
from http import HTTPStatus
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, SystemClock
from ledger.events import event_types as e
from ledger.log.port import Query
from tools.access import chain as access_chain
from tools.access.chain import AccessChain
from tools.access.management import renew_reader
from tools.access.sessions import WRONG_MAX

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from tests.tools.access.access_cases import Service

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def signed_in(service: Service, role: str = "regulator", purpose: str = "") -> TestClient:
    browser = service.new_browser()
    form = {"token": service.tokens[role], "purpose": purpose}
    done = browser.post("/sign-in", data=form)
    assert (done.status_code, done.headers["Location"]) == (HTTPStatus.SEE_OTHER, "/")
    return browser


def form_token(text: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', text)
    assert found is not None
    return found[1]


def test_a_browser_signs_in_reads_and_signs_out(service: Service) -> None:
    browser = service.new_browser()
    turned_away = browser.get("/")
    assert turned_away.headers["Location"] == "/sign-in"
    assert 'type="password"' in browser.get("/sign-in").text
    browser = signed_in(service, purpose="MF-1/2026")
    page = browser.get("/")
    assert page.status_code == HTTPStatus.OK
    assert "State of the chain" in page.text
    (read,) = service.desk.chain.newest(Query(types=("AccessRecorded",)), 1)
    assert isinstance(read.event, e.AccessRecorded)
    assert (read.event.reader, read.event.purpose) == ("the-regulator", "MF-1/2026")
    assert read.event.question == "GET /"
    name = browser.cookies["gameledger"]
    done = browser.post("/sign-out", data={"form_token": form_token(page.text)})
    assert done.headers["Location"] == "/sign-in"
    browser.cookies.set("gameledger", name)
    assert browser.get("/").headers["Location"] == "/sign-in"


def test_who_signed_in_with_a_token_that_counts_no_more_is_out(service: Service) -> None:
    """A reader is renewed where a token was stolen: a session that it began ends with it."""
    service.add("renewed", "auditor")
    browser = signed_in(service, "renewed")
    assert browser.get("/").status_code == HTTPStatus.OK
    desk, now = service.desk, SystemClock().now()
    given = renew_reader(
        desk.chain,
        desk.readers,
        "the-renewed",
        expires_at=now + DAY,
        certificate=None,
        now=now,
        actor="test",
    )
    assert browser.get("/").headers["Location"] == "/sign-in"
    service.tokens["renewed"] = given.token
    assert signed_in(service, "renewed").get("/").status_code == HTTPStatus.OK


def test_who_is_being_revoked_does_not_sign_in_meanwhile(service: Service) -> None:
    service.add("leaving", "auditor")
    chain, answers = service.desk.chain, list[int]()

    def sign_in() -> None:
        form = {"token": service.tokens["leaving"]}
        answers.append(service.new_browser().post("/sign-in", data=form).status_code)

    asking = Thread(target=sign_in)
    with AccessChain(service.data / "access", chain._opened, lambda _: None, serving=False) as turn:
        asking.start()
        asking.join(0.5)
        turn.record(e.ReaderRevoked(reader="the-leaving", reason="left"))
    asking.join(60)
    assert answers == [HTTPStatus.UNAUTHORIZED]


def test_while_the_chain_of_accesses_is_in_use_a_page_says_so_once_it_waited(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of a problem asks nobody anew who is there, as that is what can't be known."""
    monkeypatch.setattr(access_chain, "PATIENCE_SECONDS", 1.0)
    browser, waited = signed_in(service), list[int]()
    wait = AccessChain.wait_until_current

    def waiting(chain: AccessChain) -> None:
        waited.append(1)
        wait(chain)

    monkeypatch.setattr(AccessChain, "wait_until_current", waiting)
    with (service.data / "access" / "turn.lock").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        while service.desk.chain._current.is_set():
            Event().wait(0.01)
        found = {
            address: (browser.get(address).status_code, len(waited))
            for address in ("/rounds", "/sign-in", "/nothing")
        }
        fcntl.flock(turn, fcntl.LOCK_UN)
    assert found == {
        "/rounds": (HTTPStatus.SERVICE_UNAVAILABLE, 1),
        "/sign-in": (HTTPStatus.OK, 2),
        "/nothing": (HTTPStatus.NOT_FOUND, 3),
    }
    monkeypatch.undo()
    assert browser.get("/rounds").status_code == HTTPStatus.OK


def test_the_cookie_is_for_this_site_over_tls_and_not_for_scripts(service: Service) -> None:
    done = service.new_browser().post("/sign-in", data={"token": service.tokens["auditor"]})
    attributes = {part.strip().lower() for part in done.headers["Set-Cookie"].split(";")}
    assert {"httponly", "secure", "samesite=strict", "path=/"} <= attributes


def test_a_form_of_another_site_achieves_nothing(service: Service) -> None:
    browser = signed_in(service)
    token = form_token(browser.get("/").text)
    foreign = {"Origin": "https://evil.example"}
    for form, headers in (
        ({"form_token": token}, foreign),
        ({"form_token": "x" * 43}, {}),
        ({"other": "x"}, {}),
        ({"form_token": token}, {"Origin": "null"}),
    ):
        done = browser.post("/sign-out", data=form, headers=headers)
        assert done.status_code == HTTPStatus.FORBIDDEN
    wanted = {"token": service.tokens["regulator"]}
    refused = service.new_browser().post("/sign-in", data=wanted, headers=foreign)
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert browser.get("/").status_code == HTTPStatus.OK


@pytest.mark.parametrize("address", ["/sign-out", "/accounts/nobody/person", "/persons"])
@pytest.mark.parametrize("headers", [{}, {"Origin": "https://evil.example"}])
def test_whose_browser_sent_a_form_that_is_refused_is_recorded(
    service: Service, address: str, headers: dict[str, str]
) -> None:
    name = f"reader-{len(headers)}{len(address)}"  # a few records of one reader are written
    service.add(name, "investigator")
    refused = signed_in(service, name).post(address, data={"purpose": "x"}, headers=headers)
    assert refused.status_code == HTTPStatus.FORBIDDEN
    (last,) = service.desk.chain.newest(Query(types=("AccessRefused",)), 1)
    assert isinstance(last.event, e.AccessRefused)
    assert (last.event.why, last.event.reader) == ("form", f"the-{name}")
    assert last.event.question.startswith("POST /")


def test_a_person_is_unmasked_by_a_form_with_a_purpose_and_it_is_a_fact(service: Service) -> None:
    account = service.get("/api/bets").json()["answer"]["bets"][0]["account"]
    address = f"/accounts/{account}/person"
    browser = signed_in(service, "investigator", purpose="MF-1/2026")
    page = browser.get(f"/accounts/{account}").text
    assert f'action="{address}"' in page
    assert 'value="MF-1/2026"' in page
    fields = service.get(f"/api{address}", headers={"Gameledger-Purpose": "x"}).json()
    name = fields["answer"]["fields"]["name"]
    assert name not in page
    token = form_token(page)
    for form in ({"purpose": "x"}, {"form_token": "y" * 43, "purpose": "x"}):
        assert browser.post(address, data=form).status_code == HTTPStatus.FORBIDDEN
    empty = browser.post(address, data={"form_token": token, "purpose": " "})
    assert empty.status_code == HTTPStatus.BAD_REQUEST
    shown = browser.post(address, data={"form_token": token, "purpose": "MF-7/2026"})
    assert shown.status_code == HTTPStatus.OK
    assert name in shown.text
    assert shown.headers["Cache-Control"] == "no-store"
    (last,) = service.desk.chain.newest(Query(types=("PersonUnmasked",)), 1)
    assert isinstance(last.event, e.PersonUnmasked)
    assert (last.event.purpose, last.event.account) == ("MF-7/2026", account)
    assert (last.event.reader, set(last.event.fields)) == (
        "the-investigator",
        set(fields["answer"]["fields"]),
    )
    access = service.last_access()
    assert (access.purpose, access.account, access.rows) == (
        "MF-7/2026",
        account,
        len(last.event.fields),
    )
    auditor = signed_in(service, "auditor")
    page = auditor.get(f"/accounts/{account}").text
    assert address not in page
    form = {"form_token": form_token(page), "purpose": "x"}
    assert auditor.post(address, data=form).status_code == HTTPStatus.FORBIDDEN
    bearer = {"Authorization": f"Bearer {service.tokens['investigator']}"}
    by_token = service.new_browser().post(address, data={"purpose": "x"}, headers=bearer)
    assert by_token.status_code == HTTPStatus.FORBIDDEN


def test_a_person_is_found_by_a_form_and_each_account_found_is_a_fact(service: Service) -> None:
    account = service.get("/api/bets").json()["answer"]["bets"][0]["account"]
    address = f"/api/accounts/{account}/person"
    fields = service.get(address, headers={"Gameledger-Purpose": "x"}).json()["answer"]["fields"]
    browser = signed_in(service, "investigator", purpose="MF-1/2026")
    token = form_token(browser.get("/persons").text)

    def found(person: str, purpose: str = "MF-8/2026") -> list[e.Event]:
        before = service.accesses()
        form = {"form_token": token, "person": person, "purpose": purpose}
        shown = browser.post("/persons", data=form)
        assert shown.status_code == HTTPStatus.OK, shown.text
        assert shown.headers["Cache-Control"] == "no-store"
        added = service.desk.chain.newest(Query(), service.accesses() - before)
        unmasked = [one.event for one in added if isinstance(one.event, e.PersonUnmasked)]
        assert {one.account for one in unmasked} == set(
            re.findall(r'href="/accounts/([^"]+)"', shown.text)
        )
        assert {(one.purpose, one.reader) for one in unmasked} <= {(purpose, "the-investigator")}
        assert person not in repr([one.event for one in added])
        return unmasked

    backwards = " ".join(reversed(fields["name"].upper().split()))
    for person, field in (
        (fields["name"], "name"),
        (backwards, "name"),
        (fields["email"], "email"),
    ):
        assert (account, (field,)) in {(one.account, one.fields) for one in found(person)}
    assert not found("Nemo Nusquam")
    assert not found("\N{SNOWMAN}")
    empty = browser.post("/persons", data={"form_token": token, "person": "x", "purpose": " "})
    assert empty.status_code == HTTPStatus.BAD_REQUEST
    refused = HTTPStatus.FORBIDDEN
    assert browser.post("/persons", data={"person": "x", "purpose": "x"}).status_code == refused
    assert service.get("/persons", "auditor").status_code == refused
    auditor = signed_in(service, "auditor")
    form = {"form_token": form_token(auditor.get("/").text), "person": "x", "purpose": "x"}
    assert auditor.post("/persons", data=form).status_code == refused


def test_who_sends_the_form_is_judged_where_all_others_need_not_wait(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question to the chain of accesses may wait for seconds, and the loop answers for all."""
    browser, on_the_loop = signed_in(service), list[bool]()

    def waiting(_: AccessChain) -> None:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            on_the_loop.append(False)
        else:
            on_the_loop.append(True)

    monkeypatch.setattr(AccessChain, "wait_until_current", waiting)
    form = {"form_token": "y" * 43, "purpose": "x"}
    assert browser.post("/accounts/x/person", data=form).status_code == HTTPStatus.FORBIDDEN
    assert on_the_loop == [False]


def test_a_session_ends_when_its_reader_is_revoked(service: Service) -> None:
    service.add("inspector", "auditor")
    browser = signed_in(service, "inspector")
    assert browser.get("/").status_code == HTTPStatus.OK
    service.desk.chain.record(e.ReaderRevoked(reader="the-inspector", reason="left"))
    assert browser.get("/").headers["Location"] == "/sign-in"
    asked = service.get("/api/chain", "inspector")
    assert asked.status_code == HTTPStatus.UNAUTHORIZED
    assert asked.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_stands_in_no_log_and_no_page(service: Service) -> None:
    added = service.desk.chain.newest(Query(types=("ReaderAdded",)), 9)
    written = repr([one.event for one in added])
    pages = signed_in(service).get("/").text
    for token in service.tokens.values():
        assert token not in written
        assert token not in pages


@pytest.mark.parametrize("address", ["/", "/api/chain"])
def test_who_guesses_tokens_has_to_wait(service: Service, address: str) -> None:
    browser = service.new_browser()
    service.desk.wrong.__init__(service.desk.clock)  # type: ignore[misc]
    codes = [
        browser.get(address, headers={"Authorization": f"Bearer {n}"}).status_code
        for n in range(WRONG_MAX + 1)
    ]
    assert codes[-1] == HTTPStatus.TOO_MANY_REQUESTS
    assert HTTPStatus.TOO_MANY_REQUESTS not in codes[:-1]
    wrong = browser.get(address, headers={"Authorization": "Bearer one more"})
    assert (wrong.status_code, wrong.headers["Retry-After"]) == (429, "60")
    assert service.get(address).status_code == HTTPStatus.OK
    service.desk.wrong.__init__(service.desk.clock)  # type: ignore[misc]


def test_signing_in_and_a_language_lead_back_to_the_page(service: Service) -> None:
    browser = service.new_browser()
    away = browser.get("/rounds?day=2026-11-20").headers["Location"]
    assert away == "/sign-in?to=%2Frounds%3Fday%3D2026-11-20"
    form = browser.get(away).text
    (to,) = re.findall(r'name="to" value="([^"]+)"', form)
    wrong = browser.post("/sign-in", data={"token": "wrong", "to": to})
    assert 'name="to" value="/rounds?day=2026-11-20"' in wrong.text
    done = browser.post("/sign-in", data={"token": service.tokens["auditor"], "to": to})
    assert done.headers["Location"] == "/rounds?day=2026-11-20"
    (address,) = re.findall(r'href="(/language/cs[^"]*)"', browser.get("/rounds?limit=3").text)
    assert browser.get(html.unescape(address)).headers["Location"] == "/rounds?limit=3"


@pytest.mark.parametrize(
    "to", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:1", "/a b", ""]
)
def test_nobody_is_led_to_another_place(service: Service, to: str) -> None:
    browser = service.new_browser()
    form = {"token": service.tokens["auditor"], "to": to}
    assert browser.post("/sign-in", data=form).headers["Location"] == "/"
    assert browser.get("/language/cs", params={"to": to}).headers["Location"] == "/"
