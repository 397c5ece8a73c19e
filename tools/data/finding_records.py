"""Findings of an examination as commands that record them.

What comes in: the findings of a run, and what the chain has of earlier ones. What goes out: the
commands that record what is new or gone and conclude the run, and what the ledger rejected of them.
What another run recorded of a finding from more messages stays as it is.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec.structs import replace

from ledger.core.errors import InputError
from ledger.core.phrases import placeholders_of
from ledger.decisions.findings.handling import (
    RAISED_MAX,
    ConcludeReconciliation,
    NoteFindings,
    RaisedFinding,
    RaisedSide,
)
from ledger.events.command import NAME_MAX, TEXT_MAX
from ledger.log.port import Query, events_at
from projections.findings.headers import known_findings
from projections.reconciliation.finding_lifecycle import digest_of, finding_histories_in
from projections.store.events import EventAt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ledger.events.command import Command
    from ledger.log.port import Log
    from projections.findings.finding import Finding, Side
    from projections.reconciliation.finding_lifecycle import FindingHistory
    from projections.reconciliation.reconcile import Reconciliation
    from tools.service.client import AnyLedger

__all__ = [
    "RejectedFinding",
    "is_news",
    "not_recorded",
    "raised_finding",
    "record_findings",
    "recorded_findings",
    "recording",
]

_One = TypeVar("_One")

CHANGES = ("FindingRaised", "FindingGone", "WriteOffConfirmed")
"""Steps that change what is found, or what of it is left to be written off."""


class RejectedFinding(NamedTuple):
    """A finding that the ledger rejected, and its error; ``code`` and ``fingerprint`` if raised."""

    finding: str
    code: str
    fingerprint: str
    error: str


def recorded_findings(log: Log, *tags: str) -> dict[str, FindingHistory]:
    """Return what changed all findings, or those with a tag, by identifier."""
    found = events_at(log, log.find(Query(types=CHANGES, tags=tags)))
    events = (EventAt(one.position, one.envelope.recorded_at, one.event) for one in found)
    return finding_histories_in(events, lambda _: "")


def is_news(one: Finding, life: FindingHistory | None, examined: int) -> bool:
    """Return whether a finding of the first ``examined`` messages is not recorded like this yet."""
    return life is None or (
        _is_judged_within(life, examined)
        and (life.state == "gone" or life.raised.event.fingerprint != one.fingerprint)
    )


def _is_judged_within(life: FindingHistory, examined: int) -> bool:
    """Return whether nothing changed the finding behind the first ``examined`` messages.

    Recorded behind a write-off, the amount before it could be written off again.
    """
    return all(one.position < examined for one in life.steps if one.event in CHANGES)


def recording(
    found: Reconciliation,
    known: Mapping[str, FindingHistory],
    *,
    since: int | None = None,
    actor: str = "",
    source: str = "cli",
) -> Iterator[Command]:
    """Yield the commands that make a run a fact of the chain: what is new, what is gone, the end.

    What is recorded as it was found is left out, so a run that was killed is made whole by the
    next one.

    Args:
        found: the run.
        known: the findings of the chain.
        since: messages of the run that it goes on from, by default as the run says.
        actor: of the commands.
        source: of the commands.

    """
    new = [
        raised_finding(one)
        for one in found.findings
        if is_news(one, known.get(one.identity), found.position)
    ]
    names = {one.identity for one in found.findings}
    gone = [
        name
        for name, life in known.items()
        if life.state != "gone" and name not in names and _is_judged_within(life, found.position)
    ]
    for some in _batched(new):
        yield NoteFindings(raised=some, actor=actor, source=source)
    for others in _batched(gone):
        yield NoteFindings(gone=others, actor=actor, source=source)
    yield ConcludeReconciliation(
        until=found.position,
        since=found.since if since is None else since,
        counts=found.by_code,
        digest=digest_of((one.identity, one.fingerprint) for one in found.findings),
        actor=actor,
        source=source,
    )


def record_findings(ledger: AnyLedger, commands: Iterable[Command]) -> list[RejectedFinding]:
    """Send the commands of :func:`recording`; return the findings that the ledger rejected.

    A rejected command is split until the rejected finding stands alone, so that it does not take
    the findings of its batch with it. The run that concludes over an unrecorded finding is not
    whole: ``reconcile --since last`` then examines everything again.
    """
    rejected: list[RejectedFinding] = []
    for command in commands:
        if isinstance(command, NoteFindings):
            rejected += _note(ledger, command)
        else:
            ledger.execute(command)
    return rejected


def _note(ledger: AnyLedger, command: NoteFindings) -> list[RejectedFinding]:
    raised, gone = command.raised, command.gone
    try:
        ledger.execute(command)
    except InputError as error:
        if len(raised) + len(gone) == 1:
            of = (
                (raised[0].finding, raised[0].code, raised[0].fingerprint)
                if raised
                else (gone[0], "", "")
            )
            return [RejectedFinding(*of, str(error))]
        some, others = len(raised) // 2, len(gone) // 2
        halves = (
            replace(command, raised=raised[:some], gone=gone[:others]),
            replace(command, raised=raised[some:], gone=gone[others:]),
        )
        return [one for half in halves if half.raised or half.gone for one in _note(ledger, half)]
    return []


def not_recorded(log: Log, rejected: Iterable[RejectedFinding]) -> list[RejectedFinding]:
    """Return the rejected findings that no other run recorded with the same facts meanwhile."""
    return [
        one
        for one in rejected
        if (life := recorded_findings(log, f"finding:{one.finding}").get(one.finding)) is None
        or one.fingerprint != ("" if life.state == "gone" else life.raised.event.fingerprint)
    ]


def raised_finding(one: Finding) -> RaisedFinding:
    """Return a finding as a command holds it."""
    return RaisedFinding(
        finding=one.identity,
        fingerprint=one.fingerprint,
        code=one.code,
        about=one.about,
        shown_at=one.position,
        account=one.account,
        round=one.round,
        bet=one.bet,
        amount=one.amount,
        **_recorded_values(one),
        paragraph=one.paragraph[:NAME_MAX],
        ours=_side(one.ours),
        theirs=_side(one.theirs),
    )


def _recorded_values(one: Finding) -> dict[str, str]:
    """Return the values of a sentence, and the text of a detail that is none of them.

    Of more values than the ledger takes, the text of the detail is recorded.
    """
    detail = one.detail[:TEXT_MAX]
    if len(one.parameters) > TEXT_MAX:
        return {"detail": detail}
    is_value = "detail" in placeholders_of(known_findings()[one.code].text.en)
    return {"parameters": one.parameters, "detail": "" if is_value else detail}


def _side(side: Side | None) -> RaisedSide | None:
    return None if side is None else RaisedSide(**asdict(side))


def _batched(items: Iterable[_One]) -> Iterator[tuple[_One, ...]]:
    left = iter(items)
    while some := tuple(islice(left, RAISED_MAX)):
        yield some
