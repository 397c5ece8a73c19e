"""The page for people who ask in SQL: views and columns, movements of money, questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.decisions.movements import MOVEMENTS, If
from projections.store.definitions import definitions
from projections.store.reader_views import shown, view_name
from schemas import newest
from tools.workshop.generate.movements_sql import condition

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.decisions.movements import Movement
    from projections.store.definitions import Column

__all__ = ["sql_page"]

INTRODUCTION = """\
# Asking in SQL

Generated from `schemas/`, `projections/sql/` and the table of movements. In the database
`gameledger` (on a server, the one that the URL names) there is a view for each event type, one for
the money, and one for each question of `projections/sql/`, such as bets, rounds and findings. Their
names stay while the tables behind them are rebuilt: a rebuild fills a database of its own, and when
it is put in use, the views are led there. They show what is projected, below the watermark, and no
personal field. Money is whole haléř, moments are microseconds since the epoch in UTC. What is said
here of views and columns, they say themselves as comments (`DESCRIBE gameledger.reader_bets`).

On a server, any client of ClickHouse asks. With the tables in the data directory, `gameledger
serve` answers the same questions ([access.md](access.md)); after `gameledger project --views` they
have these views, too, until the file `projection.views` is deleted, so that any program with chDB
asks while no other process holds the tables:

```
clickhouse-client --query 'SELECT game, count() FROM gameledger.reader_rounds GROUP BY game'
```

## What a reader may do

A view has the rights of its caller (`SQL SECURITY INVOKER`), so that a reader needs `SELECT` on
the views and on the databases of the tables, whose number changes with each rebuild:

```
GRANT SELECT ON gameledger.* TO reader;
GRANT SELECT ON gameledger_*.* TO reader;
```

Such a reader can also ask the tables, with the personal fields, which are sealed there. Who is to
see chosen views and nothing else gets them from a database of your own, over the names that stay:

```
CREATE VIEW audit.bets DEFINER = ledger SQL SECURITY DEFINER
    AS SELECT * FROM gameledger.reader_bets;
GRANT SELECT ON audit.* TO reader;
```

gameledger makes no such views itself: the engine inside the process, with which all SQL here is
tried, has no second user, so that rights can't be tried with it. Try yours on your server.
"""

MONEY = """
An event adds these amounts of its columns, one posting each (`each` is a posting for each of the
`accounts`). Its `account`, `round` and `bet` are the columns of that name; the bet of what a
tournament moves is `tournament:` and its name.

| event | only where | adds |
|---|---|---|
"""

EVENTS = """
## Views of events

The view of an event type has the columns of its facts in [events.md](events.md), without the
personal fields, and those of the envelope: position, recorded_at, occurred_at, actor, source and
what identifies the command.

| view | event | meaning |
|---|---|---|
"""

QUESTIONS = """
## Questions with parameters

The views that answer questions ask about all that is projected. In the database of the generation
in use (`SELECT max(number) FROM gameledger.generation` gives the number behind `gameledger_`) they
take parameters, such as `SELECT * FROM gameledger_1.bets(size = 1000, account = 'a-1')`: `size` is
the number of messages that count, and an empty `account` or `round` means all.

| view | parameters |
|---|---|
"""


def sql_page() -> str:
    """Write ``docs/sql.md``."""
    parts = [INTRODUCTION]
    found = shown()
    for table, columns in found:
        if table.name not in newest():
            parts += [f"\n## {view_name(table.name)}\n\n{table.meaning}\n", _table(columns)]
        if table.name == "postings":
            parts += [MONEY, *(_moves(kind.__name__, moved) for kind, moved in MOVEMENTS.items())]
    parts.append(EVENTS)
    parts += [
        f"| `{view_name(name)}` | {name} | {one.raw['doc']} |\n" for name, one in newest().items()
    ]
    parts.append(QUESTIONS)
    for view in definitions():
        if view.parameters:
            words = ", ".join(f"`{name}` {kind}" for name, kind in view.parameters)
            parts.append(f"| `{view.name}` | {words} |\n")
    return "".join(parts)


def _table(columns: Iterable[Column]) -> str:
    rows = "".join(f"| `{column.name}` | {column.meaning} |\n" for column in columns)
    return f"\n| column | meaning |\n|---|---|\n{rows}"


def _moves(event: str, movement: Movement) -> str:
    adds = [f"each {kind}: {amount}" for kind, amount in movement.each]
    adds += [f"{_kind(kind)}: {amount}" for kind, amount in movement.legs]
    when = condition(movement)
    return f"| `{event}` | {when and f'`{when}`'} | {'; '.join(adds)} |\n"


def _kind(kind: str | If) -> str:
    if isinstance(kind, If):
        return f"{kind.kind} where {kind.column} is {kind.value}, otherwise {kind.otherwise}"
    return kind
