"""Reports of suspicion in a separate chain, and commitments to it in the main chain (ADR 0026).

The participant must not learn of a report (AML act 38), nor anyone without a need to know. An
encrypted message in the main chain would reveal a report to every holder of a copy of the log: by
its position next to a withdrawal, by its type, by the number of such messages. So reports are in a
chain of their own, with its own log, keys, writer and staff; the main chain does not contain them,
and their facts are encrypted as well. The main chain records a commitment every day, which looks
the same whether or not there was a report.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "APART",
    "RecordCommitment",
    "ReportSuspicion",
    "record_commitment",
    "report_suspicion",
]

APART = "/apart"
"""Suffix of the name of a chain for reports of suspicion; no other chain has it."""

COMMITMENT_BYTES = 32


class ReportSuspicion(Command, frozen=True):
    """Record that a suspicious transaction was reported; only in a separate chain.

    ``account`` is that of the main chain. ``sent`` is when and how the authority was informed,
    ``suspected_at`` when the suspicion arose: the delay of the report is measured from there.
    Account and texts are sealed.
    """

    report: Id
    account: Id
    transactions: Text
    grounds: Text
    sent: Name
    suspected_at: Annotated[datetime, Meta(tz=True)]


class RecordCommitment(Command, frozen=True):
    """Commit to the separate chain's state; `gameledger suspicion commit` sends it every day."""

    day: date
    commitment: Annotated[bytes, Meta(min_length=COMMITMENT_BYTES, max_length=COMMITMENT_BYTES)]


def report_suspicion(
    ledger_state: LedgerState, command: ReportSuspicion, now: int
) -> list[e.Event]:
    """Decide :class:`ReportSuspicion`.

    Raises:
        InputError: this is not a separate chain, or the suspicion arose after now; nothing is
            recorded.

    """
    if not ledger_state.operator_state.chain.endswith(APART):
        raise InputError(
            f"this belongs into a chain apart, whose name ends with {APART}: see docs/suspicion.md"
        )
    if ledger_state.exists(f"case:{command.report}"):
        raise InputError(f"report {command.report} exists already: give every one its own name")
    suspected_at = from_datetime(command.suspected_at)
    if suspected_at > now:
        raise InputError("the suspicion would have arisen after its report: correct `suspected_at`")
    person = ledger_state.keys.person(command.account)
    sealed = {
        field: ledger_state.keys.seal(person, f"SuspicionReported.{field}", text)
        for field, text in (
            ("about", command.account),
            ("transactions", command.transactions),
            ("grounds", command.grounds),
            ("sent", command.sent),
        )
    }
    return [
        e.SuspicionReported(
            report=command.report, person=person, suspected_at=suspected_at, **sealed
        )
    ]


def record_commitment(
    _ledger_state: LedgerState, command: RecordCommitment, _: int
) -> list[e.Event]:
    """Decide :class:`RecordCommitment`; only a holder of the key can read its content."""
    return [e.CommitmentRecorded(day=command.day.isoformat(), commitment=command.commitment)]
