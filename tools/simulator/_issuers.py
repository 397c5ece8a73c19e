"""A bank, a payment provider, two game providers: statements of a chain, with mistakes.

What comes in: the messages of a chain. What goes out: the lines of each issuer for a period, from
the chain's own facts, and mistakes put into them: each line has one at most, and says which finding
it must lead to. The provider pays out each of its days to the bank on the next one, as what its
lines sum up to, mistakes included; a mistake there is never one of the bank too. Numbers of lines
have 13 digits and those of payouts eight, so that every form of a file has room for them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from ledger.core.clock import DAY, in_prague
from ledger.decisions.statements import StatementLine
from ledger.events import event_types as e
from ledger.events.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from random import Random

    from ledger.decisions.statements import IssuerKind

__all__ = ["MISTAKES", "IssuedStatement", "Mistake", "issue"]

CROWN = 100
FEE_PERCENT = 1
LATE_DAYS = {"BANK": 6, "PAYMENTS": 3}
"""A day more than the window of each kind."""

AGAIN, BACK, MADE_UP = 1, 2, 3
"""Last digits of the numbers of lines that are there by mistake."""


class Mistake(NamedTuple):
    """A mistake of an issuer, the finding that it must lead to, and the name it concerns."""

    what: str
    issuer: str
    finding: str
    about: str


@dataclass
class IssuedStatement:
    """An issuer's statement of a period."""

    name: str
    kind: IssuerKind
    covers: tuple[str, ...]
    first_day: date
    last_day: date
    lines: list[StatementLine] = field(default_factory=list)


_Changed = tuple[list[StatementLine], str] | None
"""Lines in the place of one, and the finding; None where the mistake can't be made."""


def issue(
    messages: Iterable[tuple[int, bytes]],
    period: tuple[date, date],
    *,
    random: Random,
    mistakes: int,
) -> tuple[list[IssuedStatement], list[Mistake]]:
    """Make the statements of four issuers for a chain, with a number of mistakes of each.

    Args:
        messages: of the chain, from its beginning.
        period: first and last day of the statements.
        random: chooses lines and mistakes.
        mistakes: as many as an issuer makes, where it has lines enough.

    """
    facts = _Facts()
    for _, message in messages:
        facts.take(message)
    first, last = period
    bank = IssuedStatement("bank", "BANK", ("account",), first, last, facts.of_bank)
    provider = IssuedStatement("cards", "PAYMENTS", ("card", "other"), first, last, facts.of_cards)
    tables = sorted(set(facts.tables.values()))
    games = [
        IssuedStatement(name, "GAMES", tuple(own), first, last, list(facts.bets_at(own)))
        for name, own in (("studio-a", tables[::2]), ("studio-b", tables[1::2]))
        if own
    ]
    made: list[Mistake] = []
    for which, one in enumerate((provider, *games, bank), 1):
        one.lines = [
            replace(line, their_reference=f"{which}009{number:08d}0")
            for number, line in enumerate(one.lines, 1)
            if first <= line.booked <= last
        ]
        if one is bank:
            one.lines += _payouts(provider)
        made += _err(one, random, mistakes)
        one.lines.sort(key=lambda line: line.booked)
        one.lines = [replace(line, place=place) for place, line in enumerate(one.lines, 1)]
    return [bank, provider, *games], made


def _payouts(provider: IssuedStatement) -> Iterator[StatementLine]:
    """Pay out what the lines of each day sum up to, a day after the last of them."""
    days: dict[str, list[StatementLine]] = defaultdict(list)
    for line in provider.lines:
        days[line.settlement].append(line)
    for number, (batch, lines) in enumerate(sorted(days.items()), 1):
        booked = max(line.booked for line in lines) + timedelta(days=1)
        net = sum(line.amount - line.fee for line in lines)
        if net and booked <= provider.last_day:
            name = f"9009{number:08d}0"
            yield StatementLine(
                1, "settlement", booked, net, end_to_end=batch, their_reference=name
            )


class _Facts:
    """The facts of a chain that an issuer would report."""

    def __init__(self) -> None:
        self.of_bank: list[StatementLine] = []
        self.of_cards: list[StatementLine] = []
        self.tables: dict[str, str] = {}
        self._bets: dict[str, StatementLine] = {}

    def take(self, message: bytes) -> None:
        """Read one message."""
        found = decode(message)
        event, day = found.event, in_prague(found.envelope.occurred_at).date()
        match event:
            case e.DepositCredited():
                self._moved(event.method_class, event.deposit, event.amount, day)
            case e.DepositReturned(credited=True):
                self._moved(event.method_class, event.deposit, -event.amount, day)
            case e.WithdrawalPaid():
                self._moved(event.method_class, event.withdrawal, -event.amount, day)
            case e.RoundOpened():
                self.tables[event.round] = event.table
            case e.BetSettled():
                self._bets[event.bet] = StatementLine(
                    1, "bet", in_prague(found.envelope.recorded_at).date(), stake=event.stake,
                    paid=event.paid, bet=event.bet, round=event.round,
                    table=self.tables.get(event.round, ""), moment=found.envelope.recorded_at,
                )  # fmt: skip
            case e.WinCorrected():
                self._change(event.bet, paid=event.difference)
            case e.BetCorrected():
                self._change(event.bet, stake=event.difference)
            case e.PrizeWithheld():
                self._change(event.bet, paid=-event.collected - event.claimed)

    def _moved(self, method_class: str, name: str, amount: int, day: date) -> None:
        if method_class == "account":
            line = StatementLine(1, "payment", day, amount, end_to_end=name)
            self.of_bank.append(line)
        elif method_class in {"card", "other"}:
            fee = max(amount, 0) * FEE_PERCENT // 100
            batch = f"{day:%Y%m%d}"
            line = StatementLine(
                1, "payment", day, amount, fee=fee, reference=name, settlement=batch
            )
            self.of_cards.append(line)

    def _change(self, bet: str, *, stake: int = 0, paid: int = 0) -> None:
        if line := self._bets.get(bet):
            self._bets[bet] = replace(line, stake=line.stake + stake, paid=line.paid + paid)

    def bets_at(self, tables: Iterable[str]) -> Iterator[StatementLine]:
        """Return the bets at some tables."""
        own = set(tables)
        return (line for line in self._bets.values() if line.table in own)


def _err(issued: IssuedStatement, random: Random, mistakes: int) -> list[Mistake]:
    """Put mistakes into lines that are chosen by chance, another one into each."""
    made: list[Mistake] = []
    told = Counter(_named(line) for line in issued.lines)
    alone = [number for number, line in enumerate(issued.lines) if told[_named(line)] == 1]
    numbers = random.sample(alone, k=len(alone))
    lines = {number: [line] for number, line in enumerate(issued.lines)}
    for number in numbers:
        if len(made) >= mistakes:
            break
        (line,) = lines[number]
        names = list(MISTAKES)
        offset = len(made) % len(names)
        for what in names[offset:] + names[:offset]:
            changed = MISTAKES[what](line, issued)
            if changed is not None:
                lines[number], finding = changed
                is_new = finding == "NOT_IN_BOOKS"
                about = changed[0][-1].their_reference if is_new else _named(line)
                made.append(Mistake(what, issued.name, finding, about))
                break
    issued.lines = [line for number in sorted(lines) for line in lines[number]]
    return made


def _named(line: StatementLine) -> str:
    """Return what a line names of ours."""
    return line.reference or line.end_to_end or line.bet


def _lost(_: StatementLine, __: IssuedStatement) -> _Changed:
    return [], "NOT_IN_STATEMENT"


def _double(line: StatementLine, _: IssuedStatement) -> _Changed:
    return [line, _further(line, AGAIN)], "LINE_DOUBLE"


def _late(line: StatementLine, issued: IssuedStatement) -> _Changed:
    booked = line.booked + timedelta(days=LATE_DAYS.get(issued.kind, 0))
    if issued.kind == "GAMES" or line.kind == "settlement" or booked > issued.last_day:
        return None
    return [replace(line, booked=booked)], "BOOKED_LATE"


def _wrong_day(line: StatementLine, issued: IssuedStatement) -> _Changed:
    booked = line.booked + timedelta(days=2)
    if issued.kind != "GAMES" or booked > issued.last_day:
        return None
    return [replace(line, booked=booked, moment=line.moment + 2 * DAY)], "BOOKED_WRONG_DAY"


def _rounded(line: StatementLine, _: IssuedStatement) -> _Changed:
    figure = "paid" if line.kind == "bet" else "amount"
    amount = getattr(line, figure)
    down = abs(amount) // CROWN * CROWN
    if down in {0, abs(amount)}:
        return None
    return [replace(line, **{figure: down if amount > 0 else -down})], "AMOUNT_ROUNDED"


def _different(line: StatementLine, _: IssuedStatement) -> _Changed:
    if line.kind == "bet":
        return [replace(line, paid=line.paid + 100 * CROWN)], "AMOUNT_DIFFERS"
    more = 100 * CROWN if line.amount > 0 else -100 * CROWN
    return [replace(line, amount=line.amount + more)], "AMOUNT_DIFFERS"


def _charged_back(line: StatementLine, issued: IssuedStatement) -> _Changed:
    booked = line.booked + timedelta(days=1)
    if line.kind != "payment" or line.amount <= 0 or booked > issued.last_day:
        return None
    back = _further(line, BACK)
    back = replace(back, kind="chargeback", amount=-line.amount, fee=0, booked=booked)
    return [line, back], "CHARGED_BACK"


def _invented(line: StatementLine, _: IssuedStatement) -> _Changed:
    """Make a line of an amount and a name that no other has."""
    other = _further(line, MADE_UP)
    name = other.their_reference[-10:]
    if line.kind == "bet":
        return [line, replace(other, bet=name)], "NOT_IN_BOOKS"
    amount = int(name[1:]) if line.amount > 0 else -int(name[1:])
    named = {"end_to_end": name} if line.end_to_end else {"reference": name}
    return [line, replace(other, kind="payment", amount=amount, **named)], "NOT_IN_BOOKS"


def _further(line: StatementLine, why: int) -> StatementLine:
    """Return another line about the same, under a number of its own."""
    return replace(line, their_reference=f"{line.their_reference[:-1]}{why}")


MISTAKES: dict[str, Callable[[StatementLine, IssuedStatement], _Changed]] = {
    "lost": _lost,
    "double": _double,
    "late": _late,
    "wrong day": _wrong_day,
    "rounded": _rounded,
    "different": _different,
    "charged back": _charged_back,
    "made up": _invented,
}
"""What an issuer may do wrong with a line."""
