"""The SQL gateway: one SELECT over the views for readers, with limits.

``readonly`` is not a sandbox: the scalar function ``file`` reads any file despite it, and the
embedded engine has no users. So the engine is asked for its own parse tree of the text (``EXPLAIN
AST``), and every node of the tree must be known: its kind, each function, each table. Unknown nodes
are rejected; the text that was explained is executed unchanged. A semicolon is rejected before
that, because a second statement after it would be executed but not explained. The query is prefixed
with only the views that it names, as of the position in the chain that the answer names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ledger.core.phrases import Phrase
from projections.store.connection import engine_error
from projections.store.reader_views import shown, source_of, view_name
from tools.access.sql_functions import FUNCTIONS
from tools.sanitize import escape_controls
from tools.web.problems import CancelledQueryError, ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clickhouse_connect.driver.client import Client
    from clickhouse_connect.driver.exceptions import ClickHouseError

__all__ = ["LIMITS", "Question", "TablesVersion", "read_answer", "require_allowed", "run_sql"]

FORMAT = "TSVRaw"
NODES_MAX = 2000
DEPTH_MAX = 100
KINDS = frozenset(
    {
        "Asterisk",
        "ExpressionList",
        "Function",
        "Identifier",
        "Literal",
        "OrderByElement",
        "QualifiedAsterisk",
        "SelectQuery",
        "SelectWithUnionQuery",
        "Subquery",
        "TableExpression",
        "TableIdentifier",
        "TableJoin",
        "TablesInSelectQuery",
        "TablesInSelectQueryElement",
        "WindowDefinition",
        "WithElement",
    }
)
IN = frozenset({"in", "notIn", "globalIn", "globalNotIn"})
LINE = re.compile(r"( *)(.*?)(?: \(children (\d+)\))?")
ALIAS = re.compile(r" ?\(alias .*\)$")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
BEGINS = re.compile(r"\s*(SELECT|WITH)\b", re.IGNORECASE)
RECURSIVE = re.compile(r"\bRECURSIVE\b", re.IGNORECASE)
LIMITS: dict[str, Any] = {
    "max_execution_time": 20,
    "timeout_overflow_mode": "throw",
    "max_rows_to_read": 200_000_000,
    "max_bytes_to_read": 8 << 30,
    "read_overflow_mode": "throw",
    "max_result_rows": 1_000_000,
    "max_result_bytes": 128 << 20,
    "result_overflow_mode": "throw",
    "max_memory_usage": 1 << 30,
    "max_threads": 2,
    "max_ast_elements": 5_000,
    "max_ast_depth": 200,
    "max_query_size": 16_384,
    "readonly": 1,
}
"""How much a question may cost."""
TOO_MUCH = {158, 159, 160, 241, 307, 396}
"""Error codes of a question that met one of the limits."""
DETAIL_MAX = 400


class TablesVersion(NamedTuple):
    """A position in the chain: a number of messages of the tables in a database."""

    size: int
    generation: str


class Question(NamedTuple):
    """The tables that a query names, and whether it is a union."""

    tables: frozenset[str]
    is_union: bool


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str
    text: str
    children: tuple[_Node, ...]


def run_sql(client: Client, sql: str, form: str, *, version: TablesVersion) -> bytes:
    """Execute a query and return the answer in one of the engine's formats.

    Args:
        client: connection whose default database holds no tables of facts.
        sql: one SELECT.
        form: such as ``JSONCompact``.
        version: the position in the chain on which the answer is based.

    Raises:
        AskedInVainError: execution began, and the query costs too much or has an error.
        ProblemError: the query is not allowed, or can't be parsed.

    """
    question = require_allowed(client, sql)
    try:
        found = client.raw_query(
            _pinned(sql, question, version), fmt=form, settings=_limits(client)
        )
    except engine_error() as error:
        raise _problem_of(error, CancelledQueryError) from error
    return bytes(found)


def read_answer(found: bytes) -> dict[str, Any]:
    """Parse an answer in JSON; a number that a float would round keeps its digits."""
    answer: dict[str, Any] = ANSWER.decode(found)
    return answer


def _number(text: str) -> float | Decimal:
    exact, near = Decimal(text), float(text)
    return near if Decimal(repr(near)) == exact else exact


ANSWER = msgspec.json.Decoder(float_hook=_number)


def require_allowed(client: Client, sql: str) -> Question:
    """Refuse everything but one SELECT over the views for readers; return the parts of the query.

    Raises:
        ProblemError: the query is something else, or can't be parsed.

    """
    if not BEGINS.match(sql):
        raise _refused(Phrase("SQL_NOT_SELECT"))
    if RECURSIVE.search(sql):
        raise _refused(Phrase("SQL_RECURSIVE"))
    if any(sign in sql for sign in ";\0\x1a"):
        raise _refused(Phrase("SQL_WITH_SEMICOLON"))
    try:
        explained = client.raw_query(f"EXPLAIN AST {sql}", fmt=FORMAT, settings=_limits(client))
    except engine_error() as error:
        raise _problem_of(error) from error
    tree = _tree(explained.decode("utf-8", "replace"))
    beside = [child for child in tree.children if child.kind != "ExpressionList"]
    if tree.kind != "SelectWithUnionQuery" or [(one.kind, one.text) for one in beside] != [
        ("Identifier", FORMAT)
    ]:
        raise _refused(Phrase("SQL_WITH_OUTPUT"))
    for child in tree.children[:1]:
        _require_allowed_node(child)
    is_union = any(len(child.children) > 1 for child in tree.children[:1])
    return Question(frozenset(_tables(tree)), is_union)


def _pinned(sql: str, question: Question, version: TablesVersion) -> str:
    """Bind the names of views to their state at one position in the chain.

    The views are put in front of the query as its own WITH, which all of its parts see, except
    members of a union that have their own WITH: a union is therefore executed as a subquery.
    """
    elements = [
        f"{view_name(found.name)} AS (SELECT {', '.join(f'`{one.name}`' for one in columns)} "  # noqa: S608 - own names
        f"FROM {source_of(found, str(version.size), version.generation)})"
        for found, columns in shown()
        if view_name(found.name) in question.tables
    ]
    if not elements:
        return sql
    if question.is_union:
        return f"WITH {', '.join(elements)} SELECT * FROM ({sql}\n)"  # noqa: S608 - judged before
    begin, word = BEGINS.match(sql), "SELECT"
    if begin is not None and begin[1].upper() == "WITH":
        word, sql = "WITH", sql[begin.end() :]
    return f"WITH {', '.join(elements)}{', ' if word == 'WITH' else ' '}{sql}"


def _limits(client: Client) -> dict[str, Any]:
    """Omit the limit that a server's user has as a fixed right: that it only reads."""
    readonly = client.server_settings.get("readonly")
    is_fixed = readonly is not None and readonly.value != "0"
    return {name: value for name, value in LIMITS.items() if not is_fixed or name != "readonly"}


def _tables(node: _Node) -> Iterator[str]:
    if node.kind == "TableIdentifier":
        yield node.text
    for child in node.children:
        yield from _tables(child)


def _require_allowed_node(node: _Node) -> None:
    if node.kind not in KINDS:
        raise _refused(Phrase("SQL_SYNTAX_NOT_ALLOWED", syntax=node.kind))
    if node.kind == "SelectWithUnionQuery" and len(node.children) != 1:
        raise _refused(Phrase("SQL_PART_WITH_OUTPUT"))
    if node.kind == "Function":
        _require_allowed_function(node)
    if node.kind == "TableExpression":
        for child in node.children:
            if child.kind not in {"TableIdentifier", "Subquery"}:
                raise _refused(Phrase("SQL_NO_VIEW"))
    if node.kind == "TableIdentifier":
        _require_allowed_table(node.text)
    for child in node.children:
        _require_allowed_node(child)


def _require_allowed_function(node: _Node) -> None:
    if node.text not in FUNCTIONS:
        raise _refused(Phrase("SQL_FUNCTION_UNKNOWN", function=node.text[:50]))
    arguments = node.children[0].children if node.children else ()
    if node.text in IN and arguments and arguments[-1].kind == "Identifier":
        raise _refused(Phrase("SQL_IN_TABLE"))


def _require_allowed_table(name: str) -> None:
    """Accept names without a database: those of views, of WITH, or of nothing.

    A view named with its database would show the current projection instead of the state at the
    position that the answer names.
    """
    if "." in name:
        raise _refused(Phrase("VIEW_WITH_DATABASE"))
    if not NAME.fullmatch(name) or name == "generation":
        raise _refused(Phrase("SQL_VIEW_UNKNOWN", view=name[:100]))


def _tree(text: str) -> _Node:
    """Parse the engine's tree; a tree that contradicts its own child counts is rejected."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) > NODES_MAX:
        raise _refused(Phrase("SQL_TOO_LONG"))
    node, after = _read(lines, 0, 0)
    if after != len(lines):
        raise _refused(Phrase("SQL_AMBIGUOUS"))
    return node


def _read(lines: list[str], at: int, depth: int) -> tuple[_Node, int]:
    found = LINE.fullmatch(lines[at]) if at < len(lines) else None
    if found is None or len(found[1]) != depth or depth > DEPTH_MAX:
        raise _refused(Phrase("SQL_AMBIGUOUS"))
    children = []
    at += 1
    kind, _, text = found[2].partition(" ")
    for _child in range(int(found[3] or 0)):
        child, at = _read(lines, at, depth + 1)
        children.append(child)
    return _Node(kind, ALIAS.sub("", text), tuple(children)), at


def _refused(why: Phrase) -> ProblemError:
    text = Phrase("NO_SELECT", why=why)
    return ProblemError(HTTPStatus.BAD_REQUEST, "sql", text)


def _problem_of(error: ClickHouseError, kind: type[ProblemError] = ProblemError) -> ProblemError:
    code = getattr(error, "code", None)
    detail = escape_controls(" ".join(str(error).split()))[:DETAIL_MAX]
    if code in TOO_MUCH:
        text = Phrase("QUERY_TOO_COSTLY", english=detail)
        return kind(HTTPStatus.BAD_REQUEST, "sql-limit", text)
    return kind(HTTPStatus.BAD_REQUEST, "sql", Phrase("ENGINE_REFUSED", english=detail))
