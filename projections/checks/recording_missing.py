# needs = ["RecordingKept"]
# duty.who = "operator"
# duty.name.en = "Keep the recording of a round"
# duty.name.cs = "Uchovat záznam kola"
# duty.begins_when = "a round opens at a table that is filmed"
# duty.done_when = "`RecordingKept`"
#
# [RECORDING_MISSING]
# name.en = "Round without its recording"
# name.cs = "Kolo bez záznamu obrazu a zvuku"
# text.en = """\
#   The round has no reference of a recording, as the table's rounds before had; \
#   {figures.recording_hours.value:count} hours are over."""
# text.cs = """\
#   Kolo nemá odkaz na záznam, jaký měla předchozí kola stolu; {figures.recording_hours.value} \
#   hodin uplynulo."""
# paragraph = "ZHH 84"

"""Find rounds without a recording, at a table that is filmed (ZHH 84).

A table is checked from its first round with a recording on: one without any is recorded by another
system.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

UNRECORDED = """
WITH
    recorded AS
    (
        SELECT round FROM RecordingKept WHERE position < {size:Int64}
    ),
    tables AS
    (
        SELECT table, min(opened.position) AS since
        FROM RoundOpened AS opened
        WHERE opened.position < {size:Int64} AND round IN (SELECT round FROM recorded)
        GROUP BY table
    )
SELECT opened.position AS position, opened.round AS round, opened.recorded_at AS opened_at
FROM RoundOpened AS opened
INNER JOIN tables ON opened.table = tables.table
WHERE opened.position < {size:Int64} AND opened.position > tables.since
    AND opened.round NOT IN (SELECT round FROM recorded)"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield rounds of a recorded table without a reference to a recording (ZHH 84)."""
    for row in of.store.rows(UNRECORDED, size=of.size):
        yield StartedDuty(position=row["position"], begun_at=row["opened_at"], round=row["round"])
