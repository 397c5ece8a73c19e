"""Random hands through the API: no haléř is lost or made, cold equals hot, books add up."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ledger.decisions.decisions_casino import Casino
from tests.ledger.decisions.poker_room import PLAYERS, Room
from tests.ledger.decisions.test_decisions_books import folded_from_the_beginning
from tests.search import amount

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
ACTIONS = ("check", "call", "bet", "raise", "fold", "call", "check", "call")

hands = st.lists(
    st.tuples(
        st.permutations(DECK),
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 7), st.integers(1, 40)), max_size=24),
        st.sampled_from(("rake", "time", "misdeal")),
    ),
    min_size=1,
    max_size=3,
)


def play(room: Room, name: str, hand: tuple[list[str], list[tuple[int, int, int]], str]) -> None:
    """Play a hand of random actions; those that are not allowed are refused."""
    deck, actions, end = list(hand[0]), hand[1], hand[2]
    casino = room.casino
    fee = {"time_fee": 50_000} if end == "time" else {}
    casino.send("start_hand", **room.terms(name, ante=1_000) | fee)
    for player in PLAYERS:
        casino.send("act_in_hand", round=name, account=player, action="ante", amount=1_000)
    casino.send("act_in_hand", round=name, account="bara", action="post", amount=5_000)
    casino.send("act_in_hand", round=name, account="cyril", action="post", amount=10_000)
    for player in PLAYERS:
        room.deal(name, player, deck.pop(), deck.pop())
    if end == "misdeal":
        casino.do("declare_misdeal", round=name, ground="misdeal_extra_cards")
        return
    for street, cards in enumerate((0, 3, 1, 1)):
        for _ in range(cards):
            room.deal(name, "board", deck.pop())
        for seat, kind, chips in actions[street * 6 : street * 6 + 6]:
            act(room, name, PLAYERS[seat], ACTIONS[kind], chips)
        match(room, name)
    casino.send("settle_hand", round=name)
    assert casino.round(name).status == "settled"


def act(room: Room, name: str, player: str, action: str, chips: int) -> None:
    hand = room.casino.round(name).hand
    assert hand is not None
    street = hand.street
    amount = {"check": 0, "fold": 0, "call": hand.highest(street) - hand.on_street(player, street)}
    if action == "fold" and len(hand.gone) == 2:
        return
    room.casino.send(
        "act_in_hand",
        round=name,
        account=player,
        action=action,
        amount=amount.get(action, chips * 10_000),
        all_in=action == "raise" and chips % 7 == 0,
    )


def match(room: Room, name: str) -> None:
    """Let everybody who is in call what was bet, or fold, each when it is the player's turn."""
    for player in PLAYERS * 3:
        hand = room.casino.round(name).hand
        assert hand is not None
        to_call = hand.highest(hand.street) - hand.on_street(player, hand.street)
        if player in hand.gone or player in hand.all_in or to_call <= 0:
            continue
        facts = {"round": name, "account": player}
        receipt = room.casino.send("act_in_hand", action="call", amount=to_call, **facts)
        if receipt.refused is not None:
            room.casino.send("act_in_hand", action="fold", **facts)


@settings(max_examples=amount(15, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(hands)
def test_after_any_hands_all_money_is_there(
    played: list[tuple[list[str], list[tuple[int, int, int]], str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        casino = Casino(Path(folder))
        casino.open_house()
        room = Room(casino)
        room.players(money=10_000)
        for number, hand in enumerate(played):
            play(room, f"h{number}", hand)
        rake = sum(event.amount for event in casino.all_events("RakeTaken"))
        held = [casino.account(player) for player in PLAYERS]
        assert sum(account.wallet + account.in_play for account in held) == 3_000_000 - rake
        assert not any(account.bets for account in held)
        for event in casino.all_events("PotAwarded"):
            assert sum(event.stakes) == event.amount == sum(event.paid) + event.rake
            assert event.due == event.paid
        for player in PLAYERS:
            assert folded_from_the_beginning(casino, player) == casino.account(player)
        casino.assert_cold_is_hot()
        casino.ledger.close()
