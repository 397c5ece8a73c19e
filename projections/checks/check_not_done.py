# needs = ["DepositCredited", "WithdrawalPaid"]
# duty.who = "operator"
# duty.name.en = "Carry out the control of the participant"
# duty.name.cs = "Provést kontrolu účastníka"
# duty.begins_when = """\
#   linked transactions of a person reach \
#   `figures.linked_haler`, and no check is in force"""
# duty.done_when = "`PersonChecked` (check control)"
#
# [CHECK_NOT_DONE]
# name.en = "Control of the participant not done"
# name.cs = "Osoba nebyla včas prověřena"
# text.en = """\
#   Linked transactions of the person reached {amount:money}, and no control of the participant \
#   was recorded in time."""
# text.cs = """\
#   Související obchody osoby dosáhly {amount} a nebyla včas zaznamenána kontrola účastníka."""
# paragraph = "AML act 9"

"""Sum linked transactions of a person, and check that customer due diligence followed (AML act).

What comes in: deposits and withdrawals of all accounts of a person, and the recorded checks of the
person. What goes out: persons who reached the operator's limit without a valid check. A returned
deposit counts, too. Suspicions are not recorded in the chain. Money is haléř, timestamps are
microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.clock import DAY, SECOND
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

UNCHECKED = """
WITH
    owners AS
    (
        SELECT account, owner FROM account_owners(size = {size:Int64})
    ),
    transactions AS
    (
        SELECT account, position, recorded_at, amount
        FROM DepositCredited
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, recorded_at, amount
        FROM WithdrawalPaid
        WHERE position < {size:Int64}
    ),
    linked AS
    (
        SELECT
            owner, account, position, recorded_at,
            sum(amount) OVER
            (
                PARTITION BY owner
                ORDER BY intDiv(recorded_at, 1000000)
                RANGE BETWEEN {within:Int64} PRECEDING AND CURRENT ROW
            ) AS total
        FROM transactions
        JOIN owners ON transactions.account = owners.account
    ),
    checks AS
    (
        SELECT owner, groupArray(recorded_at) AS checked_at
        FROM PersonChecked
        JOIN owners ON PersonChecked.account = owners.account
        WHERE position < {size:Int64} AND check = 'control'
        GROUP BY owner
    )
SELECT
    linked.owner AS owner, argMin(account, position) AS first_account,
    min(position) AS first_position,
    argMin(total, position) AS reached, argMin(recorded_at, position) AS reached_at
FROM linked
LEFT JOIN checks ON linked.owner = checks.owner
WHERE total >= {smallest:Int64} AND recorded_at >= {since:Int64} AND recorded_at < {until:Int64}
    AND NOT arrayExists(
        at -> at > recorded_at - {holds:Int64} AND at <= recorded_at + {grace:Int64}, checked_at)
GROUP BY linked.owner
ORDER BY first_position"""


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield persons who reached the limit without a valid or timely check, once per person.

    Each transaction is judged by the rules in force at its moment.
    """
    owners, published = set[str](), of.published
    for rules, since, until in zip(
        published.rules,
        (0, *published.moments[1:]),
        (*published.moments[1:], of.now + 1),
        strict=True,
    ):
        figures = rules.figures
        rows = of.store.rows(
            UNCHECKED,
            size=of.size,
            within=figures.linked_days.value * DAY // SECOND,
            smallest=figures.linked_haler.value,
            holds=figures.check_holds_days.value * DAY,
            grace=figures.checked_within_days.value * DAY,
            since=since,
            until=until,
        )
        yield from _new(rows, owners)


def _new(rows: Iterable[dict[str, Any]], owners: set[str]) -> Iterator[StartedDuty]:
    for row in rows:
        if row["owner"] in owners:
            continue
        owners.add(row["owner"])
        yield StartedDuty(
            position=row["first_position"],
            begun_at=row["reached_at"],
            account=row["first_account"],
            amount=row["reached"],
        )
