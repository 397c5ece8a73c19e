"""Register the game plans published in the chain, so that rounds can be settled again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games import ChainPlans

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["register_plans"]


def register_plans(store: Store) -> None:
    """Register the plans that a chain published.

    Raises:
        IntegrityError: as :meth:`ledger.games.ChainPlans.register`.

    """
    plans = ChainPlans()
    for row in store.rows(
        "SELECT game, plan_version, document, document_digest FROM RulesPublished ORDER BY position"
    ):
        plans.register(row["game"], row["plan_version"], row["document"], row["document_digest"])
