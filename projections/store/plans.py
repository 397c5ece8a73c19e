"""Register the game plans published in the chain, so that rounds can be settled again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games import register_plan

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["register_plans"]


def register_plans(store: Store) -> None:
    """Register the plans that a chain published.

    Raises:
        IntegrityError: as :func:`ledger.games.register_plan`.

    """
    for row in store.rows(
        "SELECT game, plan_version, document, document_digest FROM RulesPublished ORDER BY position"
    ):
        register_plan(row["game"], row["plan_version"], row["document"], row["document_digest"])
