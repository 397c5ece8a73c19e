"""Names that a question asks for: whoever mistypes one is told, and given no all-clear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["require_known"]

BROUGHT_BY = {
    "account": "AccountOpened",
    "game": "GameListed",
    "round": "RoundOpened",
    "table": "TableOpened",
}


def require_known(store: Store, size: int, **names: str) -> None:
    """Refuse an empty answer about an account, game, round or table that there is not.

    Args:
        store: the tables.
        size: messages that count.
        names: what was asked for by its kind; empty where it was not.

    Raises:
        InputError: no message that counts brought one of them.

    """
    for kind, name in names.items():
        sql = (
            f"SELECT count() FROM {BROUGHT_BY[kind]} "  # noqa: S608 - own names
            f"WHERE position < {{size:Int64}} AND {kind} = {{name:String}}"
        )
        if name and not store.value(sql, size=size, name=name):
            raise InputError(f"{kind} {name} is unknown below position {size}")
