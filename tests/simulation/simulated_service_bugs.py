"""Deliberate bugs of the access service and of the lease; see ``simulated_bugs``."""

from __future__ import annotations

from typing import Any

from ledger.core.errors import AvailabilityError
from ledger.log.kafka.standby import _Follower, _Lease
from tests.simulation.bug_register import bug
from tests.simulation.simulated_lease import SimulatedConsumer
from tools.access.chain import AccessChain, _Entry


@bug("an access is recorded with the next one", needs="reads")
def _(patched: Any) -> None:
    def record(self: AccessChain, *events: Any, actor: str = "") -> int:
        earlier, self._waiting = self._waiting, [_Entry(events, actor)]
        with self._writing:
            self._append(earlier)
        return self._require_log().head().size

    patched.setattr(AccessChain, "record", record)


@bug("an access that could not be recorded is answered", needs="reads")
def _(patched: Any) -> None:
    append = AccessChain._append

    def forget(self: AccessChain, batch: Any) -> None:
        append(self, batch)
        for entry in batch:
            entry.error = None

    patched.setattr(AccessChain, "_append", forget)


@bug("a chain of accesses that has stopped stays open", needs="reads")
def _(patched: Any) -> None:
    append = AccessChain._append

    def stay(self: AccessChain, batch: Any) -> None:
        log = self._log
        append(self, batch)
        if self._log is None:
            self._log = log
            self._current.set()

    patched.setattr(AccessChain, "_append", stay)


@bug(
    "a reader takes the answer of an old leader for a truncated topic",
    seed=2_000_025,
    needs="reads",
)
def _(patched: Any) -> None:
    patched.setattr("ledger.log.kafka.log.STALE_SECONDS", 0)


@bug("a join that a poll has lost is not asked for again", needs="lease")
def _(patched: Any) -> None:
    patched.setattr(SimulatedConsumer, "request_rejoin", lambda _: None)


@bug("a writer that has lost the lease goes on", seed=3_000_030, needs="lease")
def _(patched: Any) -> None:
    patched.setattr(_Lease, "watch", lambda *_: None)


@bug("a standby leads before it has the lease", needs="lease")
def _(patched: Any) -> None:
    wait = _Lease.wait

    def lead(self: _Lease, timeout_seconds: float) -> bool:
        return bool(wait(self, timeout_seconds) or self._consumer.group_metadata().state)

    patched.setattr(_Lease, "wait", lead)


@bug("a standby notes a head that goes back", needs="lease")
def _(patched: Any) -> None:
    def follow(self: _Follower) -> None:
        assert self._log is not None
        assert self._note is not None
        head = self._log.head()
        if head != self._note.head:
            try:
                self._note.write(head)
            except OSError as error:
                raise AvailabilityError("the head can't be noted") from error

    patched.setattr(_Follower, "follow", follow)
