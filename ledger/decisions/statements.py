"""Import external statements of banks, payment providers and game providers as facts.

First the lines of a file are recorded, in pieces; then all statements of the file are imported in
one decision, and from then on their lines count. Each piece carries the sums of all lines so far,
so the import is checked against the recorded lines to the haléř. Rejected: a piece out of order,
sums that differ from those of the lines, balances that do not match the lines, a file that is
already in force, and a period that overlaps another one of the same issuer. An overlap is allowed
if balances and numbers show that one statement continues the other, or if the new statement covers
the old one completely and gives a reason. A file that was imported under a wrong issuer is imported
under the right one in its place, with a reason.
"""

from __future__ import annotations

import json
from datetime import date
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ledger.core.errors import InputError
from ledger.core.version import VERSION
from ledger.decisions.packages import Digest
from ledger.decisions.statement_sequence import (
    ReadSettings,
    SequencedStatement,
    StatementSequence,
    are_of_other_lines,
)
from ledger.events import event_types as e
from ledger.events.command import Command, Count, Id, Moment, Name, OptionalName, OptionalText, Word
from ledger.privacy import NAME_DIGEST_DIGITS, period_key
from ledger.state.statement import StatementState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.state.ledger_state import LedgerState

__all__ = [
    "DAYS_MAX",
    "DAY_RANGE",
    "KINDS",
    "LINES_BYTES_MAX",
    "LINES_MAX",
    "SETTINGS_MAX",
    "STATEMENTS_MAX",
    "SUPERSEDED_MAX",
    "ImportStatements",
    "IssuerKind",
    "RecordStatementLines",
    "Statement",
    "StatementLine",
    "batch_of",
    "bytes_of",
    "import_statements",
    "padded",
    "payer_texts",
    "read_settings",
    "record_statement_lines",
    "sequenced_statement",
    "statements_in_force",
]

LINES_MAX = 500
LINES_BYTES_MAX = 56_000
"""Bytes that the lines of one piece may take of their event."""

STATEMENTS_MAX = 400
SUPERSEDED_MAX = 100
DAYS_MAX = 400
"""Days of the period of one statement."""

DAY_RANGE = (date(1970, 1, 2), date(2149, 6, 6))
"""First and last day of a line or a period, as the tables count days."""

SETTINGS_MAX = 5_000

IssuerKind = Literal["BANK", "PAYMENTS", "GAMES"]
MONEY_KINDS = frozenset(
    {"payment", "fee", "interest", "chargeback", "reversal", "settlement", "other"}
)
KINDS: dict[str, frozenset[str]] = {
    "BANK": MONEY_KINDS,
    "PAYMENTS": MONEY_KINDS,
    "GAMES": frozenset({"bet", "round", "total"}),
}
"""Possible kinds of a line, by the kind of its issuer."""

StatementName = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]
Signed = Annotated[int, Meta(ge=-(10**15), le=10**15)]


class StatementLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a statement; amounts are hundredths of its currency.

    ``place`` is the line or row in the file. ``amount`` is positive if it was received, negative if
    it was paid; ``fee`` was withheld from it or, if negative, refunded; games have ``stake`` and
    ``paid`` instead. ``counterparty`` is the account of the other party; the event holds only its
    keyed digest. ``end_to_end`` and ``variable_symbol`` may be written by the payer; they are
    stored as keyed digests and encrypted with the key of the month.
    """

    place: Annotated[int, Meta(ge=1, le=10**15)]
    kind: Literal[
        "payment",
        "fee",
        "interest",
        "chargeback",
        "reversal",
        "settlement",
        "other",
        "bet",
        "round",
        "total",
    ]
    booked: date
    amount: Signed = 0
    fee: Signed = 0
    stake: Count = 0
    paid: Count = 0
    valued: date | None = None
    moment: Moment = 0
    reference: OptionalName = ""
    end_to_end: OptionalName = ""
    variable_symbol: OptionalName = ""
    their_reference: OptionalName = ""
    settlement: OptionalName = ""
    round: OptionalName = ""
    bet: OptionalName = ""
    game: OptionalName = ""
    table: OptionalName = ""
    account: OptionalName = ""
    counterparty: OptionalName = ""


class RecordStatementLines(Command, frozen=True):
    """Record the next lines of a statement; they count once the statement is imported.

    ``first_line`` is the number of the first of them, from 1.
    """

    statement: StatementName
    issuer: Id
    issuer_kind: IssuerKind
    currency: Currency
    first_line: Annotated[int, Meta(ge=1, le=10**15)]
    lines: Annotated[tuple[StatementLine, ...], Meta(min_length=1, max_length=LINES_MAX)]


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """One statement of a file: its period, its balances (if any), and the sums of its lines."""

    statement: StatementName
    number: OptionalName
    first_day: date
    last_day: date
    opening: Signed | None
    closing: Signed | None
    lines: Count
    incoming: Count
    outgoing: Count
    fees: Signed
    stakes: Count
    paid: Count


class ImportStatements(Command, frozen=True):
    """Import the statements of a file whose lines are recorded; from then on these lines count.

    ``settings`` are those by which the file was parsed. ``supersedes`` names the statements that a
    corrected file replaces, and ``reason`` states why.
    """

    issuer: Id
    issuer_kind: IssuerKind
    currency: Currency
    format: Literal["camt.053", "mt940", "gpc", "csv", "jsonl", "xlsx"]
    covers: Annotated[tuple[Word, ...], Meta(max_length=30)]
    file: Name
    file_digest: Digest
    settings: Annotated[str, Meta(min_length=1, max_length=SETTINGS_MAX)]
    statements: Annotated[tuple[Statement, ...], Meta(min_length=1, max_length=STATEMENTS_MAX)]
    supersedes: Annotated[tuple[StatementName, ...], Meta(max_length=SUPERSEDED_MAX)] = ()
    reason: OptionalText = ""


TEXTS = attrgetter(
    "kind",
    "reference",
    "their_reference",
    "settlement",
    "round",
    "bet",
    "game",
    "table",
    "account",
)
NUMBERS_BYTES = 8 * 5 + 12
"""Most bytes of the numbers of a line; amounts of 15 digits take 8, days 3, moments 8."""
SYMBOL_DIGITS = 10
SEALED_AS = "statement"
"""Purpose of the keys of the months that seal what payers wrote, and names of files."""


def bytes_of(line: StatementLine) -> int:
    """Return the number of bytes, at most, that a line takes in its event."""
    texts = TEXTS(line)
    named = (
        line.end_to_end,
        line.variable_symbol,
        line.variable_symbol,
        batch_of("PAYMENTS", line),
    )
    digests = 34 * bool(line.counterparty) + (NAME_DIGEST_DIGITS + 1) * len(
        list(filter(None, named))
    )
    payer = len(_as_json([[line.end_to_end, line.variable_symbol]]).encode())
    return len("".join(texts).encode()) + 2 * len(texts) + 5 + digests + payer + NUMBERS_BYTES


def record_statement_lines(
    ledger_state: LedgerState, command: RecordStatementLines, now: int
) -> list[e.Event]:
    """Decide :class:`RecordStatementLines`; pieces follow each other without gaps."""
    before = ledger_state.statement(command.statement)
    if before.is_imported:
        raise InputError(f"statement {command.statement} is imported: it has no more lines")
    if command.first_line != before.lines + 1:
        raise InputError(
            f"line {command.first_line} can't follow line {before.lines} of statement "
            f"{command.statement}"
        )
    lines = command.lines
    if command.issuer_kind == "GAMES" and command.currency != "CZK":
        raise InputError(f"currency {command.currency}: reports of GAMES are in CZK, as bets are")
    _require_lines_of(command.issuer_kind, lines)
    if (size := sum(map(bytes_of, lines))) > LINES_BYTES_MAX:
        raise InputError(
            f"record_statement_lines: `lines` have {size} bytes, {LINES_BYTES_MAX} at most: send "
            "fewer"
        )
    digest, named = ledger_state.keys.digest, ledger_state.keys.name_digest
    epoch, month = date(1970, 1, 1).toordinal(), period_key(SEALED_AS, now)
    return [
        command.as_event(
            e.StatementLinesRecorded,
            incoming=before.incoming + sum(max(line.amount, 0) for line in lines),
            outgoing=before.outgoing + sum(max(-line.amount, 0) for line in lines),
            fees=before.fees + sum(line.fee for line in lines),
            stakes=before.stakes + sum(line.stake for line in lines),
            paid=before.paid + sum(line.paid for line in lines),
            places=tuple(line.place for line in lines),
            kinds=tuple(line.kind for line in lines),
            amounts=tuple(line.amount for line in lines),
            line_fees=tuple(line.fee for line in lines),
            line_stakes=tuple(line.stake for line in lines),
            line_paid=tuple(line.paid for line in lines),
            booked_days=tuple(line.booked.toordinal() - epoch for line in lines),
            valued_days=tuple(
                line.valued.toordinal() - epoch if line.valued else 0 for line in lines
            ),
            moments=tuple(line.moment for line in lines),
            references=tuple(line.reference for line in lines),
            ends_to_end=tuple(named(line.end_to_end) for line in lines),
            variable_symbols=tuple(named(line.variable_symbol) for line in lines),
            padded_symbols=tuple(named(padded(line.variable_symbol)) for line in lines),
            their_references=tuple(line.their_reference for line in lines),
            settlements=tuple(line.settlement for line in lines),
            batches=tuple(named(batch_of(command.issuer_kind, line)) for line in lines),
            their_rounds=tuple(line.round for line in lines),
            their_bets=tuple(line.bet for line in lines),
            their_games=tuple(line.game for line in lines),
            their_tables=tuple(line.table for line in lines),
            their_accounts=tuple(line.account for line in lines),
            counterparties=tuple(
                digest("counterparty", line.counterparty.encode()).hex()[:32]
                if line.counterparty
                else ""
                for line in lines
            ),
            period_key=month,
            payer_texts=ledger_state.keys.seal(
                month, "StatementLinesRecorded.payer_texts", payer_texts(lines)
            ),
        )
    ]


def padded(symbol: str) -> str:
    """Return a variable symbol with leading zeros, as one of our names may contain it."""
    return symbol and symbol.rjust(SYMBOL_DIGITS, "0")


def batch_of(issuer_kind: str, line: StatementLine) -> str:
    """Return the provider's batch of a line, as a line of the bank names it; "" if none."""
    if issuer_kind != "PAYMENTS" or not (line.settlement or line.kind == "settlement"):
        return ""
    return line.settlement or line.reference or line.their_reference


def payer_texts(lines: tuple[StatementLine, ...]) -> str:
    """Return the texts written by payers, line by line, as JSON; empty if there are none."""
    texts = [[line.end_to_end, line.variable_symbol] for line in lines]
    return _as_json(texts) if any(map(any, texts)) else ""


def _as_json(texts: list[list[str]]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))


def _require_lines_of(issuer_kind: str, lines: tuple[StatementLine, ...]) -> None:
    """Reject lines that an issuer of this kind cannot have, or with a date that is not counted."""
    kinds, of_games = KINDS[issuer_kind], issuer_kind == "GAMES"
    for line in lines:
        if line.kind not in kinds:
            raise InputError(f"place {line.place}: {line.kind} is no kind of {issuer_kind}")
        for day in (line.booked, line.valued or line.booked):
            if not DAY_RANGE[0] <= day <= DAY_RANGE[1]:
                raise InputError(f"place {line.place}: {day} is no day from 1970 to 2149")
        if (line.amount or line.fee) if of_games else (line.stake or line.paid):
            wrong = "an amount or fee" if of_games else "a stake or a payment to a player"
            raise InputError(f"place {line.place}: a line of {issuer_kind} has {wrong}")


def import_statements(
    ledger_state: LedgerState, command: ImportStatements, now: int
) -> list[e.Event]:
    """Decide :class:`ImportStatements`; all statements of a file are imported, or none."""
    if bool(command.supersedes) is not bool(command.reason):
        raise InputError("what supersedes says why, and only that: `supersedes` and `reason`")
    for statement in command.statements:
        _require_recorded(ledger_state.statement(statement.statement), statement)
    new = [sequenced_statement(statement) for statement in command.statements]
    _require_periods(command.statements)
    months = {
        statement.statement: _months_of(command.issuer, statement)
        for statement in command.statements
    }
    in_force = statements_in_force(
        ledger_state, dict.fromkeys(name for all_ in months.values() for name in all_)
    )
    own = {name: event for name, event in in_force.items() if event.issuer == command.issuer}
    misread = _misread(ledger_state, command)
    _require_supersedes(command, own, misread, new)
    for name in command.supersedes:
        _require_nothing_written_off(ledger_state, name)
    key = period_key(SEALED_AS, now)
    file = ledger_state.keys.seal(key, "StatementImported.file", command.file)
    elsewhere = dict.fromkeys(month for event in misread.values() for month in event.issuer_months)
    return [
        command.as_event(
            e.StatementImported,
            statement=statement.statement,
            issuer_months=(*months[statement.statement], *elsewhere),
            number=statement.number,
            first_day=statement.first_day.isoformat(),
            last_day=statement.last_day.isoformat(),
            opening=statement.opening,
            closing=statement.closing,
            lines=statement.lines,
            incoming=statement.incoming,
            outgoing=statement.outgoing,
            fees=statement.fees,
            stakes=statement.stakes,
            paid=statement.paid,
            software_version=VERSION,
            period_key=key,
            file=file,
        )
        for statement in command.statements
    ]


def _require_recorded(state: StatementState, statement: Statement) -> None:
    """Compare a statement with its recorded lines, and its balances with the sums of the lines."""
    if state.is_imported:
        raise InputError(f"statement {statement.statement} is imported already")
    announced = StatementState(
        statement.lines,
        statement.incoming,
        statement.outgoing,
        statement.fees,
        statement.stakes,
        statement.paid,
    )
    if announced != state:
        raise InputError(
            f"statement {statement.statement} has {statement.lines} lines, of which {state.lines} "
            "are recorded, or its sums are not theirs: record all of them first"
        )
    if (statement.opening is None) is not (statement.closing is None):
        raise InputError(f"statement {statement.statement} has one balance: give both or none")
    if statement.opening is not None and statement.closing is not None:
        reached = statement.opening + statement.incoming - statement.outgoing - statement.fees
        if reached != statement.closing:
            raise InputError(
                f"statement {statement.statement}: its lines lead from {statement.opening} to "
                f"{reached}, and it says {statement.closing}"
            )


def sequenced_statement(statement: Statement | e.StatementImported) -> SequencedStatement:
    """Return the properties of a statement that determine its position in the sequence."""
    first, last = (
        day if isinstance(day, date) else date.fromisoformat(day)
        for day in (statement.first_day, statement.last_day)
    )
    return SequencedStatement(
        statement.statement, first, last, statement.number, statement.opening, statement.closing
    )


def _require_periods(statements: tuple[Statement, ...]) -> None:
    """Reject a period that ends before it begins, or is too long."""
    for statement in statements:
        days = (statement.last_day - statement.first_day).days
        first, last = statement.first_day, statement.last_day
        if not DAY_RANGE[0] <= first <= last <= DAY_RANGE[1] or days >= DAYS_MAX:
            raise InputError(
                f"statement {statement.statement} runs from {first} to {last}: a period "
                f"has 1 to {DAYS_MAX} days, from 1970 to 2149"
            )


def _months_of(issuer: str, statement: Statement) -> tuple[str, ...]:
    """Return the months of a statement, by which overlapping statements are found."""
    first, last = (
        day.year * 12 + day.month - 1 for day in (statement.first_day, statement.last_day)
    )
    return tuple(f"{issuer}:{at // 12}-{at % 12 + 1:02d}" for at in range(first, last + 1))


def statements_in_force(
    ledger_state: LedgerState, months: Iterable[str]
) -> dict[str, e.StatementImported]:
    """Return the statements of some months that were not superseded.

    An event that supersedes a statement has the months of that statement, so it is found, too.
    """
    statements = {
        event.statement: event
        for month in months
        for event in ledger_state.events(f"issuer_month:{month}")
        if isinstance(event, e.StatementImported)
    }
    for name in [name for event in statements.values() for name in event.supersedes]:
        statements.pop(name, None)
    return statements


def _misread(
    ledger_state: LedgerState, command: ImportStatements
) -> dict[str, e.StatementImported]:
    """Return the imports of the same file under other issuers that this command supersedes.

    A file that is already in force is rejected, unless it is imported again to replace itself.
    """
    misread = {}
    for event in ledger_state.events(f"file:{command.file_digest}"):
        if not isinstance(event, e.StatementImported):
            continue
        if event.statement not in statements_in_force(ledger_state, event.issuer_months):
            continue
        if event.statement not in command.supersedes:
            if event.issuer != command.issuer and are_of_other_lines(
                read_settings(event), read_settings(command)
            ):
                continue
            raise InputError(
                f"file {command.file} is imported already: it is statement {event.statement} of "
                f"issuer {event.issuer}, {event.first_day} to {event.last_day}"
            )
        if event.issuer != command.issuer:
            misread[event.statement] = event
    return misread


def read_settings(file: ImportStatements | e.StatementImported) -> ReadSettings:
    """Return how the file of an import was read."""
    return ReadSettings(file.format, file.currency, file.settings)


def _require_supersedes(
    command: ImportStatements,
    in_force: dict[str, e.StatementImported],
    misread: dict[str, e.StatementImported],
    new: list[SequencedStatement],
) -> None:
    """Reject an overlap that is not superseded, and statements that these cannot supersede."""
    kept = [
        sequenced_statement(event)
        for name, event in in_force.items()
        if name not in command.supersedes
    ]
    for statement, other in StatementSequence(new).overlapping_pairs():
        raise InputError(
            f"statement {other.name} overlaps another one of its file, {statement.name}"
        )
    links = StatementSequence([*kept, *new])
    for other in kept:
        if any(not links.are_disjoint(statement, other) for statement in new):
            text = _describe_statement(in_force[other.name])
            raise InputError(f"the period overlaps {text}: a corrected file says so, with a reason")
    covered = {
        day
        for statement in new
        for day in range(statement.first_day.toordinal(), statement.last_day.toordinal() + 1)
    }
    for name in command.supersedes:
        if name not in {*in_force, *misread}:
            raise InputError(
                f"statement {name} is not in force in these months: there is nothing to supersede"
            )
        if (event := in_force.get(name)) is None:
            continue
        gone, text = sequenced_statement(event), _describe_statement(event)
        if not covered.issuperset(range(gone.first_day.toordinal(), gone.last_day.toordinal() + 1)):
            raise InputError(f"{text} is not covered whole: what supersedes it has all its days")
        if event.file_digest != command.file_digest and all(
            StatementSequence([gone, *kept, *new]).are_disjoint(statement, gone)
            for statement in new
        ):
            raise InputError(
                f"{text} holds other lines, by its balances and its number: it is not superseded"
            )


def _require_nothing_written_off(ledger_state: LedgerState, statement: str) -> None:
    """Reject to supersede a statement of which an amount is written off, and booked by that."""
    events = ledger_state.events(f"statement:{statement}", e.WriteOffConfirmed)
    gone = {event.reverses for event in events}
    for event in events:
        if not event.reverses and event.write_off not in gone:
            raise InputError(
                f"of statement {statement} write-off {event.write_off} is booked: take it back "
                "first (`gameledger finding reverse-write-off`)"
            )


def _describe_statement(event: e.StatementImported) -> str:
    """Return the description of an imported statement: its name, issuer and period."""
    return (
        f"statement {event.statement} of issuer {event.issuer}, {event.first_day} to "
        f"{event.last_day}"
    )
