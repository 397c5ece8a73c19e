"""A reconciliation that goes on from an earlier one finds what one of all finds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ledger.core.clock import DAY, HOUR, MINUTE
from ledger.log.memory import MemoryLog
from projections.reconciliation import rounds_to_recheck
from projections.reconciliation.reconcile import examine, examine_on
from projections.store import queries
from projections.store.as_of import moment_of
from projections.store.projector import Projector
from tests.projections.history_cases import House, emptied, placed, project
from tests.projections.projection_cases import Chain
from tests.projections.random_rounds import IN_ORDER, histories, recorded
from tests.search import amount
from tools.simulator import ALL, CARD_ROOM, START, breaches, create, run

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import ReadableLog
    from projections.reconciliation.reconcile import Reconciliation
    from projections.store.tables import Store


HISTORIES = int(os.environ.get("GAMELEDGER_SINCE_HISTORIES") or amount(1, 200))
"""Random histories."""
PAID = frozenset({"PAID_TOO_LITTLE"})
"""A finding of the settlement, for tests of which rounds are settled again, not of findings."""
SPINS = frozenset({"SPIN_NOT_CHANGED"})


def agrees(
    store: Store,
    whole: Reconciliation,
    cut: int,
    *more: int,
    only: frozenset[str] = frozenset(),
    log: ReadableLog | None = None,
) -> None:
    """Go on from a place to the end: from what was recorded there, and from what is remembered."""
    with store.clone() as reading:
        reading.log = log
        _agrees(reading, whole, cut, *more, only=only)


def _agrees(
    store: Store, whole: Reconciliation, cut: int, *more: int, only: frozenset[str]
) -> None:
    earlier, memory = examine_on(store, at=cut, only=only)
    found = examine(store, at=whole.position, since=earlier.earlier, only=only)
    assert found.since == earlier.position
    assert found.findings == whole.findings
    for place in (*more, whole.position):
        found, memory = examine_on(store, at=place, since=memory, only=only)
    assert found.findings == whole.findings
    assert found.corrected == whole.corrected
    names = [one.identity for one in found.findings]
    assert len(set(names)) == len(names)
    again, _ = examine_on(store, at=whole.position, since=memory, only=only)
    assert again.findings == whole.findings


@settings(
    max_examples=HISTORIES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_random_facts_are_found_alike_from_any_place_on(store: Store, data: Any) -> None:
    chain = recorded(data.draw(histories()), data.draw(st.sampled_from([MINUTE, 2 * HOUR])))
    project(chain, emptied(store))
    size = chain.head.size
    whole = examine(store)
    cuts = data.draw(st.sets(st.integers(40, size), min_size=2, max_size=2))
    agrees(store, whole, *sorted(cuts), log=data.draw(st.sampled_from([None, chain.log()])))


@settings(
    max_examples=HISTORIES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_what_is_remembered_is_judged_at_the_moment_of_the_question(
    store: Store, data: Any
) -> None:
    """A run that goes on finds at any moment what a run of all finds then, earlier or later."""
    if data.draw(st.booleans()):
        chain = recorded(data.draw(histories()), data.draw(st.sampled_from([MINUTE, 2 * HOUR])))
        project(chain, emptied(store))
        log, size = chain.log(), chain.head.size
    else:
        log = MemoryLog()
        breaches(log, START)
        Projector(log, emptied(store)).catch_up()
        size = store.position
    ages = st.sampled_from([0, 1, MINUTE, HOUR, 25 * HOUR, 8 * DAY, 40 * DAY, 1_500 * DAY])
    begun = moment_of(store, size)
    first, *later = [begun + age for age in data.draw(st.lists(ages, min_size=3, max_size=4))]
    cut = data.draw(st.integers(size // 2, size))
    with store.clone() as reading:
        reading.log = data.draw(st.sampled_from([None, log]))
        _, memory = examine_on(reading, at=cut, now=first)
        for now in later:
            found, memory = examine_on(reading, at=size, now=now, since=memory)
            whole = examine(store, at=size, now=now)
            assert (found.findings, found.corrected) == (whole.findings, whole.corrected)
            assert found.moment == whole.moment == now


def test_a_voided_spin_is_not_the_one_before(store: Store) -> None:
    """The result that was recorded behind the void counts no spin."""
    opened, spun, closed, landed, resulted, voided, corrected = 0, 2, 3, 4, 6, 9, 10
    played = (opened, spun, closed, landed)
    steps = [(fact, 1, 0) for fact in (*played, resulted)]
    steps += [(fact, 3, 3 if fact == spun else 0) for fact in (*played, voided, resulted)]
    steps += [(fact, 5, 0) for fact in (*played, resulted)]
    chain = recorded([*steps, (corrected, 5, 0)])
    project(chain, store)
    whole = examine(store, only=SPINS)
    assert whole.findings
    agrees(store, whole, chain.head.size - 1, only=SPINS)


def test_a_round_that_is_named_again_has_its_last_spin_before(store: Store) -> None:
    """The wheel turned for r1, r7, r1 again and r5, which a later fact concerns."""
    clockwise, counter = 0, 1
    turns = ((1, clockwise), (7, counter), (1, clockwise), (5, counter))
    chain = recorded([(fact, name, way) for name, way in turns for fact in IN_ORDER])
    cut = chain.head.size
    chain = recorded(
        [(fact, name, way) for name, way in (*turns, (5, clockwise)) for fact in IN_ORDER]
    )
    project(chain, store)
    whole = examine(store, only=SPINS)
    assert not whole.findings
    agrees(store, whole, cut, only=SPINS)


def test_breaches_are_found_alike_from_any_place_on_and_by_better_plans(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = MemoryLog()
    breaches(log, START)
    Projector(log, store).catch_up()
    whole = examine(store)
    agrees(store, whole, whole.position // 2, whole.position // 3 * 2, log=log)
    found = examine(store, since=whole.earlier)
    assert found.since == whole.position
    assert found.findings == whole.findings
    monkeypatch.setattr(queries, "SMALL", 0)
    assert examine(store).findings == whole.findings


@pytest.mark.search
def test_an_evening_is_found_alike_from_any_place_on(store: Store, tmp_path: Path) -> None:
    log = MemoryLog()
    with create(log, tmp_path / "keys", seed=3) as ledger:
        run(ledger, seed=3, hours=0.2, players=12, dealt=ALL, card_room=tuple(CARD_ROOM))
        size = ledger.head.size
        Projector(log, store).catch_up()
        agrees(store, examine(store), size // 3, size // 2, size - 20, size - 5, log=log)


def test_a_round_is_left_out_that_nothing_touched(store: Store) -> None:
    house = House(Chain())
    house.table()
    house.account()
    house.played(1, "r1", until=2)
    until = house.chain.head.size
    house.played(3, "r2", until=4)
    project(house.chain, store)
    earlier = examine(store, at=until, only=PAID)
    found = examine(store, since=earlier.earlier, only=PAID)
    assert (earlier.rounds, found.rounds, examine(store, only=PAID).rounds) == (1, 1, 2)
    assert (earlier.bets, found.bets) == (1, 1), "the one before it at the wheel is only read"
    _, memory = examine_on(store, at=until)
    found = examine(store, since=memory)
    assert (found.rounds, found.bets) == (1, 1)
    house.played(5, "r3", until=6)
    project(house.chain, store)
    assert examine(store, since=earlier.earlier, only=PAID).rounds == 2


def test_too_many_rounds_from_before_are_a_run_of_all(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(Chain())
    house.table()
    house.account()
    house.opened(1, "r1")
    until = house.chain.head.size
    house.at(2, placed("r1"))
    project(house.chain, store)
    earlier = examine(store, at=until, only=PAID)
    assert examine(store, since=earlier.earlier, only=PAID).since == until
    monkeypatch.setattr(rounds_to_recheck, "RECHECKED_ROUNDS_MAX", 0)
    assert examine(store, since=earlier.earlier, only=PAID).since == 0
