"""Statements of banks and providers as events, and books to match them with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

from msgspec import structs

from ledger.core.clock import DAY, HOUR
from ledger.decisions.statements import batch_of, padded
from ledger.events import event_types as e
from ledger.rules.operator import rules_for
from tests.projections.history_cases import SEALED, VERSION, concluded, placed
from tests.projections.projection_cases import Chain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.decisions.statements import StatementLine

NOON = 12 * HOUR
FIRST = date(2026, 3, 1)
EPOCH = date(1970, 1, 1)
BANK: dict[str, Any] = {"method": "bank", "method_class": "account"}
CARD: dict[str, Any] = {"method": "visa", "method_class": "card"}
PIECE = 500


def named(name: str) -> str:
    """Give the digest of a name under the key of a store whose entropy is zeros."""
    return blake2b(name.encode(), digest_size=32, key=bytes(32), person=b"name").hexdigest()[:16]


def moment(day: int, micros: int = NOON) -> int:
    """Give a moment of a day of March 2026; Prague is an hour ahead, two from the 29th on."""
    return (FIRST - EPOCH).days * DAY + (day - 1) * DAY + micros


def day_number(day: int) -> date:
    """Give the date of a day of March 2026, or so many before or behind it."""
    return FIRST + timedelta(days=day - 1)


def digests(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(named(name) if name else "" for name in names)


@dataclass(frozen=True)
class Told:
    """One line as an issuer tells it; ``day`` is that of March 2026."""

    day: int
    kind: str = "payment"
    amount: int = 0
    fee: int = 0
    stake: int = 0
    paid: int = 0
    reference: str = ""
    end_to_end: str = ""
    variable_symbol: str = ""
    their_reference: str = ""
    settlement: str = ""
    round: str = ""
    bet: str = ""
    game: str = ""
    table: str = ""
    account: str = ""

    @classmethod
    def of(cls, line: StatementLine) -> Told:
        """Give a line as the simulator has it."""
        facts = {name: getattr(line, name) for name in cls.__dataclass_fields__ if name != "day"}
        return cls((line.booked - FIRST).days + 1, **facts)

    def but(self, **changes: Any) -> Told:
        """Give the same line, changed."""
        return replace(self, **changes)


@dataclass
class Books:
    """Our books, written by hand, day by day of March 2026, and the statements that come in."""

    chain: Chain = field(default_factory=Chain)

    def __post_init__(self) -> None:
        self.at(
            1,
            e.ChainOpened(
                operator="1",
                operator_name="o",
                chain="c",
                format_version=1,
                hash_algorithm="RFC6962-SHA256",
            ),
            rules_for("", "sazka").event,
        )

    def at(self, day: int, *events: e.Event, micros: int = NOON) -> int:
        """Record a decision on a day; return the position of its first event."""
        self.chain.moment = max(self.chain.moment, moment(day, micros)) - 1_000
        position = self.chain.head.size
        self.chain.decide(*events)
        return position

    def account(self, name: str) -> None:
        self.at(
            1,
            e.AccountOpened(
                account=name,
                person=f"p-{name}",
                regime="permanent",
                internet=True,
                land_based=False,
                plan_version=VERSION,
                earlier_account="",
                name_digest=named(name),
                **SEALED,
            ),
        )

    def deposit(self, day: int, name: str, amount: int, account: str = "a", **way: Any) -> int:
        facts: dict[str, Any] = {"document_shown": False, **(way or BANK)}
        return self.at(
            day,
            e.DepositCredited(
                account=account, deposit=name, amount=amount, name_digest=named(name), **facts
            ),
        )

    def returned(self, day: int, name: str, amount: int, *, credited: bool = True) -> int:
        return self.at(
            day,
            e.DepositReturned(
                account="a", deposit=name, amount=amount, credited=credited, reason="r", claimed=0,
                name_digest=named(name), **BANK,
            ),
        )  # fmt: skip

    def withdrawal(self, day: int, name: str, amount: int, account: str = "a") -> int:
        asked: dict[str, Any] = {"account": account, "withdrawal": name, "amount": amount, **BANK}
        return self.at(
            day,
            e.WithdrawalRequested(**asked),
            e.WithdrawalPaid(**asked, document_shown=False, name_digest=named(name)),
        )

    def round(self, day: int, name: str, *, table: str = "t", micros: int = NOON) -> None:
        opened: dict[str, Any] = dict.fromkeys(("dealer", "shoe", "registration"), "1")
        opened |= dict.fromkeys(("devices", "device_kinds", "serials"), ())
        self.at(
            day,
            e.RoundOpened(
                round=name, table=table, game="roulette", plan_version=VERSION, wheel_turned="",
                streamed=True, **opened,
            ),
            micros=micros,
        )  # fmt: skip

    def taken(
        self, day: int, name: str, stake: int, *, of: str = "r", micros: int = NOON
    ) -> e.BetPlaced:
        """Take a bet that is not settled yet."""
        chips = structs.replace(placed(of, stake=stake), bet=name)
        self.at(day, chips, micros=micros)
        self.at(day, concluded(chips), micros=micros)
        return chips

    def bet(
        self,
        day: int,
        name: str,
        stake: int,
        paid: int,
        *,
        of: str = "r",
        settled_on: int = 0,
        micros: int = NOON,
    ) -> None:
        chips = self.taken(day, name, stake, of=of, micros=micros)
        facts: dict[str, Any] = {"stake": stake, "due": paid, "paid": paid, "rule": "p"}
        self.at(
            settled_on or day,
            e.BetSettled(
                bet=name, account=chips.account, round=of, result="win" if paid else "lose",
                **facts,
            ),
            micros=0 if settled_on else micros,
        )  # fmt: skip

    def told(
        self,
        lines: Iterable[Told],
        *,
        issuer: str = "kb",
        kind: str = "BANK",
        days: tuple[int, int] = (1, 31),
        covers: tuple[str, ...] | None = None,
        on: int = 0,
        supersedes: tuple[str, ...] = (),
        is_finished: bool = True,
        currency: str = "CZK",
    ) -> str:
        """Import a statement; return its name."""
        lines = tuple(lines)
        whose: dict[str, Any] = {"issuer": issuer, "issuer_kind": kind, "currency": currency}
        content = repr((lines, days, issuer, supersedes)).encode()
        name = sha256(content).hexdigest()[:16]
        on = on or days[1] + 1
        for first in range(0, len(lines), PIECE):
            self.at(on, _piece(lines[first : first + PIECE], name, first + 1, whose))
        if covers is None:
            covers = {"BANK": ("account",), "PAYMENTS": ("card", "other"), "GAMES": ()}[kind]
        imported = e.StatementImported(
            statement=name, issuer_months=(), format="csv", number="", covers=covers,
            first_day=str(day_number(days[0])), last_day=str(day_number(days[1])),
            opening=None, closing=None, lines=len(lines), file_digest="", settings="{}",
            period_key="", file=b"",
            supersedes=supersedes, reason="r" if supersedes else "", software_version="0",
            **whose, **_sums(lines),
        )  # fmt: skip
        if is_finished:
            self.at(on, imported)
        return name

    def rules(self, day: int, **facts: Any) -> int:
        """Set rules of matching from a day on; return the position."""
        of: dict[str, Any] = {"bank_days": 5, "payments_days": 2, "tolerance": 0, "by_amount": True}
        of |= {"write_off_max": 0, "reason": "r", "by": "finance", **facts}
        return self.at(1, e.MatchingRulesSet(first_day=str(day_number(day)), **of))

    def wait(self, day: int) -> None:
        """Let time pass until a day."""
        self.at(day, e.ClockMeasured(source_of_time="ntp", skew=0, uncertainty=0))


def _sums(lines: tuple[Told, ...]) -> dict[str, int]:
    return {
        "incoming": sum(max(line.amount, 0) for line in lines),
        "outgoing": -sum(min(line.amount, 0) for line in lines),
        "fees": sum(line.fee for line in lines),
        "stakes": sum(line.stake for line in lines),
        "paid": sum(line.paid for line in lines),
    }


def _piece(
    lines: tuple[Told, ...], name: str, first: int, whose: dict[str, Any]
) -> e.StatementLinesRecorded:
    def column(field: str) -> tuple[Any, ...]:
        return tuple(getattr(line, field) for line in lines)

    days = tuple((FIRST - EPOCH).days + line.day - 1 for line in lines)
    return e.StatementLinesRecorded(
        statement=name, first_line=first, places=tuple(range(first, first + len(lines))),
        kinds=column("kind"), amounts=column("amount"), line_fees=column("fee"),
        line_stakes=column("stake"), line_paid=column("paid"), booked_days=days,
        valued_days=(0,) * len(lines), moments=(0,) * len(lines), references=column("reference"),
        ends_to_end=digests(column("end_to_end")),
        variable_symbols=digests(column("variable_symbol")),
        padded_symbols=digests(map(padded, column("variable_symbol"))),
        batches=digests(batch_of(whose["issuer_kind"], line) for line in lines),
        period_key="", payer_texts=b"",
        their_references=column("their_reference"), settlements=column("settlement"),
        their_rounds=column("round"), their_bets=column("bet"), their_games=column("game"),
        their_tables=column("table"), their_accounts=column("account"),
        counterparties=("",) * len(lines), **whose, **_sums(lines),
    )  # fmt: skip
