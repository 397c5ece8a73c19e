"""Bonuses and unclaimed money, as the read side finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import MINUTE, day_of, months_before
from ledger.events import event_types as e
from projections.checks.money_unclaimed import list_unclaimed
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, project
from tests.projections.projection_cases import START

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

CODES = frozenset({"BONUS_NOT_ANNOUNCED", "BONUS_AFTER_REQUEST", "MONEY_UNCLAIMED"})


@pytest.fixture
def house(chain: Chain) -> House:
    made = House(chain)
    made.account("a", money=700)
    return made


def announced(bonus: str, minute: int) -> e.Event:
    begins = START + minute * MINUTE
    return e.BonusAnnounced(
        bonus=bonus, kind="bet", terms="t", effective_from=begins, stake_day_max=None
    )


def granted(bonus: str) -> e.Event:
    return e.BonusGranted(account="a", bonus=bonus, amount=100)


def found_in(house: House, store: Store) -> list[tuple[str, int]]:
    project(house.chain, store)
    return [(one.code, one.position) for one in reconcile(store, only=CODES)]


@pytest.mark.law("L-53")
def test_bonuses_without_terms_or_after_the_request_are_found(house: House, store: Store) -> None:
    house.at(1, announced("known", 3), announced("late", 30))
    house.at(3, granted("known"))
    assert found_in(house, store) == []
    wrong = [("BONUS_NOT_ANNOUNCED", house.at(4, granted(name))) for name in ("late", "unknown")]
    by = {"by": "player", "ground": "12(4)"}
    house.at(5, e.CancellationRequested(person="p-a", account="a", explanation=b"", **by))
    wrong.append(("BONUS_AFTER_REQUEST", house.at(6, granted("known"))))
    house.at(7, e.CancellationWithdrawn(account="a"))
    house.at(8, granted("known"))
    assert found_in(house, store) == wrong


@pytest.mark.law("L-35")
def test_money_that_stays_in_a_closed_account_is_found_when_its_time_is_over(
    house: House, store: Store
) -> None:
    closed_at = START + 5 * MINUTE
    position = house.at(5, e.AccountClosed(account="a", ground="12(4)"))
    over = months_before(closed_at, -36)
    house.account("b", minute=6)
    house.at((over - START) / MINUTE, e.LoggedOut(session="s", account="b", cause="user"))
    assert found_in(house, store) == []
    (listed,) = list_unclaimed(store).accounts
    assert (listed.account, listed.amount, listed.is_due) == ("a", 700, False)
    assert listed.due_at == over
    house.at((over - START) / MINUTE + 1, e.LoggedOut(session="s", account="b", cause="user"))
    assert found_in(house, store) == [("MONEY_UNCLAIMED", position)]
    assert [one.is_due for one in list_unclaimed(store).accounts] == [True]
    (found,) = reconcile(store, only=frozenset({"MONEY_UNCLAIMED"}))
    assert (found.account, found.amount) == ("a", 700)
    assert day_of(over) in found.sentence
    facts = {"amount": 700, "method": "bank", "way": "account"}
    house.at((over - START) / MINUTE + 2, e.BalanceReturned(account="a", **facts))
    assert found_in(house, store) == []
