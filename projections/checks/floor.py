# needs = [
#   "OperatingDayOpened", "OperatingDayClosed", "SectionOpened", "SectionClosed",
#   "CageCounted", "TableFloatCounted", "DropCounted", "ChipsSold", "ChipsRedeemed",
#   "CurrencyExchanged", "CageFunded", "CageWithdrawn", "CageOtherIn", "FillReceived",
#   "CreditReturned", "DropMovedToCage", "TipReceived", "TipGiven", "TroncMovedToCage",
#   "ChipsMissing", "AccountCashIn", "AccountCashOut", "ChipBetSettled",
# ]
# reads = ["postings", "RoundOpened", "TableOpened", "OperatorRulesPublished"]
#
# [COUNT_DIFFERS]
# name.en = "Count differs from the books"
# name.cs = "Spočtený stav se liší od knih"
# text.en = "What was counted differs from the books: {detail:phrase}."
# text.cs = "Spočtený stav se liší od knih: {detail}."
# paragraph = "D10 annex, prostredek"
#
# [COUNT_BOOKS_WRONG]
# name.en = "Books of a count wrong"
# name.cs = "Chybný účetní stav u spočtení"
# text.en = "The books told with a count are not what was booked: {detail:phrase}."
# text.cs = "Účetní stav uvedený při sčítání neodpovídá zápisům: {detail}."
# paragraph = "D10 annex, prostredek"
#
# [NET_RESULT_WRONG]
# name.en = "Net result of a table wrong"
# name.cs = "Chybný čistý herní výsledek stolu"
# text.en = "The net result of table {detail} was recorded wrongly, by {amount:money}."
# text.cs = "Čistý výsledek stolu {detail} je zaznamenán chybně, o {amount}."
# paragraph = "D10 annex, pokladna_stul_turnaj_bingo"
#
# [TABLE_RESULT_DIFFERS]
# name.en = "Result of a table differs from its bets"
# name.cs = "Výsledek stolu neodpovídá sázkám"
# text.en = """\
#   The net result of table {detail} and its recorded bets differ by {amount:money}, more than \
#   tips explain."""
# text.cs = """\
#   Čistý výsledek stolu {detail} a jeho zaznamenané sázky se liší o {amount}, tedy více, než \
#   vysvětlí spropitné."""
# paragraph = "D10 annex, pokladna_stul_turnaj_bingo"
#
# [SECTION_NOT_COUNTED]
# name.en = "Section closed without counts"
# name.cs = "Úsek ukončen bez spočtení"
# text.en = "Section {detail} was closed and not counted at both ends."
# text.cs = "Úsek {detail} byl uzavřen, aniž byl na začátku i na konci spočten."
# paragraph = "D10 annex, prostredek"
#
# [OUTSIDE_SECTION]
# name.en = "Fact outside its section"
# name.cs = "Skutečnost mimo provozní úsek"
# text.en = "A fact of the floor lies outside its section: {detail}."
# text.cs = "Skutečnost z provozu kasina leží mimo svůj úsek: {detail}."
# paragraph = "D10 annex, PSTB_transakce"
# identity = "named"
#
# [SECTION_OUTSIDE_DAY]
# name.en = "Section outside its operating day"
# name.cs = "Úsek mimo provozní den"
# text.en = "Section {detail} does not lie in one operating day."
# text.cs = "Úsek {detail} neleží v jednom provozním dni."
# paragraph = "D10 11"
# identity = "named"
#
# [ROUND_OUTSIDE_SECTION]
# name.en = "Round outside a section"
# name.cs = "Hra mimo provozní úsek"
# text.en = "The round at table {detail} was played outside its section."
# text.cs = "Kolo u stolu {detail} se hrálo mimo jeho úsek."
# paragraph = "D10 1"
#
# [GUEST_NOT_IDENTIFIED]
# name.en = "Guest not identified"
# name.cs = "Host nebyl identifikován"
# text.en = "A guest moved {amount:money} in cash in an operating day, and no document was shown."
# text.cs = "Host za provozní den vyměnil {amount} v hotovosti a nepředložil průkaz totožnosti."
# paragraph = "AML act 9"

"""Check the floor of a casino: differing counts and results, events outside their section.

What comes in: the events of operating days, sections, counts and slips, in the order of the chain,
and the postings. Values derived by the write side are not trusted: the expected content at a count
is summed from postings, and the net result of a table is computed from its counts and slips.
Guaranteed: memory is bounded by the number of sections, a few a day; rounds are checked only in
casinos with operating days. Amounts are hundredths of the currency.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.findings.headers import headers
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.store.events import EventAt
    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = ["find"]

COUNTS = (e.CageCounted, e.TableFloatCounted, e.DropCounted)
CASH = (e.ChipsSold, e.ChipsRedeemed, e.CurrencyExchanged)
CROWNS = "CZK"
BOOKS = """
WITH
    counts AS
    (
        SELECT
            position, expected,
            concat(if(means = 'cash', 'cash_', 'chips_'), currency, ':', till) AS kind
        FROM CageCounted
        WHERE position < {size:Int64}
        UNION ALL
        SELECT position, expected, concat('chips_', currency, ':', till)
        FROM TableFloatCounted
        WHERE position < {size:Int64}
        UNION ALL
        SELECT position, expected, concat('cash_', currency, ':', till)
        FROM DropCounted
        WHERE position < {size:Int64}
    ),
    running AS
    (
        SELECT
            kind, position,
            sum(amount) OVER
            (
                PARTITION BY kind ORDER BY position, posting
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS balance
        FROM postings
        WHERE position < {size:Int64} AND kind IN (SELECT kind FROM counts)
    )
SELECT counts.position AS position, counts.kind AS kind, expected - balance AS amount
FROM counts
ASOF LEFT JOIN running
    ON counts.kind = running.kind AND counts.position > running.position
WHERE expected != balance"""
DIFFERENCES = """
SELECT position, posting, splitByChar(':', kind)[1] AS means, amount
FROM postings
WHERE position < {size:Int64} AND endsWith(kind, ':differences')
ORDER BY position"""
ROUNDS = """
SELECT opened.position AS position, opened.round AS round, opened.table AS table
FROM RoundOpened AS opened
WHERE opened.position < {size:Int64} AND opened.position >= {first:Int64} AND opened.table IN
(
    SELECT table FROM TableOpened
    WHERE position < {size:Int64} AND NOT streamed
        AND place IN (SELECT place FROM OperatingDayOpened WHERE position < {size:Int64})
)
ORDER BY position"""


@dataclass(slots=True)
class _Section:
    """A section, followed from its events; ``ends`` are the chips counted at a table, by stage."""

    place: str
    kind: str
    station: str
    opened: int
    closed: int | None = None
    ends: dict[str, int] = field(default_factory=dict)
    moved: int = 0
    won: int = 0
    bets: int = 0
    tips: int = 0
    told: int | None = None
    said_at_close: int | None = None
    cage_counts: defaultdict[tuple[str, str], set[str]] = field(
        default_factory=lambda: defaultdict(set)
    )

    @property
    def result(self) -> int | None:
        """Net result of a table by its counts and slips, including corrections."""
        if set(self.ends) != {"opening", "closing"}:
            return None
        return self.ends["closing"] - self.ends["opening"] + self.moved

    @property
    def is_counted(self) -> bool:
        """Return whether the counts at both ends are complete."""
        if self.kind == "table":
            return set(self.ends) == {"opening", "closing"}
        if self.kind == "cage":
            both = [stages == {"opening", "closing"} for stages in self.cage_counts.values()]
            return bool(both) and all(both)
        return True


@dataclass(slots=True)
class _Floor:
    """State so far: sections by name, and the open operating day of each casino."""

    published: PublishedRules
    sections: dict[str, _Section] = field(default_factory=dict)
    days: dict[str, EventAt[e.OperatingDayOpened]] = field(default_factory=dict)
    section_at: dict[int, str] = field(default_factory=dict)
    cage_at: dict[tuple[int, int], str] = field(default_factory=dict)
    guests: dict[tuple[str, str], tuple[int, bool]] = field(default_factory=dict)


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find violations on the floor of each casino."""
    floor = _Floor(of.published)
    for at in read_events(
        of.store, dict.fromkeys(headers()["floor.py"].needs, ""), first=0, end=of.size
    ):
        yield from _read(floor, at)
    yield from _results(floor)
    yield from _counts_differ(floor, of.store, of.size)
    yield from _rounds_outside(floor, of.store, of.size)


def _read(floor: _Floor, at: EventAt[Any]) -> Iterator[DetectedFinding]:
    match at.event:
        case e.OperatingDayOpened() as event:
            floor.days[event.place] = at
            floor.guests = {key: at for key, at in floor.guests.items() if key[0] != event.place}
        case e.OperatingDayClosed():
            yield from _day_closed(floor, at)
        case e.SectionOpened() as event:
            floor.sections[event.section] = _Section(
                event.place, event.station_kind, event.station, at.position
            )
            if event.place not in floor.days or floor.days[event.place].event.day != event.day:
                yield DetectedFinding(
                    "SECTION_OUTSIDE_DAY", position=at.position, detail=event.section
                )
        case e.SectionClosed() as event if event.section in floor.sections:
            section = floor.sections[event.section]
            section.closed, section.told = at.position, event.result
            section.said_at_close = section.result
            if not section.is_counted:
                yield DetectedFinding(
                    "SECTION_NOT_COUNTED", position=at.position, detail=event.section
                )
        case event:
            yield from _moved(floor, at, event)


def _day_closed(floor: _Floor, at: EventAt[e.OperatingDayClosed]) -> Iterator[DetectedFinding]:
    place = at.event.place
    floor.days.pop(place, None)
    for name, section in floor.sections.items():
        if section.place == place and section.closed is None:
            yield DetectedFinding("SECTION_OUTSIDE_DAY", position=at.position, detail=name)


def _moved(floor: _Floor, at: EventAt[Any], event: Any) -> Iterator[DetectedFinding]:
    """Apply a count or a movement to its section."""
    floor.section_at[at.position] = event.section
    if getattr(event, "cage_till", "") == "differences":
        posting = 1 if isinstance(event, e.FillReceived) else 0
        floor.cage_at[at.position, posting] = event.cage_section
    section = floor.sections.get(event.section)
    is_correction = bool(getattr(event, "corrects", ""))
    if section is None or (section.closed is not None and not is_correction):
        yield DetectedFinding(
            "OUTSIDE_SECTION", position=at.position, amount=event.amount, detail=event.section
        )
    if section is None:
        return
    match event:
        case e.CageCounted():
            section.cage_counts[event.means, event.currency].add(event.stage)
        case e.TableFloatCounted():
            section.ends[event.stage] = event.amount
        case e.FillReceived():
            section.moved -= event.amount
        case e.CreditReturned() | e.DropMovedToCage():
            section.moved += event.amount
        case e.ChipBetSettled():
            section.won += event.amount - event.paid
            section.bets += 1
        case e.TipReceived() | e.TipGiven():
            section.tips += event.amount
        case _:
            pass
    if isinstance(event, CASH):
        yield from _cash_of_guest(floor, at, event)


def _cash_of_guest(floor: _Floor, at: EventAt[Any], event: Any) -> Iterator[DetectedFinding]:
    """Find large cash payments of a guest within an operating day without a shown document."""
    if getattr(event, "method", "cash") != "cash":
        return
    amount = event.amount if event.currency == CROWNS else 0
    if isinstance(event, e.CurrencyExchanged) and event.given_currency == CROWNS:
        amount += event.given
    before, shown = floor.guests.get((event.place, event.guest), (0, False))
    total, shown = before + amount, shown or event.document_shown
    if event.guest:
        floor.guests[event.place, event.guest] = total, shown
    else:
        total, shown = amount, event.document_shown
    most = floor.published.at_moment(at.recorded_at).figures.linked_haler.value
    if total >= most and amount > 0 and not shown:
        yield DetectedFinding(
            "GUEST_NOT_IDENTIFIED", position=at.position, amount=total, detail=event.guest
        )


def _results(floor: _Floor) -> Iterator[DetectedFinding]:
    """Compare the net result of each table with that recorded at its close, and with its bets."""
    for section in floor.sections.values():
        result = section.result
        if section.closed is None or section.kind != "table" or result is None:
            continue
        if section.told != section.said_at_close:
            amount = (section.told or 0) - (section.said_at_close or 0)
            yield DetectedFinding(
                "NET_RESULT_WRONG", position=section.closed, amount=amount, detail=section.station
            )
        more = result - section.won
        if section.bets and not 0 <= more <= section.tips:
            amount = more if more < 0 else more - section.tips
            yield DetectedFinding(
                "TABLE_RESULT_DIFFERS",
                position=section.closed,
                amount=amount,
                detail=section.station,
            )


def _counts_differ(floor: _Floor, store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find differences booked by counts that no later correction explains."""
    left: defaultdict[tuple[str, str], int] = defaultdict(int)
    last: dict[tuple[str, str], int] = {}
    for row in store.rows(DIFFERENCES, size=size):
        of_section = floor.section_at.get(row["position"], "")
        key = floor.cage_at.get((row["position"], row["posting"]), of_section), row["means"]
        left[key] -= row["amount"]
        last[key] = row["position"]
    for (name, kind), amount in left.items():
        if amount:
            means, _, currency = kind.partition("_")
            detail = Phrase("COUNT_OF_MEANS", amount=f"{amount / 100:+,.2f}", currency=currency,
                            means=means, section=name)  # fmt: skip
            yield DetectedFinding(
                "COUNT_DIFFERS",
                position=last[name, kind],
                amount=amount,
                detail=detail,
                about=f"{name} {kind}",
            )
    for row in store.rows(BOOKS, size=size):
        amount, kind = row["amount"], row["kind"]
        detail = Phrase("BOOKS_OF_BALANCE", amount=f"{amount / 100:+,.2f}", balance=kind)
        yield DetectedFinding(
            "COUNT_BOOKS_WRONG",
            position=row["position"],
            amount=amount,
            detail=detail,
            about=f"{row['position']} {row['kind']}",
        )


def _rounds_outside(floor: _Floor, store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find rounds recorded outside the section of their table, in casinos with operating days."""
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for section in floor.sections.values():
        end = size if section.closed is None else section.closed
        spans[section.station].append((section.opened, end))
    first = min((section.opened for section in floor.sections.values()), default=size)
    for row in store.rows(ROUNDS, size=size, first=first):
        inside = any(start < row["position"] < end for start, end in spans[row["table"]])
        if not inside:
            yield DetectedFinding(
                "ROUND_OUTSIDE_SECTION",
                position=row["position"],
                round=row["round"],
                detail=row["table"],
            )
