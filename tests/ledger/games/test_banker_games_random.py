"""Random rounds of baccarat, wheels and poker against the dealer.

Legal rounds settle and agree with plain oracles written from the pay tables; one mistake in a legal
round is refused; any JSON gets an answer; no money appears or disappears.
"""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from tests.ledger.games.banker_cases import (
    BACCARAT,
    CASINO,
    ULTIMATE,
    WHEEL,
    WHEEL_2,
    haler,
    lines_of,
    request,
    wager,
)
from tests.ledger.games.banker_rounds import ROUNDS
from tests.ledger.games.json_cases import json_values, spoil

CODES = {code.value for code in games.Code}
GAMES = [BACCARAT, CASINO, ULTIMATE, WHEEL, WHEEL_2]


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("make", ROUNDS)
@pytest.mark.parametrize("seed", range(4))
def test_legal_rounds_agree_with_the_oracle(make: Any, seed: int) -> None:
    drawer = random.Random(seed)
    for _ in range(250):
        document, expected = make(drawer)
        lines = lines_of(document)
        assert {line: haler(payout) for line, (_, payout) in lines.items()} == expected, document


def bad_card(cards: list[str], drawer: random.Random) -> tuple[str, list[str]]:
    changed = list(cards)
    changed[drawer.randrange(len(cards))] = drawer.choice(["", "1S", "10H", "ZZ", "AB"])
    return "INVALID_CARD", changed


def mutate(document: dict[str, Any], drawer: random.Random) -> set[str]:
    """Put one mistake into a legal request and say what may be answered."""
    outcome, first = document["outcome"], document["wagers"][0]
    card_lists = [key for key, value in outcome.items() if isinstance(value, list)]
    mistake = drawer.choice(["bet", "stake", "id", "late", "void", "card", "action", "missing"])
    match mistake:
        case "bet":
            first["bet"] = "x"
            return {"UNKNOWN_BET"}
        case "stake":
            first["stake"] = drawer.choice(["0.00", "5", "-1.00", "1.000", "1e3", ""])
            return {"INVALID_STAKE"}
        case "id":
            document["wagers"].append(deepcopy(first))
            return {"DUPLICATE_WAGER"}
        case "late":
            first["late"] = True
            return {"BET_AFTER_CLOSE"}
        case "void":
            outcome["void"] = {"reason": "bad_mood"}
            return {"INVALID_VOID_REASON"}
        case "card" if card_lists:
            key = drawer.choice(card_lists)
            code, outcome[key] = bad_card(outcome[key], drawer)
            return {code}
        case "missing" if document["game"] not in {CASINO, ULTIMATE}:
            del outcome[drawer.choice(list(outcome))]
            return {"OUTCOME_INCOMPLETE"}
        case "missing":
            document["actions"].pop()
            return {"ACTION_MISSING"}
        case _:
            document.setdefault("actions", []).append(
                {"player": "p9", "type": "raise", "hand": "9", "street": "flop", "times": 2}
            )
            return {"ACTION_NOT_ALLOWED"}


@pytest.mark.parametrize("make", ROUNDS)
@pytest.mark.parametrize("seed", range(3))
def test_one_mistake_in_a_legal_round_is_refused_by_its_code(make: Any, seed: int) -> None:
    drawer = random.Random(100 + seed)
    for _ in range(200):
        document, _expected = make(drawer)
        codes = mutate(document, drawer)
        answer = games.settle(document)
        assert "error" in answer, document
        assert answer["error"]["code"] in codes, document


WORDS = [
    *("p1", "w1", "ante", "blind", "trips", "aa", "player", "banker", "x1", "1", "100.00", "AS"),
    *("call", "call_blind", "fold", "raise", "check", "preflop", "flop", "river", "timeout"),
    *("before_close", "after_close", "operator_interruption", "game_error", "card_misrecorded"),
    *GAMES,
]
KEYS = [
    *("id", "game", "wagers", "outcome", "actions", "table", "void", "reason", "player", "players"),
    *("bet", "stake", "box", "late", "hand", "hands", "street", "times", "type", "auto", "dealer"),
    *("board", "burn", "banker", "field", "player_cards", "disconnects", "phase"),
]
ANY_JSON = json_values(WORDS, KEYS)


def check_answer(document: object) -> None:
    answer = games.settle(document)
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        return
    lines = answer["wagers"]
    assert sum(haler(line["stake"]) for line in lines) == haler(answer["total_staked"])
    assert sum(haler(line["payout"]) for line in lines) == haler(answer["total_payout"])
    for line in lines:
        stake, payout = haler(line["stake"]), haler(line["payout"])
        match line["result"]:
            case "void" | "push":
                assert payout == stake
            case "lose":
                assert payout == 0
            case result:
                assert result == "win"
                assert payout > stake


@settings(deadline=None)
@given(st.sampled_from(ROUNDS), st.integers(0, 50), st.data())
def test_a_legal_round_with_one_part_replaced_gets_an_answer(
    make: Any, seed: int, data: st.DataObject
) -> None:
    document: Any = make(random.Random(seed))[0]
    document["outcome"]["disconnects"] = [{"player": "p0", "phase": "after_close"}]
    if data.draw(st.booleans()):
        document["outcome"]["void"] = {
            "reason": data.draw(st.sampled_from(WORDS)),
            "players": ["p0"],
        }
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(document, data, ANY_JSON)
    check_answer(document)


@settings(deadline=None)
@given(st.sampled_from(GAMES), st.data())
def test_any_outcome_and_actions_get_an_answer(game: str, data: st.DataObject) -> None:
    bets = {BACCARAT: ["tie"], CASINO: ["ante", "aa"], ULTIMATE: ["ante", "blind"]}
    wagers = [wager(bet, box="1") for bet in bets.get(game, ["x1"])]
    outcome = data.draw(st.dictionaries(st.sampled_from(KEYS), ANY_JSON, max_size=5))
    actions = data.draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "player": st.sampled_from(["p1", "p2"]),
                    "type": st.sampled_from(WORDS),
                    "hand": st.sampled_from(["1", "2"]),
                    "street": st.sampled_from(["preflop", "flop", "river", "turn"]),
                },
                optional={"times": ANY_JSON, "auto": ANY_JSON},
            ),
            max_size=3,
        )
    )
    check_answer(request(game, wagers, outcome, actions=actions))


@settings(deadline=None)
@given(st.sampled_from(ROUNDS), st.integers(0, 100))
def test_the_order_of_wagers_and_players_changes_nothing(make: Any, seed: int) -> None:
    document, _ = make(random.Random(seed))
    before = lines_of(document)
    frozen = deepcopy(document)
    assert lines_of(document | {"wagers": document["wagers"][::-1]}) == before
    assert document == frozen
    assert json.loads(games.settle_line(json.dumps(document))) == games.settle(document)
