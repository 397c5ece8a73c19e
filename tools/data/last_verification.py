"""The result of the last verification on this machine.

``gameledger log verify`` stores it in the cache of its user, never next to the log. It proves
nothing to others; it states that on this machine, for this user, a number of messages were read and
found intact at that time, or that a fault was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ledger.core.errors import LedgerError
from ledger.core.message import EMPTY
from ledger.core.phrases import Phrase, decode_parameters, encode_parameters
from ledger.core.texts import PHRASES
from ledger.events.encoding import hash_of
from tools.data.cache_files import read_cached, write_cached
from tools.web.problems import reason_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.core.message import Head
    from ledger.log.port import Log
    from ledger.tlog.signing import PublicKey
    from tools.data.directory import DataDirectory

__all__ = ["LastVerified", "last_verified", "remember_verified"]

FILE = "verified.json"


class LastVerified(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a full verification began, what was whole, or the fault that was found instead.

    ``keys`` are the identifiers of the keys that had to have signed; none: those of the chain.
    ``code`` and ``parameters`` are those of the fault, if it is a phrase.
    """

    at: int
    size: int
    head: str
    fault: str
    keys: tuple[str, ...] = ()
    code: str = ""
    parameters: str = ""

    @property
    def reason(self) -> str | Phrase:
        """The fault as a phrase, if it was stored as one known to this version."""
        try:
            return Phrase(self.code, **decode_parameters(PHRASES[self.code], self.parameters))
        except (LookupError, ValueError):
            return self.fault


def remember_verified(
    directory: DataDirectory,
    at: int,
    head: Head = EMPTY,
    *,
    fault: LedgerError | None = None,
    keys: Iterable[PublicKey] = (),
) -> None:
    """Store the result of a verification, if there is a cache."""
    named = tuple(key.key_id for key in keys)
    reason = reason_of(fault) if fault is not None else ""
    kept = LastVerified(at, head.size, head.hash.hex(), str(reason), named)
    if isinstance(reason, Phrase):
        values = encode_parameters(reason.parameters)
        kept = msgspec.structs.replace(kept, code=reason.code, parameters=values)
    write_cached(directory, FILE, kept)


def last_verified(directory: DataDirectory, log: Log) -> LastVerified | None:
    """Return the last result for this log; None if there is none, or the log has been replaced."""
    found = read_cached(directory, FILE, LastVerified)
    if found is None or found.fault:
        return found
    try:
        last = [hash_of(message).hex() for _, message in log.read(found.size - 1, found.size)]
    except (OSError, ValueError, LedgerError):
        return None
    return found if last == [found.head] else None
