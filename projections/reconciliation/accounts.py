"""Find accounts closed too early or with money, paid from abroad, or logged in for too long.

What comes in: the events of accounts below a position. What goes out: the findings that need the
calendar or lists from the law, which SQL does not have; the views ``entry_findings`` and
``cage_findings`` report the others. Values derived by the write side are not trusted: the end of
the objection period and the login time are computed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.rules.law import EEA
from ledger.rules.periods import end_of_period
from projections.reconciliation.duty_query import StartedDuty
from projections.reconciliation.findings import DetectedFinding
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reconciliation.duty_query import DutyQuery
    from projections.store.tables import Store

__all__ = [
    "closed_wrongly",
    "logins_beyond_their_time",
    "methods_not_allowed",
    "notices_incomplete",
]

NOTICE_PARTS = {
    "ground": "NOTICE_WITHOUT_GROUND",
    "objection": "NOTICE_WITHOUT_OBJECTION",
    "email_address": "NOTICE_WITHOUT_EMAIL_ADDRESS",
    "postal_address": "NOTICE_WITHOUT_POSTAL_ADDRESS",
}
"""Required parts of a notice of the operator, each with the code of the detail if it is missing."""
MISSING = NOTICE_PARTS | {
    "way": "NOTICE_NOT_BY_EMAIL",
    "registered": "NO_EMAIL_REGISTERED",
}

CLOSED = """
WITH
    closed AS
    (
        SELECT
            account, min(fact.position) AS position,
            argMin(recorded_at, fact.position) AS closed_at
        FROM AccountClosed AS fact
        WHERE fact.position < {size:Int64}
        GROUP BY account
    ),
    regimes AS
    (
        SELECT account, argMax(regime, position) AS regime
        FROM
        (
            SELECT account, position, regime
            FROM AccountOpened
            WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
            UNION ALL
            SELECT account, position, regime
            FROM AccountModeChanged
            WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        )
        GROUP BY account
    ),
    steps AS
    (
        SELECT account, position, toInt64(0) AS confirmed_at
        FROM CancellationRequested
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, recorded_at
        FROM CancellationConfirmed
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, 0
        FROM CancellationWithdrawn
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, 0
        FROM AccountRestored
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
    ),
    undecided AS
    (
        SELECT cases.account AS account, min(case) AS case
        FROM cases(size = {size:Int64}) AS cases
        INNER JOIN closed ON cases.account = closed.account
        WHERE cases.position < closed.position
            AND (status = 'open' OR ended_position >= closed.position)
        GROUP BY account
    ),
    money AS
    (
        SELECT postings.account AS account, sum(amount) AS wallet
        FROM postings
        INNER JOIN closed ON postings.account = closed.account
        WHERE postings.position < closed.position AND kind = 'wallet'
        GROUP BY account
    )
SELECT
    closed.account AS account, closed.position AS position, any(closed.closed_at) AS closed_at,
    argMax(steps.confirmed_at, steps.position) AS confirmed_at, any(undecided.case) AS case,
    any(money.wallet) AS wallet
FROM closed
INNER JOIN regimes ON closed.account = regimes.account
LEFT JOIN steps ON closed.account = steps.account
LEFT JOIN undecided ON closed.account = undecided.account
LEFT JOIN money ON closed.account = money.account
WHERE regimes.regime != 'temporary' AND steps.position < closed.position
GROUP BY account, position"""

NOTICES = """
WITH
    requests AS
    (
        SELECT account, position, by FROM CancellationRequested WHERE position < {size:Int64}
    ),
    addresses AS
    (
        SELECT account, position, email
        FROM AccountOpened
        WHERE position < {size:Int64} AND email != ''
        UNION ALL
        SELECT account, position, email
        FROM PersonChanged
        WHERE position < {size:Int64} AND email != ''
    ),
    notices AS
    (
        SELECT
            sent.account AS account, sent.position AS position, requests.by AS by, way, parts
        FROM (SELECT * FROM CancellationConfirmed WHERE position < {size:Int64}) AS sent
        ASOF LEFT JOIN requests
            ON sent.account = requests.account AND sent.position > requests.position
    )
SELECT
    notices.account AS account, notices.position AS position,
    arrayConcat(
        if(by = 'operator', arrayFilter(part -> NOT has(parts, part), {parts:Array(String)}), []),
        if(way = 'email', [], ['way']),
        if(addresses.email = '', ['registered'], [])) AS missing
FROM notices
ASOF LEFT JOIN addresses
    ON notices.account = addresses.account AND notices.position > addresses.position
WHERE notEmpty(missing)"""

METHODS = """
SELECT position, account, method, country, verified_how
FROM PaymentMethodRegistered
WHERE position < {size:Int64}
    AND (verified_how = 'declaration' OR NOT has({eea:Array(String)}, country))"""

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
        SELECT account, any(person) AS who
        FROM AccountOpened
        WHERE position < {size:Int64} AND person IN
        (
            SELECT person
            FROM AccountOpened
            WHERE position < {size:Int64} AND account IN (SELECT account FROM allowed)
        )
        GROUP BY account
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
            begun.account AS account, if(who = '', begun.account, who) AS who,
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
            account, who, session, position, mode, since, until,
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
                PARTITION BY who, day ORDER BY position
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


def closed_wrongly(store: Store, size: int) -> list[DetectedFinding]:
    """Find permanent accounts closed too early, or with money in them (SAZKA 12(6), (8)).

    The objection period begins with the notice (or receipt) of the pending cancellation.
    """
    rows = store.rows(CLOSED, size=size)
    objection = operator_rules(store).periods.objection if rows else None
    found = []
    for row in rows:
        place = {"position": row["position"], "account": row["account"]}
        why = None
        if not row["confirmed_at"]:
            why = Phrase("NO_NOTICE_SENT")
        elif objection and row["closed_at"] < end_of_period(row["confirmed_at"], objection):
            why = Phrase("OBJECTIONS_POSSIBLE", days=objection.days)
        elif row["case"]:
            why = Phrase("CASE_UNDECIDED", case=row["case"])
        if why:
            found.append(DetectedFinding("CLOSED_TOO_EARLY", detail=why, **place))
        if row["wallet"] > 0:
            found.append(DetectedFinding("BALANCE_NOT_RETURNED", amount=row["wallet"], **place))
    return found


def notices_incomplete(store: Store, size: int) -> list[DetectedFinding]:
    """Find incomplete notices, and those not sent to a registered e-mail address.

    A notice of the operator must have all parts (SAZKA 12(3)); a receipt of the participant's own
    request must be sent by e-mail, too (SAZKA 12(4)).
    """
    return [
        DetectedFinding(
            "NOTICE_INCOMPLETE",
            position=row["position"],
            account=row["account"],
            detail=Phrase(MISSING[missing]),
            about=missing,
        )
        for row in store.rows(NOTICES, size=size, parts=list(NOTICE_PARTS))
        for missing in row["missing"]
    ]


def methods_not_allowed(store: Store, size: int) -> list[DetectedFinding]:
    """Find means of payment from outside the EEA, or declared without proof (SAZKA 8(6)-(9))."""
    found = []
    for row in store.rows(METHODS, size=size, eea=sorted(EEA)):
        place = {"position": row["position"], "account": row["account"]}
        if row["country"] not in EEA:
            detail = Phrase("ISSUER_OF_METHOD", method=row["method"], country=row["country"])
            found.append(DetectedFinding("METHOD_ISSUER_OUTSIDE", detail=detail, **place))
        if row["verified_how"] == "declaration":
            found.append(DetectedFinding("METHOD_NOT_PROVED", detail=row["method"], **place))
    return found


def logins_beyond_their_time(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield logins for play that continue after the daily login limit (measure f) is used up.

    Login time is summed over all accounts of the person. A later login only allows viewing and
    withdrawing, and does not count. The time of an open login is counted up to the last message.
    """
    for row in query.store.rows(LOGINS, size=query.size, now=query.now, least=query.least):
        used, allowed = row["most"]
        yield StartedDuty(
            position=row["position"],
            begun_at=row["begun_at"],
            account=row["account"],
            detail=Phrase("PARTS_OF", count=used, due=allowed),
            closed_at=None if row["closed_at"] == query.now else row["closed_at"],
        )
