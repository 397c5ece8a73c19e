"""News of the chain for open pages: who may listen, how long, how many."""

from __future__ import annotations

import re
from http import HTTPStatus
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import MINUTE, StoppedClock
from ledger.events import event_types as e
from tests.tools.access.test_sign_in import signed_in
from tools.access.access_service import LISTENERS_MAX
from tools.access.readers import trial_reader
from tools.access.sessions import Sessions

if TYPE_CHECKING:
    from httpx import Response
    from starlette.testclient import TestClient

    from tests.tools.access.access_cases import Service

OVER = "event: over\ndata:\n\n"


def listening(service: Service, browser: TestClient, heard: list[Response]) -> Thread:
    """Listen in a thread, and come back when that is recorded."""
    before = service.accesses()
    thread = Thread(target=lambda: heard.append(browser.get("/live")))
    thread.start()
    while service.accesses() == before and thread.is_alive():
        thread.join(0.01)
    return thread


@pytest.mark.parametrize(
    ("name", "ended"),
    [
        ("watcher", e.ReaderRevoked(reader="the-watcher", reason="left")),
        (
            "listener",
            e.ReaderRenewed(
                reader="the-listener", token_digest="0" * 64, certificate="", expires_at=10**16
            ),
        ),
    ],
    ids=["revoked", "renewed"],
)
def test_who_listens_hears_how_far_the_chain_is_until_the_right_ends(
    service: Service, name: str, ended: e.Event
) -> None:
    service.add(name, "auditor")
    heard: list[Response] = []
    thread = listening(service, signed_in(service, name), heard)
    service.desk.chain.record(ended)
    thread.join(10)
    assert not thread.is_alive()
    (found,) = heard
    assert found.headers["Content-Type"].startswith("text/event-stream")
    assert found.headers["Cache-Control"] == "no-store"
    size = service.desk.sources.projected.size
    assert found.text.startswith("retry: ")
    assert f"event: chain\ndata: {size}\n\n" in found.text
    assert found.text.endswith(OVER)
    assert not re.findall("a-[0-9]{4}", found.text)


def test_who_signs_out_hears_no_more(service: Service) -> None:
    browser, heard = signed_in(service), []  # type: ignore[var-annotated]
    other = service.new_browser()
    other.cookies.update(browser.cookies)
    token = re.findall(r'name="form_token" value="([^"]+)"', browser.get("/sign-in").text)[0]
    thread = listening(service, other, heard)
    assert browser.post("/sign-out", data={"form_token": token}).status_code == HTTPStatus.SEE_OTHER
    thread.join(60)
    assert heard[0].text.endswith(OVER)


def test_the_service_ends_whoever_listens(service: Service) -> None:
    service.desk.over.set()
    try:
        assert service.get("/live").text.endswith(OVER)
    finally:
        service.desk.over.clear()


def test_so_many_listen_and_who_asks_then_is_told_to_reload_by_hand(service: Service) -> None:
    assert service.new_browser().get("/live").headers["Location"] == "/sign-in"
    for _ in range(LISTENERS_MAX):
        assert service.desk.listening.acquire(blocking=False)
    try:
        found = service.get("/live")
        assert found.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        assert found.headers["Retry-After"] == "60"
    finally:
        service.desk.listening.release(LISTENERS_MAX)
    service.desk.over.set()
    try:
        assert service.get("/live").status_code == HTTPStatus.OK
    finally:
        service.desk.over.clear()


def test_a_page_that_renews_itself_keeps_no_session_alive() -> None:
    clock = StoppedClock(0)
    sessions = Sessions(clock)
    name, _ = sessions.begin(trial_reader("t", 0, 10**15), "")
    for minute in (20, 29):
        clock.moment = minute * MINUTE
        assert sessions.find(name, is_used=False) is not None
    clock.moment = 30 * MINUTE
    assert sessions.find(name) is None
