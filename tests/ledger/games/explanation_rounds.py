"""Random rounds of all 21 games, as requests of the contract, for what explanations must hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.games.documents import read_request
from tests.ledger.games.banker_cases import BACCARAT, CASINO, ULTIMATE, WHEEL, WHEEL_2
from tests.ledger.games.banker_rounds import (
    baccarat_round,
    casino_round,
    ultimate_round,
    wheel_round,
)
from tests.ledger.games.blackjack_cases import GAMES as BLACKJACKS
from tests.ledger.games.blackjack_dealer import play
from tests.ledger.games.ofc_cases import game as ofc_game
from tests.ledger.games.poker_cases import (
    DECK,
    OMAHA,
    OMAHA_TOURNAMENT,
    PINEAPPLE,
    PINEAPPLE_TOURNAMENT,
    TEXAS,
    TEXAS_TOURNAMENT,
    act,
    hand,
    pot,
)
from tests.ledger.games.tournament_cases import agreed, buy_ins, payment, tournament

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

ROULETTES = (
    "sazka.roulette_synot",
    "sazka.roulette_evolution",
    "69games.roulette",
    "czech_casinos.american_roulette",
)


def roulette_round(game: str, drawer: random.Random) -> dict[str, Any]:
    """A spin with a bet of every code, each of a player of its own."""
    wagers = []
    for code, selections in games.plan(game).bets.items():  # type: ignore[attr-defined]
        key, bet = drawer.choice(list(selections.items()))
        chip = drawer.choice([1_000, 2_500, 3_300])
        wagers.append(
            {
                "id": code,
                "player": f"p-{code}",
                "bet": code,
                "stake": games.format_amount(chip * bet.chips),
                "selection": selection_of(key),
            }
        )
    outcome = {"number": drawer.choice([0, drawer.randrange(37)])}
    if game == ROULETTES[-1]:
        outcome["next_number"] = drawer.randrange(37)
        for wager in wagers:
            if wager["selection"] is None and wager["bet"] in {"red", "black", "odd", "low"}:
                wager["chip"] = wager["stake"]
    return {"id": "r", "game": game, "wagers": wagers, "outcome": outcome}


def selection_of(key: object) -> Any:
    if isinstance(key, games.Neighbours):
        return {"number": key.number, "each_side": key.each_side}
    return list(key) if isinstance(key, tuple) else key


def wheel(game: str, drawer: random.Random) -> dict[str, Any]:
    while True:
        document, _ = wheel_round(drawer)
        if document["game"] == game:
            return document


def poker_hand(game: str, drawer: random.Random) -> dict[str, Any]:
    """Everybody is all-in for something, some fold."""
    count, own = drawer.randint(2, 5), 4 if "omaha" in game else 2
    cards = drawer.sample(DECK, 5 + count * own)
    folds = {f"p{n}" for n in range(3, count + 1) if drawer.random() < 0.3}
    wagers = [
        pot(name, preflop=drawer.choice([100, 100, 125, 333, 1_000]), all_in=name not in folds)
        for name in (f"p{n + 1}" for n in range(count))
    ]
    hands = {
        f"p{n + 1}": cards[5 + n * own :][:own] for n in range(count) if f"p{n + 1}" not in folds
    }
    folded = [act(name, "fold") for name in sorted(folds)]
    return hand(*wagers, game=game, actions=folded, hands=hands, board=cards[:5])


def ofc_round(game: str, drawer: random.Random) -> dict[str, Any]:
    count = drawer.randint(2, 3)
    cards = drawer.sample(DECK, 13 * count)
    sets = []
    for n in range(count):
        own = sorted(cards[13 * n :][:13], key=lambda card: card[0])
        if drawer.random() < 0.5:
            drawer.shuffle(own)
        sets.append({"front": own[:3], "middle": own[3:8], "back": own[8:]})
    stacks = tuple(drawer.choice([100, 700, 5_000]) for _ in range(count))
    if drawer.random() < 0.7:
        return ofc_game(*sets, stacks=stacks, id_=game)
    there = drawer.sample(["p1", "p2"], drawer.randint(1, 2))
    known = {card for rows in sets for row in rows.values() for card in row}
    left = iter(card for card in DECK if card not in known)
    discards = {name: [next(left)] for name in there}
    return ofc_game(*sets, stacks=stacks, id_=game, in_fantasyland=there, discards=discards)


def prizes(game: str, drawer: random.Random) -> dict[str, Any]:
    """A tournament with re-entries, one who withdraws, equals, and now and then a deal."""
    count, price = drawer.randint(4, 30), drawer.choice([1_000, 1_337])
    wagers = buy_ins(count, stake=price)
    wagers += [
        payment(f"p{n + 1}", "re_entry", price) for n in range(count) if drawer.random() < 0.2
    ]
    names = [f"p{n + 1}" for n in range(count)]
    outcome: dict[str, Any] = {"format": "re_entry", "fee_percent": drawer.choice(["5", "7.5"])}
    if drawer.random() < 0.5:
        outcome["withdrawn"] = [{"player": names.pop(), "hands_played": 0}]
    if drawer.random() < 0.3:
        outcome["guarantee"] = "100000.00"
    drawer.shuffle(names)
    document = tournament(wagers, *equals(names, drawer), game=game, **outcome)
    return with_deal(document, names, drawer) if drawer.random() < 0.4 else document


def equals(names: list[str], drawer: random.Random) -> list[str]:
    """Let players go out alone or together; the winner has all chips, and no equal."""
    places, left = names[:1], names[1:]
    while left:
        size = drawer.choice([1, 1, 1, 2, 3])
        places.append(" ".join(left[:size]))
        left = left[size:]
    return places


def with_deal(document: dict[str, Any], names: list[str], drawer: random.Random) -> dict[str, Any]:
    """Let the first two or three share what their places would have got, a part played for."""
    plan, result = settled(document | {"outcome": document["outcome"] | alone(names)})
    assert isinstance(plan, games.TournamentPlan)
    count = drawer.randint(2, 3)
    money = sum(
        term.amount
        for line in result.lines
        for term in line.terms
        if isinstance(term, games.PrizeShare) and term.first_place <= count
    )
    percent = drawer.choice([None, "12.5"])
    part = 0 if percent is None else money * 125 // 1000
    share = (money - part) // count
    shares = dict.fromkeys(names[:count], share) | {names[0]: money - part - share * (count - 1)}
    deal = agreed({}, players=names[:count])
    deal["shares"] = {name: games.format_amount(haler) for name, haler in shares.items()}
    if percent is not None:
        deal["playout"] = {"percent": percent, "winner": names[1]}
    places = [[name] for name in names[count:]]
    return document | {"outcome": document["outcome"] | {"places": places, "deal": deal}}


def alone(names: list[str]) -> dict[str, Any]:
    return {"places": [[name] for name in names]}


def either(*makers: Callable[[str, random.Random], dict[str, Any]]) -> Any:
    return lambda game, drawer: drawer.choice(makers)(game, drawer)


ROUNDS: dict[str, Callable[[str, random.Random], dict[str, Any]]] = {
    **dict.fromkeys(ROULETTES, roulette_round),
    **dict.fromkeys(BLACKJACKS, lambda game, drawer: play(game, drawer)[0]),
    BACCARAT: lambda _, drawer: baccarat_round(drawer)[0],
    CASINO: lambda _, drawer: casino_round(drawer)[0],
    ULTIMATE: lambda _, drawer: ultimate_round(drawer)[0],
    WHEEL: wheel,
    WHEEL_2: wheel,
    TEXAS: poker_hand,
    OMAHA: poker_hand,
    PINEAPPLE: ofc_round,
    TEXAS_TOURNAMENT: either(prizes, poker_hand),
    OMAHA_TOURNAMENT: either(prizes, poker_hand),
    PINEAPPLE_TOURNAMENT: either(prizes, ofc_round),
}
"""How to make a round of each game."""


def settled(document: dict[str, Any]) -> tuple[games.GamePlan, games.RoundResult]:
    """Settle a request and return the lines themselves."""
    asked = read_request(document)
    plan = games.plan(asked.game)
    outcome = plan.read_outcome(asked.outcome, asked.void, asked.disconnects)
    return plan, games.settle_round(plan, asked.wagers, asked.actions, outcome, table=asked.table)
