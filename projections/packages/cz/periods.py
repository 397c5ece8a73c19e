"""Periods of packages as ranges of positions, and the periods that are due.

A fact belongs to the period in which it was recorded (ADR 0004). Timestamps of the record never
decrease, so a period is one range of positions, nothing recorded later belongs to it, and the
ledger's knowledge at its end is a number of messages.

The month of a casino consists of its operating days, by the calendar day on which each began: it is
over when the calendar month is and its last operating day is closed. Facts, including corrections,
belong to it by their section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE, in_prague
from ledger.core.errors import AvailabilityError, InputError
from projections.packages.cz.names import HOURS, PackageName
from projections.packages.results import Casino

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.packages.cz.settings import Settings
    from projections.store.tables import Store

__all__ = [
    "casino_of",
    "casinos",
    "due_months",
    "due_periods",
    "due_since",
    "ends_at",
    "is_period_over",
    "month_of",
    "operator_of",
    "period_of",
]

ACT_IN_FORCE = 1_483_225_200_000_000
"""1 January 2017 in Prague: act 186/2016 requires nothing earlier, whatever a chain contains."""


def period_of(operator: str, moment: int) -> PackageName:
    """Return the first version of the package whose period contains a time."""
    local = in_prague(moment)
    hour = max(hour for hour in HOURS if hour <= local.hour)
    return PackageName(operator, local.date(), hour)


def due_periods(
    operator: str, since: int, now: int, *, delay_minutes: int
) -> Iterator[PackageName]:
    """Return the first version of every package that is due by ``now``, oldest first.

    Args:
        operator: company number.
        since: a time in the first period: when the chain was opened (microseconds).
        now: current time (microseconds).
        delay_minutes: how long after its end a period is due.

    """
    name = period_of(operator, max(since, ACT_IN_FORCE))
    while name.end + delay_minutes * MINUTE <= now:
        yield name
        name = name.following


CASINOS = """
    SELECT
        casino.place AS place,
        casino.recorded_at AS opened_at,
        last.open_day AS open_day,
        last.closes.1 AS months,
        last.closes.2 AS closed_at
    FROM CasinoOpened AS casino
    LEFT JOIN
    (
        SELECT
            place,
            argMax(if(is_open, day, ''), position) AS open_day,
            maxMap([substring(day, 1, 7)], [if(is_open, 0, recorded_at)]) AS closes
        FROM
        (
            SELECT place, day, position, recorded_at, true AS is_open FROM OperatingDayOpened
            UNION ALL
            SELECT place, day, position, recorded_at, false FROM OperatingDayClosed
        )
        GROUP BY place
    ) AS last ON casino.place = last.place
    WHERE casino.kind = 'casino'
    ORDER BY casino.position
"""


def casinos(store: Store) -> list[Casino]:
    """List the casinos, oldest first."""
    return [Casino(**row) for row in store.rows(CASINOS)]


def casino_of(store: Store, name: PackageName, settings: Settings) -> Casino:
    """Find the casino of a package of model M.

    Raises:
        InputError: there is none, or names do not distinguish it from another one.

    """
    found = [one for one in casinos(store) if settings.in_name(one.place) == name.place]
    if not found:
        raise InputError(f"there is no casino {name.place} that package {name} could be of")
    if len(found) > 1:
        both = " and ".join(one.place for one in found)
        raise InputError(f"{both} have one name in packages: set in_names in [casinos] of settings")
    return found[0]


def due_months(
    operator: str, casino: Casino, now: int, settings: Settings
) -> Iterator[PackageName]:
    """Return the first version of every month of a casino that is due by ``now``, oldest first."""
    first = in_prague(max(casino.opened_at, ACT_IN_FORCE)).date().replace(day=1)
    name = PackageName(operator, first, 0, place=settings.in_name(casino.place))
    while _is_over(casino, name, settings, now):
        yield name
        name = name.following


def _is_over(casino: Casino, name: PackageName, settings: Settings, now: int) -> bool:
    """Return whether all operating days of a month are closed, and the delay has passed."""
    if casino.open_day and casino.open_day <= name.last_day.isoformat():
        return False
    closed = dict(zip(casino.months, casino.closed_at, strict=True))
    last = max(name.end, closed.get(f"{name.day:%Y-%m}", 0))
    return last + settings.casino_delay_minutes * MINUTE <= now


def due_since(
    operator: str, since: int, casinos: Iterable[Casino], now: int, settings: Settings
) -> Iterator[PackageName]:
    """Return the first version of all packages since a time that are due by ``now``."""
    yield from due_periods(operator, since, now, delay_minutes=settings.delay_minutes)
    for casino in casinos:
        yield from (
            name for name in due_months(operator, casino, now, settings) if name.end > since
        )


def month_of(place: str, day: str, settings: Settings) -> str:
    """Return the period of the casino package that contains a day (ISO format)."""
    return f"{day[:7].replace('-', '')}-{settings.in_name(place)}"


def is_period_over(store: Store, name: PackageName, settings: Settings, now: int) -> bool:
    """Return whether a period is over; for a casino including its last night and the delay."""
    if not name.place or name.end > now:
        return name.end <= now
    return _is_over(casino_of(store, name, settings), name, settings, now)


LAST_CLOSE = (
    "SELECT maxOrNull(recorded_at) FROM OperatingDayClosed WHERE place = {place:String} "
    "AND day >= {first:String} AND day <= {last:String} AND position < {size:Int64}"
)


def ends_at(store: Store, name: PackageName, settings: Settings, size: int) -> int:
    """Return the first microsecond after a period, by the messages below ``size``.

    The period of a casino ends when its last operating day is closed and the delay of the settings
    has passed.
    """
    if not name.place:
        return name.end
    days = {"first": name.day.isoformat(), "last": name.last_day.isoformat()}
    place = casino_of(store, name, settings).place
    closed = store.value(LAST_CLOSE, place=place, size=size, **days)
    return max(name.end, (closed or 0) + 1) + settings.casino_delay_minutes * MINUTE


def operator_of(store: Store) -> tuple[str, int]:
    """Return the operator's number, and when the chain was opened (microseconds).

    Raises:
        AvailabilityError: nothing is projected yet.

    """
    rows = store.rows("SELECT operator, recorded_at FROM ChainOpened WHERE position = 0")
    if not rows:
        raise AvailabilityError("nothing is projected yet: run `gameledger project`")
    return rows[0]["operator"], rows[0]["recorded_at"]
