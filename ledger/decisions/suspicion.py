"""Reports of suspicion, in a chain apart, and what binds that chain to the main one (ADR 0026).

The participant must not learn of a report (AML act 38), nor must anybody whose work is not to know.
A sealed message in the main chain would still tell: by its place beside a withdrawal, by its type,
by their number, to everybody who has a copy of the log. So a report stands in a chain of its own,
with log, keys, writer and people of its own; nothing of it is in the main chain, and its facts are
sealed there too. The main chain takes a commitment every day, which looks the same whether or not
there was a report.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core import events as e
from ledger.core.clock import from_datetime
from ledger.core.command import Command, Id, Name, Text
from ledger.core.errors import InputError

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
"""How the name of a chain ends in which reports of suspicion stand, and of no other."""

COMMITMENT_BYTES = 32


class ReportSuspicion(Command, frozen=True):
    """Record that a suspicious transaction was reported; only in a chain apart.

    ``account`` is that of the main chain. ``sent`` says when and how the authority was told,
    ``suspected_at`` when the suspicion arose: the delay of the report is measured from there. The
    text is sealed, and the account.
    """

    report: Id
    account: Id
    transactions: Text
    grounds: Text
    sent: Name
    suspected_at: Annotated[datetime, Meta(tz=True)]


class RecordCommitment(Command, frozen=True):
    """Bind the chain apart to this one; `gameledger suspicion commit` sends it every day."""

    day: date
    commitment: Annotated[bytes, Meta(min_length=COMMITMENT_BYTES, max_length=COMMITMENT_BYTES)]


def report_suspicion(world: LedgerState, command: ReportSuspicion, now: int) -> list[e.Event]:
    """Decide :class:`ReportSuspicion`.

    Raises:
        InputError: this is not a chain apart, or the suspicion arose after now; nothing is
            recorded.

    """
    if not world.house.chain.endswith(APART):
        raise InputError(
            f"this belongs into a chain apart, whose name ends with {APART}: see docs/suspicion.md"
        )
    if world.exists(f"case:{command.report}"):
        raise InputError(f"report {command.report} exists already: give every one its own name")
    suspected_at = from_datetime(command.suspected_at)
    if suspected_at > now:
        raise InputError("the suspicion would have arisen after its report: correct `suspected_at`")
    person = world.keys.person(command.account)
    sealed = {
        field: world.keys.seal(person, f"SuspicionReported.{field}", text)
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


def record_commitment(_world: LedgerState, command: RecordCommitment, _: int) -> list[e.Event]:
    """Decide :class:`RecordCommitment`; what it commits to, nobody can tell who has no key."""
    return [e.CommitmentRecorded(day=command.day.isoformat(), commitment=command.commitment)]
