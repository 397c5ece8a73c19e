"""Follow one hand among players by its events, independently of the write side.

What comes in: typed events of one round in the order of the chain. What goes out: the money, cards
and order of play of the hand, from which it is settled again. No event is rejected: the log records
what happened. The write side's counterpart is ``ledger.state.hand``. Amounts are haléř, in a
tournament hundredths of a chip.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.events import event_types as e
from ledger.games.poker import ANTE, BOARD_BY_STREET, PREFLOP, clockwise_after
from projections.resettlement.cards import follow_card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger import games
    from ledger.core.phrases import Phrase

__all__ = [
    "ACTED_FOR_MISDEAL",
    "ANTE",
    "BOARD",
    "DEAD",
    "NOT_BETTING",
    "NO_LIMIT",
    "POT_LIMIT",
    "STACK",
    "PokerHand",
]

STACK, BOARD, DEAD = "stack", "board", "dead"
NOT_BETTING = frozenset({"post", ANTE, "muck", "show", STACK, DEAD})
LEAVES = frozenset({"fold", "muck", DEAD})
SHOWDOWN = frozenset({"show", "muck"})
*_, RIVER = BOARD_BY_STREET
RAISES = frozenset({"bet", "raise"})
POT_LIMIT, NO_LIMIT = "pot limit", "no limit"
ACTED_FOR_MISDEAL = 2
"""Number of players with an action from which a hand must be played on (69GAMES poker rules,
Misdeal)."""


@dataclass(slots=True)
class PokerHand:
    """State of a hand after the events so far.

    ``cards`` are by running number; ``doubts`` describe contradictory records of them. ``money`` is
    the contribution of each player on each street, including uncalled money. ``waiting`` are the
    players who have not yet responded to the last bet of their ``street``; ``last`` acted last.
    ``shown`` are the players who showed or mucked, in that order; ``revealed`` are the recipients
    of cards that were read later than they were dealt.
    """

    started: e.HandStarted
    actions: list[e.HandAction] = field(default_factory=list)
    cards: dict[int, games.RecordedCard] = field(default_factory=dict)
    doubts: set[Phrase] = field(default_factory=set)
    sets: dict[str, e.HandsSet] = field(default_factory=dict)
    placements: dict[str, list[e.CardsPlaced]] = field(default_factory=dict)
    money: Counter[tuple[str, str]] = field(default_factory=Counter)
    out: set[str] = field(default_factory=set)
    all_in: set[str] = field(default_factory=set)
    shown: list[str] = field(default_factory=list)
    revealed: set[str] = field(default_factory=set)
    _street: str = ""
    _waiting: list[str] = field(default_factory=list)
    _last: str = ""

    def follow(self, event: Any) -> None:
        """Apply one event of the round; events that do not concern a hand change nothing."""
        match event:
            case e.HandAction():
                self._act(event)
            case e.CardDealt() | e.CardRevealed() | e.CardRecordCorrected():
                follow_card(self.cards, self.doubts, event)
                if isinstance(event, e.CardRevealed) and event.index in self.cards:
                    self.revealed.add(self.cards[event.index].recipient)
            case e.HandsSet():
                self.sets[event.account] = event
            case e.CardsPlaced():
                self.placements.setdefault(event.account, []).append(event)

    def _act(self, act: e.HandAction) -> None:
        if act.action not in NOT_BETTING and not self._is_instead_of_blind(act):
            self._begin(act.street)
            if act.action in RAISES:
                self._waiting = list(clockwise_after(self.started.accounts, act.account))
            self._waiting = [name for name in self._waiting if name != act.account]
            self._last = act.account
        self.money[act.account, act.street] += act.amount
        if act.all_in:
            self.all_in.add(act.account)
        if act.action in LEAVES:
            self.out.add(act.account)
        if act.action in SHOWDOWN and act.account not in self.shown:
            self.shown.append(act.account)
        self.actions.append(act)

    def _begin(self, street: str) -> None:
        """Start the betting of a street: every player has to act."""
        if street != self._street:
            self._street = street
            self._last = self.started.big_blind_of if street == PREFLOP else self.started.button
            self._waiting = list(self.started.accounts)

    @property
    def street(self) -> str:
        """Current street, by the number of board cards."""
        shown = len(self.cards_of(BOARD))
        found = (name for name, brought in BOARD_BY_STREET.items() if brought.stop == shown)
        return next(found, PREFLOP) if shown else PREFLOP

    @property
    def dealt(self) -> list[games.RecordedCard]:
        """Cards in the order of dealing."""
        return list(self.cards.values())

    def cards_of(self, recipient: str) -> list[str]:
        """Return the cards of a player, of the board or burnt ones, in the order of dealing."""
        return [one.card for one in self.dealt if one.recipient == recipient]

    def total(self, account: str) -> int:
        """Return a player's total contribution to the hand."""
        return sum(amount for (name, _), amount in self.money.items() if name == account)

    @property
    def payers(self) -> list[str]:
        """Players with money in the hand, in the order of the seats."""
        return [name for name in self.started.accounts if self.total(name)]

    @property
    def acted(self) -> set[str]:
        """Players that have acted in the betting."""
        return {act.account for act in self.actions if act.action not in NOT_BETTING}

    def bet_of(self, account: str) -> str:
        """Return the name of the bet for a player's money: round, hyphen, seat number from 1."""
        return f"{self.started.round}-{self.started.accounts.index(account) + 1}"

    def to_act(self) -> str:
        """Return the player whose turn it is; empty if the betting of the street is over.

        69GAMES poker rules, course of the game: first acts the player to the left of the big blind,
        on later streets the one to the left of the button; play goes clockwise.
        """
        street, live = self.street, set(self.started.accounts) - self.out
        if len(live) == 1:
            return ""
        self._begin(street)
        price = max((self.money[name, street] for name in self.started.accounts), default=0)
        for name in clockwise_after(self.started.accounts, self._last):
            if name not in live - self.all_in:
                continue
            owes = self.money[name, street] < price
            if owes or (name in self._waiting and live - self.all_in != {name}):
                return name
        return ""

    def is_out_of_turn(self, act: e.HandAction) -> bool:
        """Return whether a player acts in the betting during another player's turn.

        False if the positions of button and blind are unknown (OUTCOME_IMPOSSIBLE is reported
        then), and for a player who folds instead of paying a blind or ante.
        """
        positions = {self.started.button, self.started.big_blind_of}
        if act.action in NOT_BETTING or not positions <= set(self.started.accounts):
            return False
        return not self._is_instead_of_blind(act) and self.to_act() != act.account

    def _is_instead_of_blind(self, act: e.HandAction) -> bool:
        """Return whether a player folds instead of paying a blind or ante, which is no turn."""
        started = self.started
        posted = {one.account for one in self.actions if one.action == "post"}
        blinds = {started.big_blind_of, started.small_blind_of if started.small_blind else ""}
        return act.action == "fold" and act.account in {*(blinds - posted), *self.antes_missing()}

    @property
    def has_order_of_showing(self) -> bool:
        """Return whether players are recorded as showing, not just their cards as read."""
        return not self.revealed.intersection(self.started.accounts) - {*self.shown}

    def is_shown_before_another(self, act: e.HandAction) -> bool:
        """Return whether a player shows or mucks first before another one who had to do so.

        69GAMES poker rules, Showdown: the last player to bet or raise begins, then clockwise;
        without a bet, the player to the left of the button begins. By the rules of tournaments that
        player begins already if there was no bet on the river. When a player is all-in, all hands
        are turned over at once.
        """
        folded = {one.account for one in self.actions if one.action in LEAVES - SHOWDOWN}
        live = [name for name in self.started.accounts if name not in folded]
        if act.action not in SHOWDOWN or act.account in self.shown or len(live) <= 1:
            return False
        is_bet_open = len({self.money[name, RIVER] for name in live}) > 1
        if self.all_in.intersection(live) or self.street != RIVER or is_bet_open:
            return False
        orders = list(self._showdown_orders(live))
        so_far = [order for order in orders if order[: len(self.shown)] == self.shown]
        return bool(so_far) and all(order[len(self.shown)] != act.account for order in so_far)

    def _showdown_orders(self, live: list[str]) -> Iterator[list[str]]:
        """Yield the orders in which the players still in the hand may show."""
        if self.started.button not in self.started.accounts:
            return
        raises = [act for act in self.actions if act.action in RAISES]
        seats = clockwise_after(self.started.accounts, self.started.button)
        from_button = [name for name in seats if name in live]
        if raises and raises[-1].account in live:
            place = from_button.index(raises[-1].account)
            yield from_button[place:] + from_button[:place]
        if not raises or (self.started.tournament and raises[-1].street != RIVER):
            yield from_button

    def is_over_limit(self, act: e.HandAction, limit: str) -> bool:
        """Return whether a bet or raise breaks the limit that its tournament announced."""
        if act.action not in RAISES or not self.started.tournament:
            return False
        if limit == NO_LIMIT:
            return not act.all_in and act.total < self.started.big_blind
        if limit == POT_LIMIT:
            street = self.street
            price = max((self.money[name, street] for name in self.started.accounts), default=0)
            call = max(price - self.money[act.account, street], 0)
            return act.total - price > self.money.total() + call
        return False

    def antes_missing(self) -> Iterator[str]:
        """Yield the players who owe an ante.

        Each player owes the same ante; in a cash game the button may pay it alone (glossary of
        69GAMES). A player who folds instead of paying owes none.
        """
        paid = {act.account for act in self.actions if act.action == ANTE}
        out = {act.account for act in self.actions if act.action in {"fold", DEAD}}
        is_of_button = not self.started.tournament and paid == {self.started.button}
        if self.started.ante and not is_of_button:
            yield from (name for name in self.started.accounts if name not in paid | out)
