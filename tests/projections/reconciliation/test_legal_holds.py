"""The register of legal holds, where it is shown, and an erasure that broke one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from projections.checks.legal_holds import Hold, list_holds
from projections.questions.accounts import account_story
from projections.reconciliation.reconcile import reconcile
from projections.replay.from_log import replay
from tests.projections.history_cases import House, project
from tests.projections.projection_cases import START

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain


@pytest.fixture
def house(chain: Chain) -> House:
    """Give a house in which a and b played a round each, q-a and q-b."""
    made = House(chain)
    made.table()
    for minute, account in ((1, "a"), (3, "b")):
        made.account(account)
        made.played(minute, f"q-{account}", until=minute + 1, account=account)
    return made


def placed(hold: str, *, account: str = "", round_: str = "", until: int | None = None) -> e.Event:
    return e.LegalHoldPlaced(
        hold=hold,
        account=account,
        person=f"p-{account}" if account else "",
        round=round_,
        ordered_by="court",
        reason="action",
        reference="12 C 3/26",
        until=until,
    )


def ended(hold: str, *, round_: str = "") -> e.Event:
    return e.LegalHoldEnded(
        hold=hold,
        account="",
        person="",
        round=round_,
        ordered_by="court",
        reason="over",
        reference="",
    )


def erased(account: str) -> e.Event:
    return e.PersonErased(person=f"p-{account}", account=account, fields=())


def names(holds: tuple[Hold, ...]) -> list[str]:
    return [hold.hold for hold in holds]


def test_a_hold_is_shown_to_whom_it_covers_until_it_ends(house: House, store: Store) -> None:
    house.at(6, placed("h1", account="a"))
    house.at(7, placed("h2", round_="q-b"))
    house.at(8, placed("h3", account="b", until=START + 20 * MINUTE))
    in_force = house.chain.head.size
    house.at(9, ended("h2", round_="q-b"))
    house.at(20, ended("h9"))
    project(house.chain, store)
    log = house.chain.tagged()
    assert names(list_holds(store, at=in_force).holds) == ["h1", "h2", "h3"]
    assert names(account_story(store, log, "a", at=in_force).holds) == ["h1"]
    assert names(account_story(store, log, "b", at=in_force).holds) == ["h2", "h3"]
    (hold,) = replay(log, "q-b", at=in_force).holds
    assert (hold.hold, hold.ordered_by, hold.reference) == ("h2", "court", "12 C 3/26")
    assert replay(log, "q-a", at=in_force).holds == ()
    assert names(list_holds(store).holds) == ["h1"]
    assert replay(log, "q-b").holds == ()
    told = [fact.event for fact in replay(log, "q-b").facts]
    assert told[-2:] == ["LegalHoldPlaced", "LegalHoldEnded"]
    closed = {hold.hold: hold.ended_by for hold in list_holds(store, with_ended=True).holds}
    assert closed == {"h1": "", "h2": "court", "h3": ""}


@pytest.mark.law("GDPR 17(3), 18")
def test_an_erasure_under_hold_is_found(house: House, store: Store) -> None:
    house.at(6, placed("h1", round_="q-a"))
    house.at(7, placed("h2", account="b"))
    position = house.at(8, erased("a"))
    house.at(9, ended("h2"))
    house.at(10, erased("b"))
    project(house.chain, store)
    (found,) = reconcile(store, only=frozenset({"ERASED_UNDER_HOLD"}))
    assert (found.position, found.account, found.round) == (position, "a", "q-a")
    assert "hold h1" in found.sentence
    assert found.paragraph == "GDPR 17(3)(b), 17(3)(e), 18"


@pytest.mark.parametrize("until", [8, 9])
def test_a_hold_binds_up_to_its_end_and_no_longer(house: House, store: Store, until: int) -> None:
    house.at(6, placed("h1", account="a", until=START + until * MINUTE))
    house.at(8, erased("a"))
    project(house.chain, store)
    found = reconcile(store, only=frozenset({"ERASED_UNDER_HOLD"}))
    assert bool(found) == (until > 8)
