"""Checks between files and between packages: keys, references, fixed values.

What comes in: the hashes collected from each file of a package, and, if given, earlier packages,
newest first. What goes out: for each column the faulty hashes. Hashes of eight bytes keep a million
bets in tens of megabytes; they only locate faults, and the validator reads the file again for the
values.

Python's hash of a text is randomised in every process, so an attacker cannot prepare collisions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from projections.packages.cz.content import pieces
from projections.packages.cz.faults import Code
from projections.packages.cz.fields import FileTable, Repetition
from projections.packages.cz.values import split_line

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO

    from projections.packages.cz.content import Package
    from projections.packages.cz.file_check import FileHashes

    Hashes = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["Links", "Suspect", "rows_of"]

HEAD_LINES = 2
NOTHING = 0
"""Hash of an empty text."""
_IN_PACKAGE = frozenset({Repetition.STATIC, Repetition.HERE})
_SENT_ONCE = frozenset({Repetition.ONCE, Repetition.HERE})


@dataclass(frozen=True, slots=True)
class Suspect:
    """Faulty values of a column, by their hashes (repeated values by the hash of key and value)."""

    table: FileTable
    column: str
    code: Code
    hashes: frozenset[int]
    message: str

    def is_at(self, values: list[str]) -> bool:
        """Return whether a row contains one of these values."""
        field = self.table.field(self.column)
        if field.index >= len(values):
            return False
        value = values[field.index]
        if not field.repeats:
            return hash(value) in self.hashes
        return hash((values[self.table.key_field_of(field).index], value)) in self.hashes


@dataclass(slots=True)
class Links:
    """Keys and references of one package, compared with each other and with earlier packages.

    ``tables`` are the files of its model; ``waiting`` are unresolved references that an earlier
    package may contain, by file and column.
    """

    tables: Mapping[str, FileTable]
    keys: dict[str, Hashes] = field(default_factory=dict)
    waiting: dict[tuple[str, str], Hashes] = field(default_factory=dict)
    _dangling: list[Suspect] = field(default_factory=list)
    _repeated: list[Suspect] = field(default_factory=list)
    _sent: dict[str, set[int]] = field(default_factory=dict)
    _fixed: dict[tuple[str, str], dict[int, int]] = field(default_factory=dict)
    _changed: dict[tuple[str, str], set[int]] = field(default_factory=dict)

    def inside(self, gathered: Mapping[str, FileHashes], complete: frozenset[str]) -> None:
        """Compare the files of the package with each other.

        References to a file whose keys are not all known are not checked: that file has its own
        fault.
        """
        for name, one in gathered.items():
            found = _sorted(one.keys)
            twice = found[1:][found[1:] == found[:-1]]
            self._suspect_repeated(self.tables[name], twice)
            self.keys[name] = _unique(found)
        for name, one in gathered.items():
            table = self.tables[name]
            for column, hashes in one.references.items():
                refers = table.field(column).refers
                if refers in complete:
                    self._refer(table, column, _unique(_sorted(hashes)), gathered[refers])
            for column, hashes in one.fixed.items():
                pairs = zip(one.keys, hashes, strict=True)
                self._fixed[name, column] = {key: value for key, value in pairs if key}

    def _suspect_repeated(self, table: FileTable, twice: Hashes) -> None:
        if len(twice):
            hashes = frozenset(twice.tolist())
            text = "the key stands in the file more than once"
            suspect = Suspect(table, table.key.name, Code.KEY_REPEATED, hashes, text)
            self._repeated.append(suspect)

    def _refer(self, table: FileTable, column: str, hashes: Hashes, held: FileHashes) -> None:
        target, repeats = table.field(column).refers, table.field(column).repeats
        known = _sorted(held.repeatable.get(repeats, [])) if repeats else self.keys[target]
        missing = hashes[~_is_among(hashes, known)]
        if not len(missing):
            return
        if self.tables[target].again in _IN_PACKAGE:
            what = f"other {repeats} in that row" if repeats else "such key"
            text = f"{target}.csv of this package has {'an' if repeats else 'no'} {what}"
            self._dangle(table, column, missing, text)
        else:
            self.waiting[table.name, column] = missing

    def _dangle(self, table: FileTable, column: str, missing: Hashes, text: str) -> None:
        hashes = frozenset(missing.tolist())
        self._dangling.append(Suspect(table, column, Code.REFERENCE, hashes, text))

    def earlier(self, package: Package) -> None:
        """Compare with an earlier package."""
        for name, table in self.tables.items():
            opened = package.files.get(table.file_name)
            wanted = [place for place in self.waiting if self._target(place) == name]
            fixed = [place for place in self._fixed if place[0] == name]
            is_once = table.again in _SENT_ONCE and len(self.keys.get(name, ()))
            if opened is None or not (wanted or fixed or is_once):
                continue
            for rows in _blocks(opened):
                found = _sorted([hash(row[0]) for row in rows if row])
                for place in wanted:
                    waiting = self.waiting[place]
                    self.waiting[place] = waiting[~_is_among(waiting, found)]
                if is_once:
                    again = found[_is_among(found, self.keys[name])]
                    self._sent.setdefault(name, set()).update(again.tolist())
                for place in fixed:
                    self._compare(place, table, rows)

    def _target(self, place: tuple[str, str]) -> str:
        name, column = place
        return self.tables[name].field(column).refers

    def _compare(self, place: tuple[str, str], table: FileTable, rows: list[list[str]]) -> None:
        index = table.field(place[1]).index
        present = self._fixed[place]
        for row in rows:
            if index >= len(row):
                continue
            key, value = hash(row[0]), hash(row[index])
            if present.get(key, value) != value:
                self._changed.setdefault(place, set()).add(key)

    def suspects(self, *, knows_earlier: bool) -> Iterator[Suspect]:
        """Return the faults; pending references only if earlier packages are known."""
        yield from self._repeated
        yield from self._dangling
        for name, hashes in self._sent.items():
            table = self.tables[name]
            text = "an earlier package has the key already; a change is a row of its own"
            yield Suspect(table, table.key.name, Code.KEY_SENT_BEFORE, frozenset(hashes), text)
        for (name, column), hashes in self._changed.items():
            text = f"an earlier package has another {column} under this key; it may never change"
            yield Suspect(
                self.tables[name], self.tables[name].key.name, Code.CHANGED, frozenset(hashes), text
            )
        if not knows_earlier:
            return
        for (name, column), missing in self.waiting.items():
            target = self._target((name, column))
            text = f"neither {target}.csv of this package nor an earlier one has such a key"
            yield Suspect(
                self.tables[name], column, Code.REFERENCE, frozenset(missing.tolist()), text
            )


def rows_of(opened: Callable[[], IO[bytes]]) -> Iterator[tuple[int, list[str]]]:
    """Yield the records of a file with their lines; unreadable ones are skipped."""
    for piece in pieces(opened):
        lines = piece.raw.decode(errors="replace").split("\n")
        for number, line in enumerate(lines[:-1] if piece.has_end else lines, piece.number):
            if number >= HEAD_LINES:
                yield number, split_line(line.removesuffix("\r")) or []


def _blocks(opened: Callable[[], IO[bytes]]) -> Iterator[list[list[str]]]:
    for piece in pieces(opened):
        lines = piece.raw.decode(errors="replace").split("\n")[:-1]
        skipped = max(HEAD_LINES - piece.number, 0)
        yield [split_line(line.removesuffix("\r")) or [] for line in lines[skipped:]]


def _sorted(hashes: array[int] | list[int]) -> Hashes:
    found: Hashes = np.array(hashes, dtype=np.int64)
    found.sort()
    filled: Hashes = found[found != NOTHING]
    return filled


def _unique(ordered: Hashes) -> Hashes:
    """Remove duplicates from sorted hashes; numpy's own function is ten times slower here."""
    is_new = np.ones(len(ordered), dtype=bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    found: Hashes = ordered[is_new]
    return found


def _is_among(hashes: Hashes, ordered: Hashes) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return for each hash whether it is among sorted ones."""
    if not len(ordered):
        return np.zeros(len(hashes), dtype=bool)
    places = np.minimum(np.searchsorted(ordered, hashes), len(ordered) - 1)
    found: np.ndarray[Any, np.dtype[np.bool_]] = ordered[places] == hashes
    return found
