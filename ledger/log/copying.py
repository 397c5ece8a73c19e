"""Copy one log into another: the same bytes, the same head, on any medium.

What comes in: a log to read and a log to write, empty or a prefix of the first. What goes out: the
second, extended to the head that the first had at the start; each append holds whole decisions.
Guaranteed: an interrupted copy resumes where it stopped, because the target shows its own progress;
at the end every message of the target is hashed and verified again. Rejected: a target that is
longer or holds another chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import InputError, IntegrityError
from ledger.log.index.tag_index import is_part_of, message_of
from ledger.verification.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ledger.core.message import Head, Message
    from ledger.log.port import Log, Messages

__all__ = ["CopyResult", "copy"]

BATCH_MESSAGES = 2_000
"""Number of messages of one append; a longer decision is appended alone."""
BATCH_BYTES = 1 << 20


class CopyResult(NamedTuple):
    """Result of a copy: the size of the target before it, and the common head after it."""

    begun_at: int
    head: Head


def copy(
    source: Messages, target: Log, *, progress: Callable[[int, int], None] | None = None
) -> CopyResult:
    """Extend the target to the current end of the source, and verify it.

    Args:
        source: the log to copy; it may grow meanwhile.
        target: open for writing.
        progress: called with the number of messages copied and verified, and their total.

    Raises:
        InputError: the target is not a prefix of the source, or the source is empty.
        IntegrityError: the source is broken or ends in a torn decision; whole decisions before
            that are copied.
        AvailabilityError: one of the two is unavailable; a retry resumes where it stopped.
    """
    head, begun = source.head(), target.head()
    if not head.size:
        raise InputError("the source holds no chain: nothing was copied")
    if begun.size > head.size or not is_part_of(source, begun):
        raise InputError(
            f"the target holds {begun.size} messages that are no beginning of the {head.size} of "
            "the source: name an empty target, or the copy that was interrupted"
        )
    total = 2 * head.size

    def report(done: int) -> None:
        if progress:
            progress(done, total)

    for batch in _batches(_decisions(source.read(begun.size, head.size), begun.size)):
        head_after = target.append(batch)
        report(head_after.size)
    verified = verify(target.read(), progress=lambda done: report(head.size + done))
    if not target.head() == verified.head == head:
        raise IntegrityError(
            f"the copy ends at {verified.head.size} with another hash than the source at "
            f"{head.size}: stop every writer of the target, and copy into an empty one"
        )
    return CopyResult(begun.size, head)


def _decisions(messages: Iterable[tuple[int, bytes]], start: int) -> Iterator[list[Message]]:
    """Group messages into whole decisions."""
    decision: list[Message] = []
    position = start - 1
    for position, body in messages:
        decision.append(message_of(position, body))
        if len(decision) == decision[0].decision_size:
            yield decision
            decision = []
    if decision:
        raise IntegrityError(
            f"the decision at the end of the source is torn at position {position}: verify it; "
            "what stands before is copied",
            position=position,
        )


def _batches(decisions: Iterable[list[Message]]) -> Iterator[list[Message]]:
    batch: list[Message] = []
    bytes_left = BATCH_BYTES
    try:
        for decision in decisions:
            size = sum(len(message.body) for message in decision)
            if batch and (len(batch) + len(decision) > BATCH_MESSAGES or size > bytes_left):
                yield batch
                batch, bytes_left = [], BATCH_BYTES
            batch += decision
            bytes_left -= size
    except IntegrityError:
        if batch:
            yield batch
        raise
    if batch:
        yield batch
