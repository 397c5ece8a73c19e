"""Hands of players with short stacks: each player can act in turn, and all money is paid."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from ledger.state.hand_turn import to_act
from tests.ledger.decisions.decisions_casino import CROWN
from tests.ledger.decisions.poker_room import BOARD, Room

if TYPE_CHECKING:
    from ledger.state.hand import HandState
    from tests.ledger.decisions.decisions_casino import Casino

CARDS = {"anna": ("AS", "AD"), "bara": ("KS", "KD"), "cyril": ("QS", "QD"), "dana": ("TS", "TD")}
STACKS = (5, 10, 15, 40, 50, 54, 60, 99, 100, 110, 150, 250, 900)
MONEY = 10_000


@pytest.fixture
def room(house: Casino) -> Room:
    room = Room(house)
    room.players(*CARDS, money=MONEY)
    return room


class ShortHand:
    """A hand of players with so many crowns each."""

    def __init__(self, room: Room, name: str, stacks: dict[str, int], ante: int) -> None:
        self.room, self.name, self.left = room, name, stacks
        room.hand(name, *CARDS, ante=ante * CROWN)
        for player in CARDS if ante else ():
            self.put(player, "ante", ante)
        for player, blind in (("bara", 50), ("cyril", 100)):
            if stacks[player]:
                self.put(player, "post", blind)
        for player, cards in CARDS.items():
            room.deal(name, player, *cards)

    @property
    def state(self) -> HandState:
        state = self.room.casino.ledger._ledger_state.round(self.name).hand
        assert state is not None
        return state

    def put(self, player: str, action: str, crowns: int) -> None:
        """Put in so much, or all that is left."""
        paid = min(crowns, self.left[player])
        self.left[player] -= paid
        self.room.act(self.name, player, action, paid, all_in=not self.left[player])

    def bet_street(self, draw: random.Random) -> None:
        """Let the players call, check, fold or go all-in, in turn."""
        while player := to_act(self.state):
            state = self.state
            street = state.street
            so_far = state.on_street(player, street) // CROWN
            price = state.highest(street) // CROWN
            if street == "preflop" and price < 100:
                price = draw.choice((price, 100))
            if draw.random() < 0.1:
                self.room.act(self.name, player, "fold")
            elif so_far + self.left[player] > max(price, 100) and draw.random() < 0.2:
                is_bet = not price and street != "preflop"
                self.put(player, "bet" if is_bet else "raise", self.left[player])
            elif price > so_far:
                self.put(player, "call", price - so_far)
            else:
                self.room.act(self.name, player, "check")

    def play(self, draw: random.Random) -> None:
        for cards in (BOARD[:0], BOARD[:3], BOARD[3:4], BOARD[4:]):
            self.room.deal(self.name, "board", *cards)
            self.bet_street(draw)
        self.room.casino.do("settle_hand", round=self.name)


@pytest.mark.law("69GAMES poker rules, course of the game")
def test_every_hand_of_short_stacks_is_played_to_its_end(room: Room) -> None:
    """Whatever the stacks: also if antes and blinds take them, or a blind is short."""
    draw = random.Random(7)
    for number in range(80):
        stacks = {player: draw.choice(STACKS) for player in CARDS}
        ShortHand(room, f"h{number}", stacks, draw.choice((0, 10))).play(draw)
    held = [room.casino.account(player) for player in CARDS]
    rake = sum(event.amount for event in room.casino.all_events("RakeTaken"))
    assert sum(account.wallet for account in held) == len(CARDS) * MONEY * CROWN - rake
    assert not any(account.bets for account in held)


def test_who_went_all_in_with_the_ante_owes_no_blind(room: Room) -> None:
    hand = ShortHand(room, "h", {"anna": 500, "bara": 10, "cyril": 5, "dana": 500}, ante=10)
    room.refuse("ACTION_NOT_ALLOWED", "h", "bara", "post", 50)
    hand.put("dana", "call", 100)
    hand.put("anna", "call", 100)
    assert to_act(hand.state) == ""


@pytest.mark.parametrize(
    ("left", "crowns", "is_call"),
    [(500, 50, True), (500, 100, True), (54, 54, True), (500, 54, False), (500, 101, False)],
)
def test_a_short_big_blind_is_called_as_it_is_or_as_a_whole_one(
    room: Room, left: int, crowns: int, *, is_call: bool
) -> None:
    """The plan does not say which; a stack between the two goes in as a call."""
    hand = ShortHand(room, "h", {"anna": 500, "bara": 500, "cyril": 43, "dana": left}, ante=0)
    if is_call:
        hand.put("dana", "call", crowns)
    else:
        room.refuse("ACTION_NOT_ALLOWED", "h", "dana", "call", crowns)
