"""Saved questions: a reader's own list, and what is new in each as an Atom feed."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from defusedxml import ElementTree

from ledger.privacy import period_key
from tools.access.saved import SAVED_MAX, SavedQuestion, SavedQuestions

if TYPE_CHECKING:
    from pathlib import Path

    from httpx import Response
    from starlette.testclient import TestClient

    from tests.tools.access.access_cases import Service

ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def browser(service: Service) -> TestClient:
    return signed_in(service, "regulator")


def signed_in(service: Service, role: str) -> TestClient:
    browser = service.new_browser()
    assert browser.post("/sign-in", data={"token": service.tokens[role]}).is_redirect
    return browser


def save(browser: TestClient, title: str, address: str) -> Response:
    (token, *_) = re.findall(r'name="form_token" value="([^"]+)"', browser.get("/events").text)
    sent = {"form_token": token, "title": title, "address": address}
    return browser.post("/saved", data=sent)


def feeds(browser: TestClient, title: str) -> list[str]:
    rows = browser.get("/saved").text.split("</tr>")
    found = (re.search(r"/api/saved/[\w-]+/feed", row) for row in rows if f">{title}<" in row)
    return [one[0] for one in found if one]


def test_a_question_is_saved_from_its_list_and_tells_what_is_new(
    service: Service, browser: TestClient
) -> None:
    shown = browser.get("/events?type=BetRefused&day=2026-11-20").text
    (address,) = re.findall(r'name="address" value="([^"]+)"', shown)
    assert save(browser, "Refused <b>", address.replace("&amp;", "&")).is_redirect
    (feed,) = feeds(browser, "Refused &lt;b&gt;")
    root = ElementTree.fromstring(browser.get(feed).content)
    assert service.last_access().question == "GET /api/saved/{name}/feed"
    assert root.findtext("a:title", "", ATOM) == "Refused <b>"
    listed = service.get("/api/events?type=BetRefused&limit=50").json()["answer"]["events"]
    ids = [one.findtext("a:id", "", ATOM) for one in root.findall("a:entry", ATOM)]
    assert [int(one.rpartition("/")[2]) for one in ids] == [one["position"] for one in listed]
    found = root.find("a:link", ATOM)
    assert found is not None
    assert found.get("href") == "https://ledger.example/events?type=BetRefused"


def test_a_program_for_feeds_has_the_token_as_password_and_nobody_elses_list(
    service: Service, browser: TestClient
) -> None:
    save(browser, "Mine", "/findings?state=open")
    (feed,) = feeds(browser, "Mine")

    def ask(role: str, path: str = feed) -> Response:
        known = b64encode(f"x:{service.tokens[role]}".encode()).decode()
        return service.client.get(path, headers={"Authorization": f"Basic {known}"})

    assert ask("regulator").status_code == HTTPStatus.OK
    assert ask("regulator", "/api/chain").status_code == HTTPStatus.UNAUTHORIZED
    assert ask("auditor").status_code == HTTPStatus.NOT_FOUND
    assert feeds(signed_in(service, "auditor"), "Mine") == []
    other = signed_in(service, "data-protection")
    save(other, "Money", "/findings")
    (feed,) = feeds(other, "Money")
    assert ask("data-protection", feed).status_code == HTTPStatus.FORBIDDEN


def test_a_form_that_is_sent_twice_saves_one_question(service: Service) -> None:
    browser = signed_in(service, "clerk")
    addresses = ["/events?type=BetRefused", "/events?type=BetPlaced"]
    for address in [addresses[0], *addresses]:
        assert save(browser, "Twice", address).is_redirect
    assert len(feeds(browser, "Twice")) == len(addresses)


def test_a_question_is_deleted_and_their_number_has_a_bound(
    service: Service, browser: TestClient
) -> None:
    browser = signed_in(service, "investigator")
    for number in range(SAVED_MAX):
        assert save(browser, f"Often {number}", "/events").is_redirect
    assert save(browser, "Often", "/events").status_code == HTTPStatus.BAD_REQUEST
    page = browser.get("/saved").text
    (token, *_) = re.findall(r'name="form_token" value="([^"]+)"', page)
    for name in re.findall(r'name="drop" value="([^"]+)"', page):
        assert browser.post("/saved", data={"form_token": token, "drop": name}).is_redirect
    assert feeds(browser, "Often 0") == []
    again = SavedQuestions(service.data / "access" / "saved.json", service.desk.chain.keys)
    assert again.of("the-investigator") == ()


def test_title_and_filters_are_sealed_also_those_of_an_earlier_file(
    service: Service, tmp_path: Path
) -> None:
    keys, file = service.desk.chain.keys, tmp_path / "saved.json"
    question = {"name": "q", "title": "Jan Novák", "path": "/events", "saved_at": 1}
    file.write_text(json.dumps({"x": [question | {"filters": {"tag": "account:novak"}}]}))
    (earlier,) = SavedQuestions(file, keys).of("x")
    assert (earlier.title, earlier.filters) == ("Jan Novák", {"tag": "account:novak"})
    assert not {"title", "filters"} & json.loads(file.read_text())["x"][0].keys()
    (again,) = SavedQuestions(file, keys).of("x")
    assert again == earlier
    month, open_before = period_key("access", earlier.saved_at), SavedQuestions(file, keys)
    assert open_before.of("x") == (earlier,)
    keys.destroy(month)
    for questions in (open_before, SavedQuestions(file, keys)):
        assert questions.of("x") == ()
    open_before.add("x", SavedQuestion.of("Later", "/events", service.desk.clock.now()))
    assert [one.title for one in open_before.of("x")] == ["Later"]
    assert not keys.has_key(month), "a destroyed key was made again"


@pytest.mark.parametrize(
    "address", ["/sql?q=SELECT 1", "//evil.example/events", "javascript:x", ""]
)
def test_only_lists_are_saved(browser: TestClient, address: str) -> None:
    assert save(browser, "x", address).status_code == HTTPStatus.BAD_REQUEST
    assert feeds(browser, "x") == []
