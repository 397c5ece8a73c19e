"""The clock of the record against its source, as the read side finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import SECOND
from ledger.events import event_types as e
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, project

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

CODES = frozenset({"CLOCK_APART", "CLOCK_NOT_MEASURED"})


@pytest.fixture
def house(chain: Chain) -> House:
    return House(chain)


def measured(skew: int | None) -> e.Event:
    known = None if skew is None else 10
    return e.ClockMeasured(source_of_time="ntp", skew=skew, uncertainty=known)


def found_in(house: House, store: Store) -> list[Finding]:
    project(house.chain, store)
    return reconcile(store, only=CODES)


@pytest.mark.law("L-19")
def test_a_clock_is_a_second_from_its_source_at_most(house: House, store: Store) -> None:
    house.at(1, measured(SECOND))
    house.at(2, measured(-SECOND))
    assert found_in(house, store) == []
    position = house.at(3, measured(-SECOND - 1))
    (found,) = found_in(house, store)
    assert (found.code, found.position) == ("CLOCK_APART", position)
    assert "-1.000 s" in found.sentence


@pytest.mark.law("L-19")
def test_a_clock_is_compared_while_something_is_recorded(house: House, store: Store) -> None:
    house.account("a", minute=1)
    house.at(400, measured(0))
    house.at(1000, measured(0))
    assert found_in(house, store) == [], "nothing was recorded in between"
    last = house.at(1119, e.LoggedOut(session="s", account="a", cause="user"))
    assert found_in(house, store) == []
    house.at(1120, measured(None))
    last = house.at(1121, e.LoggedOut(session="s", account="a", cause="user"))
    (found,) = found_in(house, store)
    assert (found.code, found.position) == ("CLOCK_NOT_MEASURED", last)
    assert "2.0 h" in found.sentence


def test_a_writer_without_a_source_is_not_judged_by_the_last_one(
    house: House, store: Store
) -> None:
    house.account("a", minute=1)
    house.at(2, measured(0))
    house.at(200, e.WriterStarted(writer="w", epoch=2, software_version="1"))
    house.at(201, e.LoggedOut(session="s", account="a", cause="user"))
    assert found_in(house, store) == []
