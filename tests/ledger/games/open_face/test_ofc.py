"""Open Face Chinese Poker: points, fouls, Fantasyland, payments, every refusal."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from ledger.games.api.cards import parse_cards
from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.open_face.game import pay
from ledger.games.open_face.outcome import PointValue
from ledger.games.open_face.rows import rank_set
from tests.ledger.games.ofc_cases import FOUL, HIGH, LOW, game, paid, rows
from tests.ledger.games.poker_cases import (
    DECK,
    PINEAPPLE,
    PINEAPPLE_TOURNAMENT,
    RANKS,
    check_money,
    crowns,
    five,
    haler,
    payouts,
    results,
)
from tests.search import amount

if TYPE_CHECKING:
    from collections.abc import Callable

BACK = {4: 2, 5: 4, 6: 6, 7: 10, 8: 15, 9: 25}
MIDDLE = {3: 2, 4: 4, 5: 8, 6: 12, 7: 20, 8: 30, 9: 50}


def test_a_scoop_is_six_points_and_both_pay_the_rake() -> None:
    answer = games.settle(game(HIGH, LOW))
    assert answer["points"] == {"p1|p2": 6}
    assert paid(game(HIGH, LOW)) == [crowns(5575), crowns(4375)]
    assert results(answer) == ["win", "lose"]
    assert (answer["rake"], answer["fouled"], answer["fantasyland"]) == ("50.00", [], {})


def test_time_collection_leaves_the_stacks_whole() -> None:
    request = game(HIGH, LOW, fee={"mode": "time", "amount": "500.00"}, stacks=(20, 5000))
    answer = games.settle(request)
    assert answer["rake"] == "0.00"
    assert paid(request) == [crowns(40), crowns(4980)]


def test_tournament_chips_bear_no_fee() -> None:
    request = game(HIGH, LOW, id_=PINEAPPLE_TOURNAMENT)
    assert paid(request) == [crowns(5600), crowns(4400)]
    assert games.settle(request)["rake"] == "0.00"


def test_two_rows_to_one_are_one_point() -> None:
    weak_back = HIGH | {
        "back": ["JH", "JS", "2H", "3S", "4S"],
        "middle": ["TC", "TD", "5S", "6S", "7H"],
    }
    strong_back = LOW | {"back": ["QC", "QD", "6H", "7C", "8H"]}
    answer = games.settle(game(weak_back, strong_back))
    assert answer["points"] == {"p1|p2": 1}


def test_equal_rows_count_nothing_and_spoil_the_scoop() -> None:
    one = rows("2C 3D 5H", "2S 4C 7S 8C 9D", "TC TD 6H JC QH")
    other = rows("2D 3S 5C", "2H 4D 7D 8D 9C", "KC KD 6S 7H 8S")
    answer = games.settle(game(one, other))
    assert answer["points"] == {"p1|p2": -1}
    twin = other | {"back": ["TH", "TS", "6S", "JD", "QS"]}
    drawn = games.settle(game(one, twin))
    assert drawn["fouled"] == []
    assert drawn["points"] == {"p1|p2": 0}
    assert results(drawn) == ["push", "push"]
    assert paid(game(one, twin)) == [crowns(4975), crowns(4975)]


@pytest.mark.parametrize(
    ("set_", "is_fouled"),
    [
        (LOW, False),
        (FOUL, True),
        (rows("2C 3D 4H", "JC JD 5S 6S 7H", "TC TD 8S 2H 3S"), True),
        (rows("KC KD AH", "KH KS QS JS 2H", "TC TD TS 2D 3S"), True),
        (rows("KC KD QH", "KH KS QS JS 2H", "TC TD TS 2D 3S"), False),
        (rows("AC KD QH", "AD KS QS 3H 2H", "TC TD TS 2D 3S"), False),
        (rows("AC KD JH", "AD KS TS 9H 8H", "TC TD TH 2D 3S"), True),
        (rows("2C 2D 2H", "AC AD KS KH 3C", "TC TD TS 2S 3S"), True),
        (rows("2C 2D 2H", "3C 3D 3H KH 4C", "TC TD TS 2S 3S"), False),
        (rows("2C 3D 5H", "TC JD QS KC AC", "TD JH QH KD AD"), False),
        (rows("2C 3D 5H", "6C 7D 8S 9C TC", "AD 2H 3H 4D 5D"), True),
        (rows("2C 3D 5H", "AD 2H 3H 4D 5D", "6C 7D 8S 9C TC"), False),
    ],
)
def test_a_set_is_fouled_when_a_row_outside_is_stronger(
    set_: dict[str, list[str]], is_fouled: bool
) -> None:
    used = {card for cards in set_.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    other = {"front": rest[:3], "middle": rest[3:8], "back": rest[8:13]}
    answer = games.settle(game(set_, other))
    assert ("p1" in answer["fouled"]) is is_fouled


def test_a_foul_costs_six_and_the_royalties_of_the_other() -> None:
    royal = HIGH | {
        "back": ["TH", "JH", "QH", "KH", "AS"],
        "middle": ["TC", "TD", "TS", "2H", "3S"],
    }
    foul = FOUL | {"back": ["8D", "9C", "6C", "QC", "JS"], "front": ["AD", "AH", "KC"]}
    royal["front"] = ["QS", "QD", "4C"]
    answer = games.settle(game(royal, foul))
    assert answer["points"] == {"p1|p2": 6 + 2 + 2 + 7}
    assert answer["fouled"] == ["p2"]
    assert answer["fantasyland"] == {"p1": 14}
    turned = games.settle(game(foul, royal))
    assert turned["points"] == {"p1|p2": -17}


def test_two_fouls_are_worth_nothing() -> None:
    other = rows("KD KH QD", "2C 3D 4C 5D 7S", "8H 9D 6D QS JD")
    answer = games.settle(game(FOUL, other))
    assert answer["points"] == {"p1|p2": 0}
    assert answer["fouled"] == ["p1", "p2"]


def royalties(front: str, middle: str, back: str) -> int:
    plan = games.plan(PINEAPPLE)
    assert isinstance(plan, OfcCashPlan)
    set_ = {row: parse_cards(cards) for row, cards in rows(front, middle, back).items()}
    ranked = rank_set(plan.played.rows, set_)
    assert not ranked.fouled
    return ranked.royalties


@pytest.mark.parametrize(
    ("back", "points"),
    [
        ("TH TD TC 3S 4S", 0),
        ("5H 6D 7C 8S 9S", 2),
        ("AH 2D 3C 4S 5S", 2),
        ("KH 2H 3H 4H 5H", 4),
        ("KH KD KC 4S 4H", 6),
        ("KH KD KC KS 4H", 10),
        ("9H TH JH QH KH", 15),
        ("AH 2H 3H 4H 5H", 15),
        ("AH TH JH QH KH", 25),
    ],
)
def test_royalties_of_the_back(back: str, points: int) -> None:
    assert royalties("2C 3D 5C", "2D 3C 6C 7D 8C", back) == points


@pytest.mark.parametrize(
    ("middle", "points"),
    [
        ("TD TS 2C 5D 7S", 0),
        ("TD TS TC 5D 7S", 2),
        ("5D 6S 7C 8D 9S", 4),
        ("KD 2D 3D 4D 6D", 8),
        ("9D 9C 9S 4D 4S", 12),
        ("9D 9C 9S 9H 4S", 20),
        ("9D TD JD QD KD", 30),
        ("AD TD JD QD KD", 50),
    ],
)
def test_royalties_of_the_middle(middle: str, points: int) -> None:
    assert royalties("2H 3C 6C", middle, "AH TH JH QH KH") == points + 25


@pytest.mark.parametrize("rank", RANKS)
def test_royalties_and_fantasyland_of_the_front(rank: str) -> None:
    kicker = "2H" if rank != "2" else "3H"
    straight_flushes = ("5S 6S 7S 8S 9S", "6H 7H 8H 9H TH")
    pair = max(0, RANKS.index(rank) - 3)
    assert royalties(f"{rank}C {rank}D {kicker}", *straight_flushes) == pair + 30 + 15
    assert royalties(f"{rank}C {rank}D {rank}H", *_without(rank)) == 10 + RANKS.index(rank) + 45


def _without(rank: str) -> tuple[str, str]:
    """A straight flush of spades and a higher one of hearts, in neither of them the rank."""
    low = ("2S 3S 4S 5S 6S", "3H 4H 5H 6H 7H")
    return ("8S 9S TS JS QS", "9H TH JH QH KH") if rank in "234567" else low


@pytest.mark.parametrize(
    ("front", "back", "is_there", "cards"),
    [
        ("JC JD 2C", "AH KH QH 9H TH", False, None),
        ("QC QD 2C", "AH KH 3H 9H TH", False, 14),
        ("KC KD 2C", "AH 8H 3H 9H TH", False, 15),
        ("AC AD 2C", "JH 8H 3H 9H TH", False, 16),
        ("2C 2D 2H", "JH 8H 3H 9H TH", False, 17),
        ("AC AD 2C", "JH 8H 3H 9H TH", True, None),
        ("2C 2D 2H", "JH 8H 3H 9H TH", True, 17),
        ("3C 4D 2H", "JH JS JD JC TH", True, 14),
        ("3C 4D 2H", "7H 8H 9H TH JH", True, 14),
        ("3C 4D 2H", "JH JS JD TC TH", True, None),
        ("3C 4D 2H", "JH JS JD JC TH", False, None),
        ("2C 2D 2H", "JH JS JD JC TH", True, 17),
    ],
)
def test_fantasyland(front: str, back: str, is_there: bool, cards: int | None) -> None:
    set_ = rows(front, "5S 6D 7C 8S 9S", back)
    used = {card for row in set_.values() for card in row}
    rest = [card for card in DECK if card not in used]
    other = {"front": rest[:3], "middle": rest[3:8], "back": rest[8:13]}
    more = {"in_fantasyland": ["p1"], "discards": {"p1": [rest[20]]}} if is_there else {}
    answer = games.settle(game(set_, other, **more))
    assert "p1" not in answer["fouled"]
    assert answer["fantasyland"].get("p1") == cards


def test_pairs_are_paid_clockwise_from_the_button() -> None:
    third = rows("9H 8D 7D", "QS QC AS KS JS", "8S 9S 6D 6C 5D")
    request = game(HIGH, LOW, third, button="p1")
    assert list(games.settle(request)["points"]) == ["p2|p3", "p2|p1", "p3|p1"]
    heads_up = game(HIGH, LOW, button="p1")
    assert games.settle(heads_up)["points"] == {"p2|p1": -6}


def test_agreed_values_of_pairs_in_either_order() -> None:
    values = {"default": "100.00", "pairs": {"p2|p1": "25.00"}}
    assert paid(game(HIGH, LOW, point_value=values)) == [crowns(5125), crowns(4825)]
    without_default = {"pairs": {"p1|p2": "25.50"}}
    assert paid(game(HIGH, LOW, point_value=without_default)) == ["5128.00", "4822.00"]


def test_a_short_stack_loses_and_wins_no_more_than_it_had() -> None:
    assert paid(game(HIGH, LOW, stacks=(225, 5000))) == [crowns(400), crowns(4775)]
    assert paid(game(HIGH, LOW, stacks=(5000, 225))) == [crowns(5175), crowns(0)]


def test_a_stop_loss_bounds_a_loss_and_not_a_win() -> None:
    assert paid(game(HIGH, LOW, stop_loss={"p2": "150.00"})) == [crowns(5125), crowns(4825)]
    assert paid(game(HIGH, LOW, stop_loss={"p1": "150.00"})) == [crowns(5575), crowns(4375)]


@pytest.mark.parametrize(
    ("points", "start", "stop", "net"),
    [
        # The first pair takes all that a had, the second finds nothing.
        ((-6, -6, 0), (500, 900, 900), {}, (-500, 500, 0)),
        # What a wins from b does not help to pay c.
        ((6, -9, 0), (500, 900, 900), {}, (0, -500, 500)),
        # Per opponent: c wins its start from a and again from b.
        ((0, -9, -9), (900, 900, 300), {}, (-300, -300, 600)),
        ((-6, -6, 0), (900, 900, 900), {"a": 700}, (-700, 600, 100)),
        ((-6, -6, 0), (900, 900, 900), {"a": 5000}, (-900, 600, 300)),
    ],
)
def test_three_players_pay_in_order(
    points: tuple[int, int, int],
    start: tuple[int, int, int],
    stop: dict[str, int],
    net: tuple[int, int, int],
) -> None:
    pairs = dict(zip(combinations("abc", 2), points, strict=True))
    got = pay(pairs, PointValue(100, {}), dict(zip("abc", start, strict=True)), stop)
    assert tuple(sum(term.amount for term in terms) for terms in got.values()) == net


def front_key(cards: list[str]) -> tuple[int, ...]:
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    if ranks[0] == ranks[2]:
        return (3, ranks[0])
    if ranks[0] == ranks[1] or ranks[1] == ranks[2]:
        return (1, ranks[1], ranks[2] if ranks[0] == ranks[1] else ranks[0])
    return (0, *ranks)


def royal(key: tuple[int, ...]) -> int:
    return 9 if key == (8, 12) else key[0]


def set_key(set_: dict[str, list[str]]) -> tuple[bool, list[tuple[int, ...]], int]:
    front, middle, back = front_key(set_["front"]), five(set_["middle"]), five(set_["back"])
    fouled = middle > back or front > middle[: len(front)]
    extra = BACK.get(royal(back), 0) + MIDDLE.get(royal(middle), 0)
    extra += {1: max(0, front[1] - 3), 3: 10 + front[1]}.get(front[0], 0)
    return fouled, [front, middle, back], 0 if fouled else extra


@st.composite
def random_games(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(2, 3))
    deck = draw(st.permutations(DECK))
    sets = []
    for n in range(count):
        cards = sorted(deck[n * 13 : n * 13 + 13], key=lambda card: RANKS.index(card[0]))
        if draw(st.booleans()):
            cards = list(deck[n * 13 : n * 13 + 13])
        sets.append({"front": cards[:3], "middle": cards[3:8], "back": cards[8:]})
    stacks = tuple(draw(st.integers(26, 3000)) for _ in sets)
    return game(*sets, stacks=stacks, button=draw(st.sampled_from(["p1", "p2", "p3"][:count])))


@settings(deadline=None, max_examples=amount(50, 200))
@given(random_games())
def test_random_games_agree_with_the_oracle(request_: dict[str, Any]) -> None:
    answer = games.settle(request_)
    assert "error" not in answer, answer
    check_money(answer)
    keys = {player: set_key(set_) for player, set_ in request_["outcome"]["sets"].items()}
    assert answer["fouled"] == sorted(player for player, key in keys.items() if key[0])
    for pair, points in answer["points"].items():
        one, other = (keys[player] for player in pair.split("|"))
        won = sum((a > b) - (a < b) for a, b in zip(one[1], other[1], strict=True))
        if one[0] or other[0]:
            won = 3 * (other[0] - one[0])
        assert points == (won * 2 if abs(won) == 3 else won) + one[2] - other[2]
    for wager, payout in zip(request_["wagers"], payouts(answer).values(), strict=True):
        assert haler(payout) >= 0
        start = haler(wager["stake"]) - 2500
        assert haler(payout) <= start * len(request_["wagers"])


def _take_a_card(request: dict[str, Any]) -> None:
    request["outcome"]["sets"]["p1"]["back"].pop()


MISTAKES: dict[str, Callable[[dict[str, Any]], object]] = {
    "UNKNOWN_BET": lambda r: r["wagers"][0].update(bet="pot"),
    "INVALID_STAKE": lambda r: r["wagers"][0].update(stake="0.00"),
    "BET_BELOW_MINIMUM": lambda r: r["wagers"][0].update(stake="25.00"),
    "DUPLICATE_WAGER": lambda r: r["wagers"].append(r["wagers"][0]),
    "BET_AFTER_CLOSE": lambda r: r["wagers"][0].update(late=True),
    "INVALID_VOID_REASON": lambda r: r["outcome"].update(void={"reason": "misdeal_extra_cards"}),
    "PLAYER_COUNT": lambda r: r["outcome"].update(seats=["p1"]),
    "INVALID_OUTCOME": lambda r: r["outcome"].update(button="stranger"),
    "FEE_OUT_OF_RANGE": lambda r: r["outcome"].update(fee={"mode": "time", "amount": "99.99"}),
    "OUTCOME_INCOMPLETE": lambda r: r["outcome"]["sets"]["p1"].pop("front"),
    "INVALID_CARD": lambda r: r["outcome"]["sets"]["p1"]["front"].__setitem__(0, "1S"),
    "TOO_MANY_COPIES": lambda r: r["outcome"]["sets"]["p1"]["front"].__setitem__(
        0, r["outcome"]["sets"]["p2"]["back"][0]
    ),
    "INVALID_HAND": _take_a_card,
    "PLAYER_CARDS_MISMATCH": lambda r: r["outcome"]["sets"].update(stranger=LOW),
    "ACTION_NOT_ALLOWED": lambda r: r.update(actions=[{"player": "p1", "type": "fold"}]),
    "MALFORMED_REQUEST": lambda r: r["outcome"].pop("point_value"),
}


@settings(deadline=None, max_examples=amount(20, 80))
@given(random_games(), st.sampled_from(sorted(MISTAKES)))
def test_a_single_mistake_in_a_game_is_found(request_: dict[str, Any], code: str) -> None:
    wrong = deepcopy(request_)
    MISTAKES[code](wrong)
    answer = games.settle(wrong)
    assert answer.get("error", {}).get("code") == code, (answer, wrong)


def test_placing_and_describing() -> None:
    plan = games.plan(PINEAPPLE)
    stack = games.Wager("w", "p1", "stack", 2000)
    assert games.wager_problem(plan, stack) is None
    twice = games.wager_problem(plan, stack, placed=[stack])
    assert twice is not None
    assert twice.code == "DUPLICATE_WAGER"
    assert games.table_problem(plan, games.TableLimits()) is None
    assert games.describe(plan, "stack")
    with pytest.raises(TypeError):
        games.settle_round(plan, [stack], (), games.Outcome())
