"""Findings as facts: results of a reconciliation, and what people did about them.

What comes in: the findings of the read side, which the writer does not evaluate again; and the
steps of people who assign, explain, comment, close or reopen a finding, with reason and evidence.
What goes out: one event per step. The ``eventsourcing`` library decides from the finding's own
events which step is allowed (:mod:`ledger.decisions.findings.lifecycle`). Findings name accounts,
rounds and bets in fields that are not tags, because a remark about an account is not a fact of the
account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct

from ledger.core.errors import InputError
from ledger.core.version import VERSION
from ledger.decisions.findings.seen_facts import SeenFacts
from ledger.events import event_types as e
from ledger.events.command import (
    Command,
    Count,
    Moment,
    Name,
    OptionalName,
    OptionalText,
    OptionalWord,
    Text,
    Word,
)
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.decisions.findings.lifecycle import FindingLifecycle
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "RAISED_MAX",
    "Assessment",
    "AssignFinding",
    "CloseFinding",
    "CommentFinding",
    "ConcludeReconciliation",
    "ExplainFinding",
    "FindingName",
    "NoteFindings",
    "RaisedFinding",
    "RaisedSide",
    "ReopenFinding",
    "assign_finding",
    "close_finding",
    "comment_finding",
    "conclude_reconciliation",
    "explain_finding",
    "note_findings",
    "reopen_finding",
]

RAISED_MAX = 200
"""Maximum number of findings of one command, so that a decision stays short."""

FindingName = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z")]
"""Name of a finding, the same in every run (``projections.findings.identity``)."""


Assessment = Literal["", "right", "wrong"]
"""Whether a finding was right; empty: not stated."""
Difference = Annotated[int, Meta(ge=-(10**15), le=10**15)]


class RaisedSide(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of one side in a finding about external data.

    ``at`` is in microseconds, 0 if unknown.
    """

    reference: OptionalName
    amount: Difference
    at: Moment = 0
    position: Annotated[int, Meta(ge=-1, le=10**15)] = -1
    statement: OptionalName = ""
    line: Count = 0
    count: Count = 1


class RaisedFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding of a reconciliation; ``shown_at`` is a position, ``amount`` is haléř.

    ``parameters`` are the values of its sentence as JSON; without them, ``detail`` is their text.
    """

    finding: FindingName
    fingerprint: FindingName
    code: Word
    shown_at: Count
    about: OptionalName = ""
    account: OptionalWord = ""
    round: OptionalWord = ""
    bet: Annotated[str, Meta(max_length=150)] = ""
    amount: Difference = 0
    detail: OptionalText = ""
    parameters: OptionalText = ""
    paragraph: OptionalName = ""
    ours: RaisedSide | None = None
    theirs: RaisedSide | None = None


class NoteFindings(Command, frozen=True):
    """Record findings of a reconciliation that are new, have other facts, or are gone."""

    raised: Annotated[tuple[RaisedFinding, ...], Meta(max_length=RAISED_MAX)] = ()
    gone: Annotated[tuple[FindingName, ...], Meta(max_length=RAISED_MAX)] = ()


class ConcludeReconciliation(Command, frozen=True):
    """Record that a reconciliation has ended and all its findings are recorded.

    ``until`` is the number of messages that it covered. ``since`` is that of the reconciliation
    which it continued, 0 if it covered the whole chain. ``counts`` is the number of its findings by
    code.
    """

    until: Annotated[int, Meta(ge=1, le=10**15)]
    digest: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    counts: Annotated[dict[Word, Count], Meta(max_length=250)]
    since: Count = 0


class AssignFinding(Command, frozen=True):
    """Assign a finding; ``by`` is the person who assigns it.

    ``previous`` is the assignee that ``by`` saw, empty for none: with another one by now, it is
    rejected. Without it, any assignee is replaced.
    """

    finding: FindingName
    assignee: Name
    by: Name
    reason: OptionalText = ""
    previous: OptionalName | None = None
    fingerprint: SeenFacts = ""


class ExplainFinding(Command, frozen=True):
    """Explain how a finding came about; it stays open until it is closed.

    ``evidence`` is the number of a document or the digest of a file. Texts must not name persons.
    """

    finding: FindingName
    explanation: Text
    by: Name
    evidence: OptionalName = ""
    fingerprint: SeenFacts = ""


class CommentFinding(Command, frozen=True):
    """Add a comment to a finding."""

    finding: FindingName
    comment: Text
    by: Name
    evidence: OptionalName = ""


class CloseFinding(Command, frozen=True):
    """Close a finding; it stays closed as long as its facts do not change.

    ``assessment`` is whether the finding was right, if that is known.
    """

    finding: FindingName
    reason: Text
    by: Name
    evidence: OptionalName = ""
    assessment: Assessment = ""
    fingerprint: SeenFacts = ""


class ReopenFinding(Command, frozen=True):
    """Open a closed finding again."""

    finding: FindingName
    reason: Text
    by: Name
    evidence: OptionalName = ""


def note_findings(ledger_state: LedgerState, command: NoteFindings, _: int) -> list[e.Event]:
    """Decide :class:`NoteFindings`; findings that are already recorded like this are left out."""
    names = [finding.finding for finding in command.raised] + list(command.gone)
    if len(set(names)) < len(names):
        raise InputError("a finding is named twice: name each once")
    events = [
        event
        for finding in command.raised
        for event in _run_step(ledger_state, finding.finding, _raise_finding(finding))
    ]
    for name in command.gone:
        events += _run_step(ledger_state, name, lambda life: life.mark_gone())
    if not events:
        raise InputError("all of it is recorded already: nothing is to be noted")
    return events


def conclude_reconciliation(
    ledger_state: LedgerState, command: ConcludeReconciliation, _: int
) -> list[e.Event]:
    """Decide :class:`ConcludeReconciliation`.

    A reconciliation that continues an earlier one must continue the last one.
    """
    if command.until > ledger_state.size:
        raise InputError(f"the chain has {ledger_state.size} messages, less than {command.until}")
    last = 0
    query = Query(types=("ReconciliationConcluded",))
    for recorded in events_at(
        ledger_state.log, ledger_state.log.find(query, limit=1, backwards=True)
    ):
        if isinstance(recorded.event, e.ReconciliationConcluded):
            last = recorded.event.until
    if command.since not in {0, last}:
        raise InputError(
            f"the last reconciliation looked at {last} messages, not at {command.since}: "
            "reconcile again"
        )
    if command.until < last:
        raise InputError(f"a reconciliation of {last} messages is recorded: reconcile again")
    return [
        command.as_event(
            e.ReconciliationConcluded,
            codes=tuple(command.counts),
            counts=tuple(command.counts.values()),
            software_version=VERSION,
        )
    ]


def assign_finding(ledger_state: LedgerState, command: AssignFinding, _: int) -> list[e.Event]:
    """Decide :class:`AssignFinding`."""
    return _run_step(
        ledger_state,
        command.finding,
        lambda life: life.assign(
            command.assignee,
            by=command.by,
            reason=command.reason,
            previous=command.previous,
            seen=command.fingerprint,
        ),
    )


def explain_finding(ledger_state: LedgerState, command: ExplainFinding, _: int) -> list[e.Event]:
    """Decide :class:`ExplainFinding`."""
    return _run_step(
        ledger_state,
        command.finding,
        lambda life: life.explain(
            command.explanation,
            by=command.by,
            evidence=command.evidence,
            seen=command.fingerprint,
        ),
    )


def comment_finding(ledger_state: LedgerState, command: CommentFinding, _: int) -> list[e.Event]:
    """Decide :class:`CommentFinding`."""
    return _run_step(
        ledger_state,
        command.finding,
        lambda life: life.comment(command.comment, by=command.by, evidence=command.evidence),
    )


def close_finding(ledger_state: LedgerState, command: CloseFinding, _: int) -> list[e.Event]:
    """Decide :class:`CloseFinding`."""
    return _run_step(
        ledger_state,
        command.finding,
        lambda life: life.close(
            command.reason,
            by=command.by,
            evidence=command.evidence,
            assessment=command.assessment,
            seen=command.fingerprint,
        ),
    )


def reopen_finding(ledger_state: LedgerState, command: ReopenFinding, _: int) -> list[e.Event]:
    """Decide :class:`ReopenFinding`."""
    return _run_step(
        ledger_state,
        command.finding,
        lambda life: life.reopen(command.reason, by=command.by, evidence=command.evidence),
    )


def _raise_finding(finding: RaisedFinding) -> Callable[[FindingLifecycle], None]:
    facts = {
        "code": finding.code,
        "about": finding.about,
        "shown_at": finding.shown_at,
        "of_account": finding.account,
        "of_round": finding.round,
        "of_bet": finding.bet,
        "amount": finding.amount,
        "detail": finding.detail,
        "parameters": finding.parameters,
        "paragraph": finding.paragraph,
        **_side("ours", finding.ours),
        **_side("theirs", finding.theirs),
        "theirs_statement": finding.theirs.statement if finding.theirs else "",
        "theirs_line": finding.theirs.line if finding.theirs else 0,
    }
    return lambda life: life.raise_finding(finding.fingerprint, facts)


def _side(name: str, side: RaisedSide | None) -> dict[str, object]:
    side_or_none = side or RaisedSide(reference="", amount=0, count=0)
    return {
        f"{name}_reference": side_or_none.reference,
        f"{name}_amount": None if side is None else side.amount,
        f"{name}_at": side_or_none.at,
        f"{name}_position": side_or_none.position,
        f"{name}_count": side_or_none.count,
    }


def _run_step(
    ledger_state: LedgerState, finding: str, act: Callable[[FindingLifecycle], None]
) -> list[e.Event]:
    # The library is loaded with the first step on a finding: it takes 30 ms.
    from ledger.decisions.findings.lifecycle import FindingLifecycle  # noqa: PLC0415
    from ledger.decisions.slices import SliceApplication  # noqa: PLC0415

    return SliceApplication(ledger_state).decide(FindingLifecycle(finding, act))
