"""Baccarat: what each bet pays, what is refused, in which order, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import games
from ledger.games import StakeRange, TableLimits, Wager
from tests.ledger.games.banker_cases import (
    BACCARAT,
    code_of,
    disconnect,
    lines_of,
    request,
    void,
    wager,
)

PLAN = games.plan(BACCARAT)
BETS = [
    *("player", "banker", "tie", "player_pair", "banker_pair", "any_pair", "perfect_pairs"),
    *("big", "small"),
    *(f"egalite_{value}" for value in range(10)),
]


def coup(player: str, banker: str) -> dict[str, list[str]]:
    return {"player": player.split(), "banker": banker.split()}


BANKER_WINS = coup("2S 5D", "8C KD")
PAIRS = "any_pair 600 perfect_pairs 2600"
# The winning bets of each coup with what 100.00 returns; player and banker come back on a tie.
COUPS = [
    ("2S 5D", "8C KD", "banker 195 small 250"),
    ("9S KD", "8C KH", "player 200 small 250"),
    ("KS KD 9H", "TC 7D", "player 200 big 154 player_pair 1200 any_pair 600"),
    ("KS 9D", "4C 4C", f"player 200 small 250 banker_pair 1200 {PAIRS}"),
    ("KS JD QH", "TC QD JD", "tie 900 big 154 egalite_0 15100"),
    ("KS JD AH", "TC QD AD", "tie 900 big 154 egalite_1 21600"),
    ("KS JD 2H", "TC QD 2D", "tie 900 big 154 egalite_2 22100"),
    ("AS 2D TH", "4C 9D TD", "tie 900 big 154 egalite_3 20100"),
    ("KS JD 4H", "TC QD 4D", "tie 900 big 154 egalite_4 12100"),
    ("2S 2D AS", "2H 3C", "tie 900 big 154 egalite_5 11100 player_pair 1200 any_pair 600"),
    ("6S KD", "6H QC", "tie 900 small 250 egalite_6 4600"),
    ("7S KD", "7H QC", "tie 900 small 250 egalite_7 4600"),
    ("8S KD", "8H QC", "tie 900 small 250 egalite_8 8100"),
    ("9S KD", "9S KD", "tie 900 small 250 egalite_9 8100"),
    (
        "4S 4S",
        "4C 4D",
        f"tie 900 small 250 egalite_8 8100 player_pair 1200 banker_pair 1200 {PAIRS}",
    ),
    (
        "7S 7S 2H",
        "3D 3D",
        f"tie 900 big 154 egalite_6 4600 player_pair 1200 banker_pair 1200 {PAIRS}",
    ),
]


@pytest.mark.parametrize(("player", "banker", "winning"), COUPS)
def test_exactly_the_winning_bets_are_paid(player: str, banker: str, winning: str) -> None:
    words = winning.split()
    paid = dict(zip(words[::2], words[1::2], strict=True))
    lines = lines_of(request(BACCARAT, [wager(bet) for bet in BETS], coup(player, banker)))
    for bet in BETS:
        if bet in paid:
            assert lines[bet] == ("win", f"{paid[bet]}.00")
        elif "tie" in paid and bet in {"player", "banker"}:
            assert lines[bet] == ("push", "100.00")
        else:
            assert lines[bet] == ("lose", "0.00")


@pytest.mark.parametrize(
    ("bet", "stake", "payout"),
    [
        ("banker", "20.00", "39.00"),
        ("banker", "0.01", "0.02"),
        ("banker", "0.10", "0.20"),
        ("banker", "0.30", "0.59"),
        ("banker", "0.33", "0.64"),
        ("banker", "999999999999.99", "1949999999999.98"),
        ("small", "0.01", "0.03"),
        ("small", "0.03", "0.08"),
    ],
)
def test_winnings_are_rounded_half_up_once(bet: str, stake: str, payout: str) -> None:
    assert lines_of(request(BACCARAT, [wager(bet, stake)], BANKER_WINS))[bet][1] == payout


@pytest.mark.parametrize(
    ("stake", "payout"),
    [("0.01", "0.02"), ("0.25", "0.39"), ("0.75", "1.16"), ("1.25", "1.93"), ("0.13", "0.20")],
)
def test_big_pays_54_hundredths(stake: str, payout: str) -> None:
    document = request(BACCARAT, [wager("big", stake)], coup("KS KD 9H", "TC 7D"))
    assert lines_of(document)["big"] == ("win", payout)


def test_the_example_bets_share_no_rounding() -> None:
    wagers = [wager("banker", "0.10", id=f"w{n}") for n in range(3)]
    assert games.settle(request(BACCARAT, wagers, BANKER_WINS))["total_payout"] == "0.60"


GONE = coup("2S 5D", "8C KD") | disconnect()
P1, P2 = wager("player"), wager("banker", id="w2", player="p2")


def test_stakes_of_a_player_gone_before_the_close_come_back_and_the_rest_is_settled() -> None:
    lines = lines_of(request(BACCARAT, [P1, P2], GONE))
    assert lines == {"player": ("void", "100.00"), "w2": ("win", "195.00")}
    huge = request(BACCARAT, [{**P1, "stake": "900.00"}, P2], GONE, table={"max": "500.00"})
    assert lines_of(huge)["player"] == ("void", "900.00")


def test_a_disconnection_after_the_close_changes_nothing() -> None:
    outcome = BANKER_WINS | disconnect(phase="after_close")
    assert lines_of(request(BACCARAT, [P1], outcome)) == {"player": ("lose", "0.00")}


@pytest.mark.parametrize(
    "outcome",
    [
        disconnect(),
        void("game_error"),
        void("game_error", players=["p1"]),
        void("game_error") | coup("2S", ""),
        void("game_error") | coup("AS AS AS AS AS", "AS AS AS AS"),
    ],
)
def test_nobody_plays_and_no_cards_are_needed(outcome: Any) -> None:
    assert lines_of(request(BACCARAT, [P1], outcome)) == {"player": ("void", "100.00")}


def test_cards_of_a_void_coup_are_not_looked_at() -> None:
    outcome = {"player": ["A?", "1S"], "banker": ["KS"], **void("game_error")}
    document = request(BACCARAT, [wager("player")], outcome)
    assert lines_of(document)["player"] == ("void", "100.00")


def test_a_void_for_one_player_leaves_the_others_to_the_cards() -> None:
    outcome = BANKER_WINS | void("game_error", players=["p1"])
    lines = lines_of(request(BACCARAT, [P1, P2], outcome))
    assert lines == {"player": ("void", "100.00"), "w2": ("win", "195.00")}
    assert code_of(request(BACCARAT, [P1, P2], void("game_error", players=["p1"]))) == (
        "OUTCOME_INCOMPLETE"
    )


TABLE = {"min": "50.00", "max": "500.00"}
REFUSED: list[tuple[str, list[Any], Any, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", [P1], {"player": "2S 5D", "banker": ["8C", "KD"]}, {}),
    ("MALFORMED_REQUEST", [P1], {"player": [2, 5], "banker": ["8C", "KD"]}, {}),
    ("MALFORMED_REQUEST", [P1], {"player": None, "banker": ["8C", "KD"]}, {}),
    ("UNKNOWN_BET", [wager("punto")], BANKER_WINS, {}),
    ("UNKNOWN_BET", [wager("egalite_10")], BANKER_WINS, {}),
    ("UNKNOWN_BET", [wager("Player")], BANKER_WINS, {}),
    ("INVALID_STAKE", [wager("tie", "0.00")], BANKER_WINS, {}),
    ("INVALID_STAKE", [wager("tie", "100")], BANKER_WINS, {}),
    ("BET_AFTER_CLOSE", [wager("tie", late=True)], BANKER_WINS, {}),
    ("DUPLICATE_WAGER", [P1, {**P2, "id": "player"}], BANKER_WINS, {}),
    ("BET_BELOW_MINIMUM", [wager("player", "49.99")], BANKER_WINS, {"table": TABLE}),
    ("BET_ABOVE_MAXIMUM", [wager("banker", "500.01")], BANKER_WINS, {"table": TABLE}),
    (
        "BET_ABOVE_MAXIMUM",
        [wager("banker", "300.00"), wager("banker", "300.00", id="w2")],
        BANKER_WINS,
        {"table": TABLE},
    ),
    ("INVALID_TABLE_LIMITS", [P1], BANKER_WINS, {"table": {"min": "2.00", "max": "1.00"}}),
    ("INVALID_VOID_REASON", [P1], BANKER_WINS | void("result_not_recorded"), {}),
    ("INVALID_VOID_REASON", [P1], void(""), {}),
    ("VOID_NOT_ALLOWED", [P1], void("game_error", reconstructable=True), {}),
    ("INVALID_OUTCOME", [P1], void("game_error", players=["p9"]), {}),
    ("INVALID_OUTCOME", [P1], BANKER_WINS | disconnect("p9"), {}),
    ("INVALID_OUTCOME", [P1], BANKER_WINS | disconnect(phase="later"), {}),
    ("OUTCOME_INCOMPLETE", [P1], {}, {}),
    ("OUTCOME_INCOMPLETE", [P1], {"player": ["2S", "5D"]}, {}),
    ("OUTCOME_INCOMPLETE", [P1], coup("2S", "8C KD"), {}),
    ("OUTCOME_INCOMPLETE", [P1], coup("2S 5D", ""), {}),
    ("INVALID_CARD", [P1], coup("2S 1D", "8C KD"), {}),
    ("INVALID_CARD", [P1], coup("2S 5D", "8C 10D"), {}),
    ("DRAW_RULE_VIOLATION", [P1], coup("2S 5D 2C", "8C KD"), {}),
    ("DRAW_RULE_VIOLATION", [P1], coup("2S 3D", "2C KD 3C"), {}),
    ("DRAW_RULE_VIOLATION", [P1], coup("2S 4D", "2C KD"), {}),
    ("DRAW_RULE_VIOLATION", [P1], coup("2S 3D 8C", "3C KD 2D"), {}),
    ("DRAW_RULE_VIOLATION", [P1], coup("2S 3D 8C 2C", "3C KD"), {}),
    ("ACTION_NOT_ALLOWED", [P1], BANKER_WINS, {"actions": [{"player": "p1", "type": "hit"}]}),
]


@pytest.mark.parametrize(("code", "wagers", "outcome", "more"), REFUSED)
def test_refusal(code: str, wagers: list[Any], outcome: Any, more: dict[str, Any]) -> None:
    assert code_of(request(BACCARAT, wagers, outcome, **more)) == code


def test_no_more_than_eight_of_a_card_exist() -> None:
    """Two hands hold six cards at most, so a plan with one deck shows the check."""
    text = games.document(BACCARAT, "unknown").replace("decks = 8", "decks = 1")
    plan = games.plans.read_plan(text.encode(), "one deck")
    outcome = games.BaccaratOutcome(player=("9S", "KD"), banker=("9S", "QD"))
    with pytest.raises(games.SettlementError, match="TOO_MANY_COPIES"):
        games.settle_round(plan, [Wager("w", "p", "tie", 100)], (), outcome)


@pytest.mark.parametrize("bet", [bet for bet in BETS if bet not in {"player", "banker"}])
def test_the_range_of_a_table_is_that_of_player_and_banker_only(bet: str) -> None:
    wagers = [wager(bet, "1.00"), wager(bet, "9000.00", id="w2")]
    lines_of(request(BACCARAT, wagers, BANKER_WINS, table=TABLE))


ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("UNKNOWN_BET", {"wagers": [wager("x"), wager("tie", "0", id="w2")]}),
    ("INVALID_TABLE_LIMITS", {"table": {"min": "2.00", "max": "1.00"}}),
    ("INVALID_VOID_REASON", {"outcome": void("x") | coup("xx", "8C KD") | disconnect("p9")}),
    ("INVALID_OUTCOME", {"outcome": coup("xx", "8C KD") | disconnect("p9")}),
    ("INVALID_CARD", {"outcome": coup("xx", "8C")}),
    ("OUTCOME_INCOMPLETE", {"outcome": coup("2S 5D 3C", "8C")}),
    ("ACTION_NOT_ALLOWED", {"actions": [{"player": "p1", "type": "hit"}]}),
    ("DRAW_RULE_VIOLATION", {"outcome": coup("2S 5D 3C", "8C KD")}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = request(BACCARAT, [P1], BANKER_WINS)
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        document |= fault
    assert code_of(document) == ORDERED_FAULTS[first][0]


def test_a_wager_is_judged_when_it_is_placed() -> None:
    table = TableLimits(every=StakeRange(5_000, 50_000), by_bet={"tie": StakeRange(None, 100)})
    assert games.table_problem(PLAN, table) is None

    def problem(bet: str, haler: int, *lying: Wager) -> str | None:
        found = games.wager_problem(PLAN, Wager("w", "p", bet, haler), placed=lying, table=table)
        return None if found is None else found.code

    lying = Wager("v", "p", "player", 30_000)
    assert problem("player", 20_000, lying) is None
    assert problem("player", 20_001, lying) == "BET_ABOVE_MAXIMUM"
    assert problem("banker", 50_000, lying) is None
    assert problem("banker", 4_999) == "BET_BELOW_MINIMUM"
    assert problem("tie", 101) == "BET_ABOVE_MAXIMUM"
    assert problem("tie", 0) == "INVALID_STAKE"
    assert problem("hard_eight", 100) == "UNKNOWN_BET"


@pytest.mark.parametrize(
    "table",
    [
        TableLimits(every=StakeRange(2, 1)),
        TableLimits(by_bet={"ante": StakeRange(1, 2)}),
        TableLimits(by_bet={"tie": StakeRange(2, 1)}),
    ],
)
def test_impossible_table_limits_are_named(table: TableLimits) -> None:
    problem = games.table_problem(PLAN, table)
    assert problem is not None
    assert problem.code == "INVALID_TABLE_LIMITS"


def test_a_total_of_the_table_bounds_a_player() -> None:
    table = TableLimits(round_haler_max=1_000)
    wagers = [Wager(f"w{n}", "p", bet, 501) for n, bet in enumerate(["tie", "small"])]
    problem = games.wager_problem(PLAN, wagers[1], placed=wagers[:1], table=table)
    assert problem is not None
    assert problem.code == "TABLE_LIMIT_EXCEEDED"


def test_bets_are_described_and_other_outcomes_refused() -> None:
    assert games.describe(PLAN, "egalite_4") == "egalite 4"
    with pytest.raises(games.SettlementError, match="UNKNOWN_BET"):
        games.describe(PLAN, "ante")
    with pytest.raises(TypeError):
        games.settle_round(PLAN, [Wager("w", "p", "tie", 1)], (), games.Outcome())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("[bets.tie]", "[bets.dragon]", r"\.bets\.dragon is not a bet"),
        ('pays = "0.95:1"', 'pays = "0,95:1"', r"\.bets\.banker\.pays must be odds"),
        ("decks = 8", "decks = 8\ncut = 1", r"\.cards\.cut is not known"),
        ('["player", "banker"]', '["player", "dragon"]', "must name bets of the game"),
    ],
)
def test_a_wrong_plan_file_is_refused(old: str, new: str, complaint: str) -> None:
    text = games.document(BACCARAT, "unknown")
    assert old in text
    with pytest.raises(games.PlanError, match=complaint):
        games.plans.read_plan(text.replace(old, new, 1).encode(), "baccarat")
