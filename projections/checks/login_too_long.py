# needs = ["LimitSet"]
# duty.who = "operator"
# duty.name.en = "Log out when the login time is used up"
# duty.name.cs = "Odhlásit po vyčerpání denní doby přihlášení"
# duty.begins_when = "the login time of a day (measure f) is used up during a login"
# duty.done_when = "`LoggedOut`"
#
# [LOGIN_TOO_LONG]
# name.en = "Login longer than measure f allows"
# name.cs = "Přihlášení delší, než dovoluje opatření f"
# text.en = "The login went on when the login time of the day was used up: {detail:phrase} minutes."
# text.cs = "Přihlášení trvalo i po vyčerpání denní doby přihlášení: {detail} minut."
# paragraph = "ZHH 15"

"""Find logins that continue after the login time of the day is used up (measure f).

The login time is computed again; the value of the write side is not trusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

LOGINS = """
WITH
    allowed AS
    (
        SELECT account, effective_at, value
        FROM measures_in_force(size = {size:Int64})
        WHERE measure = 'f'
    ),
    limited AS
    (
        SELECT account, owner
        FROM account_owners(size = {size:Int64})
        WHERE owner IN
        (
            SELECT owner
            FROM account_owners(size = {size:Int64})
            WHERE account IN (SELECT account FROM allowed)
        )
    ),
    ended AS
    (
        SELECT account, session, min(recorded_at) AS ended_at
        FROM LoggedOut
        WHERE position < {size:Int64} AND account IN (SELECT account FROM limited)
        GROUP BY account, session
    ),
    sessions AS
    (
        SELECT
            begun.account AS account, owner,
            begun.session AS session, begun.position AS position,
            begun.mode AS mode, begun.recorded_at AS since,
            greatest(since, if(ended.ended_at > 0, ended.ended_at, {now:Int64})) AS until,
            toDate(fromUnixTimestamp64Micro(since, 'Europe/Prague')) AS first_day,
            toDate(fromUnixTimestamp64Micro(until, 'Europe/Prague')) AS last_day
        FROM LoggedIn AS begun
        INNER JOIN limited ON begun.account = limited.account
        LEFT JOIN ended ON begun.account = ended.account AND begun.session = ended.session
        WHERE begun.position < {size:Int64}
    ),
    days AS
    (
        SELECT
            account, owner, session, position, mode, since, until,
            first_day + arrayJoin(range(toUInt32(last_day - first_day) + 1)) AS day,
            greatest(since, 1000000 * toInt64(toDateTime(day, 'Europe/Prague'))) AS part_since,
            least(until, 1000000 * toInt64(toDateTime(day + 1, 'Europe/Prague'))) AS part_until
        FROM sessions
    ),
    used AS
    (
        SELECT
            account, position, mode, part_since, part_until,
            sum(part_until - part_since) OVER
            (
                PARTITION BY owner, day ORDER BY position
                ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS of_day
        FROM days
    ),
    beyond AS
    (
        SELECT
            used.account AS account, used.position AS position, part_until,
            (intDiv(of_day, 60000000), assumeNotNull(allowed.value)) AS minutes,
            least(
                of_day - 60000000 * assumeNotNull(allowed.value),
                part_until - greatest(part_since, allowed.effective_at)) AS lasted
        FROM used
        ASOF INNER JOIN allowed
            ON used.account = allowed.account AND used.part_until > allowed.effective_at
        WHERE allowed.value IS NOT NULL AND mode = 'full'
    )
SELECT
    position, account, argMax(minutes, lasted) AS most,
    argMax(part_until - lasted, lasted) AS begun_at, argMax(part_until, lasted) AS closed_at
FROM beyond
WHERE lasted > {least:Int64}
GROUP BY position, account"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield logins for play that continue after the daily login limit (measure f) is used up.

    Login time is summed over all accounts of the person. A later login only allows viewing and
    withdrawing, and does not count. The time of an open login is counted up to the last message.
    """
    for row in of.store.rows(LOGINS, size=of.size, now=of.now, least=of.least):
        used, allowed = row["most"]
        yield StartedDuty(
            position=row["position"],
            begun_at=row["begun_at"],
            account=row["account"],
            detail=Phrase("PARTS_OF", count=used, due=allowed),
            closed_at=None if row["closed_at"] == of.now else row["closed_at"],
        )
