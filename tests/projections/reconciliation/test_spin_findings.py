"""Results held against the spins of the wheel and the ball: each fault has its finding."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.events import event_types as e
from tests.projections.history_cases import (
    House,
    placed,
    round_opened,
    rules_published,
    settled,
    spun,
)
from tests.projections.shared_cases import Asking, codes, together


def spin(house: House, *facts: e.Event, result: int = 17) -> None:
    house.opened(1, "r")
    house.at(2, e.BetsClosed(round="r", table="t", bets=0, stakes=0))
    for fact in facts:
        house.at(2, fact)
    house.at(
        3,
        e.RoundResulted(
            round="r",
            table="t",
            outcome=f'{{"number":{result}}}',
            wording="",
            streamed=True,
            accounts=(),
        ),
    )


def ball(number: int) -> e.BallLanded:
    return e.BallLanded(round="r", number=number)


INVALID = e.SpinDeclaredInvalid(round="r", cause="too_few_revolutions")


def rebuilt(*, succeeded: bool) -> e.RoundReconstructed:
    return e.RoundReconstructed(round="r", how="camera", by="b", succeeded=succeeded)


@pytest.mark.law("SAZKA 5(3)", "SAZKA 5(4)")
@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([spun("r"), ball(17)], []),
        ([spun("r"), ball(3)], ["RESULT_NOT_LANDED"]),
        ([spun("r"), ball(3), ball(17)], ["RESULT_ON_CONTRADICTION"]),
        ([spun("r"), ball(3), rebuilt(succeeded=True)], []),
        ([spun("r"), ball(3), rebuilt(succeeded=False)], ["RESULT_NOT_LANDED"]),
        ([], ["RESULT_WITHOUT_SPIN"]),
        ([rebuilt(succeeded=True)], []),
        ([spun("r"), INVALID, ball(17)], ["RESULT_WITHOUT_SPIN"]),
        ([spun("r", turns=1), INVALID, spun("r"), ball(17)], []),
        ([spun("r", turns=4), ball(17)], []),
        ([spun("r", turns=3), ball(17)], ["SPIN_TOO_SHORT"]),
        ([spun("r", one_direction=True), ball(17)], ["SPIN_WRONG_DIRECTION"]),
    ],
)
@together
def test_result_is_where_the_ball_of_a_valid_spin_fell(
    house: House, facts: list[e.Event], expected: list[str]
) -> Asking:
    spin(house, *facts)
    assert codes((yield)) == expected


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize(
    ("between", "doubts"),
    [
        ((), None),
        ((ball(17),), None),
        ((ball(2),), "the spin"),
        ((spun("r"), ball(17)), "the spin"),
        ((ball(2), e.SpinDeclaredInvalid(round="r", cause="foreign_object"), spun("r")), None),
    ],
)
@together
def test_a_result_on_a_spin_that_says_two_things_is_found(
    house: House, between: tuple[e.Event, ...], doubts: str | None
) -> Asking:
    spin(house, spun("r"), ball(17), *between, *([ball(17)] if between else ()))
    findings = yield
    assert codes(findings) == ["RESULT_ON_CONTRADICTION"] * bool(doubts)
    assert not doubts or doubts in findings[0].sentence


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
@together
def test_chips_moved_when_the_number_was_known_are_found(house: House) -> Asking:
    early, late, taken = placed("r", 1), placed("r", 2), placed("r", 3)
    house.opened(1, "r")
    house.at(1, early)
    house.at(1, taken)
    house.at(1, spun("r"))
    house.at(1, ball(17))
    house.at(2, late)
    house.at(2, e.BetWithdrawn(bet=taken.bet, account="a", round="r", amount=taken.stake))
    house.closed(3, "r", early, late)
    house.resulted(4, "r")
    house.at(4, settled(early, due=0))
    house.at(4, settled(late, due=0))
    found = yield
    assert [(one.code, one.bet) for one in found if one.code == "BET_ON_KNOWN_FACT"] == [
        ("BET_ON_KNOWN_FACT", "r-2"),
        ("BET_ON_KNOWN_FACT", "r-3"),
    ]


def spun_on_land(house: House, minute: float, name: str, *spins: e.Event) -> None:
    """Play a round of a plan whose wheel turns the other way with each spin."""
    opened = round_opened(
        name, table="t", game="69games.roulette", plan_version="unknown", dealer="", streamed=False
    )
    house.at(minute, opened)
    house.at(minute, e.BetsClosed(round=name, table="t", bets=0, stakes=0))
    house.at(minute, *spins)
    house.resulted(minute, name)


@together
def test_turns_are_left_to_the_inspector_where_the_plan_repeats_no_spin(house: House) -> Asking:
    house.at(0, rules_published(version="unknown", game="69games.roulette"))
    spun_on_land(house, 1, "r", spun("r", turns=1))
    assert codes((yield)) == ["SPIN_NOT_RULED_ON"]


@pytest.mark.law("69GAMES Ruleta 3 (no-spin)")
@together
def test_a_result_after_a_no_spin_is_found_where_the_plan_spins_nothing_again(
    house: House,
) -> Asking:
    house.at(0, rules_published(version="unknown", game="69games.roulette"))
    fell_in = e.SpinDeclaredInvalid(round="r", cause="foreign_object")
    spun_on_land(house, 1, "r", spun("r"), fell_in, spun("r"))
    assert codes((yield)) == []
    short = e.SpinDeclaredInvalid(round="q", cause="too_few_revolutions")
    spun_on_land(house, 2, "q", spun("q", turns=1), short, spun("q", way="counterclockwise"))
    assert codes((yield)) == ["RESULT_WITHOUT_SPIN"]


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.law("69GAMES Ruleta 3 (direction of the wheel)")
@together
def test_a_wheel_that_does_not_change_its_way_is_found(house: House) -> Asking:
    house.at(0, rules_published(version="unknown", game="69games.roulette"))
    spun_on_land(house, 1, "r1", spun("r1"))
    spun_on_land(house, 2, "r2", spun("r2", way="counterclockwise"))
    spun_on_land(house, 3, "r3", spun("r3", way="counterclockwise"))
    spun_on_land(house, 4, "r4", spun("r4", one_direction=True))
    findings = yield
    assert [(one.code, one.round) for one in findings] == [
        ("SPIN_NOT_CHANGED", "r3"),
        ("SPIN_WRONG_DIRECTION", "r4"),
    ]


REMOVED = e.DeviceRemoved(table="t", round="r", device="w", kind="wheel", reason="it grinds")
REPLACED = e.DeviceAssigned(
    table="t", round="r", device="w2", kind="wheel", serial="2", replaced=""
)
SHUFFLER = {"device": "s", "kind": "shuffler"}


@pytest.mark.law("L-37")
@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ([REMOVED, spun("r"), ball(17)], ["SPIN_WITHOUT_DEVICE"]),
        ([REMOVED, replace(REPLACED, **SHUFFLER), spun("r"), ball(17)], ["SPIN_WITHOUT_DEVICE"]),
        ([REPLACED, REMOVED, spun("r"), ball(17)], ["SPIN_WITHOUT_DEVICE"]),
        ([spun("r"), INVALID, REMOVED, spun("r"), ball(17)], ["SPIN_WITHOUT_DEVICE"]),
        ([REMOVED, REPLACED, spun("r"), ball(17)], []),
        ([replace(REMOVED, **SHUFFLER), spun("r"), ball(17)], []),
        ([REMOVED, spun("r"), INVALID, REPLACED, spun("r"), ball(17)], []),
        ([spun("r"), ball(17), REMOVED], []),
    ],
)
@together
def test_a_spin_after_its_wheel_was_removed_is_found(
    house: House, facts: list[e.Event], expected: list[str]
) -> Asking:
    spin(house, *facts)
    found = [code for code in codes((yield)) if code == "SPIN_WITHOUT_DEVICE"]
    assert found == expected
