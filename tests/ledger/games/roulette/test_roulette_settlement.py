"""Settlement of single rounds: vectors, every refusal, the order of refusals."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from ledger import games

VECTORS = [
    json.loads(line)
    for line in Path(__file__).with_name("roulette_vectors.jsonl").read_text("utf-8").splitlines()
]
SYNOT, EVOLUTION = "sazka.roulette_synot", "sazka.roulette_evolution"
SIXTY_NINE, CZECH = "69games.roulette", "czech_casinos.american_roulette"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["claim"])
def test_vector(vector: dict[str, Any]) -> None:
    request = vector["request"]
    before = deepcopy(request)
    answer = games.settle(request)
    assert request == before
    assert "error" not in answer, answer
    stakes = {wager["id"]: wager["stake"] for wager in request["wagers"]}
    assert answer["id"] == request["id"]
    assert [[w["id"], w["result"], w["payout"]] for w in answer["wagers"]] == vector["lines"]
    assert all(w["stake"] == stakes[w["id"]] and w["rule"] for w in answer["wagers"])
    assert games.settle_line(json.dumps(request)) == json.dumps(answer)


def wager(bet: str = "red", stake: str = "100.00", selection: object = None, **more: Any) -> Any:
    document = {"id": "w1", "player": "p1", "bet": bet, "stake": stake, **more}
    return document if selection is None else {**document, "selection": selection}


def request(*wagers: Any, game: str = EVOLUTION, outcome: Any = None, **more: Any) -> Any:
    outcome = {"number": 17} if outcome is None else outcome
    return {"id": "r", "game": game, "wagers": list(wagers), "outcome": outcome, **more}


def code_of(document: object) -> str:
    answer = games.settle(document)
    assert "error" in answer, answer
    assert answer["error"]["message"]
    return answer["error"]["code"]


def disconnect(phase: str, player: str = "p1") -> dict[str, Any]:
    return {"number": 17, "disconnects": [{"player": player, "phase": phase}]}


def void(reason: str, **more: Any) -> dict[str, Any]:
    return {"number": 17, "void": {"reason": reason, **more}}


RED = wager()
REFUSED = [
    ("MALFORMED_REQUEST", None),
    ("MALFORMED_REQUEST", []),
    ("MALFORMED_REQUEST", {}),
    ("MALFORMED_REQUEST", request()),
    ("MALFORMED_REQUEST", request(RED) | {"id": 7}),
    ("MALFORMED_REQUEST", request(RED) | {"game": None}),
    ("MALFORMED_REQUEST", request(RED) | {"wagers": {}}),
    ("MALFORMED_REQUEST", request(RED) | {"outcome": "17"}),
    ("MALFORMED_REQUEST", request(RED) | {"actions": {}}),
    ("MALFORMED_REQUEST", request(RED) | {"actions": [{"player": "p1"}]}),
    ("MALFORMED_REQUEST", request(RED) | {"table": "50.00"}),
    ("MALFORMED_REQUEST", request(RED) | {"table": {"min": 50}}),
    ("MALFORMED_REQUEST", request(RED) | {"table": {"min": "50"}}),
    ("MALFORMED_REQUEST", request("red")),
    ("MALFORMED_REQUEST", request(RED, outcome={"void": None})),
    ("MALFORMED_REQUEST", request({**RED, "stake": 100})),
    ("MALFORMED_REQUEST", request({**RED, "late": 1})),
    ("MALFORMED_REQUEST", request({**RED, "chip": 1})),
    ("MALFORMED_REQUEST", request({**RED, "box": 1})),
    ("MALFORMED_REQUEST", request({k: v for k, v in RED.items() if k != "player"})),
    ("MALFORMED_REQUEST", request(RED, outcome={"number": "17"})),
    ("MALFORMED_REQUEST", request(RED, outcome={"number": True})),
    ("MALFORMED_REQUEST", request(RED, outcome={"number": 17.0})),
    ("MALFORMED_REQUEST", request(RED, outcome={"number": 1, "invalid_spins": [{}]})),
    ("MALFORMED_REQUEST", request(RED, outcome={"number": 1, "disconnects": ["p1"]})),
    ("MALFORMED_REQUEST", request(RED, outcome={"void": {}})),
    ("MALFORMED_REQUEST", request(RED, outcome=void("operator_interruption", players=[1]))),
    ("UNKNOWN_GAME", request(RED, game="sazka.roulette")),
    ("UNKNOWN_BET", request(wager("basket"))),
    ("UNKNOWN_BET", request(wager("complete", selection=1), game=CZECH)),
    ("UNKNOWN_BET", request(wager("finale_cheval", selection=1), game=SYNOT)),
    ("UNKNOWN_BET", request(wager("jeu_7_9", "60.00"))),
    ("INVALID_STAKE", request(wager(stake="0.00"))),
    ("INVALID_STAKE", request(wager(stake="100"))),
    ("INVALID_STAKE", request(wager(stake="-1.00"))),
    ("INVALID_STAKE", request(wager(stake="1.000"))),
    ("INVALID_STAKE", request(wager(stake="1234567890123.00"))),
    ("INVALID_STAKE", request(wager(stake="\u0661.00"))),
    ("INVALID_STAKE", request(wager(chip="0.00"), game=CZECH)),
    ("STAKE_NOT_DIVISIBLE", request(wager("tiers", "100.00"))),
    ("STAKE_NOT_DIVISIBLE", request(wager(chip="30.00"), game=CZECH)),
    ("INVALID_SELECTION", request(wager(selection=1))),
    ("INVALID_SELECTION", request(wager("straight"))),
    ("INVALID_SELECTION", request(wager("straight", selection=17))),
    ("INVALID_SELECTION", request(wager("straight", selection=[True]))),
    ("INVALID_SELECTION", request(wager("straight", selection=[37]))),
    ("INVALID_SELECTION", request(wager("split", selection=[17, 17]))),
    ("INVALID_SELECTION", request(wager("split", selection=[3, 4]))),
    ("INVALID_SELECTION", request(wager("corner", selection=[0, 1, 2, 3]))),
    ("INVALID_SELECTION", request(wager("corner", selection=[0, 1, 2, 3]), game=SYNOT)),
    ("INVALID_SELECTION", request(wager("dozen", selection=4))),
    ("INVALID_SELECTION", request(wager("dozen", selection=[1]))),
    ("INVALID_SELECTION", request(wager("complete", selection=[1]))),
    ("INVALID_SELECTION", request(wager("voisins", "90.00", [0]))),
    ("INVALID_SELECTION", request(wager("neighbours", selection={"number": 5}))),
    ("INVALID_SELECTION", request(wager("neighbours", selection={"number": 5, "each_side": 10}))),
    (
        "INVALID_SELECTION",
        request(wager("neighbours", selection={"number": 5, "each_side": 0}), game=SYNOT),
    ),
    ("DUPLICATE_WAGER", request(RED, {**RED, "player": "p2"})),
    ("BET_BELOW_MINIMUM", request(wager(stake="9.99"), game=SIXTY_NINE)),
    ("BET_BELOW_MINIMUM", request(wager("tiers", "59.94"), game=SIXTY_NINE)),
    ("BET_BELOW_MINIMUM", request(wager(stake="49.99"), table={"min": "50.00"})),
    ("BET_ABOVE_MAXIMUM", request(wager(stake="100000.01"))),
    ("BET_ABOVE_MAXIMUM", request(wager("split", "20000.01", [0, 1]))),
    ("BET_ABOVE_MAXIMUM", request(wager(stake="25000.01"), game=SIXTY_NINE)),
    ("BET_ABOVE_MAXIMUM", request(wager(stake="60.00"), game=CZECH, table={"max": "50.00"})),
    (
        "BET_ABOVE_MAXIMUM",
        request(
            wager("straight", "9999.00", [1]),
            {**wager("orphelins", "10.00"), "id": "w2"},
        ),
    ),
    (
        "TABLE_LIMIT_EXCEEDED",
        request(
            *(
                {**wager(bet, stake, selection), "id": f"{bet}{selection}"}
                for bet, stake, selection in [
                    *((bet, "100000.00", None) for bet in ("red", "black", "odd", "even")),
                    *((bet, "100000.00", None) for bet in ("low", "high")),
                    *((bet, "65000.00", n) for bet in ("dozen", "column") for n in (1, 2, 3)),
                    ("straight", "10000.00", [1]),
                    ("straight", "0.01", [2]),
                ]
            )
        ),
    ),
    ("INVALID_TABLE_LIMITS", request(RED, table={"max": "100000.01"})),
    ("INVALID_TABLE_LIMITS", request(RED, table={"min": "50.00", "max": "40.00"})),
    ("INVALID_TABLE_LIMITS", request(RED, table={"min": "9.99"}, game=SIXTY_NINE)),
    ("INVALID_TABLE_LIMITS", request(RED, table={"max": "25000.01"}, game=SIXTY_NINE)),
    ("BET_AFTER_CLOSE", request(wager(late=True))),
    ("BET_AFTER_CLOSE", request(wager(late=True), game=SYNOT)),
    ("INVALID_VOID_REASON", request(RED, outcome=void("no_spin_direction"))),
    ("INVALID_VOID_REASON", request(RED, outcome=void("technical_aids"), game=SIXTY_NINE)),
    ("VOID_NOT_ALLOWED", request(RED, outcome=void("operator_interruption", reconstructable=True))),
    ("INVALID_OUTCOME", request(RED, outcome={"number": 37})),
    ("INVALID_OUTCOME", request(RED, outcome={"number": -1})),
    ("INVALID_OUTCOME", request(RED, outcome={"number": 1, "next_number": 2})),
    ("INVALID_OUTCOME", request(RED, outcome={"number": 1, "next_number": 37}, game=CZECH)),
    ("INVALID_OUTCOME", request(RED, outcome={"number": 1, "invalid_spins": [{"reason": "x"}]})),
    (
        "INVALID_OUTCOME",
        request(
            RED,
            outcome={"number": 1, "invalid_spins": [{"reason": "wheel_stopped"}]},
            game=SIXTY_NINE,
        ),
    ),
    ("INVALID_OUTCOME", request(RED, outcome=disconnect("before_close"), game=CZECH)),
    ("INVALID_OUTCOME", request(RED, outcome=disconnect("after_close", "p2"))),
    ("INVALID_OUTCOME", request(RED, outcome=disconnect("between"))),
    ("INVALID_OUTCOME", request(RED, outcome=void("operator_interruption", players=["p2"]))),
    ("INVALID_OUTCOME", request(RED, outcome=void("operator_interruption", players=[]))),
    ("OUTCOME_INCOMPLETE", request(RED, outcome={})),
    ("OUTCOME_INCOMPLETE", request(wager(stake="0.01"), outcome={"number": 0}, game=CZECH)),
    ("ACTION_NOT_ALLOWED", request(RED, actions=[{"player": "p1", "type": "hit"}])),
]


@pytest.mark.parametrize(("code", "document"), REFUSED)
def test_refusal(code: str, document: object) -> None:
    assert code_of(document) == code


CARD_AND_POKER_CODES = """
    STAKE_MISMATCH INVALID_BOX BOX_LIMIT_EXCEEDED SIDE_BET_WITHOUT_MAIN INVALID_CARD
    TOO_MANY_COPIES SHARED_CARDS_MISMATCH PLAYER_CARDS_MISMATCH DRAW_RULE_VIOLATION ACTION_MISSING
    PLAYER_COUNT CONTRIBUTION_MISMATCH RAISE_TOO_SMALL FEE_OUT_OF_RANGE ENTRY_NOT_ALLOWED
    ENTRIES_OUT_OF_TABLE REFUND_NOT_ALLOWED PLACES_INVALID DEAL_NOT_ALLOWED INVALID_HAND
"""


def test_every_code_that_roulette_can_give_is_reached() -> None:
    reached = {code for code, _ in REFUSED}
    assert reached == set(games.Code) - set(CARD_AND_POKER_CODES.split())


ORDERED_FAULTS = [
    ("MALFORMED_REQUEST", {"table": 1}),
    ("UNKNOWN_GAME", {"game": "x"}),
    ("UNKNOWN_BET", {"wagers": [wager("x"), wager("red", "0", None, id="w2")]}),
    ("BET_ABOVE_MAXIMUM", {"wagers": [wager("red", "200000.00")]}),
    ("INVALID_VOID_REASON", {"outcome": {"number": 99, "void": {"reason": "x"}}}),
    ("INVALID_OUTCOME", {"outcome": {"number": 99}}),
    ("ACTION_NOT_ALLOWED", {"actions": [{"player": "p1", "type": "hit"}]}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    document = request(RED)
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        document |= fault
    assert code_of(document) == ORDERED_FAULTS[first][0]


@pytest.mark.parametrize(
    ("line", "identifier"),
    [
        ("", None),
        ("{", None),
        ("[" * 100_000, None),
        ('{"id": "a", "id": "b"}', None),
        ('{"id": "a", "wagers": NaN}', None),
        ('{"id": "a"}', "a"),
        ("17", None),
        ("9" * 5000, None),
    ],
)
def test_a_line_that_is_no_request_gets_an_answer(line: str, identifier: str | None) -> None:
    answer = json.loads(games.settle_line(line))
    assert answer["id"] == identifier
    assert answer["error"]["code"] == "MALFORMED_REQUEST"


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_the_request() -> None:
    line = json.dumps(request(RED))
    assert games.settle_line(b"\xef\xbb\xbf" + line.encode()) == games.settle_line(line)
    twice = games.settle_line(b"\xef\xbb\xbf" * 2 + line.encode())
    assert json.loads(twice)["error"]["code"] == "MALFORMED_REQUEST"


@pytest.mark.parametrize("game", [SIXTY_NINE, CZECH])
def test_no_number_is_needed_when_all_chips_came_late(game: str) -> None:
    late = wager(late=True)
    answer = games.settle(request(late, game=game, outcome={}))
    assert [(line["result"], line["payout"]) for line in answer["wagers"]] == [("void", "100.00")]
    in_time = {**RED, "id": "w2"}
    assert code_of(request(late, in_time, game=game, outcome={})) == "OUTCOME_INCOMPLETE"


@pytest.mark.parametrize(
    ("game", "placed"),
    [(SYNOT, wager()), (SIXTY_NINE, wager()), (CZECH, wager("dozen", selection=2))],
)
def test_the_value_of_a_chip_matters_only_where_zero_halves(game: str, placed: Any) -> None:
    chips = games.settle(request({**placed, "chip": "30.00"}, game=game))
    assert chips == games.settle(request(placed, game=game))
    assert "error" not in chips


@pytest.mark.parametrize("game", [SYNOT, EVOLUTION])
def test_a_void_line_names_the_paragraph_that_returns_it(game: str) -> None:
    recorded = request(RED, game=game, outcome={"void": {"reason": "result_not_recorded"}})
    assert games.settle(recorded)["wagers"][0]["rule"] == "SAZKA 14(1)"
    gone = request(RED, game=game, outcome=disconnect("before_close"))
    assert games.settle(gone)["wagers"][0]["rule"].endswith(") 12")


def test_evolution_lines_name_paragraphs_22_and_23() -> None:
    line = games.settle(request(RED))["wagers"][0]
    assert line["rule"] == "SAZKA annex Roulette (Evolution) 22-23"


def test_a_maximum_may_be_reached_in_parts_but_not_passed() -> None:
    parts = [wager("straight", "5000.00", [1], id=f"w{n}") for n in range(2)]
    assert games.settle(request(*parts))["total_staked"] == "10000.00"
    other_player = wager("straight", "5000.00", [1], id="w9", player="p2")
    assert "error" not in games.settle(request(*parts, other_player))
    assert code_of(request(*parts, wager("straight", "0.01", [1], id="w3"))) == "BET_ABOVE_MAXIMUM"
