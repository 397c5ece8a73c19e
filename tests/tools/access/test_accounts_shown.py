"""An answer that names an account is among the accesses of that account, whatever was asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec.structs import replace

from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tests.projections.history_cases import House
from tests.projections.projection_cases import Chain
from tests.tools.access import test_pages
from tests.tools.access.test_api import ADDRESSES, DESCRIBED, address_of, names
from tests.tools.access.test_enemies import READING
from tools.access.accesses import OF_ONE_ACCOUNT, WITHOUT_ACCOUNTS, ShownAccount, read_accesses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.tools.access.access_cases import Service

names_of_pages = test_pages.names
__all__ = ["names", "names_of_pages"]

EVERY = 97
"""Each such position is read as an event."""
EACH = 8
"""Accounts, rounds and findings that are read as pages."""
LISTS = ("/api/bets?form=csv", "/api/events?limit=1000", "/events?type=AccountOpened")
SEARCHES = ("/search?q=500 Kč", "/search?q=a-000")


class _Answered(NamedTuple):
    """An answer: its address, its records in the chain of accesses, the accounts that it names."""

    address: str
    records: range
    named: frozenset[str]


def addresses(
    service: Service, names: dict[str, str], of_pages: dict[str, str], accounts: list[str]
) -> Iterator[str]:
    yield from (
        address_of(one, names) for one in ADDRESSES if list(DESCRIBED["paths"][one]) == ["get"]
    )
    yield from (page.format(**of_pages) for page in test_pages.PAGES)
    yield from (*LISTS, *SEARCHES)
    yield f"/rounds?account={accounts[0]}"
    yield f"/api/events?tag=account:{accounts[0]}&tag=account:{accounts[1]}"
    for position in range(0, service.desk.sources.log.head().size, EVERY):
        yield from (f"/events/{position}", f"/api/events/{position}/message")
    for name in accounts[:EACH]:
        yield from (f"/accounts/{name}", f"/accounts/{name}/movements", f"/api/accounts/{name}")
    for line in service.get(f"/api/rounds?limit={EACH}").json()["answer"]["rounds"]:
        yield from (f"/rounds/{line['round']}", f"/api/rounds/{line['round']}/evidence")
    for found in service.get("/api/findings").json()["answer"]["findings"][:EACH]:
        yield from (f"/findings/{found['fingerprint']}", f"/api/findings/{found['fingerprint']}")


@pytest.mark.law("L-21")
@pytest.mark.slow("reads every address and page, and the accesses of every account")
def test_every_answer_that_names_an_account_is_found_by_it(
    service: Service, names: dict[str, str], names_of_pages: dict[str, str]
) -> None:
    log = service.desk.sources.log
    opened = [one.event for one in events_at(log, log.find(Query(types=("AccountOpened",))))]
    accounts = sorted(one.account for one in opened if isinstance(one, e.AccountOpened))
    answers = []
    for address in addresses(service, names, names_of_pages, accounts):
        before = service.accesses()
        text = service.get(address, headers={"Gameledger-Purpose": "test"}).text
        named = frozenset(re.findall(r"(?<![\w-])a-\d{4}(?![\w-])", text)).intersection(accounts)
        answers.append(_Answered(address, range(before, service.accesses()), named))
    assert sum(len(one.named) > 1 for one in answers) > EACH
    missing = set()
    for account in accounts:
        shown = ShownAccount(log, account)
        listed = read_accesses(service.desk.chain, account=shown, limit=service.accesses())
        positions = {one.position for one in listed.accesses}
        missing |= {
            (one.address, account)
            for one in answers
            if account in one.named and positions.isdisjoint(one.records)
        }
    assert not missing


def test_what_can_not_have_shown_an_account_is_not_among_its_accesses(service: Service) -> None:
    """Neither games, tables and packages, nor the past before it, nor rounds without it."""
    service.add("narrow", "auditor")
    (line, *_) = service.get("/api/bets").json()["answer"]["bets"]
    log, account = service.desk.sources.log, line["account"]
    (opened,) = log.find(Query(types=("AccountOpened",), tags=(f"account:{account}",)))
    listed = service.get("/api/rounds?limit=100").json()["answer"]["rounds"]
    rounds = [one["round"] for one in listed]
    without = next(
        one
        for one in rounds
        if not log.find(Query(tags=(f"account:{account}", f"round:{one}")), limit=1)
    )
    for address in (
        "/api/games",
        "/tables",
        "/results",
        f"/api/balances?as_of={opened}",
        f"/rounds/{without}",
        "/api/bets?account=a-0001",
    ):
        assert service.get(address, "narrow").status_code == 200, address
    shown = ShownAccount(log, account)
    found = read_accesses(service.desk.chain, reader="the-narrow", account=shown)
    assert [one.what for one in found.accesses if one.what.startswith("GET")] == []
    for address in (f"/api/balances?as_of={opened + 1}", f"/rounds/{line['round']}"):
        assert service.get(address, "narrow").status_code == 200, address
    found = read_accesses(service.desk.chain, reader="the-narrow", account=shown)
    asked = [one.what for one in found.accesses if one.what.startswith("GET")]
    assert asked == ["GET /rounds/{name}", "GET /api/balances"]


@pytest.mark.parametrize(
    ("question", "person", "expected"),
    [
        ("GET /accounts/{name}", "p-a", True),
        ("GET /api/changes/accounts/{name}", "p-a", True),
        ("GET /accounts/{name}", "p-b", False),
        ("GET /api/accounts/{name}/balance", "p-a", False),
        ("GET /api/tables", "p-a", False),
    ],
)
def test_an_account_may_be_shown_with_another_one_of_its_person(
    question: str, person: str, expected: bool
) -> None:
    """The opening of an account names the one that the person had before."""
    chain = Chain()
    house = House(chain)
    house.account("a", person="p-a")
    house.account("b", person=person)
    facts = {"reader": "r", "scope": "accounts:read", "period_key": "", "parameters": b""}
    about = {"account": "b", "round": "", "size": chain.head.size, "head": "", "rows": 1}
    access = e.AccessRecorded(question=question, purpose="", **facts, **about)  # type: ignore[arg-type]
    shown = ShownAccount(chain.tagged(), "a")
    assert shown.may_be_in(access) is expected
    assert not shown.may_be_in(replace(access, rows=0))


def test_questions_that_name_no_other_account_exist() -> None:
    known = {one.removeprefix("/api").removeprefix("/changes") for one in READING}
    assert known | {"/docs", "/openapi.json"} >= WITHOUT_ACCOUNTS | OF_ONE_ACCOUNT
