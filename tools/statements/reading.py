"""Read and check a whole file: its statements with their sums, its lines as commands.

Input: a file and the settings of its issuer. Output: the content of the file, and on request the
commands that record its lines. Guaranteed: no result is returned before the last byte was read;
memory does not grow with the file. Rejected, by line and column: what the readers reject, and sums
and balances that don't match the lines. A line booked outside the period of its statement is kept
and reported: banks post collections late.
"""

from __future__ import annotations

from datetime import date, timedelta
from hashlib import file_digest, sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.version import VERSION
from ledger.decisions.decider import encode_command
from ledger.decisions.statements import (
    DAY_RANGE,
    DAYS_MAX,
    LINES_BYTES_MAX,
    LINES_MAX,
    STATEMENTS_MAX,
    RecordStatementLines,
    Statement,
    StatementLine,
    bytes_of,
)
from ledger.storage.named_files import UnreadFileError, open_regular, why_unread
from tools.statements.camt import is_own_camt, read_camt
from tools.statements.gpc import is_own_gpc, read_gpc
from tools.statements.issuer import Issuer
from tools.statements.parts import End, Note, RowFaultsError, crowns, fault
from tools.statements.swift import is_own_mt940, read_mt940
from tools.statements.tables import read_csv, read_jsonl, read_xlsx

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import BinaryIO

    from tools.statements.parts import Reader

__all__ = ["ParsedFile", "ReadRequest", "examine"]

READERS: dict[str, Reader] = {
    "camt.053": read_camt,
    "mt940": read_mt940,
    "gpc": read_gpc,
    "csv": read_csv,
    "jsonl": read_jsonl,
    "xlsx": read_xlsx,
}
IS_OWN: Mapping[str, Callable[[str, Issuer], bool]] = {
    "camt.053": is_own_camt,
    "mt940": is_own_mt940,
    "gpc": is_own_gpc,
}
"""By format, whether an issuer takes the statements of an account that a file names."""
PROGRESS_EVERY = 5_000
LINE_DAYS_MAX = 1_000
"""Days on which the lines of one statement are booked."""


class ReadRequest(NamedTuple):
    """A file to read: its issuer, and the data added by the importing person.

    ``actor`` and ``source`` are those of the commands that record it.
    """

    path: Path
    name: str
    issuer: Issuer
    reason: str = ""
    first_day: date | None = None
    last_day: date | None = None
    actor: str = ""
    source: str = "cli"


class ParsedFile(NamedTuple):
    """The content of a file; ``accounts`` are those of its statements, as the file names them."""

    request: ReadRequest
    digest: str
    statements: list[Statement]
    pieces: int
    notes: tuple[Phrase, ...] = ()
    accounts: frozenset[str] = frozenset()

    def is_taken_by(self, settings: str) -> bool:
        """Return whether an issuer with other settings takes one of the statements, too.

        Settings that are not understood take all of them.
        """
        try:
            issuer = decoder_of(Issuer).json(settings)
        except ValueError:
            return True
        is_own = IS_OWN.get(issuer.format)
        return is_own is not None and any(is_own(account, issuer) for account in self.accounts)


def examine(
    request: ReadRequest,
    *,
    keep: Callable[[bytes], object] | None = None,
    progress: Callable[[int, int], None] | None = None,
    lines_max: int = LINES_MAX,
    superseded: Mapping[str, int] = MappingProxyType({}),
) -> ParsedFile:
    """Read and check a file to its end.

    Args:
        request: the file.
        keep: called with each command that records lines, as a line of JSON.
        progress: called at intervals with bytes read and total bytes.
        lines_max: lines of one command.
        superseded: number of superseded statements by the digest of their file; they keep their
            names, and the statements read now get new ones.

    Raises:
        InputError: the file is invalid; the text begins with file, line and column.

    """
    try:
        with open_regular(request.path) as file:
            digest = file_digest(file, "sha256").hexdigest()
            size = file.tell()
            file.seek(0)
            seed = _seed(request, digest, superseded.get(digest, 0))
            reading = _Reading(request, seed, keep, lines_max)
            _read(file, size, reading, progress)
    except UnreadFileError:
        raise
    except RowFaultsError as error:
        raise RowFaultsError(error.faults, request.path.name) from error
    except InputError as error:
        raise InputError(_in_file(request.path.name, error)) from error
    except OSError as error:
        why = why_unread(error)
        raise InputError(Phrase("FILE_UNREAD", file=request.path, why=why)) from error
    return ParsedFile(
        request,
        digest,
        reading.statements,
        reading.pieces,
        tuple(reading.notes),
        frozenset(reading.accounts),
    )


def _in_file(file: str, error: InputError) -> str | Phrase:
    """Return the text of an error behind the name of its file."""
    why = error.args[0]
    return (
        Phrase("FAULT_IN_FILE", file=file, why=why) if isinstance(why, Phrase) else f"{file}, {why}"
    )


def _seed(request: ReadRequest, digest: str, superseded: int) -> str:
    """Return the seed of the statements' names: everything in which two imports can differ."""
    days = f"{request.first_day} {request.last_day}"
    of_issuer = f"{request.name}\n{request.issuer.to_json()}"
    by = f"\n{request.actor}" if request.actor else ""
    return f"{digest}\n{of_issuer}\n{VERSION}\n{days}\n{request.reason}\n{superseded}{by}"


def _read(
    file: BinaryIO, size: int, reading: _Reading, progress: Callable[[int, int], None] | None
) -> None:
    count = 0
    for part in READERS[reading.request.issuer.format](file, reading.request.issuer):
        if isinstance(part, End):
            reading.end(part)
            continue
        if isinstance(part, Note):
            reading.notes.append(part.text)
            continue
        reading.take(part)
        count += 1
        if progress is not None and count % PROGRESS_EVERY == 0:
            progress(min(file.tell(), size), size)


class _Reading:
    """The statement being read, and those before it."""

    def __init__(
        self,
        request: ReadRequest,
        seed: str,
        keep: Callable[[bytes], object] | None,
        lines_max: int,
    ) -> None:
        self.request, self.statements, self.pieces = request, list[Statement](), 0
        self.notes: list[Phrase] = []
        self.accounts: set[str] = set()
        self._seed, self._keep, self._lines_max = seed, keep, lines_max
        self._begin()

    def _begin(self) -> None:
        """Begin the next statement."""
        seed = f"{self._seed}\n{len(self.statements)}"
        self._name = sha256(seed.encode()).hexdigest()[:16]
        self._lines: list[StatementLine] = []
        self._bytes = self._count = self._given = 0
        self._incoming = self._outgoing = self._fees = self._stakes = self._paid = 0
        self._first: tuple[date, int] | None = None
        self._last: tuple[date, int] | None = None
        self._has_reversal = False
        self._turnovers = [0, 0]
        self._days: dict[date, tuple[int, int, int]] = {}

    def take(self, line: StatementLine) -> None:
        """Process the next line."""
        for day in (line.booked, line.valued or line.booked):
            if not DAY_RANGE[0] <= day <= DAY_RANGE[1]:
                raise fault(line.place, 1, "DAY_NOT_COUNTED", text=day)
        self._count += 1
        if line.amount >= 0:
            self._incoming += line.amount
        else:
            self._outgoing -= line.amount
        self._fees += line.fee
        net = line.amount - line.fee
        self._turnovers[net < 0] += abs(net)
        self._stakes += line.stake
        self._paid += line.paid
        self._has_reversal = self._has_reversal or line.kind == "reversal"
        place, lines, amount = self._days.get(line.booked, (line.place, 0, 0))
        self._days[line.booked] = (place, lines + 1, amount + line.amount)
        if len(self._days) > LINE_DAYS_MAX:
            raise fault(line.place, 1, "DAYS_TOO_MANY", most=LINE_DAYS_MAX)
        if self._first is None or self._last is None:
            self._first = self._last = (line.booked, line.place)
        elif line.booked < self._first[0]:
            self._first = (line.booked, line.place)
        elif line.booked > self._last[0]:
            self._last = (line.booked, line.place)
        if self._keep is None:
            return
        size = bytes_of(line)
        if self._lines and (
            self._bytes + size > LINES_BYTES_MAX or len(self._lines) >= self._lines_max
        ):
            self._give(self._keep)
        self._lines.append(line)
        self._bytes += size

    def _give(self, keep: Callable[[bytes], object]) -> None:
        """Emit the collected lines as a command; a repeat yields the same command."""
        seed = f"{self._name} {self._given}"
        command = RecordStatementLines(
            command_id=UUID(bytes=sha256(seed.encode()).digest()[:16]),
            actor=self.request.actor,
            source=self.request.source,
            statement=self._name,
            issuer=self.request.name,
            issuer_kind=self.request.issuer.kind,
            currency=self.request.issuer.currency,
            first_line=self._given + 1,
            lines=tuple(self._lines),
        )
        keep(encode_command(command) + b"\n")
        self.pieces += 1
        self._given += len(self._lines)
        self._lines, self._bytes = [], 0

    def end(self, end: End) -> None:
        """End a statement: check it against its lines."""
        if self._keep is not None and self._lines:
            self._give(self._keep)
        self.accounts.add(end.account)
        first, last = self._period(end)
        self._note_outside(end, first, last)
        self._require_sums(end)
        if len(self.statements) >= STATEMENTS_MAX:
            raise fault(end.place, 1, "STATEMENTS_TOO_MANY", most=STATEMENTS_MAX)
        self.statements.append(
            Statement(
                statement=self._name,
                number=end.number,
                first_day=first,
                last_day=last,
                opening=end.opening,
                closing=end.closing,
                lines=self._count,
                incoming=self._incoming,
                outgoing=self._outgoing,
                fees=self._fees,
                stakes=self._stakes,
                paid=self._paid,
            )
        )
        self._begin()

    def _period(self, end: End) -> tuple[date, date]:
        """Return the period: as given by the importing person, by the file, or by the lines.

        A balance is of the evening of its day, unless lines of that day follow it.
        """
        first = self.request.first_day or end.first_day
        last = self.request.last_day or end.last_day
        if first is None and end.opened_on is not None and last is not None:
            is_of_that_day = end.opened_on in self._days
            first = min(end.opened_on + timedelta(days=0 if is_of_that_day else 1), last)
        if first is None and self._first is not None:
            first = self._first[0]
        if last is None and self._last is not None:
            last = self._last[0]
        if first is None or last is None:
            raise fault(end.place, 1, "PERIOD_UNKNOWN")
        if not 0 <= (last - first).days < DAYS_MAX:
            raise fault(end.place, 1, "PERIOD_LENGTH", first=first, last=last, most=DAYS_MAX)
        return first, last

    def _note_outside(self, end: End, first: date, last: date) -> None:
        """Report lines that are booked outside the period; without balances they are refused.

        Nothing but its lines shows what the period of a table is, so the days that were given for
        it are wrong where a line lies outside.
        """
        for day, (place, lines, amount) in sorted(self._days.items()):
            if first <= day <= last:
                continue
            if end.opening is None:
                raise fault(place, 1, "LINE_OUTSIDE", day=day, first=first, last=last)
            several = {"lines": lines} if lines > 1 else {}
            self.notes.append(
                Phrase(
                    "LINES_OUTSIDE_KEPT" if several else "LINE_OUTSIDE_KEPT",
                    line=place,
                    amount=crowns(amount),
                    day=day,
                    first=first,
                    last=last,
                    **several,
                )
            )

    def _require_sums(self, end: End) -> None:
        """Compare turnovers and balances with the lines.

        Where a bank takes bookings back, only the difference of its turnovers is sure.
        """
        said = (end.stated_incoming, end.stated_outgoing)
        found = end.turnovers or tuple(self._turnovers)
        is_wrong = any(
            one is not None and one != other for one, other in zip(said, found, strict=True)
        )
        if is_wrong and self._has_reversal:
            balance = None if said[0] is None or said[1] is None else said[0] - said[1]
            is_wrong = balance not in {None, found[0] - found[1]}
        if is_wrong:
            ways = zip(said, ("in", "out"), strict=True)
            stated = " and ".join(f"{crowns(one)} {way}" for one, way in ways if one is not None)
            incoming, outgoing = map(crowns, found)
            raise fault(
                end.place,
                1,
                "TURNOVERS_DIFFER",
                stated=stated,
                incoming=incoming,
                outgoing=outgoing,
            )
        if end.opening is None or end.closing is None:
            return
        reached = end.opening + self._incoming - self._outgoing - self._fees
        if reached != end.closing:
            raise fault(
                end.place,
                1,
                "CLOSING_NOT_REACHED",
                opening=crowns(end.opening),
                reached=crowns(reached),
                closing=crowns(end.closing),
            )
