"""A player: registers, logs in, pays in, sits down, bets, goes home.

A player keeps an own idea of the wallet, corrected when the ledger refuses something; what
is right the ledger decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE
from ledger.decisions.accounts.registration import OpenAccount, RegisterPaymentMethod
from ledger.decisions.accounts.sessions import LogIn, LogOut
from ledger.decisions.payments.payments import Deposit, PayWithdrawal, Withdraw
from ledger.decisions.protection.measures import DeclineLimit, SetLimit
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.decisions.rounds.course import Disconnect, LeaveSeat, Reconnect, TakeSeat
from ledger.state.account import MEASURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.decisions.protection.register import RegisterPersonAnswer
    from ledger.writer import Receipt
    from tools.simulator._chips import Wish
    from tools.simulator._people import Habit, Person
    from tools.simulator._stage import Script, Stage
    from tools.simulator._tables import Round, Table

__all__ = ["HALER", "Lying", "Player"]

HALER = 100
TAKEN_BACK = 0.04
LINE_BREAKS = 0.0012
TRIES_ANYWAY = 0.06
GOES_HOME = 0.3
BREAK_MINUTES = (15.2, 19.0)
GONE_FOR_TODAY = frozenset(
    {"EXCLUDED", "PANIC_BLOCK", "CANCELLATION_RUNS", "MEASURES_MISSING", "NOT_LOGGED_IN"}
)


@dataclass(slots=True, eq=False)
class Lying:
    """Chips of a player on the cloth, and what the player's wallet had of them."""

    player: Player
    bet: str
    stake: int
    wish: Wish
    back: int = 0

    def give(self, amount: int) -> None:
        """Let the wallet have so much of these chips in all: a payment, the stake, nothing."""
        self.player.wallet += amount - self.back
        self.back = amount


@dataclass(slots=True)
class Player:
    """One account and who holds it; money in haléř."""

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
        """Take a seat; false when there is none or the ledger refuses it."""
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
        while table.round is not None and table.round.has_bets_of(self):
            yield random.uniform(3, 9)
        self.get_up()
        yield random.uniform(1, 30)
        if self.wallet > 2 * self.habit.bankroll[1] * HALER:
            self.pay_out((self.wallet - self.habit.bankroll[0] * HALER) // 10_000 * 10_000)
            yield random.uniform(5, 60)
        self.log_out()

    def think(self, current: Round) -> None:
        """Decide what to lay in a round that opened."""
        random, moment = self.stage.random, self.stage.moment
        if self.is_away or moment < self.pause_until or moment >= self.leave_at:
            return
        if random.random() < LINE_BREAKS and current.table.croupier.plan.header.streamed:
            self.stage.play(self._line_breaks(current.table), after=random.uniform(5, 35))
        if random.random() >= self.habit.eagerness:
            return
        current.table.croupier.invite(self, current)

    def may_bet(self, current: Round) -> bool:
        """Is the player at the table, and in the mood to lay chips?"""
        random, stage = self.stage.random, self.stage
        if self.table is not current.table or self.is_away or stage.moment < self.pause_until:
            return False
        return not current.table.is_suspended or random.random() < TRIES_ANYWAY

    def a_stake(self, wish: Wish, least: int = 0, most: int = 0) -> int:
        """Choose a stake; ``least`` and ``most`` are crowns, 0 is no bound."""
        chip = max(self.stage.random.choice(self.habit.chips), least)
        return min(chip, most or chip) * HALER * wish.chips

    def bet(
        self,
        current: Round,
        wish: Wish,
        stake: int = 0,
        then: Callable[[Lying], None] | None = None,
    ) -> None:
        """Lay chips; ``then`` is called with them when the ledger has accepted them."""
        random, stage = self.stage.random, self.stage
        stake = stake or self.a_stake(wish)
        if stake > self.wallet and random.random() >= TRIES_ANYWAY:
            self._is_short(stake)
            return
        lying = current.lay(self, stake, wish)
        self.wallet -= stake

        def answer(receipt: Receipt) -> None:
            if receipt.refused is not None:
                current.lift(lying)
                lying.give(stake)
                self._refused(receipt.refused.code)
                return
            if current.is_open and random.random() < TAKEN_BACK:
                stage.after(random.uniform(0.8, 4), lambda: self.take_back(current, lying))
            if then is not None:
                then(lying)

        stage.send(
            PlaceBet(
                bet=lying.bet,
                account=self.account,
                round=current.name,
                bet_code=wish.code,
                selection=wish.selection,
                box=wish.box,
                stake=stake,
                source=self.app,
            ),
            answer,
        )

    def take_back(self, current: Round, lying: Lying) -> None:
        """Take chips back, and where bets depend on one another those that lay on them."""
        if not current.is_open or not current.lift(lying):
            return
        tied = current.chips_of(self) if current.table.croupier.plan.bets_depend else []
        if tied and lying.bet != min((lying.bet, *(one.bet for one in tied)), key=_number):
            current.add(lying)  # Only the bet that the others need is taken back.
            return
        for one in (lying, *tied):
            one.give(one.stake)
        tied.clear()
        command = WithdrawBet(
            bet=lying.bet, account=self.account, round=current.name, source=self.app
        )
        self.stage.send(command)

    def _refused(self, code: str) -> None:
        random, moment = self.stage.random, self.stage.moment
        if code == "BREAK_REQUIRED":
            if self.table is not None:
                self.table.notable.setdefault("rested_account", self.account)
            self.pause_until = moment + round(random.uniform(*BREAK_MINUTES) * MINUTE)
        elif code == "MEASURE_LOGIN_TIME" and self.table is not None and self.logged_in_at:
            self._is_logged_out(self.table)
        elif code in GONE_FOR_TODAY or code.startswith("MEASURE_"):
            self.pause_until = moment + MINUTE
            self.leave_at = min(self.leave_at, moment + random.randint(1, 4) * MINUTE)
        elif code == "INSUFFICIENT_FUNDS":
            self.leave_at = moment

    def _is_logged_out(self, table: Table) -> None:
        """The platform ends the session; chips that are no bet yet come back."""
        self.stage.send(LogOut(account=self.account, cause="time_limit", source="platform"))
        self.logged_in_at = 0
        table.take_away(self)
        self.leave_at = self.stage.moment

    def _is_short(self, stake: int) -> None:
        random = self.stage.random
        if random.random() < GOES_HOME:
            self.leave_at = self.stage.moment
        else:
            refill = max(random.randint(*self.habit.bankroll) // 100 * 100 * HALER, stake)
            self.pay_in(refill)

    def _line_breaks(self, table: Table) -> Script:
        if self.table is not table or self.is_away:
            return
        self.is_away = True
        self.stage.send(Disconnect(account=self.account, table=table.name, source="studio"))
        table.take_away(self)
        yield self.stage.random.uniform(8, 150)
        self.come_back()

    def come_back(self) -> None:
        """Get the connection back, if it was lost."""
        if self.is_away and self.table is not None:
            self.is_away = False
            command = Reconnect(account=self.account, table=self.table.name, source="studio")
            self.stage.send(command)


def _number(bet: str) -> int:
    """Return the number of a bet in its round."""
    return int(bet.partition(":")[0].rpartition("-")[2])
