"""Find the alarms of new messages: settle rounds again, check stakes, count events.

Input: a log, the rules, and the position after the last examined message. Output: alarms, each with
an identifier that stays the same whenever the alarm is found again. When facts of a round's
settlement arrive, the round is settled again by the checks of reconciliation; a stake is checked
when it arrives; events raise alarms by type, field values and frequency. Whole decisions are
examined, a bounded number of messages at a time, so that cost and memory do not grow with the log.
Findings that need the whole history come from a reconciliation; those that are open and were not
sent yet are sent.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from ledger.core.clock import SECOND
from ledger.core.errors import InputError
from ledger.events.encoding import decode
from ledger.log.port import envelope_at
from ledger.rules.published_rules import rules_in_force
from projections.facts.facts import fact_of
from projections.findings.finding import render_findings
from projections.replay.from_log import replay
from tools.watch.accounts import FOUND_AS, Accounts
from tools.watch.rules import Severity  # noqa: TC001 - the answer's schema reads it

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.events.event_types import ChainOpened
    from ledger.log.port import Log
    from projections.findings.finding import Finding
    from projections.reconciliation.reconcile import Reconciliation
    from tools.watch.rules import Rule, Rules

__all__ = ["Alarm", "AlarmBatch", "Watcher"]

STEP = 2_000
"""Messages that are looked at together; a decision has fewer."""
DECISION_MAX = 4_096
SENT_ALARMS_MAX = 20_000
"""Alarms that are remembered, so that a round judged again does not alarm again."""
GUARDED = frozenset(FOUND_AS.values())
OF_SETTLEMENT = frozenset(
    {
        "BetSettled", "PotAwarded", "PointsSettled", "RakeTaken", "UncalledReturned",
        "MisdealDeclared", "WinCorrected", "BetCorrected", "PrizeWithheld", "RoundResulted",
    }
)  # fmt: skip
"""Events after which a round is settled again."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm: a finding, or an event that reached the frequency of a rule.

    ``id`` is the same for the same alarm, however often it is sent. ``code`` is that of the finding
    or the event type, ``recorded_at`` the timestamp of the event (µs), ``amount`` is in haléř,
    and 0 in another currency, which ``sentence`` names.
    """

    id: str
    code: str
    severity: Severity
    sentence: str
    paragraph: str
    chain: str
    position: int
    recorded_at: int
    account: str
    round: str
    bet: str
    amount: int


@dataclass(frozen=True, slots=True)
class AlarmBatch:
    """Alarms of some messages with their destinations, and the position after the messages.

    ``open`` names the alarms of all findings of a reconciliation; None if there was none.
    """

    position: int
    alarms: tuple[tuple[Alarm, tuple[str, ...]], ...]
    open: frozenset[str] | None = None


class Watcher:
    """Examine new messages of one chain.

    Args:
        log: the chain.
        opening: its first event.
        rules: alarm rules.
        open_before: alarms of the last reconciliation's findings; None if there was none.
        since: the first reconciliation sends only findings that begin at this position or later.

    """

    def __init__(
        self,
        log: Log,
        opening: ChainOpened,
        rules: Rules,
        *,
        open_before: frozenset[str] | None = None,
        since: int = 0,
    ) -> None:
        """Begin without state of earlier messages."""
        self._log, self._chain, self._rules = log, opening.chain, rules
        self._operator = rules_in_force(log)
        self._accounts = Accounts(log, self._operator.figures)
        self._counted: dict[int, deque[int]] = defaultdict(deque)
        self._told: OrderedDict[str, None] = OrderedDict()
        self._open, self._since = open_before, since

    def read_alarms(self, position: int) -> AlarmBatch:
        """Examine the whole decisions that begin at a position; there may be none."""
        found = self._whole(position)
        if not found:
            return AlarmBatch(position, ())
        alarms = list(self._alarms(found))
        return AlarmBatch(found[-1].position + 1, tuple(alarms))

    def add_findings(self, found: Reconciliation, seen: AlarmBatch) -> AlarmBatch:
        """Add the findings of a reconciliation that are open and were not sent yet."""
        alarms: list[tuple[Alarm, tuple[str, ...]]] = []
        now = {self._id_of(one): one for one in found.open}
        before = self._open
        if before is None:
            before = frozenset(name for name, one in now.items() if one.position < self._since)
        for name in before - now.keys():
            self._told.pop(name, None)  # it raises an alarm again if it recurs
        for name, finding in now.items():
            rule = self._rules.of_finding(finding)
            if name not in before and rule is not None:
                moment = envelope_at(self._log, finding.position).recorded_at
                alarms += self._new(self._of_finding(finding, rule, moment), rule)
        self._open = frozenset(now)
        return AlarmBatch(seen.position, (*seen.alarms, *alarms), self._open)

    def _whole(self, position: int) -> list[RecordedEvent]:
        """Read messages up to the end of a decision."""
        found: list[RecordedEvent] = []
        whole = 0
        for _, message in islice(self._log.read(position), STEP + DECISION_MAX):
            found.append(decode(message))
            at = found[-1].envelope
            if at.decision_index + 1 == at.decision_size:
                whole = len(found)
                if whole >= STEP:
                    break
        return found[:whole]

    def _alarms(self, found: list[RecordedEvent]) -> Iterator[tuple[Alarm, tuple[str, ...]]]:
        moments = {one.position: one.envelope.recorded_at for one in found}
        stakes = (stake for one in found if (stake := self._accounts.follow(one)))
        findings = render_findings(stakes, self._operator)
        rounds = {
            one.event.round: None  # type: ignore[attr-defined]
            for one in found
            if one.event.type in OF_SETTLEMENT
        }
        for name in rounds:
            findings += self._judged(name, found[-1])
        for finding in findings:
            rule = self._rules.of_finding(finding)
            if rule is not None:
                moment = moments.get(finding.position, found[-1].envelope.recorded_at)
                yield from self._new(self._of_finding(finding, rule, moment), rule)
        yield from self._of_events(found)

    def _judged(self, name: str, last: RecordedEvent) -> Iterable[Finding]:
        try:
            return replay(self._log, name, at=last.position + 1).findings
        except InputError:
            return ()  # no event opened it: reconciliation finds that

    def _of_finding(self, finding: Finding, rule: Rule, moment: int) -> Alarm:
        return Alarm(
            id=self._id_of(finding),
            code=finding.code,
            severity=rule.severity,
            sentence=finding.sentence,
            paragraph=finding.paragraph,
            chain=self._chain,
            position=finding.position,
            recorded_at=moment,
            account=finding.account,
            round=finding.round,
            bet=finding.bet,
            amount=finding.amount if finding.currency == "CZK" else 0,
        )

    def _of_events(self, found: list[RecordedEvent]) -> Iterator[tuple[Alarm, tuple[str, ...]]]:
        for one in found:
            fitting = self._rules.of_event(one.event)
            if fitting is None:
                continue
            number, rule = fitting
            moments, moment = self._counted[number], one.envelope.recorded_at
            moments.append(moment)
            while moments[0] < moment - rule.within_seconds * SECOND:
                moments.popleft()
            if len(moments) < rule.times:
                continue
            moments.clear()
            alarm = Alarm(
                id=self._name("event", str(number), str(one.position)),
                code=one.event.type,
                severity=rule.severity,
                sentence=fact_of(one, None).sentence,
                paragraph="",
                chain=self._chain,
                position=one.position,
                recorded_at=moment,
                account=getattr(one.event, "account", ""),
                round=getattr(one.event, "round", ""),
                bet=getattr(one.event, "bet", ""),
                amount=0,
            )
            yield from self._new(alarm, rule)

    def _new(self, alarm: Alarm, rule: Rule) -> Iterator[tuple[Alarm, tuple[str, ...]]]:
        if alarm.id not in self._told:
            self._told[alarm.id] = None
            while len(self._told) > SENT_ALARMS_MAX:
                self._told.popitem(last=False)
            yield alarm, tuple(self._rules.destinations_of(rule))

    def _id_of(self, finding: Finding) -> str:
        if finding.bet and finding.code in GUARDED:
            # A guard reports other details of the bet than a reconciliation does.
            return self._name(finding.code, finding.account, finding.round, finding.bet)
        return self._name(finding.identity, finding.fingerprint)

    def _name(self, *parts: str) -> str:
        return "alarm_" + sha256("\n".join((self._chain, *parts)).encode()).hexdigest()[:32]
