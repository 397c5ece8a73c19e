# needs = ["AccountClosed"]
# duty.who = "operator"
# duty.name.en = "Erase personal data"
# duty.name.cs = "Vymazat osobní údaje"
# duty.begins_when = "the period of a person's data ends, and no hold is in force"
# duty.done_when = "`PersonErased`"
#
# [NOT_ERASED]
# name.en = "Not erased"
# name.cs = "Údaje nebyly vymazány"
# text.en = "The person's data were to be kept up to {detail:local}, and were not erased since."
# text.cs = "Údaje osoby se měly uchovat do {detail} a poté nebyly vymazány."
# identity = "moving"
# paragraph = "GDPR 5(1)(e), 17(1)"

"""The persons whose personal data are retained, until when, and due erasures.

What comes in: opened and closed accounts, movements of their money, holds, erasures. What goes out:
persons without an open account whose key still exists, and erasures that were too early or are
overdue. Everything is as of a position; timestamps are microseconds. A person who returns after an
erasure has a new key, whose retention starts again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import day_of
from ledger.rules.retention import end_of_retention
from projections.checks.legal_holds import HoldsByPerson, all_holds
from projections.findings.duties import StartedDuty
from projections.store.as_of import as_of, moment_of, moment_of_question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput
    from projections.store.tables import Store

__all__ = [
    "Retained",
    "RetentionRegister",
    "retained",
    "started",
]


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


@dataclass(frozen=True, slots=True)
class Retained:
    """A person without an open account whose data can still be read.

    ``ended_at`` is the end of the relationship, ``until`` the midnight from which the data may be
    erased; ``holds`` prevent an erasure regardless of the period. ``due_since`` is the time at
    which the erasure became due, ``None`` while something prevents it; ``asked_at`` is that of the
    last request for erasure.
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
    """Persons with retained data, the earliest due first, and the position of the answer."""

    position: int
    head: str
    recorded_at: int
    moment: int
    persons: tuple[Retained, ...]


def retained(store: Store, *, at: int | None = None, now: int | None = None) -> RetentionRegister:
    """List the persons with retained data; due at ``now``, by default at the last message."""
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    persons = _retained(store, place.position, moment)
    recorded_at = moment_of(store, place.position)
    return RetentionRegister(place.position, place.head, recorded_at, moment, tuple(persons))


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield persons whose data must be erased and were not."""
    for one in _retained(of.store, of.size, of.now):
        if one.due_since is not None:
            yield StartedDuty(
                position=of.size - 1,
                begun_at=one.due_since,
                account=one.account,
                detail=day_of(one.until - 1),
            )


def _retained(store: Store, size: int, now: int) -> list[Retained]:
    rows = store.rows(ENDED, size=size)
    if not rows:
        return []
    cover = HoldsByPerson(store, size, all_holds(store, size), [row["owner"] for row in rows])
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
