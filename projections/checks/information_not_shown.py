# needs = ["BetPlaced"]
# duty.who = "operator"
# duty.name.en = "Show time of play or net result during play"
# duty.name.cs = "Zobrazit během hry dobu hry nebo čistý výsledek"
# duty.begins_when = "a participant bets on streamed games in a login"
# duty.done_when = """\
#   `InformationShown` (time of play or net result), the logout, or the end of the play"""
#
# [INFORMATION_NOT_SHOWN]
# name.en = "Play without information"
# name.cs = "Hra bez informací"
# text.en = """\
#   The participant played for {detail:count} minutes in a login, and neither time of play nor net \
#   result was shown in time."""
# text.cs = """\
#   Účastník hrál během přihlášení {detail} minut a včas mu nebyla zobrazena doba hry ani čistý \
#   výsledek."""
# paragraph = "ZHH 14"

"""Find participants who play streamed games for long without being shown time of play or result.

What comes in: logins, bets of streamed rounds, and the information that the platform displayed,
below a position. What goes out: one duty for each login with such a bet: it starts with the first
bet, and ends when the time of play or the net result is displayed, or the play ends (ZHH 14).
Timestamps are microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

PLAY_OVER = 15 * MINUTE
"""Time without a bet after which the play of a login is over, as in SAZKA 5a(3)."""
PLAYED = """
WITH
    logins AS
    (
        SELECT account, position FROM LoggedIn WHERE position < {size:Int64} AND mode = 'full'
    ),
    bets AS
    (
        SELECT account, position, recorded_at
        FROM BetPlaced
        WHERE position < {size:Int64} AND parent = '' AND round IN
            (SELECT round FROM RoundOpened WHERE position < {size:Int64} AND streamed)
    ),
    played AS
    (
        SELECT
            bets.account AS account, logins.position AS login,
            min(bets.position) AS first_position, min(bets.recorded_at) AS begun_at,
            max(bets.recorded_at) AS last_at
        FROM bets
        ASOF INNER JOIN logins ON bets.account = logins.account AND bets.position > logins.position
        GROUP BY account, login
        HAVING last_at - begun_at >= {least:Int64}
    ),
    shown AS
    (
        SELECT account, position, recorded_at
        FROM InformationShown
        WHERE position < {size:Int64} AND kind IN ('play_time', 'net_result')
    ),
    ended AS
    (
        SELECT account, position, recorded_at FROM LoggedOut WHERE position < {size:Int64}
    ),
    informed AS
    (
        SELECT
            played.account AS account, played.first_position AS first_position,
            played.begun_at AS begun_at, played.last_at AS last_at,
            shown.recorded_at AS shown_at
        FROM played
        ASOF LEFT JOIN shown
            ON played.account = shown.account AND played.first_position < shown.position
    )
SELECT
    informed.account AS account, first_position, begun_at, last_at, shown_at,
    ended.recorded_at AS ended_at
FROM informed
ASOF LEFT JOIN ended
    ON informed.account = ended.account AND informed.first_position < ended.position"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield each login with bets on streamed games, as a duty to inform the participant."""
    for row in of.store.rows(PLAYED, size=of.size, least=of.least):
        ends = [row[name] for name in ("shown_at", "ended_at") if row[name]]
        if (row["ended_at"] or of.now) - row["last_at"] > PLAY_OVER:
            ends.append(row["last_at"])
        yield StartedDuty(
            position=row["first_position"],
            begun_at=row["begun_at"],
            account=row["account"],
            closed_at=min(ends, default=None),
            detail=(row["last_at"] - row["begun_at"]) // MINUTE,
        )
