# needs = ["PackageBuilt"]
# duty.who = "operator"
# duty.name.en = "Build the next package"
# duty.name.cs = "Sestavit další balíček"
# duty.begins_when = "a package is built on a chain with streamed rounds"
# duty.done_when = "the next package is built"
# duty.is_listed = false
#
# [PACKAGES_SILENT]
# name.en = "No package for too long"
# name.cs = "Dlouho nevznikl žádný balíček"
# text.en = "No further package for the authority was built up to {detail:local}."
# text.cs = "Do {detail} nebyl sestaven žádný další balíček pro úřad."
# paragraph = "D10 6 to 9"

"""Find the time in which no package was built, on a chain that has streamed rounds.

Packages of remote access follow each other all day, whether bets came or not. A chain of which no
package was ever recorded is reported by another system. ``gameledger report list`` shows which
periods are missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

BUILT = """
SELECT position, recorded_at, next_position, next_at
FROM
(
    SELECT
        position, recorded_at,
        leadInFrame(position) OVER following AS next_position,
        leadInFrame(recorded_at) OVER following AS next_at
    FROM PackageBuilt
    WHERE position < {size:Int64} AND position >
        (SELECT minOrNull(position) FROM RoundOpened WHERE position < {size:Int64} AND streamed)
    WINDOW following AS
        (ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
)
WHERE next_position = 0 OR next_at - recorded_at > {least:Int64}"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield the duty to build the next package, which each package begins."""
    for row in of.store.rows(BUILT, size=of.size, least=of.least):
        yield StartedDuty(
            position=row["position"],
            begun_at=row["recorded_at"],
            closed_at=row["next_at"] if row["next_position"] else None,
        )
