# needs = ["FeedMessageUnmapped"]
#
# [FEED_UNMAPPED]
# name.en = "Message of a provider not understood"
# name.cs = "Zpráva poskytovatele bez příkazu"
# text.en = "A provider's message could not be made a command: {detail:phrase}."
# text.cs = "Zprávu poskytovatele nebylo možné převést na příkaz: {detail}."
# paragraph = "decree 10/2019"
#
# [FEED_REFUSED]
# name.en = "Provider told what was refused"
# name.cs = "Poskytovatel ohlásil, co bylo odmítnuto"
# text.en = "A provider told what the ledger refused: {detail:phrase}."
# text.cs = "Poskytovatel ohlásil, co evidence odmítla: {detail}."
# paragraph = "decree 10/2019"
#
# [FEED_LATE]
# name.en = "Message of a provider came too late"
# name.cs = "Opožděná zpráva poskytovatele"
# text.en = "A provider's message came when what follows it was recorded: {detail:phrase}."
# text.cs = "Zpráva poskytovatele přišla, až když bylo zaznamenáno, co po ní následuje: {detail}."
# paragraph = "decree 10/2019"
#
# [FEED_ALTERED]
# name.en = "Message of a provider altered"
# name.cs = "Pozměněná zpráva poskytovatele"
# text.en = "A provider sent other content under the identifier of a message: {detail:phrase}."
# text.cs = "Poskytovatel poslal pod označením zprávy jiný obsah: {detail}."
# paragraph = "decree 10/2019"
#
# [FEED_MISSING]
# name.en = "Messages of a provider missing"
# name.cs = "Chybějící zprávy poskytovatele"
# text.en = "Messages of a provider never came: {detail:phrase}."
# text.cs = "Zprávy poskytovatele nedošly: {detail}."
# paragraph = "decree 10/2019"

"""Find messages of providers' feeds that were not recorded as events of the game.

They were unmapped, refused, late, altered or missing (``FeedMessageUnmapped``), and need a manual
review. A missing message that arrived later is reported as late, not as missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

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


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find feed messages that were not recorded as events."""
    return [
        DetectedFinding(
            f"FEED_{row['reason'].upper()}",
            position=row["position"],
            round=row["round"],
            detail=_detail(row),
        )
        for row in of.store.rows(UNMAPPED, size=of.size)
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
