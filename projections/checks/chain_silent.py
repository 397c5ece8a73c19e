# needs = ["ChainOpened"]
# duty.who = "operator"
# duty.name.en = "Continue the record"
# duty.name.cs = "Pokračovat v záznamu"
# duty.begins_when = "the last fact of the chain is recorded; facts about findings do not count"
# duty.done_when = "any other fact"
# duty.is_listed = false
#
# [CHAIN_SILENT]
# name.en = "Chain is silent"
# name.cs = "Řetězec mlčí"
# text.en = """\
#   Nothing was recorded up to {detail:local}: what should have been recorded by then is missing, \
#   or the writer stands still."""
# text.cs = """\
#   Do {detail} nebylo nic zaznamenáno: chybí, co mělo být do té doby zaznamenáno, nebo zápis \
#   stojí."""
# paragraph = "decree 208/2017"

"""Find out since when a chain is silent.

What comes in: the tables. What goes out: the last message that was not itself recorded by an
examination or about its findings; those would end the silence that they report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.duties import StartedDuty
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

TAIL_MAX = 10_000
"""Messages about findings that are skipped at the end; a chain that has more is in use."""
ABOUT_FINDINGS = (
    *(
        "DeputyNamed",
        "FindingAssigned",
        "FindingClosed",
        "FindingCommented",
        "FindingExplained",
        "FindingGone",
    ),
    *("FindingRaised", "FindingReopened", "MatchingRulesSet", "ReconciliationConcluded"),
    *("WriteOffConfirmed", "WriteOffProposed", "WriteOffDeclined"),
)
EACH = " UNION ALL ".join(
    f"SELECT position FROM {one} WHERE position < {{size:Int64}}"  # noqa: S608 - own names
    for one in ABOUT_FINDINGS
)
TAIL = f"SELECT position FROM ({EACH}) ORDER BY position DESC LIMIT {TAIL_MAX}"  # noqa: S608 - own names


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield the duty to go on recording, which begins with the last message."""
    size = of.size
    for row in of.store.rows(TAIL, size=of.size):
        if row["position"] != size - 1:
            break
        size -= 1
    if size:
        yield StartedDuty(position=size - 1, begun_at=moment_of(of.store, size))
