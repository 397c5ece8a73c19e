"""One duty that began: what each question about duties gives, and what it is put to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["Begun", "Place"]


class Place(NamedTuple):
    """What a question is put to: messages below ``size``, the last of them recorded at ``now``.

    What lasted no longer than ``least`` (microseconds) may be left out where it is done; nothing
    of it can be late.
    """

    store: Store
    size: int
    now: int
    rules: OperatorRules
    least: int = 0


class Begun(NamedTuple):
    """One duty that began: where, about what, and the moment at which it ended in some way.

    ``closed_at`` is when it was done or lapsed, ``None`` while it is open; ``is_passed`` says that
    the fact came before which it had to be done. ``detail`` goes into the sentence of the finding
    in the place of subject and last day; its type is that of
    :class:`projections.reconciliation.findings.Found`.
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
        """Return whether it was done too late, or is not done and its time is over."""
        return self.is_passed or (now if self.closed_at is None else self.closed_at) >= until
