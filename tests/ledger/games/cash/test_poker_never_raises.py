"""Whatever JSON the poker families are asked, an answer goes out and no money gets lost."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from tests.ledger.games.json_cases import json_values, spoil
from tests.ledger.games.poker_cases import (
    ACES,
    BOARD,
    KINGS,
    OMAHA,
    OMAHA_TOURNAMENT,
    PINEAPPLE,
    PINEAPPLE_TOURNAMENT,
    TEXAS,
    TEXAS_TOURNAMENT,
    act,
    check_money,
)
from tests.search import amount

GAMES = [
    TEXAS,
    OMAHA,
    PINEAPPLE,
    TEXAS_TOURNAMENT,
    OMAHA_TOURNAMENT,
    PINEAPPLE_TOURNAMENT,
]
CODES = {code.value for code in games.Code}
WORDS = [
    "p1", "p2", "p1|p2", "100.00", "1.00", "0.00", "pot", "stack", "buy_in", "preflop", "flop",
    "hand", "prizes", "freezeout", "5", "rake", "time", "fold", "raise", "AS", "KC",
    "misdeal_extra_cards",
]  # fmt: skip
KEYS = ["player", "streets", "amount", "mode", "players", "shares", "front", "reason", "p1", "p2"]

ANY_JSON = json_values(WORDS, KEYS)

SET = {"front": ["2C", "3D", "5H"], "middle": ["2D", "3C", "7S", "8C", "9D"]}
WAGER = {"stake": "100.00", "streets": {"ante": "10.00", "preflop": "90.00"}, "all_in": False}
FULL: dict[str, Any] = {
    "id": "r",
    "game": TEXAS,
    "table": {"min": "1.00", "max": "500.00"},
    "wagers": [
        WAGER | {"id": "w1", "player": "p1", "bet": "pot"},
        WAGER | {"id": "w2", "player": "p2", "bet": "pot"},
    ],
    "actions": [
        act("p1", "raise", street="preflop", to="90.00", all_in=False),
        act("p2", "call", street="preflop"),
    ],
    "outcome": {
        "kind": "hand",
        "seats": ["p1", "p2"],
        "button": "p2",
        "hands": {"p1": ACES, "p2": KINGS},
        "board": BOARD,
        "burn": ["3S"],
        "big_blind": "20.00",
        "fee": {"mode": "time", "amount": "500.00"},
        "sets": {
            "p1": SET | {"back": ["4C", "4D", "6H", "7C", "8H"]},
            "p2": {
                "front": ["AC", "KD", "QH"],
                "middle": ["JC", "JD", "5S", "6S", "7H"],
                "back": ["TC", "TD", "TS", "2H", "3S"],
            },
        },
        "discards": {"p1": ["9S", "9C", "9H", "8S"]},
        "point_value": {"default": "10.00", "pairs": {"p2|p1": "5.00"}},
        "stop_loss": {"p1": "50.00"},
        "in_fantasyland": ["p2"],
        "format": "freezeout",
        "fee_percent": "5",
        "guarantee": "1000.00",
        "withdrawn": [],
        "places": [["p1"], ["p2"]],
    },
}
VARIANTS: list[dict[str, Any]] = []
for _game in GAMES:
    variant = deepcopy(FULL) | {"game": _game}
    if "omaha" in _game:
        variant["outcome"]["hands"] = {"p1": [*ACES, "3C", "4C"], "p2": [*KINGS, "3D", "4D"]}
    if "pineapple" in _game:
        variant["actions"] = []
        for _wager in variant["wagers"]:
            _wager["bet"] = "stack"
    VARIANTS.append(variant)
    if "tournament" in _game:
        prizes = deepcopy(variant)
        prizes["outcome"]["kind"] = "prizes"
        prizes["actions"] = []
        prizes["outcome"]["deal"] = {
            "registration_closed": True,
            "unanimous": True,
            "players": ["p1", "p2"],
            "shares": {"p1": "500.00", "p2": "450.00"},
            "playout": {"percent": "5", "winner": "p1"},
        }
        prizes["outcome"]["places"] = []
        for _wager in prizes["wagers"]:
            _wager["bet"] = "buy_in"
        VARIANTS.append(prizes)


def check_answer(request: object) -> None:
    answer = games.settle(request)
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
    else:
        check_money(answer)
        assert all(line["rule"] for line in answer["wagers"])


def test_the_variants_settle_before_they_are_spoilt() -> None:
    for request in VARIANTS:
        answer = games.settle(request)
        assert "error" not in answer, answer
        check_money(answer)


@settings(deadline=None, max_examples=amount(37, 150))
@given(st.sampled_from(VARIANTS), ANY_JSON)
def test_any_outcome_gets_an_answer(request_: dict[str, Any], outcome: Any) -> None:
    check_answer(request_ | {"outcome": outcome})
    check_answer(request_ | {"wagers": outcome})


@settings(deadline=None, max_examples=amount(150, 600))
@given(st.sampled_from(VARIANTS), st.data())
def test_a_request_with_one_part_replaced_gets_an_answer(
    request_: dict[str, Any], data: st.DataObject
) -> None:
    request = deepcopy(request_)
    spoil(request, data, ANY_JSON)
    check_answer(request)
