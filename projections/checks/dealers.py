# needs = ["RoundOpened"]
#
# [ROUND_WITHOUT_DEALER]
# name.en = "Streamed round without a dealer"
# name.cs = "Přenášené kolo bez krupiéra"
# text.en = "The streamed round was opened without a dealer."
# text.cs = "Přenášené kolo bylo zahájeno bez krupiéra."
# paragraph = "ZHH 82"
#
# [RESULT_BY_MACHINE]
# name.en = "Streamed round by a machine"
# name.cs = "Přenášené kolo se strojem"
# text.en = "A machine makes the result of the streamed round."
# text.cs = "Výsledek přenášeného kola tvoří stroj."
# paragraph = "ZHH 82"

"""Find streamed rounds without a dealer, or whose result a machine produces (SAZKA 5a(1))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

NO_DEALER = """
SELECT position, round, dealer = '' AS is_alone, has(device_kinds, 'machine') AS is_by_machine
FROM RoundOpened
WHERE position < {size:Int64} AND streamed AND (is_alone OR is_by_machine)"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find streamed rounds without a dealer, or whose result a machine produces (SAZKA 5a(1))."""
    for row in of.store.rows(NO_DEALER, size=of.size):
        place = {"position": row["position"], "round": row["round"]}
        if row["is_alone"]:
            yield DetectedFinding("ROUND_WITHOUT_DEALER", **place)
        if row["is_by_machine"]:
            yield DetectedFinding("RESULT_BY_MACHINE", **place)
