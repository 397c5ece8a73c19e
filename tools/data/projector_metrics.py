"""The series of the process that writes the tables.

The tables also show the age of what protects the chain, so the projector measures it: the last
checkpoint, cosignature, time stamp and reconciliation.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from prometheus_client import Gauge

from ledger.core.clock import SECOND
from tools.web.metrics import ChainRegistry

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["ProjectorMetrics"]

LAST_SECONDS = 30.0
"""How often the last protections are looked up."""
PROTECTIONS = {
    "checkpoint": "CheckpointSigned",
    "cosignature": "CheckpointCosigned",
    "time_stamp": "CheckpointStamped",
    "reconciliation": "ReconciliationConcluded",
}
QUERY = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, max(recorded_at) AS at FROM {event} "  # noqa: S608 - own names
    "WHERE position < {size:Int64}"
    for kind, event in PROTECTIONS.items()
)


class ProjectorMetrics:
    """Progress of the projection, and the age of what protects the chain."""

    def __init__(self, chain: str) -> None:
        """Begin at zero."""
        self.registry = registry = ChainRegistry(chain)
        self._projected = Gauge(
            "gameledger_projected_messages", "Messages in the tables.", registry=registry
        )
        self._behind = Gauge(
            "gameledger_projector_behind_messages",
            "Messages of the log that are not in the tables.",
            registry=registry,
        )
        self._at = Gauge(
            "gameledger_projector_seen_seconds",
            "When the log was last looked at, in seconds since the epoch.",
            registry=registry,
        )
        self._last = Gauge(
            "gameledger_last_seconds",
            "Record of the last checkpoint, cosignature, time_stamp and reconciliation, in seconds"
            " since the epoch; 0: none.",
            ("kind",),
            registry=registry,
        )
        for kind in PROTECTIONS:
            self._last.labels(kind)
        self._due = 0.0

    def seen(self, store: Store, projected: int, size: int) -> None:
        """Measure after each look at the log, which has ``size`` messages."""
        self._projected.set(projected)
        self._behind.set(max(size - projected, 0))
        self._at.set_to_current_time()
        if time.monotonic() >= self._due:
            for row in store.rows(QUERY, size=projected):
                self._last.labels(row["kind"]).set(row["at"] / SECOND)
            self._due = time.monotonic() + LAST_SECONDS
