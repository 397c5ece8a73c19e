"""Check a studio's duties besides the game: recordings, inspections of wheels and payouts, shoes.

What comes in: rounds with the devices in use, recordings, inspections, cards, below a position.
What goes out: findings. A table is checked from its first round with a recording on, because a
table without any is recorded by another system. Wheels are checked if the plan of the game requires
it, after the end of each day. A shoe holds each card once per deck. Timestamps are microseconds,
days are those of Prague.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.checks.payouts import plans_that
from projections.reconciliation.duty_query import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reconciliation.duty_query import DutyQuery

__all__ = [
    "rounds_without_recording",
    "wheels_in_play",
]

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

UNINSPECTED = """
SELECT
    min(position) AS first_position, argMin(round, position) AS first_round,
    argMin(recorded_at, position) AS first_at, wheel, day
FROM
(
    SELECT
        position, recorded_at, round,
        arrayFirst((device, kind) -> kind = 'wheel', devices, device_kinds) AS wheel,
        toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day
    FROM RoundOpened
    WHERE position < {size:Int64} AND concat(game, '@', plan_version) IN {plans:Array(String)}
)
WHERE wheel != ''
    AND (wheel, day) NOT IN
    (
        SELECT device, toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague'))
        FROM DeviceInspected
        WHERE position < {size:Int64}
    )
GROUP BY wheel, day"""


def rounds_without_recording(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield rounds of a recorded table without a reference to a recording (ZHH 84)."""
    for row in query.store.rows(UNRECORDED, size=query.size):
        yield StartedDuty(position=row["position"], begun_at=row["opened_at"], round=row["round"])


def wheels_in_play(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield days on which a wheel was used without the inspection that its plan requires."""
    plans = plans_that(lambda plan: plan.inspected_daily)
    for row in query.store.rows(UNINSPECTED, size=query.size, plans=plans):
        yield StartedDuty(
            position=row["first_position"],
            begun_at=row["first_at"],
            round=row["first_round"],
            subject=row["wheel"],
            detail=Phrase("WHEEL_ON_DAY", wheel=row["wheel"], day=str(row["day"])),
        )
