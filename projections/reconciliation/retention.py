"""The persons whose personal data are retained, until when, and due erasures.

What comes in: accounts opened and closed, the money that moved on them, holds, erasures. What goes
out: persons without an open account whose key still exists, and erasures that were too early or
overdue. Everything is as of a position; moments are microseconds. A person who returns after an
erasure has a new key, whose retention starts again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import day_of, midnight_after
from ledger.rules.retention import ERASED_WITHIN_DAYS, end_of_retention
from projections.reconciliation.findings import Found
from projections.reconciliation.holds import Cover, all_holds
from projections.store.as_of import as_of, moment_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["Retained", "RetentionRegister", "retained", "wrongly_erased"]

ENDED = """
SELECT
    opened.person AS owner, argMax(opened.account, opened.position) AS last_account,
    countIf(closed_at = 0) AS still_open, max(greatest(closed_at, moved_at)) AS ended_at,
    max(opened.position) AS opened_position, any(erased_position) AS erased_position,
    any(asked_at) AS asked_at
FROM (SELECT person, account, position FROM AccountOpened WHERE position < {size:Int64}) AS opened
LEFT JOIN
(
    SELECT account, max(recorded_at) AS closed_at
    FROM AccountClosed
    WHERE position < {size:Int64}
    GROUP BY account
) AS closed ON opened.account = closed.account
LEFT JOIN
(
    SELECT account, max(recorded_at) AS moved_at
    FROM postings
    WHERE position < {size:Int64} AND account IN (SELECT account FROM AccountClosed)
    GROUP BY account
) AS money ON opened.account = money.account
LEFT JOIN
(
    SELECT person, max(position) AS erased_position
    FROM PersonErased
    WHERE position < {size:Int64}
    GROUP BY person
) AS erased ON opened.person = erased.person
LEFT JOIN
(
    SELECT person, max(recorded_at) AS asked_at
    FROM ErasureDeferred
    WHERE position < {size:Int64}
    GROUP BY person
) AS deferred ON opened.person = deferred.person
GROUP BY owner
HAVING still_open = 0 AND (erased_position = 0 OR erased_position < opened_position)
ORDER BY ended_at, owner"""

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


@dataclass(frozen=True, slots=True)
class Retained:
    """A person without an open account whose data can still be read.

    ``ended_at`` is the end of the relationship, ``until`` the midnight from which the data may be
    erased; ``holds`` keep them regardless of the period. ``due_since`` is when their erasure became
    due, ``None`` while something keeps them; ``asked_at`` is its last request.
    """

    person: str
    account: str
    ended_at: int
    until: int
    holds: tuple[str, ...]
    due_since: int | None
    asked_at: int | None


@dataclass(frozen=True, slots=True)
class RetentionRegister:
    """Persons with retained data, the earliest due first, and the place in the chain."""

    position: int
    head: str
    recorded_at: int
    persons: tuple[Retained, ...]


def retained(store: Store, *, at: int | None = None, now: int | None = None) -> RetentionRegister:
    """List the persons with retained data; due means at ``now``, or at the last message."""
    place = as_of(store, at)
    moment = moment_of(store, place.position)
    persons = _retained(store, place.position, moment if now is None else now)
    return RetentionRegister(place.position, place.head, moment, tuple(persons))


def wrongly_erased(store: Store, size: int, now: int) -> list[Found]:
    """Find erasures that were too early, and overdue ones, below ``size``."""
    found = []
    for row in store.rows(ERASED, size=size):
        place = {"position": row["erased_position"], "account": row["erased_account"]}
        until = end_of_retention(row["ended_at"])
        if row["open_account"]:
            detail = f"the closing of account {row['open_account']}"
            found.append(Found("ERASED_TOO_EARLY", detail=detail, **place))
        elif row["erased_at"] < until:
            found.append(Found("ERASED_TOO_EARLY", detail=day_of(until - 1), **place))
    found += [
        Found("NOT_ERASED", position=size - 1, account=one.account, detail=day_of(one.until - 1))
        for one in _retained(store, size, now)
        if one.due_since is not None
        and now >= midnight_after(one.due_since, days=ERASED_WITHIN_DAYS + 1)
    ]
    return found


def _retained(store: Store, size: int, now: int) -> list[Retained]:
    rows = store.rows(ENDED, size=size)
    if not rows:
        return []
    cover = Cover(store, size, all_holds(store, size), [row["owner"] for row in rows])
    persons = []
    for row in rows:
        until = end_of_retention(row["ended_at"])
        holds = cover.of(row["owner"], {row["last_account"]})
        in_force = tuple(hold.hold for hold in holds if hold.is_in_force(size, now))
        due_since = max([until, *(hold.over_at for hold in holds if hold.over_at is not None)])
        persons.append(
            Retained(
                person=row["owner"],
                account=row["last_account"],
                ended_at=row["ended_at"],
                until=until,
                holds=in_force,
                due_since=None if in_force or now < until else due_since,
                asked_at=row["asked_at"] or None,
            )
        )
    return persons
