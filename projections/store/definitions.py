"""The tables and views of ``projections/sql/``: their statements, and what they say of themselves.

A table or view declares its columns one a line, each with its type and a comment, and has a comment
itself. From these the views for readers and ``docs/sql.md`` are made.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Column",
    "Definition",
    "all_names",
    "any_of",
    "definitions",
    "inlined",
    "named_in",
    "needed",
    "questions_in",
    "statements",
    "statements_in",
]

TEXT = r"COMMENT '((?:[^'\\]|\\.)*)'"
DECLARED = re.compile(r"CREATE (TABLE|VIEW) IF NOT EXISTS (\w+)\n\(\n(.*?)\n\)\n", re.DOTALL)
COLUMN = re.compile(rf"^    `?(\w+)`? (\S.*?) {TEXT},?$", re.MULTILINE)
MEANING = re.compile(rf"^{TEXT}", re.MULTILINE)
SORTED = re.compile(r"^ORDER BY \(?([\w, ]+)", re.MULTILINE)
PARAMETER = re.compile(r"\{(\w+):(\w+)\}")
GIVEN = re.compile(r"(\w+) = ([^,]+)")
MAKES = re.compile(
    r"CREATE (?:TABLE|VIEW|MATERIALIZED VIEW) IF NOT EXISTS (?P<name>\w+)(?: TO (?P<filled>\w+))?"
)
NAMES = re.compile(r"\b(?:FROM|JOIN|INTO|TO) (\w+)")


class Column(NamedTuple):
    """A column, with its type as ClickHouse writes it."""

    name: str
    type: str
    meaning: str


class Definition(NamedTuple):
    """A table and what it is sorted by, or a view with its parameters and what it selects.

    Of a parameter the name and type are given.
    """

    name: str
    is_view: bool
    meaning: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    select: str


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


def statements_in(database: str) -> list[str]:
    """Return every statement, to be run in a database that its views are asked from elsewhere too.

    The engine looks a view with parameters up where who asks is, not where the view is that names
    it. To put it in that place instead makes the engine read 70 kB each time that it starts.
    """
    named = re.compile(rf"\b(FROM|JOIN) (?=(?:{'|'.join(_with_parameters())})\()")
    return [named.sub(rf"\1 {database}.", statement) for statement in statements()]


@lru_cache(8)
def questions_in(database: str) -> dict[str, str]:
    """Return those that make a view with parameters, by its name.

    Our own queries do without such a view: see :func:`inlined`.
    """
    found = ((DECLARED.match(statement), statement) for statement in statements_in(database))
    views = _with_parameters()
    return {made[2]: statement for made, statement in found if made and made[2] in views}


@cache
def definitions() -> tuple[Definition, ...]:
    """Read the statements that declare columns, in their order; what fills a table has none."""
    return _definitions("CREATE ")


@lru_cache(256)
def inlined(sql: str) -> str:
    """Put what our views with parameters select in the place where a query names them.

    The engine reads a view twice, for its columns and for its rows, and each view in it twice
    again: of a question over views of views, that took more than all the rest.
    """
    views = _with_parameters()
    named = re.compile(rf"\b(FROM|JOIN) ({'|'.join(views)})\(([^()]*)\)")

    def put(call: re.Match[str]) -> str:
        view, given = views[call[2]], dict(GIVEN.findall(call[3]))
        if given.keys() != {name for name, _ in view.parameters}:
            return call[0]
        select = inlined(view.select)
        return f"{call[1]} ({PARAMETER.sub(lambda one: _typed(given[one[1]], one[2]), select)})"

    return named.sub(put, sql)


@lru_cache(256)
def named_in(sql: str) -> frozenset[str]:
    """Return which tables and views a query names, but for views with parameters."""
    return frozenset(NAMES.findall(inlined(sql))) & _made_by().keys()


def all_names() -> set[str]:
    """Name all tables and views but those with parameters."""
    return set(_made_by())


def any_of(tables: Iterable[str]) -> str:
    """Return the expression by which ``merge`` reads several tables as one."""
    return f"^({'|'.join(sorted(tables))})$"


@lru_cache(256)
def needed(names: frozenset[str]) -> dict[str, str]:
    """Return the statements that make tables or views and all that they need, in their order.

    A table needs the views that fill others from it, and a view the tables that it is made of.
    """
    due: set[str] = set()
    further = set(names)
    while further:
        due |= further
        further = {need for name in further for need in _needs()[name]} - due
    return {name: statement for name, statement in _made_by().items() if name in due}


@cache
def _made_by() -> dict[str, str]:
    """Return what makes each table and view that our queries name."""
    found = ((MAKES.match(statement), statement) for statement in statements())
    made = {begin["name"]: statement for begin, statement in found if begin}
    return {name: text for name, text in made.items() if name not in _with_parameters()}


@cache
def _needs() -> dict[str, set[str]]:
    needs = {name: set(named_in(statement)) for name, statement in _made_by().items()}
    for name, statement in _made_by().items():
        made = MAKES.match(statement)
        if made and made["filled"]:
            for source in needs[name] - {made["filled"]}:
                needs[source].add(name)
    return needs


@cache
def _with_parameters() -> dict[str, Definition]:
    return {one.name: one for one in _definitions("CREATE VIEW ") if one.parameters}


def _definitions(begins: str) -> tuple[Definition, ...]:
    return tuple(
        _definition(statement, declared)
        for statement in statements()
        if statement.startswith(begins) and (declared := DECLARED.match(statement))
    )


def _typed(value: str, kind: str) -> str:
    return value if value.startswith("{") else f"CAST({value}, '{kind}')"


def _definition(statement: str, declared: re.Match[str]) -> Definition:
    is_view = declared[1] == "VIEW"
    meaning = MEANING.search(statement, declared.end(3))
    order = None if is_view else SORTED.search(statement, declared.end(3))
    return Definition(
        declared[2],
        is_view,
        _unquoted(meaning[1]) if meaning else "",
        tuple(
            Column(name, kind, _unquoted(text)) for name, kind, text in COLUMN.findall(declared[3])
        ),
        tuple(order[1].split(", ")) if order else (),
        tuple(sorted(set(PARAMETER.findall(statement)))),
        statement[statement.index("\nAS\n") + 4 :] if is_view else "",
    )


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
