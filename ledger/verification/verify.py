"""Verify a chain, from its first message or from the end of a trusted note.

What comes in: the messages, and what the reader knows from elsewhere. What goes out: the state
of the chain, or the first fault with its position. docs/format.md states what is guaranteed and
what cannot be known.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ledger.core.message import in_blocks
from ledger.tlog.signing import Checkpoint
from ledger.verification.chain_verifier import ChainVerifier, Trusted, Unknown, Verified
from ledger.verification.duplicate_commands import Repeats
from ledger.verification.self_description import CHECKPOINT_WINDOW
from ledger.verification.tag_map_check import MapCheck, MapJudge, NoMapCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ledger.core.message import Head
    from ledger.verification.segments import Indexing

__all__ = ["Trusted", "Unknown", "Verified", "verify", "verifying"]


def verify(
    messages: Iterable[tuple[int, bytes]],
    *,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
    index: Indexing | None = None,
    maps: MapJudge | None = None,
    after: Trusted | None = None,
) -> Verified:
    """Verify a chain from its first message to its last, in one pass and in flat memory.

    The identifiers of the commands wait in a temporary file to find duplicates; the tag map is
    computed in another one.

    Args:
        messages: (position, message) of the whole chain, as a log returns them.
        keys: public keys by name that the reader trusts from elsewhere; a chain that adds
            another key under such a name is rejected, and only checkpoints of these keys count
            as cover. By default the keys count that the chain itself adds.
        since: size and head that were remembered from an earlier time, or a signed note.
        progress: called with the number of verified messages now and then.
        index: receives what it must hold for each segment.
        maps: computes the tag map; by default in memory and a temporary file.
        after: the trusted part; the messages are those after it. A command that repeats one of that
            part is then not detected.

    Raises:
        IntegrityError: the first fault, with its position; duplicate commands and false tag maps
            are checked last.
        InputError: the note is of another chain.
        AvailabilityError: the temporary file can't be written.
    """
    with verifying(keys=keys, since=since, index=index, maps=maps, after=after) as verifier:
        blocks = in_blocks(messages)
        for block in blocks:
            verifier.verify_block(block, lambda: next(blocks, []))
            if progress is not None:
                progress(verifier.size)
    return verifier.result()


@contextmanager
def verifying(
    *,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    index: Indexing | None = None,
    maps: MapJudge | None = None,
    after: Trusted | None = None,
    reads_facts: bool = True,
) -> Iterator[ChainVerifier]:
    """Verify what the yielded verifier is given; see :func:`verify`.

    On exit, what only the end of the chain can show is checked. Facts and the tag map can be
    left out: hashes, links, decisions, the tree and the self-description are verified anyway.
    """
    note = since if isinstance(since, Checkpoint) else None
    judge = maps or (MapCheck(CHECKPOINT_WINDOW, note) if reads_facts else NoMapCheck())
    with closing(Repeats()) as repeats, closing(judge):
        verifier = ChainVerifier(keys or {}, since, repeats, index, judge, reads_facts=reads_facts)
        if after is not None:
            verifier.resume_from(after)
        yield verifier
        verifier.finish()
        repeats.require_none()
        judge.finish()
