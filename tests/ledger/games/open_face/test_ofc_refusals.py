"""Every refusal of Open Face Chinese Poker."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.ledger.games.ofc_cases import FOUL, HIGH, LOW, game, paid
from tests.ledger.games.poker_cases import act, code_of

TWO = game(HIGH, LOW)


def changed(**outcome: Any) -> dict[str, Any]:
    return game(HIGH, LOW, **outcome)


def with_set(**rows_: list[str]) -> dict[str, Any]:
    return changed(sets={"p1": HIGH | rows_, "p2": LOW})


def with_wager(number: int = 0, **fields: Any) -> dict[str, Any]:
    request = deepcopy(TWO)
    request["wagers"][number] |= fields
    return request


def without_key(key: str) -> dict[str, Any]:
    request = deepcopy(TWO)
    del request["outcome"][key]
    return request


FOUR = ["9S", "9C", "9H", "8S"]
REFUSED = [
    ("MALFORMED_REQUEST", without_key("seats")),
    ("MALFORMED_REQUEST", without_key("button")),
    ("MALFORMED_REQUEST", without_key("point_value")),
    ("MALFORMED_REQUEST", changed(point_value={"default": 100})),
    ("MALFORMED_REQUEST", changed(point_value={"default": "100"})),
    ("MALFORMED_REQUEST", changed(point_value={"default": "1.00", "pairs": ["p1|p2"]})),
    ("MALFORMED_REQUEST", changed(sets=[])),
    ("MALFORMED_REQUEST", changed(sets={"p1": [], "p2": LOW})),
    ("MALFORMED_REQUEST", with_set(front="ACKDQH")),  # type: ignore[arg-type]
    ("MALFORMED_REQUEST", changed(stop_loss={"p1": 100})),
    ("MALFORMED_REQUEST", changed(in_fantasyland="p1")),
    ("MALFORMED_REQUEST", changed(discards=[])),
    ("MALFORMED_REQUEST", changed(fee={"mode": "free"})),
    ("UNKNOWN_BET", with_wager(bet="pot")),
    ("INVALID_STAKE", with_wager(stake="0.00")),
    ("INVALID_STAKE", with_wager(stake="5000")),
    ("BET_AFTER_CLOSE", with_wager(late=True)),
    ("DUPLICATE_WAGER", with_wager(id="w-p2")),
    ("DUPLICATE_WAGER", with_wager(player="p2")),
    ("BET_BELOW_MINIMUM", with_wager(stake="25.00")),
    ("INVALID_TABLE_LIMITS", TWO | {"table": {"min": "2.00", "max": "1.00"}}),
    ("INVALID_VOID_REASON", changed(void={"reason": "misdeal_extra_cards", "acted_players": 0})),
    ("INVALID_OUTCOME", changed(disconnects=[{"player": "p1", "phase": "before_close"}])),
    ("PLAYER_COUNT", changed(seats=["p1"])),
    ("PLAYER_COUNT", changed(seats=["p1", "p2", "p3", "p4"])),
    ("INVALID_OUTCOME", changed(seats=["p1", "p2", "p3"])),
    ("INVALID_OUTCOME", changed(seats=["p1", "p3"])),
    ("INVALID_OUTCOME", changed(seats=["p1", "p1", "p2"])),
    ("INVALID_OUTCOME", changed(button="p3")),
    ("FEE_OUT_OF_RANGE", changed(fee={"mode": "time", "amount": "99.00"})),
    ("FEE_OUT_OF_RANGE", changed(fee={"mode": "time", "amount": "10001.00"})),
    ("INVALID_OUTCOME", changed(point_value={"default": "1.00", "pairs": {"p1|p3": "1.00"}})),
    ("INVALID_OUTCOME", changed(stop_loss={"p3": "1.00"})),
    ("INVALID_OUTCOME", changed(in_fantasyland=["p3"])),
    ("OUTCOME_INCOMPLETE", without_key("sets")),
    ("OUTCOME_INCOMPLETE", changed(sets={"p1": HIGH})),
    ("OUTCOME_INCOMPLETE", changed(sets={"p1": HIGH, "p2": {"front": [], "middle": []}})),
    ("PLAYER_CARDS_MISMATCH", changed(sets={"p1": HIGH, "p2": LOW, "p3": FOUL})),
    ("PLAYER_CARDS_MISMATCH", with_set(side=[])),
    ("PLAYER_CARDS_MISMATCH", changed(discards={"p3": FOUR})),
    ("INVALID_CARD", with_set(front=["AC", "KD", "1H"])),
    ("INVALID_CARD", changed(discards={"p1": ["9S", "9C", "9H", "joker"]})),
    ("TOO_MANY_COPIES", with_set(front=["AC", "KD", "2C"])),
    ("TOO_MANY_COPIES", changed(discards={"p1": [*FOUR[:3], "AC"]})),
    ("INVALID_HAND", with_set(front=["AC", "KD"])),
    ("INVALID_HAND", with_set(front=["AC", "KD", "QH", "QD"])),
    ("INVALID_HAND", with_set(back=["TC", "TD", "TS", "2H"])),
    ("INVALID_HAND", changed(discards={"p1": FOUR[:3]})),
    ("INVALID_HAND", changed(discards={"p1": [*FOUR, "8D"]})),
    ("INVALID_HAND", changed(discards={"p1": []}, in_fantasyland=["p1"])),
    ("INVALID_HAND", changed(discards={"p1": [*FOUR, "8D"]}, in_fantasyland=["p1"])),
    ("ACTION_NOT_ALLOWED", TWO | {"actions": [act("p1", "fold")]}),
]


@pytest.mark.parametrize(("code", "request_"), REFUSED)
def test_refused(code: str, request_: Any) -> None:
    assert code_of(request_) == code


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_fantasyland_discards_one_to_four(count: int) -> None:
    request = changed(discards={"p1": FOUR[:count], "p2": ["6D", "6C", "5D", "5C"]},
                      in_fantasyland=["p1"])  # fmt: skip
    assert paid(request)


# A request with all faults from one on; the first must be named.
ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("UNKNOWN_BET", {"bet": "pot"}),
    ("BET_BELOW_MINIMUM", {"stake": "25.00"}),
    ("INVALID_VOID_REASON", {"void": {"reason": "misdeal_extra_cards"}}),
    ("INVALID_OUTCOME", {"button": "p9"}),
    ("INVALID_CARD", {"discards": {"p1": ["XX"]}}),
    ("INVALID_HAND", {"discards": {"p1": ["9S"]}}),
    ("ACTION_NOT_ALLOWED", {"actions": [act("p1", "fold")]}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    """The stack that is too short is listed before the wager of an unknown kind."""
    request = deepcopy(TWO)
    places = {"stake": request["wagers"][0], "bet": request["wagers"][1], "actions": request}
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        for key, value in fault.items():
            places.get(key, request["outcome"])[key] = value
    assert code_of(request) == ORDERED_FAULTS[first][0]


@pytest.mark.parametrize("missing", ["seats", "button", "point_value"])
def test_what_is_missing_is_named_before_what_is_wrong(missing: str) -> None:
    request = without_key(missing)
    request["wagers"][0]["bet"] = "pot"
    assert code_of(request) == "MALFORMED_REQUEST"
