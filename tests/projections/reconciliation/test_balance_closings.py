"""Recorded closings of balances against the postings, as the read side finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import MINUTE, day_of, midnight_after
from ledger.events import event_types as e
from ledger.tlog.balance_map import balances_root
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, deposited, project
from tests.projections.projection_cases import START

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

CODES = frozenset({"CLOSED_BALANCES_WRONG"})
DAY = day_of(START)


@pytest.mark.law("L-19")
def test_a_closing_is_compared_with_the_postings_before_the_end_of_its_period(
    chain: Chain, store: Store
) -> None:
    house = House(chain)
    house.account("a", money=500)
    house.account("b", money=20)
    size = len(house.chain.messages)
    later = (midnight_after(START) - START) / MINUTE
    house.at(later, deposited("a", 70, name="d-late"))
    true = {"size": size, "count": 2, "total": 520, "root": balances_root({"a": 500, "b": 20})}
    house.at(later, e.BalancesClosed(period=DAY, **true))
    house.at(later, e.BalancesClosed(period=DAY[:7], **true))
    wrong = (
        {"size": size - 1},
        {"count": 1},
        {"total": 521},
        {"root": balances_root({"a": 499, "b": 21})},
    )
    positions = [house.at(later, e.BalancesClosed(period=DAY, **true | one)) for one in wrong]
    held = {"count": 2, "total": 590, "root": balances_root({"a": 570, "b": 20})}
    early = [
        house.at(later, e.BalancesClosed(period=period, size=len(house.chain.messages), **held))
        for period in (day_of(midnight_after(START)), DAY[:7], DAY[:4], f"{DAY[:4]}-Q1", "")
    ]
    for _ in range(40):
        house.at(later, e.BalancesClosed(period=DAY, **true))
    project(house.chain, store)
    found = reconcile(store, only=CODES)
    assert {one.position: one.sentence.partition(": ")[2].split()[0] for one in found} == {
        **dict(zip(positions, ("size", "count", "total", "root"), strict=True)),
        **dict.fromkeys([positions[0] - 1, *early], "period"),
    }, "the month was not over"
