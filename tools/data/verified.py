"""What was verified here last: a note for those who ask how long ago that was.

``gameledger log verify`` leaves it in the cache of whoever ran it, never beside the log. It proves
nothing to anybody else, and says so much: on this machine, for this user, so many messages were
read and found whole then, or a fault was found.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.encoding import hash_of
from ledger.core.errors import LedgerError
from ledger.core.message import EMPTY
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from ledger.core.message import Head
    from ledger.log.port import Log
    from tools.data.directory import DataDirectory

__all__ = ["LastVerified", "last_verified", "remember_verified"]

FILE = "verified.json"


class LastVerified(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a full verification began, what was whole, or the fault that was found instead."""

    at: int
    size: int
    head: str
    fault: str


def remember_verified(
    directory: DataDirectory, at: int, head: Head = EMPTY, *, fault: str = ""
) -> None:
    """Keep how it ended, where there is a cache to keep it in."""
    path, found = directory.cache / FILE, LastVerified(at, head.size, head.hash.hex(), fault)
    with suppress(OSError, LedgerError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(found), replacing=True)


def last_verified(directory: DataDirectory, log: Log) -> LastVerified | None:
    """Return what was verified last of this log; None if nothing was, or it is another log now."""
    try:
        found = decoder_of(LastVerified).json((directory.cache / FILE).read_bytes())
        if found.fault:
            return found
        last = [hash_of(message).hex() for _, message in log.read(found.size - 1, found.size)]
    except (OSError, ValueError, msgspec.MsgspecError, LedgerError):
        return None
    return found if last == [found.head] else None
