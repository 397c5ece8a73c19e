"""Continuous play in plain Python: a fold over events that asks nobody but them.

A sequence is the person's; each account that was played with in it has a line of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.events import event_types as e
from ledger.events.encoding import decode

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUTE = 60 * 10**6


class TwinSequence(NamedTuple):
    account: str
    number: int
    started_at: int
    last_evaluated_at: int
    length: int
    rounds: int
    bets: int


class TwinViolation(NamedTuple):
    account: str
    bet: str
    position: int
    length: int
    until: int


@dataclass
class _Bet:
    placed: tuple[int, int] | None = None
    concluded: int | None = None
    is_back: bool = False


@dataclass
class _Played:
    """A sequence up to its last evaluation, with what each account has of it."""

    start: int
    last: int = 0
    lines: dict[str, TwinSequence] = field(default_factory=dict)


@dataclass
class PlayTwin:
    """Every sequence and violation of a chain."""

    streamed: dict[str, bool] = field(default_factory=dict)
    bets: dict[tuple[str, str, str], _Bet] = field(default_factory=dict)
    person: dict[str, str] = field(default_factory=dict)
    played: dict[str, list[_Played]] = field(default_factory=dict)
    evaluated: set[str] = field(default_factory=set)
    suspicious: dict[tuple[str, str, str], TwinViolation] = field(default_factory=dict)

    @classmethod
    def of(cls, messages: Sequence[bytes]) -> PlayTwin:
        twin = cls()
        records = [decode(message) for message in messages]
        for record in records:
            if isinstance(record.event, e.RoundOpened):
                twin.streamed.setdefault(record.event.round, record.event.streamed)
        for record in records:
            twin.take(record.event, record.position, record.envelope.recorded_at)
        return twin

    def take(self, event: Any, position: int, moment: int) -> None:
        match event:
            case e.AccountOpened():
                self.person.setdefault(event.account, event.person)
            case e.RoundResulted():
                self.evaluate(event.round, moment)
            case e.BetPlaced():
                bet = self.bet(event)
                if bet.placed is None:
                    bet.placed = (position, moment)
                self.judge(event, position, moment)
            case e.BetConcluded():
                bet = self.bet(event)
                if bet.concluded is None:
                    bet.concluded = position
            case e.BetWithdrawn() | e.BetReturned() | e.BetVoided():
                self.bet(event).is_back = True

    def bet(self, event: Any) -> _Bet:
        return self.bets.setdefault((event.round, event.bet, event.account), _Bet())

    def evaluate(self, name: str, moment: int) -> None:
        if name in self.evaluated:
            return
        self.evaluated.add(name)
        if not self.streamed.get(name):
            return
        counted: dict[str, list[int]] = {}
        for (round_name, _, account), bet in self.bets.items():
            if round_name == name and self.counts(bet):
                assert bet.placed is not None
                counted.setdefault(account, []).append(bet.placed[1])
        for account in sorted(counted):
            self.move(account, min(counted[account]), len(counted[account]), moment)

    @staticmethod
    def counts(bet: _Bet) -> bool:
        if bet.placed is None or bet.concluded is None or bet.is_back:
            return False
        return bet.concluded > bet.placed[0]

    def who(self, account: str) -> str:
        return self.person.get(account, account)

    def move(self, account: str, first: int, bets: int, moment: int) -> None:
        played = self.played.setdefault(self.who(account), [])
        if not played or first - played[-1].last >= 15 * MINUTE:
            played.append(_Played(first))
        last, number = played[-1], len(played)
        last.start, last.last = min(last.start, first), moment
        before = last.lines.get(account)
        last.lines[account] = TwinSequence(
            account,
            number,
            last.start,
            moment,
            moment - last.start,
            1 + (before.rounds if before else 0),
            bets + (before.bets if before else 0),
        )

    def judge(self, event: e.BetPlaced, position: int, moment: int) -> None:
        played = self.played.get(self.who(event.account))
        if played is None or event.parent or not self.streamed.get(event.round):
            return
        last = played[-1]
        length, until = last.last - last.start, last.last + 15 * MINUTE
        if length >= 120 * MINUTE and moment < until:
            key = (event.round, event.bet, event.account)
            violation = TwinViolation(event.account, event.bet, position, length, until)
            self.suspicious.setdefault(key, violation)

    def sequences(self) -> list[TwinSequence]:
        return sorted(
            line
            for played in self.played.values()
            for sequence in played
            for line in sequence.lines.values()
        )

    def violations(self) -> list[TwinViolation]:
        """Give those whose chips became a bet."""
        return sorted(
            (
                violation
                for key, violation in self.suspicious.items()
                if self.bets[key].concluded is not None
            ),
            key=lambda violation: violation.position,
        )
