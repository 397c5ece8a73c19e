"""Raises and every refusal of a poker hand."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from ledger import games
from tests.ledger.games.poker_cases import (
    ACES,
    BOARD,
    KINGS,
    NINES,
    SIDE,
    act,
    check_money,
    code_of,
    crowns,
    hand,
    pot,
    seats,
)

RAISED = (pot("p1", preflop=100, flop=700), pot("p2", preflop=100, flop=700))
NO_RANGE = {"min": "2.00", "max": "1.00"}


def flop(*steps: tuple[str, str, int], **last: Any) -> dict[str, Any]:
    actions = [act(p, kind, street="flop", to=crowns(to)) for p, kind, to in steps]
    actions[-1] |= last
    return hand(*RAISED, actions=actions)


def preflop(*steps: tuple[str, int], **outcome: Any) -> dict[str, Any]:
    actions = [act(p, "raise", street="preflop", to=crowns(to)) for p, to in steps]
    return hand(pot("p1", preflop=700), pot("p2", preflop=700), actions=actions, **outcome)


@pytest.mark.parametrize(
    "request_",
    [
        flop(("p1", "bet", 100), ("p2", "raise", 200)),
        flop(("p1", "bet", 100), ("p2", "raise", 400), ("p1", "raise", 700)),
        flop(("p1", "bet", 100), ("p2", "raise", 150), all_in=True),
        preflop(("p1", 200), big_blind="100.00"),
        preflop(("p1", 200), ("p2", 300), ("p1", 700), big_blind="100.00"),
        hand(
            *RAISED,
            actions=[
                act("p1", "post"),
                act("p2", "check", street="preflop"),
                act("p1", "bet", street="flop", to="100.00"),
                act("p2", "raise", street="flop", to="400.00"),
                act("p1", "raise", street="flop", to="500.00", all_in=True),
                act("p2", "raise", street="flop", to="600.00"),
                act("p1", "call"),
                act("p1", "show"),
                act("p1", "bet", street="turn", to="1.00"),
            ],
        ),
    ],
)
def test_raises_that_are_large_enough(request_: Any) -> None:
    check_money(games.settle(request_))


P1, P2 = pot("p1", preflop=100), pot("p2", preflop=100)
BASE = hand(P1, P2)


def outcome(**changes: Any) -> dict[str, Any]:
    return hand(P1, P2, **changes)


def without(*path: str, request: dict[str, Any] = BASE) -> dict[str, Any]:
    request = deepcopy(request)
    holder = request
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    return request


def misdeal(**changes: Any) -> dict[str, Any]:
    void = {"reason": "misdeal_extra_cards", "acted_players": 1} | changes
    return outcome(void=void)


def decided(*actions: dict[str, Any]) -> dict[str, Any]:
    return hand(P1, P2, actions=actions)


NO_STREETS = {key: value for key, value in P1.items() if key != "streets"}
REFUSED = [
    ("MALFORMED_REQUEST", hand(NO_STREETS, P2)),
    ("MALFORMED_REQUEST", hand(P1 | {"streets": []}, P2)),
    ("MALFORMED_REQUEST", hand(P1 | {"streets": {"preflop": 100}}, P2)),
    ("MALFORMED_REQUEST", hand(P1 | {"streets": {"showdown": "100.00"}}, P2)),
    ("MALFORMED_REQUEST", hand(P1 | {"all_in": "yes"}, P2)),
    ("MALFORMED_REQUEST", without("outcome", "seats")),
    ("MALFORMED_REQUEST", without("outcome", "button")),
    ("MALFORMED_REQUEST", outcome(seats="p1")),
    ("MALFORMED_REQUEST", outcome(seats=["p1", 2])),
    ("MALFORMED_REQUEST", outcome(board="2S5D")),
    ("MALFORMED_REQUEST", outcome(hands={"p1": "ASAD"})),
    ("MALFORMED_REQUEST", outcome(hands=[])),
    ("MALFORMED_REQUEST", outcome(big_blind=100)),
    ("MALFORMED_REQUEST", outcome(big_blind="100")),
    ("MALFORMED_REQUEST", outcome(fee="rake")),
    ("MALFORMED_REQUEST", outcome(fee={"mode": "tips"})),
    ("MALFORMED_REQUEST", outcome(fee={"mode": "time"})),
    ("MALFORMED_REQUEST", outcome(fee={"mode": "time", "amount": "1"})),
    ("MALFORMED_REQUEST", outcome(void={"reason": "misdeal_extra_cards"})),
    ("MALFORMED_REQUEST", misdeal(acted_players="1")),
    ("MALFORMED_REQUEST", decided(act("p1", "bet", street="flop"))),
    ("MALFORMED_REQUEST", decided(act("p1", "bet", to="100.00"))),
    ("MALFORMED_REQUEST", decided(act("p1", "bet", street="ante", to="100.00"))),
    ("MALFORMED_REQUEST", decided(act("p1", "bet", street="flop", to="all"))),
    ("UNKNOWN_BET", hand(P1 | {"bet": "main"}, P2)),
    ("INVALID_STAKE", hand(P1 | {"stake": "0.00"}, P2)),
    ("INVALID_STAKE", hand(P1 | {"stake": "100"}, P2)),
    ("INVALID_STAKE", hand(P1 | {"stake": "100.50", "streets": {"preflop": "100.50"}}, P2)),
    (
        "INVALID_STAKE",
        hand(P1 | {"streets": {"preflop": "50.50", "flop": "49.50"}}, P2),
    ),
    ("INVALID_STAKE", hand(P1 | {"streets": {"preflop": "-100.00"}}, P2)),
    ("INVALID_STAKE", decided(act("p1", "bet", street="flop", to="0.00"))),
    ("STAKE_MISMATCH", hand(P1 | {"stake": "101.00"}, P2)),
    ("STAKE_MISMATCH", hand(P1 | {"streets": {}}, P2)),
    ("BET_AFTER_CLOSE", hand(P1 | {"late": True}, P2)),
    ("DUPLICATE_WAGER", hand(P1, P2 | {"id": "w-p1"})),
    ("DUPLICATE_WAGER", hand(P1, P2, P1 | {"id": "w-3"}, **seats(2))),
    ("INVALID_TABLE_LIMITS", BASE | {"table": NO_RANGE}),
    ("INVALID_VOID_REASON", misdeal(reason="operator_interruption")),
    ("INVALID_VOID_REASON", outcome(void={"reason": "no_such"})),
    ("VOID_NOT_ALLOWED", misdeal(acted_players=2)),
    ("VOID_NOT_ALLOWED", misdeal(reconstructable=True)),
    ("INVALID_OUTCOME", misdeal(acted_players=-1)),
    ("INVALID_OUTCOME", misdeal(players=["p1"])),
    ("INVALID_OUTCOME", outcome(disconnects=[{"player": "p1", "phase": "before_close"}])),
    ("PLAYER_COUNT", hand(P1, **seats(1))),
    ("PLAYER_COUNT", outcome(**seats(10))),
    ("INVALID_OUTCOME", outcome(seats=["p1", "p2", "p2"])),
    ("INVALID_OUTCOME", outcome(seats=["p1", "p3"], button="p1")),
    ("INVALID_OUTCOME", outcome(button="p3")),
    ("INVALID_OUTCOME", outcome(board=BOARD[:2])),
    ("INVALID_OUTCOME", outcome(board=[*BOARD, "QD"])),
    ("FEE_OUT_OF_RANGE", outcome(fee={"mode": "time", "amount": "99.99"})),
    ("FEE_OUT_OF_RANGE", outcome(fee={"mode": "time", "amount": "10000.01"})),
    ("OUTCOME_INCOMPLETE", without("outcome", "hands")),
    ("OUTCOME_INCOMPLETE", without("outcome", "board")),
    ("OUTCOME_INCOMPLETE", without("outcome", "hands", "p1")),
    ("OUTCOME_INCOMPLETE", outcome(board=BOARD[:4])),
    ("OUTCOME_INCOMPLETE", outcome(hands={"p1": ["AS"], "p2": ["KC"]})),
    ("OUTCOME_INCOMPLETE", decided(act("p1", "fold"), act("p2", "fold"))),
    ("OUTCOME_INCOMPLETE", decided(act("p1", "muck"), act("p2", "muck"))),
    ("OUTCOME_INCOMPLETE", hand(*SIDE, actions=[act("p3", "muck"), act("p4", "muck")])),
    ("INVALID_CARD", outcome(hands={"p1": ["1S", "AD"], "p2": KINGS})),
    ("INVALID_CARD", outcome(board=[*BOARD[:4], "10D"])),
    ("INVALID_CARD", outcome(burn=["XX"])),
    ("TOO_MANY_COPIES", outcome(hands={"p1": ["AS", "AS"], "p2": KINGS})),
    ("TOO_MANY_COPIES", outcome(board=[*BOARD[:4], "AS"])),
    ("TOO_MANY_COPIES", outcome(burn=["KC"])),
    ("PLAYER_CARDS_MISMATCH", outcome(hands={"p1": ACES, "p2": KINGS, "p3": NINES})),
    ("ACTION_NOT_ALLOWED", decided(act("p3", "fold"))),
    ("ACTION_NOT_ALLOWED", decided(act("p1", "fold"), act("p1", "fold"))),
    ("ACTION_NOT_ALLOWED", decided(act("p1", "fold"), act("p1", "check"))),
    ("ACTION_NOT_ALLOWED", decided(act("p1", "double"))),
    ("ACTION_NOT_ALLOWED", hand(P1, P2, actions=[act("p3", "call")], **seats(3))),
    ("ACTION_NOT_ALLOWED", flop(("p1", "raise", 700))),
    ("ACTION_NOT_ALLOWED", flop(("p1", "bet", 100), ("p2", "bet", 700))),
    (
        "ACTION_NOT_ALLOWED",
        hand(
            P1,
            P2,
            big_blind="50.00",
            actions=[act("p1", "bet", street="preflop", to="100.00")],
        ),
    ),
    ("OUTCOME_INCOMPLETE", preflop(("p1", 700))),
    ("RAISE_TOO_SMALL", flop(("p1", "bet", 100), ("p2", "raise", 199))),
    ("RAISE_TOO_SMALL", flop(("p1", "bet", 100), ("p2", "raise", 400), ("p1", "raise", 699))),
    ("RAISE_TOO_SMALL", flop(("p1", "bet", 100), ("p2", "raise", 100), all_in=True)),
    ("RAISE_TOO_SMALL", preflop(("p1", 199), big_blind="100.00")),
    ("RAISE_TOO_SMALL", preflop(("p1", 200), ("p2", 299), big_blind="100.00")),
    ("CONTRIBUTION_MISMATCH", hand(P1, pot("p2", preflop=99))),
    ("CONTRIBUTION_MISMATCH", hand(P1, pot("p2", preflop=50, flop=50))),
    ("CONTRIBUTION_MISMATCH", hand(pot("p1", ante=10, preflop=100), P2)),
    (
        "CONTRIBUTION_MISMATCH",
        hand(pot("p1", ante=10, preflop=100), pot("p2", ante=20, preflop=100)),
    ),
    (
        "CONTRIBUTION_MISMATCH",
        hand(pot("p1", ante=5, preflop=50, all_in=True), pot("p2", ante=10, preflop=50)),
    ),
]


@pytest.mark.parametrize(("code", "request_"), REFUSED)
def test_refused(code: str, request_: Any) -> None:
    assert code_of(request_) == code


# A request with all faults from one on; the first must be named.
ORDERED_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("UNKNOWN_BET", {"bet": "main"}),
    ("INVALID_TABLE_LIMITS", {"table": NO_RANGE}),
    ("VOID_NOT_ALLOWED", {"void": {"reason": "misdeal_extra_cards", "acted_players": 2}}),
    ("INVALID_OUTCOME", {"disconnects": [{"player": "p1", "phase": "before_close"}]}),
    ("PLAYER_COUNT", seats(1)),
    ("INVALID_CARD", {"board": ["XX"]}),
    ("INVALID_OUTCOME", {"board": BOARD[:2]}),
    ("ACTION_NOT_ALLOWED", {"actions": [act("p9", "fold")]}),
    ("CONTRIBUTION_MISMATCH", {"streets": {"flop": "100.00"}}),
    ("OUTCOME_INCOMPLETE", {"hands": {}}),
]


@pytest.mark.parametrize("first", range(len(ORDERED_FAULTS)))
def test_of_several_faults_the_first_in_the_order_is_named(first: int) -> None:
    request = deepcopy(BASE)
    for _, fault in reversed(ORDERED_FAULTS[first:]):
        for key, value in fault.items():
            place = request["wagers"][0] if key in ("bet", "streets") else request["outcome"]
            (request if key in ("actions", "table") else place)[key] = value
    assert code_of(request) == ORDERED_FAULTS[first][0]


@pytest.mark.parametrize("missing", ["seats", "button"])
def test_what_is_missing_is_named_before_what_is_wrong(missing: str) -> None:
    assert code_of(without("outcome", missing) | {"table": NO_RANGE}) == "MALFORMED_REQUEST"
