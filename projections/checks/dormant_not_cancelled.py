# needs = ["AccountOpened"]
# duty.who = "operator"
# duty.name.en = "Cancel an unused account"
# duty.name.cs = "Zrušit nevyužívané konto"
# duty.begins_when = "an account was not used for the months of `figures.dormant_months`"
# duty.done_when = "`CancellationRequested`, or a login"
#
# [DORMANT_NOT_CANCELLED]
# name.en = "Unused account not cancelled"
# name.cs = "Nevyužívané konto nezrušeno"
# text.en = "The account was not used, and its cancellation did not begin up to {detail:local}."
# text.cs = "Konto nikdo neužíval a jeho rušení do {detail} nezačalo."
# paragraph = "ZHH (user account)"

"""Find unused accounts that were not cancelled in time (SAZKA 12).

What comes in: logins, cancellations and the money in bets, below a position. What goes out:
findings. An account is dormant after the operator's number of months without a login, with no open
bet and none evaluated for some days; the operator's deadline after that is an assumption. A
withdrawn or reversed cancellation counts as use. Timestamps are microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import DAY, months_before
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]


UNUSED = """
SELECT account, maxIf(recorded_at, is_use) AS seen_at, maxIf(position, is_use) AS seen_position
FROM
(
    SELECT account, position, recorded_at, true AS is_use, 'open' AS status, regime
    FROM AccountOpened
    UNION ALL
    SELECT account, position, recorded_at, false, '', regime FROM AccountModeChanged
    UNION ALL
    SELECT account, position, recorded_at, true, '', '' FROM LoggedIn
    UNION ALL
    SELECT account, position, recorded_at, false, 'cancelling', '' FROM CancellationRequested
    UNION ALL
    SELECT account, position, recorded_at, true, 'open', '' FROM CancellationWithdrawn
    UNION ALL
    SELECT account, position, recorded_at, true, 'open', '' FROM AccountRestored
    UNION ALL
    SELECT account, position, recorded_at, false, 'closed', '' FROM AccountClosed
)
WHERE position < {size:Int64}
GROUP BY account
HAVING seen_at <= {before:Int64} AND argMaxIf(status, position, status != '') = 'open'
    AND argMaxIf(regime, position, regime != '') != 'temporary'"""

OPEN_BETS = """
SELECT account, max(recorded_at) AS bet_at, sum(amount) AS open_money
FROM postings
WHERE position < {size:Int64} AND kind IN ('in_play', 'reserved')
    AND account IN {accounts:Array(String)}
GROUP BY account"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield accounts that became dormant and for which no cancellation was started."""
    store, now, figures = of.store, of.now, of.rules.figures
    before = months_before(now, figures.dormant_months.value)
    if (store.value("SELECT min(recorded_at) FROM ChainOpened") or now) > before:
        return
    unused = store.rows(UNUSED, size=of.size, before=before)
    if not unused:
        return
    accounts = [row["account"] for row in unused]
    rows = store.rows(OPEN_BETS, size=of.size, accounts=accounts)
    bets = {row["account"]: row for row in rows}
    for row in unused:
        since = months_before(row["seen_at"], -figures.dormant_months.value)
        if bet := bets.get(row["account"]):
            since = max(since, bet["bet_at"] + figures.dormant_evaluated_days.value * DAY)
        if since <= now and not (bet and bet["open_money"]):
            yield StartedDuty(position=row["seen_position"], begun_at=since, account=row["account"])
