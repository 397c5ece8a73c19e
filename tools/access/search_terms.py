"""Search for what a text describes: a time, a table, a dealer, an amount, a reference of a payment.

Input: text as a person writes it in Czech or English, such as "asi ve 21:03 u stolu Ruleta 2".
Output: lists of rounds narrowed to what the text names, and the newest bets and payments of an
amount or reference. The text only chooses among names of the chain; nothing of it is executed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import HOUR, PRAGUE, from_datetime, in_prague
from projections.questions.tables import offer
from projections.store.as_of import size_at
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tools.access.person_index import folded
from tools.access.scopes import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tools.access.query_context import QueryContext

__all__ = ["SearchResult", "Terms", "described", "terms_of"]

HALER = 100
HOUR_OF_DAY, MINUTE_OF_HOUR = r"(?P<hour>[01]?\d|2[0-3])", r"(?P<minute>[0-5]\d)(?!\d|[.:]\d)"
CLOCKS = (
    re.compile(rf"(?<![\d:.,-]){HOUR_OF_DAY}:{MINUTE_OF_HOUR}"),
    re.compile(
        rf"\b(?:v|ve|kolem|okolo|asi|at|about|around)\s+{HOUR_OF_DAY}\.{MINUTE_OF_HOUR}",
        re.IGNORECASE,
    ),
)
"""A time of day: with a colon, or with a full stop behind a preposition ("ve 21.03")."""
ISO_DAY = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)")
CZECH_DAY = re.compile(
    r"(?<![\d.])(?P<day>[0-3]?\d)\.\s?(?P<month>[01]?\d)\.(?:\s?(?P<year>\d{4}))?(?!\d)"
)
SPACES = r" \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
NUMBER = (
    rf"(?<![\d.,])(?:\d{{1,3}}(?:[.,{SPACES}]\d{{3}}){{1,4}}|\d{{1,15}})(?:[.,]\d\d)?(?![.,]?\d)"
)
"""Whole, or with two places: of any other number, no part is an amount."""
AMOUNT = re.compile(
    rf"(?:CZK|Kč)\s*(?P<behind>{NUMBER})|(?P<before>{NUMBER})\s*(?:CZK|Kč|korun\w*)", re.IGNORECASE
)
STEM = 5
"""First letters of a game's name that are enough, because Czech nouns change their ends."""
SPELLINGS = {"rulet": "roule", "bakar": "bacca"}
"""Beginnings of Czech names of games whose plans name them in English."""
SHOWN = 10
"""Bets and payments of an amount or reference that are offered."""
AROUND = 12 * HOUR
LAST_ROUND = """
    SELECT recorded_at FROM RoundOpened
    WHERE position < {size:Int64} AND ({table:String} = '' OR table = {table:String})
    ORDER BY position DESC LIMIT 1"""
SETTING = """
    SELECT DISTINCT '{kind}' AS kind, {kind} AS name FROM {table}
    WHERE position < {{size:Int64}}
        AND lowerUTF8(replaceRegexpAll(normalizeUTF8NFKD({kind}), '\\p{{Mn}}', ''))
            IN {{words:Array(String)}}
    ORDER BY name LIMIT {{limit:Int64}}"""
SETTINGS = (("dealer", "DealerSeated"), ("device", "DeviceAssigned"), ("shoe", "ShoeLoaded"))
"""What a list of rounds is narrowed to besides its table, and the events that introduce it."""
OF_AMOUNT = """
    SELECT '{kind}' AS kind, {name} AS name, {round} AS round, position, recorded_at FROM {table}
    WHERE {amount} = {{amount:Int64}} AND position >= {{first:Int64}} AND position < {{end:Int64}}
    ORDER BY position DESC LIMIT {{limit:Int64}}"""
AMOUNTS = (
    ("bet", "bet", "round", "stake", "BetPlaced"),
    ("bet", "bet", "round", "paid", "BetSettled"),
    ("deposit", "deposit", "''", "amount", "DepositCredited"),
    ("withdrawal", "withdrawal", "''", "amount", "WithdrawalRequested"),
)
"""Kind, name, round and amount of what moves money, with its event."""
OF_REFERENCE = """
    SELECT position, statement, line FROM statement_lines
    WHERE position < {size:Int64} AND (
        reference = {text:String} OR their_reference = {text:String}
        OR has({digests:Array(String)}, end_to_end) OR has({digests:Array(String)}, variable_symbol)
        OR has({digests:Array(String)}, padded_symbol))
    ORDER BY position DESC, line LIMIT {limit:Int64}"""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Something that was found: its kind, its first position, and where it is shown.

    A list of rounds has no position; ``at`` is a moment that tells results of a kind apart.
    """

    kind: str
    name: str
    position: int | None
    address: str
    at: int | None = None


class Terms(NamedTuple):
    """What a text describes: a time in Prague, a day, an amount in haléř, and folded words."""

    clock: time | None
    day: date | None
    amount: int | None
    words: tuple[str, ...]

    def near(self, now: int) -> datetime | None:
        """Return the described time; without a day it is the last one before ``now``."""
        if self.clock is None:
            return None
        last = in_prague(now)
        near = datetime.combine(self.day or last.date(), self.clock)
        is_later = self.day is None and near > last.replace(tzinfo=None)
        return near - timedelta(days=1) if is_later else near


def terms_of(text: str, today: date) -> Terms:
    """Return the terms of a text; a day without a year is the last one up to ``today``."""
    amount = AMOUNT.search(text)
    rest = AMOUNT.sub(" ", text)
    clock = next(filter(None, (pattern.search(rest) for pattern in CLOCKS)), None)
    if clock:
        rest = f"{rest[: clock.start()]} {rest[clock.end() :]}"
    rest, day = _day_in(rest, today)
    words = (word.strip(".,;:!?\"'()„“”") for word in folded(rest).split())
    return Terms(
        time(int(clock["hour"]), int(clock["minute"])) if clock else None,
        day,
        _haler(amount) if amount else None,
        tuple(filter(None, words)),
    )


def _day_in(text: str, today: date) -> tuple[str, date | None]:
    """Return a text without its day, and the day; one without a year is the last such day."""
    found = ISO_DAY.search(text) or CZECH_DAY.search(text)
    if found is None:
        return text, None
    month, day = int(found["month"]), int(found["day"])
    try:
        given = date(int(found["year"] or today.year), month, day)
        if not found["year"] and given > today:
            given = date(today.year - 1, month, day)
    except ValueError:
        return text, None
    return f"{text[: found.start()]} {text[found.end() :]}", given


def _haler(amount: re.Match[str]) -> int:
    digits = re.sub(f"[{SPACES}]", "", amount["behind"] or amount["before"])
    whole, part = digits, "00"
    if re.search(r"[.,]\d\d$", digits):
        whole, part = digits[:-3], digits[-2:]
    return int(re.sub(r"[.,]", "", whole)) * HALER + int(part)


def described(context: QueryContext, text: str) -> tuple[SearchResult, ...]:
    """Find what a text describes and the reader may see."""
    terms = terms_of(text, in_prague(context.recorded_at).date())
    found = [*_rounds(context, terms)] if Scope.ROUNDS in context.scopes else []
    if terms.amount is not None:
        found += _of_amount(context, terms, terms.amount)
    if context.may_read("StatementLinesRecorded"):
        found += _of_reference(context, text.strip())
    return tuple(found)


def _rounds(context: QueryContext, terms: Terms) -> Iterator[SearchResult]:
    """Yield the lists of rounds at each table that the terms name, or at all of them."""
    queries = [SETTING.format(kind=kind, table=table) for kind, table in SETTINGS]
    rows = context.store.rows(
        _union(queries), size=context.size, words=sorted(terms.words), limit=SHOWN
    )
    asked = {row["kind"]: row["name"] for row in rows}
    tables = _tables(context, terms.words)
    if not (tables or asked or terms.clock):
        return
    for table in tables or [""]:
        played = context.store.value(LAST_ROUND, size=context.size, table=table)
        near = terms.near(played or context.recorded_at)
        narrowed = {"near": near.isoformat(timespec="minutes")} if near else {}
        narrowed |= ({"table": table} if table else {}) | asked
        name = ", ".join(
            value.replace("T", " ") if key == "near" else value for key, value in narrowed.items()
        )
        address = "&".join(f"{key}={value}" for key, value in narrowed.items())
        yield SearchResult("rounds", name, None, f"/rounds?{address}")


def _union(queries: Iterable[str]) -> str:
    return " UNION ALL ".join(f"SELECT * FROM ({query})" for query in queries)  # noqa: S608 - own text


def _tables(context: QueryContext, words: tuple[str, ...]) -> list[str]:
    """Return the tables that words name, by their names or by their games and numbers."""
    tables = offer(context.store, at=context.size).tables
    if exact := [one.table for one in tables if folded(one.table) in words]:
        return exact
    begun = [word[:STEM] for word in words if len(word) >= STEM]
    stems = tuple(begun + [SPELLINGS[one] for one in begun if one in SPELLINGS])
    numbers = {int(word) for word in words if word.isdecimal()}
    of_game = [one.table for one in tables if stems and _is_game(one.game, stems)]
    numbered = [one for one in of_game if _number(one) in numbers]
    return numbered or of_game


def _is_game(game: str, stems: tuple[str, ...]) -> bool:
    names = (named(Words(language), "games", game) for language in Language)
    return any(word.startswith(stems) for name in names for word in folded(name).split())


def _number(table: str) -> int | None:
    digits = re.search(r"\d+\Z", table, re.ASCII)
    return int(digits[0]) if digits else None


def _of_amount(context: QueryContext, terms: Terms, amount: int) -> Iterator[SearchResult]:
    """Yield the newest bets and payments of an amount, near the time if there is one."""
    first, end = 0, context.size
    near = terms.near(context.recorded_at)
    if near:
        moment = from_datetime(near.replace(tzinfo=PRAGUE))
        first, end = (size_at(context.store, moment + by, end) for by in (-AROUND, AROUND))
    queries = [
        OF_AMOUNT.format(kind=kind, name=name, round=round_, amount=column, table=table)
        for kind, name, round_, column, table in AMOUNTS
        if context.may_read(table)
    ]
    if not queries:
        return
    rows = context.store.rows(
        _union(queries),
        amount=amount,
        first=first,
        end=end,
        limit=SHOWN,
    )
    for row in sorted(rows, key=lambda row: -row["position"]):
        address = f"/rounds/{row['round']}" if row["round"] else f"/events/{row['position']}"
        yield SearchResult(row["kind"], row["name"], row["position"], address, row["recorded_at"])


def _of_reference(context: QueryContext, text: str) -> Iterator[SearchResult]:
    """Yield the statement lines with a reference; payers' own are compared by keyed digests."""
    with context.sources.keys_at_hand() as keys:
        digests = [keys.name_digest(one) for one in (text, text.lstrip("0"))] if keys else []
    rows = context.store.rows(
        OF_REFERENCE,
        size=context.size,
        text=text,
        digests=sorted(filter(None, digests)),
        limit=SHOWN,
    )
    for row in rows:
        line, position = row["line"], row["position"]
        address = f"/events/{position}#entry-{line}"
        yield SearchResult("statement_line", f"{row['statement']} {line}", position, address)
