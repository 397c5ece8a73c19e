"""Building blocks for the tests of baccarat, wheels and the poker games against the dealer."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ledger import games

BACCARAT = "baccarat.commission"
CASINO = "sazka.casino_holdem"
ULTIMATE = "69games.ultimate_texas_holdem"
WHEEL, WHEEL_2 = "69games.lucky_wheel", "69games.lucky_wheel_2"
RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "CDHS"]


def wager(bet: str, stake: str = "100.00", **more: Any) -> dict[str, Any]:
    return {"id": bet, "player": "p1", "bet": bet, "stake": stake, **more}


def request(game: str, wagers: list[Any], outcome: Any, **more: Any) -> dict[str, Any]:
    return {"id": "r", "game": game, "wagers": wagers, "outcome": outcome, **more}


def code_of(document: object) -> str:
    answer = games.settle(document)
    assert "error" in answer, answer
    assert answer["error"]["message"]
    return str(answer["error"]["code"])


def lines_of(document: object) -> dict[str, tuple[str, str]]:
    """Settle and return result and payout by line, after checking the sums."""
    answer = games.settle(document)
    assert "error" not in answer, answer
    lines = answer["wagers"]
    assert sum(haler(line["stake"]) for line in lines) == haler(answer["total_staked"])
    assert sum(haler(line["payout"]) for line in lines) == haler(answer["total_payout"])
    assert all(line["rule"] for line in lines)
    found = {line["id"]: (line["result"], line["payout"]) for line in lines}
    assert len(found) == len(lines)
    return found


def haler(amount: str) -> int:
    """Read an amount of an answer, which may be longer than one of a request."""
    crowns, rest = amount.split(".")
    assert len(rest) == 2
    return 100 * int(crowns) + int(rest)


def disconnect(player: str = "p1", phase: str = "before_close") -> dict[str, Any]:
    return {"disconnects": [{"player": player, "phase": phase}]}


def void(reason: str, **more: Any) -> dict[str, Any]:
    return {"void": {"reason": reason, **more}}


def strength_of_five(cards: tuple[str, ...]) -> tuple[int, ...]:
    """Rank five cards by counting: category 0 to 8, then ranks; a royal flush is no category."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card[1] for card in cards}) == 1
    straight_top = None
    if len(ranks) == 5:
        if ranks[0] - ranks[4] == 4:
            straight_top = ranks[0]
        elif ranks == [12, 3, 2, 1, 0]:
            straight_top = 3
    if straight_top is not None:
        return (8 if is_flush else 4, straight_top)
    category = {
        (4, 1): 7,
        (3, 2): 6,
        (3, 1, 1): 3,
        (2, 2, 1): 2,
        (2, 1, 1, 1): 1,
        (1, 1, 1, 1, 1): 5 if is_flush else 0,
    }[tuple(shape)]
    return (category, *ranks)
