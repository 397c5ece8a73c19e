"""Import an examined file: check it against earlier imports, record its lines, put it in force.

Input: the content of a file, and the statements in force in the chain. Output: the commands, last
the one that puts the statements in force. Guaranteed: an interrupted run puts nothing in force, and
the next run sends the same commands, each of which the ledger records once. Rejected before
anything is sent: a file that is in force already, a period that overlaps another without a reason.
"""

from __future__ import annotations

from collections import Counter, deque
from contextlib import contextmanager, suppress
from datetime import date
from itertools import pairwise
from tempfile import TemporaryFile, gettempdir
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError, InputError
from ledger.core.phrases import NOTHING, Phrase
from ledger.decisions.decider import decode_command
from ledger.decisions.statement_sequence import (
    ReadSettings,
    SequencedStatement,
    StatementSequence,
    are_of_other_lines,
)
from ledger.decisions.statements import (
    SUPERSEDED_MAX,
    ImportStatements,
    read_settings,
    sequenced_statement,
)
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.statements.parts import crowns
from tools.statements.reading import ParsedFile, ReadRequest, examine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from typing import IO

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from tools.service.client import AnyLedger

__all__ = [
    "CheckedFile",
    "RecordedStatement",
    "check",
    "import_file",
    "is_balance_continued",
    "recorded_statements",
]

NUMBER_DIGITS_MAX = 16
ON_THEIR_WAY = 8
"""Commands that are sent before the first of them is answered."""


class RecordedStatement(NamedTuple):
    """A statement of the chain; ``superseded_by`` is empty while the statement is in force."""

    position: int
    imported_at: int
    event: e.StatementImported
    superseded_by: str

    @property
    def days(self) -> tuple[date, date]:
        """First and last day."""
        return date.fromisoformat(self.event.first_day), date.fromisoformat(self.event.last_day)

    @property
    def linked(self) -> SequencedStatement:
        """Position among the statements of the issuer."""
        return sequenced_statement(self.event)

    @property
    def order(self) -> tuple[date, date, int, int]:
        """Sort key among the issuer's statements: days, number if numeric, order of import."""
        return (*self.days, _number(self.event.number), self.position)


class CheckedFile(NamedTuple):
    """A file that may be imported: the statements it supersedes, and notes for the operator."""

    parsed: ParsedFile
    supersedes: tuple[str, ...]
    notes: list[Phrase]


class _StatementPeriod(NamedTuple):
    """The period of a statement with its balances."""

    first: date
    last: date
    opening: int | None
    closing: int | None
    number: int
    name: str
    is_new: bool


def recorded_statements(log: Log) -> list[RecordedStatement]:
    """Read all statements of a chain, the oldest first."""
    found = list(events_at(log, log.find(Query(types=("StatementImported",)))))
    gone: dict[str, str] = {}
    for one in found:
        if isinstance(one.event, e.StatementImported):
            for name in one.event.supersedes:
                gone.setdefault(name, one.event.statement)
    return [
        RecordedStatement(
            one.position,
            one.envelope.recorded_at,
            one.event,
            gone.get(one.event.statement, ""),
        )
        for one in found
        if isinstance(one.event, e.StatementImported)
    ]


def check(
    request: ReadRequest,
    before: list[RecordedStatement],
    *,
    progress: Callable[[int, int], None] | None = None,
) -> CheckedFile:
    """Read a file and compare it with the statements of the chain; nothing is sent.

    Raises:
        InputError: the file can't be imported; the text gives the reason, by line and column.

    """
    return _checked(examine(request, progress=progress, superseded=_superseded(before)), before)


def import_file(
    request: ReadRequest,
    before: list[RecordedStatement],
    open_ledger: Callable[[], AnyLedger],
    *,
    progress: Callable[[int, int], None] | None = None,
    lines_max: int = 500,
    supersedes: tuple[str, ...] | None = None,
) -> CheckedFile:
    """Read a whole file, then record its lines and put its statements in force.

    Args:
        request: the file.
        before: the statements of the chain.
        open_ledger: opens the ledger, once the file is read; it is closed afterwards.
        progress: called with progress and total; reading is the first half, recording the second.
        lines_max: lines of one command.
        supersedes: the statements that it superseded when it was shown; None: it was not shown.

    Raises:
        InputError: the file can't be imported; nothing is in force.
        AvailabilityError: the writer is unavailable, or the folder of temporary files has no room;
            import the file again.

    """
    with _temporary_file() as kept:

        def keep(text: bytes) -> None:
            with _in_temporary_folder():
                kept.write(text)

        half = progress and (lambda done, size: progress(done, 2 * size))
        parsed = examine(
            request,
            keep=keep,
            progress=half,
            lines_max=lines_max,
            superseded=_superseded(before),
        )
        judged = _checked(parsed, before)
        if supersedes not in {None, judged.supersedes}:
            raise InputError(Phrase("FILE_SUPERSEDES_OTHERS", file=request.path.name))
        with _in_temporary_folder():
            size = kept.tell()
            kept.seek(0)
        with open_ledger() as ledger:
            _send(kept, ledger, progress and (lambda done: progress(size + done, 2 * size)))
            ledger.execute(_command(judged))
    return judged


@contextmanager
def _temporary_file() -> Iterator[IO[bytes]]:
    with _in_temporary_folder():
        kept = TemporaryFile()  # noqa: SIM115 - closed below
    try:
        yield kept
    finally:
        with suppress(OSError):  # of what can't be written, as was raised
            kept.close()


@contextmanager
def _in_temporary_folder() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        text = f"the lines can't be stored in {gettempdir()} while they are read"
        raise AvailabilityError(f"{text} ({error.strerror}): free some room and repeat") from error


def _superseded(before: list[RecordedStatement]) -> Counter[str]:
    """Count the superseded statements, by the digest of their file."""
    return Counter(one.event.file_digest for one in before if one.superseded_by)


def _send(kept: IO[bytes], ledger: AnyLedger, progress: Callable[[int], None] | None) -> None:
    """Send the commands in order, several before the first is answered."""
    waiting: deque[Future[Receipt]] = deque()
    sent = 0
    for text in kept:
        waiting.append(ledger.submit(decode_command(text)))
        sent += len(text)
        if len(waiting) > ON_THEIR_WAY:
            waiting.popleft().result()
            if progress is not None:
                progress(sent)
    for one in waiting:
        one.result()


def _command(judged: CheckedFile) -> ImportStatements:
    parsed, asked = judged.parsed, judged.parsed.request
    return ImportStatements(
        actor=asked.actor,
        source=asked.source,
        issuer=asked.name,
        issuer_kind=asked.issuer.kind,
        currency=asked.issuer.currency,
        format=asked.issuer.format,
        covers=asked.issuer.answers_for,
        file=asked.path.name,
        file_digest=parsed.digest,
        settings=asked.issuer.to_json(),
        statements=tuple(parsed.statements),
        supersedes=judged.supersedes,
        reason=asked.reason,
    )


def _checked(parsed: ParsedFile, before: list[RecordedStatement]) -> CheckedFile:
    """Compare a file with the statements of the chain; the decision repeats this check."""
    asked, file = parsed.request, parsed.request.path.name
    count = [one for one in before if not one.superseded_by]
    mine = [one for one in count if one.event.issuer == asked.name]
    same = [
        one for one in count if one.event.file_digest == parsed.digest and _is_same(one, parsed)
    ]
    new = [sequenced_statement(one) for one in parsed.statements]
    for first, second in StatementSequence(new).overlapping_pairs():
        raise InputError(
            Phrase(
                "STATEMENTS_ALIKE",
                file=file,
                first_number=first.number or NOTHING,
                first_day=first.first_day,
                second_number=second.number or NOTHING,
                second_day=second.first_day,
            )
        )
    overlapped = _overlapped(mine, new, same)
    if not asked.reason:
        for one in same:
            statement = _described(one)
            raise InputError(
                Phrase("FILE_IMPORTED", file=file, statement=statement, issuer=asked.name)
            )
        for one in overlapped:
            statement, weight = _described(one), _weight(one)
            raise InputError(Phrase("FILE_OVERLAPS", file=file, statement=statement, weight=weight))
        return CheckedFile(parsed, (), _notes(parsed, mine))
    overlapped += [one for one in same if one not in mine]
    if not overlapped:
        raise InputError(Phrase("FILE_SUPERSEDES_NOTHING", file=file, issuer=asked.name))
    if (found := len(overlapped)) > SUPERSEDED_MAX:
        most = SUPERSEDED_MAX
        raise InputError(Phrase("FILE_SUPERSEDES_TOO_MANY", file=file, found=found, most=most))
    names = tuple(one.event.statement for one in overlapped)
    left = [one for one in mine if one.event.statement not in names]
    gone = [
        Phrase("NO_LONGER_COUNTS", statement=_described(one), weight=_weight(one))
        for one in overlapped
    ]
    return CheckedFile(parsed, names, [*gone, *_notes(parsed, left)])


def _overlapped(
    mine: list[RecordedStatement], new: list[SequencedStatement], same: list[RecordedStatement]
) -> list[RecordedStatement]:
    """Return the statements that a file repeats or corrects, the same file first."""
    kept = [one for one in mine if one not in same]
    links = StatementSequence([*(one.linked for one in kept), *new])
    return [
        one
        for one in mine
        if one in same or any(not links.are_disjoint(one.linked, other) for other in new)
    ]


def _is_same(one: RecordedStatement, parsed: ParsedFile) -> bool:
    """Return whether a statement in force of the same file may hold the same lines.

    What the file names decides: an account without its bank is that of two issuers.
    """
    event, request = one.event, parsed.request
    issuer = request.issuer
    mine = ReadSettings(issuer.format, issuer.currency, issuer.to_json())
    return (
        event.issuer == request.name
        or not are_of_other_lines(read_settings(event), mine)
        or parsed.is_taken_by(event.settings)
    )


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < NUMBER_DIGITS_MAX else 0


def _described(one: RecordedStatement) -> Phrase:
    event = one.event
    return Phrase(
        "STATEMENT_OF_ISSUER",
        statement=event.statement,
        issuer=event.issuer,
        first=event.first_day,
        last=event.last_day,
    )


def _weight(one: RecordedStatement) -> Phrase:
    """Describe what no longer counts when a statement is superseded."""
    event = one.event
    many = {} if event.lines == 1 else {"lines": event.lines}
    if event.issuer_kind == "GAMES":
        code = "LINES_OF_PLAY" if many else "LINE_OF_PLAY"
        return Phrase(code, stakes=crowns(event.stakes), paid=crowns(event.paid), **many)
    code = "LINES_OF_MONEY" if many else "LINE_OF_MONEY"
    incoming, outgoing = crowns(event.incoming), crowns(event.outgoing)
    return Phrase(code, incoming=incoming, outgoing=outgoing, **many)


def _notes(parsed: ParsedFile, neighbours: Iterable[RecordedStatement]) -> list[Phrase]:
    """List other content of the file, gaps, and balances that do not continue.

    Gaps are those between the new statements and those in force.
    """
    spans = [
        _StatementPeriod(
            *one.days,
            one.event.opening,
            one.event.closing,
            _number(one.event.number),
            one.event.statement,
            is_new=False,
        )
        for one in neighbours
    ]
    spans += [
        _StatementPeriod(
            one.first_day,
            one.last_day,
            one.opening,
            one.closing,
            _number(one.number),
            one.statement,
            is_new=True,
        )
        for one in parsed.statements
    ]
    found = list(parsed.notes)
    by_days = sorted(spans, key=lambda span: (span.first, span.last, span.number))
    for one, other in pairwise(by_days):
        if not (one.is_new or other.is_new):
            continue
        if (days := (other.first - one.last).days - 1) > 0:
            code, many = ("GAP_OF_DAYS", {"days": days}) if days > 1 else ("GAP_OF_A_DAY", {})
            found.append(
                Phrase(
                    code,
                    last=one.last,
                    before=one.name,
                    first=other.first,
                    behind=other.name,
                    **many,
                )
            )
        elif not is_balance_continued(one.closing, other.opening):
            found.append(
                Phrase(
                    "BALANCE_NOT_CONTINUED",
                    before=one.name,
                    closing=crowns(one.closing or 0),
                    last=one.last,
                    behind=other.name,
                    opening=crowns(other.opening or 0),
                )
            )
    return found


def is_balance_continued(closing: int | None, opening: int | None) -> bool:
    """Return whether a statement's opening balance may follow another's closing balance."""
    return None in {closing, opening} or closing == opening
