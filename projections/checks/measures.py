# needs = ["LimitSet"]
#
# [MEASURE_LOOSENED_EARLY]
# name.en = "Measure loosened too early"
# name.cs = "Opatření zmírněno předčasně"
# text.en = """\
#   Self-restricting measure {detail} was loosened or removed with effect before midnight of \
#   the seventh day."""
# text.cs = """\
#   Sebeomezující opatření {detail} bylo zmírněno nebo zrušeno s účinností před půlnocí sedmého \
#   dne."""
# paragraph = "ZHH 15"
# identity = "named"
#
# [MEASURE_LOOSER_THAN_BEFORE]
# name.en = "Measure looser than on the closed account"
# name.cs = "Opatření mírnější než na zrušeném kontě"
# text.en = """\
#   Self-restricting measure {detail} is looser than that of the person's account closed in the \
#   seven days before."""
# text.cs = """\
#   Sebeomezující opatření {detail} je mírnější než na kontě téže osoby zrušeném v předchozích \
#   sedmi dnech."""
# paragraph = "ZHH 14a"
# identity = "named"

"""Find self-restricting measures loosened too early, or looser after closing and reopening.

What comes in: set and declined measures, below a position. What goes out: findings. The measures in
force are derived only from the order of requests; what an event states about the change or an
earlier account is not used. Only accounts that changed a measure, or whose person had an earlier
account, are checked. Timestamps are microseconds, days are those of Prague.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ledger.core.clock import DAY, midnight_after
from ledger.rules.law import LOOSER_DAYS, MEASURES_KEPT_DAYS
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.checks import CheckInput
    from projections.store.tables import Store

__all__ = ["find"]

LONGER_IS_STRICTER = "g"
WISHES = """
SELECT account, measure, position, recorded_at, effective_at, value
FROM
(
    SELECT account, measure, position, recorded_at, effective_at, toNullable(value) AS value
    FROM LimitSet
    WHERE position < {size:Int64}
    UNION ALL
    SELECT account, measure, position, recorded_at, effective_at, NULL
    FROM LimitDeclined
    WHERE position < {size:Int64}
)
"""
CHANGED = f"""{WISHES}QUALIFY count() OVER (PARTITION BY account, measure) > 1
ORDER BY account, measure, position"""
OF_ACCOUNTS = f"""{WISHES}WHERE account IN {{accounts:Array(String)}}
ORDER BY account, measure, position"""

REOPENED = """
SELECT
    opened.account AS account, opened.recorded_at AS opened_at,
    closed.account AS closed_account, closed.recorded_at AS closed_at
FROM AccountOpened AS opened
INNER JOIN
(
    SELECT account, any(person) AS person
    FROM AccountOpened
    WHERE position < {size:Int64}
    GROUP BY account
) AS earlier ON opened.person = earlier.person
INNER JOIN AccountClosed AS closed ON earlier.account = closed.account
WHERE opened.position < {size:Int64} AND opened.account != closed.account
    AND closed.position < opened.position
    AND opened.recorded_at - closed.recorded_at < {within:Int64}"""


@dataclass(slots=True)
class _Bound:
    """The value of a measure in force, and the pending values, as (time of effect, value)."""

    measure: str
    wishes: list[tuple[int, int | None]]

    @classmethod
    def by(cls, row: dict[str, Any]) -> _Bound:
        return cls(row["measure"], [(row["effective_at"], row["value"])])

    def strictest(self, moment: int) -> int | None:
        """Return the strictest value in force or pending."""
        first, *others = [value for _, value in self._counting(moment)]
        for value in others:
            if self.is_looser(first, value):
                first = value
        return first

    def wish(self, row: dict[str, Any]) -> None:
        """Add a requested value; a pending looser one is cancelled."""
        in_force, *waiting = self._counting(row["recorded_at"])
        kept = [wish for wish in waiting if not self.is_looser(wish[1], in_force[1])]
        self.wishes = [in_force, *kept, (row["effective_at"], row["value"])]

    def is_looser(self, value: int | None, than: int | None) -> bool:
        """Return whether ``value`` allows more than ``than``; ``None`` means no limit."""
        if than is None or value is None:
            return than is not None
        return value < than if self.measure == LONGER_IS_STRICTER else value > than

    def _counting(self, moment: int) -> list[tuple[int, int | None]]:
        """Return the request in force (the last one already in effect) and the later ones."""
        in_effect = [at for at, wish in enumerate(self.wishes) if wish[0] <= moment]
        return self.wishes[in_effect[-1] if in_effect else 0 :]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find measures loosened too early, or looser than on the account before."""
    yield from _loosened_too_early(of.store, of.size)
    yield from _looser_after_closing(of.store, of.size)


def _loosened_too_early(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find measures loosened or removed with effect before midnight of the seventh day (ZHH 15)."""
    for _, rows in _by_measure(store.stream(CHANGED, size=size)):
        bound = _Bound.by(next(rows))
        for row in rows:
            strictest = bound.strictest(row["recorded_at"])
            due = midnight_after(row["recorded_at"], days=LOOSER_DAYS)
            if bound.is_looser(row["value"], strictest) and row["effective_at"] < due:
                yield _finding("MEASURE_LOOSENED_EARLY", row)
            bound.wish(row)


def _looser_after_closing(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find persons who closed an account and set looser measures on their next one (ZHH 14a)."""
    reopened = [
        row
        for row in store.rows(REOPENED, size=size, within=(MEASURES_KEPT_DAYS + 2) * DAY)
        if row["opened_at"] < midnight_after(row["closed_at"], days=MEASURES_KEPT_DAYS + 1)
    ]
    if not reopened:
        return
    accounts = {row[name] for row in reopened for name in ("account", "closed_account")}
    wishes = {
        key: list(rows)
        for key, rows in _by_measure(
            store.stream(OF_ACCOUNTS, size=size, accounts=sorted(accounts))
        )
    }
    for row in reopened:
        for (account, measure), (first, *others) in wishes.items():
            if account != row["closed_account"] or (row["account"], measure) not in wishes:
                continue
            bound = _Bound.by(first)
            for wish in others:
                bound.wish(wish)
            now = wishes[row["account"], measure][0]
            if bound.is_looser(now["value"], bound.strictest(row["closed_at"])):
                yield _finding("MEASURE_LOOSER_THAN_BEFORE", now)


def _by_measure(
    rows: Iterable[dict[str, Any]],
) -> Iterator[tuple[tuple[str, str], Iterator[dict[str, Any]]]]:
    yield from groupby(rows, key=lambda row: (row["account"], row["measure"]))


def _finding(code: str, row: dict[str, Any]) -> DetectedFinding:
    return DetectedFinding(
        code, position=row["position"], account=row["account"], detail=row["measure"]
    )
