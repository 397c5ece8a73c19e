"""Findings handled from a browser: a service with ``--actions``, and a writer at work beside it."""

from __future__ import annotations

import re
import shutil
import time
from contextlib import closing
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from access_cases import HANDLED, Service, handled
from cli_cases import run_here
from writer_cases import ANY_PORT, serving

from ledger.core.clock import StoppedClock
from ledger.log.sqlite import SqliteLog
from tools.access.app import application
from tools.access.pages_actions import Writers
from tools.data.documents import decoded
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

ADDRESS = f"/findings/{HANDLED}"
SEEN_SECONDS = 60


@pytest.fixture(scope="module")
def service(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    data = shutil.copytree(played, tmp_path_factory.mktemp("actions") / "data")
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
        writers = Writers((http.url,), None)
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
    assert hidden["confirmed"] == "yes"
    done = acting.post(f"{ADDRESS}/assign", data=fields | {"confirmed": "yes"})
    recorded = last_event(service.data)
    assert f"position {recorded.position}" in done.text.replace(",", "")
    assert recorded.event.assignee == "cage-7"
    assert (recorded.event.by, recorded.envelope.actor) == ("the-clerk", "the-clerk")
    assert recorded.envelope.source == "serve"
    ends = time.monotonic() + SEEN_SECONDS
    while "cage-7" not in (shown := acting.get(ADDRESS).text) and time.monotonic() < ends:
        time.sleep(0.2)
    assert "cage-7" in shown


def test_what_can_not_be_recorded_is_told_and_nothing_is_sent(
    service: Service, acting: TestClient
) -> None:
    fields = {"form_token": token_on(acting.get(ADDRESS).text), "confirmed": "yes"}
    before = last_event(service.data)
    assert acting.post(f"{ADDRESS}/close", data=fields).status_code == HTTPStatus.BAD_REQUEST
    assert acting.post(f"{ADDRESS}/burn", data=fields).status_code == HTTPStatus.BAD_REQUEST
    text = {"text": "Paid back."}
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
    fields = {"form_token": token_on(page), "confirmed": "yes", "text": "x"}
    assert browser.post(f"{ADDRESS}/close", data=fields).status_code == HTTPStatus.FORBIDDEN


def test_a_service_without_actions_has_no_address_that_acts(service: Service) -> None:
    sent = {"form_token": "x", "confirmed": "yes", "text": "x"}
    assert "gameledger finding close" in service.get(ADDRESS, "clerk").text
    answer = service.client.post(f"{ADDRESS}/close", data=sent)
    assert answer.status_code in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}


def test_actions_without_a_writer_are_refused(service: Service) -> None:
    done = run_here("serve", "--actions", "--listen", "127.0.0.1:0", data=service.copy)
    assert done.returncode == 2
    assert "--writer" in done.stderr
