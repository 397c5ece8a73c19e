"""``statement``: files of banks, payment providers and game providers come in as facts."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from ledger.core.errors import InputError
from ledger.decisions.statements import Statement
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.cli._answering import answers
from tools.cli._cuts import cut
from tools.cli._help import Commands
from tools.cli._options import DATA, Csv, Data
from tools.cli._output import (
    counted,
    echo,
    facts,
    minute,
    money,
    number,
    progress,
    table,
    wrapped,
)
from tools.data import DataDirectory
from tools.data.personal import ERASED, SEALED, text_of_period

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from tools.statements.importing import CheckedFile, RecordedStatement
    from tools.statements.reading import ReadRequest

__all__ = [
    "Issuers",
    "ListedStatement",
    "ReadStatements",
    "Reason",
    "ShownLine",
    "ShownStatement",
    "Sources",
    "app",
    "imported_statements",
    "sources_file",
]

app = Commands(
    "Statements of banks and providers: check, import, fetch, list, show, matched, rules."
)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text!r} is no day, such as 2026-11-20") from error


FileName = Annotated[Path, typer.Argument(metavar="FILE", help="The file, as it came.")]
IssuerName = Annotated[
    str, typer.Option("--issuer", metavar="NAME", help="Whose it is: ISSUERS/NAME.toml.")
]
Issuers = Annotated[
    Path | None,
    typer.Option(
        envvar="GAMELEDGER_ISSUERS",
        metavar="DIR",
        help="Folder of the issuers' files; DATA/issuers.",
    ),
]
Sources = Annotated[
    Path | None,
    typer.Option(
        envvar="GAMELEDGER_STATEMENT_SOURCES",
        metavar="FILE",
        help="Where statements are fetched from; DATA/statement-sources.toml.",
    ),
]
Reason = Annotated[
    str, typer.Option(help="Why it supersedes the statements of its period that count now.")
]
FirstDay = Annotated[
    date | None,
    typer.Option(parser=_day, metavar="DAY", help="First day of the period, if the file has none."),
]
LastDay = Annotated[
    date | None,
    typer.Option(parser=_day, metavar="DAY", help="Last day of the period, if the file has none."),
]


@dataclass(frozen=True, slots=True)
class ListedStatement:
    """A statement in the list; amounts are hundredths of its currency.

    ``opens_at_closing`` is false where it begins the day after the one before it, with another
    balance than that ended with. ``file`` is missing where the keys are not at hand.
    """

    statement: str
    issuer: str
    issuer_kind: str
    first_day: str
    last_day: str
    currency: str
    lines: int
    incoming: int
    outgoing: int
    fees: int
    stakes: int
    paid: int
    opening: int | None
    closing: int | None
    file: str | None
    position: int
    imported_at: int
    superseded_by: str
    gap_days: int
    opens_at_closing: bool


class ShownLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a statement as the event has it; what is empty is left out."""

    line: int
    place: int
    kind: str
    booked: str
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


@dataclass(frozen=True, slots=True)
class ShownStatement:
    """A statement with its first lines, and how its file was read, as the event has it."""

    statement: ListedStatement
    number: str
    format: str
    covers: tuple[str, ...]
    file_digest: str
    supersedes: tuple[str, ...]
    reason: str
    settings: str
    first_lines: list[ShownLine]


@dataclass(frozen=True, slots=True)
class ReadStatements:
    """``statement check`` and ``import``: what a file says; ``notes`` name gaps and balances."""

    file: str
    file_digest: str
    issuer: str
    format: str
    currency: str
    statements: list[Statement]
    supersedes: tuple[str, ...]
    notes: list[str]
    imported: bool


def sources_file(data: DataDirectory, named: Path | None) -> Path:
    """Return the file that names the sources of statements."""
    return named or data.path / "statement-sources.toml"


def _show_read(read: ReadStatements) -> None:
    done = read.imported
    what = counted(sum(one.lines for one in read.statements), "line", "lines")
    echo(f"{'Imported' if done else 'It would import'} {what}.", style="green" if done else "")
    table(
        ("statement", "first day", "last day", "lines", "in", "out", "opening", "closing"),
        [
            (
                one.statement,
                one.first_day.isoformat(),
                one.last_day.isoformat(),
                number(one.lines),
                money(one.incoming + one.stakes),
                money(one.outgoing + one.paid),
                "" if one.opening is None else money(one.opening),
                "" if one.closing is None else money(one.closing),
            )
            for one in read.statements
        ],
    )
    for name in read.supersedes:
        echo(f"{'Superseded' if done else 'It would supersede'}: {name}", style="yellow")
    for note in read.notes:
        echo(note, style="yellow")


def _of_file(name: str) -> Callable[[Callable[[ReadRequest, DataDirectory], CheckedFile]], None]:
    """Make a command of what is done with a file; its docstring is the command's help."""

    def registered(act: Callable[[ReadRequest, DataDirectory], CheckedFile]) -> None:
        def command(
            *,
            file: FileName,
            issuer: IssuerName,
            reason: Reason = "",
            first_day: FirstDay = None,
            last_day: LastDay = None,
            issuers: Issuers = None,
            data: Data = DATA,
        ) -> ReadStatements:
            from tools.statements.issuer import read_issuer
            from tools.statements.reading import ReadRequest

            found = read_issuer(issuers or data.path / "issuers", issuer)
            checked = act(ReadRequest(file, issuer, found, reason, first_day, last_day), data)
            return ReadStatements(
                file=file.name,
                file_digest=checked.parsed.digest,
                issuer=issuer,
                format=found.format,
                currency=found.currency,
                statements=checked.parsed.statements,
                supersedes=checked.supersedes,
                notes=[*map(str, checked.notes)],
                imported=name == "import",
            )

        command.__doc__ = act.__doc__
        app.command(name)(answers(_show_read)(command))

    return registered


@_of_file("check")
def _checked(request: ReadRequest, data: DataDirectory) -> CheckedFile:
    """Say what a file would import, or what is wrong with it, by line and column; write nothing.

    Example: `gameledger statement check 2026-11-20.gpc --issuer kb`
    """
    from tools.statements.importing import check

    with progress("reading") as advance:
        return check(request, imported_statements(data), progress=advance)


@_of_file("import")
def _imported(request: ReadRequest, data: DataDirectory) -> CheckedFile:
    """Import a file: its lines become facts, and count once all of them are recorded.

    A run that was stopped leaves nothing in force; import the file again. A corrected file
    supersedes what its period covers, with `--reason`; so does a file that was imported under
    another issuer, in place of itself.

    Example: `gameledger statement import 2026-11-20.gpc --issuer kb`
    """
    from tools.statements.importing import import_file

    before = imported_statements(data)
    with progress("importing") as advance:
        return import_file(request, before, data.write, progress=advance)


def _show_list(found: list[ListedStatement], *, as_csv: Csv = False) -> None:
    table(
        ("statement", "issuer", "first day", "last day", "lines", "in", "out", wrapped("gap")),
        [
            (
                one.statement,
                one.issuer,
                one.first_day,
                one.last_day,
                number(one.lines),
                money(one.incoming + one.stakes),
                money(one.outgoing + one.paid),
                f"superseded by {one.superseded_by}"
                if one.superseded_by
                else counted(one.gap_days, "day before it", "days before it")
                if one.gap_days
                else ""
                if one.opens_at_closing
                else "other balance than before it",
            )
            for one in found
        ],
        nothing="No statement is imported.",
        as_csv=as_csv,
    )


@app.command("list")
@answers(_show_list)
def list_command(
    *,
    issuer: Annotated[str, typer.Option(metavar="NAME", help="Of one issuer only.")] = "",
    superseded: Annotated[
        bool, typer.Option("--all", help="Also those that were superseded.")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")] = 40,
    data: Data = DATA,
) -> list[ListedStatement]:
    """List the statements that count, by issuer and day, with gaps and balances that do not go on.

    Example: `gameledger statement list --issuer kb`
    """
    with data.keys_at_hand() as keys:
        listed = _listed(imported_statements(data), keys)
    issuers = sorted({one.issuer for one in listed})
    if issuer and issuer not in issuers:
        raise InputError(
            f"no statement of {issuer} is imported: there are of {', '.join(issuers) or 'none'}"
        )
    found = [
        one
        for one in listed
        if (superseded or not one.superseded_by) and issuer in {"", one.issuer}
    ]
    if len(found) > limit:
        cut(f"the last {limit} of {len(found)} statements are shown: --limit")
    return found[-limit:]


def _show_statement(shown: ShownStatement) -> None:
    listed = shown.statement
    rows: list[tuple[str, Any]] = [
        ("statement", listed.statement),
        ("issuer", f"{listed.issuer}, {listed.issuer_kind}"),
        ("period", f"{listed.first_day} to {listed.last_day}"),
        ("number", shown.number),
        ("file", f"{listed.file or SEALED} ({shown.format})"),
        ("SHA-256 of the file", shown.file_digest),
        ("currency", listed.currency),
        ("lines", number(listed.lines)),
        ("in", money(listed.incoming)),
        ("out", money(listed.outgoing)),
        ("fees", money(listed.fees)),
        ("stakes", money(listed.stakes)),
        ("paid to players", money(listed.paid)),
        ("opening", "" if listed.opening is None else money(listed.opening)),
        ("closing", "" if listed.closing is None else money(listed.closing)),
        ("answers for", ", ".join(shown.covers)),
        ("imported (Prague)", minute(listed.imported_at)),
        ("position", listed.position),
        ("supersedes", ", ".join(shown.supersedes)),
        ("because", shown.reason),
        ("superseded by", listed.superseded_by),
        ("days without a statement before it", listed.gap_days or ""),
    ]
    facts([(name, value) for name, value in rows if value != ""])
    table(
        ("line", "place", "booked", "kind", "amount", "stake", "paid", wrapped("references")),
        [
            (
                line.line,
                line.place,
                line.booked,
                line.kind,
                money(line.amount, sign=True) if line.amount else "",
                money(line.stake) if line.stake else "",
                money(line.paid) if line.paid else "",
                ", ".join(
                    filter(
                        None,
                        (
                            line.reference,
                            line.end_to_end,
                            line.variable_symbol,
                            line.their_reference,
                            line.settlement,
                            line.round,
                            line.bet,
                        ),
                    )
                ),
            )
            for line in shown.first_lines
        ],
        nothing="It has no lines.",
    )


@app.command("show")
@answers(_show_statement)
def show_command(
    *,
    statement: Annotated[
        str, typer.Argument(metavar="STATEMENT", help="Its name, or how that begins.")
    ],
    limit: Annotated[int, typer.Option(min=0, max=100_000, help="Lines at most.")] = 20,
    data: Data = DATA,
) -> ShownStatement:
    """Show a statement: its file, period, sums, how it was read, and its first lines.

    Example: `gameledger statement show 3fa29c01bb7d2e44`
    """
    from tools.statements.importing import recorded_statements

    with closing(data.read()) as log, data.keys_at_hand() as keys:
        found = recorded_statements(log)
        one = _named(found, statement)
        lines = list(islice(_lines(log, one.event.statement, keys), limit))
        listed = next(row for row in _listed(found, keys) if row.statement == one.event.statement)
    if listed.lines > len(lines):
        cut(f"the first {len(lines)} of {listed.lines} lines are shown: --limit")
    event = one.event
    return ShownStatement(
        listed,
        event.number,
        event.format,
        event.covers,
        event.file_digest,
        event.supersedes,
        event.reason,
        event.settings,
        lines,
    )


def imported_statements(data: DataDirectory) -> list[RecordedStatement]:
    from tools.statements.importing import recorded_statements

    with closing(data.read()) as log:
        return recorded_statements(log)


def _named(found: list[RecordedStatement], name: str) -> RecordedStatement:
    fitting = [one for one in found if one.event.statement.startswith(name)]
    if len(fitting) != 1:
        what = f"{len(fitting)} statements begin" if fitting else "no statement begins"
        raise InputError(f"{what} with {name!r}: `gameledger statement list --all`")
    return fitting[0]


def _listed(found: list[RecordedStatement], keys: KeyStore | None) -> list[ListedStatement]:
    """Sort by issuer and day, and compare each that counts with the one before it."""
    from tools.statements.importing import is_balance_continued

    rows: list[ListedStatement] = []
    counting: dict[str, RecordedStatement] = {}
    for one in sorted(found, key=lambda one: (one.event.issuer, one.order)):
        event, gap, goes_on = one.event, 0, True
        if not one.superseded_by:
            before = counting.get(event.issuer)
            if before is not None:
                gap = max((one.days[0] - before.days[1]).days - 1, 0)
                goes_on = gap > 0 or is_balance_continued(before.event.closing, event.opening)
            counting[event.issuer] = one
        facts_of = {
            name: getattr(event, name) for name in ListedStatement.__slots__ if hasattr(event, name)
        } | {"file": text_of_period(keys, event, "file")}
        rows.append(
            ListedStatement(
                **facts_of,
                position=one.position,
                imported_at=one.imported_at,
                superseded_by=one.superseded_by,
                gap_days=gap,
                opens_at_closing=goes_on,
            )
        )
    return rows


def _lines(log: Log, statement: str, keys: KeyStore | None) -> Iterator[ShownLine]:
    query = Query(types=("StatementLinesRecorded",), tags=(f"statement:{statement}",))
    for recorded in events_at(log, log.find(query)):
        event = recorded.event
        if not isinstance(event, e.StatementLinesRecorded):
            continue
        texts = text_of_period(keys, event, "payer_texts")
        payers = json.loads(texts) if texts not in {None, "", ERASED} else None
        for at, place in enumerate(event.places):
            end_to_end, symbol = payers[at] if payers else ("", "")
            booked = date.fromordinal(date(1970, 1, 1).toordinal() + event.booked_days[at])
            yield ShownLine(
                line=event.first_line + at,
                place=place,
                kind=event.kinds[at],
                booked=booked.isoformat(),
                amount=event.amounts[at],
                fee=event.line_fees[at],
                stake=event.line_stakes[at],
                paid=event.line_paid[at],
                reference=event.references[at],
                end_to_end=end_to_end,
                variable_symbol=symbol,
                their_reference=event.their_references[at],
                settlement=event.settlements[at],
                round=event.their_rounds[at],
                bet=event.their_bets[at],
            )
