"""Casino Hold'em: hands against the dealer, the AA bet, decisions, voids and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ledger import games
from ledger.games import StakeRange, TableLimits, Wager
from ledger.games.plans import read_plan
from tests.ledger.games.banker_cases import (
    CASINO,
    code_of,
    disconnect,
    lines_of,
    request,
    void,
    wager,
)

PLAN = games.plan(CASINO)
EXAMPLES = [
    json.loads(line)
    for line in Path(__file__)
    .parents[1]
    .joinpath("banker_games_examples.jsonl")
    .read_text("utf-8")
    .splitlines()
]
ANTE, AA = wager("ante"), wager("aa")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["input"]["id"])
def test_example(example: dict[str, Any]) -> None:
    answer = games.settle(example["input"])
    for document in (answer, example["expected"]):
        document["wagers"].sort(key=lambda line: line["id"])
        assert all(line.pop("rule") for line in document["wagers"])
    assert answer == example["expected"]


def deal(own: str, board: str, dealer: str | None = None, **more: Any) -> dict[str, Any]:
    outcome = {"player_cards": own.split(), "board": board.split(), **more}
    return outcome if dealer is None else {**outcome, "dealer": dealer.split()}


def call(player: str = "p1", word: str = "call", **more: Any) -> dict[str, Any]:
    return {"player": player, "type": word, **more}


def round_of(outcome: Any, *actions: Any, wagers: Any = (ANTE,), **more: Any) -> dict[str, Any]:
    return request(CASINO, list(wagers), outcome, actions=list(actions), **more)


# Own cards, board, dealer, then what 100.00 ante, 200.00 call and 100.00 AA return.
HANDS = [
    # The ante table, dealer qualified and worse.
    ("AS KS", "QS JS TS 4D 4C", "2H 3D", 10100, 400, 10100),
    ("9S 8S", "7S 6S 5S 4D 4C", "2H 3D", 2100, 400, 5100),
    ("9S 9D", "9C 9H 5S 4D 4C", "2H 3D", 1100, 400, 4100),
    ("9S 9D", "9C 5H 5S 4D 4C", "2H 3D", 400, 400, 3100),
    ("AS 9S", "7S 6S 2S 4D 4C", "KH 3D", 300, 400, 2100),
    ("9S 8D", "7S 6S 5H 4D 4C", "KH KD", 200, 400, 800),
    ("9S 9D", "9C 6S 2H 4D JC", "KH KD", 200, 400, 800),
    ("9S 9D", "6C 6S 2H 4D JC", "4H QD", 200, 400, 800),
    ("AS 9D", "AC 6S 2H 4D JC", "4H QD", 200, 400, 800),
    ("KS 9D", "KC 6S 2H 4D JC", "4H QD", 200, 400, 0),
    ("AS KD", "4C 4S 2H 9D JC", "QH 3D", 200, 400, 0),
    # Five cards count for AA, all seven for the ante.
    ("9S 8S", "7S 2S 4H 3S 4C", "KH 3D", 300, 400, 0),
    ("AS KS", "QS JS 4H TS 4C", "KH 3D", 10100, 400, 0),
    ("AS 3D", "8C KS 2H 4D AC", "4H QD", 200, 400, 0),
    # Low straight, and no straight around the ace.
    ("AS 2D", "3C 4S 5H 9D 9C", "KH QD", 200, 400, 800),
    ("6S 7D", "3C 4S 5H 2D AC", "KH QD", 200, 400, 800),
    ("2S 3D", "QC KS AH 9D 9C", "8H QD", 0, 0, 0),
    # Dealer not qualified: ante paid, call back, whoever is better.
    ("QS 9D", "3S 5D 7H 8C JD", "3C KD", 200, 200, 0),
    ("QS TD", "3S 5D 7H 8C 2D", "AC KD", 200, 200, 0),
    ("2S 2D", "5S 6D 8H TC JD", "3C 3D", 200, 200, 0),
    ("4S KD", "5S 6D 8H TC JD", "3C KC", 200, 200, 0),
    ("AS AD", "5S 6D 8H TC JD", "3C KC", 200, 200, 800),
    ("3S 9S", "3C 5S 7S KD QS", "AC TD", 300, 200, 0),
    ("AS 2D", "3C 5S 7H KD QS", "AC 2C", 200, 200, 0),
    # Pair of fours is just enough; a better dealer takes ante and call, not AA.
    ("QS 9D", "3S 5D 7H 8C JD", "4C 4D", 0, 0, 0),
    ("AS AD", "5S 6D 8H TC JD", "5C 5D", 0, 0, 800),
    ("AS AD", "KS KD 8H TC JD", "8C 8D", 0, 0, 800),
    # Equal hands, also when the board plays.
    ("AS 9D", "4C 4S KH QD JC", "AH 9C", 100, 200, 0),
    ("2S 3D", "AC KS QH JD TC", "4H 5D", 100, 200, 0),
    ("2S 3D", "TS JS QS KS AS", "4H 5D", 100, 200, 0),
    # Kickers in order.
    ("4S KD", "4C 2S 9H 7D JC", "4H QD", 200, 400, 0),
    ("4S QD", "4C 2S 9H 7D JC", "4H KD", 0, 0, 0),
    ("KS 2D", "4C 4S AH 9D JC", "QH 3D", 200, 400, 0),
]


@pytest.mark.parametrize(("own", "board", "dealer", "ante", "called", "aa"), HANDS)
@pytest.mark.parametrize("word", ["call", "call_blind"])
def test_a_called_hand(
    own: str, board: str, dealer: str, ante: int, called: int, aa: int, word: str
) -> None:
    document = round_of(deal(own, board, dealer), call(word=word), wagers=(ANTE, AA))
    lines = lines_of(document)
    assert lines["ante"][1] == f"{ante}.00"
    assert lines[f"ante:{word}"][1] == f"{called}.00"
    assert lines["aa"] == (("win", f"{aa}.00") if aa else ("lose", "0.00"))
    words = {0: "lose", 100: "push"}
    assert lines["ante"][0] == words.get(ante, "win")
    assert lines[f"ante:{word}"][0] == {0: "lose", 200: "push", 400: "win"}[called]


def test_the_call_line_names_its_ante_and_twice_its_stake() -> None:
    outcome = deal("QS 9D", "3S 5D 7H 8C JD", "3C KD", burn="2C")
    answer = games.settle(round_of(outcome, call(), wagers=[wager("ante", "12.34", id="w7")]))
    line = answer["wagers"][1]
    assert (line["id"], line["parent"], line["stake"]) == ("w7:call", "w7", "24.68")
    assert (answer["total_staked"], answer["total_payout"]) == ("37.02", "49.36")


def test_the_highest_net_win_is_the_one_stated() -> None:
    stakes = [wager("ante", "20000.00"), wager("aa", "20000.00")]
    answer = games.settle(round_of(deal("AS KS", "QS JS TS 4D 4C", "2H 3D"), call(), wagers=stakes))
    assert answer["total_staked"] == "80000.00"
    assert answer["total_payout"] == "4120000.00"


FOLD, TIMEOUT = call(word="fold"), call(word="fold", auto="timeout")


@pytest.mark.parametrize("fold", [FOLD, TIMEOUT, call(word="fold", auto="disconnect")])
@pytest.mark.parametrize(
    "outcome",
    [
        deal("AS KS", "QS JS TS"),
        deal("AS KS", "QS JS TS", ""),
        deal("AS KS", "QS JS TS 4D 4C", "2H 3D", burn="2C"),
    ],
)
def test_a_fold_loses_ante_and_aa_whatever_the_cards_are(fold: Any, outcome: Any) -> None:
    lines = lines_of(round_of(outcome, fold, wagers=(ANTE, AA)))
    assert lines == {"ante": ("lose", "0.00"), "aa": ("lose", "0.00")}


def test_players_decide_for_themselves_on_the_same_cards() -> None:
    wagers = [
        ANTE,
        wager("ante", id="w2", player="p2"),
        wager("aa", id="w3", player="p2"),
        wager("ante", "0.01", id="w4", player="p3"),
    ]
    actions = [call("p3", "call_blind"), FOLD, call("p2")]
    lines = lines_of(round_of(deal("AS 9D", "AH 4D 7C 2S QD", "KC KH"), *actions, wagers=wagers))
    assert lines == {
        "ante": ("lose", "0.00"),
        "w2": ("win", "200.00"),
        "w2:call": ("win", "400.00"),
        "w3": ("win", "800.00"),
        "w4": ("win", "0.02"),
        "w4:call_blind": ("win", "0.04"),
    }


GOOD = deal("AS 9D", "AH 4D 7C 2S QD", "KC KH")
P2 = wager("ante", id="w2", player="p2")
GONE = disconnect()


@pytest.mark.parametrize("outcome", [GONE, GOOD | GONE])
@pytest.mark.parametrize("decided", [[], [call(word="call_blind")]])
def test_gone_before_the_close_everything_comes_back(outcome: Any, decided: list[Any]) -> None:
    lines = lines_of(round_of(outcome, *decided, wagers=(ANTE, AA)))
    expected = {"ante": ("void", "100.00"), "aa": ("void", "100.00")}
    if decided:
        expected["ante:call_blind"] = ("void", "200.00")
    assert lines == expected


def test_gone_before_the_close_others_play_on_and_no_limit_counts() -> None:
    wagers = [wager("ante", "90000.00"), P2]
    lines = lines_of(round_of(GOOD | GONE, call("p2"), wagers=wagers))
    assert lines["ante"] == ("void", "90000.00")
    assert lines["w2:call"] == ("win", "400.00")
    folded = deal("AS 9D", "AH 4D 7C") | GONE
    blind = call(word="call_blind")
    lines = lines_of(round_of(folded, blind, call("p2", "fold"), wagers=[ANTE, P2]))
    assert lines["ante:call_blind"] == ("void", "200.00")
    assert lines["w2"] == ("lose", "0.00")


def test_a_disconnection_after_the_close_leaves_the_decision_to_the_record() -> None:
    after = GOOD | disconnect(phase="after_close")
    assert lines_of(round_of(after, call()))["ante"] == ("win", "200.00")
    assert code_of(round_of(after)) == "ACTION_MISSING"


WHOLE = [
    "card_misrecorded",
    "multiple_cards_face_up_in_shoe",
    "cards_fell_order_unknown",
    "hidden_card_exposed",
]
SINGLE = ["result_not_recorded", "operator_interruption"]


@pytest.mark.parametrize("reason", WHOLE + SINGLE)
@pytest.mark.parametrize("decided", ["call", "call_blind", "fold", None])
def test_a_void_round_returns_everything_with_the_calls(reason: str, decided: str | None) -> None:
    actions = [] if decided is None else [call(word=decided)]
    lines = lines_of(round_of(void(reason), *actions, wagers=(ANTE, AA)))
    calls = {f"ante:{decided}": ("void", "200.00")} if decided in {"call", "call_blind"} else {}
    assert lines == {"ante": ("void", "100.00"), "aa": ("void", "100.00"), **calls}


def test_cards_of_a_void_round_are_not_judged_as_a_deal() -> None:
    outcome = deal("AS AS", "AS", "AS") | void("card_misrecorded")
    assert lines_of(round_of(outcome))["ante"] == ("void", "100.00")
    misread = deal("A? AS", "ZZ", "") | void("card_misrecorded")
    assert lines_of(round_of(misread))["ante"] == ("void", "100.00")


@pytest.mark.parametrize("reason", SINGLE)
def test_a_void_for_some_leaves_the_others_to_the_cards(reason: str) -> None:
    outcome = GOOD | void(reason, players=["p1"])
    lines = lines_of(round_of(outcome, call(), call("p2"), wagers=[ANTE, P2]))
    assert lines == {
        "ante": ("void", "100.00"),
        "ante:call": ("void", "200.00"),
        "w2": ("win", "200.00"),
        "w2:call": ("win", "400.00"),
    }


@pytest.mark.parametrize("reason", WHOLE)
def test_shared_cards_cannot_be_void_for_single_players(reason: str) -> None:
    outcome = GOOD | void(reason, players=["p1"])
    assert code_of(round_of(outcome, call())) == "INVALID_VOID_REASON"


def board(cards: str, dealer: str | None = "KC KH") -> dict[str, Any]:
    return deal("AS 9D", cards, dealer)


TABLE = {"min": "50.00", "max": "500.00"}
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", round_of(GOOD, call(auto=1))),
    ("MALFORMED_REQUEST", round_of(GOOD | {"burn": ["2C"]}, call())),
    ("MALFORMED_REQUEST", round_of(GOOD | {"dealer": None}, call())),
    ("MALFORMED_REQUEST", round_of(GOOD | {"board": "AH 4D 7C 2S QD"}, call())),
    ("UNKNOWN_BET", round_of(GOOD, call(), wagers=[wager("call")])),
    ("UNKNOWN_BET", round_of(GOOD, call(), wagers=[ANTE, wager("AA")])),
    ("INVALID_STAKE", round_of(GOOD, call(), wagers=[wager("ante", "0.00")])),
    ("INVALID_STAKE", round_of(GOOD, call(), wagers=[ANTE, wager("aa", "1.5")])),
    ("BET_AFTER_CLOSE", round_of(GOOD, call(), wagers=[wager("ante", late=True)])),
    ("DUPLICATE_WAGER", round_of(GOOD, call(), wagers=[ANTE, wager("ante", id="w2")])),
    ("DUPLICATE_WAGER", round_of(GOOD, call(), wagers=[ANTE, AA, wager("aa", id="w2")])),
    ("DUPLICATE_WAGER", round_of(GOOD, call(), wagers=[ANTE, {**P2, "id": "ante"}])),
    ("SIDE_BET_WITHOUT_MAIN", round_of(GOOD, call(), wagers=[AA])),
    ("SIDE_BET_WITHOUT_MAIN", round_of(GOOD, call(), wagers=[ANTE, {**AA, "player": "p2"}])),
    ("BET_ABOVE_MAXIMUM", round_of(GOOD, call(), wagers=[wager("ante", "20000.01")])),
    ("BET_ABOVE_MAXIMUM", round_of(GOOD, call(), wagers=[ANTE, wager("aa", "20000.01")])),
    ("BET_ABOVE_MAXIMUM", round_of(GOOD, call(), wagers=[wager("ante", "500.01")], table=TABLE)),
    ("BET_BELOW_MINIMUM", round_of(GOOD, call(), wagers=[wager("ante", "49.99")], table=TABLE)),
    ("INVALID_TABLE_LIMITS", round_of(GOOD, call(), table={"max": "20000.01"})),
    ("INVALID_TABLE_LIMITS", round_of(GOOD, call(), table={"min": "20000.01"})),
    ("INVALID_TABLE_LIMITS", round_of(GOOD, call(), table={"min": "9.00", "max": "8.00"})),
    ("INVALID_VOID_REASON", round_of(void("hole_card_exposed_early"))),
    ("INVALID_VOID_REASON", round_of(void("game_error"))),
    ("VOID_NOT_ALLOWED", round_of(void("hidden_card_exposed", reconstructable=True))),
    ("INVALID_OUTCOME", round_of(GOOD | void("operator_interruption", players=["p9"]), call())),
    ("INVALID_OUTCOME", round_of(GOOD | disconnect("p9"), call())),
    ("INVALID_OUTCOME", round_of(deal("AS 9D 9C", "AH 4D 7C 2S QD", "KC KH"), call())),
    ("INVALID_OUTCOME", round_of(board("AH 4D 7C 2S QD", "KC KH KD"), call())),
    ("INVALID_OUTCOME", round_of(board("AH 4D 7C 2S QD 2D"), call())),
    ("OUTCOME_INCOMPLETE", round_of({}, call())),
    ("OUTCOME_INCOMPLETE", round_of(deal("AS", "AH 4D 7C 2S QD", "KC KH"), call())),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C 2S QD", None), call())),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C 2S QD", "KC"), call())),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C"), call())),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C 2S"), call())),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D"), FOLD)),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C 2S"), FOLD)),
    ("OUTCOME_INCOMPLETE", round_of(board("AH 4D 7C", "KC"), FOLD)),
    ("OUTCOME_INCOMPLETE", round_of({"board": ["AH", "4D", "7C"]}, FOLD)),
    ("INVALID_CARD", round_of(deal("AS 9X", "AH 4D 7C 2S QD", "KC KH"), call())),
    ("INVALID_CARD", round_of(board("AH 4D 7C 2S QD", "KC 0H"), call())),
    ("INVALID_CARD", round_of(board("AH 4D 7C 2S ??"), call())),
    ("INVALID_CARD", round_of(GOOD | {"burn": "joker"}, call())),
    ("TOO_MANY_COPIES", round_of(deal("AS AS", "AH 4D 7C 2S QD", "KC KH"), call())),
    ("TOO_MANY_COPIES", round_of(board("AH 4D 7C 2S QD", "KC QD"), call())),
    ("TOO_MANY_COPIES", round_of(board("AH 4D AS 2S QD"), call())),
    ("TOO_MANY_COPIES", round_of(GOOD | {"burn": "AS"}, call())),
    ("TOO_MANY_COPIES", round_of(deal("AS AS", "AH 4D 7C"), FOLD)),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(), call())),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(word="call_blind"), call())),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(), FOLD)),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(), call("p2"))),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(word="raise"))),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(auto="timeout"))),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(word="call_blind", auto="disconnect"))),
    ("ACTION_NOT_ALLOWED", round_of(GOOD, call(word="fold", auto="absent"))),
    ("ACTION_NOT_ALLOWED", round_of(GOOD | GONE, call())),
    ("ACTION_NOT_ALLOWED", round_of(GOOD | GONE, TIMEOUT)),
    ("ACTION_NOT_ALLOWED", round_of(void("card_misrecorded"), call("p2"))),
    ("ACTION_MISSING", round_of(GOOD)),
    ("ACTION_MISSING", round_of(GOOD, call(), wagers=[ANTE, P2])),
]


@pytest.mark.parametrize(("code", "document"), REFUSED)
def test_refusal(code: str, document: dict[str, Any]) -> None:
    assert code_of(document) == code


def test_the_range_of_a_table_is_that_of_the_ante() -> None:
    for stake in ("1.00", "20000.00"):
        document = round_of(GOOD, call(), wagers=[ANTE, wager("aa", stake)], table=TABLE)
        assert lines_of(document)["aa"][0] == "win"


ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", {"actions": [call(auto=1)], "wagers": [wager("x")]}),
    ("UNKNOWN_BET", {"wagers": [wager("x", "0")], "table": {"max": "90000.00"}}),
    ("SIDE_BET_WITHOUT_MAIN", {"wagers": [AA], "table": {"max": "90000.00"}}),
    ("INVALID_TABLE_LIMITS", {"wagers": [ANTE], "table": {"max": "90000.00"}}),
    ("INVALID_VOID_REASON", {"outcome": GOOD | void("x") | disconnect("p9")}),
    ("INVALID_OUTCOME", {"outcome": deal("XX", "", "") | disconnect("p9")}),
    ("INVALID_CARD", {"outcome": deal("XX", "", "")}),
    ("TOO_MANY_COPIES", {"outcome": deal("AS AS", "AH 4D 7C")}),
    ("ACTION_NOT_ALLOWED", {"actions": [call("p9")], "outcome": board("AH 4D 7C")}),
    ("ACTION_MISSING", {"actions": [], "outcome": board("AH 4D 7C")}),
    ("OUTCOME_INCOMPLETE", {"outcome": board("AH 4D 7C")}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = round_of(GOOD, call())
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        document |= fault
    assert code_of(document) == ORDERED_FAULTS[first][0]


def test_a_wager_is_judged_when_it_is_placed() -> None:
    table = TableLimits(every=StakeRange(5_000, 50_000))
    assert games.table_problem(PLAN, table) is None

    def problem(bet: str, haler: int, *lying: Wager) -> str | None:
        found = games.wager_problem(PLAN, Wager("w", "p", bet, haler), placed=lying, table=table)
        return None if found is None else found.code

    ante = Wager("v", "p", "ante", 30_000)
    assert problem("ante", 5_000) is None
    assert problem("ante", 5_000, ante) == "DUPLICATE_WAGER"
    assert problem("ante", 50_001) == "BET_ABOVE_MAXIMUM"
    assert problem("ante", 4_999) == "BET_BELOW_MINIMUM"
    assert problem("aa", 1, ante) is None
    assert problem("aa", 2_000_001, ante) == "BET_ABOVE_MAXIMUM"
    assert problem("aa", 1) == "SIDE_BET_WITHOUT_MAIN"
    assert problem("aa", 0, ante) == "INVALID_STAKE"
    assert problem("call", 1, ante) == "UNKNOWN_BET"


def test_bets_are_described_and_other_outcomes_refused() -> None:
    assert games.describe(PLAN, "aa") == "AA side bet"
    with pytest.raises(games.SettlementError, match="UNKNOWN_BET"):
        games.describe(PLAN, "call")
    with pytest.raises(TypeError):
        games.settle_round(PLAN, [Wager("w", "p", "ante", 1)], (), games.Outcome())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('high_card = "1:1"\n', "", r"\.ante\.pays\.high_card is missing"),
        ("royal_flush", "royale", r"\.ante\.pays\.royale is not a category"),
        ('qualifies_with_pair = "4"', 'qualifies_with_pair = "10"', "must be one of"),
        ('pair_min = "A"', 'pair_min = "AK"', "must be one of"),
        ('    "hidden_card_exposed",\n', '    "other",\n', "must be reasons of void_reasons"),
        ("times = 2", "times = 2\nhalves = 1", r"\.call\.halves is not known"),
        ('pair_min = "A"', 'pair_max = "A"', r"\.aa\.pair_max is not known"),
    ],
)
def test_a_wrong_plan_file_is_refused(old: str, new: str, complaint: str) -> None:
    text = games.document(CASINO, "2025-01-21")
    assert old in text
    with pytest.raises(games.PlanError, match=complaint):
        read_plan(text.replace(old, new, 1).encode(), "casino")
