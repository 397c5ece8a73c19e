"""Findings of the demo: a reconciliation is recorded, and one finding handled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.decisions.findings.handling import AssignFinding, CloseFinding, ExplainFinding
from projections.reconciliation.finding_lifecycle import list_findings
from tools.data.finding_records import recording

if TYPE_CHECKING:
    from ledger.events.command import Command
    from projections.reconciliation.finding_lifecycle import KnownFinding
    from projections.reconciliation.reconcile import Reconciliation
    from projections.store.tables import Store

__all__ = ["handled_finding", "handling"]

REASON = "The cashier typed the amount by hand."
RECEIPT = "receipt 2026-417"


def handling(found: Reconciliation) -> tuple[Command, ...]:
    """Return the commands that record a reconciliation and handle its first finding of a bet."""
    recorded = tuple(recording(found, {}))
    of_bets = [one.identity for one in found.findings if one.bet]
    if not of_bets:
        return recorded
    name = of_bets[0]
    return (
        *recorded,
        AssignFinding(finding=name, assignee="floor-2", by="risk"),
        ExplainFinding(finding=name, explanation=REASON, by="floor-2", evidence=RECEIPT),
        CloseFinding(finding=name, reason="Settled with the player.", by="risk", evidence=RECEIPT),
    )


def handled_finding(store: Store) -> KnownFinding | None:
    """Return the finding that was handled, from tables at the end of the chain."""
    findings = list_findings(store, with_ended=True).findings
    return next((one for one in findings if one.finding.state == "closed"), None)
