"""State of one poker hand among players, folded from its events.

The fold never rejects an event: the log records what happened. Amounts are haléř, in a tournament
hundredths of a chip. The write side and the projections fold the same facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from ledger.core.dispatch import on, table
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.games.poker import ANTE, BOARD_BY_STREET, PREFLOP
from ledger.state.cards import CARD_CHANGES, CardOnTable

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "ANTE",
    "BOARD",
    "CHANGES",
    "DEAD",
    "PASSIVE",
    "STACK",
    "HandState",
    "PlayerAct",
    "fold",
]

STACK = "stack"
BOARD = "board"
DEAD = "dead"
"""A hand with a wrong number of cards, folded whatever its turn (69GAMES poker rules, Misdeal)."""
PASSIVE = frozenset({"post", ANTE, "muck", "show", STACK, DEAD})
"""Actions that are not part of the betting."""
STREETS = {brought.stop: street for street, brought in BOARD_BY_STREET.items() if brought.stop}


class PlayerAct(NamedTuple):
    """A recorded action; ``total`` is the player's money on the street after the action."""

    account: str
    action: str
    street: str
    total: int
    all_in: bool


class HandState(Struct):
    """A hand among players: its terms, its money, its cards.

    ``money`` is the money that each player put in, by street, uncalled money included. ``cards``
    are the cards on the table by running number; ``doubts`` names contradictory records of cards.
    ``gone`` are the players who folded or mucked. For open-face, ``placed`` are the placements of
    each player, street by street, and ``sets`` the complete rows.
    """

    started: e.HandStarted
    money: dict[str, dict[str, int]] = field(default_factory=dict)
    all_in: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    acts: list[PlayerAct] = field(default_factory=list)
    cards: dict[int, CardOnTable] = field(default_factory=dict)
    doubts: set[Phrase] = field(default_factory=set)
    sets: dict[str, e.HandsSet] = field(default_factory=dict)
    placed: dict[str, list[e.CardsPlaced]] = field(default_factory=dict)

    @property
    def street(self) -> str:
        """Street of the betting, as shown by the board."""
        return STREETS.get(len(self.cards_of(BOARD)), PREFLOP)

    @property
    def acted(self) -> list[str]:
        """Players who have acted in the betting."""
        return list(dict.fromkeys(a.account for a in self.acts if a.action not in PASSIVE))

    def bet_of(self, account: str) -> str:
        """Return the name of a player's bet in the hand: round, hyphen, seat number from 1."""
        return f"{self.started.round}-{self.started.accounts.index(account) + 1}"

    def cards_of(self, recipient: str) -> list[str]:
        """Return the values of the cards of a player, the board or the burn."""
        dealt = sorted(self.cards.items(), key=lambda entry: entry[0])
        return [on_table.card for _, on_table in dealt if on_table.recipient == recipient]

    def on_street(self, account: str, street: str) -> int:
        """Return a player's money on a street."""
        return self.money.get(account, {}).get(street, 0)

    def highest(self, street: str) -> int:
        """Return the highest amount that any player has put in on a street."""
        return max((streets.get(street, 0) for streets in self.money.values()), default=0)

    def total(self, account: str) -> int:
        """Return a player's money in the hand."""
        return sum(self.money.get(account, {}).values())

    @property
    def payers(self) -> list[str]:
        """Players with money in the hand, in the order of the seats."""
        return [account for account in self.started.accounts if self.total(account)]


def fold(hand: HandState | None, event: e.Event) -> HandState | None:
    """Apply an event of its round to a hand; the hand is None before it begins."""
    if isinstance(event, e.HandStarted):
        return hand or HandState(event)
    change = CHANGES.get(type(event))
    if hand is not None and change is not None:
        change(hand, event)
    return hand


def _acted(hand: HandState, event: e.HandAction) -> None:
    streets = hand.money.setdefault(event.account, {})
    streets[event.street] = streets.get(event.street, 0) + event.amount
    if event.all_in and event.account not in hand.all_in:
        hand.all_in.append(event.account)
    if event.action in {"fold", "muck", DEAD}:
        hand.gone.append(event.account)
    hand.acts.append(
        PlayerAct(event.account, event.action, event.street, event.total, all_in=event.all_in)
    )


def _set(hand: HandState, event: e.HandsSet) -> None:
    hand.sets[event.account] = event


def _placed(hand: HandState, event: e.CardsPlaced) -> None:
    hand.placed.setdefault(event.account, []).append(event)


CHANGES: dict[type[e.Event], Callable[[HandState, Any], None]] = table(
    on(e.HandAction, _acted),
    on(e.HandsSet, _set),
    on(e.CardsPlaced, _placed),
)
CHANGES |= CARD_CHANGES
