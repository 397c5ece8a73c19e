"""The button and the blinds of hands that follow one another, made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.events import event_types as e
from tests.projections.history_cases import House
from tests.projections.shared_cases import Asking, Neighbour, together

HOLDEM, TOURNAMENT = "69games.texas_holdem_cash", "69games.texas_holdem_tournament"
OPENED = "opened"
"""The table opens anew."""


def started(name: str, positions: str, tournament: str) -> e.HandStarted:
    """Start a hand of seats, button, small and big blind, as ``abc a b c``; ``-`` is nobody."""
    seats, button, small, big = positions.split()
    small = small.strip("-")
    return e.HandStarted(
        round=name, table="poker", tournament=tournament,
        game=TOURNAMENT if tournament else HOLDEM, plan_version="unknown", accounts=tuple(seats),
        button=button, small_blind_of=small, big_blind_of=big, small_blind=5_000 * bool(small),
        big_blind=10_000, ante=0, fee="none", time_fee=0, point_value=0, value_pairs=(),
        pair_values=(), stop_loss_of=(), stop_losses=(), in_fantasyland=(),
    )  # fmt: skip


def table_opened() -> e.TableOpened:
    return e.TableOpened(table="poker", registration="1", game=HOLDEM, place="p", streamed=False)


def drew(button: str) -> e.ButtonDrawn:
    return e.ButtonDrawn(table="poker", accounts=("a", "b"), cards=("2C", "3C"), button=button)


def hands_of(house: House, hands: list[str], *, tournament: str = "") -> dict[int, int]:
    """Record hands, one behind another; return their numbers by position.

    Those that begin with ! are misdealt; a single letter is who drew the button.
    """
    numbers: dict[int, int] = {}
    for number, hand in enumerate(hands):
        if hand == OPENED:
            house.at(number, table_opened())
        elif len(hand) == 1:
            house.at(number, drew(hand))
        else:
            name = f"h{number}"
            position = house.at(number, started(name, hand.lstrip("!"), tournament))
            numbers[position] = len(numbers)
            end: dict[str, Any] = {"round": name, "table": "poker"}
            if hand.startswith("!"):
                void = e.MisdealDeclared(
                    **end, tournament=tournament, ground="g", paragraph="p", acted=0,
                    accounts=(), bets=(), amounts=(),
                )  # fmt: skip
                house.at(number, void)
            else:
                result = e.RoundResulted(
                    **end, outcome="{}", wording="", streamed=False, accounts=()
                )
                house.at(number, result)
    return numbers


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("hands", "wrong"),
    [
        pytest.param(["b", "abc b c a"], [], id="the button is drawn"),
        pytest.param(["abc b c a"], [0], id="nobody drew"),
        pytest.param(["b", "abc a b c"], [0], id="another player has it"),
        pytest.param(["b", "ab b b a"], [], id="with two players the small blind is on it"),
        pytest.param(["b", "ab b a b"], [0], id="with two players the blinds are exchanged"),
        pytest.param(["a", "abc a b c", "abc b c a", "abc c a b"], [], id="it moves by one"),
        pytest.param(["a", "abc a b c", "abc a b c"], [1], id="it stays"),
        pytest.param(["a", "abc a b c", "abc c a b"], [1], id="it moves by two"),
        pytest.param(["a", "abc a b c", "abc b a c"], [1], id="the blinds stay"),
        pytest.param(["a", "abc a b c", "abc b - a"], [1], id="no small blind"),
        pytest.param(["a", "!abc a b c", "abc a b c", "abc b c a"], [], id="misdealt hands"),
        pytest.param(["a", "abcd a b c", "acd a c d", "acd c d a"], [], id="small blind gone"),
        pytest.param(["a", "abcd a b c", "abd b - d", "abd b d a"], [], id="big blind gone"),
        pytest.param(["a", "abcd a b c", "abd a b d"], [1], id="big blind gone, button stays"),
        pytest.param(["a", "abc a b c", "ac c c a"], [], id="two are left"),
        pytest.param(["a", "abc a b c", "ac a a c"], [1], id="twice the big blind"),
        pytest.param(["a", "ab a a b", "ab b b a"], [], id="two players"),
        pytest.param(["a", "ab a a b", "abc a b c"], [], id="a third one takes the big blind"),
        pytest.param(["a", "abc a b c", "abd d a b"], [], id="who came instead is not told"),
        pytest.param(["a", "abc a b c", OPENED, "c", "abc c a b"], [], id="drawn again"),
        pytest.param(["a", "abc a b c", OPENED, "abc b c a"], [1], id="not drawn again"),
    ],
)
@together
def test_button_and_blinds_of_a_cash_table_move_as_the_plan_has_it(
    house: House, hands: list[str], wrong: list[int]
) -> Asking:
    numbers = hands_of(house, hands)
    found = [numbers[one.position] for one in (yield) if one.code == "BUTTON_WRONG"]
    assert found == wrong


@pytest.mark.law("69GAMES poker rules, course of the game")
@pytest.mark.parametrize(
    ("hands", "wrong"),
    [
        (["abc b c a", "abc c a b"], []),
        (["abc a b c"], [0]),
        (["abc b c a", "abc b c a"], [1]),
    ],
)
@together
def test_a_tournament_begins_with_the_button_at_the_lowest_seat(
    house: Neighbour, hands: list[str], wrong: list[int]
) -> Asking:
    tournament = "-".join(hands)
    for account, seat in {"a": 4, "b": 2, "c": 3}.items():
        drawn = e.SeatDrawn(
            tournament=tournament, account=account, table=f"poker{house.mark}", seat=seat,
            from_table="", occasion="drawn",
        )  # fmt: skip
        House.at(house, 0, drawn)  # the accounts of a hand have no mark
    numbers = hands_of(house, hands, tournament=tournament)
    found = [numbers[one.position] for one in (yield) if one.code == "BUTTON_WRONG"]
    assert found == wrong
