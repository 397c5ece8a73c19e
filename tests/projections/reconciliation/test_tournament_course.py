"""The course of tournaments, made by hand: levels, blinds, hand for hand, places by chips."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from ledger.core.clock import MINUTE
from ledger.events import event_types as e
from tests.projections.projection_cases import START
from tests.projections.reconciliation.test_card_room_findings import eliminated, hand
from tests.projections.reconciliation.test_plan_findings import announced, paid
from tests.projections.shared_cases import Asking, Neighbour, together

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.findings.finding import Finding

LEVELS = {
    "small_blinds": (50, 100), "big_blinds": (100, 200), "antes": (0, 25),
    "point_values": (0, 0), "minutes": (20, 20),
}  # fmt: skip


def level(cup: str, number: int, **facts: Any) -> e.TournamentLevelStarted:
    """Start an announced level, of 20 minutes from the first."""
    known: dict[str, Any] = {
        "small_blind": 50 * number, "big_blind": 100 * number, "ante": 25 * (number - 1),
        "point_value": 0, "ends_at": START + (1 + 20 * number) * MINUTE, "agreed": False,
    }  # fmt: skip
    return e.TournamentLevelStarted(tournament=cup, level=number, **known | facts)


def positions(found: Iterable[Finding], code: str) -> list[int]:
    return [one.position for one in found if one.code == code]


@pytest.mark.law("69GAMES tournament rules, course of the game")
@pytest.mark.parametrize(
    ("minute", "facts", "is_found"),
    [
        (21, {}, False),
        (20, {}, True),
        (20, {"agreed": True}, False),
        (21, {"big_blind": 150}, True),
        (21, {"big_blind": 150, "agreed": True}, False),
        (21, {"big_blind": 50, "agreed": True}, True),
        (21, {"level": 3}, True),
    ],
)
@together
def test_a_level_other_than_announced_is_found(
    house: Neighbour, minute: int, facts: dict[str, Any], is_found: bool
) -> Asking:
    cup = f"levels{house.mark}"
    house.at(0, replace(announced(cup), **LEVELS))
    house.at(1, level(cup, 1))
    position = house.at(minute, replace(level(cup, 2), **facts))
    assert positions((yield), "LEVEL_NOT_ANNOUNCED") == [position] * is_found


@pytest.mark.law("69GAMES tournament rules, course of the game")
@pytest.mark.parametrize(
    ("facts", "is_found"),
    [
        ({}, False),
        ({"small_blind": 0}, False),
        ({"small_blind": 100}, True),
        ({"big_blind": 200}, True),
        ({"ante": 25}, True),
        ({"point_value": 100}, True),
    ],
)
@together
def test_blinds_of_another_level_are_found(
    house: Neighbour, facts: dict[str, int], is_found: bool
) -> Asking:
    cup = f"blinds{house.mark}"
    house.at(0, announced(cup), level(cup, 1))
    known = {"round": cup, "small_blind": 50, "big_blind": 100, "point_value": 0}
    position = house.at(1, hand(cup, cup, **known | facts))
    assert positions((yield), "AMOUNTS_NOT_OF_LEVEL") == [position] * is_found


@pytest.mark.law("69GAMES tournament rules, Hand for hand")
@pytest.mark.parametrize(
    ("course", "found"),
    [
        ("on a1 b1 /a1 /b1 a2 b2", 0),
        ("on a1 b1 /a1 a2", 1),
        ("on a1 b1 /b1 b2", 1),
        ("b0 on a1", 1),
        ("b0 on /b0 a1 b1", 0),
        ("a1 b1 /a1 a2", 0),
        ("on a1 b1 off /a1 a2", 0),
        ("on a1 b1 ~a1 a2", 0),
    ],
)
@together
def test_a_table_that_does_not_wait_is_found(house: Neighbour, course: str, found: int) -> Asking:
    """A name begins a hand of its table, a stroke ends it, a tilde declares a misdeal."""
    cup = f"wait{house.mark}"
    house.at(0, announced(cup))
    for minute, step in enumerate(course.split(), 1):
        name = f"{cup}-{step.lstrip('/~')}"
        table, result = f"{cup}-{step.lstrip('/~')[0]}", {"round": name, "table": name}
        events: dict[str, tuple[e.Event, ...]] = {
            "on": (e.HandForHandSet(tournament=cup, begins=True),),
            "off": (e.HandForHandSet(tournament=cup, begins=False),),
            "/": (
                e.RoundResulted(
                    **result, wording="w", outcome="{}", streamed=False, accounts=()
                ),
            ),
            "~": (
                e.RoundVoided(**result, ground="g", paragraph="p"),
                e.MisdealDeclared(
                    round=name, table=table, tournament=cup, ground="g", paragraph="p", acted=0,
                    accounts=(), bets=(), amounts=(),
                ),
            ),
        }  # fmt: skip
        begun = (hand(table, cup, round=name),)
        house.at(minute, *(events.get(step) or events.get(step[0]) or begun))
    wrong = [one for one in (yield) if one.code == "TABLE_NOT_WAITED_FOR"]
    assert len(wrong) == found


@pytest.mark.law("69GAMES tournament rules, Hand for hand")
@pytest.mark.parametrize(
    ("gone", "round_", "is_found"),
    [
        ([{"bara": 300}, {"cyril": 900}], "h", False),
        ([{"cyril": 900}, {"bara": 300}], "h", True),
        ([{"cyril": 900}, {"bara": 300}], "", False),
        ([{"cyril": 900, "bara": 300}], "h", True),
        ([{"cyril": 300, "bara": 300}], "h", False),
    ],
)
@together
def test_places_against_the_chips_are_found(
    house: Neighbour, gone: list[dict[str, int]], round_: str, is_found: bool
) -> Asking:
    """Bara has fewer chips than Cyril; without the hand nothing is known."""
    cup = f"places{house.mark}"
    house.at(0, announced(cup))
    for chips in gone:
        out = eliminated(cup, *chips, round=round_ and cup, chips=tuple(chips.values()))
        house.at(1, out)
    found = [one.account for one in (yield) if one.code == "PLACES_AGAINST_CHIPS"]
    assert found == ["bara"] * is_found


@pytest.mark.law("69GAMES tournament rules, kinds of tournament")
@pytest.mark.parametrize(("chips", "is_found"), [(0, False), (5_000, False), (5_001, True)])
@together
def test_a_rebuy_above_the_starting_stack_is_found(
    house: Neighbour, chips: int, is_found: bool
) -> Asking:
    cup = f"rebuy{house.mark}"
    house.at(0, announced(cup), paid(cup, 0, "buy_in", 100_000))
    again = house.at(1, replace(paid(cup, 1, "rebuy", 50_000), chips=chips))
    assert positions((yield), "ENTRY_NOT_ALLOWED") == [again] * is_found
