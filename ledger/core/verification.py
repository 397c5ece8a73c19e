"""Is a chain as it was recorded? Read from its first message, or from where a note ends.

What comes in: the messages, and what the reader knows from elsewhere. What goes out: what the
chain says of itself, or the first fault with its position. What is promised and what can't be known
is written down in docs/format.md.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ledger.core.chain_verifier import ChainVerifier, Trusted, Unknown, Verified
from ledger.core.duplicate_commands import Repeats
from ledger.core.message import in_blocks
from ledger.core.self_description import CHECKPOINT_WINDOW
from ledger.core.signing import Checkpoint
from ledger.core.tag_map_check import MapCheck, MapJudge, NoMapCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ledger.core.message import Head
    from ledger.core.segments import Indexing

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

    The identifiers of the commands wait in a temporary file, so that a repeat is found, and the
    tag map is computed in another.

    Args:
        messages: (position, message) of the whole chain, as a log gives them.
        keys: public keys by name that the reader trusts from elsewhere; a chain that adds
            another key under such a name is refused, and only their checkpoints count as
            cover. Without it, the keys that the chain itself adds count.
        since: size and head that were remembered from an earlier time, or a signed note.
        progress: is told the number of verified messages now and then.
        index: is told what it has to hold of each stretch.
        maps: computes the tag map; in memory and a temporary file, if it is left out.
        after: what is known already; the messages are those behind it. Whether one of them decides
            a command again that was decided before can't be told then.

    Raises:
        IntegrityError: the first fault, with its position; a repeated command and a false tag map
            are looked for last.
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
    """Verify what the walk that is given out takes or joins; see :func:`verify`.

    At the end it is judged what only the end of the chain can show. Facts and the tag map can be
    left out: hashes, links, decisions, the tree and what the chain says of itself are judged then.
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
