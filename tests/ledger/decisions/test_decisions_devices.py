"""Devices of a table, which way its wheel turned, and where a round's recording is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import sentence_of

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from tests.ledger.decisions.decisions_casino import Casino

WHEEL = {"table": "r1", "device": "wheel-r1"}
INSPECTED = {**WHEEL, "by": "inspector", "findings": "balance"}
RECORDING = {
    "camera": "c1",
    "recording": "2026-02-02/c1/1200.mkv",
    "begins_at": "2026-02-02T11:59:00+01:00",
    "ends_at": "2026-02-02T12:05:00+01:00",
    "sound": True,
}


@pytest.mark.law("L-37", "L-38", "SAZKA 5(3)")
def test_a_round_names_the_number_of_its_table_and_the_devices_in_use(house: Casino) -> None:
    house.do("assign_device", table="r1", device="s9", kind="shuffler", serial="SHU-9")
    (opened,) = house.do("open_round", round="q", table="r1")
    assert opened.registration == "83/r1"
    assert opened.devices == ("wheel-r1", "s9")
    assert opened.device_kinds == ("wheel", "shuffler")
    assert opened.serials == ("1", "SHU-9")


@pytest.mark.law("L-37", "L-38", "SAZKA 5(3)")
def test_no_round_opens_without_the_device_that_makes_its_result(house: Casino) -> None:
    house.do("remove_device", **WHEEL, reason="repair")
    house.do("assign_device", table="r1", device="s9", kind="shuffler", serial="SHU-9")
    (refused,) = house.refuse("DEVICE_MISSING", "open_round", round="q", table="r1")
    assert sentence_of(refused) == "The table has no machine or wheel to produce the result."
    house.assert_cold_is_hot()
    house.do("assign_device", table="r1", device="m1", kind="machine", serial="M-1")
    house.do("open_round", round="q", table="r1")


@pytest.mark.law("L-37")
def test_a_change_of_device_names_what_it_replaces_and_the_round_that_runs(house: Casino) -> None:
    house.do("open_round", round="q", table="r1")
    facts = {"table": "r1", "device": "w2", "kind": "wheel", "serial": "A-2"}
    (assigned,) = house.do("assign_device", **facts)
    assert (assigned.round, assigned.replaced) == ("q", "wheel-r1")
    house.fail("w2 is part of table r1 already", "assign_device", **facts)
    house.fail("wheel-r1 is not part of table r1", "remove_device", **WHEEL, reason="again")
    (removed,) = house.do("remove_device", table="r1", device="w2", reason="it grinds")
    assert (removed.round, removed.kind) == ("q", "wheel")
    house.assert_cold_is_hot()


@pytest.mark.law("L-37")
def test_a_device_is_part_of_one_table(house: Casino) -> None:
    facts = {"device": "wheel-r1", "kind": "wheel", "serial": "1"}
    house.refuse("DEVICE_ELSEWHERE", "assign_device", table="r2", **facts)
    house.do("close_table", table="r1", reason="night")
    house.do("assign_device", table="r2", **facts)


@pytest.mark.law("L-37", "Czech Casinos, the wheel")
def test_a_wheel_that_failed_its_inspection_is_played_with_no_more(house: Casino) -> None:
    (inspected,) = house.do("inspect_device", **INSPECTED, passed=True)
    assert (inspected.kind, inspected.passed, inspected.round) == ("wheel", True, "")
    house.do("open_round", round="q", table="r1")
    house.result("q")
    inspected, removed = house.do("inspect_device", **INSPECTED, passed=False)
    assert (inspected.passed, removed.device, removed.reason) == (False, "wheel-r1", "balance")
    house.refuse("DEVICE_MISSING", "open_round", round="q2", table="r1")
    house.fail("wheel-r1 is not part of table r1", "inspect_device", **INSPECTED, passed=True)


def turned(casino: Casino, way: str, against: str) -> list[e.Event]:
    """Open a round on land, close it, and spin the wheel one way and the ball another."""
    round_ = casino.open_round("l1")
    if casino.round(round_).status == "open":
        casino.do("close_bets", round=round_)
    facts = {"wheel_direction": way, "ball_direction": against, "revolutions": 9}
    return casino.do("spin_wheel", round=round_, **facts)


def running(casino: Casino) -> str:
    """Name the round that runs on land."""
    return str(casino.ledger._ledger_state.operator_state.tables["l1"].round)


CLOCKWISE, COUNTER = ("clockwise", "counterclockwise"), ("counterclockwise", "clockwise")


@pytest.mark.law("69GAMES Ruleta 3 (direction of the wheel)")
def test_the_wheel_turns_the_other_way_with_each_spin_that_counts(house: Casino) -> None:
    turned(house, *CLOCKWISE)
    first = running(house)
    house.do("land_ball", round=first, number=7)
    house.do("record_result", round=first)
    with house.as_reopened():
        _, contradiction = turned(house, *CLOCKWISE)
        assert (contradiction.code, contradiction.about) == ("SPIN_NOT_VALID", "WheelSpun")
        second = running(house)
        assert house.round(second).turned_before == "clockwise"
        house.do("land_ball", round=second, number=8)
        house.refuse("NO_VALID_SPIN", "record_result", round=second)
        house.do("void_round", round=second, ground="no_spin_direction")
        (spun,) = turned(house, *COUNTER)
        assert spun.wheel_direction == "counterclockwise", "what was void changed nothing"
        third = running(house)
        house.do("land_ball", round=third, number=9)
        house.do("record_result", round=third)
        house.do("open_round", round="next", table="l1")
        assert house.round("next").turned_before == "counterclockwise"


@pytest.mark.law("69GAMES Ruleta 3 (direction of the wheel)")
def test_a_ball_that_goes_with_the_wheel_makes_no_result_on_land(house: Casino) -> None:
    _, contradiction = turned(house, "clockwise", "clockwise")
    assert contradiction.code == "SPIN_NOT_VALID"
    round_ = running(house)
    house.do("land_ball", round=round_, number=7)
    house.refuse("NO_VALID_SPIN", "record_result", round=round_)


def test_a_plan_that_does_not_ask_lets_the_wheel_turn_as_it_likes(house: Casino) -> None:
    for number in (1, 2):
        (opened,) = house.do("open_round", round=f"q{number}", table="r1")
        assert opened.wheel_turned == ""
        house.result(f"q{number}")


@pytest.mark.law("L-38")
def test_a_burnt_card_and_who_cut_are_recorded_and_decide_nothing(house: Casino) -> None:
    house.add_game("sazka.blackjack_evolution", "b1")
    shoe = {"shoe": "s1", "table": "b1", "decks": 8, "shuffle_method": "machine", "cut": 26}
    (loaded,) = house.do("load_shoe", **shoe, cut_by="box 7")
    assert (loaded.cut, loaded.cut_by) == (26, "box 7")
    (opened,) = house.do("open_round", round="q", table="b1")
    assert (opened.shoe, opened.device_kinds) == ("s1", ("shoe",))
    house.do("close_bets", round="q")
    (burnt,) = house.deal("q", "burn", "?")
    assert (burnt.recipient, burnt.card, burnt.shoe) == ("burn", "", "s1")


@pytest.mark.law("L-39")
def test_a_round_names_where_its_picture_and_sound_are_kept(house: Casino) -> None:
    house.do("open_round", round="q", table="r1")
    (kept,) = house.do("keep_recording", round="q", **RECORDING, digest="0a" * 32)
    assert (kept.camera, kept.recording, kept.sound) == ("c1", RECORDING["recording"], True)
    assert kept.ends_at - kept.begins_at == 360_000_000
    assert kept.digest == "0a" * 32
    (again,) = house.do("keep_recording", round="q", **RECORDING | {"camera": "c2"})
    assert again.digest == ""


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("ends before it begins", {"ends_at": "2026-02-02T11:59:00+01:00"}),
        ("ends before round q", {"ends_at": "2026-02-02T11:59:30+01:00"}),
        ("digest", {"digest": "0A" * 32}),
    ],
)
def test_a_recording_that_can_not_show_the_round_is_no_input(
    house: Casino, words: str, facts: dict[str, Any]
) -> None:
    house.do("open_round", round="q", table="r1")
    house.fail(words, "keep_recording", round="q", **RECORDING | facts)
