"""Check one file of a package in a single streaming pass.

What comes in: pieces of lines. What goes out: the faults, the number of records, and, as eight
bytes each, the hashes of keys, references and fixed values, to be compared with other files later.
One regular expression splits a piece of valid lines; only a line that does not match is checked
value by value.
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import from_datetime
from projections.packages.cz.content import LINE_MAX, pieces
from projections.packages.cz.faults import FAULTS_MAX, Code
from projections.packages.cz.fields import Field, FieldType, FileTable, RequiredTime, files
from projections.packages.cz.moments import Calendar, PeriodPosition
from projections.packages.cz.values import (
    MOMENT,
    RowPattern,
    Rules,
    problem,
    row_pattern,
    split_line,
)
from projections.packages.results import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import IO

    from projections.packages.cz.content import Piece

__all__ = ["Context", "FaultList", "FileCheck", "FileHashes"]

HEAD_LINES = 2
META_PARTS = 4
META_VERSION = "1.0"
BYTES_OF_CHARACTER_MAX = 4
REFUSED = "SOOdmitnuti"
"""A refused measure has neither value nor currency."""

_LATEST = {
    RequiredTime.FREE: frozenset(
        {PeriodPosition.BEFORE, PeriodPosition.INSIDE, PeriodPosition.AFTER}
    ),
    RequiredTime.UNTIL: frozenset({PeriodPosition.BEFORE, PeriodPosition.INSIDE}),
    RequiredTime.ONE: frozenset({PeriodPosition.BEFORE, PeriodPosition.INSIDE}),
    RequiredTime.INSIDE: frozenset({PeriodPosition.INSIDE}),
}
_ONLY_INSIDE = frozenset({PeriodPosition.INSIDE})


class Context(NamedTuple):
    """Package name and strictness; ``allows_late`` accepts times before the period."""

    rules: Rules
    calendar: Calendar
    now: int
    allows_late: bool


class _StopError(Exception):
    """The file has too many faults."""


class FaultList:
    """The faults of one file."""

    def __init__(self, package: str, file: str) -> None:
        """Start empty."""
        self._package, self._file = package, file
        self.found: list[Fault] = []

    def add(self, line: int | None, field_name: str, code: Code, message: str) -> None:
        """Add a fault.

        Raises:
            _StopError: the file has too many faults; the last entry reports this.

        """
        if len(self.found) < FAULTS_MAX:
            self.found.append(Fault(self._package, self._file, line, field_name, code, message))
            return
        text = f"there are more than {FAULTS_MAX} faults; the rest of the file was not looked at"
        self.found.append(Fault(self._package, self._file, line, "", Code.TOO_MANY, text))
        raise _StopError

    def has(self, line: int, field_name: str) -> bool:
        """Return whether a fault of this field in this line is in the list."""
        return any((one.line, one.field) == (line, field_name) for one in self.found)

    def add_all(self, faults: Iterable[tuple[int, str, Code, str]]) -> None:
        """Add faults up to the maximum number for one file."""
        with suppress(_StopError):
            for line, field_name, code, message in faults:
                self.add(line, field_name, code, message)


@dataclass(slots=True)
class FileHashes:
    """Hashes of the keys, references and fixed values of one file.

    ``fixed`` has one value for every key, in the same order. ``repeatable`` are hashes of a key
    with a value of its row that other files repeat; a repeating reference must be among them.
    """

    keys: array[int] = field(default_factory=lambda: array("q"))
    repeatable: dict[str, array[int]] = field(default_factory=dict)
    references: dict[str, array[int]] = field(default_factory=dict)
    fixed: dict[str, array[int]] = field(default_factory=dict)


class FileCheck:
    """Checks one file; ``rows`` counts its records, ``is_complete``: all of its keys are known."""

    def __init__(self, table: FileTable, context: Context) -> None:
        """Prepare the rules of a package."""
        self._table = table
        self._context = context
        self._strict = context.rules.strict
        self._pattern: RowPattern = row_pattern(table, context.rules)
        self._groups = {one.name: place for place, one in enumerate(self._pattern.fields)}
        characters = sum(one.size for one in table.fields)
        self._may_be_too_long = characters * BYTES_OF_CHARACTER_MAX > LINE_MAX
        self._has_crlf: bool | None = None
        self._said_ends = False
        self.faults = FaultList(str(context.rules.name), table.file_name)
        self.gathered = FileHashes()
        self.rows = 0
        self.is_complete = True

    def run(self, opened: Callable[[], IO[bytes]]) -> None:
        """Read the file to its end, or to the fault that stops it.

        Raises:
            ContentError: the archive is damaged.
        """
        lines = 0
        try:
            for piece in pieces(opened):
                self._piece(piece)
                lines = piece.number + piece.raw.count(b"\n") + (not piece.has_end)
            self._count(lines)
        except _StopError:
            self.is_complete = False

    def _count(self, lines: int) -> None:
        self.is_complete &= lines >= HEAD_LINES
        if lines == 0:
            self.faults.add(0, "", Code.META, "the file is empty: its first line names the package")
        elif lines < HEAD_LINES:
            self.faults.add(1, "", Code.HEADER, "the line with the names of the columns is missing")
        due = self._table.rows
        if due is not None and self.rows != due:
            text = f"there are {self.rows} records; there must be {due}"
            self.faults.add(None, "", Code.RECORD_COUNT, text)

    def _piece(self, piece: Piece) -> None:
        raw = piece.raw
        if not piece.has_end:
            if len(raw) > LINE_MAX:
                self._too_long(piece.number)
                raise _StopError
            if self._strict:
                self.faults.add(piece.number, "", Code.CSV, "the last line has no CR LF")
            raw += b"\n" if not self._has_crlf else b"\r\n"
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            self._undecoded(raw, piece.number)
            return
        self._text(text, piece.number)

    def _undecoded(self, raw: bytes, number: int) -> None:
        for offset, line in enumerate(raw.split(b"\n")[:-1]):
            try:
                self._text(f"{line.decode()}\n", number + offset)
            except UnicodeDecodeError as error:
                text = f"byte {error.start + 1} of the line is not UTF-8"
                self.is_complete = False
                self.faults.add(number + offset, "", Code.UTF8, text)

    def _text(self, text: str, number: int) -> None:
        self._ends(text, number)
        while number < HEAD_LINES and text:
            line, _, text = text.partition("\n")
            self._head(line.removesuffix("\r"), number)
            number += 1
        if not text:
            return
        rows: Sequence[tuple[str, ...]]
        numbers: Sequence[int]
        rows = self._pattern.expression.findall(text)
        count = text.count("\n")
        if len(rows) == count and not self._may_be_too_long:
            numbers = range(number, number + count)
        else:
            rows, numbers = self._one_by_one(text, number)
        self.rows += count
        if rows:
            self._columns(rows, numbers)

    def _ends(self, text: str, number: int) -> None:
        newlines, crlf = text.count("\n"), text.count("\r\n")
        if self._has_crlf is None:
            self._has_crlf = self._strict or text.startswith("\r\n", text.index("\n") - 1)
        if crlf == (newlines if self._has_crlf else 0) or self._said_ends:
            return
        self._said_ends = True
        lines = text.split("\n")[:-1]
        line = next(i for i, one in enumerate(lines) if one.endswith("\r") is not self._has_crlf)
        due = "CR LF" if self._has_crlf else "LF, as the lines before it"
        text = f"the line does not end with {due}; said once for a file"
        self.faults.add(number + line, "", Code.CSV, text)

    def _head(self, line: str, number: int) -> None:
        if number == 0:
            for code, text in _meta_faults(line.removeprefix("\ufeff"), self._table, self._context):
                self.faults.add(0, "", code, text)
            return
        names = split_line(line)
        due = [one.name for one in self._table.fields]
        is_good = names == due
        if not self._strict and names is not None:
            is_good = [one.lower() for one in names] == [one.lower() for one in due]
        if not is_good or (self._strict and line != self._table.header):
            text = f"the columns must be {self._table.header}"
            self.faults.add(1, "", Code.HEADER, text)
            raise _StopError

    def _one_by_one(self, text: str, number: int) -> tuple[list[tuple[str, ...]], list[int]]:
        rows, numbers = [], []
        start = 0
        match = self._pattern.expression.match
        while start < len(text):
            end = text.index("\n", start) + 1
            found = match(text, start)
            size = end - start
            if size * BYTES_OF_CHARACTER_MAX > LINE_MAX and _bytes(text[start:end]) > LINE_MAX:
                self._too_long(number)
            elif found is not None:
                rows.append(found.groups())
                numbers.append(number)
            else:
                row = self._slowly(text[start : end - 1].removesuffix("\r"), number)
                if row is not None:
                    rows.append(row)
                    numbers.append(number)
            start = end
            number += 1
        return rows, numbers

    def _too_long(self, number: int) -> None:
        self.is_complete = False
        text = f"the line has more than {LINE_MAX} bytes"
        self.faults.add(number, "", Code.LINE_LENGTH, text)

    def _slowly(self, line: str, number: int) -> tuple[str, ...] | None:
        """Check a line value by value; faulty values are excluded from later comparisons.

        Returns the values, or None if the line cannot be split.
        """
        values = split_line(line)
        if values is None:
            self.is_complete = False
            text = "a quote is not closed, or stands inside a value that is not quoted"
            self.faults.add(number, "", Code.CSV, text)
            return None
        fields = self._table.fields
        if len(values) != len(fields):
            self.is_complete = False
            text = f"the line has {len(values)} fields; {len(fields)} are due"
            self.faults.add(number, "", Code.FIELD_COUNT, text)
            return None
        for place, (one, value) in enumerate(zip(fields, values, strict=True)):
            fault = problem(one, value, self._context.rules)
            if fault is not None:
                self.faults.add(number, one.name, *fault)
                self.is_complete &= place > 0 and one.type is not FieldType.WIDE_IDENTIFIER
                if place == 0 or one.refers or one.lies is not None or one.fixed:
                    values[place] = ""
            elif not self._strict:
                values[place] = value.strip()
        return tuple(values[one.index] for one in self._pattern.fields)

    def _columns(self, rows: Sequence[tuple[str, ...]], numbers: Sequence[int]) -> None:
        columns = list(zip(*rows, strict=False))
        for one, column in zip(self._pattern.fields, columns, strict=False):
            if one.index == 0:
                self.gathered.keys.extend(map(hash, column))
            elif one.type is FieldType.WIDE_IDENTIFIER:
                self._keep(
                    self.gathered.repeatable, one, map(hash, zip(columns[0], column, strict=True))
                )
            elif one.repeats:
                named = columns[self._groups[self._table.key_field_of(one).name]]
                pairs = {pair for pair in zip(named, column, strict=True) if all(pair)}
                self._keep(self.gathered.references, one, map(hash, pairs))
            elif one.refers:
                self._references(one, column, numbers)
            elif one.lies is not None:
                self._moments(one, one.lies, column, numbers)
            if one.fixed:
                self._keep(self.gathered.fixed, one, map(hash, column))
        if self._strict:
            self._one_of(columns, numbers)
            self._conditions(columns, numbers)

    def _keep(self, kept: dict[str, array[int]], one: Field, hashes: Iterable[int]) -> None:
        kept.setdefault(one.name, array("q")).extend(hashes)

    def _references(self, one: Field, column: Sequence[str], numbers: Sequence[int]) -> None:
        values = set(column)
        values.discard("")
        if one.refers in files(self._context.rules.name.model):
            self._keep(self.gathered.references, one, map(hash, values))
        elif values and self._strict:
            text = f"packages of this kind hold no {one.refers}.csv: leave it empty"
            for number, value in zip(numbers, column, strict=True):
                if value:
                    self.faults.add(number, one.name, Code.REFERENCE, text)

    def _moments(
        self, one: Field, lies: RequiredTime, column: Sequence[str], numbers: Sequence[int]
    ) -> None:
        allowed = self._allowed(lies)
        standing = self._context.calendar.position_of
        if self._context.calendar.positions_of(column) <= allowed:
            return
        for number, value in zip(numbers, column, strict=True):
            found = standing(value) if value else PeriodPosition.INSIDE
            if found is PeriodPosition.IMPOSSIBLE:
                text = f"{value} is not a moment that there is"
                self.faults.add(number, one.name, Code.TYPE, text)
            elif found not in allowed:
                place = "before" if found is PeriodPosition.BEFORE else "after"
                text = f"{value} lies {place} the period of the package"
                self.faults.add(number, one.name, Code.TIMESPAN, text)

    def _allowed(self, lies: RequiredTime) -> frozenset[PeriodPosition]:
        allowed = _LATEST[lies if self._strict else RequiredTime.FREE]
        if self._context.allows_late:
            allowed |= {PeriodPosition.BEFORE}
        if lies is RequiredTime.ONE and self._context.rules.name.version > 1:
            # A later version may contain what became known of the row after the period.
            allowed |= {PeriodPosition.AFTER}
        return allowed

    def _one_of(self, columns: Sequence[Sequence[str]], numbers: Sequence[int]) -> None:
        """Check that at least one of the times that can justify a row is in the period."""
        fields = [one for one in self._pattern.fields if one.lies is RequiredTime.ONE]
        if not fields or self._context.allows_late:
            return
        moments = [columns[self._groups[one.name]] for one in fields]
        calendar = self._context.calendar
        if calendar.positions_of(moments[0]) == _ONLY_INSIDE:
            return
        names = ", ".join(one.name for one in fields)
        for number, values in zip(numbers, zip(*moments, strict=True), strict=True):
            found = {calendar.position_of(value) for value in values if value}
            if (
                found
                and PeriodPosition.INSIDE not in found
                and found <= self._allowed(RequiredTime.ONE)
            ):
                text = f"none of {names} lies in the period of the package"
                self.faults.add(number, fields[0].name, Code.TIMESPAN, text)

    def _conditions(self, columns: Sequence[Sequence[str]], numbers: Iterable[int]) -> None:
        fields = [one for one in self._table.fields if one.condition is not None]
        if not fields:
            return
        for place, number in enumerate(numbers):
            row = {name: columns[group][place] for name, group in self._groups.items()}
            if row.get(REFUSED) == "1":
                continue
            for one in fields:
                due = one.condition
                if due is None or row[one.name] or row[due.field] not in due.values:
                    continue
                if not self.faults.has(number, one.name):
                    text = f"it must be filled when {due.field} is {row[due.field] or 'empty'}"
                    self.faults.add(number, one.name, Code.MANDATORY, text)


def _bytes(text: str) -> int:
    return len(text.encode())


def _meta_faults(line: str, table: FileTable, context: Context) -> list[tuple[Code, str]]:
    """Check the first line: ``#package;file;created;1.0``."""
    if not line.startswith("#"):
        return [(Code.META_HASH, "the first line must begin with #")]
    parts = line[1:].split(";")
    if len(parts) != META_PARTS:
        text = f"the first line has {len(parts)} parts; {META_PARTS} are due"
        return [(Code.META_PARTS, text)]
    package, file_name, created, version = parts
    found = []
    name = str(context.rules.name)
    if package.lower() != name.lower():
        found.append((Code.META_PACKAGE, f"the first line names another package than {name}"))
    if file_name.lower() != table.file_name.lower():
        text = f"the first line names another file than {table.file_name}"
        found.append((Code.META_NAME, text))
    if not _is_past(created, context):
        text = "the third part of the first line is not a past moment, such as "
        found.append((Code.META_MOMENT, f"{text}2026-11-21T16:20:00.0+01:00"))
    if version != META_VERSION:
        found.append((Code.META_VERSION, f"the first line ends with {META_VERSION}"))
    return found


def _is_past(created: str, context: Context) -> bool:
    if context.rules.strict and not MOMENT.fullmatch(created):
        return False
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return False
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return from_datetime(moment) <= context.now
