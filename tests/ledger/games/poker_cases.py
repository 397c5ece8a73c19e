"""Requests of the poker families, small enough to read in a test, and an evaluator of hands.

The evaluator is written for the tests: it knows nothing of the library that the ledger uses.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from ledger import games

TEXAS, OMAHA, PINEAPPLE = (
    "69games.texas_holdem_cash",
    "69games.omaha_cash",
    "69games.pineapple_ofc_cash",
)
TEXAS_TOURNAMENT, OMAHA_TOURNAMENT, PINEAPPLE_TOURNAMENT = (
    "69games.texas_holdem_tournament",
    "69games.omaha_tournament",
    "69games.pineapple_ofc_tournament",
)
RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "CDHS"]
BOARD = ["2S", "5D", "7H", "8C", "JD"]
ACES, KINGS, QUEENS = ["AS", "AD"], ["KC", "KH"], ["QC", "QH"]
NINES = ["9C", "9H"]


def crowns(amount: int) -> str:
    return f"{amount}.00"


def pot(player: str, *, all_in: bool = False, **streets: int) -> dict[str, Any]:
    wager: dict[str, Any] = {
        "id": f"w-{player}",
        "player": player,
        "bet": "pot",
        "stake": crowns(sum(streets.values())),
        "streets": {street: crowns(amount) for street, amount in streets.items()},
    }
    return wager | {"all_in": True} if all_in else wager


def act(player: str, kind: str, **fields: Any) -> dict[str, Any]:
    return {"player": player, "type": kind, **fields}


def hand(
    *wagers: dict[str, Any],
    game: str = TEXAS,
    actions: Any = (),
    **outcome: Any,
) -> dict[str, Any]:
    """A hand of p1, p2, ... in seat order with the button on the last one, aces before kings."""
    players = [wager["player"] for wager in wagers]
    cards = dict(zip(players, [ACES, KINGS, QUEENS, NINES], strict=False))
    return {
        "id": "r",
        "game": game,
        "wagers": list(wagers),
        "actions": list(actions),
        "outcome": {"seats": players, "button": players[-1], "hands": cards, "board": BOARD}
        | ({"kind": "hand"} if "tournament" in game else {})
        | outcome,
    }


def even(amount: int, players: int = 2, **more: Any) -> dict[str, Any]:
    return hand(*(pot(f"p{n + 1}", preflop=amount) for n in range(players)), **more)


def seats(count: int) -> dict[str, Any]:
    return {"seats": [f"p{n + 1}" for n in range(count)], "button": f"p{count}"}


SIDE = (
    pot("p1", preflop=100, all_in=True),
    pot("p2", preflop=100, flop=200, all_in=True),
    pot("p3", preflop=100, flop=500),
    pot("p4", preflop=100, flop=500),
)


def payouts(answer: dict[str, Any]) -> dict[str, str]:
    assert "error" not in answer, answer
    return {line["id"]: line["payout"] for line in answer["wagers"]}


def results(answer: dict[str, Any]) -> list[str]:
    assert "error" not in answer, answer
    return [line["result"] for line in answer["wagers"]]


def code_of(request: object) -> str:
    answer = games.settle(request)
    assert "error" in answer, answer
    assert answer["error"]["message"]
    return answer["error"]["code"]


def haler(text: str) -> int:
    found = games.parse_amount(text)
    assert found is not None
    return found


def check_money(answer: dict[str, Any]) -> None:
    """Whatever was staked is paid out, kept as a fee, or topped up by the operator."""
    staked, paid = haler(answer["total_staked"]), haler(answer["total_payout"])
    assert staked == sum(haler(line["stake"]) for line in answer["wagers"])
    assert paid == sum(haler(line["payout"]) for line in answer["wagers"])
    if "rake" in answer:
        assert paid + haler(answer["rake"]) == staked
    else:
        assert paid + haler(answer["fee"]) == staked + haler(answer["top_up"])
    if "pots" in answer:
        assert haler(answer["rake"]) == sum(haler(entry["rake"]) for entry in answer["pots"])


def five(cards: tuple[str, ...] | list[str]) -> tuple[int, ...]:
    """Strength of five cards as numbers that compare."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    counts = [count for _, count in groups]
    order = [rank for rank, _ in groups]
    is_flush = len({card[1] for card in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        order = [3]
    is_straight = order == [3] or (len(order) == 5 and ranks[0] - ranks[4] == 4)
    if is_straight and is_flush:
        return (8, order[0])
    if counts[0] == 4:
        return (7, *order)
    if counts[:2] == [3, 2]:
        return (6, *order)
    if is_flush:
        return (5, *order)
    if is_straight:
        return (4, order[0])
    return ({(3, 1): 3, (2, 2): 2, (2, 1): 1}.get((counts[0], counts[1]), 0), *order)


def best(game: str, own: list[str], board: list[str]) -> tuple[int, ...]:
    if "omaha" in game:
        return max(
            five(mine + shared)
            for mine in combinations(own, 2)
            for shared in combinations(board, 3)
        )
    return max(five(cards) for cards in combinations(own + board, 5))
