"""Linked transactions counted together, and the check of the person that they ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.events import event_types as e
from ledger.rules.operator import shipped_rules
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import SEALED, VERSION, House, project

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

FIGURES = shipped_rules()["sazka"].figures
LEAST = FIGURES.linked_haler.value
DAY = 24 * 60
GRACE = FIGURES.checked_within_days.value * DAY
WINDOW = FIGURES.linked_days.value * DAY


@pytest.fixture
def house(chain: Chain) -> House:
    """Give a house where a and b are accounts of one person, and c is somebody else."""
    made = House(chain)
    made.account("a", money=0, is_checked=False)
    made.account("b", person="p-a", money=0, is_checked=False)
    made.account("c", money=0, is_checked=False)
    return made


def paid_in(account: str, amount: int) -> e.Event:
    facts = {"account": account, "amount": amount, "method": "bank", "method_class": "account"}
    return e.DepositCredited(
        name_digest="", **facts, deposit=f"d-{account}-{amount}", document_shown=False
    )


def paid_out(account: str, amount: int) -> e.Event:
    facts = {"account": account, "amount": amount, "method": "bank", "method_class": "account"}
    return e.WithdrawalPaid(name_digest="", **facts, withdrawal=f"w-{amount}", document_shown=False)


def checked(account: str, check: str = "control") -> e.Event:
    return e.PersonChecked(account=account, check=check, how="questionnaire")


def found_in(house: House, store: Store, minute: float) -> list[Finding]:
    """Let the chain go on up to a minute and reconcile."""
    house.at(minute, e.LoggedOut(session="s", account="c", cause="user"))
    project(house.chain, store)
    return reconcile(store, only=frozenset({"CHECK_NOT_DONE"}))


@pytest.mark.law("L-55")
def test_transactions_of_all_accounts_of_a_person_count_together(
    house: House, store: Store
) -> None:
    house.at(10, paid_in("a", LEAST // 2))
    house.at(11, paid_in("c", LEAST - 1))
    position = house.at(12, paid_out("b", LEAST - LEAST // 2))
    house.at(13, paid_in("a", 1))
    assert found_in(house, store, 12 + GRACE - 1) == [], "there is time to check"
    (found,) = found_in(house, store, 13 + GRACE)
    assert (found.position, found.account, found.amount) == (position, "b", LEAST)


def test_accounts_without_a_person_are_not_those_of_one(chain: Chain, store: Store) -> None:
    house = House(chain)
    house.account("c", money=0)
    opened = e.AccountOpened(
        name_digest="",
        person="",
        account="d",
        regime="permanent",
        internet=True,
        land_based=False,
        plan_version=VERSION,
        earlier_account="",
        **SEALED,
    )
    house.at(1, opened, replace(opened, account="e"))
    house.at(10, paid_in("d", LEAST - 1))
    position = house.at(11, paid_in("e", LEAST))
    found = found_in(house, store, 12 + GRACE)
    assert [(one.position, one.account, one.amount) for one in found] == [(position, "e", LEAST)]


@pytest.mark.law("L-55")
def test_what_lies_further_apart_is_not_linked(house: House, store: Store) -> None:
    house.at(10, paid_in("a", LEAST - 1))
    house.at(10.5 + WINDOW, paid_in("a", LEAST - 1))
    assert found_in(house, store, 11 + WINDOW + GRACE) == []
    house.at(12 + WINDOW + GRACE, paid_in("a", 1))
    (found,) = found_in(house, store, 13 + WINDOW + 2 * GRACE)
    assert found.amount == LEAST


@pytest.mark.law("L-55")
@pytest.mark.parametrize("minute", [5, 10 + GRACE])
def test_a_control_in_time_answers_for_it(house: House, store: Store, minute: float) -> None:
    if minute < 10:
        house.at(minute, checked("b"))
    house.at(10, paid_in("a", LEAST))
    house.at(11, checked("a", "identification"))
    if minute > 10:
        house.at(minute, checked("b"))
    assert found_in(house, store, 12 + GRACE) == []


@pytest.mark.law("L-55")
def test_a_control_holds_for_its_time(house: House, store: Store) -> None:
    house.at(5, checked("a"))
    late = 6 + FIGURES.check_holds_days.value * DAY
    position = house.at(late, paid_in("a", LEAST))
    assert found_in(house, store, late + GRACE) == []
    (found,) = found_in(house, store, late + GRACE + 1)
    assert found.position == position
