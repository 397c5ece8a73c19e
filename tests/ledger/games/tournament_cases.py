"""Tournaments, small enough to read in a test."""

from __future__ import annotations

from typing import Any

from ledger import games
from tests.ledger.games.poker_cases import (
    OMAHA_TOURNAMENT,
    PINEAPPLE_TOURNAMENT,
    TEXAS_TOURNAMENT,
    check_money,
    crowns,
    haler,
)

TOURNAMENTS = [TEXAS_TOURNAMENT, OMAHA_TOURNAMENT, PINEAPPLE_TOURNAMENT]


def buy_ins(count: int, stake: int = 1000) -> list[dict[str, Any]]:
    return [payment(f"p{n + 1}", stake=stake) for n in range(count)]


def payment(player: str, bet: str = "buy_in", stake: int = 1000, number: int = 1) -> dict[str, Any]:
    return {
        "id": f"{bet}-{player}-{number}",
        "player": player,
        "bet": bet,
        "stake": crowns(stake),
    }


def tournament(
    wagers: list[dict[str, Any]], *places: str, game: str = TEXAS_TOURNAMENT, **outcome: Any
) -> dict[str, Any]:
    """Places as "p1" or "p2 p3" for equals."""
    return {
        "id": "r",
        "game": game,
        "wagers": wagers,
        "outcome": {
            "format": "freezeout",
            "fee_percent": "10",
            "places": [place.split() for place in places],
        }
        | outcome,
    }


def prizes(request: dict[str, Any]) -> dict[str, str]:
    """What players got, those without a prize left out."""
    answer = games.settle(request)
    assert "error" not in answer, answer
    check_money(answer)
    players = {wager["id"]: wager["player"] for wager in request["wagers"]}
    found: dict[str, int] = {}
    for line in answer["wagers"]:
        if haler(line["payout"]):
            player = players[line["id"]]
            assert player not in found
            found[player] = haler(line["payout"])
    return {player: games.format_amount(amount) for player, amount in found.items()}


def agreed(shares: dict[str, int], **changes: Any) -> dict[str, Any]:
    return {
        "registration_closed": True,
        "unanimous": True,
        "players": list(shares),
        "shares": {player: crowns(amount) for player, amount in shares.items()},
    } | changes
