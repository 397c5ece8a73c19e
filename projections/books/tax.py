"""Compute the base of the gambling tax: stakes less returned stakes less winnings paid.

What comes in: the tables, a period (the tax applies to a calendar quarter), and the number of
messages that count. What goes out: the partial base of live game (kind Z; act 187/2016 Sb., § 3),
each part of it by game, or by casino and table, and the tax by the rate in force
(``tax_rates.toml``).

Assumptions (docs/books.md): play by account counts when it is recorded: a stake with its
conclusion, a win with its payment, a correction by its movement in the wallet, and what the wallet
did not hold once it pays the claim. Games among players contribute rake and fees when their pot or
prize pool is paid. A table played for chips counts by its net result (closing less opening float,
plus drop and credits, less fills), in the period of its operating day, with every known correction.
Losses of one part reduce the others of the same kind; a negative base gives no tax.
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files as resources
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct

from ledger.core.decoders import decoder_of
from projections.books.closing import CORRECTIONS, OF_PLAY, close, movements_in
from projections.questions.balances import CURRENCY
from projections.store.as_of import event_tables

if TYPE_CHECKING:
    from projections.books.closing import Closing
    from projections.store.period import Period
    from projections.store.tables import Store

__all__ = [
    "KIND",
    "TableResult",
    "TaxBase",
    "TaxPart",
    "Way",
    "by_account",
    "table_results",
    "tax_base",
]

KIND = "Z"
Way = Literal["remote", "account", "chips"]
HUNDRED, CROWN, THOUSAND = 100, 100, 1_000
TABLES = ("SectionOpened", "SectionClosed", "TableFloatCounted")
AMONG_PLAYERS = {
    *("HandAction", "UncalledReturned", "MisdealDeclared", "PotAwarded", "PointsSettled"),
    *("TournamentEntryPaid", "TournamentEntryReturned", "TournamentEnded", "TournamentPrizePaid"),
}
"""Events that move money of players into their pots and prize pools, or out of them."""


class _Rate(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    since: date = msgspec.field(name="from")
    percent: int


class _Rates(Struct, frozen=True, forbid_unknown_fields=True):
    rate: tuple[_Rate, ...]


@dataclass(frozen=True, slots=True)
class TaxPart:
    """A part of the base: play by account of a game, or a table played for chips.

    ``way`` is the mode of operation: remote (over the internet), account (at a table of a casino,
    by account) or chips. ``base`` is in hundredths of ``currency``, ``base_czk`` in haléř by the
    exchange rate of the quarter; None if no rate is recorded.
    """

    way: Way
    game: str
    place: str
    table: str
    currency: str
    stakes: int
    returned: int
    winnings: int
    corrections: int
    base: int
    base_czk: int | None


@dataclass(frozen=True, slots=True)
class TaxBase:
    """The base of one kind of game; money in haléř.

    ``base`` is the sum of the parts that can be converted to crowns, ``tax`` is rounded up to whole
    crowns. ``unconverted`` are currencies without a rate: their parts are not in ``base``. The
    period ``is_over`` when its days are, and the operating days of casinos that began in it.
    """

    period: str
    position: int
    head: str
    kind: str
    base: int
    percent: int
    tax: int
    is_over: bool
    unconverted: tuple[str, ...]
    parts: tuple[TaxPart, ...]


@dataclass(frozen=True, slots=True)
class TableResult:
    """The known net result of a section of a table; hundredths of its currency."""

    section: str
    place: str
    table: str
    game: str
    day: str
    currency: str
    result: int


def tax_base(
    store: Store,
    period: Period,
    *,
    at: int | None = None,
    now: int | None = None,
    closing: Closing | None = None,
) -> TaxBase:
    """Compute the base of the gambling tax of a period; ``closing`` is its closing, if known.

    Whether the period is over is judged at the moment ``now``, as :func:`close` does.

    Raises:
        InputError: fewer messages are projected, or the period lies before the chain.

    """
    closing = closing or close(store, period, at=at, now=now)
    parts = [*by_account(store, closing), *_by_chips(store, period, closing)]
    base = sum(part.base_czk for part in parts if part.base_czk is not None)
    percent = _percent(period.first_day)
    return TaxBase(
        period=period.text,
        position=closing.position,
        head=closing.head,
        kind=KIND,
        base=base,
        percent=percent,
        tax=-(-max(base, 0) * percent // (HUNDRED * CROWN)) * CROWN,
        is_over=closing.is_over and not _has_open_days(store, period, closing.position),
        unconverted=tuple(sorted({one.currency for one in parts if one.base_czk is None})),
        parts=tuple(parts),
    )


@cache
def _rates() -> tuple[_Rate, ...]:
    text = resources("projections.books").joinpath("tax_rates.toml").read_bytes()
    return decoder_of(_Rates).toml(text).rate


def _percent(day: date) -> int:
    """Return the rate of a day; before the act the first rate."""
    known = sorted((one for one in _rates() if one.kind == KIND), key=lambda one: one.since)
    in_force = [one for one in known if one.since <= day] or known[:1]
    return in_force[-1].percent


def by_account(store: Store, closing: Closing) -> list[TaxPart]:
    """Return the base from play by account; corrections count by their movement in the wallet.

    Stakes among players count when their pot or prize pool is paid: until then they are theirs.
    """
    changed, pooled = _collected(store, closing), Counter[tuple[str, str, bool]]()
    for one in movements_in(store, closing.first, closing.end):
        key = one.game, one.table, one.streamed
        if one.kind == "wallet" and one.event in CORRECTIONS:
            changed[key] = changed.get(key, 0) - one.net
        elif one.kind in OF_PLAY and one.event in AMONG_PLAYERS:
            pooled[key] += one.net
    games = {(one.game, one.table, one.streamed): one for one in closing.games}
    parts = []
    for key in sorted({*games, *filter(changed.get, changed)}):
        game, table, streamed = key
        line, corrections = games.get(key), changed.get(key, 0)
        stakes, returned, winnings = (
            (line.stakes - pooled[key], line.returned, line.winnings) if line else (0, 0, 0)
        )
        base = stakes - returned - winnings + corrections
        parts.append(
            TaxPart(
                way="remote" if streamed else "account",
                game=game,
                place="",
                table=table,
                currency=CURRENCY,
                stakes=stakes,
                returned=returned,
                winnings=winnings,
                corrections=corrections,
                base=base,
                base_czk=base,
            )
        )
    return parts


CLAIMS = """
SELECT
    account, event, position, amount, position IN
    (
        SELECT position FROM postings
        WHERE kind = 'wallet' AND event = 'ClaimSettled'
            AND position >= {first:Int64} AND position < {end:Int64}
    ) AS is_collected, rounds.game AS game, rounds.table AS table, rounds.streamed AS streamed
FROM postings
LEFT JOIN
(
    SELECT
        round, argMin(game, position) AS game, argMin(table, position) AS table,
        argMin(streamed, position) AS streamed
    FROM RoundOpened
    WHERE position < {end:Int64}
        AND round IN (SELECT round FROM postings WHERE kind = 'claims' AND round != '')
    GROUP BY round
) AS rounds ON postings.round = rounds.round
WHERE kind = 'claims' AND postings.position < {end:Int64} AND account IN
(
    SELECT account FROM postings
    WHERE kind = 'claims' AND event = 'ClaimSettled'
        AND position >= {first:Int64} AND position < {end:Int64}
)
ORDER BY account, position, posting
"""


def _collected(store: Store, closing: Closing) -> dict[tuple[str, str, bool], int]:
    """Return what wallets paid in the period for claims from play, by game, table and streaming.

    What is settled is the oldest claim. A claim outside play, such as a returned deposit, or one
    that is settled outside the wallet is no part of it.
    """
    found: dict[tuple[str, str, bool], int] = {}
    rows = store.rows(CLAIMS, first=closing.first, end=closing.end)
    for _, of_account in groupby(rows, key=lambda row: row["account"]):
        claims: deque[tuple[dict[str, Any], int]] = deque()
        for row in of_account:
            settled = row["amount"]
            if settled < 0:
                claims.append((row, -settled))
            while settled > 0 and claims:
                claim, owed = claims.popleft()
                paid = min(settled, owed)
                settled -= paid
                if owed > paid:
                    claims.appendleft((claim, owed - paid))
                if row["is_collected"] and claim["event"] in CORRECTIONS:
                    key = claim["game"], claim["table"], claim["streamed"]
                    found[key] = found.get(key, 0) + paid
    return found


def _by_chips(store: Store, period: Period, closing: Closing) -> list[TaxPart]:
    sums: dict[tuple[str, str, str, str], int] = {}
    for one in table_results(store, period, closing.position):
        key = one.game, one.place, one.table, one.currency
        sums[key] = sums.get(key, 0) + one.result
    rates = _fixed_rates(store, period, closing.position) if sums else {}
    parts = []
    for (game, place, table, currency), base in sorted(sums.items()):
        rate = THOUSAND if currency == CURRENCY else rates.get(currency)
        parts.append(
            TaxPart(
                way="chips", game=game, place=place, table=table, currency=currency,
                stakes=0, returned=0, winnings=0, corrections=0, base=base,
                base_czk=None if rate is None else base * rate // THOUSAND,
            )
        )  # fmt: skip
    return parts


def _has_open_days(store: Store, period: Period, size: int) -> bool:
    """Return whether an operating day of a casino that began in the period is still open."""
    first, last = period.first_day.isoformat(), period.last_day.isoformat()
    filled = event_tables(store)

    def days(event: str) -> set[tuple[str, str]]:
        if event not in filled:
            return set()
        rows = store.rows(
            f"SELECT place, day FROM {event} WHERE position < {{size:Int64}} "  # noqa: S608 - own names
            "AND day >= {first:String} AND day <= {last:String}",
            size=size,
            first=first,
            last=last,
        )
        return {(row["place"], row["day"]) for row in rows}

    return bool(days("OperatingDayOpened") - days("OperatingDayClosed"))


RATES = """
SELECT currency, argMax(rate, position) AS rate
FROM RateFixed
WHERE position < {size:Int64} AND day >= {first:String} AND day <= {last:String}
GROUP BY currency
"""


def _fixed_rates(store: Store, period: Period, size: int) -> dict[str, int]:
    days = {"first": period.first_day.isoformat(), "last": period.last_day.isoformat()}
    return {row["currency"]: row["rate"] for row in store.rows(RATES, size=size, **days)}


RESULTS = """
SELECT
    opened.section AS section, opened.place AS place, opened.station AS table,
    opened.game AS game, opened.day AS day, opened.currency AS currency,
    toInt64(sum(flow)) AS result
FROM SectionOpened AS opened
INNER JOIN
(
    SELECT
        section, if(stage = 'closing', 1, -1) * argMax(amount, position) AS flow
    FROM TableFloatCounted
    WHERE position < {size:Int64}
    GROUP BY section, stage
    UNION ALL
    SELECT section, amount FROM DropMovedToCage WHERE position < {size:Int64}
    UNION ALL
    SELECT section, amount FROM CreditReturned WHERE position < {size:Int64}
    UNION ALL
    SELECT section, -amount FROM FillReceived WHERE position < {size:Int64}
) AS flows ON opened.section = flows.section
WHERE opened.station_kind = 'table' AND opened.position < {size:Int64}
    AND opened.day >= {first:String} AND opened.day <= {last:String}
    AND opened.section IN (SELECT section FROM SectionClosed WHERE position < {size:Int64})
GROUP BY section, place, table, game, day, currency
ORDER BY day, section
"""


def table_results(store: Store, period: Period, size: int) -> list[TableResult]:
    """Return the result of each table of a casino in the closed operating days of a period."""
    if not set(TABLES) <= set(event_tables(store)):
        return []
    days = {"first": period.first_day.isoformat(), "last": period.last_day.isoformat()}
    return [TableResult(**row) for row in store.rows(RESULTS, size=size, **days)]
