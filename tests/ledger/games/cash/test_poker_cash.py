"""Hands of Texas Hold'em and Omaha: vectors, and what a tournament hand does otherwise."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from ledger import games
from tests.ledger.games.poker_cases import (
    ACES,
    KINGS,
    OMAHA,
    OMAHA_TOURNAMENT,
    QUEENS,
    SIDE,
    TEXAS,
    TEXAS_TOURNAMENT,
    act,
    check_money,
    code_of,
    crowns,
    even,
    hand,
    payouts,
    pot,
    results,
    seats,
)

EXAMPLES = [
    json.loads(line)
    for line in Path(__file__).with_name("poker_examples.jsonl").read_text("utf-8").splitlines()
]


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    answer = deepcopy(answer)
    for line in answer["wagers"]:
        assert line.pop("rule")
    return answer


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["input"]["id"])
def test_example_of_the_contract(example: dict[str, Any]) -> None:
    answer = games.settle(example["input"])
    assert comparable(answer) == comparable(example["expected"])
    check_money(answer)


def pots(answer: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    return [
        (entry["amount"], entry["rake"], "".join(entry["eligible"]), "".join(entry["winners"]))
        for entry in answer["pots"]
    ]


SPLIT = {"hands": {"p1": ["AS", "KD"], "p2": ["AD", "KS"], "p3": ["AC", "KC"]}}
THREE = (pot("p1", preflop=100), pot("p2", preflop=100), pot("p3", preflop=100))
SETTLED: list[tuple[str, dict[str, Any], list[int], int, list[tuple[str, str, str, str]]]] = [
    (
        "five percent",
        even(500),
        [950, 0],
        50,
        [("1000.00", "50.00", "p1p2", "p1")],
    ),
    (
        "rake is rounded down to a crown",
        even(119),
        [238 - 11, 0],
        11,
        [("238.00", "11.00", "p1p2", "p1")],
    ),
    (
        "a small pot has no rake",
        even(9),
        [18, 0],
        0,
        [("18.00", "0.00", "p1p2", "p1")],
    ),
    (
        "cap of 200 with four at the table",
        even(5000, **seats(4)),
        [9800, 0],
        200,
        [("10000.00", "200.00", "p1p2", "p1")],
    ),
    (
        "cap of 300 with five at the table, also when three gave up without money",
        even(5000, **seats(5)),
        [9700, 0],
        300,
        [("10000.00", "300.00", "p1p2", "p1")],
    ),
    (
        "cap of 300 with nine",
        even(3000, **seats(9)),
        [5700, 0],
        300,
        [("6000.00", "300.00", "p1p2", "p1")],
    ),
    (
        "just below the cap",
        even(1999, **seats(2)),
        [3998 - 199, 0],
        199,
        [("3998.00", "199.00", "p1p2", "p1")],
    ),
    (
        "time collection instead of rake",
        even(500, fee={"mode": "time", "amount": "100.00"}),
        [1000, 0],
        0,
        [("1000.00", "0.00", "p1p2", "p1")],
    ),
    (
        "equal hands share and the odd crown goes to the left of the button",
        hand(pot("p1", preflop=100), pot("p2", preflop=100), pot("p3", preflop=15),
             actions=[act("p3", "fold")], **SPLIT),
        [103, 102, 0],
        10,
        [("215.00", "10.00", "p1p2", "p1p2")],
    ),
    (
        "two odd crowns among three, the button last",
        hand(*THREE, pot("p4", preflop=51), actions=[act("p4", "fold")],
             **(SPLIT | {"button": "p2"})),
        [111, 111, 112, 0],
        17,
        [("351.00", "17.00", "p1p2p3", "p1p2p3")],
    ),
    (
        "seat order starts left of the button wherever that is",
        hand(*THREE, pot("p4", preflop=50), actions=[act("p4", "fold")],
             **(SPLIT | {"button": "p1"})),
        [111, 111, 111, 0],
        17,
        [("350.00", "17.00", "p1p2p3", "p1p2p3")],
    ),
    (
        "what nobody called comes back without rake",
        hand(pot("p1", preflop=100, flop=400), pot("p2", preflop=100), actions=[act("p2", "fold")]),
        [590, 0],
        10,
        [("200.00", "10.00", "p1", "p1")],
    ),
    (
        "a walk: the big blind gets the small blind and the rest back",
        hand(pot("p1", preflop=100), pot("p2", preflop=50), actions=[act("p2", "fold")],
             hands={}, board=[]),
        [50 + 95, 0],
        5,
        [("100.00", "5.00", "p1", "p1")],
    ),
    (
        "three pots, the best hand is the shortest",
        hand(*SIDE),
        [380, 570, 570, 0],
        80,
        [
            ("400.00", "20.00", "p1p2p3p4", "p1"),
            ("600.00", "30.00", "p2p3p4", "p2"),
            ("600.00", "30.00", "p3p4", "p3"),
        ],
    ),
    (
        "rake of side pots is rounded down, the main pot bears the rest",
        hand(
            pot("p1", preflop=37, all_in=True),
            pot("p2", preflop=111, all_in=True),
            pot("p3", preflop=222),
            pot("p4", preflop=222),
        ),
        [148 - 9, 222 - 10, 222 - 10, 0],
        29,
        [
            ("148.00", "9.00", "p1p2p3p4", "p1"),
            ("222.00", "10.00", "p2p3p4", "p2"),
            ("222.00", "10.00", "p3p4", "p3"),
        ],
    ),
    (
        "the cap holds once for all pots",
        hand(*(pot(p, preflop=n * 1000, all_in=True) for p, n in (("p1", 1), ("p2", 2), ("p3", 3))),
             pot("p4", preflop=3000)),
        [3910, 2934, 1956, 0],
        200,
        [
            ("4000.00", "90.00", "p1p2p3p4", "p1"),
            ("3000.00", "66.00", "p2p3p4", "p2"),
            ("2000.00", "44.00", "p3p4", "p3"),
        ],
    ),
    (
        "folded money stays in the slices it reaches",
        hand(pot("p1", preflop=100, all_in=True), pot("p2", preflop=300), pot("p3", preflop=300),
             actions=[act("p3", "fold")]),
        [285, 380, 0],
        35,
        [("300.00", "15.00", "p1p2", "p1"), ("400.00", "20.00", "p2", "p2")],
    ),
    (
        "an excess is measured by folded money too",
        hand(pot("p1", preflop=100, all_in=True), pot("p2", preflop=500), pot("p3", preflop=300),
             actions=[act("p3", "fold")], hands={"p1": KINGS, "p2": ACES}),
        [0, 200 + 665, 0],
        35,
        [("300.00", "15.00", "p1p2", "p2"), ("400.00", "20.00", "p2", "p2")],
    ),
    (
        "money of a dead hand above everybody goes to the last pot",
        hand(pot("p1", preflop=100, all_in=True), pot("p2", preflop=200, all_in=True),
             pot("p3", preflop=500), hands={"p1": ACES, "p2": KINGS, "p3": ["QC"]}),
        [285, 475, 0],
        40,
        [("300.00", "15.00", "p1p2", "p1"), ("500.00", "25.00", "p2", "p2")],
    ),
    (
        "a hand with too many cards is dead even if it would win",
        even(100, hands={"p1": ["AS", "AD", "AH"], "p2": KINGS}),
        [0, 190],
        10,
        [("200.00", "10.00", "p2", "p2")],
    ),
    (
        "who mucks cannot win",
        even(100, actions=[act("p1", "muck")], hands={}),
        [0, 190],
        10,
        [("200.00", "10.00", "p1p2", "p2")],
    ),
    (
        "who mucks beside an all-in in a cash game gives up every pot",
        hand(*SIDE, actions=[act("p3", "muck"), act("p1", "muck")]),
        [0, 380 + 570, 0, 570],
        80,
        [
            ("400.00", "20.00", "p1p2p3p4", "p2"),
            ("600.00", "30.00", "p2p3p4", "p2"),
            ("600.00", "30.00", "p3p4", "p4"),
        ],
    ),
    (
        "who alone reaches a side pot keeps it and gives up the main pot alone",
        hand(pot("p1", preflop=100, all_in=True), pot("p2", preflop=300), pot("p3", preflop=300),
             actions=[act("p3", "fold"), act("p2", "muck")], hands={"p1": KINGS}),
        [285, 380, 0],
        35,
        [("300.00", "15.00", "p1p2", "p1"), ("400.00", "20.00", "p2", "p2")],
    ),
    (
        "the last one left need not show",
        even(100, actions=[act("p1", "fold"), act("p2", "muck")], hands={}, board=[]),
        [0, 190],
        10,
        [("200.00", "10.00", "p2", "p2")],
    ),
    (
        "a button ante is dead money of the main pot",
        hand(pot("p1", preflop=100), pot("p2", preflop=100), pot("p3", ante=40, preflop=100)),
        [323, 0, 0],
        17,
        [("340.00", "17.00", "p1p2p3", "p1")],
    ),
    (
        "a button ante is no part of an uncalled bet",
        hand(pot("p1", preflop=50), pot("p2", ante=40, preflop=100), actions=[act("p1", "fold")]),
        [0, 50 + 140 - 7],
        7,
        [("140.00", "7.00", "p2", "p2")],
    ),
    (
        "equal antes are ordinary money",
        hand(pot("p1", ante=10, preflop=100), pot("p2", ante=10, preflop=100)),
        [209, 0],
        11,
        [("220.00", "11.00", "p1p2", "p1")],
    ),
    (
        "all-in for less than the ante",
        hand(pot("p1", ante=5, all_in=True), pot("p2", ante=10, preflop=100),
             pot("p3", ante=10, preflop=100)),
        [14, 200, 0],
        11,
        [("15.00", "1.00", "p1p2p3", "p1"), ("210.00", "10.00", "p2p3", "p2")],
    ),
    (
        "the button is all-in with the ante for all: a pot of its own",
        hand(pot("p1", preflop=100), pot("p2", preflop=100), pot("p3", ante=40, all_in=True),
             hands={"p1": KINGS, "p2": QUEENS, "p3": ACES}),
        [190, 0, 38],
        12,
        [("40.00", "2.00", "p1p2p3", "p3"), ("200.00", "10.00", "p1p2", "p1")],
    ),
    (
        "folding without money",
        even(100, actions=[act("p3", "fold")], **seats(3)),
        [190, 0],
        10,
        [("200.00", "10.00", "p1p2", "p1")],
    ),
    (
        "the wheel is the lowest straight",
        even(100, board=["2S", "3D", "4H", "5C", "JD"], hands={"p1": ["AS", "KD"],
                                                               "p2": ["6S", "KC"]}),
        [0, 190],
        10,
        [("200.00", "10.00", "p1p2", "p2")],
    ),
    (
        "the board plays",
        even(100, board=["TS", "JS", "QS", "KS", "AS"], hands={"p1": ["2C", "2D"],
                                                               "p2": ["AC", "AD"]}),
        [95, 95],
        10,
        [("200.00", "10.00", "p1p2", "p1p2")],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("request_", "paid", "rake", "expected_pots"),
    [case[1:] for case in SETTLED],
    ids=[case[0] for case in SETTLED],
)
def test_hand(request_: Any, paid: list[int], rake: int, expected_pots: list[Any]) -> None:
    answer = games.settle(request_)
    check_money(answer)
    assert list(payouts(answer).values()) == [crowns(amount) for amount in paid]
    assert answer["rake"] == crowns(rake)
    assert pots(answer) == expected_pots


def test_omaha_takes_exactly_two_own_cards() -> None:
    quads_on_the_board = ["7C", "7D", "7H", "7S", "2D"]
    request = even(
        100,
        game=OMAHA,
        board=quads_on_the_board,
        hands={"p1": ["AS", "KD", "QC", "9H"], "p2": ["2C", "2S", "3C", "4D"]},
    )
    assert list(payouts(games.settle(request)).values()) == [crowns(0), crowns(190)]


def test_a_dead_hand_in_omaha_has_other_than_four_cards() -> None:
    request = even(100, game=OMAHA, hands={"p1": ACES, "p2": [*KINGS, *QUEENS]})
    assert payouts(games.settle(request))["w-p2"] == crowns(190)


@pytest.mark.parametrize("acted", [0, 1])
@pytest.mark.parametrize("game", [TEXAS, OMAHA, TEXAS_TOURNAMENT, OMAHA_TOURNAMENT])
def test_a_misdeal_gives_everything_back(game: str, acted: int) -> None:
    for reason in games.plan(game).header.void_reasons:
        void = {"reason": reason, "acted_players": acted}
        request = hand(pot("p1", preflop=50), pot("p2", preflop=100), game=game, void=void)
        for key in ("hands", "board", "seats", "button"):
            del request["outcome"][key]
        answer = games.settle(request)
        assert results(answer) == ["void", "void"]
        assert list(payouts(answer).values()) == [crowns(50), crowns(100)]
        assert (answer["rake"], answer["pots"]) == ("0.00", [])
    assert len(games.plan(game).header.void_reasons) == 10


def test_every_pot_has_its_own_odd_crowns() -> None:
    request = hand(
        pot("p1", preflop=21, all_in=True),
        pot("p2", preflop=60),
        pot("p3", preflop=60),
        hands={"p1": ["AS", "KD"], "p2": ["AD", "KS"], "p3": ["AC", "KC"]},
    )
    answer = games.settle(request)
    assert pots(answer) == [
        ("63.00", "4.00", "p1p2p3", "p1p2p3"),
        ("78.00", "3.00", "p2p3", "p2p3"),
    ]
    assert list(payouts(answer).values()) == [crowns(20), crowns(20 + 38), crowns(19 + 37)]


def test_winners_are_sorted_by_name_and_paid_by_seat() -> None:
    wagers = [pot(player, preflop=101) for player in ("zoe", "adam")]
    cards = {"zoe": ["AS", "KD"], "adam": ["AD", "KS"]}
    late = hand(*wagers, pot("bob", preflop=3), hands=cards, actions=[act("bob", "fold")])
    answer = games.settle(late)
    assert answer["pots"][0]["winners"] == ["adam", "zoe"]
    assert payouts(answer) == {"w-zoe": crowns(98), "w-adam": crowns(97), "w-bob": crowns(0)}


@pytest.mark.parametrize("game", [TEXAS_TOURNAMENT, OMAHA_TOURNAMENT])
class TestTournamentHand:
    def cards(self, game: str) -> dict[str, Any]:
        more = {"p1": ["3C", "4C"], "p2": ["3D", "4D"], "p3": ["3H", "4H"]}
        own = {"p1": ACES, "p2": KINGS, "p3": QUEENS}
        if game == OMAHA_TOURNAMENT:
            return {"hands": {player: own[player] + more[player] for player in own}}
        return {"hands": own}

    def test_has_no_rake_and_more_than_nine_seats(self, game: str) -> None:
        request = even(5000, game=game, **seats(10), **self.cards(game))
        answer = games.settle(request)
        assert payouts(answer) == {"w-p1": crowns(10000), "w-p2": crowns(0)}
        assert pots(answer) == [("10000.00", "0.00", "p1p2", "p1")]
        assert answer["rake"] == "0.00"

    def test_takes_no_time_money(self, game: str) -> None:
        fee = {"mode": "time", "amount": "1.00"}
        assert payouts(games.settle(even(10, 3, game=game, fee=fee, **self.cards(game))))

    def test_nobody_mucks_beside_an_all_in(self, game: str) -> None:
        wagers = (pot("p1", preflop=50, all_in=True), pot("p2", preflop=100))
        third = pot("p3", preflop=100)
        cards = self.cards(game)
        muck = [act("p2", "muck")]
        assert code_of(hand(*wagers, third, game=game, actions=muck, **cards)) == (
            "ACTION_NOT_ALLOWED"
        )
        out = [act("p1", "fold"), *muck]
        answer = games.settle(hand(*wagers, third, game=game, actions=out, **cards))
        assert payouts(answer)["w-p3"] == crowns(250)

    def test_has_no_payments_of_the_tournament(self, game: str) -> None:
        assert code_of(hand(pot("p1", preflop=1) | {"bet": "buy_in"}, game=game)) == "UNKNOWN_BET"
        assert code_of(even(10, game=game, kind="table")) == "MALFORMED_REQUEST"


def test_the_source_is_settled_as_it_is_and_not_changed() -> None:
    request = deepcopy(hand(*SIDE))
    before = deepcopy(request)
    answer = games.settle(request)
    assert request == before
    assert json.loads(games.settle_line(json.dumps(request))) == answer


def test_placing_is_judged_before_streets_are_known() -> None:
    plan = games.plan(TEXAS)
    wager = games.Wager("w", "p1", "pot", 10000)
    assert games.wager_problem(plan, wager) is None
    for bad, code in [
        (games.Wager("w", "p1", "pot", 10050), "INVALID_STAKE"),
        (games.Wager("w", "p1", "main", 10000), "UNKNOWN_BET"),
        (games.Wager("w", "p1", "pot", 10000, late=True), "BET_AFTER_CLOSE"),
    ]:
        problem = games.wager_problem(plan, bad)
        assert problem is not None
        assert problem.code == code
    twice = games.wager_problem(plan, wager, placed=[games.Wager("v", "p1", "pot", 100)])
    assert twice is not None
    assert twice.code == "DUPLICATE_WAGER"
    assert games.describe(plan, "pot")
    with pytest.raises(games.SettlementError, match="UNKNOWN_BET"):
        games.describe(plan, "red")
    unknown = games.TableLimits(by_bet={"red": games.StakeRange(1, 2)})
    assert games.table_problem(plan, unknown) is not None
    assert games.table_problem(plan, games.TableLimits(games.StakeRange(1, 2))) is None
    with pytest.raises(TypeError):
        games.settle_round(plan, [wager], (), games.Outcome())
