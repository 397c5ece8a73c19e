"""Cache of statement matching, for the next query about the same messages.

Matching a million lines takes long, and the result stays the same as long as the last message does.
It is cached for the current user, with the hash of that message, and used only by the same program;
without a cache it is computed each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.core.clock import day_of
from projections.matching.match import Matching, match_statements
from projections.store.as_of import as_of, moment_of_question
from tools.data.cache_files import program_digest, read_cached, write_cached

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tools.data.directory import DataDirectory

__all__ = ["cached_matching"]

FILE = "matched.json"
MADE_BY = program_digest()


class _Cache(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    made_by: str
    head: str
    day: str
    matching: Matching


def cached_matching(
    directory: DataDirectory, store: Store, *, at: int | None = None, now: int | None = None
) -> Matching:
    """Return the status of the lines of each statement in force, and the items that wait.

    What waits is overdue on the day of ``now``, by default on that of the last message.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    day = day_of(moment_of_question(store, place.position, now))
    kept = read_cached(directory, FILE, _Cache)
    if kept is not None and (kept.made_by, kept.head, kept.day) == (MADE_BY, place.head, day):
        return kept.matching
    found = match_statements(store, at=at, now=now)
    write_cached(directory, FILE, _Cache(MADE_BY, place.head, day, found))
    return found
