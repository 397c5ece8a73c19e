"""The hash chain: how decisions become linked messages, and how a chain is verified.

What comes in: the head of a chain and the events of one decision. What goes out: messages
that carry the hash of the one before, and the head behind them. :func:`verify` reads a chain
from its first message and names the first fault. What is promised and what can't be known
is written down in docs/format.md.
"""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from ledger.core.clock import is_moment
from ledger.core.encoding import Envelope, encode, tags_of
from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.core.merkle import leaf_hash
from ledger.core.message import Head, Message
from ledger.core.repeats import Repeats
from ledger.core.schema_book import SELF_DESCRIBED
from ledger.core.self_description import CHECKPOINT_WINDOW, FORMAT_VERSION, HASH_ALGORITHM
from ledger.core.signing import Checkpoint
from ledger.core.tag_map_check import MapCheck, MapJudge
from ledger.core.walk import BLOCK, MESSAGE_BYTES_MAX, Note, Trusted, Unknown, Verified, Walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ledger.core.events import Event

__all__ = [
    "CHECKPOINT_WINDOW",
    "FORMAT_VERSION",
    "HASH_ALGORITHM",
    "MESSAGE_BYTES_MAX",
    "SELF_DESCRIBED",
    "Trusted",
    "Unknown",
    "Verified",
    "link",
    "require_fits",
    "verify",
]

_PROGRESS_MESSAGES = 65_536


def link(
    head: Head,
    events: Sequence[Event],
    *,
    command_id: bytes,
    command_digest: bytes,
    recorded_at: int,
    occurred_at: int,
    actor: str,
    source: str,
) -> tuple[list[Message], Head]:
    """Make the messages of one decision and the head of the chain behind them.

    Pure: nothing is written. Several decisions of one batch are linked one after the other,
    each from the head that the one before gave.

    Raises:
        InputError: there is no event; a decision has at least one.
        AvailabilityError: the clock is not within the years of the format.

    """
    if not events:
        raise InputError("a decision has at least one event")
    if not is_moment(recorded_at):
        raise AvailabilityError(f"the clock is beyond 1970 to 2199 ({recorded_at} µs): set it")
    position, digest = head
    decision_size = len(events)
    messages = []
    for index, event in enumerate(events):
        envelope = Envelope(
            previous_hash=digest,
            command_id=command_id,
            command_digest=command_digest,
            position=position,
            decision_index=index,
            decision_size=decision_size,
            recorded_at=recorded_at,
            occurred_at=occurred_at,
            actor=actor,
            source=source,
        )
        body = encode(envelope, event)
        messages.append(
            Message(
                position=position,
                body=body,
                type=type(event).__name__,
                tags=tags_of(event),
                command_id=None if index else command_id,
                decision_size=decision_size,
            )
        )
        position, digest = position + 1, leaf_hash(body)
    return messages, Head(position, digest)


def require_fits(messages: Sequence[Message]) -> None:
    """Refuse a decision with a message that is larger than the format allows.

    Raises:
        InputError: one is too large.

    """
    for message in messages:
        if len(message.body) > MESSAGE_BYTES_MAX:
            raise InputError(
                f"{message.type} would have {len(message.body)} bytes, {MESSAGE_BYTES_MAX} at "
                "most: nothing was recorded; name less in one command"
            )


def verify(
    messages: Iterable[tuple[int, bytes]],
    *,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
    scanned: Note | None = None,
    maps: MapJudge | None = None,
    after: Trusted | None = None,
) -> Verified:
    """Verify a chain from its first message to its last, in one pass and in flat memory.

    The identifiers of the commands wait in a temporary file, so that a repeat is found, and the
    tag map is computed in another.

    Args:
        messages: (position, message) of the whole chain, as a log gives them.
        keys: public keys by name that the reader trusts from elsewhere; a chain that adds
            another key under such a name is refused, and only their checkpoints count as
            cover. Without it, the keys that the chain itself adds count.
        since: size and head that were remembered from an earlier time, or a signed note.
        progress: is told the number of verified messages now and then.
        scanned: is told what an index has to know of each message: position, type (empty if
            this program does not have its schema), tags in UTF-8, and the command and the size of
            the decision; the command is ``None`` but for its first message.
        maps: computes the tag map; in this process, if it is left out.
        after: what is known already; the messages are those behind it. Whether one of them decides
            a command again that was decided before can't be told then.

    Raises:
        IntegrityError: the first fault, with its position; a repeated command and a false tag map
            are looked for last.
        InputError: the note is of another chain.
        AvailabilityError: the temporary file can't be written.
    """
    note = since if isinstance(since, Checkpoint) else None
    judge = maps or MapCheck(CHECKPOINT_WINDOW, note)
    with closing(Repeats()) as repeats, closing(judge):
        walk = Walk(keys or {}, since, repeats, scanned, judge)
        if after is not None:
            walk.go_on(after)
        blocks = _blocks(messages)
        for block in blocks:
            if not walk.take(block):
                _step(walk, block, blocks)
            if progress is not None and not walk.size % _PROGRESS_MESSAGES:
                progress(walk.size)
        walk.finish()
        repeats.require_none()
        judge.finish()
    if progress is not None:
        progress(walk.size)
    return walk.result()


def _blocks(messages: Iterable[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    """Yield messages by the block; what was read before an error is judged before it is raised."""
    following = iter(messages)
    error: LedgerError | None = None
    while error is None:
        block = []
        try:
            for item in islice(following, BLOCK):
                block.append(item)  # noqa: PERF402 - what came before an error is kept
        except LedgerError as found:
            error = found
        if block:
            yield block
        elif error is None:
            return
    raise error


def _step(
    walk: Walk, block: list[tuple[int, bytes]], behind: Iterator[list[tuple[int, bytes]]]
) -> None:
    """Judge the messages of a block one by one."""
    for number, (position, body) in enumerate(block, 1):
        if not walk.step(position, body):
            rest = block[number:] or next(behind, [])
            raise walk.broken_link(body, rest[0] if rest else None)
