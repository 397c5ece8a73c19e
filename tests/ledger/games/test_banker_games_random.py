"""Random rounds of baccarat, wheels and poker against the dealer.

Legal rounds settle and agree with plain oracles written from the pay tables; one mistake in a legal
round is refused; any JSON gets an answer; no money appears or disappears.
"""

from __future__ import annotations

import json
import random
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from banker_cases import (
    BACCARAT,
    CASINO,
    DECK,
    RANKS,
    ULTIMATE,
    WHEEL,
    WHEEL_2,
    haler,
    lines_of,
    request,
    strength_of_five,
    wager,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from json_cases import json_values, spoil

from ledger import games

CODES = {code.value for code in games.Code}
GAMES = [BACCARAT, CASINO, ULTIMATE, WHEEL, WHEEL_2]
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


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("make", ROUNDS)
@pytest.mark.parametrize("seed", range(4))
def test_legal_rounds_agree_with_the_oracle(make: Any, seed: int) -> None:
    drawer = random.Random(seed)
    for _ in range(250):
        document, expected = make(drawer)
        lines = lines_of(document)
        assert {line: haler(payout) for line, (_, payout) in lines.items()} == expected, document


def bad_card(cards: list[str], drawer: random.Random) -> tuple[str, list[str]]:
    changed = list(cards)
    changed[drawer.randrange(len(cards))] = drawer.choice(["", "1S", "10H", "ZZ", "AB"])
    return "INVALID_CARD", changed


def mutate(document: dict[str, Any], drawer: random.Random) -> set[str]:
    """Put one mistake into a legal request and say what may be answered."""
    outcome, first = document["outcome"], document["wagers"][0]
    card_lists = [key for key, value in outcome.items() if isinstance(value, list)]
    mistake = drawer.choice(["bet", "stake", "id", "late", "void", "card", "action", "missing"])
    match mistake:
        case "bet":
            first["bet"] = "x"
            return {"UNKNOWN_BET"}
        case "stake":
            first["stake"] = drawer.choice(["0.00", "5", "-1.00", "1.000", "1e3", ""])
            return {"INVALID_STAKE"}
        case "id":
            document["wagers"].append(deepcopy(first))
            return {"DUPLICATE_WAGER"}
        case "late":
            first["late"] = True
            return {"BET_AFTER_CLOSE"}
        case "void":
            outcome["void"] = {"reason": "bad_mood"}
            return {"INVALID_VOID_REASON"}
        case "card" if card_lists:
            key = drawer.choice(card_lists)
            code, outcome[key] = bad_card(outcome[key], drawer)
            return {code}
        case "missing" if document["game"] not in {CASINO, ULTIMATE}:
            del outcome[drawer.choice(list(outcome))]
            return {"OUTCOME_INCOMPLETE"}
        case "missing":
            document["actions"].pop()
            return {"ACTION_MISSING"}
        case _:
            document.setdefault("actions", []).append(
                {"player": "p9", "type": "raise", "hand": "9", "street": "flop", "times": 2}
            )
            return {"ACTION_NOT_ALLOWED"}


@pytest.mark.parametrize("make", ROUNDS)
@pytest.mark.parametrize("seed", range(3))
def test_one_mistake_in_a_legal_round_is_refused_by_its_code(make: Any, seed: int) -> None:
    drawer = random.Random(100 + seed)
    for _ in range(200):
        document, _expected = make(drawer)
        codes = mutate(document, drawer)
        answer = games.settle(document)
        assert "error" in answer, document
        assert answer["error"]["code"] in codes, document


WORDS = [
    *("p1", "w1", "ante", "blind", "trips", "aa", "player", "banker", "x1", "1", "100.00", "AS"),
    *("call", "call_blind", "fold", "raise", "check", "preflop", "flop", "river", "timeout"),
    *("before_close", "after_close", "operator_interruption", "game_error", "card_misrecorded"),
    *GAMES,
]
KEYS = [
    *("id", "game", "wagers", "outcome", "actions", "table", "void", "reason", "player", "players"),
    *("bet", "stake", "box", "late", "hand", "hands", "street", "times", "type", "auto", "dealer"),
    *("board", "burn", "banker", "field", "player_cards", "disconnects", "phase"),
]
ANY_JSON = json_values(WORDS, KEYS)


def check_answer(document: object) -> None:
    answer = games.settle(document)
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        return
    lines = answer["wagers"]
    assert sum(haler(line["stake"]) for line in lines) == haler(answer["total_staked"])
    assert sum(haler(line["payout"]) for line in lines) == haler(answer["total_payout"])
    for line in lines:
        stake, payout = haler(line["stake"]), haler(line["payout"])
        match line["result"]:
            case "void" | "push":
                assert payout == stake
            case "lose":
                assert payout == 0
            case result:
                assert result == "win"
                assert payout > stake


@settings(deadline=None)
@given(st.sampled_from(ROUNDS), st.integers(0, 50), st.data())
def test_a_legal_round_with_one_part_replaced_gets_an_answer(
    make: Any, seed: int, data: st.DataObject
) -> None:
    document: Any = make(random.Random(seed))[0]
    document["outcome"]["disconnects"] = [{"player": "p0", "phase": "after_close"}]
    if data.draw(st.booleans()):
        document["outcome"]["void"] = {
            "reason": data.draw(st.sampled_from(WORDS)),
            "players": ["p0"],
        }
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(document, data, ANY_JSON)
    check_answer(document)


@settings(deadline=None)
@given(st.sampled_from(GAMES), st.data())
def test_any_outcome_and_actions_get_an_answer(game: str, data: st.DataObject) -> None:
    bets = {BACCARAT: ["tie"], CASINO: ["ante", "aa"], ULTIMATE: ["ante", "blind"]}
    wagers = [wager(bet, box="1") for bet in bets.get(game, ["x1"])]
    outcome = data.draw(st.dictionaries(st.sampled_from(KEYS), ANY_JSON, max_size=5))
    actions = data.draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "player": st.sampled_from(["p1", "p2"]),
                    "type": st.sampled_from(WORDS),
                    "hand": st.sampled_from(["1", "2"]),
                    "street": st.sampled_from(["preflop", "flop", "river", "turn"]),
                },
                optional={"times": ANY_JSON, "auto": ANY_JSON},
            ),
            max_size=3,
        )
    )
    check_answer(request(game, wagers, outcome, actions=actions))


@settings(deadline=None)
@given(st.sampled_from(ROUNDS), st.integers(0, 100))
def test_the_order_of_wagers_and_players_changes_nothing(make: Any, seed: int) -> None:
    document, _ = make(random.Random(seed))
    before = lines_of(document)
    frozen = deepcopy(document)
    assert lines_of(document | {"wagers": document["wagers"][::-1]}) == before
    assert document == frozen
    assert json.loads(games.settle_line(json.dumps(document))) == games.settle(document)
