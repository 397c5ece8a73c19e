"""Missing cards in all card games: OUTCOME_INCOMPLETE at its place in the contract's order.

The order is: request, bets and stakes, limits, void reason, outcome and cards, decisions, missing
decisions, cards against decisions, the dealer's drawing. A card that is missing whatever was
decided is missed with the cards; one that only the decisions ask for, with the decisions.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from tests.ledger.games.banker_cases import BACCARAT, CASINO, ULTIMATE
from tests.ledger.games.banker_rounds import baccarat_round, casino_round, ultimate_round
from tests.ledger.games.blackjack_cases import GAMES as BLACKJACK
from tests.ledger.games.blackjack_cases import LAND
from tests.ledger.games.blackjack_dealer import play
from tests.ledger.games.ofc_cases import HIGH, LOW
from tests.ledger.games.ofc_cases import game as open_face
from tests.ledger.games.poker_cases import (
    OMAHA,
    OMAHA_TOURNAMENT,
    PINEAPPLE,
    PINEAPPLE_TOURNAMENT,
    TEXAS,
    TEXAS_TOURNAMENT,
    even,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Document = dict[str, Any]

ROUNDS = 40
INCOMPLETE = "OUTCOME_INCOMPLETE"
BANKER = {BACCARAT: baccarat_round, CASINO: casino_round, ULTIMATE: ultimate_round}
POKER = [TEXAS, OMAHA, TEXAS_TOURNAMENT, OMAHA_TOURNAMENT]
OPEN_FACE = [PINEAPPLE, PINEAPPLE_TOURNAMENT]
GAMES = [*BLACKJACK, *BANKER, *POKER, *OPEN_FACE]


def legal(game: str, drawer: random.Random) -> Document:
    """Play a round by the rules."""
    if game in BLACKJACK:
        return play(game, drawer)[0]
    if game in BANKER:
        return BANKER[game](drawer)[0]
    if game in OPEN_FACE:
        return open_face(HIGH, LOW, id_=game)
    if "omaha" in game:
        hands = {"p1": ["AS", "AD", "3C", "4C"], "p2": ["KC", "KH", "3D", "4D"]}
        return even(100, game=game, hands=hands)
    return even(100, game=game)


def cut(game: str, document: Document) -> Iterator[tuple[str, Document]]:
    """Take cards off the end of every hand in turn, down to a hand that is not complete."""
    outcome = document["outcome"]
    for place in ("dealer", "player", "banker", "player_cards", "board"):
        cards = outcome.get(place, [])
        whole = {"board": 3 if game == CASINO else 5}.get(place, 2)
        if place == "dealer" and game in LAND:
            whole = 1  # The second card is drawn behind the players.
        if game in POKER:
            whole = len(cards)
        lengths = set(range(min(whole, len(cards))))
        if game in POKER:
            lengths &= {0, 3, 4}  # A board of another length is impossible.
        if game == CASINO:
            lengths = {"dealer": {1}, "board": {0, 1, 2, 4}}.get(place, lengths)
        for left in sorted(lengths):
            yield place, changed(document, lambda o, p=place, n=left: o.update({p: o[p][:n]}))
    for name in outcome.get("hands", {}):
        if game in POKER:  # A hand with a wrong number of cards is dead, not missing.
            yield name, changed(document, lambda o, n=name: o["hands"].pop(n))
            continue
        for left in (0, 1):
            yield (
                name,
                changed(
                    document, lambda o, n=name, c=left: o["hands"].update({n: o["hands"][n][:c]})
                ),
            )
    for name, rows in outcome.get("sets", {}).items():
        for row in rows:
            yield name, changed(document, lambda o, n=name, r=row: o["sets"][n].pop(r))


def changed(document: Document, change: Callable[[Document], object]) -> Document:
    copy = deepcopy(document)
    change(copy["outcome"])
    return copy


def cards_of_boxes(document: Document) -> Document:
    outcome = document["outcome"]
    return outcome["hands"] if "hands" in outcome else outcome.get("sets", {})


STRANGER = {"player": "p9", "type": "raise", "hand": "9", "street": "flop", "times": 2}

EARLIER: dict[str, Callable[[Document], object]] = {
    "UNKNOWN_BET": lambda d: d["wagers"][0].update(bet="x"),
    "INVALID_TABLE_LIMITS": lambda d: d.update(table={"min": "2.00", "max": "1.00"}),
    "INVALID_VOID_REASON": lambda d: d["outcome"].update(void={"reason": "bad_mood"}),
    "INVALID_OUTCOME": lambda d: d["outcome"].update(
        disconnects=[{"player": "nobody", "phase": "after_close"}]
    ),
}
LATER: dict[str, Callable[[Document], object]] = {
    "ACTION_NOT_ALLOWED": lambda d: d.setdefault("actions", []).append(STRANGER),
    "ACTION_MISSING": lambda d: d["actions"].clear(),
    "PLAYER_CARDS_MISMATCH": lambda d: cards_of_boxes(d).update(
        nobody={} if "sets" in d["outcome"] else []
    ),
    "DRAW_RULE_VIOLATION": lambda d: d["outcome"]["banker"].extend(["2S", "2D"]),
}


def code_of(document: Document) -> str:
    return str(games.settle(document).get("error", {}).get("code"))


@pytest.mark.parametrize("game", GAMES)
def test_a_card_that_is_missing_in_any_case_is_missed_with_the_cards(game: str) -> None:
    drawer = random.Random(game)
    for _ in range(ROUNDS):
        for place, document in cut(game, legal(game, drawer)):
            assert code_of(document) == INCOMPLETE, (place, document)
            for code, fault in EARLIER.items():
                worse = deepcopy(document)
                fault(worse)
                assert code_of(worse) == code, (place, worse)
            for code, fault in LATER.items():
                if game in POKER:
                    continue  # Who has to show cards is known with the decisions only.
                if code == "PLAYER_CARDS_MISMATCH" and not cards_of_boxes(document):
                    continue
                if code == "DRAW_RULE_VIOLATION" and (game != BACCARAT or place == "banker"):
                    continue
                if code == "ACTION_MISSING" and "actions" not in document:
                    continue
                worse = deepcopy(document)
                fault(worse)
                assert code_of(worse) == INCOMPLETE, (place, code, worse)


@pytest.mark.parametrize("game", LAND)
def test_a_second_card_that_the_decisions_ask_for_is_missed_with_them(game: str) -> None:
    drawer = random.Random(f"dealer {game}")
    asked = 0
    for _ in range(10 * ROUNDS):
        document = changed(legal(game, drawer), lambda o: o.update(dealer=o["dealer"][:1]))
        code = code_of(document)
        assert code in {INCOMPLETE, "None"}, document
        if code != INCOMPLETE:
            continue
        asked += 1
        worse = deepcopy(document)
        LATER["PLAYER_CARDS_MISMATCH"](worse)
        assert code_of(worse) == INCOMPLETE, worse
        LATER["ACTION_NOT_ALLOWED"](worse)
        assert code_of(worse) == "ACTION_NOT_ALLOWED", worse
    assert asked > ROUNDS


@pytest.mark.parametrize("game", [CASINO])
def test_a_showdown_that_a_call_asks_for_is_missed_with_the_decisions(game: str) -> None:
    drawer = random.Random(f"showdown {game}")
    for _ in range(ROUNDS):
        whole = legal(game, drawer)
        called = any(action["type"] != "fold" for action in whole["actions"])
        for place, left in (("dealer", 0), ("board", 3)):
            document = changed(whole, lambda o, p=place, n=left: o.update({p: o[p][:n]}))
            assert code_of(document) == (INCOMPLETE if called else "None"), document
            LATER["ACTION_NOT_ALLOWED"](document)
            assert code_of(document) == "ACTION_NOT_ALLOWED", document


@pytest.mark.parametrize("game", [game for game in GAMES if game in BLACKJACK or game == BACCARAT])
def test_a_dealer_without_two_cards_never_drew_wrongly(game: str) -> None:
    """Whatever is cut from whichever hands: with cards missing nothing is said of the drawing."""
    drawer = random.Random(f"never {game}")
    for _ in range(4 * ROUNDS):
        document = legal(game, drawer)
        outcome = document["outcome"]
        hands = [outcome[name] for name in ("dealer", "player", "banker") if name in outcome]
        for cards in (*hands, *outcome.get("hands", {}).values()):
            del cards[drawer.randint(0, len(cards)) :]
        if min(len(cards) for cards in hands) < 2:
            assert code_of(document) != "DRAW_RULE_VIOLATION", document
