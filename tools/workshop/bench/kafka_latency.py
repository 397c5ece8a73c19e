"""Measure the latency of a decision on a cluster of three: from the command to its receipt.

Commands are sent at predefined times, without waiting for earlier answers, and the latency is
measured from these times: a stall counts for every command that waited because of it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from ledger.core.clock import SystemClock
from ledger.decisions.rounds.opening import OpenRound
from ledger.log.kafka.log import KafkaLog
from tools.workshop.bench.load import ACCOUNTS, TABLE, begin, straight

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from ledger.events.command import Command
    from ledger.writer import Receipt
    from tools.workshop.broker import Cluster

__all__ = ["LatencySamples", "fastest", "latencies", "paced"]

RATES = (100, 1_000)
SECONDS = 10.0
IN_FLIGHT = 512
MOST_BETS = 20_000


def latencies(cluster: Cluster, folder: Path, say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Measure at each rate, then as fast as receipts come back with a bounded queue."""
    say("opening accounts on three nodes")
    log = KafkaLog(cluster.url("latency"), folder, writable=True)
    with begin(folder, clock=SystemClock(), log=log) as ledger:
        ledger.execute(OpenRound(round="latency", table=TABLE))
        bets = _bets()
        found = []
        for rate in RATES:
            say(f"decisions at {rate:,}/s")
            found.append(paced(ledger.submit, islice(bets, int(rate * SECONDS)), rate))
        say("decisions as fast as they are answered")
        found.append(fastest(ledger.submit, islice(bets, MOST_BETS)))
        return found


def _bets() -> Iterator[Command]:
    for number in count(1):
        yield straight(f"latency-{number}", ACCOUNTS[number % len(ACCOUNTS)], "latency", number)


def paced(
    send: Callable[[Command], Future[Receipt]], bets: Iterator[Command], rate: int
) -> dict[str, Any]:
    """Send bets at a rate, whether earlier ones were answered or not, and tell the figures."""
    waited = LatencySamples()
    begun = time.perf_counter()
    for index, bet in enumerate(bets):
        due = begun + index / rate
        ahead = due - time.perf_counter()
        if ahead > 0:
            time.sleep(ahead)
        waited.add(send(bet), due)
    return waited.found(f"{rate:,}/s", begun)


def fastest(send: Callable[[Command], Future[Receipt]], bets: Iterator[Command]) -> dict[str, Any]:
    """Send bets as fast as they are answered, so many at once, and tell the figures."""
    waited = LatencySamples()
    answers: deque[Future[Receipt]] = deque()
    begun = time.perf_counter()
    for bet in bets:
        if len(answers) >= IN_FLIGHT:
            answers.popleft().result()
        answers.append(send(bet))
        waited.add(answers[-1], time.perf_counter())
    return waited.found(f"most ({IN_FLIGHT} waiting)", begun)


class LatencySamples:
    """The latency of each receipt; a refusal or an error ends the measurement."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seconds: list[float] = []
        self._errors: list[str] = []
        self._asked = 0
        self._changed = threading.Condition()

    def add(self, answer: Future[Receipt], due: float) -> None:
        """Wait for a receipt that was due at a moment."""
        self._asked += 1

        def take(done: Future[Receipt]) -> None:
            error = done.exception()
            refused = None if error is not None else done.result().refused
            with self._changed:
                self._seconds.append(time.perf_counter() - due)
                if error is not None or refused is not None:
                    self._errors.append(str(error or refused))
                self._changed.notify_all()

        answer.add_done_callback(take)

    def found(self, asked: str, begun: float) -> dict[str, Any]:
        """Return the figures once every receipt is there."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._seconds) == self._asked, 120)
        if self._errors or len(self._seconds) < self._asked:
            raise RuntimeError(f"not every bet was accepted: {self._errors[:1]}")
        ordered = sorted(self._seconds)
        return {
            "asked": asked,
            "count": len(ordered),
            "rate": len(ordered) / (time.perf_counter() - begun),
            "p50_ms": ordered[len(ordered) // 2] * 1000,
            "p99_ms": ordered[len(ordered) * 99 // 100] * 1000,
            "max_ms": ordered[-1] * 1000,
        }
