# needs = ["PersonErased"]
#
# [ERASED_TOO_EARLY]
# name.en = "Erased too early"
# name.cs = "Údaje vymazány předčasně"
# text.en = "The person was erased before {detail:phrase}, the last day to keep the data."
# text.cs = "Osoba byla vymazána před {detail}, posledním dnem povinného uchování údajů."
# paragraph = "AML act; GDPR 17(3)(b)"

"""Find persons who were erased before the end of their retention."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import day_of
from ledger.core.phrases import Phrase
from ledger.rules.retention import end_of_retention
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

ERASED = """
SELECT
    erased.position AS erased_position, any(erased.recorded_at) AS erased_at,
    any(erased.account) AS erased_account,
    anyIf(opened.account, closed.position = 0 OR closed.position > erased.position) AS open_account,
    max(greatest(closed.recorded_at, moved.recorded_at)) AS ended_at
FROM (SELECT * FROM PersonErased WHERE position < {size:Int64}) AS erased
JOIN AccountOpened AS opened ON erased.person = opened.person
LEFT JOIN AccountClosed AS closed ON opened.account = closed.account
LEFT JOIN
(
    SELECT account, position, recorded_at
    FROM postings
    WHERE account IN
        (SELECT account FROM AccountOpened WHERE person IN (SELECT person FROM PersonErased))
) AS moved ON opened.account = moved.account
WHERE opened.position < erased.position AND moved.position < erased.position
GROUP BY erased.position
ORDER BY erased.position"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find erasures that were too early."""
    found = []
    for row in of.store.rows(ERASED, size=of.size):
        place = {"position": row["erased_position"], "account": row["erased_account"]}
        until = end_of_retention(row["ended_at"])
        if row["open_account"]:
            detail = Phrase("CLOSING_OF_ACCOUNT", account=row["open_account"])
            found.append(DetectedFinding("ERASED_TOO_EARLY", detail=detail, **place))
        elif row["erased_at"] < until:
            detail = Phrase("DAY_BEFORE", day=day_of(until - 1))
            found.append(DetectedFinding("ERASED_TOO_EARLY", detail=detail, **place))
    return found
