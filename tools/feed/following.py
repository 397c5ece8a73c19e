"""Turn the messages of a feed into commands, in order, each once.

Input: a spool, filled by the server with the provider's messages. Output: commands to the writer,
with identifiers derived from the provider's, so that a command sent before a crash is decided only
once. Messages that can't be converted or are refused are recorded as such; so are numbers that did
not arrive within :data:`PATIENCE` while this runs, or for which more than :data:`BUFFERED_MAX`
messages waited. Messages of several tables are sent together; those of one table keep their order.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID, uuid5

import msgspec
from prometheus_client import Gauge

from ledger.core.clock import DAY, SECOND
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from ledger.decisions.decider import decode_command, encode_command
from ledger.decisions.feeds import RecordUnmappedMessage
from ledger.decisions.rounds.betting import PlaceBet, WithdrawBet
from ledger.decisions.rounds.results import SettleRound, VoidRound
from tools.feed.provider import UnmappedError
from tools.feed.spool import MessageOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future
    from threading import Event

    from prometheus_client import CollectorRegistry

    from ledger.core.clock import Clock
    from ledger.events.command import Command
    from ledger.writer import Receipt
    from tools.feed.provider import Provider
    from tools.feed.sealing import FeedSealer
    from tools.feed.spool import SetAsideMessage, Spool, StoredMessage
    from tools.service.client import AnyLedger

__all__ = ["BUFFERED_MAX", "PATIENCE", "Follower", "feed_waiting"]

PATIENCE = 120 * SECOND
"""How long a number is waited for, in microseconds: providers send again within that."""
KEPT = 90 * DAY
"""How long a repeat of a message that was followed is known; no provider repeats that late."""
BUFFERED_MAX = 1_000
"""Messages of one feed that wait for a number."""
PAUSE_SECONDS = 1.0
NAMES = UUID("7c6f0d6e-2f0e-5d3f-9a55-4f6d61737465")
"""Of the identifiers made here; another one would let what was sent be decided twice."""


class _Sent(NamedTuple):
    stored: StoredMessage
    commands: Sequence[Command]
    receipts: Sequence[Future[Receipt]]
    why_not: str = ""


def feed_waiting(registry: CollectorRegistry, feed: str) -> Gauge:
    """Return the gauge of feed messages that are waiting to be processed."""
    waiting = Gauge(
        "gameledger_feed_waiting_messages",
        "Messages of the feed that are not followed yet.",
        ("feed",),
        registry=registry,
    )
    return waiting.labels(feed)


class Follower:
    """Process the feed of one provider."""

    def __init__(
        self,
        spool: Spool,
        provider: Provider,
        ledger: AnyLedger,
        clock: Clock,
        *,
        patience: int = PATIENCE,
        buffered_max: int = BUFFERED_MAX,
        sealer: FeedSealer | None = None,
    ) -> None:
        """Open a separate connection to the spool.

        Args:
            spool: the messages.
            provider: interprets the messages.
            ledger: takes the commands.
            clock: measures how long a missing number has been awaited.
            patience: longest wait for a missing number, in microseconds.
            buffered_max: how many messages of a feed may wait for a missing number.
            sealer: numbers and seals what is sent; None if the feed does not seal.

        """
        self._spool, self._provider, self._ledger = spool, provider, ledger
        self._clock, self._patience, self._buffered_max = clock, patience, buffered_max
        self._begun_at = clock.now()
        self._sealer = sealer

    def run(
        self,
        stop: Event,
        arrived: Event,
        notify: Callable[[str], None],
        measure: Callable[[int], None],
    ) -> None:
        """Process messages until stopped.

        Args:
            stop: ends the processing; set ``arrived`` as well.
            arrived: set when a message was stored.
            notify: called with a text when the ledger is unavailable; processing is retried.
            measure: called with the number of waiting messages.

        Raises:
            LedgerError: an error that a retry does not resolve, such as a missing role.

        """
        while not stop.is_set():
            arrived.clear()
            try:
                while self.step() and not stop.is_set():
                    pass
                self._seal_or_postpone(notify)
                self._spool.prune(before=self._clock.now() - KEPT)
            except AvailabilityError as error:
                if self._ledger.broken is not None:
                    raise
                notify(str(error))
            measure(self._spool.waiting())
            arrived.wait(PAUSE_SECONDS)
        with suppress(
            AvailabilityError, AuthorizationError, InputError
        ):  # the seal waits for the next start
            self.seal(is_last=True)

    def _seal_or_postpone(self, notify: Callable[[str], None]) -> None:
        """Seal; where the ledger rejects the seals, commands are sent nevertheless."""
        try:
            self.seal()
        except (InputError, AuthorizationError) as error:
            notify(f"nothing is sealed: {error}")
            if self._sealer is not None:
                self._sealer.postpone()

    def seal(self, *, is_last: bool = False) -> None:
        """Seal what was sent, if it is time or the last seal.

        Raises:
            AvailabilityError: the ledger or the disk is unavailable; the seals wait.
            LedgerError: the ledger rejects a seal, such as one of another key.

        """
        if self._sealer is not None:
            self._sealer.seal(self._ledger, is_last=is_last)

    def step(self) -> bool:
        """Process the messages that are ready; return whether there were any.

        Raises:
            AvailabilityError: the ledger or the disk is unavailable; nothing is lost.
            LedgerError: an error that a retry does not resolve.

        """
        before = self._clock.now() - self._patience
        if before < self._begun_at:
            before = 0  # while this was stopped, no number could arrive
        found = self._spool.give_up(before=before, buffered_max=self._buffered_max)
        wave = [[self._send(one) for one in self._together(run)] for run in self._spool.ready()]
        for sent in wave:
            self._keep(sent)
        aside = self._spool.aside()
        for told in [self._record_set_aside(one) for one in aside]:
            told.result()
        self._spool.mark_recorded(aside)
        return bool(found or wave or aside)

    def _together(self, run: Sequence[StoredMessage]) -> Sequence[StoredMessage]:
        """Return the messages before the first that depends on the outcome of an earlier one."""
        for at, one in enumerate(run):
            if at and one.kind in self._provider.after_others:
                return run[:at]
        return run

    def _send(self, stored: StoredMessage) -> _Sent:
        try:
            commands = self._commands(stored)
        except (UnmappedError, InputError) as error:
            return _Sent(stored, (), (), str(error))
        if self._sealer is not None:
            self._sealer.enter(commands)
        return _Sent(stored, commands, [self._ledger.submit(one) for one in commands])

    def _commands(self, stored: StoredMessage) -> list[Command]:
        """Check the commands as the writer will: an invalid command is not sent."""
        accepted = self._spool.accepted(stored.round)
        found = self._provider.commands(stored.body, accepted)
        return [
            msgspec.structs.replace(
                decode_command(encode_command(command)),
                command_id=self._identifier(stored.message, at),
                source=self._provider.name,
            )
            for at, command in enumerate(found)
        ]

    def _keep(self, sent: Sequence[_Sent]) -> None:
        """Store the outcomes of a feed's messages, up to the first without an outcome."""
        outcomes: list[MessageOutcome] = []
        try:
            for one in sent:
                outcomes.append(_outcome(one))  # noqa: PERF401 - those before an error are kept
        finally:
            self._spool.follow(outcomes)

    def _record_set_aside(self, aside: SetAsideMessage) -> Future[Receipt]:
        what = (aside.message, aside.digest) if aside.message else (aside.feed, aside.number)
        told = aside._asdict()
        del told["row"]
        name = self._provider.name
        command = RecordUnmappedMessage(
            command_id=self._identifier(aside.reason, *what), source=name, provider=name, **told
        )
        if self._sealer is not None:
            self._sealer.enter([command])
        return self._ledger.submit(command)

    def _identifier(self, *what: object) -> UUID:
        return uuid5(NAMES, "\n".join([self._provider.name, *map(str, what)]))


def _outcome(sent: _Sent) -> MessageOutcome:
    """Wait for the outcome of a message.

    Raises:
        LedgerError: the message is not decided.

    """
    if sent.why_not:
        return MessageOutcome(sent.stored, "unmapped", sent.why_not)
    try:
        receipts = [one.result() for one in sent.receipts]
    except InputError as error:
        return MessageOutcome(sent.stored, "unmapped", str(error))
    done = [
        command
        for command, receipt in zip(sent.commands, receipts, strict=True)
        if receipt.refused is None
    ]
    refused = next((one.refused for one in receipts if one.refused is not None), None)
    return MessageOutcome(
        sent.stored,
        "refused" if refused else "",
        f"{refused.code}: {refused.sentence}" if refused else "",
        tuple(one.bet for one in done if isinstance(one, PlaceBet)),
        tuple(one.bet for one in done if isinstance(one, WithdrawBet)),
        any(isinstance(one, SettleRound | VoidRound) for one in done),
    )
