"""Periods of packages as ranges of positions, and which of them are due.

A fact belongs to the period in which it was recorded (ADR 0004). Moments of the record never
go back, so a period is one range of positions, nothing recorded later belongs to it, and what
the ledger knew at its end is a number of messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE, in_prague
from ledger.core.errors import AvailabilityError, InputError
from projections.packages.cz.names import HOURS, PackageName
from projections.store.as_of import envelopes, event_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["due_periods", "operator_of", "period_of", "size_at"]

PROBES = 200
ACT_IN_FORCE = 1_483_225_200_000_000
"""1 January 2017 in Prague: the act 186/2016 asks for nothing earlier, whatever a chain says."""


def period_of(operator: str, moment: int) -> PackageName:
    """Return the first version of the package of the period in which a moment lies."""
    local = in_prague(moment)
    hour = max(hour for hour in HOURS if hour <= local.hour)
    return PackageName(operator, local.date(), hour)


def due_periods(
    operator: str, since: int, now: int, *, delay_minutes: int
) -> Iterator[PackageName]:
    """Return the first version of every package that is due by ``now``, oldest first.

    Args:
        operator: its number.
        since: a moment in the first period, that of the beginning of the chain.
        now: moment at which they are due.
        delay_minutes: how long after its end a period is due.

    """
    name = period_of(operator, max(since, ACT_IN_FORCE))
    while name.end + delay_minutes * MINUTE <= now:
        yield name
        name = name.following


def operator_of(store: Store) -> tuple[str, int]:
    """Return the operator's number and the moment at which its chain was opened.

    Raises:
        AvailabilityError: nothing is projected yet.

    """
    rows = store.rows("SELECT operator, recorded_at FROM ChainOpened WHERE position = 0")
    if not rows:
        raise AvailabilityError("nothing is projected yet: run `gameledger project`")
    return rows[0]["operator"], rows[0]["recorded_at"]


def size_at(store: Store, moment: int, size: int) -> int:
    """Count the messages that were recorded before a moment.

    Args:
        store: the tables.
        moment: in microseconds.
        size: how many messages there are; none behind them is looked at.

    Raises:
        InputError: so many messages are not projected.

    """
    if not 0 <= size <= store.position:
        raise InputError(f"position {size} is not projected: give 0 to {store.position}")
    tables = event_tables(store)
    low, high = 0, size  # recorded before: all below low, none from high on
    while low < high:
        step = max(1, (high - low) // PROBES)
        probes = list(range(low, high, step))
        known = {row["position"]: row["recorded_at"] for row in envelopes(store, probes, tables)}
        before = [position for position in probes if known[position] < moment]
        after = [position for position in probes if known[position] >= moment]
        low = max(before) + 1 if before else low
        high = min(after) if after else high
    return low
