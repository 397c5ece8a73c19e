"""Explain one row of a package, or list all rows, without building it.

What comes in: the source of a package, a file, and a row, by its number (the first record is 1) or
by its key. What goes out: the row as in the file, and the positions of its events in the chain.
All rows are listed with the knowledge of a cut-off, whether or not the package was built with it.
"""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from projections.packages.cz.build import cut_of, windows
from projections.packages.cz.fields import RequiredBeginning, files, files_of
from projections.packages.cz.fields import table as table_of
from projections.packages.cz.lines import LINE_END, lines_query
from projections.packages.cz.names import PackageName
from projections.packages.cz.settings import settings_from_json
from projections.packages.results import ExplainedRow
from projections.packages.status import built_version, is_built

if TYPE_CHECKING:
    from projections.packages.cz.build import Cut
    from projections.packages.cz.fields import FileTable
    from projections.packages.cz.names import Model
    from projections.packages.cz.settings import Settings
    from projections.store.tables import Store

__all__ = ["ROWS_MAX", "explain", "explain_package", "rows_known_at"]

ROW_DIGITS_MAX = 18
ROWS_MAX = 20_000
"""Rows of a package that are read at once."""


def explain_package(
    store: Store, package: str, file: str, row: str, *, settings: Settings, known_at: int | None
) -> ExplainedRow:
    """Find a row of a package by name, as it was built.

    With ``known_at``, the row is that of a package with this cut-off.

    Raises:
        InputError: the package was not built, or it has no such file or row.

    """
    name = PackageName.parse(package)
    file_table = _table(file, name.model)
    if known_at is None and (name.version != 1 or is_built(store, name)):
        recorded = built_version(store, name)
        settings, known_at = settings_from_json(recorded.settings), recorded.known_at
    return explain(store, cut_of(store, name, settings, known_at=known_at), file_table, row)


def _table(name: str, model: Model) -> FileTable:
    try:
        return table_of(name, model)
    except KeyError as error:
        known = ", ".join(files(model))
        text = Phrase("PACKAGE_FILE_UNKNOWN", model=model, file=name, names=known)
        raise InputError(text) from error


def explain(store: Store, cut: Cut, table: FileTable, row: str) -> ExplainedRow:
    """Find a row, and its events.

    Raises:
        InputError: the file has no such row.

    """
    if table not in files_of(cut.name):
        raise InputError(Phrase("PACKAGE_WITHOUT_FILE", name=cut.name, file=table.file_name))
    query = lines_query(table, cut.name)
    number = _number(table, cut.name.operator, row)
    test = "WHERE key = {row:String} LIMIT 1" if number is None else "LIMIT 1 OFFSET {row:UInt64}"
    sql = f"SELECT line, positions FROM ({query}) {test}"  # noqa: S608 - own text
    for window in windows(store, cut, table):
        if rows := store.rows(sql, **window, row=row if number is None else number):
            return _explained(cut, table, rows[0]["line"], rows[0]["positions"])
        if number is not None:
            number -= store.value(f"SELECT count() FROM ({query})", **window)  # noqa: S608 - own text
    raise InputError(Phrase("PACKAGE_ROW_UNKNOWN", file=table.file_name, name=cut.name, row=row))


def rows_known_at(
    store: Store, name: PackageName, *, settings: Settings, known_at: int
) -> list[dict[str, str]]:
    """List the rows of all files of a package with the messages below ``known_at``.

    A row has the name of its ``file`` and its ``key``, which is unique in the file: where several
    rows begin with one identifier, their numbers follow it. The other fields are those of the file.
    A package that was built is read with the settings of its record.

    Raises:
        InputError: there are more than ``ROWS_MAX`` rows.

    """
    if is_built(store, name):
        settings = settings_from_json(built_version(store, name).settings)
    cut = cut_of(store, name, settings, known_at=known_at)
    found: list[dict[str, str]] = []
    for table in files_of(name):
        keys: Counter[str] = Counter()
        sql = f"SELECT key, line FROM ({lines_query(table, name)}) LIMIT {ROWS_MAX + 1}"  # noqa: S608 - own text
        for window in windows(store, cut, table):
            for row in store.rows(sql, **window):
                key = row["key"]
                keys[key] += 1
                named = {"file": table.file_name, "key": f"{key} {keys[key]}".removesuffix(" 1")}
                found.append(named | _values(table, row["line"]))
            if len(found) > ROWS_MAX:
                raise InputError(Phrase("PACKAGE_ROWS_TOO_MANY", name=name, most=ROWS_MAX))
    return found


def _number(table: FileTable, operator: str, row: str) -> int | None:
    """Parse a row number from 1 and return it from 0; None if the text is a key."""
    is_key = table.key.begins is RequiredBeginning.OPERATOR and row == operator
    if is_key or not (row.isascii() and row.isdigit() and len(row) <= ROW_DIGITS_MAX):
        return None
    return int(row) - 1 if int(row) else None


def _explained(cut: Cut, table: FileTable, line: str, positions: list[int]) -> ExplainedRow:
    return ExplainedRow(
        package=str(cut.name),
        file=table.file_name,
        line=line,
        values=_values(table, line),
        positions=tuple(sorted(set(positions))),
    )


def _values(table: FileTable, line: str) -> dict[str, str]:
    (values,) = csv.reader([line.removesuffix(LINE_END)], delimiter=";", strict=True)
    return dict(zip((field.name for field in table.fields), values, strict=True))
