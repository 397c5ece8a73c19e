"""Search for what a text describes: a time, a table, a dealer, an amount, a reference of a payment.

Input: text as a person writes it in Czech or English, such as "asi ve 21:03 u stolu Ruleta 2".
Output: lists of rounds narrowed to what the text names, and the newest bets and payments of an
amount or reference. The text only chooses among names of the chain; nothing of it is executed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize
from urllib.parse import quote, urlencode

from ledger.core.clock import HOUR, PRAGUE, from_datetime, in_prague, moments_of
from projections.questions.tables import offer
from projections.store.as_of import size_at
from projections.words.catalogue import Language, Words
from projections.words.names import named
from tools.access.person_index import folded
from tools.access.scopes import Scope
from tools.access.written_times import (
    BACK,
    ClockTime,
    loose_time_in,
    named_day_in,
    time_in,
    written_day_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tools.access.query_context import QueryContext

__all__ = ["SearchResult", "Terms", "described", "terms_of"]

HALER = 100
DASHES = "-\N{EN DASH}\N{EM DASH}"
SPACES = r" \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
NUMBER = (
    rf"(?<![\d.,])(?<!\d[{SPACES}])"
    rf"(?:\d{{1,3}}(?:[.,{SPACES}]\d{{3}}){{1,4}}|\d{{1,15}})(?:[.,]\d\d)?(?![.,]?\d)"
)
"""Whole, or with two places: of any other number, no part is an amount."""
AMOUNT = re.compile(
    rf"(?:CZK|K[čc])\s*(?P<behind>{NUMBER})"
    rf"|(?P<before>{NUMBER})(?:\s*(?:CZK|K[čc]|korun\w*)(?!\w)|,[{DASHES}]+(?:\s*(?:CZK|K[čc])(?!\w))?)",
    re.IGNORECASE,
)
SYMBOL = re.compile(
    r"\A(?:VS|V\.\s?S\.|variabiln[íi] symbol|variable symbol)[:\s]*(?=\d)", re.IGNORECASE
)
"""What a person writes before a variable symbol."""
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
    ORDER BY abs(recorded_at - {{near:Int64}}), position DESC LIMIT {{limit:Int64}}"""
AMOUNTS = (
    ("bet", "bet", "round", "stake", "BetPlaced"),
    ("bet", "bet", "round", "paid", "BetSettled"),
    ("deposit", "deposit", "''", "amount", "DepositCredited"),
    ("withdrawal", "withdrawal", "''", "amount", "WithdrawalRequested"),
)
"""Kind, name, round and amount of what moves money, with its event."""
LINES_OF_AMOUNT = """
    SELECT position, statement, line FROM statement_lines
    WHERE position < {size:Int64} AND currency = 'CZK'
        AND {amount:Int64} IN (abs(amount), stake, paid)
        AND ({day:String} = '' OR toString(booked_on) = {day:String})
    ORDER BY position DESC, line LIMIT {limit:Int64}"""
OF_REFERENCE = """
    SELECT position, statement, line FROM statement_lines
    WHERE position < {size:Int64} AND (
        has({texts:Array(String)}, reference) OR has({texts:Array(String)}, their_reference)
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
    """What a text describes: a time, a day, an amount in haléř, and folded words."""

    clock: ClockTime | None
    day: date | None
    amount: int | None
    words: tuple[str, ...]

    def near(self, now: int) -> tuple[int, ...]:
        """Return the moments of the described time; without a day it is the last one before now.

        They are two, or none, where clocks are set.
        """
        if self.clock is None:
            return ()
        if self.day is not None:
            return self.clock.on(self.day)
        today = in_prague(now).date()
        found = [
            one
            for day in (today, today - timedelta(days=1))
            for one in self.clock.on(day)
            if one <= now
        ]
        return tuple(one for one in found if found[0] - one <= HOUR)


def terms_of(text: str, today: date) -> Terms:
    """Return the terms of a text; a day without a year is the last one up to ``today``."""
    rest, day = written_day_in(normalize("NFC", text), today)
    rest, clock = time_in(rest)
    amount = AMOUNT.search(rest)
    rest = AMOUNT.sub(" ", rest)
    if clock is None:
        rest, clock = loose_time_in(rest)
    if day is None and (clock or amount or folded(rest).strip() in BACK):
        rest, day = named_day_in(rest, today)
    words = (word.strip(".,;:!?\"'()„“”") for word in folded(rest).split())
    return Terms(clock, day, _haler(amount) if amount else None, tuple(filter(None, words)))


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
        if terms.amount is not None:
            found += _lines_of_amount(context, terms, terms.amount)
    return tuple({one.address: one for one in found}.values())


def _rounds(context: QueryContext, terms: Terms) -> Iterator[SearchResult]:
    """Yield the lists of rounds at each table that the terms name, or at all of them."""
    queries = [SETTING.format(kind=kind, table=table) for kind, table in SETTINGS]
    rows = context.store.rows(
        _union(queries), size=context.size, words=sorted(terms.words), limit=SHOWN
    )
    asked = {row["kind"]: row["name"] for row in rows}
    tables = _tables(context, terms.words)
    if not (tables or asked or terms.clock or (terms.day and terms.amount is None)):
        return
    for table in tables or [""]:
        of_table = ({"table": table} if table else {}) | asked
        for when in _when(context, terms, table):
            narrowed = when | of_table
            name = ", ".join(
                value.replace("T", " ") if key == "near" else value
                for key, value in narrowed.items()
            )
            yield SearchResult("rounds", name, None, f"/rounds?{urlencode(narrowed, safe=':')}")


def _when(context: QueryContext, terms: Terms, table: str) -> list[dict[str, str]]:
    """Return the parameters that narrow rounds of a table to each moment, or to the day."""
    if terms.clock is None:
        return [{"day": terms.day.isoformat()} if terms.day else {}]
    played = context.store.value(LAST_ROUND, size=context.size, table=table)
    return [{"near": _in_address(one)} for one in terms.near(played or context.recorded_at)]


def _in_address(moment: int) -> str:
    """Write a moment as the form of rounds does; with its offset where it occurs twice."""
    shown = in_prague(moment)
    local = shown.replace(tzinfo=None)
    parts = "milliseconds" if local.microsecond else "seconds" if local.second else "minutes"
    return (local if len(moments_of(local)) == 1 else shown).isoformat(timespec=parts)


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
    """Yield bets and payments of an amount, the nearest to the time or else the newest."""
    first, end, near = 0, context.size, terms.near(context.recorded_at)
    if near:
        first, end = (
            size_at(context.store, one, context.size)
            for one in (near[0] - AROUND, near[-1] + AROUND)
        )
    elif terms.day:
        begins, after = (
            from_datetime(datetime.combine(day, time(), tzinfo=PRAGUE))
            for day in (terms.day, terms.day + timedelta(days=1))
        )
        first, end = (size_at(context.store, one, context.size) for one in (begins, after))
    queries = [
        OF_AMOUNT.format(kind=kind, name=name, round=round_, amount=column, table=table)
        for kind, name, round_, column, table in AMOUNTS
        if context.may_read(table)
    ]
    if not queries:
        return
    wanted = near[0] if near else context.recorded_at
    rows = context.store.rows(
        _union(queries),
        amount=amount,
        first=first,
        end=end,
        near=wanted,
        limit=SHOWN,
    )
    for row in sorted(rows, key=lambda row: (abs(row["recorded_at"] - wanted), -row["position"])):
        address = (
            f"/rounds/{quote(row['round'], safe='')}"
            if row["round"]
            else f"/events/{row['position']}"
        )
        yield SearchResult(row["kind"], row["name"], row["position"], address, row["recorded_at"])


def _lines_of_amount(context: QueryContext, terms: Terms, amount: int) -> Iterator[SearchResult]:
    """Yield the newest lines of statements of an amount, of the day if the text names one."""
    day = terms.day.isoformat() if terms.day else ""
    asked = {"size": context.size, "amount": amount, "day": day, "limit": SHOWN}
    yield from map(_line, context.store.rows(LINES_OF_AMOUNT, **asked))


def _line(row: Mapping[str, Any]) -> SearchResult:
    line, position = row["line"], row["position"]
    address = f"/events/{position}#entry-{line}"
    return SearchResult("statement_line", f"{row['statement']} {line}", position, address)


def _spellings(text: str) -> list[str]:
    """Return a reference as it may be recorded: as typed, without its label, without blanks."""
    bare = SYMBOL.sub("", text)
    found = {text, bare, re.sub(f"[{SPACES}]", "", bare)}
    return sorted(filter(None, found))


def _of_reference(context: QueryContext, text: str) -> Iterator[SearchResult]:
    """Yield the statement lines with a reference; payers' own are compared by keyed digests."""
    texts = _spellings(text)
    if not texts:
        return
    with context.sources.keys_at_hand() as keys:
        plain = sorted({one for spelled in texts for one in (spelled, spelled.lstrip("0"))})
        digests = [keys.name_digest(one) for one in plain] if keys else []
    rows = context.store.rows(
        OF_REFERENCE,
        size=context.size,
        texts=texts,
        digests=sorted(filter(None, digests)),
        limit=SHOWN,
    )
    yield from map(_line, rows)
