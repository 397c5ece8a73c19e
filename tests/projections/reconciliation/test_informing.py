"""Play of an hour in a login, in which nothing was shown to the participant (ZHH 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.events import event_types as e
from tests.projections.history_cases import logged_in
from tests.projections.shared_cases import Asking, together

if TYPE_CHECKING:
    from tests.projections.history_cases import House


def shown(kind: str) -> e.InformationShown:
    return e.InformationShown(account="a", kind=kind, text="", play_minutes=1, net_result=None)


OUT = e.LoggedOut(session="s-a", account="a", cause="user")


@pytest.mark.law("L-52")
@pytest.mark.parametrize(
    ("bets", "facts", "is_found"),
    [
        ((0, 30, 61), {}, True),
        ((0, 30, 59), {}, False),
        ((0, 30, 59), {100: OUT}, False),
        ((0, 30, 61), {40: shown("play_time")}, False),
        ((0, 30, 61), {40: shown("net_result")}, False),
        ((0, 30, 61), {40: shown("rules")}, True),
        ((5, 30, 66), {1: shown("play_time")}, True),
        ((0, 30, 62), {61: shown("play_time")}, True),
        ((0, 30, 61), {40: OUT, 41: logged_in("a", "again")}, False),
    ],
)
@together
def test_play_of_an_hour_without_information_is_found(
    house: House, bets: tuple[int, ...], facts: dict[int, e.Event], is_found: bool
) -> Asking:
    """Minutes of bets, and what happens between them."""
    steps: list[tuple[int, object]] = [*((at, "bet") for at in bets), *facts.items()]
    for minute, step in sorted(steps, key=lambda one: one[0]):
        if isinstance(step, e.Event):
            house.at(minute, step)
        elif isinstance(step, tuple):
            house.at(minute, *step)
        else:
            house.played(minute, f"r{minute}", until=minute + 0.5)
    house.at(200, OUT)
    codes = [one.code for one in (yield) if one.code == "INFORMATION_NOT_SHOWN"]
    assert codes == ["INFORMATION_NOT_SHOWN"] * is_found
