"""Views for SQL users: stable names, whichever generation of tables is in use.

What comes in: the names of the registry database and of the database in use (its generation). What
goes out: statements that create a view of each table of facts and of each view, ``reader_<name in
snake case>``, in the registry database, with all comments. Guaranteed: they show only rows below
the watermark, and no personal field, not even encrypted. docs/sql.md lists views, columns and
meanings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import schemas
from projections.store.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.definitions import Column, Definition

__all__ = ["OWN", "reader_views", "shown", "source_of", "stem", "view_name"]

OWN = frozenset(
    {
        "day_ends",
        "daily_devices",
        "daily_house",
        "daily_postings",
        "daily_movements",
        "money_by_day",
    }
    | {"facts_of_bets", "facts_of_rounds", "evaluated_play"}
)
"""Tables and views that repeat the content of others, in another order or summed."""


def stem(name: str) -> str:
    """Return the name of an event type in snake case: ``bet_placed`` for ``BetPlaced``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def view_name(name: str) -> str:
    """Return the reader view of a table or view: ``reader_bet_placed`` for ``BetPlaced``."""
    return f"reader_{stem(name)}"


def shown() -> list[tuple[Definition, list[Column]]]:
    """Return the tables and views for readers, each with the columns that they show.

    Tables without a position belong to the projector and are left out, and so are tables that only
    make queries faster.
    """
    personal = {
        (schema.name, field["name"])
        for schema in schemas.newest().values()
        for field in schema.facts
        if "personal" in field
    }
    return [
        (found, [one for one in found.columns if (found.name, one.name) not in personal])
        for found in definitions()
        if found.name not in OWN
        and (found.is_view or any(column.name == "position" for column in found.columns))
    ]


def reader_views(registry: str, database: str) -> Iterator[str]:
    """Return the statements that create the views, or redirect them to another generation."""
    size = f"(SELECT max(size) FROM {database}.watermark)"  # noqa: S608 - own name
    for found, columns in shown():
        declared = ", ".join(
            f"`{name}` {kind} COMMENT {_quoted(text)}" for name, kind, text in columns
        )
        names = ", ".join(f"`{column.name}`" for column in columns)
        yield (
            f"CREATE OR REPLACE VIEW {registry}.{view_name(found.name)} ({declared}) "  # noqa: S608 - own names
            f"COMMENT {_quoted(found.meaning)} AS SELECT {names} FROM "
            f"{source_of(found, size, database)}"
        )


def source_of(found: Definition, size: str, database: str = "") -> str:
    """Return the FROM clause of a view for readers, over the first ``size`` messages."""
    source = f"{database}.{found.name}" if database else found.name
    if found.is_view:
        return source + _arguments(found, size)
    return f"{source} WHERE position < {size}"


def _arguments(view: Definition, size: str) -> str:
    """Return the arguments of a view, for all projected messages."""
    values = {"Int64": "0", "String": "''"}
    given = [
        f"{name} = {size if name == 'size' else values[kind]}" for name, kind in view.parameters
    ]
    return f"({', '.join(given)})" if given else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
