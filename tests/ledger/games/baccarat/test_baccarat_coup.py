"""The cards of baccarat: every combination of values, and the probabilities of eight decks."""

from __future__ import annotations

from itertools import product

import pytest

from ledger.games.api.cards import DECK, parse_cards
from ledger.games.baccarat.coup import does_banker_draw, does_player_draw, hand_value
from tests.ledger.games.banker_cases import BACCARAT, code_of, lines_of, request, wager

# What the printed table says of each of Banker's values, Player's third card from 0 to 9.
PRINTED = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
RANK_OF = "TA23456789"


def printed_cards(player: int, banker: int, third: int) -> tuple[int, int]:
    """How many cards the two hands end with, from the plan's tables."""
    if player in {8, 9} or banker in {8, 9}:
        return 2, 2
    if player in {6, 7}:
        return 2, 2 if banker in {6, 7} else 3
    return 3, 3 if PRINTED[banker][third] == "D" else 2


def test_every_rank_has_its_value() -> None:
    values = [hand_value((card,)) for card in DECK if card.suit == "S"]
    assert values == [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("cards", "value"), [("7S 6D", 3), ("4S 6D", 0), ("9S 9D 9C", 7), ("KS QD TC", 0), ("9S AD", 0)]
)
def test_a_hand_counts_by_its_last_digit(cards: str, value: int) -> None:
    assert hand_value(parse_cards(cards.split())) == value


@pytest.mark.parametrize("player", range(10))
def test_every_dealing_settles_with_the_printed_number_of_cards_and_no_other(player: int) -> None:
    for banker, third, fourth in product(range(10), range(10), (0, 1, 9)):
        hands = {
            "player": ["KS", RANK_OF[player] + "H", RANK_OF[third] + "D"],
            "banker": ["KC", RANK_OF[banker] + "D", RANK_OF[fourth] + "H"],
        }
        lengths = printed_cards(player, banker, third)
        for tried in product((2, 3), repeat=2):
            outcome = {
                "player": hands["player"][: tried[0]],
                "banker": hands["banker"][: tried[1]],
            }
            document = request(BACCARAT, [wager(bet) for bet in ("player", "tie")], outcome)
            if tried != lengths:
                assert code_of(document) == "DRAW_RULE_VIOLATION"
                continue
            totals = [
                (player + third * (lengths[0] == 3)) % 10,
                (banker + fourth * (lengths[1] == 3)) % 10,
            ]
            winner = "win" if totals[0] > totals[1] else "lose"
            tie = totals[0] == totals[1]
            lines = lines_of(document)
            assert lines["player"][0] == ("push" if tie else winner)
            assert lines["tie"][0] == ("win" if tie else "lose")


def test_eight_decks_have_the_known_probabilities() -> None:
    """Weigh every order of values by the cards that are left in the shoe."""
    left = [128] + [32] * 9
    sums = dict.fromkeys(["player", "banker", "tie", "small"], 0)
    shoe = sum(left)
    for first in product(range(10), repeat=4):
        weight = 1
        for value in first:
            weight *= left[value]
            left[value] -= 1
        player, banker = (first[0] + first[2]) % 10, (first[1] + first[3]) % 10
        for ending, share in endings(player, banker, left, shoe - 4):
            sums[ending] += weight * share
        if not does_player_draw(player, banker) and not does_banker_draw(player, banker, None):
            sums["small"] += weight * (shoe - 4) * (shoe - 5)
        for value in first:
            left[value] += 1
    orders = shoe * (shoe - 1) * (shoe - 2) * (shoe - 3) * (shoe - 4) * (shoe - 5)
    assert sums["player"] + sums["banker"] + sums["tie"] == orders
    assert {name: f"{count / orders:.6f}" for name, count in sums.items()} == {
        "banker": "0.458597",
        "player": "0.446247",
        "tie": "0.095156",
        "small": "0.378868",
    }


def endings(player: int, banker: int, left: list[int], cards: int) -> list[tuple[str, int]]:
    """Give every ending of a coup with its weight among the next two cards of the shoe."""
    if not does_player_draw(player, banker):
        return banker_endings(player, player, banker, None, left, cards, cards - 1)
    found = []
    for third, copies in enumerate(left):
        left[third] -= 1
        total = (player + third) % 10
        inner = banker_endings(player, total, banker, third, left, cards - 1, 1)
        found += [(ending, copies * share) for ending, share in inner]
        left[third] += 1
    return found


def banker_endings(
    player: int,
    total: int,
    banker: int,
    third: int | None,
    left: list[int],
    cards: int,
    unused: int,
) -> list[tuple[str, int]]:
    """Finish Banker's hand; `unused` weighs the card that is not looked at any more."""
    if not does_banker_draw(player, banker, third):
        return [(winner(total, banker), cards * unused)]
    return [
        (winner(total, (banker + last) % 10), copies * unused) for last, copies in enumerate(left)
    ]


def winner(player: int, banker: int) -> str:
    if player == banker:
        return "tie"
    return "player" if player > banker else "banker"
