"""The confidential chain: read reports of suspicion, and verify its commitments in the main chain.

Input: the folder of the confidential chain, which only its owner may use, and the main chain. A
commitment is a keyed digest over a day, size and root of the confidential chain. The key is that of
the chain's own digests and never leaves its folder: without it sizes or roots can't be guessed, and
the same state has another commitment on another day. Guaranteed: a holder of the key detects when a
report covered by a commitment was changed, backdated or removed. Rejected: a folder that other
users may use.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import InputError, IntegrityError
from ledger.decisions.suspicion import APART
from ledger.events import event_types as e
from ledger.events.encoding import hash_of
from ledger.log.port import Query, events_at
from ledger.privacy import open_fields
from ledger.rules.law import SUSPICION_REPORTED_WITHIN
from ledger.storage.secret_files import require_private
from ledger.tlog.merkle import CompactRange, root
from ledger.tlog.signing import Checkpoint
from tools.data.directory import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.log.port import Log
    from ledger.privacy import KeyStore

__all__ = ["CommitmentCoverage", "ConfidentialChain", "Suspicion"]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A report; texts are missing where its key is gone.

    ``suspected_at`` is when the suspicion arose, ``None`` where that was not recorded. ``is_late``
    says that the report was not made without delay: within ``SUSPICION_REPORTED_WITHIN`` of it.
    """

    report: str
    position: int
    recorded_at: int
    suspected_at: int | None
    is_late: bool
    account: str | None
    transactions: str | None
    grounds: str | None
    sent: str | None


@dataclass(frozen=True, slots=True)
class CommitmentCoverage:
    """Commitments of the main chain, and how many of the messages apart the last one covers."""

    commitments: int
    covered: int
    size: int


class ConfidentialChain:
    """A confidential chain, open for reading.

    Args:
        log: its log.
        keys: its keys.

    Raises:
        InputError: the log is of another chain.

    """

    def __init__(self, log: Log, keys: KeyStore) -> None:
        """Check the name of the chain."""
        self._log, self._keys = log, keys
        (opened,) = events_at(log, [0])
        if not isinstance(opened.event, e.ChainOpened) or not opened.event.chain.endswith(APART):
            raise InputError(f"this is not a chain apart: its name would end with {APART}")
        self._name = opened.event.chain

    @classmethod
    @contextmanager
    def at(cls, folder: Path) -> Iterator[ConfidentialChain]:
        """Open the confidential chain in a folder.

        Raises:
            AuthorizationError: other users may use the folder.
            InputError: there is no chain.

        """
        directory = DataDirectory(folder, LOCAL)
        with closing(directory.read()) as log:
            require_private(folder)
            with closing(directory.keys()) as keys:
                yield cls(log, keys)

    def reports(self) -> list[Suspicion]:
        """Read all reports, in their order."""
        found = []
        for recorded in events_at(self._log, self._log.find(Query(types=("SuspicionReported",)))):
            if isinstance(recorded.event, e.SuspicionReported):
                fields = open_fields(self._keys, recorded.event.person, recorded.event)
                since = recorded.event.suspected_at
                at = recorded.envelope.recorded_at
                found.append(
                    Suspicion(
                        report=recorded.event.report,
                        position=recorded.position,
                        recorded_at=at,
                        suspected_at=since,
                        is_late=since is not None and at - since > SUSPICION_REPORTED_WITHIN,
                        account=fields["about"],
                        transactions=fields["transactions"],
                        grounds=fields["grounds"],
                        sent=fields["sent"],
                    )
                )
        return found

    def commitment(self, day: str) -> bytes:
        """Return the commitment to the current state of the chain, for a day."""
        size = self._log.head().size
        return self._commitment(day, size, root(self._log.node, size))

    def verify(self, main: Log) -> CommitmentCoverage:
        """Find the state of the confidential chain that each commitment of the main chain covers.

        All messages are hashed again: the nodes stored next to the log may predate a change of it.

        Raises:
            IntegrityError: a commitment does not match: the chain was changed or truncated.

        """
        size, count, tree = self._log.head().size, 0, CompactRange()
        messages = self._log.read(0, size)
        for recorded in events_at(main, main.find(Query(types=("CommitmentRecorded",)))):
            event = recorded.event
            if not isinstance(event, e.CommitmentRecorded):
                continue
            before = max(tree.size, 1)
            while (
                not tree.size
                or self._commitment(event.day, tree.size, tree.root()) != event.commitment
            ):
                _, message = next(messages, (0, None))
                if message is None:
                    raise IntegrityError(
                        f"the commitment in message {recorded.position} was not made of this "
                        f"chain with {before} to {size} messages: it was changed or cut off, "
                        "restore it from a copy",
                        position=recorded.position,
                    )
                tree.add(hash_of(message))
            count += 1
        return CommitmentCoverage(count, tree.size, size)

    def _commitment(self, day: str, size: int, head: bytes) -> bytes:
        text = Checkpoint(self._name, size, head).text
        return self._keys.digest("commitment", f"{day}\n{text}".encode())
