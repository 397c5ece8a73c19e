"""Random legal rounds of baccarat, wheels and poker against the dealer, with what each pays.

The oracles are plain and written from the pay tables.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ledger import games
from tests.ledger.games.banker_cases import (
    BACCARAT,
    CASINO,
    DECK,
    RANKS,
    ULTIMATE,
    WHEEL,
    WHEEL_2,
    request,
    strength_of_five,
    wager,
)

if TYPE_CHECKING:
    import random

ROYAL = (8, 12)
# Odds by category 8 (straight flush) to 0, the royal flush first of all.
CASINO_ANTE = [100, 20, 10, 3, 2, 1, 1, 1, 1, 1]
BLIND: list[Fraction | int | None] = [500, 50, 10, 3, Fraction(3, 2), 1, None, None, None, None]
TRIPS = [50, 40, 30, 8, 7, 4, 3, None, None, None]
AA = [100, 50, 40, 30, 20, 7, 7, 7, None, None]


def best(cards: list[str]) -> tuple[int, ...]:
    return max(map(strength_of_five, combinations(cards, 5)))


def odds(table: list[Any], strength: tuple[int, ...]) -> Any:
    return table[0] if strength == ROYAL else table[9 - strength[0]]


def paid(stake: int, times: Any) -> int:
    """Stake and winnings in haler, half up."""
    if times is None:
        return 0
    return stake + int(stake * Fraction(times) + Fraction(1, 2))


def amount(value: int) -> str:
    return games.format_amount(value)


def casino_round(drawer: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A legal round with what each line must return."""
    cards = drawer.sample(DECK, 10)
    own, dealer, board = cards[:2], cards[2:4], cards[4:9]
    mine, theirs, five = best(own + board), best(dealer + board), best(own + board[:3])
    qualified = theirs[0] > 1 or (theirs[0] == 1 and theirs[1] >= RANKS.index("4"))
    aces = five[0] == 1 and RANKS[five[1]] == "A"
    wagers, actions, expected = [], [], {}
    for n in range(drawer.randint(1, 4)):
        ante, aa = drawer.randint(1, 2_000_000), drawer.randint(1, 2_000_000)
        decision = drawer.choice(["call", "call_blind", "fold"])
        wagers.append(wager("ante", amount(ante), id=f"a{n}", player=f"p{n}"))
        actions.append({"player": f"p{n}", "type": decision})
        has_aa = drawer.random() < 0.5
        if has_aa:
            wagers.append(wager("aa", amount(aa), id=f"s{n}", player=f"p{n}"))
        if decision == "fold":
            expected[f"a{n}"] = 0
        elif not qualified:
            expected[f"a{n}"] = paid(ante, odds(CASINO_ANTE, mine))
            expected[f"a{n}:{decision}"] = 2 * ante
        elif mine == theirs:
            expected |= {f"a{n}": ante, f"a{n}:{decision}": 2 * ante}
        elif mine < theirs:
            expected |= {f"a{n}": 0, f"a{n}:{decision}": 0}
        else:
            expected[f"a{n}"] = paid(ante, odds(CASINO_ANTE, mine))
            expected[f"a{n}:{decision}"] = 4 * ante
        if has_aa:
            times = 7 if aces else odds(AA, five)
            expected[f"s{n}"] = 0 if decision == "fold" else paid(aa, times)
    drawer.shuffle(wagers)
    drawer.shuffle(actions)
    outcome = {"player_cards": own, "dealer": dealer, "board": board, "burn": cards[9]}
    return request(CASINO, wagers, outcome, actions=actions), expected


def ultimate_round(drawer: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A legal hand with what each line must return."""
    boxes = drawer.randint(1, 4)
    cards = drawer.sample(DECK, 9 + 2 * boxes)
    dealer, board = cards[:2], cards[2:7]
    theirs = best(dealer + board)
    wagers, actions, expected = [], [], {}
    for n in range(boxes):
        own = cards[9 + 2 * n :][:2]
        mine, player = best(own + board), f"p{n % 2}"
        ante = drawer.randint(1_000, 2_500_000)
        trips = drawer.randint(1_000, ante)
        for bet, stake in (("ante", ante), ("blind", ante), ("trips", trips)):
            if bet != "trips" or drawer.random() < 0.5:
                wagers.append(wager(bet, amount(stake), id=f"{bet}{n}", player=player, box=str(n)))
                expected[f"{bet}{n}"] = 0
        times = drawer.choice([0, 1, 2, 3, 4])
        course: list[dict[str, Any]] = [{"street": "preflop"}, {"street": "flop"}]
        course = [*course, {"street": "river"}][: {0: 3, 1: 3, 2: 2}.get(times, 1)]
        for decision in course:
            decision |= {"player": player, "hand": str(n), "type": "check"}
        course[-1] |= {"type": "raise", "times": times} if times else {"type": "fold"}
        actions += course
        if f"trips{n}" in expected:
            expected[f"trips{n}"] = paid(trips, odds(TRIPS, mine))
        if not times:
            continue
        play, better = times * ante, (mine > theirs) - (mine < theirs)
        expected[f"ante{n}:play"] = play * (better + 1)
        expected[f"ante{n}"] = ante * (better + 1) if theirs[0] else ante
        if better >= 0:
            blind_odds = odds(BLIND, mine)
            expected[f"blind{n}"] = paid(ante, blind_odds) if better and blind_odds else ante
    hands = {str(n): cards[9 + 2 * n :][:2] for n in range(boxes)}
    outcome = {"hands": hands, "dealer": dealer, "board": board, "burn": cards[7:9]}
    return request(ULTIMATE, wagers, outcome, actions=actions), expected


def count(cards: list[str]) -> int:
    return sum(10 if card[0] in "TJQK" else 1 + "A23456789".index(card[0]) for card in cards) % 10


def baccarat_round(drawer: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A legal coup with what each line must return."""
    shoe = [drawer.choice(DECK) for _ in range(6)]
    player, banker = [shoe[0], shoe[2]], [shoe[1], shoe[3]]
    if max(count(player), count(banker)) < 8:
        value = count(banker)
        draws = value <= 5
        if count(player) <= 5:
            player.append(shoe[4])
            third = count([shoe[4]])
            # The mnemonic of dealers instead of the table of the plan.
            draws = value <= 2 or (value == 3 and third != 8)
            draws = draws or (4 <= value <= 6 and 2 * (value - 3) <= third <= 7)
        if draws:
            banker.append(shoe[5])
    ahead, tie = count(player) - count(banker), count(player) == count(banker)
    pairs = [hand[0][0] == hand[1][0] for hand in (player, banker)]
    cards = len(player) + len(banker)
    wins: dict[str, Any] = {
        "player": 1 if ahead > 0 else None,
        "banker": Fraction("0.95") if ahead < 0 else None,
        "tie": 8 if tie else None,
        "player_pair": 11 if pairs[0] else None,
        "banker_pair": 11 if pairs[1] else None,
        "any_pair": 5 if any(pairs) else None,
        "perfect_pairs": 25 if any(hand[0] == hand[1] for hand in (player, banker)) else None,
        "big": Fraction("0.54") if cards > 4 else None,
        "small": Fraction("1.5") if cards == 4 else None,
    }
    egalite = [150, 215, 220, 200, 120, 110, 45, 45, 80, 80]
    wins |= {f"egalite_{n}": egalite[n] if tie and count(player) == n else None for n in range(10)}
    wagers, expected = [], {}
    for n in range(drawer.randint(1, 6)):
        bet, stake = drawer.choice(list(wins)), drawer.randint(1, 10**7)
        wagers.append(wager(bet, amount(stake), id=f"w{n}", player=f"p{n % 3}"))
        returned = tie and bet in {"player", "banker"}
        expected[f"w{n}"] = stake if returned else paid(stake, wins[bet])
    return request(BACCARAT, wagers, {"player": player, "banker": banker}), expected


def wheel_round(drawer: random.Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A legal turn of a wheel with what each line must return."""
    game = drawer.choice([WHEEL, WHEEL_2])
    pays = {WHEEL: [1, 2, 5, 10, 25, 25], WHEEL_2: [1, 2, 3, 5, 10, 15]}[game]
    codes = [f"x{times}" for times in pays]
    if game == WHEEL:
        codes[4:] = ["x25_black", "x25_pink"]
    field = drawer.choice(codes)
    wagers, expected = [], {}
    for n in range(drawer.randint(1, 8)):
        bet, stake = drawer.choice(codes), drawer.randint(1_000, 120_000)
        wagers.append(wager(bet, amount(stake), id=f"w{n}", player=f"p{n % 2}"))
        expected[f"w{n}"] = paid(stake, pays[codes.index(bet)]) if bet == field else 0
    return request(game, wagers, {"field": field}), expected


ROUNDS = [casino_round, ultimate_round, baccarat_round, wheel_round]
