# needs = ["RoundOpened", "TableOpened"]
# reads = [
#   "RoundResulted", "RoundVoided", "TableClosed", "GameLaunched", "GameWithdrawn", "CasinoOpened",
#   "DeviceAssigned",
# ]
#
# [ROUNDS_OVERLAP]
# name.en = "Round opened during another one"
# name.cs = "Kolo otevřené v průběhu jiného"
# text.en = "The round was opened while round {detail} of the same table had no result."
# text.cs = "Kolo bylo otevřeno, když kolo {detail} u téhož stolu ještě nemělo výsledek."
# paragraph = "game plan"
#
# [ROUND_AT_CLOSED_TABLE]
# name.en = "Round at a closed table"
# name.cs = "Kolo u uzavřeného stolu"
# text.en = "The round was opened at table {detail}, which was closed."
# text.cs = "Kolo bylo otevřeno u stolu {detail}, který byl uzavřen."
# paragraph = "ZHH 83"
#
# [ROUND_OF_WITHDRAWN_GAME]
# name.en = "Round of a withdrawn game"
# name.cs = "Kolo hry stažené z nabídky"
# text.en = "The round was opened when its game {detail} had been withdrawn."
# text.cs = "Kolo bylo otevřeno, když jeho hra {detail} byla stažena z nabídky."
# paragraph = "game plan"
#
# [DEVICE_ELSEWHERE]
# name.en = "Round with the device of another table"
# name.cs = "Kolo se zařízením jiného stolu"
# text.en = "The round was opened with a device of another table: {detail:phrase}."
# text.cs = "Kolo bylo otevřeno se zařízením jiného stolu: {detail}."
# paragraph = "ZHH 83"
#
# [TABLE_PLACE_WRONG]
# name.en = "Streamed table outside a studio"
# name.cs = "Přenášený stůl mimo studio"
# text.en = "The streamed table {detail} stands in a casino, not in a studio."
# text.cs = "Přenášený stůl {detail} stojí v kasinu, nikoli ve studiu."
# paragraph = "ZHH 83"

"""Find rounds that no round should have been opened for, and streamed tables outside a studio.

What comes in: openings of rounds and tables, below a position. A round is over at its table with
its result or its void; one without either is found by another check. A table that was never opened
is not judged, nor is a game that was never withdrawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

OPENINGS = """
WITH
    played AS
    (
        SELECT
            round, table, game, opened_position AS position,
            arrayMin(arrayFilter(one -> one > 0, [resulted_position, voided_position]))
                AS ended_position
        FROM rounds(size = {size:Int64})
        WHERE opened > 0
    ),
    opened AS
    (
        SELECT
            round, table, game, position,
            argMax(round, ended_position) OVER of_table AS round_before,
            max(ended_position) OVER of_table AS ended_before
        FROM played
        WINDOW of_table AS
        (
            PARTITION BY table ORDER BY position
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        )
    ),
    of_tables AS
    (
        SELECT table, position AS since, false AS is_closed
        FROM TableOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT table, position, true FROM TableClosed WHERE position < {size:Int64}
    ),
    of_games AS
    (
        SELECT game, position AS since, false AS is_withdrawn
        FROM GameLaunched
        WHERE position < {size:Int64}
        UNION ALL
        SELECT game, position, true FROM GameWithdrawn WHERE position < {size:Int64}
    ),
    at_tables AS
    (
        SELECT
            opened.round AS round, opened.table AS table, opened.game AS game,
            opened.position AS position, opened.round_before AS round_before,
            opened.ended_before AS ended_before, of_tables.is_closed AS is_closed
        FROM opened
        ASOF LEFT JOIN of_tables
            ON opened.table = of_tables.table AND opened.position > of_tables.since
    ),
    offered AS
    (
        SELECT
            at_tables.round AS round, at_tables.table AS table, at_tables.game AS game,
            at_tables.position AS position, at_tables.round_before AS round_before,
            at_tables.ended_before AS ended_before, at_tables.is_closed AS is_closed,
            of_games.is_withdrawn AS is_withdrawn
        FROM at_tables
        ASOF LEFT JOIN of_games
            ON at_tables.game = of_games.game AND at_tables.position > of_games.since
    )
SELECT
    round, table, game, position, is_closed, is_withdrawn, round_before,
    ended_before > position AS is_overlapping
FROM offered
WHERE is_closed OR is_withdrawn OR is_overlapping"""

ELSEWHERE = """
WITH
    used AS
    (
        SELECT round, table, position, arrayJoin(devices) AS device
        FROM RoundOpened
        WHERE position < {size:Int64}
            AND hasAny(devices, (SELECT groupUniqArray(device) FROM DeviceAssigned))
    )
SELECT
    used.round AS round, used.position AS position, used.device AS device,
    installed.table AS table
FROM used
ASOF INNER JOIN DeviceAssigned AS installed
    ON used.device = installed.device AND used.position > installed.position
WHERE used.table != installed.table"""

OUTSIDE = """
SELECT table, TableOpened.position AS position
FROM TableOpened
INNER JOIN
(
    SELECT place, argMax(kind, position) AS kind
    FROM CasinoOpened
    WHERE position < {size:Int64}
    GROUP BY place
) AS places ON TableOpened.place = places.place
WHERE TableOpened.position < {size:Int64} AND streamed AND places.kind != 'studio'"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such rounds and tables, and rounds with a device of another table."""
    for row in of.store.rows(OPENINGS, size=of.size):
        for code, is_found, detail in (
            ("ROUNDS_OVERLAP", row["is_overlapping"], row["round_before"]),
            ("ROUND_AT_CLOSED_TABLE", row["is_closed"], row["table"]),
            ("ROUND_OF_WITHDRAWN_GAME", row["is_withdrawn"], row["game"]),
        ):
            if is_found:
                yield DetectedFinding(
                    code, position=row["position"], round=row["round"], detail=detail
                )
    for row in of.store.rows(ELSEWHERE, size=of.size):
        yield DetectedFinding(
            "DEVICE_ELSEWHERE",
            position=row["position"],
            round=row["round"],
            detail=Phrase("DEVICE_OF_TABLE", device=row["device"], table=row["table"]),
            about=row["device"],
        )
    for row in of.store.rows(OUTSIDE, size=of.size):
        yield DetectedFinding(
            "TABLE_PLACE_WRONG", position=row["position"], detail=row["table"], about=row["table"]
        )
