"""A copy of a log in which every message was verified before it was stored.

What comes in: the messages of a log in their order, and signed checkpoints of it. What goes out: a
log that holds them, and for each checkpoint whether it is one of this chain. Guaranteed: a message
is stored only with its whole decision, after hash, link, facts, keys and signatures were checked; a
copy that is opened again goes on at its last checkpoint. Rejected: the first message with a
fault, and everything behind it; a checkpoint with another root, or another tag map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import IntegrityError
from ledger.core.phrases import Phrase
from ledger.log.index.tag_index import message_of
from ledger.log.trusted_prefix import read_trusted_prefix
from ledger.tlog import merkle
from ledger.verification.chain_verifier import ChainVerifier
from ledger.verification.tag_map_check import NoMapCheck

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.core.message import Message
    from ledger.log.port import Log
    from ledger.tlog.signing import Checkpoint, PublicKey

__all__ = ["VerifiedCopy"]

BATCH_MESSAGES = 2_000
"""Messages of one append; a longer decision is appended alone."""


class VerifiedCopy:
    """A log open for writing, and the verification of what comes next; for one thread."""

    def __init__(
        self, log: Log, keys: Sequence[PublicKey], checkpoint: Checkpoint | None = None
    ) -> None:
        """Verify what the log holds behind a checkpoint.

        Args:
            log: the copy, empty or with a beginning of the chain.
            keys: of the log; they are trusted, and no other under their names.
            checkpoint: the last that was found to be of this copy.

        Raises:
            IntegrityError: the copy is damaged.

        """
        self.log = log
        self._claims, self._commands = _Claims(), _Commands()
        self._verifier = ChainVerifier(
            {key.key_id: key.raw for key in keys}, None, None, self._commands, self._claims
        )
        if checkpoint is not None:
            self._verifier.resume_from(read_trusted_prefix(log, checkpoint))
        self._decision: list[Message] = []
        self._waiting: list[Message] = []
        for position, body in log.read(self._verifier.size):
            self._verifier.verify_message(position, body, iter(()))
            if self._claims.found:
                self._compare()
        self._compare()

    @property
    def size(self) -> int:
        """Number of messages that were verified, stored or about to be."""
        return self._verifier.size

    @property
    def keys_in_force(self) -> tuple[PublicKey, ...]:
        """The keys that the chain added and did not revoke, up to ``size``."""
        return self._verifier.keys_in_force

    def add(self, messages: Iterable[bytes]) -> None:
        """Verify the next messages; whole decisions are stored at the latest by :meth:`store`.

        Raises:
            IntegrityError: the first message with a fault; nothing behind it is taken any more.
            AvailabilityError: the copy can't be written.

        """
        for body in messages:
            self._verifier.verify_message(self.size, body, iter(()))
            message = message_of(self.size - 1, body)
            self._decision.append(message)
            if len(self._decision) < message.decision_size:
                continue
            self._waiting += self._decision
            self._decision = []
            if self._claims.found or len(self._waiting) >= BATCH_MESSAGES:
                self.store()

    def store(self) -> None:
        """Store the whole decisions that were verified.

        Raises:
            IntegrityError: a command was recorded twice, or a checkpoint names another tag map.
            AvailabilityError: the copy can't be written.

        """
        if self._waiting:
            self._commands.require_new(self.log)
            self.log.append(self._waiting)
            self._waiting = []
        self._compare()

    def require(self, checkpoint: Checkpoint) -> None:
        """Check that a checkpoint is of this chain; everything that it covers is stored.

        Raises:
            IntegrityError: it names another root or tag map, or ends within a decision.

        """
        size = checkpoint.size
        self.store()
        if self.log.head().size < size:
            raise IntegrityError(Phrase("DECISION_TORN", at=size - 1, count=1), position=size - 1)
        if merkle.root(self.log.node, size) != checkpoint.root:
            raise IntegrityError(Phrase("NOTE_ROOT_WRONG", size=size), position=size - 1)
        if self.log.map_root(size) != checkpoint.map_root:
            raise IntegrityError(Phrase("NOTE_MAP_WRONG", size=size), position=size - 1)

    def _compare(self) -> None:
        """Compare the tag maps of checkpoints in the chain, and the commands that were read."""
        self._commands.require_new(self.log)
        for claim in self._claims.found:
            if self.log.map_root(claim.size) != claim.map_root:
                fault = Phrase("CHECKPOINT_MAP_WRONG", at=claim.at, size=claim.size)
                raise IntegrityError(fault, position=claim.at)
        self._claims.found = []


class _Claim(NamedTuple):
    at: int
    size: int
    map_root: bytes


class _Claims(NoMapCheck):
    """Collects the tag maps that checkpoints in the chain name."""

    def __init__(self) -> None:
        self.found: list[_Claim] = []

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        self.found.append(_Claim(at, size, map_root))


class _Commands:
    """Collects the commands of decisions, to be looked up in the index of the copy."""

    def __init__(self) -> None:
        self._found: dict[bytes, int] = {}

    def add(
        self,
        position: int,
        event_type: str,  # noqa: ARG002 - of the protocol
        tags: Sequence[bytes],  # noqa: ARG002
        command: bytes,
        size: int,  # noqa: ARG002
    ) -> None:
        """Take a message; a command that came before is a fault."""
        if not command:
            return
        if command in self._found:
            raise _twice(position, command, self._found[command])
        self._found[command] = position

    def require_new(self, log: Log) -> None:
        """Require that no command is recorded at another position, and forget them."""
        for command, (first, _) in log.commands(self._found).items():
            if first != self._found[command]:
                raise _twice(self._found[command], command, first)
        self._found = {}


def _twice(position: int, command: bytes, first: int) -> IntegrityError:
    fault = Phrase("COMMAND_TWICE", at=position, command=command.hex(), other=first)
    return IntegrityError(fault, position=position)
