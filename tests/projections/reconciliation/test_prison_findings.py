"""Chips in prison at Czech Casinos, recorded as facts: what does not fit is a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.events import event_types as e
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import (
    House,
    concluded,
    placed,
    project,
    round_opened,
    rules_published,
    settled,
    spun,
)
from tests.projections.shared_cases import Asking, codes, together

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.tables import Store
    from tests.projections.projection_cases import Chain

CZECH = "czech_casinos.american_roulette"
STAKE, CHIP = 500_00, 100_00


def spin(house: House, minute: int, name: str, number: int, *bets: e.BetPlaced) -> None:
    """Record a round from the bets to the ball; the wheel turns the other way each time."""
    opened = round_opened(name, table="c", game=CZECH, plan_version="unknown", streamed=False)
    house.at(minute, opened)
    for bet in bets:
        house.at(minute, bet, laid(bet))
    stakes = sum(bet.stake for bet in bets)
    closed = e.BetsClosed(round=name, table="c", bets=len(bets), stakes=stakes)
    house.at(minute, closed, *(concluded(bet) for bet in bets))
    way, other = (
        ("clockwise", "counterclockwise") if minute % 2 else ("counterclockwise", "clockwise")
    )
    house.at(minute, replace(spun(name, turns=12), wheel_direction=way, ball_direction=other))
    house.at(minute, e.BallLanded(round=name, number=number))


def result(house: House, minute: int, name: str, number: int, *facts: e.Event) -> None:
    resulted = e.RoundResulted(
        round=name,
        table="c",
        outcome=json.dumps({"number": number}),
        wording="",
        streamed=False,
        accounts=(),
    )
    house.at(minute, resulted, *facts)


def laid(bet: e.BetPlaced) -> e.ChipsLaid:
    return e.ChipsLaid(
        bet=bet.bet,
        account=bet.account,
        round=bet.round,
        table="c",
        chip=CHIP,
        chips=bet.stake // CHIP,
        colour="",
    )


IMPRISONED = e.BetImprisoned(
    bet="z-1", account="a", round="z", table="c", chip=CHIP, paragraph="simple chance"
)


def decided(number: int, *, released: bool) -> e.PrisonDecided:
    return e.PrisonDecided(
        bet="z-1",
        account="a",
        round="z",
        table="c",
        next_round="n",
        next_number=number,
        released=released,
    )


def play(
    house: House,
    due: int,
    decisions: Iterable[e.Event],
    *,
    early: bool = False,
    imprisoned: int = CHIP,
    stake: int = STAKE,
) -> None:
    """Five chips on red, zero; then 1, which is red; the bet is settled over an hour later."""
    house.at(0, rules_published(version="unknown", game=CZECH))
    house.at(0, e.TableOpened(table="c", registration="r", game=CZECH, place="p", streamed=False))
    bet = replace(placed("z", stake=stake), bet="z-1", table="c", bet_code="red")
    spin(house, 1, "z", 0, bet)
    waits = replace(IMPRISONED, chip=imprisoned)
    result(house, 1, "z", 0, *([waits] if imprisoned else []))
    paid = replace(settled(bet, due=due), result="half_back")
    if early:
        house.at(2, paid)
    spin(house, 70, "n", 1)
    result(house, 70, "n", 1, *decisions)
    if not early and due:
        house.at(72, paid)


def own(found: list[str]) -> list[str]:
    return [code for code in found if code not in {"BET_NOT_LOGGED_IN", "DEVICE_MISSING"}]


@pytest.mark.law("Czech Casinos, simple chance")
@pytest.mark.parametrize(
    ("due", "decisions", "expected"),
    [
        (300_00, [decided(1, released=True)], []),
        (200_00, [decided(1, released=True)], ["DUE_WRONG", "PAID_TOO_LITTLE"]),
        (250_00, [decided(1, released=True)], ["DUE_WRONG", "PAID_TOO_LITTLE"]),
        (0, [decided(1, released=True)], ["BET_NOT_SETTLED"]),
        (0, [], ["PRISON_NOT_DECIDED"]),
        (200_00, [decided(2, released=False)], ["PRISON_DECIDED_WRONG"]),
        (200_00, [], ["BET_SETTLED_EARLY", "CREDITED_LATE", "PRISON_NOT_DECIDED"]),
    ],
)
@together
def test_the_next_spin_decides_about_an_odd_chip(
    house: House, due: int, decisions: list[e.Event], expected: list[str]
) -> Asking:
    play(house, due, decisions)
    assert sorted(own(codes((yield)))) == expected


@together
def test_a_bet_with_a_chip_in_prison_is_not_settled_before(house: House) -> Asking:
    play(house, 200_00, [decided(1, released=True)], early=True)
    assert codes((yield)) == ["BET_SETTLED_EARLY"]


@pytest.mark.law("Czech Casinos, simple chance")
@pytest.mark.parametrize(
    ("stake", "imprisoned", "due"),
    [(STAKE, 0, 300_00), (STAKE, STAKE, 300_00), (STAKE, 3 * CHIP, 300_00), (400_00, CHIP, 200_00)],
)
@together
def test_only_the_odd_chip_waits_for_the_next_spin(
    house: House, stake: int, imprisoned: int, due: int
) -> Asking:
    play(house, due, [decided(1, released=True)], imprisoned=imprisoned, stake=stake)
    assert own(codes((yield))) == ["PRISON_CHIPS_WRONG"]


def won(house: House, *checks: e.Event, until: int) -> None:
    """Win on red; the chain goes on until so many minutes."""
    house.at(0, rules_published(version="unknown", game=CZECH))
    house.at(0, e.TableOpened(table="c", registration="r", game=CZECH, place="p", streamed=False))
    bet = replace(placed("w", stake=STAKE), bet="w-1", table="c", bet_code="red")
    spin(house, 1, "w", 1, bet)
    result(house, 1, "w", 1)
    house.at(2, replace(settled(bet, due=2 * STAKE), result="win"))
    if checks:
        house.at(3, *checks)
    house.at(until, e.ClockMeasured(source_of_time="ntp", skew=0, uncertainty=1))


CHECKED = e.PayoutsChecked(round="w", table="c", by="inspector", correct=True, findings="")


@pytest.mark.law("Czech Casinos, play")
@pytest.mark.parametrize(
    ("checks", "until", "expected"),
    [((CHECKED,), 3_000, []), ((), 3_000, ["PAYOUT_NOT_CHECKED"]), ((), 1_400, [])],
)
def test_wins_that_no_inspector_checked_within_a_day_are_found(
    chain: Chain, store: Store, checks: tuple[e.Event, ...], until: int, expected: list[str]
) -> None:
    house = House(chain)
    house.table()
    house.account()
    won(house, *checks, until=until)
    project(house.chain, store)
    assert codes(reconcile(store, only=frozenset({"PAYOUT_NOT_CHECKED"}))) == expected
