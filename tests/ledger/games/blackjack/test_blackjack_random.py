"""Random rounds of blackjack that a dealer and players played by the rules.

They settle and return to every line what the rules say; one change to such a round is refused, or,
where the changed round could have been played as well, it is settled with all money accounted for.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import games
from tests.ledger.games.banker_cases import haler
from tests.ledger.games.blackjack_cases import FREE_BET, GAMES, SAZKA, SHARED, SIXTY_NINE
from tests.ledger.games.blackjack_dealer import play
from tests.ledger.games.json_cases import json_values, spoil

CODES = {code.value for code in games.Code}
ROUNDS = 400


def check_answer(document: object) -> str | None:
    """Check the shape of an answer and its money; return the code of an error."""
    answer = games.settle(document)
    assert json.loads(games.settle_line(json.dumps(document))) == answer
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        assert answer["error"]["message"]
        return str(answer["error"]["code"])
    lines = answer["wagers"]
    stakes = [haler(line["stake"]) for line in lines]
    payouts = [haler(line["payout"]) for line in lines]
    house = sum(stake - payout for stake, payout in zip(stakes, payouts, strict=True))
    assert haler(answer["total_staked"]) == haler(answer["total_payout"]) + house
    assert sum(stakes) == haler(answer["total_staked"])
    assert len({line["id"] for line in lines}) == len(lines)
    for line, stake, payout in zip(lines, stakes, payouts, strict=True):
        assert line["rule"]
        assert payout >= 0
        match line["result"]:
            case "push" | "void":
                assert payout == stake
            case "lose":
                assert payout == 0
            case result:
                assert result == "win"
                assert payout > stake
    return None


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("game", GAMES)
def test_legal_rounds_agree_with_the_rules(game: str) -> None:
    drawer = random.Random(game)
    seen: set[str] = set()
    for _ in range(ROUNDS):
        document, expected = play(game, drawer)
        frozen = deepcopy(document)
        assert check_answer(document) is None, document
        assert document == frozen
        lines = games.settle(document)["wagers"]
        assert {line["id"]: haler(line["payout"]) for line in lines} == expected, document
        seen |= {line["id"].split(":")[1] for line in lines if ":" in line["id"]}
    tokens = {"free_split", "free_double"} if game == FREE_BET else set()
    assert seen == {"double", "split", "insurance"} | tokens


@pytest.mark.parametrize("game", GAMES)
def test_the_order_of_wagers_changes_nothing(game: str) -> None:
    """Only who decides on a box depends on it, so the owners are named."""
    drawer = random.Random(f"order {game}")
    for _ in range(60):
        document, expected = play(game, drawer)
        mains = [wager for wager in document["wagers"] if wager["bet"] == "main"]
        owners = {wager["box"]: wager["player"] for wager in reversed(mains)}
        document["outcome"]["owners"] = owners
        drawer.shuffle(document["wagers"])
        lines = games.settle(document)["wagers"]
        assert {line["id"]: haler(line["payout"]) for line in lines} == expected, document


VOID_FOR_SOME = {FREE_BET: "internal_supervisor_decision", SIXTY_NINE: "card_counting"}


@pytest.mark.parametrize("game", GAMES)
def test_a_void_for_one_player_leaves_the_others_to_the_cards(game: str) -> None:
    drawer = random.Random(f"void {game}")
    reason = VOID_FOR_SOME.get(game, "operator_interruption")
    for _ in range(120):
        document, expected = play(game, drawer)
        stakes = {line["id"]: haler(line["stake"]) for line in games.settle(document)["wagers"]}
        document["outcome"]["void"] = {"reason": reason, "players": ["p0"]}
        player = {wager["id"]: wager["player"] for wager in document["wagers"]}
        for line in expected:
            if player[line.split(":")[0]] == "p0":
                expected[line] = stakes[line]
        lines = games.settle(document)["wagers"]
        assert {line["id"]: haler(line["payout"]) for line in lines} == expected, document


def card_of_a_hand_taken_away(document: dict[str, Any], drawer: random.Random) -> None:
    hands = document["outcome"]["hands"]
    del hands[drawer.choice(list(hands))][-1]


def card_put_on_a_hand(document: dict[str, Any], drawer: random.Random) -> None:
    hands = document["outcome"]["hands"]
    hands[drawer.choice(list(hands))].append("2S")


def hand_taken_away(document: dict[str, Any], drawer: random.Random) -> None:
    hands = document["outcome"]["hands"]
    del hands[drawer.choice(list(hands))]


def hand_for_nobody(document: dict[str, Any], drawer: random.Random) -> None:
    outcome = document["outcome"]
    laid = Counter(
        card for cards in (outcome["dealer"], *outcome["hands"].values()) for card in cards
    )
    rare = sorted(["2S", "3D", "4C", "5H", "6S", "7D", "9C"], key=laid.__getitem__)
    outcome["hands"][drawer.choice(["77", "b9", "1.3", ""])] = rare[:2]


def no_card(document: dict[str, Any], drawer: random.Random) -> None:
    hands = [document["outcome"]["dealer"], *document["outcome"]["hands"].values()]
    cards = drawer.choice(hands)
    cards[drawer.randrange(len(cards))] = drawer.choice(["", "1S", "10H", "ZZ", "AS "])


def card_of_a_ninth_deck(document: dict[str, Any], drawer: random.Random) -> None:
    outcome, game = document["outcome"], document["game"]
    outcome["dealer"] = [*outcome["dealer"][:2], *["2S"] * (9 if game in SAZKA else 7)]
    assert drawer


def dealer_who_goes_on(document: dict[str, Any], drawer: random.Random) -> None:
    """Let the dealer draw three tens: two of them pass 16 from whatever lay there."""
    document["outcome"]["dealer"] += ["TC", "TD", "TH"]
    assert drawer


def stake_of_nothing(document: dict[str, Any], drawer: random.Random) -> None:
    drawer.choice(document["wagers"])["stake"] = drawer.choice(["0.00", "5", "-1.00", "1e3"])


def stake_above_every_limit(document: dict[str, Any], drawer: random.Random) -> None:
    drawer.choice(document["wagers"])["stake"] = "100000.01"
    if document["game"] == FREE_BET:
        document["table"] = {"max": "100000.00"}
        document["wagers"][0]["stake"] = "100000.01"


def wager_twice(document: dict[str, Any], drawer: random.Random) -> None:
    again = dict(drawer.choice(document["wagers"]))
    again["id"] = drawer.choice([again["id"], "other"])
    document["wagers"].append(again)


def side_bet_alone(document: dict[str, Any], drawer: random.Random) -> None:
    first = document["wagers"][0]
    alone = "p9" if document["game"] in SHARED else first["box"]
    side = {FREE_BET: "push22", "69games.blackjack": "perfect_pairs"}.get(document["game"], "21+3")
    document["wagers"].append(first | {"id": "s", "player": "p9", "box": alone, "bet": side})
    assert drawer


def late_wager(document: dict[str, Any], drawer: random.Random) -> None:
    drawer.choice(document["wagers"])["late"] = True


def hit_more(document: dict[str, Any], drawer: random.Random) -> None:
    player, hand = drawer.choice(places(document))
    at = drawer.randint(0, len(document["actions"]))
    document["actions"].insert(at, {"player": player, "hand": hand, "type": "hit"})


def decision_of_a_stranger(document: dict[str, Any], drawer: random.Random) -> None:
    kind = drawer.choice(["stand", "hit", "split", "skip_insurance"])
    _, hand = drawer.choice(places(document))
    document["actions"].append({"player": "p9", "hand": hand, "type": kind})


def places(document: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs of a player and a final hand on the player's box."""
    return [
        (wager["player"], hand)
        for wager in document["wagers"]
        for hand in document["outcome"]["hands"]
        if wager["bet"] == "main" and hand.split(".")[0] == wager["box"]
    ]


REFUSED: list[tuple[Any, set[str]]] = [
    (
        card_of_a_hand_taken_away,
        {
            *("PLAYER_CARDS_MISMATCH", "OUTCOME_INCOMPLETE", "ACTION_MISSING"),
            *("ACTION_NOT_ALLOWED", "SHARED_CARDS_MISMATCH"),
        },
    ),
    (
        card_put_on_a_hand,
        {"PLAYER_CARDS_MISMATCH", "SHARED_CARDS_MISMATCH", "TOO_MANY_COPIES"},
    ),
    (
        hand_taken_away,
        {
            *("PLAYER_CARDS_MISMATCH", "OUTCOME_INCOMPLETE", "SHARED_CARDS_MISMATCH"),
            *("ACTION_NOT_ALLOWED", "ACTION_MISSING"),
        },
    ),
    (hand_for_nobody, {"PLAYER_CARDS_MISMATCH"}),
    (no_card, {"INVALID_CARD"}),
    (card_of_a_ninth_deck, {"TOO_MANY_COPIES"}),
    (dealer_who_goes_on, {"DRAW_RULE_VIOLATION", "TOO_MANY_COPIES"}),
    (stake_of_nothing, {"INVALID_STAKE"}),
    (stake_above_every_limit, {"BET_ABOVE_MAXIMUM"}),
    (wager_twice, {"DUPLICATE_WAGER"}),
    (side_bet_alone, {"SIDE_BET_WITHOUT_MAIN"}),
    (late_wager, {"BET_AFTER_CLOSE"}),
    (hit_more, {"ACTION_NOT_ALLOWED", "PLAYER_CARDS_MISMATCH", "ACTION_MISSING"}),
    (decision_of_a_stranger, {"ACTION_NOT_ALLOWED"}),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("spoil", "codes"), REFUSED, ids=lambda one: getattr(one, "__name__", ""))
def test_one_mistake_is_refused(game: str, spoil: Any, codes: set[str]) -> None:
    drawer = random.Random(f"{game} {spoil.__name__}")
    for _ in range(40):
        document, _expected = play(game, drawer)
        spoil(document, drawer)
        assert check_answer(document) in codes, document


@pytest.mark.parametrize("game", GAMES)
def test_a_decision_put_in_or_left_out_makes_no_money(game: str) -> None:
    """Any change of the decisions is refused or leads to a round that is consistent again."""
    drawer = random.Random(f"decisions {game}")
    kinds = ["stand", "double", "split", "insurance", "skip_insurance", "even_money"]
    refused = settled = 0
    for _ in range(250):
        document, _expected = play(game, drawer)
        actions = document["actions"]
        if actions and drawer.random() < 0.3:
            actions.pop(drawer.randrange(len(actions)))
        else:
            player, hand = drawer.choice(places(document))
            action = {"player": player, "hand": hand, "type": drawer.choice(kinds)}
            if action["type"] == "insurance":
                action |= {"hand": hand.split(".")[0], "stake": "50.00"}
            if drawer.random() < 0.3:
                action["free"] = True
            actions.insert(drawer.randint(0, len(actions)), action)
        if check_answer(document) is None:
            settled += 1
        else:
            refused += 1
    assert refused > settled > 0


WORDS = [
    *("p0", "b0", "1", "1.1", "100.00", "AS", "5D", "main", "push22", "21+3", "hit", "split"),
    *("double", "insurance", "timeout", "absent", "operator_interruption", "before_close", *GAMES),
]
KEYS = [
    *("id", "game", "wagers", "outcome", "actions", "table", "void", "reason", "player", "box"),
    *("bet", "stake", "hand", "hands", "dealer", "owners", "type", "auto", "free", "disconnects"),
]
ANY_JSON = json_values(WORDS, KEYS)


@settings(deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 60), st.data())
def test_a_round_with_one_part_replaced_gets_an_answer(
    game: str, seed: int, data: st.DataObject
) -> None:
    document: Any = play(game, random.Random(f"{game} {seed}"))[0]
    document["outcome"]["disconnects"] = [{"player": "p0", "phase": "after_close"}]
    if data.draw(st.booleans()):
        document["outcome"]["void"] = {
            "reason": data.draw(st.sampled_from(WORDS)),
            "players": ["p0"],
        }
    for _ in range(data.draw(st.integers(1, 2))):
        spoil(document, data, ANY_JSON)
    answer = games.settle(document)
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["code"] in CODES
        return
    payouts = [haler(line["payout"]) for line in answer["wagers"]]
    assert sum(payouts) == haler(answer["total_payout"])
    assert min(payouts) >= 0
