"""What is late is judged at the moment of the question, also in a chain that fell silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, HOUR
from ledger.events import event_types as e
from projections.reconciliation.complaints import list_cases
from projections.reconciliation.duties import list_duties
from projections.reconciliation.reconcile import examine, reconcile
from projections.store.as_of import moment_of
from tests.projections.history_cases import House, project
from tests.projections.projection_cases import Chain
from tests.projections.reconciliation.test_complaints import complaint

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store


@pytest.fixture
def ended_at(store: Store) -> int:
    """Project a chain that ends with the press of a panic button and a complaint."""
    house = House(Chain())
    house.account()
    house.at(0, e.PanicButtonPressed(account="a", until=0, channel="web"))
    house.at(0, complaint("c"))
    project(house.chain, store)
    return moment_of(store, store.position)


def found_at(store: Store, now: int | None, code: str) -> list[Finding]:
    return reconcile(store, now=now, only=frozenset({code}))


def test_a_duty_of_a_silent_chain_becomes_late(store: Store, ended_at: int) -> None:
    assert not found_at(store, ended_at + 24 * HOUR, "PANIC_NOT_REPORTED")
    assert found_at(store, ended_at + 24 * HOUR + 1, "PANIC_NOT_REPORTED")
    register = list_duties(store, code="PANIC_NOT_REPORTED", now=ended_at + 7 * DAY)
    assert (register.recorded_at, register.moment) == (ended_at, ended_at + 7 * DAY)
    assert [one.is_overdue for one in register.duties] == [True]
    (case,) = list_cases(store, now=ended_at + 60 * DAY).cases
    assert case.is_overdue


def test_a_question_of_the_record_is_judged_at_its_last_message(
    store: Store, ended_at: int
) -> None:
    for now in (None, 0, ended_at - DAY):
        assert examine(store, now=now).moment == ended_at
        assert not found_at(store, now, "PANIC_NOT_REPORTED")


@pytest.mark.law("L-19")
def test_silence_of_the_chain_is_a_finding(store: Store, ended_at: int) -> None:
    assert not found_at(store, ended_at + 24 * HOUR, "CHAIN_SILENT")
    (found,) = found_at(store, ended_at + 9 * DAY, "CHAIN_SILENT")
    assert found.position == store.position - 1
    (later,) = found_at(store, ended_at + 90 * DAY, "CHAIN_SILENT")
    assert (later.identity, later.fingerprint) == (found.identity, found.fingerprint)
