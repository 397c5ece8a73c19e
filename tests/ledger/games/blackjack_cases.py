"""Building blocks for the tests of blackjack: rounds in short notation."""

from __future__ import annotations

from typing import Any

from ledger import games
from tests.ledger.games.banker_cases import haler

SYNOT, ALL_BETS = "sazka.blackjack_synot", "sazka.all_bets_blackjack"
INFINITE, EVOLUTION = "sazka.infinite_blackjack", "sazka.blackjack_evolution"
SIXTY_NINE, FREE_BET = "69games.blackjack", "sl.free_bet_blackjack"
SAZKA = [SYNOT, ALL_BETS, INFINITE, EVOLUTION]
SHARED = [ALL_BETS, INFINITE]
SEATED = [SYNOT, EVOLUTION]
LAND = [SIXTY_NINE, FREE_BET]
GAMES = [*SAZKA, *LAND]


def home(game: str) -> str:
    """Name of the box on which player p1 bets."""
    return "p1" if game in SHARED else "1"


def wager(text: str, **more: Any) -> dict[str, Any]:
    """Read "player box bet [stake]"; the id is made of the three, the stake is 100.00."""
    player, box, bet, *stake = text.split()
    return {
        "id": f"{player}-{box}-{bet}",
        "player": player,
        "box": box,
        "bet": bet,
        "stake": stake[0] if stake else "100.00",
        **more,
    }


def action(text: str) -> dict[str, Any]:
    """Read "player hand type [free] [amount] [@automatic]"."""
    player, hand, kind, *options = text.split()
    read: dict[str, Any] = {"player": player, "hand": hand, "type": kind}
    for option in options:
        if option == "free":
            read["free"] = True
        elif option.startswith("@"):
            read["auto"] = option[1:]
        else:
            read["stake"] = option
    return read


def request(
    game: str,
    wagers: list[Any],
    actions: list[Any],
    hands: dict[str, str] | None,
    dealer: str | None,
    **more: Any,
) -> dict[str, Any]:
    """Build a request; `outcome` and `table` in `more` are merged in."""
    outcome: dict[str, Any] = {}
    if hands is not None:
        outcome["hands"] = {name: cards.split() for name, cards in hands.items()}
    if dealer is not None:
        outcome["dealer"] = dealer.split()
    return {
        "id": "r",
        "game": game,
        "wagers": [wager(w) if isinstance(w, str) else w for w in wagers],
        "actions": [action(a) if isinstance(a, str) else a for a in actions],
        "outcome": {**outcome, **more.pop("outcome", {})},
        **more,
    }


def one(game: str, actions: str, cards: str, dealer: str, *more: str, **fields: Any) -> Any:
    """Build a round of player p1 alone with 100.00 on his box.

    `actions` are words for the one hand, separated by commas; `cards` one list, or two lists
    separated by "/" if the hand was split once. In both, "#" stands for the box; `more` are side
    bets.
    """
    box = home(game)
    first, _, second = cards.partition("/")
    hands = {f"{box}.1": first, f"{box}.2": second} if second else {box: first}
    decisions = [
        f"p1 {word.replace('#', box)}" if "#" in word else f"p1 {box} {word}"
        for word in filter(None, (word.strip() for word in actions.split(",")))
    ]
    wagers = [f"p1 {box} main", *(f"p1 {box} {bet}" for bet in more)]
    return request(game, wagers, decisions, hands, dealer, **fields)


def lines_of(document: object) -> dict[str, tuple[str, str]]:
    """Settle and return result and payout by line, after checking sums, parents and rules."""
    answer = games.settle(document)
    assert "error" not in answer, answer
    lines = answer["wagers"]
    assert sum(haler(line["stake"]) for line in lines) == haler(answer["total_staked"])
    assert sum(haler(line["payout"]) for line in lines) == haler(answer["total_payout"])
    found = {line["id"]: (line["result"], line["payout"]) for line in lines}
    assert len(found) == len(lines)
    for line in lines:
        assert line["rule"]
        if "parent" in line:
            assert line["parent"] in found
            assert line["id"].startswith(line["parent"] + ":")
        if line["result"] in {"push", "void"}:
            assert line["payout"] == line["stake"]
        if line["result"] == "lose":
            assert line["payout"] == "0.00"
    return found


def short(document: object) -> str:
    """Settle a round of `one` and show "id result payout" of each line, the box left out."""
    shown = []
    for name, (result, payout) in lines_of(document).items():
        player, box, rest = name.split("-", 2)
        bet, _, extra = rest.partition(":")
        label = extra.replace(f":{box}", ":#") if extra else bet
        shown.append(f"{label} {result} {payout.removesuffix('.00')}")
        assert player
    return ", ".join(shown)
