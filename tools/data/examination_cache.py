"""The result of the last examination, stored so that the next one can continue from it.

It is stored in the cache of the user, with the hash of the last message examined: it is used only
for a chain that still has that message, and only by the same program: a changed check examines the
whole chain.
Without a cache, the next examination covers it, too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ledger.events.encoding import hash_of
from projections.reconciliation.earlier_results import EarlierResults  # noqa: TC001 - msgspec reads the types
from projections.reconciliation.reconcile import Reconciliation  # noqa: TC001 - the same
from tools.data.cache_files import program_digest, read_cached, write_cached

if TYPE_CHECKING:
    from ledger.log.port import ReadableLog
    from tools.data.directory import DataDirectory

__all__ = [
    "MAINTAINED",
    "RECONCILED",
    "Examination",
    "is_outdated",
    "store_examination",
    "stored_examination",
]

MAINTAINED, RECONCILED = "examined.json", "reconciled.json"
"""Files: of the service, and of `reconcile --record`."""


MADE_BY = program_digest()


class Examination(NamedTuple):
    """The result of an examination, and the state from which a later one can continue."""

    found: Reconciliation
    memory: EarlierResults


class _Cache(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    made_by: str
    examined: Examination


class _Origin(msgspec.Struct, frozen=True):
    made_by: str


def store_examination(directory: DataDirectory, examined: Examination, file: str) -> None:
    """Store the result, if there is a cache."""
    write_cached(directory, file, _Cache(MADE_BY, examined))


def stored_examination(directory: DataDirectory, log: ReadableLog, file: str) -> Examination | None:
    """Return the stored result, if it is of this chain and of this program."""
    kept = read_cached(directory, file, _Cache)
    if kept is None or kept.made_by != MADE_BY:
        return None
    found = kept.examined.found
    with suppress(OSError, ValueError):
        last = [message for _, message in log.read(found.position - 1, found.position)]
        if [hash_of(one).hex() for one in last] == [found.head]:
            return kept.examined
    return None


def is_outdated(directory: DataDirectory, file: str) -> bool:
    """Return whether the stored result is of another program, whose checks may differ."""
    kept = read_cached(directory, file, _Origin)
    return kept is not None and kept.made_by != MADE_BY
