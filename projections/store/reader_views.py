"""Views for people who ask in SQL: names that stay, whichever generation of tables is in use.

What comes in: the registry database and that of the generation in use. What goes out: statements
that make one view an event type and one of the money postings, ``reader_<name in lower case>``,
in the registry database. Promised: a view shows what lies below the watermark, and no personal
field, not even sealed. docs/sql.md lists views, columns and meanings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import schemas

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["POSTINGS", "columns_of", "reader_views", "stem", "view_name"]

POSTINGS = {
    "position": "place of the event in the chain",
    "posting": "number of the posting in its event",
    "recorded_at": "moment of the record",
    "kind": "wallet, reserved, in_play, withdrawals, game_result, channel_…, charges, prize_pool",
    "account": "account of the player, where it is one player's money",
    "round": "round, where there is one",
    "bet": "bet, where there is one",
    "event": "event type",
    "amount": "haléř, signed; those of a position sum to zero",
}
"""Columns of ``reader_postings``."""


def stem(name: str) -> str:
    """Write the name of an event type as views have it: ``bet_placed`` of ``BetPlaced``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def view_name(name: str) -> str:
    """Name the view of an event type: ``reader_bet_placed`` of ``BetPlaced``."""
    return f"reader_{stem(name)}"


def columns_of(schema: schemas.Schema) -> list[dict[str, Any]]:
    """Return the fields of a type that its view shows."""
    return [field for field in schema.raw["fields"] if "personal" not in field]


def reader_views(registry: str, database: str) -> Iterator[str]:
    """Write the statements that make the views, or lead them to another generation."""
    names = {
        schema.name: [field["name"] for field in columns_of(schema)]
        for schema in schemas.newest().values()
    }
    for table, columns in {**names, "postings": list(POSTINGS)}.items():
        view = "reader_postings" if table == "postings" else view_name(table)
        shown = ", ".join(f"`{column}`" for column in columns)
        yield (
            f"CREATE OR REPLACE VIEW {registry}.{view} AS SELECT {shown} "  # noqa: S608 - own names
            f"FROM {database}.{table} "
            f"WHERE position < (SELECT max(size) FROM {database}.watermark)"
        )
