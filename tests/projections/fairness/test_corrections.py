"""Dealers, tables and wheels with more voided or corrected rounds than others stand out."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import DAY
from ledger.events import event_types as e
from projections.fairness.corrections import Correction, corrected_rounds, tail
from tests.projections.history_cases import House, project, round_opened
from tests.projections.projection_cases import START, Chain

if TYPE_CHECKING:
    from projections.store.tables import Store

ROUNDS = 60


def opened(house: House, name: str, dealer: str, wheel: str) -> None:
    devices = {"devices": (wheel,), "device_kinds": ("wheel",), "serials": ("1",)} if wheel else {}
    house.chain.decide(round_opened(name, table="t", streamed=True, dealer=dealer, **devices))


def voided(name: str, ground: str = "card_misrecorded") -> e.RoundVoided:
    return e.RoundVoided(round=name, table="t", ground=ground, paragraph="SAZKA 14(1)")


def win_corrected(name: str, cause: str) -> e.WinCorrected:
    return e.WinCorrected(
        bet=f"{name}-b", account="a", round=name, difference=5, cause=cause, claimed=0
    )


def test_who_stands_out_is_named_with_the_reasons(store: Store) -> None:
    house = House(Chain())
    house.table()
    for number in range(ROUNDS):
        for dealer in ("careful", "clumsy"):
            opened(house, f"{dealer}-{number}", dealer, f"w-{dealer}" if number % 2 else "")
    for number in range(14):
        house.chain.decide(voided(f"clumsy-{number}"))
    house.chain.decide(win_corrected("clumsy-0", "wrong chip"))
    house.chain.decide(win_corrected("clumsy-20", "wrong chip"))
    before = house.chain.head.size
    house.chain.decide(voided("careful-3", "result_not_recorded"))
    house.chain.decide(voided("unknown"))
    project(house.chain, store)
    clumsy, careful = (
        next(one for one in corrected_rounds(store) if one.name == name)
        for name in ("clumsy", "careful")
    )
    assert (clumsy.kind, clumsy.rounds, clumsy.corrected) == ("dealer", ROUNDS, 15)
    assert clumsy.expected == careful.expected == 8
    assert clumsy.stands_out
    assert clumsy.corrections == (
        Correction("RoundVoided", "card_misrecorded", 14),
        Correction("WinCorrected", "wrong chip", 2),
    )
    assert (careful.corrected, careful.stands_out) == (1, False)
    found = {(one.kind, one.name): one.corrected for one in corrected_rounds(store)}
    assert found["table", "t"] == 16
    assert found["wheel", "w-clumsy"] == 7
    assert "careful" not in {one.name for one in corrected_rounds(store, at=before)}


def test_rounds_of_more_than_a_month_ago_do_not_count(store: Store) -> None:
    house = House(Chain())
    house.table()
    opened(house, "old", "d", "")
    house.chain.decide(voided("old"))
    for day in range(1, 40):
        house.chain.moment = START + day * DAY
        opened(house, f"r-{day}", "d", "")
    project(house.chain, store)
    assert corrected_rounds(store) == []


@given(st.data())
def test_the_chance_of_so_many_is_counted_exactly(data: st.DataObject) -> None:
    whole = data.draw(st.integers(1, 60))
    rounds, corrected = (data.draw(st.integers(0, whole)) for _ in range(2))
    count = data.draw(st.integers(0, rounds))
    ways = sum(
        comb(corrected, some) * comb(whole - corrected, rounds - some)
        for some in range(count, rounds + 1)
    )
    found = tail(count, rounds=rounds, corrected=corrected, whole=whole)
    assert found == pytest.approx(ways / comb(whole, rounds), abs=1e-9)


def test_the_only_dealer_never_stands_out() -> None:
    assert tail(50, rounds=100, corrected=50, whole=100) == pytest.approx(1)
