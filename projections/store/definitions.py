"""The tables and views of ``projections/sql/``: their statements, and what they say of themselves.

A table or view declares its columns one a line, each with its type and a comment, and has a comment
itself. From these the views for readers and ``docs/sql.md`` are made.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Column", "Definition", "definitions", "statements", "statements_in"]

TEXT = r"COMMENT '((?:[^'\\]|\\.)*)'"
DECLARED = re.compile(r"CREATE (TABLE|VIEW) IF NOT EXISTS (\w+)\n\(\n(.*?)\n\)\n", re.DOTALL)
COLUMN = re.compile(rf"^    `?(\w+)`? (\S.*?) {TEXT},?$", re.MULTILINE)
MEANING = re.compile(rf"^{TEXT}", re.MULTILINE)
PARAMETER = re.compile(r"\{(\w+):(\w+)\}")


class Column(NamedTuple):
    """A column, with its type as ClickHouse writes it."""

    name: str
    type: str
    meaning: str


class Definition(NamedTuple):
    """A table, or a view with its parameters: name and type of each."""

    name: str
    is_view: bool
    meaning: str
    columns: tuple[Column, ...]
    parameters: tuple[tuple[str, str], ...]


@cache
def statements() -> tuple[str, ...]:
    """Return every statement of ``projections/sql/``, in the order of the files' numbers.

    A statement ends with a semicolon at the end of a line.
    """
    folder = resources.files("projections") / "sql"
    files = sorted(
        (entry for entry in folder.iterdir() if re.fullmatch(r"\d{4}_\w+\.sql", entry.name)),
        key=lambda entry: entry.name,
    )
    found: list[str] = []
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        code = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
        found += [part.strip() for part in re.split(r";[ \t]*(?:\n|$)", code) if part.strip()]
    return tuple(found)


@cache
def definitions() -> tuple[Definition, ...]:
    """Read the statements that declare columns, in their order; what fills a table has none."""
    return tuple(
        _definition(statement, declared)
        for statement in statements()
        if (declared := DECLARED.match(statement))
    )


def statements_in(database: str) -> Iterator[str]:
    """Yield every statement as a database needs it.

    A view finds tables in its own database, and views with parameters in that of whoever asks.
    """
    views = "|".join(one.name for one in definitions() if one.parameters)
    asked = re.compile(rf"\b(FROM|JOIN) ({views})\(")
    for statement in statements():
        yield asked.sub(rf"\1 {database}.\2(", statement)


def _definition(statement: str, declared: re.Match[str]) -> Definition:
    meaning = MEANING.search(statement, declared.end(3))
    return Definition(
        declared[2],
        declared[1] == "VIEW",
        _unquoted(meaning[1]) if meaning else "",
        tuple(
            Column(name, kind, _unquoted(text)) for name, kind, text in COLUMN.findall(declared[3])
        ),
        tuple(sorted(set(PARAMETER.findall(statement)))),
    )


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
