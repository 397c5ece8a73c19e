"""Record refused requests in the chain of accesses.

Input: refused requests of readers, and the reasons. Output: a record, next to the records of
accesses, for investigations of misuse. However often a client tries, the number of records a minute
is limited for each reason and reader; further attempts are counted in the next record.
"""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Literal

from ledger.core.clock import MINUTE
from ledger.core.errors import AvailabilityError
from ledger.events import event_types as e

if TYPE_CHECKING:
    from ledger.core.clock import Clock
    from tools.access.chain import AccessChain

__all__ = ["RECORDS_MAX", "Refusals", "Why"]

Why = Literal["scope", "token", "certificate", "form", "parameter"]

RECORDS_MAX = 6
"""Records of one reason and reader in a minute."""


class Refusals:
    """Record refusals, at most six per minute for each reader and reason; count the others."""

    def __init__(self, chain: AccessChain, clock: Clock) -> None:
        """Begin without refusals."""
        self._chain, self._clock = chain, clock
        self._begun: dict[tuple[str, Why], int] = {}
        self._records: dict[tuple[str, Why], int] = {}
        self._left: dict[tuple[str, Why], e.AccessRefused] = {}
        self._changing = Lock()

    def note(self, why: Why, question: str, *, reader: str = "", scope: str = "") -> None:
        """Record a refused attempt, or only count it if the limit of records is reached."""
        key, now = (reader, why), self._clock.now()
        with self._changing:
            before = self._left.pop(key, None)
            refused = e.AccessRefused(
                reader=reader,
                scope=scope,
                question=question,
                why=why,
                attempts=1 + (before.attempts if before else 0),
            )
            if now >= self._begun.get(key, 0) + MINUTE:
                self._begun[key], self._records[key] = now, 0
            if self._records[key] >= RECORDS_MAX:
                self._left[key] = refused
                return
            self._records[key] += 1
        self._record(refused)

    def close(self) -> None:
        """Record the attempts that were counted but not recorded, once per reader and reason."""
        with self._changing:
            left, self._left = self._left, {}
        for refused in left.values():
            self._record(refused)

    def _record(self, refused: e.AccessRefused) -> None:
        with suppress(AvailabilityError):  # an unrecorded refusal still refuses
            self._chain.record(refused, actor=refused.reader or "nobody")
