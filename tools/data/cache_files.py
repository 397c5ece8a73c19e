"""Cache of answers for this user, for later queries about the same messages."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import LedgerError
from ledger.core.phrases import plain_value
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from tools.data.directory import DataDirectory

__all__ = ["read_cached", "write_cached"]

_Kept = TypeVar("_Kept", bound=msgspec.Struct)


def write_cached(directory: DataDirectory, file: str, answer: msgspec.Struct) -> None:
    """Store an answer, if there is a cache."""
    path = directory.cache / file
    with suppress(OSError, LedgerError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(answer, enc_hook=plain_value), replacing=True)


def read_cached(directory: DataDirectory, file: str, kind: type[_Kept]) -> _Kept | None:
    """Return a cached answer; None if there is none, or none of this kind."""
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return decoder_of(kind).json((directory.cache / file).read_bytes())
    return None
