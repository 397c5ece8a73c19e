"""Ultimate Texas Hold'em: hands against the dealer, streets of decision and refusals."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from ledger import games
from ledger.games import StakeRange, TableLimits, Wager
from ledger.games.plans import read_plan
from tests.ledger.games.banker_cases import (
    ULTIMATE,
    code_of,
    disconnect,
    lines_of,
    request,
    void,
    wager,
)

PLAN = games.plan(ULTIMATE)


def on(bet: str, stake: str = "100.00", box: str = "1", **more: Any) -> dict[str, Any]:
    return wager(bet, stake, box=box, **more)


def does(
    street: str, word: str, times: int | None = None, box: str = "1", player: str = "p1"
) -> dict[str, Any]:
    action = {"player": player, "hand": box, "street": street, "type": word}
    return action if times is None else {**action, "times": times}


PLAIN = [on("ante"), on("blind")]
FULL = [*PLAIN, on("trips")]
RAISE = [does("preflop", "raise", 4)]
RAISE_2 = [does("preflop", "check"), does("flop", "raise", 2)]
RAISE_1 = [does("preflop", "check"), does("flop", "check"), does("river", "raise", 1)]
FOLD = [does("preflop", "check"), does("flop", "check"), does("river", "fold")]


def deal(own: str, board: str, dealer: str, **more: Any) -> dict[str, Any]:
    return {"hands": {"1": own.split()}, "board": board.split(), "dealer": dealer.split(), **more}


def hand(outcome: Any, actions: Any = RAISE, wagers: Any = FULL, **more: Any) -> dict[str, Any]:
    return request(ULTIMATE, list(wagers), outcome, actions=list(actions), **more)


# Own cards, board, dealer, then what 100.00 ante, 400.00 play, 100.00 blind and trips return.
HANDS = [
    ("AS KS", "QS JS TS 4D 4C", "2H 3D", 200, 800, 50100, 5100),
    ("9S 8S", "7S 6S 5S 4D 4C", "2H 3D", 200, 800, 5100, 4100),
    ("9S 9D", "9C 9H 5S 4D 4C", "2H 3D", 200, 800, 1100, 3100),
    ("9S 9D", "9C 5H 5S 4D 2C", "AH 3D", 200, 800, 400, 900),
    ("AS 9S", "7S 6S 2S 4D 4C", "KH 3D", 200, 800, 250, 800),
    ("9S 8D", "7S 6S 5H 4D 4C", "KH KD", 200, 800, 200, 500),
    ("9S 9D", "9C 6S 2H 4D JC", "KH KD", 200, 800, 100, 400),
    ("9S 9D", "6C 6S 2H 4D JC", "4H QD", 200, 800, 100, 0),
    ("AS 9D", "AC 6S 2H 4D JC", "4H QD", 200, 800, 100, 0),
    ("AS KD", "4C 4S 2H 9D JC", "QH 3D", 200, 800, 100, 0),
    ("AS 2D", "3C 4S 5H 9D 9C", "KH QD", 200, 800, 200, 500),
    # Not qualified: the ante comes back, play and blind are compared all the same.
    ("QS 9D", "3S 5D 7H 8C JD", "2C KD", 100, 0, 0, 0),
    ("AS 9D", "3S 5D 7H 8C JD", "2C KD", 100, 800, 100, 0),
    ("QS QD", "3S 5D 7H 8C JD", "2C KD", 100, 800, 100, 0),
    ("9S TD", "3S 5D 7H 8C JD", "2C KD", 100, 800, 200, 500),
    ("AS 2D", "KS QD JH 8C 7D", "AC 3D", 100, 400, 100, 0),
    # A pair of twos qualifies, also one that lies on the board.
    ("AS 9D", "3S 5D 7H 8C JD", "2C 2D", 0, 0, 0, 0),
    ("AS 9D", "3S 3D 7H 8C JD", "2C QD", 200, 800, 100, 0),
    # Worse than the dealer: trips lives by itself.
    ("9S 9D", "9H KD 7C 2S QD", "KC KH", 0, 0, 0, 400),
    ("5S 6D", "7H 8D 9C 2S QD", "TC JH", 0, 0, 0, 500),
    # Equal hands.
    ("AS 9D", "4C 4S KH QD JC", "AH 9C", 100, 400, 100, 0),
    ("2S 3D", "TS JS QS KS AS", "4H 5D", 100, 400, 100, 5100),
    ("AS 2D", "4C 4S 4H QD JC", "AH 3C", 100, 400, 100, 400),
    # All ranks of a flush count; a full house is compared by its three first.
    ("9S 2D", "AS KS QS 3S 7D", "8S 2C", 200, 800, 250, 800),
    ("9S 9D", "9C 4H 4S AD 2C", "AH AC", 0, 0, 0, 900),
]


@pytest.mark.parametrize(("own", "board", "dealer", "ante", "play", "blind", "trips"), HANDS)
def test_a_raised_hand(
    own: str, board: str, dealer: str, ante: int, play: int, blind: int, trips: int
) -> None:
    lines = lines_of(hand(deal(own, board, dealer)))
    assert set(lines) == {"ante", "ante:play", "blind", "trips"}
    for line, stake, payout in [
        ("ante", 100, ante),
        ("ante:play", 400, play),
        ("blind", 100, blind),
        ("trips", 100, trips),
    ]:
        result = {0: "lose", stake: "push"}.get(payout, "win")
        assert lines[line] == (result, f"{payout}.00")


@pytest.mark.parametrize(("own", "board", "dealer", "ante", "play", "blind", "trips"), HANDS)
def test_a_folded_hand_loses_all_but_trips(
    own: str, board: str, dealer: str, ante: int, play: int, blind: int, trips: int
) -> None:
    del ante, play, blind
    lines = lines_of(hand(deal(own, board, dealer), FOLD))
    assert lines == {
        "ante": ("lose", "0.00"),
        "blind": ("lose", "0.00"),
        "trips": ("win" if trips else "lose", f"{trips}.00"),
    }


GOOD = deal("AS AD", "2S 5D 7H 8C JD", "KC KH")


@pytest.mark.parametrize(
    ("actions", "times"),
    [(RAISE, 4), ([does("preflop", "raise", 3)], 3), (RAISE_2, 2), (RAISE_1, 1)],
)
def test_a_raise_is_a_multiple_of_the_ante(actions: Any, times: int) -> None:
    answer = games.settle(hand(GOOD, actions, [on("ante", "12.34"), on("blind", "12.34")]))
    play = next(line for line in answer["wagers"] if line["id"] == "ante:play")
    stake = 1234 * times
    assert play["stake"] == games.format_amount(stake)
    assert play["payout"] == games.format_amount(2 * stake)
    assert play["parent"] == "ante"


def test_the_highest_win_is_the_one_stated() -> None:
    wagers = [on(bet, "25000.00") for bet in ("ante", "blind", "trips")]
    document = hand(deal("AS KS", "QS JS TS 4D 4C", "2H 3D"), wagers=wagers)
    assert games.settle(document)["total_payout"] == "14050000.00"


@pytest.mark.parametrize(
    ("stake", "payout"), [("10.01", "25.03"), ("10.03", "25.08"), ("10.02", "25.05")]
)
def test_three_to_two_is_rounded_half_up(stake: str, payout: str) -> None:
    wagers = [on("ante", stake), on("blind", stake)]
    lines = lines_of(hand(deal("AS 9S", "7S 6S 2S 4D 4C", "KH 3D"), wagers=wagers))
    assert lines["blind"] == ("win", payout)


def test_boxes_are_settled_side_by_side() -> None:
    wagers = [
        *PLAIN,
        *(on(bet, "50.00", "2", id=f"{bet}2") for bet in ("trips", "blind", "ante")),
        *(on(bet, "20.00", "left", id=f"{bet}3", player="p2") for bet in ("ante", "blind")),
    ]
    outcome = GOOD | {
        "hands": {"1": ["AS", "AD"], "2": ["2C", "3D"], "left": ["7C", "7D"]},
        "burn": ["QS", "QC"],
    }
    actions = [
        does("preflop", "check", box="left", player="p2"),
        does("preflop", "check", box="2"),
        does("preflop", "raise", 3),
        does("flop", "check", box="2"),
        does("flop", "raise", 2, box="left", player="p2"),
        does("river", "fold", box="2"),
    ]
    assert lines_of(hand(outcome, actions, wagers)) == {
        "ante": ("win", "200.00"),
        "ante:play": ("win", "600.00"),
        "blind": ("push", "100.00"),
        "trips2": ("lose", "0.00"),
        "blind2": ("lose", "0.00"),
        "ante2": ("lose", "0.00"),
        "ante3": ("win", "40.00"),
        "ante3:play": ("win", "80.00"),
        "blind3": ("push", "20.00"),
    }


MOVES: list[tuple[str, int | None]] = [
    ("check", None),
    ("fold", None),
    *(("raise", times) for times in range(6)),
]
POSSIBLE = {
    "preflop": {("check", None), ("raise", 3), ("raise", 4)},
    "flop": {("check", None), ("raise", 2)},
    "river": {("fold", None), ("raise", 1)},
}


@pytest.mark.parametrize("before", range(3))
def test_each_street_has_its_own_decisions(before: int) -> None:
    street = list(POSSIBLE)[before]
    checks = [does(earlier, "check") for earlier in list(POSSIBLE)[:before]]
    for word, times in MOVES:
        document = hand(GOOD, [*checks, does(street, word, times)])
        if (word, times) not in POSSIBLE[street]:
            assert code_of(document) == "ACTION_NOT_ALLOWED"
        elif word == "check":
            assert code_of(document) == "ACTION_MISSING"
        else:
            assert lines_of(document)["ante"][0] == ("win" if word == "raise" else "lose")


def test_only_five_courses_of_decisions_end_a_hand() -> None:
    found = []
    moves = [None, *((street, *move) for street, set_ in POSSIBLE.items() for move in set_)]
    for course in product(moves, repeat=3):
        actions = [does(*move) for move in course if move is not None]
        answer = games.settle(hand(GOOD, actions))
        if "error" not in answer:
            found.append(tuple(move for move in course if move is not None))
    assert len(set(found)) == 5
    assert {course[-1] for course in found} == {
        ("preflop", "raise", 3),
        ("preflop", "raise", 4),
        ("flop", "raise", 2),
        ("river", "raise", 1),
        ("river", "fold", None),
    }


def test_a_disconnection_after_the_close_has_no_effect_on_land() -> None:
    assert lines_of(hand(GOOD | disconnect(phase="after_close")))["ante"] == ("win", "200.00")


def cards(**changed: Any) -> dict[str, Any]:
    return {key: value for key, value in (GOOD | changed).items() if value is not ...}


def board(text: str) -> dict[str, Any]:
    return cards(board=text.split())


TABLE = {"min": "50.00", "max": "500.00"}
NO_BOX = wager("ante")
OTHER = on("ante", id="w9", player="p2", box="2"), on("blind", id="w8", player="p2", box="2")
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", hand(GOOD, wagers=[NO_BOX, on("blind")])),
    ("MALFORMED_REQUEST", hand(GOOD, wagers=[{**NO_BOX, "box": 1}, on("blind")])),
    ("MALFORMED_REQUEST", hand(GOOD, [does("preflop", "raise")])),
    ("MALFORMED_REQUEST", hand(GOOD, [{**RAISE[0], "times": "4"}])),
    ("MALFORMED_REQUEST", hand(GOOD, [{**RAISE[0], "times": True}])),
    ("MALFORMED_REQUEST", hand(GOOD, [{**RAISE[0], "times": 4.0}])),
    ("MALFORMED_REQUEST", hand(GOOD, [{**RAISE[0], "hand": 1}])),
    ("MALFORMED_REQUEST", hand(GOOD, [{"player": "p1", "hand": "1", "type": "check"}])),
    ("MALFORMED_REQUEST", hand(GOOD, [{"player": "p1", "street": "flop", "type": "check"}])),
    ("MALFORMED_REQUEST", hand(cards(hands=["AS", "AD"]))),
    ("MALFORMED_REQUEST", hand(cards(hands={"1": "AS AD"}))),
    ("MALFORMED_REQUEST", hand(cards(burn="2D"))),
    ("MALFORMED_REQUEST", hand(cards(board=None))),
    ("UNKNOWN_BET", hand(GOOD, wagers=[*PLAIN, on("play")])),
    ("UNKNOWN_BET", hand(GOOD, wagers=[*PLAIN, on("aa")])),
    ("INVALID_STAKE", hand(GOOD, wagers=[on("ante", "0.00"), on("blind", "0.00")])),
    ("INVALID_STAKE", hand(GOOD, wagers=[*PLAIN, on("trips", "10,00")])),
    ("BET_AFTER_CLOSE", hand(GOOD, wagers=[*PLAIN, on("trips", late=True)])),
    ("DUPLICATE_WAGER", hand(GOOD, wagers=[*PLAIN, on("trips"), on("trips", id="w2")])),
    ("DUPLICATE_WAGER", hand(GOOD, wagers=[*PLAIN, on("ante", id="w2")])),
    ("DUPLICATE_WAGER", hand(GOOD, wagers=[*PLAIN, on("trips", id="ante")])),
    ("BOX_LIMIT_EXCEEDED", hand(GOOD, wagers=[*PLAIN, on("trips", player="p2")])),
    ("BOX_LIMIT_EXCEEDED", hand(GOOD, wagers=[*PLAIN, on("ante", id="w2", player="p2")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[on("ante")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[on("ante"), on("trips")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[on("ante"), on("blind", "99.99")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[on("ante"), on("blind", "100.01")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[*PLAIN, on("trips", "100.01")])),
    ("STAKE_MISMATCH", hand(GOOD, wagers=[on("ante"), on("blind"), OTHER[0]])),
    ("SIDE_BET_WITHOUT_MAIN", hand(GOOD, wagers=[on("trips")])),
    ("SIDE_BET_WITHOUT_MAIN", hand(GOOD, wagers=[on("blind"), on("trips")])),
    ("SIDE_BET_WITHOUT_MAIN", hand(GOOD, wagers=[*PLAIN, on("trips", box="2")])),
    ("BET_BELOW_MINIMUM", hand(GOOD, wagers=[on("ante", "9.99"), on("blind", "9.99")])),
    ("BET_BELOW_MINIMUM", hand(GOOD, wagers=[*PLAIN, on("trips", "9.99")])),
    ("BET_BELOW_MINIMUM", hand(GOOD, wagers=[*PLAIN, on("trips", "49.99")], table=TABLE)),
    ("BET_ABOVE_MAXIMUM", hand(GOOD, wagers=[on("ante", "25000.01"), on("blind", "25000.01")])),
    (
        "BET_ABOVE_MAXIMUM",
        hand(GOOD, wagers=[on("ante", "500.01"), on("blind", "500.01")], table=TABLE),
    ),
    ("INVALID_TABLE_LIMITS", hand(GOOD, table={"min": "9.99"})),
    ("INVALID_TABLE_LIMITS", hand(GOOD, table={"max": "25000.01"})),
    ("INVALID_TABLE_LIMITS", hand(GOOD, table={"max": "9.99"})),
    ("INVALID_TABLE_LIMITS", hand(GOOD, table={"min": "30.00", "max": "20.00"})),
    ("INVALID_VOID_REASON", hand(GOOD | void("card_counting"))),
    ("INVALID_VOID_REASON", hand(GOOD | void("operator_interruption", players=["p1"]))),
    ("INVALID_VOID_REASON", hand(GOOD | void("", reconstructable=True))),
    ("INVALID_OUTCOME", hand(GOOD | disconnect())),
    ("INVALID_OUTCOME", hand(GOOD | disconnect("p9", "after_close"))),
    ("INVALID_OUTCOME", hand(cards(hands={"1": ["AS", "AD", "AC"]}))),
    ("INVALID_OUTCOME", hand(cards(dealer=["KC", "KH", "KD"]))),
    ("INVALID_OUTCOME", hand(board("2S 5D 7H 8C JD 2D"))),
    ("OUTCOME_INCOMPLETE", hand({})),
    ("OUTCOME_INCOMPLETE", hand(cards(hands=...))),
    ("OUTCOME_INCOMPLETE", hand(cards(hands={}))),
    ("OUTCOME_INCOMPLETE", hand(cards(hands={"1": ["AS"]}))),
    ("OUTCOME_INCOMPLETE", hand(GOOD, wagers=[*PLAIN, *OTHER])),
    ("OUTCOME_INCOMPLETE", hand(cards(dealer=...), FOLD)),
    ("OUTCOME_INCOMPLETE", hand(cards(dealer=["KC"]))),
    ("OUTCOME_INCOMPLETE", hand(board("2S 5D 7H"), FOLD)),
    ("INVALID_CARD", hand(cards(hands={"1": ["AS", "1D"]}))),
    ("INVALID_CARD", hand(cards(dealer=["KC", "kh"]))),
    ("INVALID_CARD", hand(board("2S 5D 7H 8C 10D"))),
    ("INVALID_CARD", hand(cards(burn=["XX"]))),
    ("TOO_MANY_COPIES", hand(cards(hands={"1": ["AS", "AS"]}))),
    ("TOO_MANY_COPIES", hand(cards(dealer=["KC", "AD"]))),
    ("TOO_MANY_COPIES", hand(board("2S 5D 7H 8C AD"))),
    ("TOO_MANY_COPIES", hand(cards(burn=["AD"]))),
    ("TOO_MANY_COPIES", hand(cards(burn=["2D", "2D"]))),
    ("PLAYER_CARDS_MISMATCH", hand(cards(hands=GOOD["hands"] | {"2": ["QS", "QD"]}))),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [*RAISE, does("flop", "check")])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [*RAISE, *RAISE])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [*RAISE_1, does("river", "fold")])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [does("preflop", "check"), *RAISE_2])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [RAISE_1[1], RAISE_1[0], RAISE_1[2]])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [does("turn", "check"), *RAISE])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [does("preflop", "call")])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [does("preflop", "raise", 4, box="2")])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [does("preflop", "raise", 4, player="p2")])),
    ("ACTION_NOT_ALLOWED", hand(GOOD, [*FOLD[:2], {**FOLD[2], "auto": "timeout"}])),
    ("ACTION_MISSING", hand(GOOD, [])),
    ("ACTION_MISSING", hand(GOOD, RAISE_2[1:])),
    ("ACTION_MISSING", hand(GOOD, RAISE_1[:2])),
    ("ACTION_MISSING", hand(GOOD, RAISE_1[1:])),
    ("ACTION_MISSING", hand(GOOD, [RAISE_1[0], RAISE_1[2]])),
    ("ACTION_MISSING", hand(GOOD, FOLD[2:])),
]


@pytest.mark.parametrize(("code", "document"), REFUSED)
def test_refusal(code: str, document: dict[str, Any]) -> None:
    assert code_of(document) == code


ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("MALFORMED_REQUEST", {"actions": [does("preflop", "raise")], "wagers": [on("x")]}),
    ("UNKNOWN_BET", {"wagers": [on("x", "0")], "table": {"max": "90000.00"}}),
    ("STAKE_MISMATCH", {"wagers": [on("ante")], "table": {"max": "90000.00"}}),
    ("INVALID_TABLE_LIMITS", {"wagers": PLAIN, "table": {"max": "90000.00"}}),
    ("INVALID_VOID_REASON", {"outcome": cards(dealer=["XX"]) | void("x") | disconnect()}),
    ("INVALID_OUTCOME", {"outcome": cards(dealer=["XX"]) | disconnect()}),
    ("INVALID_CARD", {"outcome": cards(dealer=["XX"])}),
    ("OUTCOME_INCOMPLETE", {"outcome": cards(dealer=["AS"])}),
    ("TOO_MANY_COPIES", {"outcome": cards(dealer=["AS", "AD"])}),
    ("ACTION_NOT_ALLOWED", {"actions": [does("flop", "raise", 3)]}),
    ("ACTION_MISSING", {"actions": []}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = hand(GOOD)
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        document |= fault
    assert code_of(document) == ORDERED_FAULTS[first][0]


def test_a_wager_is_judged_when_it_is_placed() -> None:
    table = TableLimits(every=StakeRange(5_000, 50_000))
    assert games.table_problem(PLAN, table) is None

    def problem(bet: str, haler: int, *lying: Wager, box: str | None = "1") -> str | None:
        found = games.wager_problem(
            PLAN, Wager("w", "p", bet, haler, box=box), placed=lying, table=table
        )
        return None if found is None else found.code

    ante = Wager("v", "p", "ante", 30_000, box="1")
    assert problem("ante", 5_000) is None
    assert problem("ante", 5_000, ante) == "DUPLICATE_WAGER"
    assert problem("ante", 5_000, ante, box="2") is None
    assert problem("ante", 5_000, box=None) == "MALFORMED_REQUEST"
    assert problem("ante", 50_001) == "BET_ABOVE_MAXIMUM"
    assert problem("ante", 4_999) == "BET_BELOW_MINIMUM"
    assert problem("blind", 30_000, ante) is None
    assert problem("blind", 29_999, ante) == "STAKE_MISMATCH"
    assert problem("trips", 5_000, ante) is None
    assert problem("trips", 30_001, ante) == "STAKE_MISMATCH"
    assert problem("trips", 5_000, ante, box="2") == "SIDE_BET_WITHOUT_MAIN"
    assert problem("trips", 0, ante) == "INVALID_STAKE"
    assert problem("play", 5_000, ante) == "UNKNOWN_BET"


def test_bets_are_described_and_other_outcomes_refused() -> None:
    assert games.describe(PLAN, "trips") == "trips"
    with pytest.raises(games.SettlementError, match="UNKNOWN_BET"):
        games.describe(PLAN, "play")
    with pytest.raises(TypeError):
        games.settle_round(PLAN, [Wager("w", "p", "ante", 1)], (), games.Outcome())


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("times = [[3, 4], [2], [1]]", "times = [[3, 4], [2]]", "all three streets"),
        ("times = [[3, 4], [2], [1]]", "times = [[3, 4], [2], [0]]", "all three streets"),
        ('flush = "3:2"', 'flush = "3:2"\ntrips = "1:1"', "is not a category"),
        ("decks = 1", "decks = 1\nburned = 2", r"\.cards\.burned is not known"),
    ],
)
def test_a_wrong_plan_file_is_refused(old: str, new: str, complaint: str) -> None:
    text = games.document(ULTIMATE, "unknown")
    assert old in text
    with pytest.raises(games.PlanError, match=complaint):
        read_plan(text.replace(old, new, 1).encode(), "ultimate")
