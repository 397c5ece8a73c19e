"""The lifecycle of one case of an account, as a slice of the ``eventsourcing`` library.

A case is a complaint or an objection to a cancellation; its name is unique in the chain. It is
pending from its filing until its decision. An objection lapses with its cancellation, whose events
do not name the case, so the slice also reads the events of the account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from eventsourcing.dcb.domain import Selector, Slice
from eventsourcing.domain import event
from msgspec.structs import asdict

from ledger.core.errors import InputError
from ledger.decisions.slices import SliceFact, fact_of
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CaseLifecycle", "Kind"]

Kind = Literal["complaint", "objection"]

ComplaintFiled = fact_of(e.ComplaintFiled)
ComplaintDecided = fact_of(e.ComplaintDecided)
ObjectionFiled = fact_of(e.ObjectionFiled)
ObjectionDecided = fact_of(e.ObjectionDecided)
Withdrawn = fact_of(e.CancellationWithdrawn)
Restored = fact_of(e.AccountRestored)

OF_CASE = [ComplaintFiled, ComplaintDecided, ObjectionFiled, ObjectionDecided]
OF_ACCOUNT = [Withdrawn, Restored]


class CaseLifecycle(Slice[SliceFact]):
    """The history of one case, and the next step of an account.

    Args:
        account: the account that files or decides the case.
        case: name of the case.
        act: performs the step by calling methods.

    """

    def __init__(self, account: str, case: str, act: Callable[[CaseLifecycle], None]) -> None:
        """Start without events."""
        self.account, self.case = account, case
        self._act = act
        self.is_filed = False
        self.pending: tuple[Kind, str] | None = None

    def consistency_boundary(self) -> list[Selector]:
        """Select the events that the step depends on: of the case, and ends of cancellations."""
        return [
            Selector(types=OF_CASE, tags=[f"case:{self.case}"]),
            Selector(types=OF_ACCOUNT, tags=[f"account:{self.account}"]),
        ]

    def execute(self) -> None:
        """Perform the step."""
        self._act(self)

    @event(ComplaintFiled)
    def _(self, account: str) -> None:
        self.is_filed, self.pending = True, ("complaint", account)

    @event(ObjectionFiled)
    def _(self, account: str) -> None:
        self.is_filed, self.pending = True, ("objection", account)

    @event(ComplaintDecided)
    def _(self) -> None:
        self.pending = None

    @event(ObjectionDecided)
    def _(self) -> None:
        self.pending = None

    @event(Withdrawn)
    def _(self) -> None:
        self._lapse()

    @event(Restored)
    def _(self) -> None:
        self._lapse()

    def _lapse(self) -> None:
        if self.is_pending_as("objection"):
            self.pending = None

    def require_new(self) -> None:
        """Reject a name that another case already has."""
        if self.is_filed:
            raise InputError(f"case {self.case} exists already; give every case a name of its own")

    def is_pending_as(self, kind: Kind) -> bool:
        """Return whether the case is pending, of this kind, and of this account."""
        return self.pending == (kind, self.account)

    def record(self, *events: e.Event) -> None:
        """Trigger events."""
        for occurred in events:
            self.trigger_event(fact_of(type(occurred)), (), **asdict(occurred))
