"""The packages that are due, with what is recorded of them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from projections.packages.cz.periods import casinos, due_months, due_periods, operator_of
from projections.packages.status import histories, recorded_status, series_of

if TYPE_CHECKING:
    from projections.packages.cz.settings import Settings
    from projections.packages.status import PeriodStatus
    from projections.store.tables import Store

__all__ = ["periods_with_status"]


def periods_with_status(store: Store, settings: Settings, now: int) -> list[PeriodStatus]:
    """List the periods that are due by ``now``, oldest first, each with its newest version."""
    operator, since = operator_of(store)
    history = histories(store)
    remote = due_periods(operator, since, now, delay_minutes=settings.delay_minutes)
    months = (due_months(operator, one, now, settings) for one in casinos(store))
    due = sorted(chain(remote, *months), key=lambda name: (name.end, name))
    return [recorded_status(name, history.get(series_of(name), [])) for name in due]
