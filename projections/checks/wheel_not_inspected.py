# needs = ["RoundOpened"]
# duty.who = "operator"
# duty.name.en = "Inspect the wheel on the day"
# duty.name.cs = "Zkontrolovat kolo rulety v daný den"
# duty.begins_when = """\
#   a wheel is in play on a day, where the plan of the game asks for an inspection"""
# duty.done_when = "`DeviceInspected` on the day"
#
# [WHEEL_NOT_INSPECTED]
# name.en = "Wheel not inspected"
# name.cs = "Kolo rulety bez kontroly"
# text.en = "The wheel was in play and not inspected: {detail:phrase}."
# text.cs = "Kolo bylo ve hře bez kontroly: {detail}."
# paragraph = "Czech Casinos, the wheel"

"""Find the days on which a wheel was in play without the inspection that its plan requires."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.checks.payouts import plans_that
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

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


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield days on which a wheel was used without the inspection that its plan requires."""
    plans = plans_that(lambda plan: plan.inspected_daily)
    for row in of.store.rows(UNINSPECTED, size=of.size, plans=plans):
        yield StartedDuty(
            position=row["first_position"],
            begun_at=row["first_at"],
            round=row["first_round"],
            subject=row["wheel"],
            detail=Phrase("WHEEL_ON_DAY", wheel=row["wheel"], day=str(row["day"])),
        )
