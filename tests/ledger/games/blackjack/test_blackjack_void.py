"""Stakes of blackjack that come back: void rounds, card counters, players who were cut off."""

from __future__ import annotations

from typing import Any

import pytest

from ledger import games
from tests.ledger.games.banker_cases import code_of
from tests.ledger.games.blackjack_cases import (
    FREE_BET,
    GAMES,
    LAND,
    SAZKA,
    SEATED,
    SHARED,
    SIXTY_NINE,
    SYNOT,
    home,
    lines_of,
    one,
    request,
    short,
)

MAIN = "p1 1 main"
NOT_ALLOWED = "ACTION_NOT_ALLOWED"

CANCELLED = [
    "card_misrecorded",
    "multiple_cards_face_up_in_shoe",
    "cards_fell_order_unknown",
    "hole_card_exposed_early",
]


def void(reason: str, **more: Any) -> dict[str, Any]:
    return {"void": {"reason": reason, **more}}


@pytest.mark.parametrize("game", SAZKA)
@pytest.mark.parametrize("reason", [*CANCELLED, "result_not_recorded", "operator_interruption"])
def test_a_void_round_returns_everything(game: str, reason: str) -> None:
    box = home(game)
    wagers = [f"p1 {box} main", f"p1 {box} 21+3 50.00"]
    decisions = ["insurance 50.00", "split", "hit"]
    actions = [f"p1 {box} {word}" for word in decisions[:2]]
    actions += [f"p1 {box}.1 hit", f"p1 {box}.2 double"]
    document = request(game, wagers, actions, None, None, outcome=void(reason))
    assert lines_of(document) == {
        f"p1-{box}-main": ("void", "100.00"),
        f"p1-{box}-main:insurance": ("void", "50.00"),
        f"p1-{box}-main:split:{box}.2": ("void", "100.00"),
        f"p1-{box}-main:double:{box}.2": ("void", "100.00"),
        f"p1-{box}-21+3": ("void", "50.00"),
    }
    with_cards = request(game, wagers, [], {box: "?? 1D"}, "9C", outcome=void(reason))
    assert len(lines_of(with_cards)) == 2


def test_a_supervisor_voids_a_round_with_its_tokens() -> None:
    actions = ["p1 1 split free", "p1 1.1 double free", "p1 1.2 double"]
    document = request(
        FREE_BET, [MAIN], actions, None, None, outcome=void("internal_supervisor_decision")
    )
    assert lines_of(document) == {
        "p1-1-main": ("void", "100.00"),
        "p1-1-main:free_split:1.2": ("void", "0.00"),
        "p1-1-main:free_double:1.1": ("void", "0.00"),
        "p1-1-main:double:1.2": ("void", "100.00"),
    }
    even = request(
        FREE_BET,
        [MAIN],
        ["p1 1 even_money"],
        None,
        None,
        outcome=void("internal_supervisor_decision"),
    )
    assert lines_of(even) == {"p1-1-main": ("void", "100.00")}


@pytest.mark.parametrize(
    ("code", "game", "outcome"),
    [
        *(("INVALID_VOID_REASON", game, void("misdeal")) for game in GAMES),
        *(("INVALID_VOID_REASON", game, void("card_counting", players=["p1"])) for game in SAZKA),
        *(("INVALID_VOID_REASON", game, void("operator_interruption")) for game in LAND),
        *(("INVALID_VOID_REASON", SYNOT, void(reason, players=["p1"])) for reason in CANCELLED),
        ("INVALID_VOID_REASON", SYNOT, void("hidden_card_exposed")),
        ("INVALID_VOID_REASON", SIXTY_NINE, void("card_counting")),
        ("INVALID_VOID_REASON", SIXTY_NINE, void("card_counting", players=[])),
        ("INVALID_VOID_REASON", FREE_BET, void("card_counting", players=["p1"])),
        ("VOID_NOT_ALLOWED", SYNOT, void("card_misrecorded", reconstructable=True)),
        ("INVALID_OUTCOME", SYNOT, void("result_not_recorded", players=["p2"])),
        ("INVALID_OUTCOME", SYNOT, void("result_not_recorded", players=[])),
        ("INVALID_OUTCOME", SYNOT, {"disconnects": [{"player": "p2", "phase": "after_close"}]}),
        ("INVALID_OUTCOME", SYNOT, {"disconnects": [{"player": "p1", "phase": "later"}]}),
        *(
            ("INVALID_OUTCOME", game, {"disconnects": [{"player": "p1", "phase": "before_close"}]})
            for game in LAND
        ),
    ],
)
def test_a_void_or_disconnection_that_cannot_be(
    code: str, game: str, outcome: dict[str, Any]
) -> None:
    assert code_of(one(game, "", "KS 9D", "9C TD", outcome=outcome)) == code


@pytest.mark.parametrize(
    ("decisions", "code"),
    [
        (["p2 1 hit"], NOT_ALLOWED),
        (["p1 1 split", "p1 1.1 split"], NOT_ALLOWED),
        (["p1 1 insurance 40.00"], "STAKE_MISMATCH"),
        (["p1 1 hit @timeout"], NOT_ALLOWED),
    ],
)
def test_a_void_round_keeps_out_stakes_that_cannot_have_been_taken(
    decisions: list[str], code: str
) -> None:
    document = request(SYNOT, [MAIN], decisions, None, None, outcome=void("result_not_recorded"))
    assert code_of(document) == code


def test_a_round_can_be_void_for_some_players() -> None:
    wagers = [MAIN, "p2 2 main", "p2 2 21+3"]
    decisions = ["p2 2 double", "p1 1 stand"]
    outcome = void("operator_interruption", players=["p2"])
    expected = {
        "p1-1-main": ("win", "200.00"),
        "p2-2-main": ("void", "100.00"),
        "p2-2-main:double:2": ("void", "100.00"),
        "p2-2-21+3": ("void", "100.00"),
    }
    for hands in ({"1": "KS QD"}, {"1": "KS QD", "2": "KS QD"}, {"1": "KS QD", "2": "5S 6D"}):
        document = request(SYNOT, wagers, decisions, hands, "9C TD", outcome=outcome)
        assert lines_of(document) == expected


def test_a_card_counter_who_decides_on_a_box_gets_his_stakes_back_alone() -> None:
    outcome = void("card_counting", players=["p1"])
    decisions = ["p1 1 double", "p2 1 double"]
    hands = {"1": "5S 6D TC"}
    document = request(SIXTY_NINE, [MAIN, "p2 1 main"], decisions, hands, "9C TD", outcome=outcome)
    assert lines_of(document) == {
        "p1-1-main": ("void", "100.00"),
        "p1-1-main:double:1": ("void", "100.00"),
        "p2-1-main": ("win", "200.00"),
        "p2-1-main:double:1": ("win", "200.00"),
    }


def gone(player: str = "p1", phase: str = "before_close") -> dict[str, Any]:
    return {"disconnects": [{"player": player, "phase": phase}]}


@pytest.mark.parametrize("game", SAZKA)
def test_a_player_who_was_cut_off_before_the_close_never_bet(game: str) -> None:
    box = home(game)
    wagers = [f"p1 {box} main 900000.00", f"p1 {box} 21+3 5000.00"]
    alone = request(game, wagers, [], None, None, outcome=gone())
    assert {result for result, _ in lines_of(alone).values()} == {"void"}
    other = "p2" if game in SHARED else "2"
    hands = {other: "KS QD"}
    document = request(game, [*wagers, f"p2 {other} main"], [], hands, "9C TD", outcome=gone())
    assert lines_of(document) == {
        f"p1-{box}-main": ("void", "900000.00"),
        f"p1-{box}-21+3": ("void", "5000.00"),
        f"p2-{other}-main": ("win", "200.00"),
    }
    hands[box] = "KS QD"
    assert "error" not in games.settle(
        request(game, [*wagers, f"p2 {other} main"], [], hands, "9C TD", outcome=gone())
    )
    acted = request(game, wagers, [f"p1 {box} stand"], None, None, outcome=gone())
    assert code_of(acted) == NOT_ALLOWED


@pytest.mark.parametrize("game", SEATED)
def test_the_seat_of_a_player_who_was_cut_off_can_be_taken(game: str) -> None:
    document = request(
        game, [MAIN, "p2 1 main"], ["p2 1 stand"], {"1": "KS QD"}, "9C TD", outcome=gone()
    )
    assert lines_of(document) == {"p1-1-main": ("void", "100.00"), "p2-1-main": ("win", "200.00")}


@pytest.mark.parametrize("game", GAMES)
def test_a_player_who_was_cut_off_after_the_close_plays_on(game: str) -> None:
    document = one(game, "stand", "KS QD", "9C TD", outcome=gone(phase="after_close"))
    assert short(document) == "main win 200"


@pytest.mark.parametrize(
    ("game", "reason"),
    [(SIXTY_NINE, "card_counting"), (FREE_BET, "internal_supervisor_decision")],
)
def test_the_second_card_that_the_dealer_drew_for_a_void_player_is_lawful(
    game: str, reason: str
) -> None:
    """Only the insurance or the blackjack of p1 asked for it, and p1 gets the stakes back."""
    outcome = void(reason, players=["p1"])
    insured = ["p1 1 insurance 50.00", "p1 1 hit"]
    for wagers, decisions, hands in (
        ([MAIN, "p2 1 main"], insured, {"1": "KS 6D 9C"}),
        ([MAIN, "p2 2 main"], ["p2 2 hit"], {"1": "AS KD", "2": "KS 6D 9C"}),
    ):
        for dealer in ("AC", "AC 5D", "AC 5D TD 4C"):
            document = request(game, wagers, decisions, hands, dealer, outcome=outcome)
            assert lines_of(document)["p1-1-main"] == ("void", "100.00")
        document = request(game, wagers, decisions, hands, "AC 5D TD", outcome=outcome)
        assert code_of(document) == "DRAW_RULE_VIOLATION"
        document = request(game, wagers, decisions, hands, "AC 5D")
        assert "error" not in games.settle(document)
