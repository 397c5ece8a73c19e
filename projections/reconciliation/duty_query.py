"""Input and result of the queries about duties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["DutyQuery", "StartedDuty"]


class DutyQuery(NamedTuple):
    """Input of a query about duties: messages below ``size``, and the moment of the question.

    A query may leave out duties completed within ``least`` microseconds, as none of them can be
    late.
    """

    store: Store
    size: int
    now: int
    rules: OperatorRules
    least: int = 0


class StartedDuty(NamedTuple):
    """One started duty: its event, its subject, and its end if it has one.

    ``closed_at`` is the time at which the duty was done or lapsed, ``None`` while it is open.
    ``is_passed``: an event was recorded that should have come only after the duty was done.
    ``detail`` replaces subject and last day in the finding's sentence; its type is that of
    :class:`projections.findings.finding.DetectedFinding`.
    """

    position: int
    begun_at: int
    account: str = ""
    round: str = ""
    bet: str = ""
    subject: str = ""
    amount: int = 0
    detail: Any = None
    closed_at: int | None = None
    is_passed: bool = False

    def is_breached(self, until: int, now: int) -> bool:
        """Return whether the duty was done too late, or is open at ``now`` after its deadline."""
        return self.is_passed or (now if self.closed_at is None else self.closed_at) >= until
