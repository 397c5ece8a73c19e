"""Wheels: every field against every bet, limits, voids and refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ledger import games
from ledger.games import StakeRange, TableLimits, Wager
from ledger.games.plans import read_plan
from ledger.games.wheels.plan import WheelPlan
from tests.ledger.games.banker_cases import (
    WHEEL,
    WHEEL_2,
    code_of,
    disconnect,
    lines_of,
    request,
    void,
    wager,
)

# Code: fields on the wheel, times the stake.
FIELDS = {
    WHEEL: {
        "x1": (17, 1),
        "x2": (10, 2),
        "x5": (5, 5),
        "x10": (2, 10),
        "x25_black": (1, 25),
        "x25_pink": (1, 25),
    },
    WHEEL_2: {
        "x1": (6, 1),
        "x2": (4, 2),
        "x3": (3, 3),
        "x5": (2, 5),
        "x10": (1, 10),
        "x15": (1, 15),
    },
}
MAXIMUM = {WHEEL: 10_000, WHEEL_2: 500_000}
BOTH = pytest.mark.parametrize("game", [WHEEL, WHEEL_2])


def problem_code(game: str, haler: int, *lying: Wager, bet: str = "x1", **limits: Any) -> Any:
    found = games.wager_problem(
        games.plan(game), Wager("w", "p", bet, haler), placed=lying, table=TableLimits(**limits)
    )
    return None if found is None else found.code


@BOTH
def test_the_fields_are_those_of_the_plan(game: str) -> None:
    plan = games.plan(game)
    assert isinstance(plan, WheelPlan)
    assert {code: (f.count, f.odds) for code, f in plan.fields.items()} == FIELDS[game]
    assert sum(field.count for field in plan.fields.values()) == {WHEEL: 36, WHEEL_2: 17}[game]
    assert plan.turns_needed == 3


@BOTH
def test_every_field_pays_its_own_bet_only(game: str) -> None:
    for field in FIELDS[game]:
        lines = lines_of(request(game, [wager(bet) for bet in FIELDS[game]], {"field": field}))
        for bet, (_, times) in FIELDS[game].items():
            won = ("win", f"{100 * (times + 1)}.00")
            assert lines[bet] == (won if bet == field else ("lose", "0.00"))


@BOTH
def test_no_bet_favours_the_player(game: str) -> None:
    total = sum(count for count, _ in FIELDS[game].values())
    for count, times in FIELDS[game].values():
        assert Fraction(count * (times + 1), total) < 1


@pytest.mark.parametrize(
    ("game", "bet", "net"), [(WHEEL, "x25_pink", "250000"), (WHEEL_2, "x15", "7500000")]
)
def test_the_highest_net_win_is_the_one_stated(game: str, bet: str, net: str) -> None:
    stake = f"{MAXIMUM[game]}.00"
    answer = games.settle(request(game, [wager(bet, stake)], {"field": bet}))
    assert answer["total_payout"] == f"{int(net) + MAXIMUM[game]}.00"


@BOTH
def test_a_player_may_reach_the_maximum_in_parts_and_others_too(game: str) -> None:
    half = f"{MAXIMUM[game] // 2}.00"
    wagers = [wager("x1", half, id=f"w{n}", player=f"p{n // 2}") for n in range(6)]
    lines_of(request(game, wagers, {"field": "x1"}))
    wagers.append(wager("x2", "10.00", player="p1"))
    assert code_of(request(game, wagers, {"field": "x1"})) == "TABLE_LIMIT_EXCEEDED"


@BOTH
@pytest.mark.parametrize("reason", ["too_few_revolutions", "pointer_between_fields"])
@pytest.mark.parametrize("field", [{}, {"field": "x1"}])
def test_a_void_game_returns_all_stakes(game: str, reason: str, field: Any) -> None:
    wagers = [wager("x1"), wager("x5", player="p2")]
    lines = lines_of(request(game, wagers, field | void(reason)))
    assert set(lines.values()) == {("void", "100.00")}


X1 = wager("x1")
ONE: dict[str, Any] = {"field": "x1"}
NARROW = {"min": "50.00", "max": "500.00"}
REFUSED: list[tuple[str, list[Any], Any, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", [X1], {"field": 1}, {}),
    ("MALFORMED_REQUEST", [X1], {"field": None}, {}),
    ("UNKNOWN_BET", [wager("x4")], ONE, {}),
    ("UNKNOWN_BET", [wager("x25")], ONE, {}),
    ("INVALID_STAKE", [wager("x1", "0.00")], ONE, {}),
    ("INVALID_STAKE", [wager("x1", "10")], ONE, {}),
    ("BET_AFTER_CLOSE", [wager("x1", late=True)], ONE, {}),
    ("DUPLICATE_WAGER", [X1, X1], ONE, {}),
    ("BET_BELOW_MINIMUM", [wager("x1", "9.99")], ONE, {}),
    ("BET_BELOW_MINIMUM", [wager("x2", "49.99")], ONE, {"table": NARROW}),
    ("BET_ABOVE_MAXIMUM", [wager("x2", "500.01")], ONE, {"table": NARROW}),
    (
        "TABLE_LIMIT_EXCEEDED",
        [wager("x1", "400.00"), wager("x2", "100.01")],
        ONE,
        {"table": NARROW},
    ),
    ("INVALID_TABLE_LIMITS", [X1], ONE, {"table": {"min": "9.99"}}),
    ("INVALID_TABLE_LIMITS", [X1], ONE, {"table": {"max": "500000.01"}}),
    ("INVALID_TABLE_LIMITS", [X1], ONE, {"table": {"min": "60.00", "max": "50.00"}}),
    ("INVALID_VOID_REASON", [X1], void("no_spin_too_few_revolutions"), {}),
    ("INVALID_VOID_REASON", [X1], void("operator_interruption"), {}),
    ("VOID_NOT_ALLOWED", [X1], void("too_few_revolutions", reconstructable=True), {}),
    ("INVALID_OUTCOME", [X1], ONE | void("too_few_revolutions", players=["p1"]), {}),
    ("INVALID_OUTCOME", [X1], ONE | disconnect(), {}),
    ("INVALID_OUTCOME", [X1], ONE | disconnect("p9", "after_close"), {}),
    ("INVALID_OUTCOME", [X1], {"field": "x4"}, {}),
    ("INVALID_OUTCOME", [X1], {"field": ""}, {}),
    ("OUTCOME_INCOMPLETE", [X1], {}, {}),
    ("ACTION_NOT_ALLOWED", [X1], ONE, {"actions": [{"player": "p1", "type": "stand"}]}),
]


@BOTH
@pytest.mark.parametrize(("code", "wagers", "outcome", "more"), REFUSED)
def test_refusal(
    game: str, code: str, wagers: list[Any], outcome: Any, more: dict[str, Any]
) -> None:
    assert code_of(request(game, wagers, outcome, **more)) == code


@BOTH
def test_one_wager_over_the_maximum_is_named_as_such(game: str) -> None:
    above = wager("x1", f"{MAXIMUM[game]}.01")
    assert code_of(request(game, [above], ONE)) == "BET_ABOVE_MAXIMUM"


def test_the_fields_of_one_wheel_are_not_those_of_the_other() -> None:
    assert code_of(request(WHEEL_2, [wager("x25_pink")], ONE)) == "UNKNOWN_BET"
    assert code_of(request(WHEEL, [wager("x3")], ONE)) == "UNKNOWN_BET"
    assert code_of(request(WHEEL_2, [X1], {"field": "x25_black"})) == "INVALID_OUTCOME"
    assert code_of(request(WHEEL, [X1], {"field": "x15"})) == "INVALID_OUTCOME"


def test_a_disconnection_after_the_close_has_no_effect_on_land() -> None:
    outcome = ONE | disconnect(phase="after_close")
    assert lines_of(request(WHEEL, [X1], outcome)) == {"x1": ("win", "200.00")}


ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("UNKNOWN_BET", {"wagers": [wager("x4", "0"), wager("x1", "0", id="w2")]}),
    ("BET_BELOW_MINIMUM", {"wagers": [wager("x1", "1.00")]}),
    ("INVALID_VOID_REASON", {"outcome": {"field": "x4"} | void("x")}),
    ("INVALID_OUTCOME", {"outcome": {"field": "x4"}}),
    ("OUTCOME_INCOMPLETE", {"outcome": {}}),
    ("ACTION_NOT_ALLOWED", {"actions": [{"player": "p1", "type": "hit"}]}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = request(WHEEL, [X1], ONE)
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        document |= fault
    assert code_of(document) == ORDERED_FAULTS[first][0]


def test_a_wager_is_judged_when_it_is_placed() -> None:
    lying = Wager("v", "p", "x5", 900_000)
    assert problem_code(WHEEL, 100_000, lying) is None
    assert problem_code(WHEEL, 100_001, lying) == "TABLE_LIMIT_EXCEEDED"
    assert problem_code(WHEEL, 1_000_001) == "BET_ABOVE_MAXIMUM"
    assert problem_code(WHEEL, 999) == "BET_BELOW_MINIMUM"
    assert problem_code(WHEEL, 0) == "INVALID_STAKE"
    assert problem_code(WHEEL, 1_000, bet="x3") == "UNKNOWN_BET"
    assert problem_code(WHEEL_2, 50_000_000) is None
    every = StakeRange(1_000, 100_000)
    assert problem_code(WHEEL_2, 10_001, lying, every=every) == "TABLE_LIMIT_EXCEEDED"


@pytest.mark.parametrize(
    ("table", "fits"),
    [
        (TableLimits(), True),
        (TableLimits(every=StakeRange(1_000, 1_000_000), round_haler_max=1_000_000), True),
        (TableLimits(by_bet={"x1": StakeRange(2_000, 3_000)}), True),
        (TableLimits(by_bet={"x3": StakeRange(2_000, 3_000)}), False),
        (TableLimits(every=StakeRange(999, None)), False),
        (TableLimits(every=StakeRange(None, 1_000_001)), False),
        (TableLimits(round_haler_max=1_000_001), False),
    ],
)
def test_a_table_lies_within_the_plan(table: TableLimits, *, fits: bool) -> None:
    problem = games.table_problem(games.plan(WHEEL), table)
    assert (problem is None) is fits
    assert fits or (problem is not None and problem.code == "INVALID_TABLE_LIMITS")


def test_fields_are_described_and_other_outcomes_refused() -> None:
    plan = games.plan(WHEEL)
    assert games.describe(plan, "x25_pink") == "field 25x pink"
    assert games.describe(plan, "x2") == "field 2x"
    with pytest.raises(games.SettlementError, match="UNKNOWN_BET"):
        games.describe(plan, "x3")
    with pytest.raises(TypeError):
        games.settle_round(plan, [Wager("w", "p", "x1", 1000)], (), games.Outcome())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("count = 17", "count = 18", r"\.wheel\.fields must be the sum"),
        ('pays = "2:1"', 'pays = "2"', r"\.fields\.x2\.pays must be odds"),
        ('pays = "2:1"', 'pays = "0:1"', "must be odds"),
        ('pays = "2:1"', 'pays = "2:0"', "must be odds"),
        ('counted_on = "wager"', 'counted_on = "box"', 'must be "wager" or "bet"'),
        ("[limits]", '[limits]\ntable_applies_to = ["x3"]', "must name bets"),
        ("turns_needed = 3", "turns_needed = 3\nsize = 1", r"\.wheel\.size is not known"),
        ("count = 17", "count = 17\nsize = 1", r"\.fields\.x1\.size is not known"),
        ("minimum = ", "minimal = ", r"\.limits\.minimal is not known"),
    ],
)
def test_a_wrong_plan_file_is_refused(old: str, new: str, complaint: str) -> None:
    text = games.document(WHEEL, "unknown")
    assert old in text
    with pytest.raises(games.PlanError, match=complaint):
        read_plan(text.replace(old, new, 1).encode(), "wheel")
