"""Validate one value, or one line.

Two ways that must agree: ``problem`` determines the fault of a value, and ``row_pattern`` is one
regular expression for a whole line, so that a valid line costs microseconds. ``problem`` accepts
what the expression accepts (a test compares them); other lines are checked value by value.

Strict is for packages of our own: besides the checks of the authority's client, it requires the
minimum length of identifiers, the maximum length of text, flags 0 and 1, games of the package's
kind and categories, and no white space around a value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from projections.packages.cz.faults import Code
from projections.packages.cz.fields import Field, FieldType, RequiredBeginning

if TYPE_CHECKING:
    from projections.packages.cz.fields import FileTable
    from projections.packages.cz.names import PackageName

__all__ = ["MOMENT", "OF_KIND", "RowPattern", "Rules", "problem", "row_pattern", "split_line"]

IDENTIFIER_MIN = 8
INTEGER_MIN, INTEGER_MAX = -(2**31), 2**31 - 1
SHOWN_MAX = 60

_CONTROL = r"\x00-\x1f\x7f-\x9f"
_MOMENT = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]"
    r"(?:Z|[+-][0-9]{2}:[0-5][0-9])"
)
_MONEY = r"-?[0-9]{1,13}(?:,[0-9]{0,2})?"
_RATE = r"-?[0-9]{1,18}(?:,[0-9]{0,3})?"
_PLACE = r"-?[0-9]{1,4},[0-9]{4,7}"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_INTEGER = r"-?[0-9]{1,10}"
_SMALL_INTEGER = r"-?[0-9]{1,9}"
_FLAG = "[01]"

OF_KIND = {
    "HraDruh": frozenset("Z"),
    "HraKategorie": frozenset("ijkm"),
    "PokladnaStulTurnajBingo": frozenset("PST"),
    "TransakceTyp": frozenset([*map(str, range(1, 18)), "G1", "H1", "I1", "J1", "J2", "K1", "L1"]),
}
"""Codes of live games; the lists of the decree cover all kinds."""

_EXAMPLES = {
    FieldType.KEY: "letters, digits, - and _",
    FieldType.REFERENCE: "letters, digits, - and _",
    FieldType.WIDE_REFERENCE: "letters and digits, then - and anything",
    FieldType.WIDE_IDENTIFIER: "letters and digits, then - and anything",
    FieldType.PLACE: "degrees such as 49,5938",
    FieldType.MONEY: "such as 1234,50 or -0,50, at most 13 digits before the comma",
    FieldType.RATE: "such as 24,315",
    FieldType.COUNT: "a whole number",
    FieldType.FLAG: "0 or 1",
    FieldType.MOMENT: "such as 2026-11-21T08:20:00.0+01:00",
    FieldType.DAY: "such as 2026-11-21",
}

MOMENT = re.compile(_MOMENT)
_FORMS = {
    FieldType.KEY: re.compile(r"[\w-]+"),
    FieldType.REFERENCE: re.compile(r"[\w-]+"),
    FieldType.WIDE_REFERENCE: re.compile(r"\w+(?:-.*)?"),
    FieldType.WIDE_IDENTIFIER: re.compile(r"\w+(?:-.*)?"),
    FieldType.TEXT: re.compile(r".*"),
    FieldType.MONEY: re.compile(_MONEY),
    FieldType.RATE: re.compile(_RATE),
    FieldType.PLACE: re.compile(_PLACE),
    FieldType.COUNT: re.compile(_INTEGER),
    FieldType.FLAG: re.compile(_INTEGER),
    FieldType.MOMENT: MOMENT,
    FieldType.DAY: re.compile(_DAY),
}
_CONTROL_CHARACTER = re.compile(f"[{_CONTROL}]")
_CELL = re.compile(r'(?:"((?:[^"]|"")*)"|([^";]*))(;|\Z)')
_IDENTIFIERS = frozenset({FieldType.KEY, FieldType.REFERENCE})
_WIDE = frozenset({FieldType.WIDE_REFERENCE, FieldType.WIDE_IDENTIFIER})
_INTEGERS = frozenset({FieldType.COUNT, FieldType.FLAG})


class Rules(NamedTuple):
    """Package name and strictness."""

    name: PackageName
    strict: bool


class RowPattern(NamedTuple):
    """The expression of a line; its groups are the values of ``fields``, in order."""

    expression: re.Pattern[str]
    fields: tuple[Field, ...]


def split_line(line: str) -> list[str] | None:
    """Split a line without its end; return None if its quotes are not valid."""
    if '"' not in line:
        return line.split(";")
    values: list[str] = []
    place = 0
    while True:
        cell = _CELL.match(line, place)
        if cell is None:
            return None
        quoted = cell[1]
        values.append(cell[2] if quoted is None else quoted.replace('""', '"'))
        place = cell.end()
        if not cell[3]:
            return values


def problem(field: Field, value: str, rules: Rules) -> tuple[Code, str] | None:
    """Return the fault of a value, or None; conditions and periods are not checked."""
    control = _CONTROL_CHARACTER.search(value)
    if control is not None:
        return Code.FORMAT, f"there is a control character at place {control.start() + 1}"
    trimmed = value.strip()
    if not trimmed:
        if field.must:
            return Code.EMPTY, "it must be filled"
        if not value or not rules.strict:
            return None
    if field.type is FieldType.CODE:
        return _code_problem(field, value, rules)
    if not rules.strict:
        value = trimmed
    return (
        _length_problem(field, value, rules)
        or _form_problem(field, value, rules)
        or _begin_problem(field, value, rules)
    )


def _code_problem(field: Field, value: str, rules: Rules) -> tuple[Code, str] | None:
    if value not in field.codes:
        return Code.CODEBOOK, f"{_shown(value)} is not in the code list"
    if field.begins is RequiredBeginning.KIND and value != rules.name.kind:
        return Code.KIND, f"{_shown(value)} is not the kind of the package, {rules.name.kind}"
    if rules.strict and value not in OF_KIND.get(field.name, field.codes):
        return Code.KIND, f"{_shown(value)} is in the code list, but not for live games"
    return None


def _length_problem(field: Field, value: str, rules: Rules) -> tuple[Code, str] | None:
    is_identifier = field.type in _IDENTIFIERS
    if field.size and len(value) > field.size and (is_identifier or rules.strict):
        return Code.TOO_LONG, f"it has {len(value)} characters, at most {field.size} are allowed"
    if is_identifier and rules.strict and len(value) < IDENTIFIER_MIN:
        return Code.TOO_SHORT, f"it has {len(value)} characters, at least {IDENTIFIER_MIN} are due"
    return None


def _form_problem(field: Field, value: str, rules: Rules) -> tuple[Code, str] | None:
    if not _FORMS[field.type].fullmatch(value):
        due = f"{field.type}: {_EXAMPLES.get(field.type, '')}"
        return Code.FORMAT, f"{_shown(value)} is not of the type {due}"
    if field.type not in _INTEGERS:
        return None
    if not INTEGER_MIN <= int(value) <= INTEGER_MAX:
        return Code.TYPE, f"{value} does not fit 32 bits"
    if field.type is FieldType.FLAG and rules.strict and not re.fullmatch(_FLAG, value):
        return Code.DOMAIN, f"{value} is neither 0 nor 1"
    return None


def _begin_problem(field: Field, value: str, rules: Rules) -> tuple[Code, str] | None:
    operator = rules.name.operator
    if field.begins is RequiredBeginning.OPERATOR and value.lower() != operator.lower():
        return Code.OPERATOR, f"{_shown(value)} is not the operator of the package, {operator}"
    if field.begins is RequiredBeginning.PREFIX and not value.startswith(operator):
        return Code.PREFIX, f"{_shown(value)} does not begin with the operator, {operator}"
    return None


def _shown(value: str) -> str:
    return repr(value if len(value) <= SHOWN_MAX else f"{value[:SHOWN_MAX]}…")


def row_pattern(table: FileTable, rules: Rules) -> RowPattern:
    """Return the regular expression of a valid line with its line terminator.

    Its groups are the values that need checks beyond their format: keys, references and their
    repeated values, times, columns with conditions, and fixed values.
    """
    triggers = {field.condition.field for field in table.fields if field.condition}
    cells, groups = [], []
    for field in table.fields:
        cell = _cell(field, rules)
        cell = cell if field.must else f"(?:{cell})?"
        is_group = (
            field.index == 0
            or field.refers
            or field.type is FieldType.WIDE_IDENTIFIER
            or field.lies is not None
            or field.condition is not None
            or field.fixed
            or field.name in triggers
            or field.name == "SOOdmitnuti"
        )
        if is_group:
            groups.append(field)
        cells.append(f"({cell})" if is_group else f"(?:{cell})")
    # A second group, even an empty one, makes ``findall`` give tuples for every file.
    expression = re.compile(f"^{';'.join(cells)}()\r?\n", re.MULTILINE)
    return RowPattern(expression, tuple(groups))


def _cell(field: Field, rules: Rules) -> str:
    operator = re.escape(rules.name.operator)
    taken = len(rules.name.operator)
    if field.type is FieldType.CODE:
        allowed = OF_KIND.get(field.name, field.codes) if rules.strict else field.codes
        values = [rules.name.kind] if field.begins is RequiredBeginning.KIND else sorted(allowed)
        return "|".join(re.escape(value) for value in values)
    if field.begins is RequiredBeginning.OPERATOR:
        is_short = rules.strict and taken < IDENTIFIER_MIN
        return "(?!)" if is_short else operator
    if field.type in _WIDE:
        return rf"{operator}(?:[\w-]{{0,{max(field.size - taken, 0)}}})"
    if field.type in _IDENTIFIERS:
        fewest = max(IDENTIFIER_MIN - taken, 0)
        return rf"{operator}[\w-]{{{fewest},{max(field.size - taken, fewest)}}}"
    if field.type is FieldType.TEXT:
        plain = rf'[^\s{_CONTROL}";][^{_CONTROL}";]{{0,{field.size - 1}}}'
        quoted = rf'"[^\s{_CONTROL}"](?:[^{_CONTROL}"]|""){{0,{field.size - 1}}}"'
        return f"{plain}|{quoted}"
    return {
        FieldType.MONEY: _MONEY,
        FieldType.RATE: _RATE,
        FieldType.PLACE: _PLACE,
        FieldType.COUNT: _SMALL_INTEGER,
        FieldType.FLAG: _FLAG,
        FieldType.MOMENT: _MOMENT,
        FieldType.DAY: _DAY,
    }[field.type]
