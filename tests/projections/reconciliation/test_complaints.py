"""The register of complaints and objections."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, MINUTE, in_prague
from ledger.core.errors import InputError
from ledger.events import event_types as e
from projections.reconciliation.complaints import CaseRegister, list_cases, show_case
from projections.replay.from_log import replay
from tests.projections.history_cases import House, project
from tests.projections.projection_cases import START
from tests.projections.shared_cases import found_in

if TYPE_CHECKING:
    from projections.store.tables import Store

DAYS = DAY // MINUTE


def complaint(case: str, *rounds: str, bets: tuple[str, ...] = ()) -> e.ComplaintFiled:
    first, *others = rounds or ("",)
    return e.ComplaintFiled(
        person="p-a",
        account="a",
        case=case,
        round=first,
        rounds=tuple(others),
        bets=bets,
        grounds=b"g",
    )


def objection(case: str) -> e.ObjectionFiled:
    return e.ObjectionFiled(person="p-a", account="a", case=case, grounds=b"no")


def decided(case: str, *, upheld: bool = False) -> e.ComplaintDecided:
    return e.ComplaintDecided(
        person="p-a", account="a", case=case, upheld=upheld, explanation=b"it was 3"
    )


def listed(house: House, store: Store, **options: bool | str) -> CaseRegister:
    project(house.chain, store)
    return list_cases(store, **options)  # type: ignore[arg-type]


@pytest.mark.law("SAZKA 16(1)")
def test_open_cases_are_listed_with_the_last_day_for_their_answers(
    house: House, store: Store
) -> None:
    house.at(0, complaint("first", "r1", "r2", bets=("r1-1",)))
    house.at(1 * DAYS, objection("second"))
    house.at(2 * DAYS, complaint("answered"), decided("answered"))
    register = listed(house, store)
    assert [case.case for case in register.cases] == ["first", "second"]
    case = register.cases[0]
    assert (case.rounds, case.bets, case.status) == (("r1", "r2"), ("r1-1",), "open")
    assert (case.filed_at, case.is_overdue, case.ended_at) == (START, False, None)
    assert in_prague(case.answer_until).isoformat() == "2025-11-11T00:00:00+01:00", "a Saturday"
    assert case.source == "SAZKA 16; act 634/1992 § 19(3)"
    assert register.position == house.chain.head.size


def test_a_decided_case_is_shown_with_its_answer(house: House, store: Store) -> None:
    house.at(0, complaint("c"), decided("c", upheld=True))
    assert listed(house, store).cases == ()
    (case,) = listed(house, store, with_ended=True).cases
    assert (case.status, case.answer, case.ended_at) == ("upheld", None, START)
    assert show_case(store, "c").cases == (case,)
    with pytest.raises(InputError, match="case d is unknown"):
        show_case(store, "d")


def test_the_register_is_that_of_its_position(house: House, store: Store) -> None:
    filed = house.at(0, complaint("c"))
    house.at(1, decided("c"))
    project(house.chain, store)
    assert [case.status for case in list_cases(store, at=filed + 1).cases] == ["open"]
    assert list_cases(store, at=filed).cases == ()


@pytest.mark.law("SAZKA 16(1)")
def test_overdue_is_what_reconciliation_finds(house: House, store: Store) -> None:
    house.at(0, complaint("c", "r"))
    house.at(33 * DAYS, complaint("d"))
    assert [case.is_overdue for case in listed(house, store).cases] == [True, False]
    (found,) = found_in(house, store)
    assert (found.code, found.round) == ("COMPLAINT_OVERDUE", "r")
    with pytest.raises(InputError, match="account b is unknown"):
        listed(house, store, account="b")


@pytest.mark.law("SAZKA 12(7)")
@pytest.mark.parametrize(
    "end",
    [
        e.CancellationWithdrawn(account="a"),
        e.AccountRestored(account="a", case="other"),
        e.AccountClosed(account="a", ground="ZHH 80(1)"),
    ],
    ids=lambda end: type(end).__name__,
)
def test_an_objection_lapses_with_its_cancellation_and_a_complaint_does_not(
    house: House, store: Store, end: e.Event
) -> None:
    house.at(0, objection("o"), complaint("c"))
    house.at(1, end)
    house.at(2, objection("next"))
    house.at(40 * DAYS, complaint("last"))
    cases = {case.case: case for case in listed(house, store, with_ended=True).cases}
    assert (cases["o"].status, cases["o"].source) == ("lapsed", "SAZKA 12(7)")
    assert (cases["next"].status, cases["next"].is_overdue) == ("open", True)
    assert cases["c"].is_overdue
    overdue = {"OBJECTION_OVERDUE", "COMPLAINT_OVERDUE"}
    assert {one.code for one in found_in(house, store, *overdue)} == overdue


def test_an_objection_decided_with_the_restoration_is_upheld(house: House, store: Store) -> None:
    answer = e.ObjectionDecided(
        person="p-a", account="a", case="o", upheld=True, explanation=b"so it is"
    )
    house.at(0, objection("o"))
    house.at(1, answer, e.AccountRestored(account="a", case="o"))
    (case,) = listed(house, store, with_ended=True).cases
    assert (case.status, case.answer) == ("upheld", None)


def test_the_replay_of_each_round_shows_the_complaint(house: House, store: Store) -> None:
    for number, name in enumerate(("r", "q")):
        house.played(1 + 2 * number, name, until=2 + 2 * number)
    house.at(9, complaint("c", "r", "q"))
    project(house.chain, store)
    log = house.chain.tagged()
    for name in ("r", "q"):
        assert [one.event for one in replay(log, name).facts].count("ComplaintFiled") == 1
