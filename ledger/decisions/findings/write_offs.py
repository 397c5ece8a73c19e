"""Write-offs by two persons: one proposes an amount of a finding's difference, another confirms it.

What comes in: proposals of an amount with a reason, for a recorded finding about a line of a
statement, a payment or a claim; and what a second person decides about them. What goes out: one
event for each step; the confirmed one moves money. A reversal is proposed and confirmed in the same
way. Guaranteed: the net amount written off never exceeds the difference, and the person that
confirms is not the one that proposed. Rejected: a second proposal while one waits, a finding whose
facts changed since the proposal, and a line of a statement that no longer counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict
from unicodedata import normalize

from msgspec import Meta

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.findings.handling import FindingName
from ledger.decisions.findings.seen_facts import SeenFacts, require_seen
from ledger.decisions.statements import statements_in_force
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Name, OptionalName, OptionalText, Text
from ledger.log.port import events_at

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "ConfirmWriteOff",
    "DeclineWriteOff",
    "ProposeReversal",
    "ProposeWriteOff",
    "confirm_write_off",
    "decline_write_off",
    "propose_reversal",
    "propose_write_off",
]

WriteOffName = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}-[1-9][0-9]{0,5}\Z")]
"""Name of a write-off: that of its finding, a dash and its number there."""


class ProposeWriteOff(Command, frozen=True):
    """Propose to write off an amount of a finding's difference; another person decides."""

    finding: FindingName
    amount: Amount
    reason: Text
    by: Name
    evidence: OptionalName = ""
    fingerprint: SeenFacts = ""


class ProposeReversal(Command, frozen=True):
    """Propose to take back a confirmed write-off; another person decides."""

    write_off: WriteOffName
    reason: Text
    by: Name
    evidence: OptionalName = ""


class ConfirmWriteOff(Command, frozen=True):
    """Confirm a proposed write-off or reversal; ``by`` is not the person that proposed it."""

    write_off: WriteOffName
    by: Name
    comment: OptionalText = ""


class DeclineWriteOff(Command, frozen=True):
    """Decline a proposed write-off or reversal; its proposer withdraws it in the same way."""

    write_off: WriteOffName
    reason: Text
    by: Name


class _Item(NamedTuple):
    """What a finding's difference is booked on, and its sign: what the operator gains by it."""

    sign: int
    item: str
    statement: str = ""
    line: int = 0
    entry: int = -1
    account: str = ""
    method_class: str = ""


class _History:
    """The write-offs of one finding, folded from its events.

    ``left`` is the difference at its last record, less what was written off since, in haléř.
    """

    def __init__(self, ledger_state: LedgerState, finding: str) -> None:
        """Fold the events of the finding.

        Raises:
            InputError: the finding is not recorded.

        """
        events = ledger_state.events(f"finding:{finding}")
        raised = [event for event in events if isinstance(event, e.FindingRaised)]
        if not raised:
            raise InputError(
                f"finding {finding} is not recorded: `gameledger reconcile --record` records what "
                "it finds"
            )
        self.raised = raised[-1]
        self.is_open = False
        self.left = self.count = 0
        self.pending: e.WriteOffProposed | None = None
        self.confirmed: dict[str, e.WriteOffConfirmed] = {}
        for event in events:
            self._follow(event)

    def _follow(self, event: e.Event) -> None:
        match event:
            case e.FindingRaised():
                self.left, self.is_open = event.amount, True
            case e.FindingReopened():
                self.is_open = True
            case e.FindingGone() | e.FindingClosed():
                self.is_open = False
            case e.WriteOffProposed():
                self.pending, self.count = event, self.count + 1
            case e.WriteOffDeclined():
                self.pending = None
            case e.WriteOffConfirmed(reverses=""):
                self.pending, self.left = None, self.left - abs(event.amount)
                self.confirmed[event.write_off] = event
            case e.WriteOffConfirmed():
                self.pending, self.left = None, self.left + abs(event.amount)
                self.confirmed.pop(event.reverses, None)

    def require_none_pending(self) -> None:
        """Reject a second proposal."""
        if self.pending is not None:
            raise InputError(
                f"write-off {self.pending.write_off} of {self.pending.by} waits for a decision: "
                "confirm or decline it first"
            )

    def proposed(self, name: str) -> e.WriteOffProposed:
        """Return the proposal that waits.

        Raises:
            InputError: the proposal of this name was decided already, or never made.

        """
        if self.pending is None or self.pending.write_off != name:
            raise InputError(
                f"write-off {name} does not wait for a decision: `gameledger finding write-offs`"
            )
        return self.pending


@refuses("WRITE_OFF_ABOVE_DIFFERENCE", "WRITE_OFF_ABOVE_LIMIT")
def propose_write_off(
    ledger_state: LedgerState, command: ProposeWriteOff, now: int
) -> list[e.Event]:
    """Decide :class:`ProposeWriteOff`."""
    history = _History(ledger_state, command.finding)
    history.require_none_pending()
    require_seen(command.finding, command.fingerprint, history.raised.fingerprint)
    _require_amount(history, command.finding, command.amount)
    _require_limit(ledger_state, command.amount, now)
    item = _item_of(ledger_state, history.raised, command.amount)
    return [
        command.as_event(
            e.WriteOffProposed,
            write_off=f"{command.finding}-{history.count + 1}",
            amount=item.sign * command.amount,
            reverses="",
            fingerprint=history.raised.fingerprint,
            **_places(item),
        )
    ]


def propose_reversal(ledger_state: LedgerState, command: ProposeReversal, _: int) -> list[e.Event]:
    """Decide :class:`ProposeReversal`; the limit of write-offs does not apply."""
    finding = _finding_of(command.write_off)
    history = _History(ledger_state, finding)
    history.require_none_pending()
    booked = history.confirmed.get(command.write_off)
    if booked is None:
        raise InputError(
            f"write-off {command.write_off} is not booked, or was taken back: "
            "`gameledger finding write-offs`"
        )
    return [
        command.as_event(
            e.WriteOffProposed,
            write_off=f"{finding}-{history.count + 1}",
            finding=finding,
            amount=-booked.amount,
            reverses=command.write_off,
            fingerprint=history.raised.fingerprint,
            **_places(booked),
        )
    ]


@refuses(
    "WRITE_OFF_SAME_PERSON", "WRITE_OFF_ABOVE_DIFFERENCE", "WRITE_OFF_ABOVE_LIMIT", "CLAIM_TOO_LOW"
)
def confirm_write_off(
    ledger_state: LedgerState, command: ConfirmWriteOff, now: int
) -> list[e.Event]:
    """Decide :class:`ConfirmWriteOff`; all but the second person is checked as at the proposal."""
    finding = _finding_of(command.write_off)
    history = _History(ledger_state, finding)
    proposal = history.proposed(command.write_off)
    if _same(command.by, proposal.by):
        raise RefusedError("WRITE_OFF_SAME_PERSON", by=proposal.by)
    if not proposal.reverses:
        _require_amount(history, finding, abs(proposal.amount))
        _require_limit(ledger_state, abs(proposal.amount), now)
        if proposal.fingerprint != history.raised.fingerprint:
            raise InputError(
                f"finding {finding} has other facts than at the proposal: decline "
                f"{command.write_off} and propose again"
            )
        if proposal.item == "line":
            _require_counts(ledger_state, proposal.statement)
    if proposal.item == "claim":
        claims = ledger_state.account(proposal.account).claims
        if claims + proposal.amount < 0:
            raise RefusedError("CLAIM_TOO_LOW", left=claims)
    return [
        command.as_event(
            e.WriteOffConfirmed,
            finding=finding,
            amount=proposal.amount,
            reverses=proposal.reverses,
            reason=proposal.reason,
            proposed_by=proposal.by,
            **_places(proposal),
        )
    ]


def decline_write_off(ledger_state: LedgerState, command: DeclineWriteOff, _: int) -> list[e.Event]:
    """Decide :class:`DeclineWriteOff`."""
    finding = _finding_of(command.write_off)
    _History(ledger_state, finding).proposed(command.write_off)
    return [command.as_event(e.WriteOffDeclined, finding=finding)]


def _finding_of(write_off: str) -> str:
    return write_off.partition("-")[0]


def _same(one: str, other: str) -> bool:
    """Return whether two names are one, however their letters, accents and blanks are encoded."""
    first, second = (" ".join(normalize("NFKC", name).split()).casefold() for name in (one, other))
    return first == second


class _Places(TypedDict):
    item: str
    statement: str
    line: int
    entry: int
    account: str
    method_class: str


def _places(of: _Item | e.WriteOffProposed | e.WriteOffConfirmed) -> _Places:
    return _Places(
        item=of.item,
        statement=of.statement,
        line=of.line,
        entry=of.entry,
        account=of.account,
        method_class=of.method_class,
    )


def _require_amount(history: _History, finding: str, amount: int) -> None:
    """Reject an amount of a finding that is not open, or above its difference."""
    if not history.is_open:
        raise InputError(f"finding {finding} is not open: nothing is left to be written off")
    if amount > history.left:
        raise RefusedError("WRITE_OFF_ABOVE_DIFFERENCE", left=max(history.left, 0))


def _require_limit(ledger_state: LedgerState, amount: int, now: int) -> None:
    """Reject an amount above the limit of the recorded rules of today, 0 without recorded rules."""
    today = in_prague(now).date().isoformat()
    rules = [one for one in ledger_state.operator_state.matching_rules if one.first_day <= today]
    limit = rules[-1].write_off_max if rules else 0
    if amount > limit:
        raise RefusedError("WRITE_OFF_ABOVE_LIMIT", limit=limit)


def _item_of(ledger_state: LedgerState, raised: e.FindingRaised, amount: int) -> _Item:
    """Return what the difference of a finding is booked on.

    Raises:
        InputError: the finding is about nothing that can be written off.

    """
    ours, theirs = raised.ours_amount, raised.theirs_amount
    if theirs is not None and raised.theirs_line:
        if raised.theirs_count > 1:
            raise InputError(
                f"finding {raised.finding} is about {raised.theirs_count} lines together: correct "
                "the books"
            )
        imported = _require_counts(ledger_state, raised.theirs_statement)
        return _Item(
            _sign(theirs - (ours or 0) or theirs),
            "line",
            statement=raised.theirs_statement,
            line=raised.theirs_line,
            method_class=_class_at(ledger_state, raised.ours_position) or _class_of(imported),
        )
    method_class = _class_at(ledger_state, raised.ours_position)
    if ours and method_class and raised.ours_count == 1:
        return _Item(-_sign(ours), "payment", entry=raised.ours_position, method_class=method_class)
    has_sides = ours is not None or theirs is not None
    if raised.of_account and not raised.of_round and not has_sides:
        claims = ledger_state.account(raised.of_account).claims
        if amount <= claims:
            return _Item(-1, "claim", account=raised.of_account)
    raise InputError(
        "a write-off is of a line of a statement about money, a payment, or a claim against a "
        "player: explain or close other findings"
    )


def _sign(amount: int) -> int:
    return 1 if amount > 0 else -1


def _require_counts(ledger_state: LedgerState, statement: str) -> e.StatementImported:
    """Return the import of a statement about money in crowns that counts."""
    imported = ledger_state.last_event_of(("StatementImported",), f"statement:{statement}")
    if not isinstance(imported, e.StatementImported) or statement not in statements_in_force(
        ledger_state, imported.issuer_months
    ):
        raise InputError(f"statement {statement} does not count: nothing of it is written off")
    if imported.issuer_kind == "GAMES" or imported.currency != "CZK":
        raise InputError(
            f"statement {statement} is not about money in CZK: correct bets, or explain the finding"
        )
    return imported


def _class_at(ledger_state: LedgerState, position: int) -> str:
    """Return the class of a payment of the books; empty if there is none at a position."""
    if not 0 <= position < ledger_state.size:
        return ""
    (recorded,) = events_at(ledger_state.log, [position])
    match recorded.event:
        case e.DepositCredited() | e.DepositReturned() | e.WithdrawalPaid():
            return recorded.event.method_class
        case e.BalanceReturned():
            return recorded.event.way
        case _:
            return ""


def _class_of(imported: e.StatementImported) -> str:
    """Return the class of payments that a line without an entry is booked as."""
    if imported.issuer_kind == "BANK":
        return "account"
    return next((one for one in imported.covers if one in CLASSES), "other")


CLASSES = ("account", "card", "other")
"""Classes of payments in statements."""
