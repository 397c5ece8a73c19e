"""Judging a wager at the moment of placement, and the typed ways into settlement."""

from __future__ import annotations

import pytest

from ledger import games
from ledger.games import StakeRange, TableLimits, Wager

EVOLUTION = games.plan("sazka.roulette_evolution")
TIMES = "\N{MULTIPLICATION SIGN}"
CZECH = games.plan("czech_casinos.american_roulette")


def problem_code(
    wager: Wager, *lying: Wager, table: TableLimits | None = None
) -> games.Code | None:
    problem = games.wager_problem(EVOLUTION, wager, placed=lying, table=table or TableLimits())
    return None if problem is None else problem.code


def bet(code: str, haler: int, selection: object = None) -> Wager:
    return Wager("w", "p", code, haler, selection)


def test_a_good_wager_has_no_problem() -> None:
    assert problem_code(bet("split", 1, (20, 17))) is None
    assert problem_code(bet("neighbours", 500, games.Neighbours(5, 2))) is None


@pytest.mark.parametrize(
    ("wager", "code"),
    [
        (bet("basket", 100), "UNKNOWN_BET"),
        (bet("split", 100, [1, 36]), "INVALID_SELECTION"),
        (bet("red", 0), "INVALID_STAKE"),
        (bet("voisins", 100), "STAKE_NOT_DIVISIBLE"),
        (bet("straight", 1_000_001, [1]), "BET_ABOVE_MAXIMUM"),
    ],
)
def test_a_bad_wager_is_named_by_its_code(wager: Wager, code: str) -> None:
    assert problem_code(wager) == code


def test_chips_already_lying_count_position_by_position() -> None:
    voisins = bet("voisins", 9 * 1_000_000)
    assert problem_code(bet("street", 1_000_000, [3, 2, 0]), voisins) is None
    assert problem_code(bet("street", 1_000_001, [3, 2, 0]), voisins) == "BET_ABOVE_MAXIMUM"
    assert problem_code(bet("street", 3_000_000, [0, 1, 2]), voisins) is None
    assert problem_code(bet("straight", 1_000_000, [2]), voisins) is None


def test_a_position_may_reach_its_maximum_by_a_composite_bet_alone() -> None:
    assert problem_code(bet("neighbours", 5_000_000, {"number": 0, "each_side": 2})) is None
    assert (
        problem_code(bet("neighbours", 5_000_005, {"number": 0, "each_side": 2}))
        == "BET_ABOVE_MAXIMUM"
    )


def test_all_stakes_of_a_player_count_for_the_round() -> None:
    even = [bet(code, 10_000_000) for code in ("red", "black", "odd", "even", "low", "high")]
    twelves = [bet(code, 6_500_000, n) for code in ("dozen", "column") for n in (1, 2, 3)]
    assert problem_code(bet("straight", 1_000_000, [1]), *even, *twelves) is None
    full = [*even, *twelves, bet("straight", 1_000_000, [1])]
    assert problem_code(bet("straight", 1, [2]), *full) == "TABLE_LIMIT_EXCEEDED"


def test_table_limits_by_bet_code_apply_to_their_positions_only() -> None:
    table = TableLimits(
        by_bet={"straight": StakeRange(500, 2000), "red": StakeRange(10_000, None)},
        round_haler_max=30_000,
    )
    assert problem_code(bet("straight", 499, [1]), table=table) == "BET_BELOW_MINIMUM"
    assert problem_code(bet("straight", 2001, [1]), table=table) == "BET_ABOVE_MAXIMUM"
    assert problem_code(bet("finales_plein", 1996, 0), table=table) == "BET_BELOW_MINIMUM"
    assert problem_code(bet("split", 1, [1, 2]), table=table) is None
    assert problem_code(bet("red", 9_999), table=table) == "BET_BELOW_MINIMUM"
    assert problem_code(bet("red", 30_000), table=table) is None
    assert problem_code(bet("red", 30_001), table=table) == "TABLE_LIMIT_EXCEEDED"


def test_each_chip_of_a_composite_bet_must_reach_the_minimum() -> None:
    table = TableLimits(every=StakeRange(1000, None))
    assert problem_code(bet("tiers", 6000), table=table) is None
    assert problem_code(bet("tiers", 5994), table=table) == "BET_BELOW_MINIMUM"


@pytest.mark.parametrize(
    "table",
    [
        TableLimits(every=StakeRange(haler_max=10_000_001)),
        TableLimits(every=StakeRange(200, 100)),
        TableLimits(by_bet={"straight": StakeRange(haler_max=1_000_001)}),
        TableLimits(by_bet={"straight": StakeRange(haler_min=1_000_001)}),
        TableLimits(by_bet={"voisins": StakeRange(100, 200)}),
        TableLimits(by_bet={"basket": StakeRange(100, 200)}),
        TableLimits(round_haler_max=100_000_001),
    ],
)
def test_a_table_may_not_be_wider_than_the_plan(table: TableLimits) -> None:
    problem = games.table_problem(EVOLUTION, table)
    assert problem is not None
    assert problem.code == "INVALID_TABLE_LIMITS"


def test_a_plan_without_figures_leaves_the_limits_to_the_table() -> None:
    assert games.table_problem(CZECH, TableLimits(every=StakeRange(1, 10**14))) is None
    assert games.wager_problem(CZECH, bet("red", 10**13)) is None


def test_typed_settlement_raises_what_the_document_would_say() -> None:
    outcome = games.RouletteOutcome(number=99)
    with pytest.raises(games.SettlementError, match="INVALID_OUTCOME"):
        games.settle_round(EVOLUTION, [bet("red", 100)], (), outcome)
    with pytest.raises(TypeError):
        games.settle_round(EVOLUTION, [bet("red", 100)], (), games.Outcome())


def test_a_result_names_the_plan_version_that_decided_it() -> None:
    result = games.settle_round(
        EVOLUTION,
        [bet("red", 100), Wager("v", "p", "odd", 100)],
        (),
        games.RouletteOutcome(number=1),
    )
    assert (result.game, result.version) == ("sazka.roulette_evolution", "2025-01-21")
    assert (result.staked_haler, result.payout_haler) == (200, 400)


@pytest.mark.parametrize(
    ("code", "selection", "words"),
    [
        ("split", [20, 17], "split 17/20"),
        ("red", None, "red"),
        ("dozen", 2, "dozen 2"),
        (
            "neighbours",
            {"number": 5, "each_side": 1},
            "neighbours of 5, 1 on each side (10, 5, 24)",
        ),
        ("zero", None, "zero (26, 0/3, 12/15, 32/35)"),
        ("finale_cheval", 7, "finale cheval 7 (7/10, 17/20, 27/30)"),
        ("complete", 0, "complete 0 (0, 0/1, 0/2, 0/3, 0/1/2, 0/2/3)"),
        (
            "voisins",
            None,
            "voisins (0/2/3 #2, 25/26/28/29 #2, 4/7, 12/15, 18/21, 19/22, 32/35)",
        ),
    ],
)
def test_a_bet_is_described_in_words(code: str, selection: object, words: str) -> None:
    assert games.describe(EVOLUTION, code, selection) == words.replace("#", TIMES)
