"""Legal rounds of every game for the benchmark, several players and bets in each.

The players play in the simplest way: they stand from 17 on, call, check. What is measured is
settlement, not play. The same source of chance gives the same rounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.games import DECK, Card
from ledger.games.baccarat import BaccaratPlan, does_banker_draw, does_player_draw, hand_value
from ledger.games.blackjack import BlackjackPlan, Boxes, SideBet, best_total
from ledger.games.cash import OfcCashPlan, PokerCashPlan
from ledger.games.casino_poker import CasinoHoldemPlan, UltimateHoldemPlan
from ledger.games.roulette import RoulettePlan
from ledger.games.tournament import TournamentPlan
from ledger.games.wheels import WheelPlan

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

__all__ = ["deal"]

Request = dict[str, Any]

PLAYERS = 5
BETS_OF_A_PLAYER = 3
ENTRIES = 120
STANDS_FROM = 17
CHARLIE = 6
STAKE = "100.00"


def deal(game: str, drawer: Random) -> Request:
    """Deal and play one round; return a request of the settlement contract."""
    plan = games.plan(game)
    match plan:
        case RoulettePlan():
            found = _roulette(plan, drawer)
        case WheelPlan():
            codes = list(plan.fields)
            found = _spread(codes, drawer, {"field": drawer.choice(codes)})
        case BaccaratPlan():
            found = _spread(list(plan.bets), drawer, _coup(drawer))
        case BlackjackPlan():
            found = _blackjack(plan, drawer)
        case CasinoHoldemPlan():
            found = _casino_holdem(drawer)
        case UltimateHoldemPlan():
            found = _ultimate(drawer)
        case PokerCashPlan():
            found = _poker(plan.hand.hole_cards, drawer)
        case OfcCashPlan():
            found = _ofc(drawer)
        case TournamentPlan():
            found = _tournament(drawer)
        case _:
            raise RuntimeError(f"the benchmark cannot deal {game}")
    return {"id": game, "game": game, **found}


def _wager(number: int, player: int, bet: str, **more: Any) -> Request:
    return {"id": f"w{number}", "player": f"p{player}", "bet": bet, "stake": STAKE, **more}


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _spread(codes: list[str], drawer: Random, outcome: Request) -> Request:
    count = PLAYERS * BETS_OF_A_PLAYER
    wagers = [_wager(n, n % PLAYERS, drawer.choice(codes)) for n in range(count)]
    return {"wagers": wagers, "outcome": outcome}


def _roulette(plan: RoulettePlan, drawer: Random) -> Request:
    wagers = []
    for number in range(PLAYERS * BETS_OF_A_PLAYER):
        code = drawer.choice(["straight", "split", "corner", "dozen", "red", "voisins"])
        selection: Any = drawer.choice(list(plan.bets[code]))
        if isinstance(selection, tuple):
            selection = list(selection)
        chosen = {} if selection is None else {"selection": selection}
        wagers.append(_wager(number, number % PLAYERS, code, **chosen))
        wagers[-1]["stake"] = "90.00" if code == "voisins" else STAKE
    return {"wagers": wagers, "outcome": {"number": drawer.randint(1, 36)}}


def _coup(drawer: Random) -> Request:
    shoe = drawer.choices(DECK, k=6)
    player, banker = [shoe[0], shoe[2]], [shoe[1], shoe[3]]
    values = hand_value(tuple(player)), hand_value(tuple(banker))
    third = None
    if does_player_draw(*values):
        player.append(shoe[4])
        third = hand_value((shoe[4],))
    if does_banker_draw(*values, third):
        banker.append(shoe[5])
    return {"player": _texts(player), "banker": _texts(banker)}


def _blackjack(plan: BlackjackPlan, drawer: Random) -> Request:
    """Deal to five boxes, or to one that all share; everybody has a main and two side bets."""
    shoe = [*DECK, *DECK]
    drawer.shuffle(shoe)
    shared = plan.seats.boxes is Boxes.SHARED
    sides = [code for code, bet in plan.bet_rules.bets.items() if isinstance(bet, SideBet)][:2]
    wagers: list[Request] = []
    actions: list[Request] = []
    hands: dict[str, list[str]] = {}
    cards: list[Card] = []
    for player in range(PLAYERS):
        box = f"p{player}" if shared else str(player + 1)
        if not shared or not cards:
            cards = [shoe.pop(), shoe.pop()]
            while best_total(cards) < STANDS_FROM and len(cards) < CHARLIE:
                cards.append(shoe.pop())
        made = {"player": f"p{player}", "hand": box}
        actions += [{**made, "type": "hit"} for _ in cards[2:]]
        if len(cards) < CHARLIE and STANDS_FROM <= best_total(cards) <= 20:  # noqa: PLR2004 - 21 ends
            actions.append({**made, "type": "stand"})
        for bet in ("main", *sides):
            wagers.append(_wager(len(wagers), player, bet, box=box))
        hands[box] = _texts(cards)
    dealer = [shoe.pop(), shoe.pop()]
    while best_total(dealer) < STANDS_FROM:
        dealer.append(shoe.pop())
    outcome = {"hands": hands, "dealer": _texts(dealer)}
    return {"wagers": wagers, "actions": actions, "outcome": outcome}


def _casino_holdem(drawer: Random) -> Request:
    cards = _texts(drawer.sample(DECK, 9))
    wagers = [_wager(2 * n + m, n, b) for n in range(PLAYERS) for m, b in enumerate(("ante", "aa"))]
    actions = [{"player": f"p{n}", "type": "call"} for n in range(PLAYERS)]
    outcome = {"player_cards": cards[:2], "dealer": cards[2:4], "board": cards[4:]}
    return {"wagers": wagers, "actions": actions, "outcome": outcome}


def _ultimate(drawer: Random) -> Request:
    cards = _texts(drawer.sample(DECK, 7 + 2 * PLAYERS))
    wagers: list[Request] = []
    actions: list[Request] = []
    for player in range(PLAYERS):
        box = str(player)
        for bet in ("ante", "blind", "trips"):
            wagers.append(_wager(len(wagers), player, bet, box=box))
        made: Request = {"player": f"p{player}", "hand": box}
        actions.append({**made, "street": "preflop", "type": "check"})
        actions.append({**made, "street": "flop", "type": "raise", "times": 2})
    hands = {str(player): cards[7 + 2 * player :][:2] for player in range(PLAYERS)}
    outcome = {"hands": hands, "dealer": cards[:2], "board": cards[2:7]}
    return {"wagers": wagers, "actions": actions, "outcome": outcome}


def _poker(hole_cards: int, drawer: Random) -> Request:
    """Play one hand to the showdown; one player folds on the flop, one is all-in before it."""
    cards = _texts(drawer.sample(DECK, 5 + hole_cards * PLAYERS))
    seats = [f"p{n}" for n in range(PLAYERS)]
    wagers = []
    for number, player in enumerate(seats):
        streets = {"preflop": "200.00", "flop": "300.00"}
        if player == "p0":
            streets["flop"] = "0.00"
        if player == "p1":
            streets = {"preflop": "150.00"}
        stake = sum(int(amount.removesuffix(".00")) for amount in streets.values())
        wager = _wager(number, number, "pot", streets=streets, stake=f"{stake}.00")
        wagers.append({**wager, "all_in": player == "p1"})
    hands = {
        player: cards[5 + hole_cards * n :][:hole_cards] for n, player in enumerate(seats) if n
    }
    outcome = {"seats": seats, "button": "p0", "hands": hands, "board": cards[:5]}
    return {
        "wagers": wagers,
        "actions": [{"player": "p0", "type": "fold"}],
        "outcome": outcome,
    }


def _ofc(drawer: Random) -> Request:
    seats = ["p0", "p1", "p2"]
    cards = _texts(drawer.sample(DECK, 13 * len(seats)))
    sets = {}
    for number, player in enumerate(seats):
        own = cards[13 * number :][:13]
        sets[player] = {"front": own[:3], "middle": own[3:8], "back": own[8:]}
    wagers = [_wager(n, n, "stack", stake="5000.00") for n in range(len(seats))]
    point_value = {"default": "50.00"}
    outcome = {"seats": seats, "button": "p0", "sets": sets, "point_value": point_value}
    return {"wagers": wagers, "outcome": outcome}


def _tournament(drawer: Random) -> Request:
    players = [f"p{n}" for n in range(ENTRIES)]
    wagers = [_wager(n, n, "buy_in", stake="1000.00") for n in range(ENTRIES)]
    drawer.shuffle(players)
    places = [[player] for player in players]
    outcome = {"format": "freezeout", "fee_percent": "10", "places": places}
    return {"wagers": wagers, "outcome": outcome}
