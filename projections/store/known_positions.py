"""Reject unknown names in a query, so that a mistyped name does not look like an empty result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["require_known"]

BROUGHT_BY = {
    "account": "AccountOpened",
    "dealer": "DealerSeated",
    "device": "DeviceAssigned",
    "game": "GameListed",
    "round": "RoundOpened",
    "shoe": "ShoeLoaded",
    "table": "TableOpened",
}

UNKNOWN = {kind: f"{kind.upper()}_UNKNOWN" for kind in BROUGHT_BY} | {"game": "GAME_NOT_LISTED_YET"}


def require_known(store: Store, size: int, **names: str) -> None:
    """Raise an error if a name is unknown.

    Args:
        store: the tables.
        size: number of messages that count.
        names: requested names by kind; an empty name is not checked.

    Raises:
        InputError: no counted message introduced one of the names.

    """
    for kind, name in names.items():
        sql = (
            f"SELECT count() FROM {BROUGHT_BY[kind]} "  # noqa: S608 - own names
            f"WHERE position < {{size:Int64}} AND {kind} = {{name:String}}"
        )
        if name and not store.value(sql, size=size, name=name):
            raise InputError(Phrase(UNKNOWN[kind], name=name, size=size))
