"""Combine the queries of checks into the query of their view of findings.

What comes in: the query of each check by its code, with the columns position, account, round, bet,
amount, detail, and parts where the view has them. What goes out: one query whose result is that of
all of them, with their codes. Guaranteed: a common part of the view is read once for all checks
that only select its rows by a condition, because the engine computes a part named by ``WITH`` again
for each query that names it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["combined"]

COLUMNS = ("position", "account", "round", "bet", "amount", "detail")
SELECTION = re.compile(r"SELECT\s(.+)\nFROM (\w+)\nWHERE (.+)", re.DOTALL)
CLAUSE = re.compile(r"^[A-Z]", re.MULTILINE)
"""First character of a clause of the outermost query: what is nested is indented."""
CLAUSES_OF_SELECTION = 3


class _Selection(NamedTuple):
    """A check that selects the rows of one source by a condition."""

    source: str
    condition: str
    values: dict[str, str]


def combined(queries: Mapping[str, str], *, has_parts: bool) -> str:
    """Return one query for all checks; the columns are code, then those of the checks."""
    columns = (*COLUMNS, "parts") if has_parts else COLUMNS
    found, sources = [], dict[str, dict[str, _Selection]]()
    for code, query in queries.items():
        if selection := _selection(query):
            sources.setdefault(selection.source, {})[code] = selection
        else:
            found.append(f"SELECT '{code}' AS code, {', '.join(columns)}\nFROM\n(\n{query}\n)")
    found += [_of_source(source, checks, columns) for source, checks in sources.items()]
    return "\nUNION ALL\n".join(found)


def _of_source(source: str, checks: Mapping[str, _Selection], columns: tuple[str, ...]) -> str:
    rows = ",\n".join(
        f"(if({one.condition}, '{code}', ''), {', '.join(one.values[name] for name in columns)})"
        for code, one in checks.items()
    )
    names = ", ".join(f"row.{at} AS {name}" for at, name in enumerate(("code", *columns), 1))
    return (
        f"SELECT {names}\nFROM\n(\nSELECT arrayJoin(arrayFilter(row -> row.1 != '', [\n{rows}\n]))"
        f" AS row\nFROM {source}\n"
        f"WHERE {' OR '.join(f'({one.condition})' for one in checks.values())}\n)"
    )


def _selection(query: str) -> _Selection | None:
    """Return the parts of a query that only selects rows of one source; None for any other."""
    match = SELECTION.fullmatch(query)
    if match is None or len(CLAUSE.findall(query)) != CLAUSES_OF_SELECTION:
        return None
    expressions = [one.strip().rpartition(" AS ") for one in _split(match[1])]
    return _Selection(match[2], match[3], {name: value or name for value, _, name in expressions})


def _split(text: str) -> list[str]:
    """Split a list of expressions at its commas, but not those in brackets or quotes."""
    parts, depth, is_quoted = [""], 0, False
    for character in text:
        is_quoted ^= character == "'"
        depth += 0 if is_quoted else (character in "([") - (character in ")]")
        if character == "," and not depth and not is_quoted:
            parts.append("")
        else:
            parts[-1] += character
    return parts
