"""What providers told and the chain does not follow, as the read side finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.events import event_types as e
from projections.findings.headers import known_findings
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import House, project

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

DIGEST = "0" * 64
CODES = frozenset(code for code in known_findings() if code.startswith("FEED_"))


@pytest.fixture
def house(chain: Chain) -> House:
    return House(chain)


def unmapped(reason: str, number: int, **more: Any) -> e.Event:
    came = {} if reason == "missing" else {"message": f"m-{number}", "digest": DIGEST}
    facts = {"messages": 1, "message": "", "kind": "", "round": "", "digest": "", "detail": ""}
    return e.FeedMessageUnmapped(
        **{
            "provider": "p",
            "feed": "T",
            "number": number,
            "reason": reason,
            **facts,
            **came,
            **more,
        }
    )


def found_in(house: House, store: Store) -> list[Finding]:
    project(house.chain, store)
    return reconcile(store, only=CODES)


@pytest.mark.law("L-1")
def test_what_is_not_followed_is_found_with_its_message(house: House, store: Store) -> None:
    expected = [
        (code, house.at(at, unmapped(code[5:].lower(), at, round="r1", detail="why")))
        for at, code in enumerate(("FEED_UNMAPPED", "FEED_REFUSED", "FEED_ALTERED"), 1)
    ]
    found = found_in(house, store)
    assert [(one.code, one.position) for one in found] == expected
    assert {one.round for one in found} == {"r1"}
    assert "p T, message m-1 (): why." in found[0].sentence


@pytest.mark.law("L-1")
def test_what_was_missing_and_came_late_is_found_once(house: House, store: Store) -> None:
    early = house.at(1, unmapped("late", 4))
    gap = house.at(2, unmapped("missing", 3, messages=2))
    (late, found) = found_in(house, store)
    assert late.code == "FEED_LATE"
    assert (found.code, found.position) == ("FEED_MISSING", gap)
    assert "p T, 2 of numbers 3 to 4." in found.sentence
    late = house.at(3, unmapped("late", 3))
    (_, found, _) = found_in(house, store)
    assert "p T, 1 of numbers 3 to 4." in found.sentence
    house.at(4, unmapped("late", 4, feed="U"))
    house.at(5, unmapped("late", 4, provider="q"))
    assert len(found_in(house, store)) == 5
    last = house.at(6, unmapped("late", 4))
    found_at = [one.position for one in found_in(house, store) if "p T" in one.sentence]
    assert found_at == [early, late, last]
