"""Structure of a package of kind Z: files, columns, types, rules, code lists of each model.

What comes in: the tables in ``data/``, a folder per model, our own short form of the decree's
annex.
What goes out: frozen values, loaded and checked once; builder and validator use the same ones.
Guaranteed: files and columns are in the order of the decree. Rejected: a table that names an
unknown type, code list, file or field.

``fields.csv``, a row per column: ``type`` as in `FieldType`; ``size`` in characters; ``filled`` is
``must``, ``may``, or a field and the values with which the column must be filled, ``empty`` for
none; ``begins`` as in `RequiredBeginning`; ``refers`` names the file that must hold the key, or
``file.column`` where it repeats what the row of that file holds to which another column of this row
refers; ``moment`` as in `RequiredTime`; ``fixed`` marks what may never change under a key.

``files.csv``, a row per file: ``rows`` where the number is fixed; ``again`` as in `Repetition`.
"""

from __future__ import annotations

import csv
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.packages.cz.names import Model, PackageName

__all__ = [
    "ELSEWHERE",
    "RATES",
    "Condition",
    "Field",
    "FieldType",
    "FileTable",
    "Repetition",
    "RequiredBeginning",
    "RequiredTime",
    "TableError",
    "files",
    "files_of",
    "parse_tables",
    "table",
]

RATES = "mena_kurs"
"""The file that only the quarterly packages contain."""

ELSEWHERE = frozenset({"misto", "herni_pozice"})
"""Files that columns of model V refer to but that its packages of this kind never contain."""

EMPTY = "empty"


class TableError(LedgerError):
    """The tables in ``data/`` contradict each other: a bug of this package."""


class FieldType(StrEnum):
    """Type of a value; the validator has a pattern for each."""

    KEY = "key"
    REFERENCE = "reference"
    WIDE_REFERENCE = "wide reference"
    """Any text after the first hyphen, of any length."""
    WIDE_IDENTIFIER = "wide identifier"
    """Same format as ``WIDE_REFERENCE``; another file repeats the value."""
    TEXT = "text"
    MONEY = "money"
    RATE = "rate"
    PLACE = "place"
    """Degrees of latitude or longitude."""
    COUNT = "count"
    FLAG = "flag"
    """0 or 1, without a code list."""
    MOMENT = "moment"
    DAY = "day"
    CODE = "code"


class RequiredBeginning(StrEnum):
    """Required beginning of a value (or the whole value), derived from the package name."""

    FREE = ""
    PREFIX = "prefix"
    """The value begins with the operator's number."""
    OPERATOR = "operator"
    """The value equals the operator's number."""
    KIND = "kind"
    """The value equals the kind of game."""


class RequiredTime(StrEnum):
    """Required position of a time relative to the period of the package."""

    FREE = "free"
    UNTIL = "until"
    """Before the end of the period: the row may be in the package for another reason."""
    INSIDE = "inside"
    """Within the period: this time is the reason for the row."""
    ONE = "one"
    """At least one such time of the row is within the period, as the reason for the row."""


class Repetition(StrEnum):
    """Whether later packages may contain a key again."""

    STATIC = "static"
    """Yes: the row is repeated whenever another row refers to it."""
    WHOLE = "whole"
    """Yes: the complete row is repeated when a missing value becomes known."""
    ONCE = "once"
    """No: a change is reported by another row."""
    HERE = "here"
    """No, and all references to the key are in the same package."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Rule that a column must be filled if another column has one of these values."""

    field: str
    values: frozenset[str]


@dataclass(frozen=True, slots=True)
class Field:
    """One column; ``index`` counts from 0, ``size`` is 0 if there is no maximum length.

    ``repeats`` is the column of the referenced file that this one repeats, empty for its key.
    """

    name: str
    index: int
    type: FieldType
    size: int
    must: bool
    condition: Condition | None
    begins: RequiredBeginning
    refers: str
    repeats: str
    lies: RequiredTime | None
    fixed: bool
    codes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FileTable:
    """One file; ``name`` lacks ``.csv``, ``rows`` is the required number of rows, if fixed."""

    name: str
    fields: tuple[Field, ...]
    rows: int | None
    again: Repetition

    @property
    def file_name(self) -> str:
        """File name in the package."""
        return f"{self.name}.csv"

    @property
    def header(self) -> str:
        """Second line of the file, without its line terminator."""
        return ";".join(field.name for field in self.fields)

    @property
    def key(self) -> Field:
        """The column that identifies a row."""
        return self.fields[0]

    def key_field_of(self, field: Field) -> Field:
        """Return the key column of the row from which a column repeats a value."""
        return next(one for one in self.fields if one.refers == field.refers and not one.repeats)

    def field(self, name: str) -> Field:
        """Find a column.

        Raises:
            KeyError: there is none of this name.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"{self.file_name} has no column {name}")


@cache
def files(model: Model) -> Mapping[str, FileTable]:
    """Return all files of a model by name, in the order of the decree, `RATES` last."""
    folder = resources("projections.packages.cz").joinpath("data")
    return parse_tables(
        folder.joinpath(model, "files.csv").read_text(encoding="utf-8"),
        folder.joinpath(model, "fields.csv").read_text(encoding="utf-8"),
        folder.joinpath("codes.toml").read_text(encoding="utf-8"),
    )


def table(name: str, model: Model) -> FileTable:
    """Find a file of a model by its case-insensitive name, with or without ``.csv``.

    Raises:
        KeyError: packages of this model have no such file.
    """
    wanted = name.lower().removesuffix(".csv")
    for one in files(model).values():
        if one.name.lower() == wanted:
            return one
    raise KeyError(name)


def files_of(name: PackageName) -> tuple[FileTable, ...]:
    """Return the files that a package must contain: all, and `RATES` only when they are due."""
    due = files(name.model).values()
    return tuple(one for one in due if one.name != RATES or name.has_rates)


def parse_tables(file_rows: str, field_rows: str, codes: str) -> Mapping[str, FileTable]:
    """Parse the tables from their texts.

    Raises:
        TableError: they contradict themselves or each other.
    """
    lists = tomllib.loads(codes)
    columns: dict[str, list[Field]] = {}
    for row in csv.DictReader(field_rows.splitlines(), strict=True):
        present = columns.setdefault(row["file"], [])
        present.append(_field(row, len(present), lists))
    found = {}
    for row in csv.DictReader(file_rows.splitlines(), strict=True):
        name = row["file"]
        fields = tuple(columns.pop(name, ()))
        rows = int(row["rows"]) if row["rows"] else None
        found[name] = FileTable(name, fields, rows, Repetition(row["again"]))
    if columns:
        raise TableError(f"files.csv does not know {', '.join(columns)}")
    for one in found.values():
        _check(one, found)
    return found


def _field(row: dict[str, str], index: int, lists: dict[str, dict[str, str]]) -> Field:
    place = f"{row['file']}.{row['field']}"
    try:
        kind = FieldType(row["type"])
        filled, _, values = row["filled"].partition(" ")
        found = frozenset("" if one == EMPTY else one for one in values.split())
        condition = Condition(filled, found) if values else None
        refers, _, repeats = row["refers"].partition(".")
        return Field(
            name=row["field"],
            index=index,
            type=kind,
            size=int(row["size"] or 0),
            must=filled == "must",
            condition=condition,
            begins=RequiredBeginning(row["begins"]),
            refers=refers,
            repeats=repeats,
            lies=RequiredTime(row["moment"]) if row["moment"] else None,
            fixed=bool(row["fixed"]),
            codes=lists[row["field"]] if kind is FieldType.CODE else {},
        )
    except (KeyError, ValueError) as error:
        raise TableError(f"fields.csv, {place}: {error}") from error


def _check(one: FileTable, found: Mapping[str, FileTable]) -> None:
    if not one.fields or one.key.type is not FieldType.KEY:
        raise TableError(f"fields.csv, {one.name}: the first column must be the key")
    names = [field.name for field in one.fields]
    if len(set(names)) < len(names):
        raise TableError(f"fields.csv, {one.name}: a column stands there twice")
    for field in one.fields:
        place = f"fields.csv, {one.name}.{field.name}"
        is_time = field.type in {FieldType.MOMENT, FieldType.DAY}
        is_reference = field.type in {FieldType.REFERENCE, FieldType.WIDE_REFERENCE}
        if is_time is (field.lies is None):
            raise TableError(f"{place}: only a moment has a position relative to the period")
        if is_reference is not bool(field.refers):
            raise TableError(f"{place}: a reference says to what, nothing else does")
        if is_reference and field.refers not in found and field.refers not in ELSEWHERE:
            raise TableError(f"{place}: there is no file {field.refers}")
        if field.condition is not None and field.condition.field not in names:
            raise TableError(f"{place}: there is no column {field.condition.field}")
        if field.repeats and not _is_repeated(one, field, found):
            raise TableError(f"{place}: nothing names the row of {field.refers} that it repeats")
        if field.condition is not None and not field.condition.values - {""} <= set(
            one.field(field.condition.field).codes
        ):
            raise TableError(f"{place}: the condition names a value that is not in its code list")


def _is_repeated(one: FileTable, field: Field, found: Mapping[str, FileTable]) -> bool:
    is_named = any(other.refers == field.refers and not other.repeats for other in one.fields)
    return is_named and any(other.name == field.repeats for other in found[field.refers].fields)
