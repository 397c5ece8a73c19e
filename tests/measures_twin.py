"""Measures a to d, f and g in plain Python: which bets passed one that was in force.

A fold over the messages of a chain that asks neither the write side nor the SQL. A bet counts
in the day and month of its record, what is given back leaves them, what was put in last first.
What a corrected stake took is a stake, what it gave back and what claims took move payments.
Sums and sessions are those of the person, values those of the account.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

from ledger.events import event_types as e
from ledger.events.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MINUTE = 60 * 10**6
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Breach(NamedTuple):
    """A bet over a measure; ``amount`` is haléř for a to d, otherwise 0."""

    code: str
    position: int
    account: str
    bet: str
    measure: str
    amount: int


class Wish(NamedTuple):
    """A setting or removal; ``value`` is ``None`` where the measure is declined."""

    recorded_at: int
    effective_at: int
    value: int | None
    is_looser: bool


def local(moment: int) -> datetime:
    return (EPOCH + timedelta(microseconds=moment)).astimezone(ZoneInfo("Europe/Prague"))


def midnight_before(moment: int) -> int:
    midnight = local(moment).replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return (midnight.astimezone(UTC) - EPOCH) // timedelta(microseconds=1)


def in_force(wishes: list[Wish], moment: int) -> int | None:
    """Give the value that binds: a newer wish undoes a looser one that still waits."""
    binding = [
        (wish.effective_at, number, wish.value)
        for number, wish in enumerate(wishes)
        if wish.effective_at <= moment
        and not (
            wish.is_looser
            and any(later.recorded_at < wish.effective_at for later in wishes[number + 1 :])
        )
    ]
    return max(binding, key=lambda entry: entry[:2])[2] if binding else None


class MeasuresTwin:
    """What the measures need to know, moved forward by one event after the other."""

    def __init__(self) -> None:
        self.person: dict[str, str] = {}
        self.wishes: dict[tuple[str, str], list[Wish]] = defaultdict(list)
        self.stakes: dict[tuple[str, str], int] = defaultdict(int)
        self.won: dict[tuple[str, str], int] = defaultdict(int)
        self.put_in: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        self.since: dict[str, int | None] = {}
        self.last_logout: dict[str, int] = {}
        self.login_time: dict[tuple[str, str], int] = defaultdict(int)
        self.breaches: list[Breach] = []

    @classmethod
    def of(cls, messages: Iterable[bytes]) -> MeasuresTwin:
        twin = cls()
        for message in messages:
            recorded = decode(message)
            twin.take(recorded.event, recorded.position, recorded.envelope.recorded_at)
        return twin

    def take(self, event: Any, position: int, moment: int) -> None:
        match event:
            case e.AccountOpened():
                self.person[event.account] = event.person
            case e.LimitSet():
                wish = Wish(moment, event.effective_at, event.value, event.change == "looser")
                self.wishes[event.account, event.measure].append(wish)
            case e.LimitDeclined():
                wish = Wish(moment, event.effective_at, None, event.effective_at > moment)
                self.wishes[event.account, event.measure].append(wish)
            case e.LoggedIn():
                self.since[self.who(event.account)] = moment
            case e.LoggedOut():
                self.log_out(self.who(event.account), moment)
            case _:
                for account, amount in winnings(event):
                    for period in periods(moment):
                        self.won[self.who(account), period] += amount
                for account, amount in corrected_up(event):
                    for period in periods(moment):
                        self.stakes[self.who(account), period] += amount
                for account, bet, amount in put_back(event):
                    self.give_back(account, bet, amount)
                for account, bet, amount in put_in(event):
                    self.conclude(account, bet, amount, position, moment)

    def who(self, account: str) -> str:
        return self.person.get(account, account)

    def log_out(self, who: str, moment: int) -> None:
        since = self.since.get(who)
        if since is not None:
            spent = moment - max(since, midnight_before(moment))
            self.login_time[who, periods(moment)[0]] += spent
        self.since[who] = None
        self.last_logout[who] = moment

    def give_back(self, account: str, bet: str, amount: int) -> None:
        while amount and self.put_in[account, bet]:
            moment, stake = self.put_in[account, bet].pop()
            freed = min(stake, amount)
            if stake > freed:
                self.put_in[account, bet].append((moment, stake - freed))
            for period in periods(moment):
                self.stakes[self.who(account), period] -= freed
            amount -= freed

    def conclude(self, account: str, bet: str, amount: int, position: int, moment: int) -> None:
        self.put_in[account, bet].append((moment, amount))
        who, (day, month) = self.who(account), periods(moment)
        for period in (day, month):
            self.stakes[who, period] += amount
        used = {
            "a": self.stakes[who, day],
            "b": self.stakes[who, month],
            "c": self.stakes[who, day] - self.won[who, day],
            "d": self.stakes[who, month] - self.won[who, month],
        }
        for measure, passed in used.items():
            limit = in_force(self.wishes[account, measure], moment)
            if limit is not None and passed > limit:
                self.found("MEASURE_PASSED", position, account, bet, measure, passed - limit)
        minutes = in_force(self.wishes[account, "f"], moment)
        since = self.since.get(who)
        logged_in = self.login_time[who, day]
        if since is not None:
            logged_in += moment - max(since, midnight_before(moment))
        if minutes is not None and logged_in >= minutes * MINUTE:
            self.found("LOGIN_TIME_PASSED", position, account, bet, "f", 0)
        pause = in_force(self.wishes[account, "g"], moment)
        last = self.last_logout.get(who)
        if pause is not None and last is not None and moment < last + pause * MINUTE:
            self.found("PAUSE_VIOLATED", position, account, bet, "g", 0)

    def found(self, *facts: Any) -> None:
        self.breaches.append(Breach(*facts))


def periods(moment: int) -> tuple[str, str]:
    day = local(moment).date().isoformat()
    return day, day[:7]


def put_in(event: Any) -> Iterator[tuple[str, str, int]]:
    """Tell stakes that became a bet: account, bet, haléř."""
    match event:
        case e.BetConcluded(amount=amount) if amount:
            yield event.account, event.bet, amount
        case e.HandAction(amount=amount, tournament="") if amount:
            yield event.account, event.bet, amount
        case e.TournamentEntryPaid():
            yield event.account, event.entry, event.amount


def corrected_up(event: Any) -> Iterator[tuple[str, int]]:
    match event:
        case e.BetCorrected() if event.difference > 0:
            yield event.account, event.difference - event.claimed


def put_back(event: Any) -> Iterator[tuple[str, str, int]]:
    match event:
        case e.BetVoided() | e.UncalledReturned(tournament=""):
            yield event.account, event.bet, event.amount
        case e.TournamentEntryReturned():
            yield event.account, event.entry, event.amount
        case e.MisdealDeclared(tournament=""):
            yield from zip(event.accounts, event.bets, event.amounts, strict=True)


def winnings(event: Any) -> Iterator[tuple[str, int]]:
    match event:
        case e.BetSettled():
            yield event.account, event.paid
        case e.WinCorrected():
            yield event.account, event.difference + event.claimed
        case e.BetCorrected() if event.difference < 0:
            yield event.account, -event.difference
        case e.ClaimSettled(way="wallet"):
            yield event.account, -event.amount
        case e.PrizeWithheld():
            yield event.account, -event.collected
        case e.TournamentPrizePaid():
            yield event.account, event.paid
        case e.PotAwarded(tournament="") | e.PointsSettled(tournament=""):
            yield from zip(event.accounts, event.paid, strict=True)
