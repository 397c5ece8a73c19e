"""The SQL door: one SELECT over the views for readers, with limits.

``readonly`` is no sandbox: the scalar function ``file`` reads any file under it, and the engine in
the process has no users. So the engine is asked for its own parse of the text (``EXPLAIN AST``),
and every node of that tree has to be known: its kind, each function, each table. What is not known
is refused; what was explained is asked, to the letter. A semicolon is refused before that, because
a second statement behind it would be run and not explained. Before it stand only the views that it
names, as of the place in the chain that the answer names.
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
from tools.web.problems import AskedInVainError, ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clickhouse_connect.driver.client import Client
    from clickhouse_connect.driver.exceptions import ClickHouseError

__all__ = ["LIMITS", "Question", "Then", "ask_in_sql", "read_answer", "require_allowed"]

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


class Then(NamedTuple):
    """A place in the chain: so many messages of the tables in a database."""

    size: int
    generation: str


class Question(NamedTuple):
    """The tables that a question names, and whether it is a union of several."""

    tables: frozenset[str]
    is_union: bool


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str
    text: str
    children: tuple[_Node, ...]


def ask_in_sql(client: Client, sql: str, form: str, *, then: Then) -> bytes:
    """Answer a question in one of the engine's forms.

    Args:
        client: whose database holds no table of facts.
        sql: one SELECT.
        form: such as ``JSONCompact``.
        then: the place in the chain that the answer is to rest on.

    Raises:
        AskedInVainError: the engine began to answer it, and it costs too much or has a fault.
        ProblemError: it is not allowed, or can't be read.

    """
    question = require_allowed(client, sql)
    try:
        found = client.raw_query(_pinned(sql, question, then), fmt=form, settings=_limits(client))
    except engine_error() as error:
        raise _problem_of(error, AskedInVainError) from error
    return bytes(found)


def read_answer(found: bytes) -> dict[str, Any]:
    """Read an answer in JSON; a number that a float would round keeps its digits."""
    answer: dict[str, Any] = ANSWER.decode(found)
    return answer


def _number(text: str) -> float | Decimal:
    exact, near = Decimal(text), float(text)
    return near if Decimal(repr(near)) == exact else exact


ANSWER = msgspec.json.Decoder(float_hook=_number)


def require_allowed(client: Client, sql: str) -> Question:
    """Refuse what is anything but one SELECT over the views for readers; return its parts.

    Raises:
        ProblemError: it is, or it can't be read.

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
        _judge(child)
    is_union = any(len(child.children) > 1 for child in tree.children[:1])
    return Question(frozenset(_tables(tree)), is_union)


def _pinned(sql: str, question: Question, then: Then) -> str:
    """Let the names of views stand for them as they were at one place in the chain.

    They are put before the question as its own WITH, which every part of it sees, but for the
    members of a union that have a WITH themselves: a union is asked as a subquery.
    """
    elements = [
        f"{view_name(found.name)} AS (SELECT {', '.join(f'`{one.name}`' for one in columns)} "  # noqa: S608 - own names
        f"FROM {source_of(found, str(then.size), then.generation)})"
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
    """Leave out what a user of a server has as a fixed right: that it only reads."""
    readonly = client.server_settings.get("readonly")
    is_fixed = readonly is not None and readonly.value != "0"
    return {name: value for name, value in LIMITS.items() if not is_fixed or name != "readonly"}


def _tables(node: _Node) -> Iterator[str]:
    if node.kind == "TableIdentifier":
        yield node.text
    for child in node.children:
        yield from _tables(child)


def _judge(node: _Node) -> None:
    if node.kind not in KINDS:
        raise _refused(Phrase("SQL_SYNTAX_NOT_ALLOWED", syntax=node.kind))
    if node.kind == "SelectWithUnionQuery" and len(node.children) != 1:
        raise _refused(Phrase("SQL_PART_WITH_OUTPUT"))
    if node.kind == "Function":
        _judge_function(node)
    if node.kind == "TableExpression":
        for child in node.children:
            if child.kind not in {"TableIdentifier", "Subquery"}:
                raise _refused(Phrase("SQL_NO_VIEW"))
    if node.kind == "TableIdentifier":
        _judge_table(node.text)
    for child in node.children:
        _judge(child)


def _judge_function(node: _Node) -> None:
    if node.text not in FUNCTIONS:
        raise _refused(Phrase("SQL_FUNCTION_UNKNOWN", function=node.text[:50]))
    arguments = node.children[0].children if node.children else ()
    if node.text in IN and arguments and arguments[-1].kind == "Identifier":
        raise _refused(Phrase("SQL_IN_TABLE"))


def _judge_table(name: str) -> None:
    """Let names without a database through: those of views, of WITH, or of nothing.

    A view that is named with its database would show what is projected by then, and not what the
    answer says that it rests on.
    """
    if "." in name:
        raise _refused(Phrase("VIEW_WITH_DATABASE"))
    if not NAME.fullmatch(name) or name == "generation":
        raise _refused(Phrase("SQL_VIEW_UNKNOWN", view=name[:100]))


def _tree(text: str) -> _Node:
    """Read the engine's tree; what does not fit its own counts was made to mislead."""
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
