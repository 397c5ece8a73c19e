"""Pineapple open-face games: stacks, sets, points, Fantasyland."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import sentence_of
from tests.ledger.decisions.poker_room import PINEAPPLE, Room

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

LARGEST = 10**14 - 1
SETS: dict[str, dict[str, list[str]]] = {
    "anna": {
        "front": ["QC", "QD", "2C"],
        "middle": ["AC", "AD", "3D", "4H", "5S"],
        "back": ["KC", "KD", "KH", "7S", "8S"],
        "discards": ["2S", "3S", "4S", "6S"],
    },
    "bara": {
        "front": ["9C", "8C", "6C"],
        "middle": ["JC", "JD", "3C", "4C", "5C"],
        "back": ["TC", "TD", "9D", "9H", "7C"],
        "discards": ["2D", "4D", "5D", "6D"],
    },
}


@pytest.fixture
def room(house: Casino) -> Room:
    room = Room(house)
    room.players("anna", "bara", table="p1")
    return room


def terms(round_: str = "g", **more: Any) -> dict[str, Any]:
    return {
        "round": round_,
        "table": "p1",
        "seats": ["anna", "bara"],
        "button": "anna",
        "stacks": {"anna": 200_000, "bara": 200_000},
        "point_value": 10_000,
    } | more


def play(room: Room, round_: str = "g", **more: Any) -> list[Any]:
    settlement = more.pop("settlement", {})
    room.casino.do("start_open_face", **terms(round_, **more))
    for account, rows in SETS.items():
        room.casino.do("set_cards", round=round_, account=account, **rows)
    return room.casino.do("settle_hand", round=round_, **settlement)


@pytest.mark.law("69GAMES Pineapple, Bodování")
def test_stacks_are_in_play_and_points_are_paid(room: Room) -> None:
    opened, started, first, second = room.casino.do("start_open_face", **terms())
    assert (opened.game, started.point_value, started.fee) == (PINEAPPLE, 10_000, "rake")
    assert (first.action, first.street, first.amount, second.bet) == (
        "stack", "stack", 200_000, "g-2",
    )  # fmt: skip
    assert room.casino.account("anna").in_play == 200_000
    for account, rows in SETS.items():
        (event,) = room.casino.do("set_cards", round="g", account=account, **rows)
        assert event.foul is False
    resulted, points, rake = room.casino.do("settle_hand", round="g")
    assert type(resulted).__name__ == "RoundResulted"
    # Front 1, middle 1, back 1, scoop 3, royalties of the queens 7: 13 points.
    assert (points.pairs, points.points, points.amounts) == (("bara|anna",), (-13,), (-130_000,))
    assert (points.stakes, points.paid) == ((200_000, 200_000), (327_500, 67_500))
    assert (rake.amount, rake.due, rake.cap) == (5_000, 5_000, 5_000)
    assert room.wallets("anna", "bara") == [11_275, 8_675]
    assert not room.casino.account("anna").bets


def test_values_of_pairs_and_stop_losses_count(room: Room) -> None:
    _, points, _ = play(room, pair_values={"anna|bara": 20_000}, stop_losses={"bara": 100_000})
    assert points.amounts == (-100_000,)


def test_time_collection_takes_the_place_of_the_rake(room: Room) -> None:
    events = play(room, time_fee=50_000)
    assert [type(event).__name__ for event in events] == ["RoundResulted", "PointsSettled"]


def test_what_the_table_paid_stands_beside_what_is_due(room: Room) -> None:
    payments = [{"account": "bara", "amount": 0}]
    _, points, rake = play(room, settlement={"payments": payments, "rake": 0})
    assert (points.due[1], points.paid[1]) == (67_500, 0)
    assert (rake.due, rake.amount) == (5_000, 0)


@pytest.mark.law("69GAMES Pineapple, Fantasy Land")
def test_fantasyland_follows_from_the_game_before(room: Room) -> None:
    play(room)
    assert room.casino.account("anna").fantasyland == {"p1": 14}
    events = room.casino.refuse("FANTASYLAND_DIFFERS", "start_open_face", **terms("g2"))
    assert sentence_of(events[0]) == "In Fantasyland: anna."
    room.casino.do("start_open_face", **terms("g2", in_fantasyland=["anna"]))
    rows = SETS["anna"] | {"discards": ["2S"]}
    (event,) = room.casino.do("set_cards", round="g2", account="anna", **rows)
    assert event.fantasyland == 0
    assert room.casino.account("anna").fantasyland == {}


def test_who_leaves_the_table_leaves_fantasyland(room: Room) -> None:
    play(room)
    room.casino.do("leave_seat", account="anna", table="p1")
    room.casino.do("take_seat", account="anna", table="p1")
    room.casino.do("start_open_face", **terms("g2"))


def test_a_foul_is_told_when_the_cards_are_set(room: Room) -> None:
    room.casino.do("start_open_face", **terms())
    rows = SETS["anna"] | {"front": SETS["bara"]["front"], "middle": SETS["anna"]["back"],
                           "back": SETS["anna"]["middle"]}  # fmt: skip
    (event,) = room.casino.do("set_cards", round="g", account="anna", **rows)
    assert (event.foul, event.royalties, event.fantasyland) == (True, 0, 0)


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
@pytest.mark.parametrize(
    "change",
    [
        {"front": ["QC", "QD"]},
        {"back": ["KC", "KD", "KH", "7S"]},
        {"discards": ["2S", "3S", "4S"]},
        {"front": ["QC", "QD", "KC"]},
        {"front": ["9C", "QD", "2C"]},
    ],
)
def test_sets_that_are_not_possible(room: Room, change: dict[str, Any]) -> None:
    room.casino.do("start_open_face", **terms())
    room.casino.do("set_cards", round="g", account="bara", **SETS["bara"])
    rows = SETS["anna"] | change
    room.casino.refuse("SET_NOT_ALLOWED", "set_cards", round="g", account="anna", **rows)


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
def test_set_cards_never_move_and_were_dealt(room: Room) -> None:
    room.casino.do("start_open_face", **terms())
    room.deal("g", "anna", "QC", "QD", "2C", "AC", "AD")
    room.casino.refuse("SET_NOT_ALLOWED", "set_cards", round="g", account="anna", **SETS["anna"])
    room.casino.do("set_cards", round="g", account="bara", **SETS["bara"])
    room.casino.refuse("SET_NOT_ALLOWED", "set_cards", round="g", account="bara", **SETS["bara"])
    room.players("dora", table="p1")
    room.casino.refuse("NOT_IN_HAND", "set_cards", round="g", account="dora", **SETS["bara"])


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"seats": ["anna"], "stacks": {"anna": 200_000}}, "HAND_NOT_ALLOWED"),
        ({"stacks": {"anna": 200_000}}, "HAND_NOT_ALLOWED"),
        ({"stacks": {"anna": 200_000, "bara": 2_500}}, "HAND_NOT_ALLOWED"),
        ({"pair_values": {"anna|dora": 100}}, "HAND_NOT_ALLOWED"),
        ({"stop_losses": {"dora": 100}}, "HAND_NOT_ALLOWED"),
        ({"stacks": {"anna": 200_000, "bara": 2_000_000}}, "INSUFFICIENT_FUNDS"),
        ({"time_fee": 1_000}, "FEE_OUT_OF_RANGE"),
    ],
)
def test_games_that_the_plan_does_not_allow(room: Room, more: dict[str, Any], code: str) -> None:
    room.casino.refuse(code, "start_open_face", **terms(**more))


def test_a_game_is_settled_when_all_cards_are_set(room: Room) -> None:
    room.casino.do("start_open_face", **terms())
    room.casino.do("set_cards", round="g", account="anna", **SETS["anna"])
    room.casino.refuse("HAND_NOT_FINISHED", "settle_hand", round="g")
    room.casino.refuse("VOID_REASON_UNKNOWN", "declare_misdeal", round="g", ground="x")
    room.casino.fail("open-face", "act_in_hand", round="g", account="anna", action="check")
    room.casino.assert_cold_is_hot()


@pytest.mark.parametrize(
    "largest",
    [
        {"point_value": LARGEST},
        {"stop_losses": {"anna": LARGEST}},
        {"pair_values": {"anna|bara": LARGEST}},
    ],
)
def test_a_game_of_the_largest_amounts_that_are_taken_is_settled(
    room: Room, largest: dict[str, Any]
) -> None:
    ((name, value),) = largest.items()
    above = value + 1 if value == LARGEST else dict.fromkeys(value, LARGEST + 1)
    room.casino.fail(name, "start_open_face", **terms(**{name: above}))
    play(room, **largest)
    assert not any(room.casino.account(name).bets for name in SETS)


STREETS = [
    {"front": ["QC"], "middle": ["AC", "AD"], "back": ["KC", "KD"]},
    {"front": ["QD"], "back": ["KH"], "discards": ["2S"]},
    {"middle": ["3D"], "back": ["7S"], "discards": ["3S"]},
    {"middle": ["4H"], "back": ["8S"], "discards": ["4S"]},
    {"front": ["2C"], "middle": ["5S"], "discards": ["6S"]},
]


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
def test_cards_are_placed_street_by_street_and_never_move(room: Room) -> None:
    casino = room.casino
    casino.do("start_open_face", **terms())
    anna = {"round": "g", "account": "anna"}
    casino.refuse("SET_NOT_ALLOWED", "place_cards", **anna, front=["QC"], back=["KC"])
    for street, rows in enumerate(STREETS, 1):
        (placed,) = casino.do("place_cards", **anna, **rows)
        assert placed.street == street
        again = {"front": ["QC"], "back": ["2H"], "discards": ["3H"]}
        casino.refuse("SET_NOT_ALLOWED", "place_cards", **anna, **again)
    casino.refuse("SET_NOT_ALLOWED", "place_cards", **anna, back=["2H", "3H"], discards=["4C"])
    moved = SETS["anna"] | {"front": ["QC", "QD", "3D"], "middle": ["AC", "AD", "2C", "4H", "5S"]}
    (refused,) = casino.refuse("SET_NOT_ALLOWED", "set_cards", **anna, **moved)
    assert "never move" in sentence_of(refused)
    casino.do("set_cards", **anna, **SETS["anna"])
    casino.do("set_cards", round="g", account="bara", **SETS["bara"])
    casino.do("settle_hand", round="g")
    casino.assert_cold_is_hot()


@pytest.mark.law("69GAMES Pineapple, rules and dealing")
def test_no_card_is_placed_by_two_players_or_into_a_full_row(room: Room) -> None:
    casino = room.casino
    casino.do("start_open_face", **terms())
    anna, bara = ({"round": "g", "account": name} for name in ("anna", "bara"))
    casino.do("place_cards", **anna, front=["QC", "QD", "2C"], back=["KC", "KD"])
    casino.refuse("SET_NOT_ALLOWED", "place_cards", **bara, back=["QC", "TD", "9D", "9H", "7C"])
    taken = SETS["bara"] | {"front": ["QC", "8C", "6C"]}
    casino.refuse("SET_NOT_ALLOWED", "set_cards", **bara, **taken)
    full = {"front": ["9C"], "back": ["KH"], "discards": ["2S"]}
    casino.refuse("SET_NOT_ALLOWED", "place_cards", **anna, **full)
    casino.do("set_cards", **bara, **SETS["bara"])
    taken = {"middle": ["JC"], "back": ["KH"], "discards": ["2S"]}
    casino.refuse("SET_NOT_ALLOWED", "place_cards", **anna, **taken)
