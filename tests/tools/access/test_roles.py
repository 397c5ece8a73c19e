"""Who reads what: every path that gives events, asked as every role, against one table."""

from __future__ import annotations

import json
import re
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.core.refusals import Refusal
from ledger.events.schema_book import FROZEN
from ledger.log.port import Query, events_at
from projections.store.reader_views import stem
from tests.search import sample
from tests.tools.access import test_enemies as every
from tools.access.query_context import GROUPS_OF_FACTS
from tools.access.scopes import (
    ROLES,
    WHOLE_LOG,
    Scope,
    field_scopes,
    hidden_fields,
    may_read,
    scope_of,
)

if TYPE_CHECKING:
    from tests.tools.access.access_cases import Service

ACCOUNT = "a-0001"
TYPES = 20
"""Event types that each role asks for; a search asks for all."""
LEFT_OUT = {"/", "/accesses", "/api/accesses", "/my-accesses", "/live"}
"""Readers of accesses see what was asked, all readers what they asked; news do not end."""
GIVEN_MAX = 5
"""Views of which the rows are asked for; the others show that they are refused."""
PRIVATE = {"LoggedIn", "LimitSet", "AccountOpened", "ComplaintFiled", "PersonVerified"}
"""Types that say more of a person than what was played and paid."""


def examples(service: Service) -> dict[str, int]:
    """The last position of each event type that the evening has."""
    log = service.desk.sources.log
    found = {}
    for name in schemas.newest():
        positions = log.find(Query(types=(name,)), limit=1, backwards=True)
        if positions:
            found[name] = positions[0]
    return found


def test_every_event_type_has_a_scope_and_the_format_none() -> None:
    for name, schema in schemas.newest().items():
        if name in FROZEN or name == "DCBEventRecorded":
            assert schema.scope is None, name
        else:
            assert schema.scope is not None, f"schemas/{name} names no scope"
        assert scope_of(name) is not None or name == "DCBEventRecorded"
    assert all(scope_of(name) is Scope.ACCOUNTS for name in PRIVATE)


def test_roles_that_ask_in_sql_may_read_the_whole_log() -> None:
    assert all(scopes >= WHOLE_LOG for scopes in ROLES.values() if Scope.SQL in scopes)


@pytest.mark.parametrize("role", ROLES)
def test_a_reader_gets_the_events_of_its_scopes_on_every_path(service: Service, role: str) -> None:
    scopes, known = ROLES[role], examples(service)
    assert PRIVATE - {"ComplaintFiled"} <= known.keys()
    private = [name for name in known if name in PRIVATE or field_scopes(name)]
    others = sample(sorted(known.keys() - set(private)), TYPES)
    for name in (*private, *others):
        position = known[name]
        expected = HTTPStatus.OK if may_read(name, scopes) else HTTPStatus.FORBIDDEN
        hidden = hidden_fields(name, scopes)
        whole = HTTPStatus.FORBIDDEN if hidden else expected
        for address, status in (
            (f"/api/events?type={name}&limit=1", expected),
            (f"/api/events/{position}", expected),
            (f"/api/events/{position}/message", whole),
            (f"/events/{position}", expected),
        ):
            assert service.get(address, role).status_code == status, (name, address)
        if hidden and expected is HTTPStatus.OK:
            require_hidden(service, role, name, position)
    for address in (f"/api/events?tag=account:{ACCOUNT}&limit=1000", "/api/events?limit=1000"):
        found = service.get(address, role).json()["answer"]["events"]
        assert all(may_read(one["type"], scopes) for one in found)
    given = {one["type"] for one in found}
    whole = service.get("/api/events?limit=1000").json()["answer"]["events"]
    assert given >= {one["type"] for one in whole if may_read(one["type"], scopes)}
    page = service.get(f"/events?tag=account:{ACCOUNT}", role).text
    opened = Query(types=("AccountOpened",), tags=(f"account:{ACCOUNT}",))
    (position,) = service.desk.sources.log.find(opened, limit=1)
    assert (f'"/events/{position}"' in page) == (Scope.ACCOUNTS in scopes)


def require_hidden(service: Service, role: str, name: str, position: int) -> None:
    """Require that no path shows the fields of an event that are of other scopes."""
    shown = service.get(f"/api/events/{position}").json()["answer"]["facts"]
    fields = field_scopes(name)
    values = [shown[field] for field in fields]
    assert all(values), (name, shown)
    told = Refusal.recorded(*(shown[one] for one in ("code", "parameters", "paragraph"))).sentence
    tags = [
        f"{one['tag']}:{shown[one['name']]}" for one in schemas.newest()[name].facts if "tag" in one
    ]
    addresses = [
        f"/api/events/{position}",
        f"/events/{position}",
        f"/api/events?type={name}&limit=1000",
        *(f"{path}?tag={tag}&limit=1000" for tag in tags for path in ("/api/events", "/events")),
        *(f"{path}/{shown['round']}" for path in ("/api/rounds", "/rounds") if "round" in shown),
    ]
    for address in addresses:
        text = service.get(address, role).text
        assert told not in text, (address, told)
        assert f'"{shown["code"]}"' not in text, (address, shown["code"])
    view = service.get(f"/api/views/reader_{stem(name)}", role, headers={"Accept": "text/csv"})
    if view.status_code == HTTPStatus.OK:
        assert not fields.keys() & set(view.text.splitlines()[0].split(","))
    if "round" in shown:
        evidence = service.get(f"/api/rounds/{shown['round']}/evidence", role)
        assert evidence.status_code == HTTPStatus.FORBIDDEN


def test_why_a_person_was_refused_is_for_readers_of_accounts() -> None:
    for name in schemas.newest():
        if name.endswith("Refused") and scope_of(name) in {Scope.ROUNDS, Scope.MONEY}:
            assert field_scopes(name) == dict.fromkeys(
                ("code", "parameters", "paragraph"), Scope.ACCOUNTS
            )


@pytest.mark.parametrize("role", ROLES)
def test_the_whole_log_is_for_who_may_read_all_of_it(service: Service, role: str) -> None:
    expected = HTTPStatus.OK if ROLES[role] >= WHOLE_LOG else HTTPStatus.FORBIDDEN
    for accept in ("application/x-ndjson", "application/octet-stream"):
        answer = service.get("/api/log", role, headers={"Accept": accept})
        assert answer.status_code == expected


PARTS_OF_FRONT_PAGE = {
    Scope.ROUNDS: "<h2>Newest rounds</h2>",
    Scope.MONEY: "<dt>Recorded findings, open</dt>",
    Scope.PACKAGES: "<dt>Packages</dt>",
    Scope.ACCESS: "<h2>Who read what</h2>",
}


@pytest.mark.parametrize("role", ROLES)
def test_the_record_of_an_access_names_every_right_under_which_data_was_shown(
    service: Service, role: str
) -> None:
    page = service.get("/", role).text
    recorded = set(service.last_access().scope.split())
    shown = {scope for scope, part in PARTS_OF_FRONT_PAGE.items() if part in page}
    assert shown == ROLES[role] & PARTS_OF_FRONT_PAGE.keys()
    assert recorded == shown | {Scope.CHAIN}
    if ROLES[role] >= WHOLE_LOG:
        service.get("/api/log?until=1", role, headers={"Accept": "application/x-ndjson"})
        assert set(service.last_access().scope.split()) == WHOLE_LOG


@pytest.mark.parametrize("role", [role for role in ROLES if Scope.ROUNDS not in ROLES[role]])
def test_no_address_names_a_round_or_account_to_a_role_without_them(
    service: Service, role: str
) -> None:
    log = service.desk.sources.log
    opened = events_at(log, log.find(Query(types=("RoundOpened", "AccountOpened"))))
    names = {getattr(one.event, "round", "") or getattr(one.event, "account", "") for one in opened}
    asked = {every.address(path) for path in every.READING} - LEFT_OUT
    named = {one: names & set(re.findall(r"[\w-]+", service.get(one, role).text)) for one in asked}
    assert {one: found for one, found in named.items() if found} == {}
    assert set(service.get("/api/chain", "regulator").json()["answer"]["rounds"][0]) > {"round"}
    assert service.last_access().scope == f"{Scope.CHAIN} {Scope.ROUNDS}"


@pytest.mark.parametrize("role", ROLES)
def test_a_view_is_of_the_scope_of_what_it_shows(service: Service, role: str) -> None:
    scopes, given = ROLES[role], 0
    for view in service.get("/api/views").json()["answer"]:
        name = view["view"].removeprefix("reader_")
        if name in schemas.newest():
            assert view["scope"] == (scope_of(name) or Scope.SQL)
        given += view["scope"] in scopes
        if view["scope"] in scopes and given > GIVEN_MAX:
            continue
        expected = HTTPStatus.OK if view["scope"] in scopes else HTTPStatus.FORBIDDEN
        answer = service.get(f"/api/views/{view['view']}", role, headers={"Accept": "text/csv"})
        assert answer.status_code == expected, (view["view"], role)


@pytest.mark.parametrize("role", ROLES)
def test_search_and_rounds_show_no_more(service: Service, role: str) -> None:
    scopes = ROLES[role]
    sent = service.get(f"/search?q={ACCOUNT}", role)
    is_found = sent.headers.get("Location") == f"/accounts/{ACCOUNT}"
    assert is_found == (Scope.ACCOUNTS in scopes)
    if Scope.ROUNDS not in scopes:
        return
    for one in service.get("/api/rounds", role).json()["answer"]["rounds"]:
        replay = service.get(f"/api/rounds/{one['round']}", role).json()["answer"]
        facts = [fact for group in GROUPS_OF_FACTS for fact in replay[group]]
        assert all(may_read(fact["event"], scopes) for fact in facts)


def test_a_refused_type_stands_in_the_chain_of_accesses(service: Service) -> None:
    before = service.accesses()
    service.add("curious", "data-protection")
    refused = service.get("/api/events?type=LoggedIn", "curious")
    assert refused.status_code == HTTPStatus.FORBIDDEN
    assert Scope.ACCOUNTS in refused.json()["detail"]
    last = json.dumps([str(one) for one in service.desk.chain.newest(Query(), 1)])
    assert service.accesses() > before
    assert "accounts:read" in last


@pytest.mark.slow("reads every page of a role, and what each links to")
@pytest.mark.parametrize("role", ["clerk", "data-protection", "investigator"])
def test_no_page_links_to_what_its_reader_may_not_read(service: Service, role: str) -> None:
    """A reader who follows a link is not refused, which would be recorded against that reader."""
    front = service.get("/", role).text
    menu = re.findall(r'href="(/[^"]*)"', front.partition("<nav")[2].partition("</nav>")[0])
    further = ["/books?period=2026-11", "/changes/findings?from=100"] if "/books" in menu else []
    pending = [*dict.fromkeys(menu), *further]
    pages, seen, refused = len(pending), set(pending), []
    for at, page in enumerate(pending):
        found = service.get(page, role)
        if found.status_code == HTTPStatus.FORBIDDEN:
            refused.append(page)
        if at >= 2 * pages or "text/html" not in found.headers.get("Content-Type", ""):
            continue
        for link in map(unescape, re.findall(r'href="(/[^"#]+)', found.text)):
            kind = re.sub(r"[^/?=&]*\d[^/?=&]*", "N", link)
            if kind not in seen and not link.startswith(("/static", "/language", "/api/log")):
                seen |= {kind, link}
                pending.append(link)
    assert len(pending) > pages
    assert refused == []
