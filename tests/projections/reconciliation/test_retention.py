"""Whose data are kept until when, and erasures that came too early or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, MINUTE, day_of, midnight_after
from ledger.events import event_types as e
from ledger.rules.deadlines import DEADLINES
from ledger.rules.retention import end_of_retention
from projections.checks.not_erased import retained
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, project
from tests.projections.projection_cases import START

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

CODES = frozenset({"ERASED_TOO_EARLY", "NOT_ERASED"})
ENDED = START + 5 * MINUTE
UNTIL = end_of_retention(ENDED)
LATE = midnight_after(UNTIL, days=(DEADLINES["NOT_ERASED"].calendar_days or 0) + 1)


@pytest.fixture
def house(chain: Chain) -> House:
    """Give a house in which a closed the account at minute 5, and b has one."""
    made = House(chain)
    made.account("a", money=100)
    made.account("b")
    made.at(5, returned(100), closed("a"))
    return made


def closed(account: str) -> e.Event:
    return e.AccountClosed(account=account, ground="12(4)")


def returned(amount: int) -> e.Event:
    return e.BalanceReturned(account="a", amount=amount, method="bank", way="account")


def erased(account: str) -> e.Event:
    return e.PersonErased(person=f"p-{account}", account=account, fields=())


def hold(until: int | None = None) -> e.Event:
    named = {"hold": "h", "account": "a", "person": "p-a", "round": ""}
    return e.LegalHoldPlaced(**named, ordered_by="c", reason="r", reference="1", until=until)


def at(house: House, moment: int, *events: e.Event) -> int:
    return house.at((moment - START) / MINUTE, *events)


def anything(house: House, moment: int) -> int:
    """Let the chain go on up to a moment."""
    return at(house, moment, e.LoggedOut(session="s-b", account="b", cause="user"))


def found_in(house: House, store: Store) -> list[Finding]:
    project(house.chain, store)
    return reconcile(store, only=CODES)


def test_who_has_no_account_is_kept_until_the_period_is_over(house: House, store: Store) -> None:
    project(house.chain, store)
    (kept,) = retained(store, now=UNTIL - 1).persons
    assert (kept.account, kept.ended_at, kept.until, kept.due_since) == ("a", ENDED, UNTIL, None)
    (kept,) = retained(store, now=UNTIL).persons
    assert kept.due_since == UNTIL
    before = house.chain.head.size - 1
    assert retained(store, at=before).persons == ()
    house.at(6, closed("b"), erased("a"))
    project(house.chain, store)
    assert [one.account for one in retained(store).persons] == ["b"]


def test_a_second_account_and_money_after_the_closing_begin_the_period_anew(
    house: House, store: Store
) -> None:
    house.account("c", person="p-a", money=50, minute=6)
    project(house.chain, store)
    assert retained(store).persons == ()
    house.at(7, closed("c"))
    house.at(9, returned(1))
    project(house.chain, store)
    (kept,) = retained(store).persons
    assert (kept.account, kept.ended_at) == ("c", START + 9 * MINUTE)


def test_a_hold_keeps_what_is_over_its_period(house: House, store: Store) -> None:
    house.at(6, hold(until=UNTIL + 5 * DAY))
    project(house.chain, store)
    (kept,) = retained(store, now=UNTIL + 5 * DAY - 1).persons
    assert (kept.holds, kept.due_since) == (("h",), None)
    (kept,) = retained(store, now=UNTIL + 5 * DAY).persons
    assert (kept.holds, kept.due_since) == ((), UNTIL + 5 * DAY)


@pytest.mark.law("GDPR 17(3), 18")
@pytest.mark.law("L-56")
def test_an_erasure_before_its_time_is_found(house: House, store: Store) -> None:
    position = at(house, UNTIL - 1, erased("a"))
    (found,) = found_in(house, store)
    assert (found.code, found.position, found.account) == ("ERASED_TOO_EARLY", position, "a")
    assert day_of(UNTIL - 1) in found.sentence


@pytest.mark.law("L-58")
def test_an_erasure_in_time_is_no_finding(house: House, store: Store) -> None:
    anything(house, LATE - 1)
    assert found_in(house, store) == []
    at(house, LATE - 1, erased("a"))
    anything(house, LATE)
    assert found_in(house, store) == []


@pytest.mark.law("L-58")
def test_an_erasure_that_does_not_come_is_found(house: House, store: Store) -> None:
    position = anything(house, LATE)
    (found,) = found_in(house, store)
    assert (found.code, found.position, found.account) == ("NOT_ERASED", position, "a")
    at(house, LATE, hold())
    assert found_in(house, store) == []


def test_an_erasure_with_an_open_account_is_found(house: House, store: Store) -> None:
    at(house, UNTIL, erased("b"))
    (found,) = found_in(house, store)
    assert (found.code, found.account) == ("ERASED_TOO_EARLY", "b")
    assert "the closing of account b" in found.sentence
