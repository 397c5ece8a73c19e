"""Find messages of providers' feeds that were not recorded as events of the game.

They were unmapped, refused, late, altered or missing (``FeedMessageUnmapped``), and need a manual
review. A missing message that arrived later is reported as late, not as missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from projections.reconciliation.findings import DetectedFinding

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["feeds_not_followed"]

UNMAPPED = """
WITH told AS
(
    SELECT position, provider, feed, number, messages, message, kind, round, reason, detail
    FROM FeedMessageUnmapped
    WHERE position < {size:Int64}
)
SELECT gap.*, countDistinctIf(late.number, late.number >= gap.number
    AND late.number < gap.number + gap.messages AND late.position > gap.position) AS came
FROM told AS gap
LEFT JOIN (SELECT position, provider, feed, number FROM told WHERE reason = 'late') AS late
    ON gap.reason = 'missing' AND late.provider = gap.provider AND late.feed = gap.feed
GROUP BY ALL
HAVING reason != 'missing' OR came < messages
ORDER BY position"""


def feeds_not_followed(store: Store, size: int) -> list[DetectedFinding]:
    """Find feed messages that were not recorded as events, below position ``size``."""
    return [
        DetectedFinding(
            f"FEED_{row['reason'].upper()}",
            position=row["position"],
            round=row["round"],
            detail=_detail(row),
        )
        for row in store.rows(UNMAPPED, size=size)
    ]


def _detail(row: dict[str, Any]) -> Phrase:
    """Describe the message and the reason."""
    place = f"{row['provider']} {row['feed']}".strip()
    if row["reason"] == "missing":
        first, count = row["number"], row["messages"]
        still, last = count - row["came"], first + count - 1
        return Phrase("FEED_NUMBERS", feed=place, count=still, first=first, last=last)
    reason = row["detail"].rstrip(".")
    message, called = row["message"], row["kind"]
    return Phrase("FEED_MESSAGE", feed=place, message=message, called=called, reason=reason)
