"""The course of tournaments: levels, blinds, and play hand for hand."""

from __future__ import annotations

import pytest

from tests.ledger.decisions.poker_room import TOURNAMENT, Room
from tests.ledger.decisions.test_decisions_tournaments import NAMES, announced, room, started

__all__ = ["room"]

LEVELS = [
    {"minutes": 20, "small_blind": 50_00, "big_blind": 100_00},
    {"minutes": 20, "small_blind": 100_00, "big_blind": 200_00, "ante": 25_00},
]


@pytest.mark.law("69GAMES tournament rules, course of the game")
def test_levels_follow_the_announced_structure(room: Room) -> None:
    started(room, levels=LEVELS)
    first, second = (
        {"tournament": "cup", "level": at, **level} for at, level in enumerate(LEVELS, 1)
    )
    room.casino.fail("next", "start_level", **second)
    for wrong in ({"big_blind": 150_00}, {"minutes": 19}):
        room.casino.refuse("LEVEL_NOT_ANNOUNCED", "start_level", **first | wrong)
    room.casino.do("start_level", **first)
    room.casino.refuse("LEVEL_NOT_ANNOUNCED", "start_level", **second)
    room.casino.wait(minutes=20)
    room.casino.do("start_level", **second)
    room.casino.assert_cold_is_hot()


@pytest.mark.law("69GAMES tournament rules, course of the game")
def test_all_players_may_agree_to_another_structure(room: Room) -> None:
    started(room, levels=LEVELS)
    level = {"tournament": "cup", "agreed": True, "minutes": 10}
    room.casino.do("start_level", **level, level=1, big_blind=300_00, small_blind=150_00)
    lower = {"level": 2, "big_blind": 200_00, "small_blind": 150_00}
    room.casino.refuse("LEVEL_NOT_ANNOUNCED", "start_level", **level, **lower)
    room.casino.do("start_level", **level, level=2, big_blind=400_00, small_blind=200_00)


@pytest.mark.law("69GAMES tournament rules, course of the game")
def test_a_hand_has_the_blinds_of_its_level(room: Room) -> None:
    started(room, levels=LEVELS)
    room.draw_seats("cup", "t1", *NAMES)
    hand = room.terms("h", *NAMES, table="t1", tournament="cup")
    room.casino.refuse("HAND_NOT_ALLOWED", "start_hand", **hand)
    room.casino.do("start_level", tournament="cup", level=1, **LEVELS[0])
    room.casino.refuse("HAND_NOT_ALLOWED", "start_hand", **hand | {"ante": 25_00})
    room.casino.do("start_hand", **hand | {"small_blind": 50_00, "big_blind": 100_00})


@pytest.fixture
def two_tables(room: Room) -> Room:
    """Play hand for hand at the tables t1 (anna, bara) and t2 (cyril, dora)."""
    room.casino.open_table("t2", game=TOURNAMENT, place="casino", streamed=False)
    started(room)
    room.casino.do("close_registration", tournament="cup")
    room.draw_seats("cup", "t1", "anna", "bara")
    room.casino.fail("one table", "set_hand_for_hand", tournament="cup", begins=True)
    room.draw_seats("cup", "t2", "cyril", "dora")
    room.casino.do("set_hand_for_hand", tournament="cup", begins=True)
    room.casino.fail("already", "set_hand_for_hand", tournament="cup", begins=True)
    return room


def hand_of(room: Room, name: str, table: str, *, refused: str = "") -> None:
    players = ("anna", "bara") if table == "t1" else ("cyril", "dora")
    terms = room.terms(name, *players, table=table, tournament="cup")
    if refused:
        room.casino.refuse(refused, "start_hand", **terms)
    else:
        room.casino.do("start_hand", **terms)
        room.blinds(name, *players)


def end_of(room: Room, name: str, player: str) -> None:
    room.act(name, player, "fold")
    room.casino.do("settle_hand", round=name)


@pytest.mark.law("69GAMES tournament rules, Hand for hand")
def test_hand_for_hand_each_table_waits_for_the_others(two_tables: Room) -> None:
    room = two_tables
    hand_of(room, "h1", "t1")
    hand_of(room, "k1", "t2")
    end_of(room, "h1", "anna")
    hand_of(room, "h2", "t1", refused="HAND_FOR_HAND")
    end_of(room, "k1", "cyril")
    button = {"button": "bara", "small_blind_of": "bara", "big_blind_of": "anna"}
    room.casino.do("start_hand", **room.terms("h2", "anna", "bara", table="t1") | button
                   | {"tournament": "cup"})  # fmt: skip
    room.casino.assert_cold_is_hot()
    room.casino.do("set_hand_for_hand", tournament="cup", begins=False)


@pytest.mark.law("69GAMES tournament rules, Hand for hand")
def test_hand_for_hand_players_who_go_out_are_ranked_by_their_chips(two_tables: Room) -> None:
    room = two_tables
    hand_of(room, "h1", "t1")
    gone = {"tournament": "cup", "accounts": ["bara", "dora", "cyril"]}
    chips = [900_00, 300_00, 300_00]
    room.casino.fail("chips", "eliminate_players", **gone)
    room.casino.fail("parallel", "eliminate_players", **gone, chips=[1])
    room.casino.refuse("HAND_FOR_HAND", "eliminate_players", **gone, chips=chips)
    end_of(room, "h1", "anna")
    first, last = room.casino.do("eliminate_players", **gone, chips=chips)
    assert (first.accounts, first.place, first.chips) == (("dora", "cyril"), 3, (300_00, 300_00))
    assert (last.accounts, last.place, last.left) == (("bara",), 2, 1)


def test_levels_and_hand_for_hand_belong_to_a_running_tournament(room: Room) -> None:
    announced(room, *NAMES)
    cup = {"tournament": "cup"}
    room.casino.refuse("TOURNAMENT_STATUS", "set_hand_for_hand", **cup, begins=True)
    room.casino.refuse("TOURNAMENT_STATUS", "start_level", **cup, level=1, minutes=20)
