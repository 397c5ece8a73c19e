"""SQL definitions of all tables and views: statements, columns and comments.

They are the tables of events, generated from schemas, and the files in ``projections/sql/``. A
table or view declares one column per line, each with its type and a comment, and has a comment
itself. The views for readers and ``docs/sql.md`` are generated from them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from projections.findings.headers import headers
from projections.store.check_queries import combined
from projections.store.event_tables import event_tables

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.resources.abc import Traversable

__all__ = [
    "Column",
    "Definition",
    "all_names",
    "any_of",
    "definitions",
    "derivations",
    "empty_views",
    "filled_by",
    "has_column",
    "inlined",
    "named_in",
    "needed",
    "questions_in",
    "statements",
    "statements_in",
    "view_of_findings",
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
CHECKS = "{checks}"
"""Place of the queries of checks in a view."""
FILLS = re.compile(r"^\s*INSERT INTO (\w+)")
NAMES = re.compile(r"\b(?:FROM|JOIN|INTO|TO) (\w+)")


class Column(NamedTuple):
    """A column, with its type as written in ClickHouse."""

    name: str
    type: str
    meaning: str


class Definition(NamedTuple):
    """A table with its sorting key, or a view with its parameters and its SELECT.

    A parameter is a pair of name and type.
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
    """Return the tables of events, then ``projections/sql/`` in the order of the files' numbers.

    ``{checks}`` in a view of findings stands for the queries of its checks.
    """
    return tuple(
        text.replace(CHECKS, _queries_of_checks(text)) if CHECKS in text else text
        for text in _written()
    )


def derivations() -> list[str]:
    """Return the source of all modules that compute derived rows, in the order of their names.

    Rows that other code derived on earlier days do not agree with those of later ones.
    """
    package = resources.files("projections")
    files = [package / "store" / f"{name}.py" for name in ("derived", "device_days", "house_days")]
    files += [file for file in (package / "evalues").iterdir() if file.name.endswith(".py")]
    return [file.read_text(encoding="utf-8") for file in sorted(files, key=str)]


@cache
def _written() -> tuple[str, ...]:
    """Return the statements as they are written, with ``{checks}``.

    In a file, a statement ends with a semicolon at the end of a line.
    """
    folder = resources.files("projections") / "sql"
    files = sorted(
        (entry for entry in folder.iterdir() if re.fullmatch(r"\d{4}_\w+\.sql", entry.name)),
        key=lambda entry: entry.name,
    )
    found = event_tables()
    for file in files:
        found += _statements_of(file)
    return tuple(found)


@lru_cache(256)
def view_of_findings(name: str, codes: frozenset[str]) -> str:
    """Return the SELECT of a view of findings with the checks of these codes only.

    It has the parameters of the view.
    """
    (text,) = (one for one in _written() if CHECKS in one and _name_of(one) == name)
    return _select_of(text).replace(CHECKS, _queries_of_checks(text, codes))


def _statements_of(file: Traversable) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    code = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
    return [part.strip() for part in re.split(r";[ \t]*(?:\n|$)", code) if part.strip()]


def _name_of(view: str) -> str:
    return view.split()[5]


def _select_of(view: str) -> str:
    return view[view.index("\nAS\n") + 4 :]


def _queries_of_checks(view: str, codes: frozenset[str] | None = None) -> str:
    """Return the queries of the checks of a view of findings, or of these codes, as one."""
    folder, name = resources.files("projections.checks"), _name_of(view)
    queries = {
        file.removesuffix(".sql"): query
        for file, header in headers().items()
        if header.view == name and (codes is None or not codes.isdisjoint(header.codes))
        for query in _statements_of(folder / file)
    }
    return combined(queries, has_parts="\n    parts " in view)


def statements_in(database: str) -> list[str]:
    """Return all statements, for a database whose views are also queried from other databases.

    ClickHouse resolves a view with parameters in the current database of the query, not in that of
    the view that names it, so views name the database. Inlining such views instead would make the
    engine read 70 kB at every start.
    """
    named = re.compile(rf"\b(FROM|JOIN) (?=(?:{'|'.join(_with_parameters())})\()")
    return [named.sub(rf"\1 {database}.", statement) for statement in statements()]


@lru_cache(8)
def questions_in(database: str) -> dict[str, str]:
    """Return the statements of views with parameters, by name.

    Our own queries do not use such a view: see :func:`inlined`.
    """
    found = ((DECLARED.match(statement), statement) for statement in statements_in(database))
    views = _with_parameters()
    return {made[2]: statement for made, statement in found if made and made[2] in views}


@cache
def definitions() -> tuple[Definition, ...]:
    """Return the statements that declare columns, in order; materialized views have none."""
    return _definitions("CREATE ")


def has_column(view: str, column: str) -> bool:
    """Return whether a view with parameters has a column."""
    return any(one.name == column for one in _with_parameters()[view].columns)


@lru_cache(256)
def inlined(sql: str) -> str:
    """Replace the views with parameters in a query by their SELECT.

    The engine reads a view twice, for its columns and for its rows, and each nested view twice
    again: for a query over views of views, that took longer than everything else.
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
    """Return the tables and views that a query names, except views with parameters."""
    return frozenset(NAMES.findall(inlined(sql))) & _create_statements().keys()


def filled_by(statement: str) -> frozenset[str]:
    """Return the table that gets rows by a statement, if one does."""
    return frozenset(FILLS.findall(statement)) & _create_statements().keys()


def all_names() -> set[str]:
    """Return the names of all tables and views, except views with parameters."""
    return set(_create_statements())


def any_of(tables: Iterable[str]) -> str:
    """Return the regular expression by which ``merge`` reads several tables as one."""
    return f"^({'|'.join(sorted(tables))})$"


@lru_cache(256)
def needed(names: frozenset[str]) -> dict[str, str]:
    """Return the statements that create tables or views with all their dependencies, in order.

    The dependencies of a table are the materialized views that fill other tables from it; those of
    a view are the tables that it reads.
    """
    due: set[str] = set()
    further = set(names)
    while further:
        due |= further
        further = {need for name in further for need in _needs()[name]} - due
    return {name: statement for name, statement in _create_statements().items() if name in due}


@cache
def empty_views(tables: frozenset[str]) -> tuple[str, ...]:
    """Return the statements of views without rows that stand for all but some tables.

    They use no table function, for which a reader would need a privilege.
    """
    return tuple(
        f"CREATE VIEW IF NOT EXISTS {one.name} ({_declared(one)}) AS SELECT {_defaults(one)} "
        f"WHERE false COMMENT {_quoted(one.meaning)}"
        for one in definitions()
        if not one.is_view and one.name not in tables
    )


def _declared(table: Definition) -> str:
    return ", ".join(
        f"`{name}` {kind} COMMENT {_quoted(text)}" for name, kind, text in table.columns
    )


def _defaults(table: Definition) -> str:
    return ", ".join(
        f"defaultValueOfTypeName('{kind}') AS `{name}`" for name, kind, _ in table.columns
    )


@cache
def _create_statements() -> dict[str, str]:
    """Return the CREATE statement of each table and view that can be created on demand."""
    found = ((MAKES.match(statement), statement) for statement in statements())
    made = {begin["name"]: statement for begin, statement in found if begin}
    return {name: text for name, text in made.items() if name not in _with_parameters()}


@cache
def _needs() -> dict[str, set[str]]:
    needs = {name: set(named_in(statement)) for name, statement in _create_statements().items()}
    for name, statement in _create_statements().items():
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
        _select_of(statement) if is_view else "",
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
