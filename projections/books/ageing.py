"""The age of open items as of a position: what the books of that day owe, claim and do not match.

What comes in: the tables, the number of messages that count, and the moment of the question. What
goes out: for withdrawals that were requested and not paid, for claims against players, for payments
that no statement shows, and for the lines of each issuer that the books do not show, their amounts
by age in days. Guaranteed: those of withdrawals and claims sum up to the closing of their ledger
account on that day, those of an issuer's lines to what is not matched of its statements.

A withdrawal and a claim have the age of their record, a payment that of its day, a line that of the
day on which it was booked. What a player pays settles the oldest claim against the player first.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from ledger.core.clock import in_prague
from ledger.core.units import Count, Hundredth
from projections.matching.coverage import EPOCH
from projections.matching.match import match_statements
from projections.store.as_of import as_of, moment_of, moment_of_question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.matching.match import Matching
    from projections.store.tables import Store

__all__ = ["AGES", "AgedItems", "Kind", "OpenItems", "open_items"]

Kind = Literal["withdrawals", "claims", "payments", "lines"]
AGES = (1, 7, 30)
"""Last days of the ages that are summed up; what is older comes last."""


@dataclass(frozen=True, slots=True)
class AgedItems:
    """Open items of one kind, in hundredths of their currency by their age in days.

    ``kind`` is ``withdrawals``, ``claims``, ``payments`` or ``lines``; lines are of one ``issuer``
    and ``currency``, money to us above zero, of a game provider stakes less payments. ``books`` is
    what the books of the day, or the matching of its statements, have as open; of payments None.
    """

    kind: Kind
    issuer: str
    currency: str
    items: Count
    days_0_1: Hundredth
    days_2_7: Hundredth
    days_8_30: Hundredth
    older: Hundredth
    total: Hundredth
    books: Hundredth | None


@dataclass(frozen=True, slots=True)
class OpenItems:
    """Open items as of the end of ``day``, by the messages below ``position``."""

    position: int
    head: str
    recorded_at: int
    day: str
    items: tuple[AgedItems, ...]


OURS = "", "CZK"
"""Issuer and currency of what our books have as open."""


class _Item(NamedTuple):
    """Open amounts of one day, which is counted from 1970-01-01 in Prague."""

    day: int
    amount: int
    items: int = 1


RECORDED_ON = "toInt32(toDate(fromUnixTimestamp64Micro({}, 'Europe/Prague')))"
WITHDRAWALS = f"""
SELECT {RECORDED_ON.format("min(recorded_at)")} AS day, sum(signed) AS amount
FROM
(
    SELECT withdrawal, recorded_at, amount AS signed
    FROM WithdrawalRequested WHERE position < {{size:Int64}}
    UNION ALL
    SELECT withdrawal, recorded_at, -amount
    FROM WithdrawalPaid WHERE position < {{size:Int64}}
    UNION ALL
    SELECT withdrawal, recorded_at, -amount
    FROM WithdrawalCancelled WHERE position < {{size:Int64}}
)
GROUP BY withdrawal
HAVING amount != 0
"""  # noqa: S608 - own text
CLAIMS = f"""
SELECT account, {RECORDED_ON.format("recorded_at")} AS day, -amount AS amount
FROM postings
WHERE kind = 'claims' AND position < {{size:Int64}} AND account IN
(
    SELECT account FROM money_by_day(size = {{size:Int64}})
    WHERE kind = 'claims' GROUP BY account HAVING sum(amount) != 0
)
ORDER BY account, position, posting
"""  # noqa: S608 - own text
BOOKS = """
SELECT kind, sum(amount) AS amount FROM money_by_day(size = {size:Int64})
WHERE kind IN ('withdrawals', 'claims') GROUP BY kind
"""
ISSUERS = """
SELECT statement, any(issuer) AS issuer, any(currency) AS currency
FROM StatementImported GROUP BY statement
"""


def open_items(store: Store, *, at: int | None = None, now: int | None = None) -> OpenItems:
    """Return the open items by age, those that are overdue longest not apart from the others.

    Args:
        store: the tables.
        at: number of messages that count; all projected ones by default.
        now: moment of the question, by default that of the last message; a day that is asked for
            ends with it.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    day = in_prague(moment - 1).date()
    today, size = (day - EPOCH).days, place.position
    books = {row["kind"]: row["amount"] for row in store.rows(BOOKS, size=size)}
    matching = match_statements(store, at=size, now=now)
    withdrawals = [_Item(**row) for row in store.rows(WITHDRAWALS, size=size)]
    entries = [
        _Item(one.day, one.sums.amount, one.sums.lines)
        for one in matching.open
        if not one.statement
    ]
    found = (
        _aged("withdrawals", OURS, today, withdrawals, books.get("withdrawals", 0)),
        _aged("claims", OURS, today, _claims(store, size), -books.get("claims", 0)),
        _aged("payments", OURS, today, entries, None),
        *_lines(store, today, matching),
    )
    items = tuple(one for one in found if one.items or one.books)
    recorded_at = moment_of(store, size)
    return OpenItems(place.position, place.head, recorded_at, day.isoformat(), items)


def _claims(store: Store, size: int) -> Iterator[_Item]:
    """Yield what is left of each claim; what was settled is taken from the oldest ones."""
    by_account: dict[str, deque[_Item]] = defaultdict(deque)
    for row in store.rows(CLAIMS, size=size):
        claims, left = by_account[row["account"]], row["amount"]
        while left < 0 and claims and claims[0].amount > 0:
            first = claims.popleft()
            left += first.amount
            if left > 0:
                claims.appendleft(_Item(first.day, left))
                left = 0
        if left:
            claims.append(_Item(row["day"], left))
    for claims in by_account.values():
        yield from claims


def _lines(store: Store, today: int, matching: Matching) -> Iterator[AgedItems]:
    """Yield what is not matched of the statements in force, by issuer and currency."""
    issuers = {row["statement"]: (row["issuer"], row["currency"]) for row in store.rows(ISSUERS)}
    items: dict[tuple[str, str], list[_Item]] = defaultdict(list)
    for one in matching.open:
        if one.statement:
            sums = one.sums
            amount = sums.amount + sums.stake - sums.paid
            items[issuers[one.statement]].append(_Item(one.day, amount, sums.lines))
    unmatched: dict[tuple[str, str], int] = defaultdict(int)
    for of in matching.statements:
        sums = of.unmatched
        unmatched[issuers[of.statement]] += sums.amount + sums.stake - sums.paid
    for whose in sorted(unmatched):
        yield _aged("lines", whose, today, items[whose], unmatched[whose])


def _aged(
    kind: Kind, whose: tuple[str, str], today: int, items: Iterable[_Item], books: int | None
) -> AgedItems:
    sums, count = [0] * (len(AGES) + 1), 0
    for one in items:
        sums[sum(today - one.day > last for last in AGES)] += one.amount
        count += one.items
    first, week, month, older = sums
    return AgedItems(kind, *whose, count, first, week, month, older, sum(sums), books)
