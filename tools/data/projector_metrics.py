"""Metrics of the process that writes the tables.

The tables also show the age of what protects the chain, so the projector measures it: the last
checkpoint, cosignature, time stamp, reconciliation and comparison of the clock, with its offset;
and also the last night run and the last message of the backup.
"""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING

from prometheus_client import Gauge

from ledger.core.clock import SECOND
from ledger.core.errors import LedgerError
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from tools.web.metrics import ChainRegistry

if TYPE_CHECKING:
    from pathlib import Path

    from projections.store.tables import Store

__all__ = ["ProjectorMetrics"]

LAST_SECONDS = 30.0
"""How often the last protections are looked up."""
PROTECTIONS = {
    "checkpoint": "CheckpointSigned",
    "cosignature": "CheckpointCosigned",
    "time_stamp": "CheckpointStamped",
    "reconciliation": "ReconciliationConcluded",
    "clock": "ClockMeasured",
}
NIGHT, BACKUP = "night", "backup"
NIGHT_FILE = "night-done"
"""File in the data directory that the unit of the night run touches at its end."""
QUERY = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, max(recorded_at) AS at FROM {event} "  # noqa: S608 - own names
    f"WHERE position < {{size:Int64}}{' AND skew IS NOT NULL' if kind == 'clock' else ''}"
    for kind, event in PROTECTIONS.items()
)


SKEW = (
    "SELECT argMax(skew, position) FROM ClockMeasured "
    "WHERE position < {size:Int64} AND skew IS NOT NULL"
)


class ProjectorMetrics:
    """Progress of the projection, and the age of what protects the chain.

    Args:
        chain: its name, a label.
        data: data directory, where the night run leaves its mark.
        backup: folder of the copy that `log copy` keeps, if it is on this machine.

    """

    def __init__(self, chain: str, data: Path, backup: Path | None = None) -> None:
        """Begin at zero."""
        self._night, self._backup = data / NIGHT_FILE, backup
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
            "Record of the last checkpoint, cosignature, time_stamp, reconciliation and clock"
            " comparison, end of the last night run, last message of the backup; seconds since the"
            " epoch; 0: none.",
            ("kind",),
            registry=registry,
        )
        for kind in (*PROTECTIONS, NIGHT, *([BACKUP] if backup else [])):
            self._last.labels(kind)
        self._skew = Gauge(
            "gameledger_clock_skew_seconds",
            "How far the writer's clock was ahead of its source when they were last compared.",
            registry=registry,
        )
        self._parts = Gauge(
            "gameledger_table_parts",
            "Parts of the table that has most of them; ClickHouse refuses inserts at 3000.",
            registry=registry,
        )
        self._due = 0.0

    def seen(self, store: Store, projected: int, size: int) -> None:
        """Update the metrics after each read of the log, which has ``size`` messages."""
        self._projected.set(projected)
        self._behind.set(max(size - projected, 0))
        self._at.set_to_current_time()
        if time.monotonic() >= self._due:
            for row in store.rows(QUERY, size=projected):
                self._last.labels(row["kind"]).set(row["at"] / SECOND)
            self._skew.set((store.value(SKEW, size=projected) or 0) / SECOND)
            self._parts.set(max(store.parts().values(), default=0))
            self._last.labels(NIGHT).set(_changed(self._night))
            if self._backup is not None:
                self._last.labels(BACKUP).set(_last_message(self._backup))
            self._due = time.monotonic() + LAST_SECONDS


def _changed(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _last_message(backup: Path) -> float:
    """Return the timestamp of the last message of a copy; 0 if no copy can be read."""
    try:
        with closing(SqliteLog(backup, writable=False)) as log:
            for _, body in log.read(log.head().size - 1):
                return decode_envelope(body).recorded_at / SECOND
    except (LedgerError, OSError):
        pass
    return 0.0
