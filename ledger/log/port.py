"""The log as the rest of the ledger sees it.

A log keeps messages in the order of their positions and finds them by tag and type. It
knows nothing of what they mean. Two promises carry everything else: an append is atomic
and durable when it returns, and what was appended never changes. Adapters: ``memory`` for
tests, ``sqlite`` for one machine; a Kafka adapter fits behind the same port, because every
question that a topic can't answer is put to the index, which is rebuilt from the messages.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from ledger.core.encoding import PREVIOUS_HASH, decode, decode_envelope, hash_of
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.merkle import root
from ledger.core.signing import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ledger.core.encoding import Envelope, Recorded
    from ledger.core.message import Head, Message
    from ledger.core.tag_map import TagProof

__all__ = [
    "Log",
    "Query",
    "ReadableLog",
    "checkpoint_of",
    "envelope_at",
    "events_at",
    "linked",
    "size_before",
]

_NEAR = 16
"""Messages between two that are wanted which are read with them."""


class Query(Struct, frozen=True):
    """Which events are asked for: of one of the types (any, if empty) with all of the tags."""

    types: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class ReadableLog(Protocol):
    """What readers may do; any number of them, in any process."""

    def head(self) -> Head:
        """Return where the log ends now."""

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return (position, message) from ``start`` up to, not including, ``stop``, in order.

        Only messages that were committed when the reading began are given. Memory stays
        bounded whatever the length.
        """

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node of the tree over the messages.

        ``ledger.core.merkle`` says how nodes are named, and makes roots and proofs of them.

        Raises:
            InputError: the log has no messages for it yet.

        """

    def map_root(self, size: int) -> bytes:
        """Return the root of the tag map of the first ``size`` messages.

        Raises:
            InputError: the log has fewer.

        """

    def tag_proofs(self, tags: Iterable[str], size: int) -> list[TagProof]:
        """Return what that map says of some tags, with proof; see ``ledger.core.tag_map``.

        Raises:
            InputError: the log has fewer messages, or the map holds no tags of that kind.

        """

    def close(self) -> None:
        """Let go of files and locks; closing twice is allowed."""


class Log(ReadableLog, Protocol):
    """What the one writer may do besides."""

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions; all messages or none, durable on return.

        Raises:
            IntegrityError: the messages do not continue the head (position or
                ``previous_hash``); nothing was written.
            AvailabilityError: the medium failed. The outcome is known: the adapter looked,
                and nothing was written.

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
        """Return the positions of matching events, ascending, or descending ``backwards``."""

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of those commands that were recorded."""

    def wait(self, size: int, timeout_seconds: float) -> bool:
        """Wait until the log is longer than ``size``; false when the time is over."""


def events_at(log: ReadableLog, positions: Iterable[int]) -> Iterator[Recorded]:
    """Yield the events at some positions; nothing for one behind the end.

    Positions that ascend and are near each other are read together.

    Raises:
        IntegrityError: as :func:`linked`.
    """
    stretch: list[int] = []
    for position in positions:
        if stretch and not 0 < position - stretch[-1] <= _NEAR:
            yield from _events_of(log, stretch)
            stretch = []
        stretch.append(position)
    if stretch:
        yield from _events_of(log, stretch)


def _events_of(log: ReadableLog, stretch: list[int]) -> Iterator[Recorded]:
    wanted = set(stretch)
    for position, message in linked(log, stretch[0], stretch[-1] + 1):
        if position in wanted:
            yield decode(message)


def linked(log: ReadableLog, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """Yield messages as ``read`` does, each if the one behind it, or the head, has its hash.

    Raises:
        IntegrityError: it has not, with the position: a message was altered.
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
        else:  # another one was appended meanwhile
            yield from linked(log, before[0], stop)


def _require_hash(read: tuple[int, bytes], due: bytes) -> None:
    position, message = read
    if hash_of(message) != due:
        raise IntegrityError(
            f"message {position} of the log, or the one behind it, was altered: run the verifier",
            position=position,
        )


def envelope_at(log: ReadableLog, position: int) -> Envelope:
    """Return the envelope of a message.

    Raises:
        AvailabilityError: the log has no such message.
        IntegrityError: as :func:`linked`.
    """
    for _, message in linked(log, position, position + 1):
        return decode_envelope(message)
    raise AvailabilityError(f"the log lacks message {position}: verify it")


def size_before(log: ReadableLog, moment: int, size: int) -> int:
    """Count those of the first ``size`` messages that were recorded before a moment.

    Moments of the record never go back.
    """
    return bisect_left(range(size), moment, key=lambda at: envelope_at(log, at).recorded_at)


def checkpoint_of(chain: str, log: ReadableLog) -> Checkpoint:
    """Return what is to be signed of a log as it is now."""
    size = log.head().size
    return Checkpoint(chain, size, root(log.node, size), log.map_root(size))
