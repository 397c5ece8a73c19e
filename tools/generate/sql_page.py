"""The page for people who ask in SQL: views, columns, and the questions that take parameters."""

from __future__ import annotations

import re
from importlib import resources

from projections.store.reader_views import POSTINGS, columns_of, view_name
from projections.store.tables import statements
from schemas import newest

__all__ = ["sql_page"]

INTRODUCTION = """\
# Asking in SQL

Generated from `schemas/` and `projections/sql/`. In the database `gameledger` (on a server, the one
that the URL names) there is a view for each event type and one for the money, whose names stay
while the tables behind them are rebuilt. They show what is projected, below the watermark, and no
personal field. Money is whole haléř, moments are microseconds since the epoch in UTC. The tables
behind them carry the same meanings as comments (`SHOW CREATE TABLE`).

On a server, any client of ClickHouse asks; with the tables in the data directory, any program with
chDB, while no other process holds them:

```
clickhouse-client --query 'SELECT game, count() FROM gameledger.reader_round_opened GROUP BY game'
```
"""

QUESTIONS = """
## Questions with parameters

Views in the database of the generation in use (`SELECT max(number) FROM gameledger.generation`
gives the number behind `gameledger_`). Each takes its parameters as ClickHouse does, such as
`--param_size` of `clickhouse-client` or `SET param_size = …`; `size` is the number of messages
that count, and an empty `account` or `round` means all. The head of its file says what it answers.

| view | parameters | file |
|---|---|---|
"""


def sql_page() -> str:
    """Write ``docs/sql.md``."""
    parts = [INTRODUCTION, "\n## reader_postings\n\nEvery movement of money, two sides or more.\n"]
    parts.append(_table(POSTINGS))
    for schema in newest().values():
        parts.append(f"\n## {view_name(schema.name)}\n\n{schema.raw['doc']}\n")
        parts.append(_table({field["name"]: field["doc"] for field in columns_of(schema)}))
    parts.append(QUESTIONS)
    files = _files()
    for statement in statements():
        found = re.match(r"CREATE VIEW IF NOT EXISTS (\w+)", statement)
        taken = sorted(set(re.findall(r"\{(\w+):(\w+)\}", statement)))
        if found and taken:
            words = ", ".join(f"`{name}` {kind}" for name, kind in taken)
            parts.append(f"| `{found[1]}` | {words} | {files[found[1]]} |\n")
    return "".join(parts)


def _table(columns: dict[str, str]) -> str:
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in columns.items())
    return f"\n| column | meaning |\n|---|---|\n{rows}"


def _files() -> dict[str, str]:
    """Find the file that makes each view."""
    folder = resources.files("projections") / "sql"
    return {
        name: file.name
        for file in folder.iterdir()
        if file.name.endswith(".sql")
        for name in re.findall(r"CREATE VIEW IF NOT EXISTS (\w+)", file.read_text("utf-8"))
    }
