"""What the side bets of blackjack pay, written from the tables of the rules alone."""

from __future__ import annotations

from fractions import Fraction

from tests.ledger.games.banker_cases import RANKS
from tests.ledger.games.blackjack_cases import SIXTY_NINE

RED = "DH"
POKER = {"suited_trips": 100, "straight_flush": 40, "trips": 30, "straight": 10, "flush": 5}
TOP3 = {"suited_trips": 270, "straight_flush": 180, "trips": 90}
PAIRS, PAIRS_69 = (25, 12, 6), (25, 10, 5)


def value(card: str) -> int:
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards: list[str]) -> int:
    """Best total: aces are turned from 11 into 1 one by one as long as there are too many."""
    points, aces = sum(map(value, cards)), sum(card[0] == "A" for card in cards)
    while points > 21 and aces:
        points, aces = points - 10, aces - 1
    return points


def paid(stake: int, times: Fraction | int | None) -> int:
    return 0 if times is None else stake + int(stake * Fraction(times) + Fraction(1, 2))


def amount(haler: int) -> str:
    return f"{haler // 100}.{haler % 100:02d}"


def poker_hand(cards: list[str]) -> str | None:
    one, two, three = sorted(RANKS.index(card[0]) for card in cards)
    suited, trips = len({card[1] for card in cards}) == 1, one == three
    straight = (two - one, three - two) == (1, 1) or (one, two, three) == (0, 1, 12)
    if trips:
        return "suited_trips" if suited else "trips"
    if straight:
        return "straight_flush" if suited else "straight"
    return "flush" if suited else None


def pair_odds(cards: list[str], odds: tuple[int, int, int]) -> int | None:
    (rank, suit), (other, other_suit) = cards
    if rank != other:
        return None
    if suit == other_suit:
        return odds[0]
    return odds[1] if (suit in RED) == (other_suit in RED) else odds[2]


def sums(cards: list[str]) -> set[int]:
    found = {0}
    for card in cards:
        found = {s + v for s in found for v in ((1, 11) if card[0] == "A" else (value(card),))}
    return found


def lucky_odds(cards: list[str]) -> int | None:
    ranks, suited = sorted(card[0] for card in cards), len({card[1] for card in cards}) == 1
    reached = sums(cards)
    if ranks == ["7", "7", "7"]:
        return 200 if suited else 50
    if ranks == ["6", "7", "8"]:
        return 100 if suited else 25
    if 21 in reached:
        return 15 if suited else 3
    return 2 if reached & {19, 20} else None


def hot3_odds(cards: list[str]) -> int | None:
    reached = sums(cards)
    if all(card[0] == "7" for card in cards):
        return 100
    if 21 in reached:
        return 20 if len({card[1] for card in cards}) == 1 else 4
    return 2 if 20 in reached else 1 if 19 in reached else None


def side_payout(
    game: str, bet: str, stake: int, own: list[str], dealer: list[str], *, blackjack: bool
) -> int:
    three = [*own, dealer[0]]
    bust, count = total(dealer) > 21, min(len(dealer), 8)
    match bet:
        case "21+3":
            return paid(stake, POKER.get(poker_hand(three) or ""))
        case "top3":
            return paid(stake, TOP3.get(poker_hand(three) or ""))
        case "dealer_pair":
            return paid(stake, pair_odds(dealer[:2], PAIRS))
        case "player_pair" | "perfect_pairs":
            return paid(stake, pair_odds(own, PAIRS_69 if game == SIXTY_NINE else PAIRS))
        case "lucky_lucky":
            return paid(stake, lucky_odds(three))
        case "hot3":
            return paid(stake, hot3_odds(three))
        case "push22":
            return paid(stake, 11 if total(dealer) == 22 else None)
        case "bust_it":
            odds = {3: 1, 4: 2, 5: 9, 6: 50, 7: 100, 8: 250}
            return stake if blackjack else paid(stake, odds[count] if bust else None)
        case _:
            odds = {3: 2, 4: 2, 5: 4, 6: 18, 7: 50, 8: 250}
            if blackjack:
                odds |= {7: 800, 8: 2000}
            return paid(stake, odds[count] if bust else None)
