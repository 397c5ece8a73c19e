"""Build queries whose rows ClickHouse formats as lines of the decree's format.

What comes in: the query of a file (``sql/<model>/<file>.sql``), which returns one typed column per
field of the decree, NULL where the field stays empty, besides ``position`` (order) and
``positions`` (the events of the row). What goes out: a query whose ``line`` is the row as text, so
that a million rows pass through Python as bytes and never as values.

Typed columns have money in haléř, rates in thousandths, times in microseconds. An identifier of
ours becomes ``<operator>-<own part>``: unchanged if it fits into the remaining characters and has
only ASCII letters, digits, ``_`` and ``-``; otherwise its beginning with ``_`` for other
characters, ``_x``, and 16 digits of its SHA-256. Identifiers that already end in this way are
changed, too, so that no two collide.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files as resources
from typing import TYPE_CHECKING

from projections.packages.cz.fields import FieldType, RequiredBeginning

if TYPE_CHECKING:
    from projections.packages.cz.fields import Field, FileTable
    from projections.packages.cz.names import Model, PackageName

__all__ = ["LINE_END", "lines_query", "own_part_max", "rows_query"]

LINE_END = "\r\n"
KEY_LENGTH = 50
DIGEST_DIGITS = 16
MARK = "_x"

OFFSET = "timezoneOffset(fromUnixTimestamp64Micro({value}, 'Europe/Prague'))"  # seconds, never odd
MOMENT = (
    "concat(formatDateTime(fromUnixTimestamp64Micro({value}, 'Europe/Prague'), '%Y-%m-%dT%H:%i:%S')"
    ", '.', toString(intDiv({value} % 1000000, 100000))"
    f", '+0', toString(intDiv({OFFSET}, 3600)), ':00')"
)
"""Truncated, not rounded, to a tenth of a second; Prague is one or two hours ahead of UTC."""

MONEY = (
    "concat(if({value} < 0, '-', ''), toString(intDiv(abs({value}), 100)), ',', "
    "leftPad(toString(abs({value}) % 100), 2, '0'))"
)
RATE = "concat(toString(intDiv({value}, 1000)), ',', leftPad(toString({value} % 1000), 3, '0'))"
PLAIN = r"replaceRegexpAll(leftUTF8({value}, {size}), '[\\p{Cc}\\x{2028}\\x{2029}]', ' ')"
TEXT = "if(match({plain}, '[;\"]'), concat('\"', replaceAll({plain}, '\"', '\"\"'), '\"'), {plain})"


def own_part_max(operator: str) -> int:
    """Return the number of characters left for an identifier after the operator's number."""
    return KEY_LENGTH - len(operator) - 1


def lines_query(table: FileTable, name: PackageName) -> str:
    """Return the query for the rows of a file: position, key, line and positions, in order."""
    cells = [_cell(field, name.operator) for field in table.fields]
    line = ", ';', ".join(cells)
    return (
        f"SELECT position, {cells[0]} AS key, concat({line}, '\\r\\n') AS line, positions "  # noqa: S608 - own text
        f"FROM ({rows_query(table, name.model)}) ORDER BY position, key"
    )


def rows_query(table: FileTable, model: Model) -> str:
    """Return the query for the rows of a file, with typed values."""
    return _query(table.name, model)


@cache
def _query(name: str, model: Model) -> str:
    text = resources("projections.packages.cz").joinpath("sql", model, f"{name}.sql")
    lines = text.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("--"))


def _cell(field: Field, operator: str) -> str:
    value = f"assumeNotNull({field.name})"
    text = _as_text(field, value, operator)
    return f"if(isNull({field.name}), '', {text})"


def _as_text(field: Field, value: str, operator: str) -> str:
    if field.begins is RequiredBeginning.PREFIX:
        return _identifier(value, operator)
    if field.type is FieldType.TEXT:
        plain = PLAIN.replace("{value}", value).replace("{size}", str(field.size))
        return TEXT.replace("{plain}", plain)
    patterns = {FieldType.MONEY: MONEY, FieldType.RATE: RATE, FieldType.MOMENT: MOMENT}
    if field.type in patterns:
        return patterns[field.type].replace("{value}", value)
    return f"toString({value})"


def _identifier(value: str, operator: str) -> str:
    left = own_part_max(operator)
    beginning = left - len(MARK) - DIGEST_DIGITS
    return (
        "concat({operator:String}, '-', "
        f"if(match({value}, '^[0-9A-Za-z_-]{{1,{left}}}$') "
        f"AND NOT match({value}, '{MARK}[0-9a-f]{{{DIGEST_DIGITS}}}$'), {value}, "
        f"concat(left(replaceRegexpAll({value}, '[^0-9A-Za-z_-]', '_'), {beginning}), '{MARK}', "
        f"left(lower(hex(SHA256({value}))), {DIGEST_DIGITS}))))"
    )
