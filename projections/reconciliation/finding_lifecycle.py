"""The lifecycle of findings in the chain: how they were raised and handled.

What comes in: the events of findings below a position. What goes out: each finding with its state,
its assignee and every step, and the end of the last reconciliation. This fold is independent of the
write side (:mod:`ledger.decisions.findings.lifecycle`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase, render_value_english
from ledger.core.units import Count, Haler, Moment
from ledger.core.version import VERSION
from ledger.events import event_types as e
from projections.findings.finding import Finding, Side
from projections.findings.headers import known_findings
from projections.reconciliation.deputies import deputies_on, with_deputy
from projections.reconciliation.numbers import numbers_of, parse_number
from projections.reconciliation.rounds_to_recheck import PreviousReconciliation
from projections.store.as_of import as_of, event_tables, moment_of
from projections.store.events import EventAt, read_events
from projections.store.known_positions import require_known
from projections.words.finding_texts import fill_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from projections.findings.finding import State
    from projections.store.tables import Store

__all__ = [
    "LIFECYCLE_EVENTS",
    "FindingHistory",
    "FindingRegister",
    "FindingStep",
    "KnownFinding",
    "LastReconciliation",
    "digest_of",
    "finding_histories",
    "finding_histories_in",
    "last_reconciliation",
    "list_findings",
    "require_code",
    "show_finding",
    "with_state",
]

LIFECYCLE_EVENTS = (
    "FindingRaised",
    "FindingGone",
    "FindingAssigned",
    "FindingExplained",
    "FindingCommented",
    "FindingClosed",
    "FindingReopened",
    "WriteOffProposed",
    "WriteOffConfirmed",
    "WriteOffDeclined",
)
"""Event types in the lifecycle of a finding."""


@dataclass(frozen=True, slots=True)
class FindingStep:
    """One step in the lifecycle of a finding.

    ``by`` is the person who took the step, ``text`` the reason or comment, ``evidence`` its basis;
    all three are empty for a step of a reconciliation. ``assignee`` is the person whom this step
    puts in charge, empty if it changes nothing. ``assessment`` is that of its closing, what the
    finding was: ``right``, ``wrong``, or empty. A step of a write-off has its name and ``amount``,
    and the write-off that it takes back.
    """

    position: Count
    recorded_at: Moment
    event: str
    by: str = ""
    text: str = ""
    evidence: str = ""
    assignee: str = ""
    assessment: str = ""
    write_off: str = ""
    amount: Haler = 0
    reverses: str = ""


@dataclass(slots=True)
class FindingHistory:
    """The lifecycle of one finding; ``raised`` is its last record, ``number`` its short number."""

    raised: EventAt[e.FindingRaised]
    state: State = "open"
    assignee: str = ""
    number: str = ""
    steps: list[FindingStep] = field(default_factory=list)

    def finding(self) -> Finding:
        """Return the finding as recorded."""
        event = self.raised.event
        finding = Finding(
            identity=event.finding,
            fingerprint=event.fingerprint,
            code=event.code,
            sentence="",
            position=event.shown_at,
            account=event.of_account,
            round=event.of_round,
            bet=event.of_bet,
            amount=event.amount,
            paragraph=event.paragraph,
            detail=event.detail,
            about=event.about,
            ours=_side(event, "ours"),
            theirs=_side(event, "theirs"),
            state=self.state,
            assignee=self.assignee,
            number=self.number,
            parameters=event.parameters,
        )
        known = known_findings().get(event.code)
        english = known.text.en if known else ""
        sentence = fill_finding(english, finding, render_value_english)
        detail = event.detail or fill_finding("{detail}", finding, render_value_english)
        return replace(finding, sentence=sentence, detail=detail)


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding that a reconciliation recorded.

    ``finding`` has the facts recorded last, the state and the assignee. ``raised_at`` and
    ``raised_position`` belong to its first record; ``steps`` are in the order of the chain.
    """

    finding: Finding
    raised_at: int
    raised_position: int
    steps: tuple[FindingStep, ...]


@dataclass(frozen=True, slots=True)
class FindingRegister:
    """Findings, the open ones first, and the position as of which they were read.

    Both parts are in the order of the first record. ``examined`` is the number of messages in the
    last recorded reconciliation, 0 if there is none; later messages are not checked yet.
    """

    position: int
    head: str
    recorded_at: int
    examined: int
    findings: tuple[KnownFinding, ...]


@dataclass(frozen=True, slots=True)
class LastReconciliation:
    """The last recorded reconciliation: its end, and its findings as recorded in the chain.

    ``is_whole``: the recorded findings match the digest in its conclusion, and this version of the
    program made the run; only then may another run continue from it. ``digest`` is the digest of
    its findings.
    """

    earlier: PreviousReconciliation
    is_whole: bool
    digest: str = ""


def finding_histories(store: Store, size: int) -> dict[str, FindingHistory]:
    """Return the lifecycle of every finding recorded below a position, by identifier."""
    filled = set(event_tables(store))
    if "FindingRaised" not in filled:
        return {}
    wanted = dict.fromkeys((kind for kind in LIFECYCLE_EVENTS if kind in filled), "")
    events = list(read_events(store, wanted, first=0, end=size))
    numbers = numbers_of((at.position, at.recorded_at) for at in events if _is_raised(at))
    return finding_histories_in(events, numbers.__getitem__)


def finding_histories_in(
    events: Iterable[EventAt[Any]], number_at: Callable[[int], str]
) -> dict[str, FindingHistory]:
    """Return the lifecycle of findings by identifier, from their events in the order of the chain.

    Args:
        events: all events of these findings.
        number_at: returns the short number of a record by its position.

    """
    found: dict[str, FindingHistory] = {}
    for at in events:
        _follow(found, at)
    for life in found.values():
        life.number = number_at(life.steps[0].position)
    return found


def _is_raised(at: EventAt[Any]) -> bool:
    return isinstance(at.event, e.FindingRaised)


def _follow(found: dict[str, FindingHistory], at: EventAt[Any]) -> None:
    name, life = at.event.finding, found.get(at.event.finding)
    if life is None:
        if isinstance(at.event, e.FindingRaised):
            found[name] = FindingHistory(at, steps=[_step(at)])
        return
    life.steps.append(_step(at, by=getattr(at.event, "by", "")))
    match at.event:
        case e.FindingRaised():
            life.raised, life.state = at, "open"
        case e.FindingGone():
            life.state = "gone"
        case e.FindingAssigned(assignee=assignee):
            life.assignee = assignee
        case e.FindingExplained():
            life.state = "explained"
        case e.FindingClosed():
            life.state = "closed"
        case e.FindingReopened():
            life.state = "open"


def _step(at: EventAt[Any], by: str = "") -> FindingStep:
    event = at.event
    texts = (getattr(event, name, "") for name in ("reason", "explanation", "comment"))
    return FindingStep(
        position=at.position,
        recorded_at=at.recorded_at,
        event=event.type,
        by=by,
        text=next((text for text in texts if text), ""),
        evidence=getattr(event, "evidence", ""),
        assignee=getattr(event, "assignee", ""),
        assessment=getattr(event, "assessment", ""),
        write_off=getattr(event, "write_off", ""),
        amount=getattr(event, "amount", 0) if hasattr(event, "write_off") else 0,
        reverses=getattr(event, "reverses", ""),
    )


def with_state(
    findings: Sequence[Finding], known: dict[str, FindingHistory]
) -> tuple[Finding, ...]:
    """Set the state of a run's findings from the chain.

    A finding that was closed or explained becomes open again if its facts changed, and so does one
    that was gone.
    """
    return tuple(_with_state(one, known.get(one.identity)) for one in findings)


def _with_state(finding: Finding, life: FindingHistory | None) -> Finding:
    if life is None:
        return finding
    is_as_recorded = finding.fingerprint == life.raised.event.fingerprint
    return replace(
        finding,
        state=life.state if is_as_recorded and life.state != "gone" else "open",
        assignee=life.assignee,
        number=life.number,
    )


def list_findings(
    store: Store,
    *,
    account: str = "",
    code: str = "",
    assignee: str = "",
    first: int = 0,
    with_ended: bool = False,
    at: int | None = None,
) -> FindingRegister:
    """List the open findings, oldest first; ``with_ended`` appends the others.

    Args:
        store: the tables.
        account: only findings about this account; all by default.
        code: only findings with this code; all by default.
        assignee: only findings of this assignee, or of a person whose deputy this is on the day of
            the last message; all by default.
        first: only findings first recorded at this position or later.
        with_ended: also closed findings and those that are gone.
        at: number of messages that count; all by default.

    Raises:
        InputError: there is no such account, or no such code.

    """
    register = _register(store, at)
    require_code(code, (one.finding for one in register.findings))
    day = in_prague(register.recorded_at).date()
    deputies = deputies_on(store, register.position, day) if assignee else {}
    findings = tuple(
        one
        for one in register.findings
        if account in {"", one.finding.account}
        and code in {"", one.finding.code}
        and assignee in {"", *with_deputy(one.finding.assignee, deputies)}
        and one.raised_position >= first
        and (with_ended or one.finding.is_open)
    )
    if not findings:
        require_known(store, register.position, account=account)
    return replace(register, findings=findings)


def require_code(code: str, findings: Iterable[Finding]) -> None:
    """Reject a code that no finding has; the empty code means all findings.

    Args:
        code: the requested code.
        findings: the existing findings, some of which may have a code of an earlier version.

    Raises:
        InputError: the code is unknown.

    """
    known = {*known_findings(), *(one.code for one in findings)}
    if code and code not in known:
        close = get_close_matches(code, known, 1)
        hint = f": perhaps {close[0]}" if close else ""
        raise InputError(f"no finding has the code {code}{hint}")


def show_finding(store: Store, name: str, *, at: int | None = None) -> FindingRegister:
    """Show one finding, by its number, its identifier or a unique prefix of the identifier.

    Raises:
        InputError: there is no such finding, or the prefix is ambiguous.

    """
    register = _register(store, at)
    number = parse_number(name)
    found = tuple(
        one
        for one in register.findings
        if (
            one.finding.identity.startswith(name)
            if number is None
            else parse_number(one.finding.number) == number
        )
    )
    if not found:
        raise InputError(Phrase("FINDING_UNKNOWN", name=name, size=register.position))
    if len(found) > 1:
        raise InputError(Phrase("FINDING_AMBIGUOUS", count=len(found), name=name))
    return replace(register, findings=found)


def _register(store: Store, at: int | None) -> FindingRegister:
    place = as_of(store, at)
    known = finding_histories(store, place.position)
    findings = []
    for life in known.values():
        begun = life.steps[0]
        finding = life.finding()
        findings.append(KnownFinding(finding, begun.recorded_at, begun.position, tuple(life.steps)))
    findings.sort(key=lambda one: (not one.finding.is_open, one.raised_position))
    run = _concluded(store, place.position)
    return FindingRegister(
        place.position,
        place.head,
        moment_of(store, place.position),
        run.event.until if run else 0,
        tuple(findings),
    )


def last_reconciliation(store: Store, size: int) -> LastReconciliation | None:
    """Return the last recorded reconciliation below a position, if there is one."""
    run = _concluded(store, size)
    if run is None:
        return None
    known = {
        name: life
        for name, life in finding_histories(store, run.position).items()
        if life.state != "gone"
    }
    rounds = {life.raised.event.of_round for life in known.values()}
    marks = ((name, life.raised.event.fingerprint) for name, life in known.items())
    return LastReconciliation(
        PreviousReconciliation(run.event.until, frozenset(rounds - {""})),
        is_whole=digest_of(marks) == run.event.digest and run.event.software_version == VERSION,
        digest=run.event.digest,
    )


def digest_of(marks: Iterable[tuple[str, str]]) -> str:
    """Return the digest that concludes a reconciliation, over identifiers and fingerprints."""
    lines = "".join(f"{name} {fingerprint}\n" for name, fingerprint in sorted(marks))
    return sha256(lines.encode()).hexdigest()


def _concluded(store: Store, size: int) -> EventAt[e.ReconciliationConcluded] | None:
    kind = "ReconciliationConcluded"
    at = store.value(f"SELECT max(position) FROM {kind} WHERE position < {{size:Int64}}", size=size)  # noqa: S608 - own table
    runs = read_events(store, {kind: ""}, first=at, end=at + 1) if at else []
    return runs[0] if runs else None


def _side(event: e.FindingRaised, name: str) -> Side | None:
    amount = getattr(event, f"{name}_amount")
    if amount is None:
        return None
    return Side(
        reference=getattr(event, f"{name}_reference"),
        amount=amount,
        at=getattr(event, f"{name}_at"),
        position=getattr(event, f"{name}_position"),
        count=getattr(event, f"{name}_count"),
        statement=event.theirs_statement if name == "theirs" else "",
        line=event.theirs_line if name == "theirs" else 0,
    )
