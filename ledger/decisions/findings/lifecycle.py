"""The lifecycle of one finding, as a slice of the ``eventsourcing`` library.

A reconciliation raises a finding; people assign, explain and close it. When a later reconciliation
no longer detects it, it is gone. If it is raised again, with other facts or after it was gone, it
is open again even if it had been closed: its explanation and closing applied to other facts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eventsourcing.dcb.domain import Selector, Slice
from eventsourcing.domain import event

from ledger.core.errors import InputError
from ledger.decisions.findings.seen_facts import require_seen
from ledger.decisions.slices import SliceFact, fact_of
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FindingLifecycle"]

Raised = fact_of(e.FindingRaised)
Gone = fact_of(e.FindingGone)
Assigned = fact_of(e.FindingAssigned)
Explained = fact_of(e.FindingExplained)
Commented = fact_of(e.FindingCommented)
Closed = fact_of(e.FindingClosed)
Reopened = fact_of(e.FindingReopened)


class FindingLifecycle(Slice[SliceFact]):
    """The history of one finding, and its next step.

    Args:
        finding: name of the finding.
        act: performs the step by calling one method.

    """

    def __init__(self, finding: str, act: Callable[[FindingLifecycle], None]) -> None:
        """Start without events."""
        self.finding = finding
        self._act = act
        self.status = "unknown"
        self.fingerprint = ""
        self.assignee = ""

    def consistency_boundary(self) -> Selector:
        """Select the events that the step depends on: all events of the finding."""
        return Selector(types=type(self).projected_types, tags=[f"finding:{self.finding}"])

    def execute(self) -> None:
        """Perform the step."""
        self._act(self)

    @event(Raised)
    def _(self, fingerprint: str) -> None:
        self.status, self.fingerprint = "open", fingerprint

    @event(Gone)
    def _(self) -> None:
        self.status = "gone"

    @event(Assigned)
    def _(self, assignee: str) -> None:
        self.assignee = assignee

    @event(Closed)
    def _(self) -> None:
        self.status = "closed"

    @event(Reopened)
    def _(self) -> None:
        self.status = "open"

    def raise_finding(self, fingerprint: str, facts: dict[str, Any]) -> None:
        """Raise the finding, unless it is already raised with the same facts."""
        if self.status in {"unknown", "gone"} or self.fingerprint != fingerprint:
            self._record(Raised, fingerprint=fingerprint, **facts)

    def mark_gone(self) -> None:
        """Record that a reconciliation no longer detects the finding."""
        self._require_raised()
        if self.status != "gone":
            self._record(Gone)

    def assign(
        self, assignee: str, *, by: str, reason: str, previous: str | None, seen: str
    ) -> None:
        """Assign the finding."""
        self._require_open("assigned", seen)
        if assignee == self.assignee:
            raise InputError(f"{assignee} looks after finding {self.finding} already")
        if previous not in {None, self.assignee}:
            raise InputError(
                f"{self.assignee} looks after finding {self.finding} now: open it again"
            )
        self._record(Assigned, assignee=assignee, by=by, reason=reason)

    def explain(self, explanation: str, *, by: str, evidence: str, seen: str) -> None:
        """Explain the finding."""
        self._require_open("explained", seen)
        facts = {"explanation": explanation, "by": by, "evidence": evidence}
        self._record(Explained, **facts, fingerprint=self.fingerprint)

    def comment(self, comment: str, *, by: str, evidence: str) -> None:
        """Add a comment, whatever the status of the finding."""
        self._require_raised()
        self._record(Commented, comment=comment, by=by, evidence=evidence)

    def close(self, reason: str, *, by: str, evidence: str, assessment: str, seen: str) -> None:
        """Close the finding with its current facts."""
        self._require_open("closed", seen)
        facts = {"reason": reason, "by": by, "evidence": evidence, "assessment": assessment}
        self._record(Closed, **facts, fingerprint=self.fingerprint)

    def reopen(self, reason: str, *, by: str, evidence: str) -> None:
        """Reopen the finding."""
        self._require_raised()
        if self.status != "closed":
            raise InputError(f"finding {self.finding} is {self.status}: only a closed one reopens")
        self._record(Reopened, reason=reason, by=by, evidence=evidence)

    def _require_raised(self) -> None:
        if self.status == "unknown":
            raise InputError(
                f"finding {self.finding} is not recorded: `gameledger reconcile --record` records "
                "what it finds, `gameledger finding list` names it"
            )

    def _require_open(self, done: str, seen: str) -> None:
        self._require_raised()
        if self.status != "open":
            text = f"finding {self.finding} is {self.status} and can't be {done}"
            way = ": reopen it first" if self.status == "closed" else ": nothing is left to be done"
            raise InputError(text + way)
        require_seen(self.finding, seen, self.fingerprint)

    def _record(self, kind: type[SliceFact], **facts: Any) -> None:
        self.trigger_event(kind, (), finding=self.finding, **facts)
