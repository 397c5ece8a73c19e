"""A writer under load, and the oracle: what was acknowledged is there once, and nothing else."""

from __future__ import annotations

import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Self

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.events.encoding import decode_envelope
from ledger.log.kafka.log import KafkaLog
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log import Head, Message

QUICK = {
    "request_seconds": 2,
    "commit_seconds": 3,
    "settle_seconds": 180,
    "read_seconds": 5,
    "transaction_seconds": 240,
}
"""Time-outs that let a test see what happens after them."""

PAUSE_SECONDS = 0.02
"""Between two batches: as fast as can be, nodes under load use the processor for nothing more."""


class Load:
    """Appends batch after batch in a thread and remembers what was acknowledged."""

    def __init__(self, log: KafkaLog) -> None:
        self.log = log
        self.acknowledged: list[Message] = []
        self.refused = 0
        self.longest_stall = 0.0
        self.error: Exception | None = None
        self._moved = threading.Condition()
        self._is_over = threading.Event()
        self._chain = Chain.behind(log) if log.head().size else Chain()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        if not self._chain.head.size:
            self.log.append(self._chain.open().messages)
            self.acknowledged += self._chain.messages
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(240)

    def await_batches(self, count: int, seconds: float = 240) -> None:
        """Wait until so many more batches are acknowledged."""
        with self._moved:
            wanted = len(self.acknowledged) + 3 * count
            reached = self._moved.wait_for(
                lambda: len(self.acknowledged) >= wanted or self.error is not None, seconds
            )
        assert self.error is None, repr(self.error)
        assert reached, f"no {count} batches in {seconds} s"

    def _run(self) -> None:
        number = 0
        while not self._is_over.wait(PAUSE_SECONDS):
            number += 1
            head, moment = self._chain.head, self._chain.moment
            batch = self._chain.add(landed(number % 37), landed(number % 37, "r-2"))
            batch = batch + self._chain.add(landed(number % 37))
            started = time.monotonic()
            try:
                self.log.append(batch)
            except AvailabilityError as error:
                try:
                    assert self.log.head() == head
                except (LedgerError, AssertionError):
                    return self._end(error)
                self.refused += 1
                self._chain.head, self._chain.moment = head, moment
            except Exception as error:  # noqa: BLE001 - the test asks whether there was one
                return self._end(error)
            else:
                stall = time.monotonic() - started
                with self._moved:
                    self.longest_stall = max(self.longest_stall, stall)
                    self.acknowledged += batch
                    self._moved.notify_all()
        return None

    def _end(self, error: Exception) -> None:
        with self._moved:
            self.error = error
            self._moved.notify_all()


def judge(
    url: str, folder: Path, acknowledged: list[Message], *, unanswered: int = 0
) -> dict[str, int]:
    """Read the topic as a stranger does and hold it against what was acknowledged.

    Args:
        url: the log.
        folder: where the stranger keeps nothing.
        acknowledged: messages whose append returned.
        unanswered: messages whose append neither returned nor was known to have failed; they
            may follow what was acknowledged.

    """
    with closing(KafkaLog(url, folder, writable=False)) as log:
        stored = list(log.read())
        head: Head = log.head()
    bodies = [body for _, body in stored]
    counts = {
        "acknowledged": len(acknowledged),
        "lost": len({message.body for message in acknowledged} - set(bodies)),
        "doubled": len(bodies) - len(set(bodies)),
        "unanswered and there": len(bodies) - len(acknowledged),
    }
    assert counts["lost"] == counts["doubled"] == 0, counts
    assert bodies[: len(acknowledged)] == [message.body for message in acknowledged]
    assert 0 <= counts["unanswered and there"] <= unanswered, counts
    assert verify(stored).head == head
    last = decode_envelope(bodies[-1])
    assert last.decision_index + 1 == last.decision_size
    return counts
