"""How the lines of each statement stand, kept for the next question about the same messages.

Matching a million lines takes its time, and the answer is the same as long as the last message is.
It is kept in the cache of whoever asked, with the hash of that message; where there is no cache to
keep it in, it is computed each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.core.version import VERSION
from projections.matching.match import Matching, match_statements
from projections.store.as_of import as_of
from projections.store.tables import PROJECTION_VERSION
from tools.data.cache_files import read_cached, write_cached

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tools.data.directory import DataDirectory

__all__ = ["matched_once"]

FILE = "matched.json"


class _Cache(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    made_by: str
    head: str
    matching: Matching


def matched_once(directory: DataDirectory, store: Store, *, at: int | None = None) -> Matching:
    """Tell how the lines of each statement in force stand, and what waits.

    Raises:
        InputError: so many messages are not projected.

    """
    made_by, head = f"{VERSION} {PROJECTION_VERSION}", as_of(store, at).head
    kept = read_cached(directory, FILE, _Cache)
    if kept is not None and (kept.made_by, kept.head) == (made_by, head):
        return kept.matching
    found = match_statements(store, at=at)
    write_cached(directory, FILE, _Cache(made_by, head, found))
    return found
