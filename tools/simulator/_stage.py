"""The stage of a simulation: one clock, one source of chance, one queue of what comes next.

What comes in: actions with their moments, and scripts, which are generators that yield the
seconds to wait. What goes out: commands to the ledger, each with the simulated moment of its
record. Any number of commands is on its way at once, up to a bound; receipts are read in the
order of the commands, always after the same command, so that a seed gives one chain.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Protocol

from ledger.core.clock import SECOND
from ledger.tlog.source_seals import system_of

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from concurrent.futures import Future

    from ledger.events.command import Command
    from ledger.writer import Ledger, Receipt

    Script = Generator[float, None, None]
    Answer = Callable[[Receipt], None]

__all__ = ["THOUGHT", "LiveStage", "NumberingSource", "Script", "Stage"]

HESITATION = 0.25
THOUGHT = 7 * SECOND
"""Half of the time that players have to decide."""
LAG_MIN_MICROSECONDS = 180
LAG_MAX_MICROSECONDS = 2_400


class NumberingSource(Protocol):
    """A system that numbers what it sends."""

    def enter(self, command: Command) -> Command:
        """Number a command; return it with its identifier."""

    def seal(self, *, is_last: bool = False) -> None:
        """Seal what was sent since the last seal."""


class Stage:
    """Run actions in the order of their times and send their commands.

    ``random`` is the only source of randomness, ``moment`` the time of the running action in
    microseconds; ``open_books`` maps each account to the time when it was last active since its
    books were closed; ``plan_version`` is the game plan version that players accept, the first one
    published; ``sources`` are the systems that seal what they send, by name.

    Args:
        ledger: takes the commands.
        seed: of the random numbers.
        start: first time in microseconds.
        window: maximum number of commands in flight.

    """

    def __init__(self, ledger: Ledger, *, seed: int, start: int, window: int) -> None:
        """Begin with an empty queue."""
        self.random = Random(f"gameledger|{seed}")
        self.moment = start
        self.events = 0
        self.commands = 0
        self.refusals: Counter[str] = Counter()
        self.open_books: dict[str, int] = {}
        self.plan_version = ""
        self.sources: dict[str, NumberingSource] = {}
        self._ledger = ledger
        self._window = window
        self._recorded_at = start
        self._order = count()
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._sent: deque[tuple[Future[Receipt], str, Answer | None]] = deque()
        self._apart: deque[Future[Receipt]] = deque()

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        """Schedule an action that many seconds from now."""
        moment = self.moment + max(round(seconds * SECOND), 0)
        heapq.heappush(self._queue, (moment, next(self._order), action))

    def play(self, script: Script, *, after: float = 0) -> None:
        """Play a script; each number it yields is a wait in seconds, more or less."""

        def go_on() -> None:
            wait = next(script, None)
            if wait is not None:
                self.after(wait + self.random.random() * HESITATION, go_on)

        self.after(after, go_on)

    def run(self, before_action: Callable[[], None] | None = None) -> None:
        """Run until nothing is left to do, then wait for all receipts.

        Args:
            before_action: called before each action.

        """
        while self._queue:
            self.moment, _, action = heapq.heappop(self._queue)
            if before_action is not None:
                before_action()
            action()
        self.drain()

    def send(self, command: Command, answer: Answer | None = None) -> None:
        """Send a command; ``answer`` gets the receipt, some commands later."""
        source = self.sources.get(system_of(command.source)) if self.sources else None
        if source is not None:
            command = source.enter(command)
        future = self._ledger.submit(command, at=self.moment_of_record())
        self._sent.append((future, getattr(command, "account", ""), answer))
        while len(self._sent) > self._window:
            self._read_one()

    def send_apart(self, command: Command) -> None:
        """Send a command that no source numbers; what else happens does not depend on it."""
        moment = max(self.moment, self._recorded_at)
        self._apart.append(self._ledger.submit(command, at=moment))

    @property
    def pending(self) -> int:
        """Number of scheduled actions."""
        return len(self._queue)

    @property
    def chain(self) -> str:
        """Name of the chain."""
        return self._ledger.chain

    def moment_of_record(self) -> int | None:
        """Return when the next command is recorded, a little after the one before."""
        lag = self.random.randint(LAG_MIN_MICROSECONDS, LAG_MAX_MICROSECONDS)
        self._recorded_at = max(self.moment, self._recorded_at) + lag
        return self._recorded_at

    def ask(self, command: Command) -> Receipt:
        """Send a command and wait for its receipt."""
        received: list[Receipt] = []
        self.send(command, received.append)
        self.drain()
        return received[0]

    def drain(self) -> None:
        """Wait for all receipts."""
        while self._sent:
            self._read_one()
        while self._apart:
            self._apart.popleft().result()

    def _read_one(self) -> None:
        future, account, answer = self._sent.popleft()
        receipt = future.result()
        self.commands += 1
        self.events += receipt.last_position - receipt.first_position + 1
        if receipt.refused is not None:
            self.refusals[receipt.refused.code] += 1
        if account and (receipt.refused is None or account in self.open_books):
            self.open_books[account] = receipt.recorded_at
        if answer is not None:
            answer(receipt)


class LiveStage(Stage):
    """A stage on which the ledger's own clock sets the timestamps of records."""

    def moment_of_record(self) -> int | None:
        """Return none."""
        return None
