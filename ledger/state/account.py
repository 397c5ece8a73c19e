"""State of one account for decisions, folded from its events.

The fold never rejects an event: the log records what happened. Money is haléř, timestamps are
microseconds. ``AccountStatement`` carries the whole state as JSON, so that an account of
any age is read from its last statement on.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct, field

from ledger.core.clock import day_of, month_of
from ledger.core.decoders import decoder_of
from ledger.rules.law import TEMPORARY_LASTS

__all__ = [
    "CONTACT",
    "MEASURES",
    "NO_STATE",
    "STATE_VERSION",
    "AccountState",
    "Books",
    "Cancellation",
    "Measure",
    "OpenBet",
    "PeriodTotals",
    "dump_state",
    "load_state",
]

CONTACT = ("name", "address", "email")
"""Data without which a registration is not complete (SAZKA 8(3), 8(10))."""
STATE_VERSION = 6
"""Version of the state inside AccountStatement; a statement of another version is ignored."""

NO_STATE = 0
"""Replaces the version where the state was too large."""

MEASURES = "abcdefg"
"""Self-restricting measures by the letters of the code list TypSO."""


class Measure(Struct):
    """One self-restricting measure: the value in effect and the pending values.

    ``stricter`` and ``looser`` are pairs (time of effect, value), or None. Both can be pending at
    once: a request for a looser value does not cancel a stricter value that takes effect at the
    next midnight. A value of ``None`` means that the participant declined the measure.
    """

    value: int | None
    stricter: tuple[int, int] | None = None
    looser: tuple[int, int | None] | None = None

    def at(self, moment: int) -> int | None:
        """Return the value in effect at a time; None if there is no limit."""
        if self.looser is not None and moment >= self.looser[0]:
            return self.looser[1]
        if self.stricter is not None and moment >= self.stricter[0]:
            return self.stricter[1]
        return self.value

    def strictest(self, moment: int) -> int | None:
        """Return the value against which a new value counts as stricter or looser."""
        if self.stricter is not None and moment < self.stricter[0]:
            return self.stricter[1]
        return self.at(moment)

    def tighten(self, value: int, effective_at: int, moment: int) -> None:
        """Make a stricter value pending; it replaces all pending values."""
        self.value = self.at(moment)
        self.stricter, self.looser = (effective_at, value), None

    def loosen(self, value: int | None, effective_at: int, moment: int) -> None:
        """Add a pending looser value; a pending stricter value stays."""
        self.value = self.at(moment)
        if self.stricter is not None and moment >= self.stricter[0]:
            self.stricter = None
        self.looser = (effective_at, value)


class OpenBet(Struct, gc=False):
    """Chips on the table, or a bet that is not settled yet.

    ``concluded`` is empty while the money is chips. Afterwards it lists when which amount became a
    bet: one entry for a bet of a round, one per contribution for a hand or a tournament.
    """

    round: str
    table: str
    stake: int
    placed_at: int
    concluded: list[tuple[int, int]] = field(default_factory=list)


class PeriodTotals(Struct, gc=False):
    """Sums of one day or month, for the self-restricting measures a to e; haléř.

    ``stakes`` are concluded bets that were not given back, counted when they were recorded (SAZKA
    13(5)), and corrections of stakes; ``winnings`` are payments on bets, less settled claims.
    """

    name: str = ""
    stakes: int = 0
    winnings: int = 0
    logins: int = 0
    login_time: int = 0


class Cancellation(Struct):
    """A pending cancellation."""

    by: str
    ground: str
    requested_at: int
    objections_until: int | None = None
    objections: dict[str, bool] = field(default_factory=dict)


class Books(Struct, gc=False):
    """Movements and number of events since the last statement; see ``AccountStatement``."""

    day: str = ""
    events: int = 0
    opening: int = 0
    deposits: int = 0
    withdrawals: int = 0
    fees: int = 0
    stakes: int = 0
    winnings: int = 0
    corrections: int = 0


class AccountState(Struct):
    """The state of one account.

    ``missing`` names contact data that the registration lacked and that were not added since.
    ``complaints`` are the pending ones; ``evaluated_at`` is the time of the last result of a round
    or tournament with a bet of the account. ``wallet`` is free money, ``claims`` is money that the
    player owes the operator; ``moved_at`` is the time of the last change of either. ``bets`` hold
    reserved and staked money. ``fantasyland`` is the number of cards that the player gets in the
    next open-face game, by table.
    """

    account: str
    person: str = ""
    status: Literal["unknown", "open", "cancelling", "closed"] = "unknown"
    closed_at: int = 0
    moved_at: int = 0
    missing: list[str] = field(default_factory=list)
    earlier_account: str = ""
    regime: str = ""
    internet: bool = False
    opened_at: int = 0
    wallet: int = 0
    claims: int = 0
    bets: dict[str, OpenBet] = field(default_factory=dict)
    withdrawals: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    methods: dict[str, str] = field(default_factory=dict)
    deposited: dict[str, int] = field(default_factory=dict)
    cash_in: list[tuple[int, int]] = field(default_factory=list)
    cash_out: list[tuple[int, int]] = field(default_factory=list)
    measures: dict[str, Measure] = field(default_factory=dict)
    day: PeriodTotals = field(default_factory=PeriodTotals)
    month: PeriodTotals = field(default_factory=PeriodTotals)
    session: str = ""
    session_mode: str = ""
    session_since: int = 0
    last_login_at: int = 0
    last_logout_at: int = 0
    register_answer: str = "not_checked"
    exclusions: dict[str, int | None] = field(default_factory=dict)
    panic_pressed_at: int = 0
    panic_until: int = 0
    sequence_started_at: int = 0
    last_evaluated_at: int = 0
    last_settled_at: int = 0
    tables: list[str] = field(default_factory=list)
    disconnected: list[str] = field(default_factory=list)
    fantasyland: dict[str, int] = field(default_factory=dict)
    cancellation: Cancellation | None = None
    complaints: list[str] = field(default_factory=list)
    evaluated_at: int = 0
    books: Books = field(default_factory=Books)

    @property
    def temporary_until(self) -> int | None:
        """End of the 30 days of a temporary account; ``None`` for a permanent one."""
        return self.opened_at + TEMPORARY_LASTS if self.regime == "temporary" else None

    def today(self, moment: int) -> PeriodTotals:
        """Return the sums of the day in Prague that contains a timestamp."""
        name = day_of(moment)
        return self.day if self.day.name == name else PeriodTotals(name=name)

    def this_month(self, moment: int) -> PeriodTotals:
        """Return the sums of the month in Prague that contains a timestamp."""
        name = month_of(moment)
        return self.month if self.month.name == name else PeriodTotals(name=name)

    @property
    def reserved(self) -> int:
        """Sum of the chips on betting positions that are not a bet yet, haléř."""
        return sum(bet.stake for bet in self.bets.values() if not bet.concluded)

    @property
    def in_play(self) -> int:
        """Sum of the stakes of bets that are not settled yet, haléř."""
        return sum(bet.stake for bet in self.bets.values() if bet.concluded)


def dump_state(state: AccountState) -> str:
    """Encode a state as JSON."""
    return msgspec.json.encode(state).decode()


def load_state(text: str) -> AccountState:
    """Decode a state that :func:`dump_state` encoded.

    Raises:
        msgspec.DecodeError: it is not an encoded state.

    """
    return decoder_of(AccountState).json(text)
