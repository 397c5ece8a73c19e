"""Games of Open Face Chinese Poker, small enough to read in a test."""

from __future__ import annotations

from typing import Any

from ledger import games
from tests.ledger.games.poker_cases import PINEAPPLE, check_money, crowns, payouts


def rows(front: str, middle: str, back: str) -> dict[str, list[str]]:
    return {"front": front.split(), "middle": middle.split(), "back": back.split()}


# Plain sets without royalties, the first the weakest.
LOW = rows("2C 3D 5H", "2D 3C 7S 8C 9D", "4C 4D 6H 7C 8H")
HIGH = rows("AC KD QH", "JC JD 5S 6S 7H", "TC TD TS 2H 3S")
FOUL = rows("AD AH KC", "2S 3H 4S 5C 7D", "8D 9C 6C QC JH")


def game(
    *sets: dict[str, list[str]],
    stacks: tuple[int, ...] = (5000, 5000, 5000),
    id_: str = PINEAPPLE,
    **outcome: Any,
) -> dict[str, Any]:
    players = ["p1", "p2", "p3"][: len(sets)]
    return {
        "id": "r",
        "game": id_,
        "wagers": [
            {"id": f"w-{player}", "player": player, "bet": "stack", "stake": crowns(stack)}
            for player, stack in zip(players, stacks, strict=False)
        ],
        "outcome": {
            "seats": players,
            "button": players[-1],
            "sets": dict(zip(players, sets, strict=True)),
            "point_value": {"default": "100.00"},
        }
        | ({"kind": "hand"} if "tournament" in id_ else {})
        | outcome,
    }


def paid(request: dict[str, Any]) -> list[str]:
    answer = games.settle(request)
    check_money(answer)
    return list(payouts(answer).values())
