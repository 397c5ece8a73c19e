"""One dealt hand of Texas or Omaha: blinds, cards, streets, showdown, settlement.

The dealer follows the rules; players bet by a random mood for each hand. The same code plays cash
tables and tournaments, where stacks are chips.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger import games
from ledger.decisions.hands.play import ActInHand, StartHand
from ledger.decisions.hands.settlement import Payment, SettleHand
from ledger.decisions.rounds.studio import RevealCard
from ledger.events import event_types as e
from ledger.games import parse_cards, poker_rules_of
from ledger.games.poker import best_of, best_omaha, clockwise_after
from ledger.state.hand import HandState, fold
from ledger.state.hand_record import settle
from ledger.state.hand_turn import to_act
from tools.simulator._card_table import DEALT_BY, deal_card
from tools.simulator._stage import THOUGHT

if TYPE_CHECKING:
    from ledger.games.poker import Positions
    from tools.simulator._stage import Script, Stage

__all__ = ["DECK", "PLAN", "DealtHand", "Seat"]

PLAN = "unknown"
DECK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "CDHS")
RAISES_MAX = 3
CROWN = 100
BURNS = {"flop": 3, "turn": 1, "river": 1}


@dataclass(slots=True, eq=False)
class Seat:
    """A player at the table with the chips in front, in hundredths of a crown or of a chip."""

    account: str
    stack: int
    mood: float = 0.5
    is_out: bool = False
    is_all_in: bool = False
    cards: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class DealtHand:
    """A dealt hand; ``won`` is the amount that each player received at the end."""

    stage: Stage
    name: str
    table: str
    game: str
    seats: list[Seat]
    blinds: tuple[int, int]
    positions: Positions
    tournament: str = ""
    time_fee: int = 0
    wrong_pot: bool = False
    is_started: bool = False
    is_wrong: bool = False
    won: dict[str, int] = field(default_factory=dict)
    state: HandState = field(init=False)
    deck: list[str] = field(init=False)
    index: int = 0
    last: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        """Shuffle, and let the seats begin to the left of the button."""
        by_account = {seat.account: seat for seat in self.seats}
        order = clockwise_after(self.positions.seats, self.positions.button)
        self.seats = [by_account[name] for name in order]
        self.deck = list(DECK)
        self.stage.random.shuffle(self.deck)

    def play(self) -> Script:
        """Play the whole hand."""
        if self.stage.ask(self._start()).refused is not None:
            return
        self.is_started = True
        for seat in self.seats:
            seat.mood, seat.is_out, seat.is_all_in = self.stage.random.random(), False, False
            seat.cards = []
        yield self.stage.random.uniform(2, 5)
        self._post_blinds()
        rules = poker_rules_of(games.plan(self.game, PLAN))
        assert rules is not None  # noqa: S101 - the table has such a game
        for _ in range(rules.hole_cards):
            for seat in self.seats:
                seat.cards.append((self.index, self._deal(seat.account, face_up=False)))
        yield from self._betting("preflop")
        for street, cards in BURNS.items():
            if len(self._live) < 2:  # noqa: PLR2004 - nobody plays alone
                break
            yield self.stage.random.uniform(1.5, 3)
            self._deal("burn", face_up=False)
            for _ in range(cards):
                self._deal("board", face_up=True)
            yield from self._betting(street)
        yield from self._showdown(exactly_two=rules.exactly_two)
        self._settle()

    @property
    def _live(self) -> list[Seat]:
        return [seat for seat in self.seats if not seat.is_out]

    def _start(self) -> StartHand:
        small, big = self.blinds
        accounts = [seat.account for seat in self.seats]
        _, button, small_of, big_of = self.positions
        command = StartHand(
            round=self.name,
            table=self.table,
            seats=accounts,
            button=button,
            small_blind_of=small_of,
            big_blind_of=big_of,
            small_blind=small if small_of else 0,
            big_blind=big,
            time_fee=self.time_fee,
            tournament=self.tournament,
            source=DEALT_BY,
        )
        started = e.HandStarted(
            round=self.name, table=self.table, tournament=self.tournament, game=self.game,
            plan_version=PLAN, accounts=tuple(accounts), button=command.button,
            small_blind_of=command.small_blind_of, big_blind_of=command.big_blind_of,
            small_blind=command.small_blind, big_blind=big, ante=0,
            fee="none" if self.tournament else "time" if self.time_fee else "rake",
            time_fee=self.time_fee, point_value=0, value_pairs=(), pair_values=(),
            stop_loss_of=(), stop_losses=(), in_fantasyland=(),
        )  # fmt: skip
        self.state = HandState(started)
        return command

    def _post_blinds(self) -> None:
        small, big = self.blinds
        for seat in self.seats:
            if seat.account == self.positions.small:
                self._put_in(seat, "post", small)
        for seat in self.seats:
            if seat.account == self.positions.big:
                self._put_in(seat, "post", big)
        self.last = (big, 0)

    def _deal(self, recipient: str, *, face_up: bool) -> str:
        card, index = self.deck.pop(), self.index
        self.index += 1
        shown = card if face_up else ""
        deal_card(self.stage, self.name, index, recipient, shown)
        dealt = e.CardDealt(
            round=self.name, shoe="", index=index, recipient=recipient, face_up=face_up, card=shown
        )
        fold(self.state, dealt)
        return card

    def _betting(self, street: str) -> Script:
        if street != "preflop":
            self.last = (0, 0)
        seats = {seat.account: seat for seat in self.seats}
        raises = 0
        while turn := to_act(self.state):
            yield self.stage.random.uniform(1, 7)
            raises += self._decide(seats[turn], street, may_raise=raises < RAISES_MAX)

    def _decide(self, seat: Seat, street: str, *, may_raise: bool) -> bool:
        """Have a player act; return True if the others must respond."""
        random = self.stage.random
        highest = self.state.highest(street)
        to_call = highest - self.state.on_street(seat.account, street)
        wants = seat.mood + random.uniform(-0.35, 0.35)
        if to_call and wants < 0.3 + min(to_call / (seat.stack + 1), 1) * 0.3:
            self._announce(seat, "fold")
            return False
        if may_raise and wants > 0.78:  # noqa: PLR2004 - a taste
            return self._raise(seat, highest, to_call)
        if to_call:
            self._put_in(seat, "call", to_call)
        else:
            self._announce(seat, "check")
        return False

    def _raise(self, seat: Seat, highest: int, to_call: int) -> bool:
        random, (last, before) = self.stage.random, self.last
        smallest = last + (last - before) if last else self.blinds[1]
        pot = sum(self.state.total(name) for name in self.state.started.accounts)
        wished = max(smallest, highest + int(pot * random.uniform(0.4, 1.1)) // CROWN * CROWN)
        amount = wished - highest + to_call
        if amount >= seat.stack and seat.stack <= to_call:
            self._put_in(seat, "call", to_call)
            return False
        if not self._put_in(seat, "raise" if last else "bet", amount):
            return False
        self.last = (max(self.state.highest(self.state.street), last), last)
        return True

    def _announce(self, seat: Seat, action: str) -> None:
        self._record(seat, action, 0, all_in=False)
        command = ActInHand(
            round=self.name,
            account=seat.account,
            action=action,  # type: ignore[arg-type]
            asked_at=self.stage.moment - THOUGHT,
            until=self.stage.moment + THOUGHT,
            source=DEALT_BY,
        )
        self.stage.send(command)

    def _put_in(self, seat: Seat, action: str, amount: int) -> bool:
        """Put chips in, the last ones if there are no more; a refusal is a fold."""
        all_in = amount >= seat.stack
        amount = min(amount, seat.stack)
        command = ActInHand(
            round=self.name,
            account=seat.account,
            action=action,  # type: ignore[arg-type]
            amount=amount,
            all_in=all_in,
            asked_at=self.stage.moment - THOUGHT,
            until=self.stage.moment + THOUGHT,
            source=DEALT_BY,
        )
        if self.stage.ask(command).refused is not None:
            self._announce(seat, "fold")
            return False
        seat.stack -= amount
        seat.is_all_in = all_in
        self._record(seat, action, amount, all_in=all_in)
        return True

    def _record(self, seat: Seat, action: str, amount: int, *, all_in: bool) -> None:
        street = self.state.street
        total = self.state.on_street(seat.account, street) + amount
        act = e.HandAction(
            round=self.name, table=self.table, tournament=self.tournament,
            bet=self.state.bet_of(seat.account), account=seat.account, street=street,
            action=action, amount=amount, total=total,
            in_hand=self.state.total(seat.account) + amount, all_in=all_in, by="player",
            asked_at=0, until=0,
        )  # fmt: skip
        fold(self.state, act)
        seat.is_out = seat.is_out or action in {"fold", "muck"}

    def _showdown(self, *, exactly_two: bool) -> Script:
        """All who are in turn their cards, but who sees that it is lost may keep them."""
        live = self._live
        if len(live) < 2:  # noqa: PLR2004 - the last one need not show
            return
        rank = best_omaha if exactly_two else best_of
        board = parse_cards(self.state.cards_of("board"))
        strengths = {
            seat.account: rank(parse_cards(card for _, card in seat.cards), board) for seat in live
        }
        best = max(strengths.values())
        nobody_all_in = not any(seat.is_all_in for seat in live)
        for seat in live:
            yield self.stage.random.uniform(0.5, 2)
            loses = strengths[seat.account] < best
            if loses and nobody_all_in and self.stage.random.random() < 0.4:  # noqa: PLR2004 - a taste
                self._announce(seat, "muck")
                continue
            for index, card in seat.cards:
                self.stage.send(
                    RevealCard(round=self.name, index=index, card=card, source=DEALT_BY)
                )
                fold(self.state, e.CardRevealed(round=self.name, index=index, card=card))

    def _settle(self) -> None:
        settled = settle(self.state)
        if settled.uncalled is not None:
            name, back = settled.uncalled
            self.won[name] = back
        for pot in settled.pots:
            for name, share in pot.due.items():
                self.won[name] = self.won.get(name, 0) + share
        payments = self._wrong_payments(settled.pots[0].due) if settled.pots else []
        self.stage.send(SettleHand(round=self.name, payments=payments, source="platform"))
        for seat in self.seats:
            seat.stack += self.won.get(seat.account, 0)

    def _wrong_payments(self, due: object) -> list[Payment]:
        """Pay the main pot's winner a crown short, where something is to go wrong."""
        if not self.wrong_pot or not isinstance(due, dict) or not due:
            return []
        name, share = next(iter(due.items()))
        self.won[name] -= CROWN
        self.is_wrong = True
        return [Payment(account=name, amount=share - CROWN)]
