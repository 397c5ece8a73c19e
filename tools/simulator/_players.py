"""Players, and the table as a player sees it: a seat, and chips that stay or come back.

A player registers, logs in, pays in, sits down, goes home, and keeps an own estimate of the wallet,
corrected when the ledger refuses a command; the ledger decides which balance is right.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ledger.core.clock import MINUTE
from ledger.decisions.accounts.registration import OpenAccount, RegisterPaymentMethod
from ledger.decisions.accounts.sessions import LogIn, LogOut
from ledger.decisions.operator.setup import SeatDealer
from ledger.decisions.payments.payments import Deposit, PayWithdrawal, Withdraw
from ledger.decisions.protection.informing import ShowInformation
from ledger.decisions.protection.measures import DeclineLimit, SetLimit
from ledger.decisions.rounds.seats import LeaveSeat, Reconnect, TakeSeat
from ledger.state.account import MEASURES

if TYPE_CHECKING:
    from random import Random

    from ledger.decisions.protection.register import RegisterPersonAnswer
    from ledger.writer import Receipt
    from tools.simulator._people import Habit, Person
    from tools.simulator._stage import Script, Stage

__all__ = ["HALER", "Incident", "Player", "Table"]

HALER = 100
INFORMED_EVERY = 45 * MINUTE
Incident = Literal[
    "invalid_spin",
    "interrupted",
    "exposed_card",
    "misrecorded_card",
    "misdeal",
    "held_payout",
    "wrong_payment",
    "unseen_wrong_payment",
]


@dataclass(slots=True, eq=False)
class Player:
    """An account and its holder; money in haléř."""

    stage: Stage
    account: str
    person: Person
    habit: Habit
    app: str = "web"
    wallet: int = 0
    table: Table | None = None
    is_registered: bool = False
    is_away: bool = False
    visits: int = 0
    payments: int = 0
    pause_until: int = 0
    leave_at: int = 0
    logged_in_at: int = 0
    informed_at: int = 0

    def register(self) -> None:
        """Open the account, register a card and a payment account, decide the measures."""
        person, limits = self.person, dict(self.habit.limits)
        self.is_registered = True
        self.stage.send(self.registration())
        for method, kind in (("card", "card"), ("bank", "account")):
            self.stage.send(
                RegisterPaymentMethod(
                    account=self.account,
                    method=f"{method}-{self.account}",
                    method_class="card" if kind == "card" else "account",
                    masked=f"**** {person.document[-4:]}",
                    country="CZ",
                    proof="card_3ds" if kind == "card" else "bank_identity",
                )
            )
        for letter in MEASURES:
            value = limits.get(letter)
            self.stage.send(
                DeclineLimit(account=self.account, measure=letter)  # type: ignore[arg-type]
                if value is None
                else SetLimit(account=self.account, measure=letter, value=value)  # type: ignore[arg-type]
            )

    def registration(self, *, register: RegisterPersonAnswer = "clear") -> OpenAccount:
        """Fill in the form."""
        person = self.person
        return OpenAccount(
            account=self.account,
            identity=person.identity,
            name=person.name,
            birth_date=person.birth_date,
            address=person.address,
            email=person.email,
            document=person.document,
            register=register,
            verified_how="bank identity",
            plan_version=self.stage.plan_version,
            source=self.app,
        )

    def log_in(self, *, register: RegisterPersonAnswer = "clear") -> Receipt:
        """Log in."""
        self.visits += 1
        session = f"s-{self.account}-{self.visits}"
        command = LogIn(account=self.account, session=session, register=register, source=self.app)
        receipt = self.stage.ask(command)
        if receipt.refused is None:
            self.logged_in_at = self.stage.moment
        return receipt

    def be_informed(self) -> None:
        """See the time of play on the screen, if it was not there for long."""
        since = max(self.logged_in_at, self.informed_at)
        if self.logged_in_at and self.stage.moment >= since + INFORMED_EVERY:
            self.informed_at = self.stage.moment
            minutes = (self.stage.moment - self.logged_in_at) // MINUTE
            self.stage.send(
                ShowInformation(
                    account=self.account, kind="play_time", play_minutes=minutes, source=self.app
                )
            )

    def log_out(self) -> None:
        """Log out, unless the platform has ended the session."""
        if self.logged_in_at:
            self.stage.send(LogOut(account=self.account, source=self.app))
            self.logged_in_at = 0

    @property
    def is_out_of_time(self) -> bool:
        """Is the time that measure f allows used up?"""
        minutes = dict(self.habit.limits).get("f")
        if minutes is None or not self.logged_in_at:
            return False
        return self.stage.moment >= self.logged_in_at + minutes * MINUTE

    def pay_in(self, amount: int, *, method: str = "") -> None:
        """Pay in by card, or by another method."""
        self.payments += 1
        self.wallet += amount
        command = Deposit(
            account=self.account,
            deposit=f"dep-{self.account}-{self.payments}",
            amount=amount,
            method=method or f"card-{self.account}",
            document_shown=method == "cash",
            source="cage" if method == "cash" else "payment-gate",
        )

        def answer(receipt: Receipt) -> None:
            if receipt.refused is not None:
                self.wallet -= amount

        self.stage.send(command, answer)

    def pay_out(self, amount: int) -> None:
        """Withdraw to the payment account; the bank pays some minutes later."""
        self.payments += 1
        withdrawal = f"wd-{self.account}-{self.payments}"
        self.wallet -= amount
        paid = PayWithdrawal(account=self.account, withdrawal=withdrawal, source="bank")

        def answer(receipt: Receipt) -> None:
            if receipt.refused is None:
                self.stage.after(self.stage.random.uniform(100, 700), lambda: self.stage.send(paid))
            else:
                self.wallet += amount

        self.stage.send(
            Withdraw(
                account=self.account,
                withdrawal=withdrawal,
                amount=amount,
                method=f"bank-{self.account}",
                source=self.app,
            ),
            answer,
        )

    def sit_down(self, table: Table) -> bool:
        """Take a seat; return False if there is none or the ledger refuses it."""
        if not table.has_room:
            return False
        receipt = self.stage.ask(TakeSeat(account=self.account, table=table.name, source=self.app))
        if receipt.refused is not None:
            return False
        self.table = table
        table.seat(self)
        return True

    def get_up(self) -> None:
        """Leave the table; chips that are no bet yet come back."""
        if self.table is None:
            return
        self.come_back()
        self.stage.send(LeaveSeat(account=self.account, table=self.table.name, source=self.app))
        self.table.take_away(self)
        self.table.leave(self)
        self.table = None

    def visit(self, table: Table) -> Script:
        """Spend an evening, or a part of it, at a table."""
        random = self.stage.random
        if not self.is_registered:
            self.register()
            yield random.uniform(30, 150)
        if self.log_in().refused is not None:
            return
        yield random.uniform(3, 20)
        bankroll = random.randint(*self.habit.bankroll) // 100 * 100 * HALER
        if self.wallet < bankroll // 2:
            self.pay_in(bankroll)
            yield random.uniform(5, 40)
        if not self.sit_down(table):
            self.log_out()
            return
        self.leave_at = self.stage.moment + random.randint(*self.habit.minutes) * MINUTE
        while self.stage.moment < self.leave_at and not table.is_closing:
            yield random.uniform(15, 60)
        yield from self.go_home(table)

    def go_home(self, table: Table) -> Script:
        """Wait until the bets are settled, then leave, and take a good win out."""
        random = self.stage.random
        self.leave_at = self.stage.moment
        while table.has_bets_of(self):
            yield random.uniform(3, 9)
        self.get_up()
        yield random.uniform(1, 30)
        if self.wallet > 2 * self.habit.bankroll[1] * HALER:
            self.pay_out((self.wallet - self.habit.bankroll[0] * HALER) // 10_000 * 10_000)
            yield random.uniform(5, 60)
        self.log_out()

    def come_back(self) -> None:
        """Get the connection back, if it was lost."""
        if self.is_away and self.table is not None:
            self.is_away = False
            command = Reconnect(account=self.account, table=self.table.name, source="studio")
            self.stage.send(command)


@dataclass(eq=False)
class Table(ABC):
    """A table: its players and planned incidents; subclasses play the game.

    ``dealers`` take turns; ``notable`` records rounds of interest.
    """

    stage: Stage
    name: str
    game: str
    dealers: tuple[str, ...]
    notable: dict[str, str]
    seated: list[Player] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    rounds: int = 0
    voided: int = 0
    is_closing: bool = False
    seats_max = 10_000

    @property
    def random(self) -> Random:
        """The source of chance."""
        return self.stage.random

    @property
    def incident(self) -> Incident | None:
        """The next planned incident."""
        return self.incidents[0] if self.incidents else None

    def note(self, incident: Incident, what: str, name: str) -> None:
        """Remember the round in which something went wrong."""
        self.notable[what] = name
        self.incidents.remove(incident)

    @property
    def has_room(self) -> bool:
        """Is there a place for one more player?"""
        return len(self.seated) < self.seats_max

    def seat(self, player: Player) -> None:
        """Assign a seat to a player."""
        self.seated.append(player)

    def leave(self, player: Player) -> None:
        """Release a player's seat."""
        self.seated.remove(player)

    @abstractmethod
    def has_bets_of(self, player: Player) -> bool:
        """Return whether a player takes part in what is played."""

    @abstractmethod
    def take_away(self, player: Player) -> None:
        """Return a player's chips that are not yet a bet."""

    def open(self) -> None:
        """Open the table for an evening."""
        self.is_closing = False
        self.stage.play(self.evening(), after=self.random.uniform(1, 40))

    @abstractmethod
    def evening(self) -> Script:
        """Play until the table closes."""

    def change_dealer(self, source: str) -> None:
        """Begin a dealer's shift."""
        dealer = self.random.choice(self.dealers)
        self.stage.send(SeatDealer(table=self.name, dealer=dealer, source=source))
