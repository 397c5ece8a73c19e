"""The pages: whole without script, in both languages, and nothing from outside acts in them."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from projections.words.catalogue import Language

if TYPE_CHECKING:
    from access_cases import Service

PAGES = ("/", "/rounds", "/rounds/{round}", "/accounts/{account}", "/events", "/events/7")
PAGES += ("/events?tag=round:{round}", "/findings", "/my-accesses", "/search?q=nobody")


@pytest.fixture(scope="module")
def names(service: Service) -> dict[str, str]:
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    return {"round": line["round"], "account": line["account"], "bet": line["bet"]}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("template", PAGES)
def test_a_page_is_whole_by_itself(
    service: Service, names: dict[str, str], template: str, language: Language
) -> None:
    address = template.format(**names)
    found = service.get(address, headers={"Accept-Language": language})
    assert found.status_code == HTTPStatus.OK, found.text
    assert f'<html lang="{language}">' in found.text
    assert len(re.findall(r"<h1", found.text)) == 1
    assert "<script" not in found.text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', found.text)
    assert set(re.findall(r'<input id="(\w+)"', found.text)) <= set(
        re.findall(r'<label for="(\w+)"', found.text)
    )
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]
    assert found.headers["Cache-Control"] == "no-store"
    assert "Novák" not in found.text


def test_a_round_shows_its_picture_bets_facts_and_head(
    service: Service, names: dict[str, str]
) -> None:
    page = service.get(f"/rounds/{names['round']}").text
    for text in ("<svg", names["bet"], "Bets, settled again"):
        assert text in page
    head = service.get("/api/chain").json()["basis"]["head"]
    assert head in page


def test_any_identifier_leads_to_what_it_names(service: Service, names: dict[str, str]) -> None:
    event = service.get("/api/events/9").json()["answer"]
    for term, address in (
        (names["round"], f"/rounds/{names['round']}"),
        (names["account"], f"/accounts/{names['account']}"),
        (names["bet"], f"/events?tag=bet:{names['bet']}"),
        ("9", "/events/9"),
        (event["hash"], "/events/9"),
    ):
        found = service.get("/search", params={"q": term})
        assert found.status_code == HTTPStatus.SEE_OTHER, term
        assert found.headers["Location"] == address


@pytest.mark.parametrize(
    "term",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "' OR 1=1 --",
        "{{ 7*7 }}",
        "\u202eevil",
        "a\r\nSet-Cookie: x=1",
        "x" * 200,
    ],
)
def test_nothing_from_outside_acts_in_a_page(service: Service, term: str) -> None:
    for address in ("/search", "/events", "/rounds"):
        name = {"/search": "q", "/events": "tag", "/rounds": "account"}[address]
        found = service.get(address, params={name: term})
        assert found.status_code in {HTTPStatus.OK, HTTPStatus.BAD_REQUEST}
        assert "Set-Cookie" not in found.headers
        for acting in ("<script", "<img", "\u202e", ">49<"):
            assert acting not in found.text


def test_what_a_reader_read_stands_in_the_own_accesses(service: Service) -> None:
    service.get("/findings", headers={"Gameledger-Purpose": "MF-12/2026"})
    page = service.get("/my-accesses").text
    assert "GET /findings" in page
    assert "MF-12/2026" in page
    assert "the-auditor" not in page


def test_a_wrong_address_is_told_on_a_page(service: Service) -> None:
    for address in ("/nothing", "/rounds/nope", "/events/999999999", "/static/../app.py"):
        found = service.get(address)
        assert found.status_code == HTTPStatus.NOT_FOUND
        assert "<h1>" in found.text
