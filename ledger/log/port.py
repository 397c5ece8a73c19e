"""The log interface that the rest of the ledger uses.

A log stores messages in the order of their positions and finds them by tag and type. It does not
interpret them. It has two guarantees: an append is atomic and durable when it returns, and appended
messages never change. Adapters: ``memory`` for tests, ``sqlite`` for one machine, ``kafka`` for a
cluster. Queries by tag use an index, which is rebuilt from the messages.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.events.encoding import PREVIOUS_HASH, decode, decode_envelope, hash_of
from ledger.tlog.merkle import root
from ledger.tlog.signing import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ledger.core.message import Head, Message
    from ledger.events.encoding import Envelope, RecordedEvent
    from ledger.tlog.tag_map import TagProof

__all__ = [
    "Log",
    "Messages",
    "Query",
    "ReadableLog",
    "checkpoint_of",
    "envelope_at",
    "events_at",
    "linked_messages",
    "size_before",
]

_NEAR = 16
"""Maximum gap, in messages, between two requested ones that are read in one pass."""


class Query(Struct, frozen=True):
    """Selects events that have one of the types (any type, if empty) and all of the tags."""

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Messages(Protocol):
    """Messages that can be read in order: a log, or a published log in tiles."""

    def head(self) -> Head:
        """Return the current head."""

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return (position, message) from ``start`` up to, not including, ``stop``, in order.

        Returns only messages that were committed when the read began. Memory stays bounded whatever
        the length.
        """


class ReadableLog(Messages, Protocol):
    """Operations of readers; any number of readers, in any process, may use a log."""

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node of the tree over the messages.

        ``ledger.tlog.merkle`` defines the names of nodes and computes roots and proofs from them.

        Raises:
            InputError: the log does not have all messages below the node yet.

        """

    def map_root(self, size: int) -> bytes:
        """Return the root of the tag map of the first ``size`` messages.

        Raises:
            InputError: the log has fewer messages.

        """

    def tag_proofs(self, tags: Iterable[str], size: int) -> list[TagProof]:
        """Return the values of some tags in that map, with proofs; see ``ledger.tlog.tag_map``.

        Raises:
            InputError: the log has fewer messages, or the map holds no tags of that kind.

        """

    def close(self) -> None:
        """Release files and locks; closing twice is allowed."""


class Log(ReadableLog, Protocol):
    """Operations of the writer, in addition to those of readers."""

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions; all messages or none, durable on return.

        Raises:
            IntegrityError: the messages do not continue the head (position or
                ``previous_hash``); nothing was written.
            AvailabilityError: the storage failed. The adapter has checked the outcome: nothing was
                written.

        """

    def confirm(self) -> None:
        """Check that no other writer has appended since the head of this log.

        A receipt for an append proves that by itself. An answer without an append, such as an input
        error, needs this check before it is sent.

        Raises:
            FencedError, IntegrityError: another writer took over, or wrote; this log has stopped.
            AvailabilityError: the storage failed; it is safe to check again.

        """

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Return the positions of matching events, ascending; descending if ``backwards``.

        ``after`` and ``before`` are excluded; ``before`` None is the end, ``limit`` None returns
        all.
        """

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decision of each command that was recorded."""

    def wait(self, size: int, timeout_seconds: float) -> bool:
        """Wait until the log is longer than ``size``; return False on timeout."""


def events_at(log: ReadableLog, positions: Iterable[int]) -> Iterator[RecordedEvent]:
    """Yield the events at some positions; positions after the end are skipped.

    Ascending positions near each other are read together.

    Raises:
        IntegrityError: as :func:`linked_messages`.
    """
    run: list[int] = []
    for position in positions:
        if run and not 0 < position - run[-1] <= _NEAR:
            yield from _events_of(log, run)
            run = []
        run.append(position)
    if run:
        yield from _events_of(log, run)


def _events_of(log: ReadableLog, run: list[int]) -> Iterator[RecordedEvent]:
    wanted = set(run)
    for position, message in linked_messages(log, run[0], run[-1] + 1):
        if position in wanted:
            yield decode(message)


def linked_messages(log: ReadableLog, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """Yield messages as ``read`` does, each after its hash was checked.

    The hash of a message must match the one that its successor names or, at the end, the head.

    Raises:
        IntegrityError: a hash does not match, with the position: a message was altered.

    """
    before: tuple[int, bytes] | None = None
    for position, message in log.read(start, stop + 1):
        if before is not None:
            _require_hash(before, message[PREVIOUS_HASH])
            yield before
        before = position, message
    if before is not None and before[0] < stop:
        head = log.head()
        if before[0] == head.size - 1:
            _require_hash(before, head.hash)
            yield before
        else:  # another message was appended meanwhile
            yield from linked_messages(log, before[0], stop)


def _require_hash(read: tuple[int, bytes], due: bytes) -> None:
    position, message = read
    if hash_of(message) != due:
        raise IntegrityError(
            Phrase("MESSAGE_ALTERED_NEAR", at=position),
            position=position,
        )


def envelope_at(log: ReadableLog, position: int) -> Envelope:
    """Return the decoded envelope of the message at a position.

    Raises:
        AvailabilityError: the log has no such message.
        IntegrityError: as :func:`linked_messages`.

    """
    for _, message in linked_messages(log, position, position + 1):
        return decode_envelope(message)
    raise AvailabilityError(Phrase("LOG_LACKS_MESSAGE", at=position))


def size_before(log: ReadableLog, moment: int, size: int) -> int:
    """Count the messages among the first ``size`` that were recorded before a timestamp.

    A binary search: the timestamps of records never go back.
    """
    return bisect_left(range(size), moment, key=lambda at: envelope_at(log, at).recorded_at)


def checkpoint_of(chain: str, log: ReadableLog, size: int | None = None) -> Checkpoint:
    """Return the unsigned checkpoint of a log at a size, by default its current one."""
    size = log.head().size if size is None else size
    return Checkpoint(chain, size, root(log.node, size), log.map_root(size))
