"""Uploads to a mirror of a log (C2SP tlog-mirror, ``add-entries``), as bytes.

What comes in: messages and the proofs that they are in the tree of a checkpoint. What goes out: the
body of a request, which is a header and packages of at most 256 messages, and the answer in which
a mirror states what it has. Pure: nothing is read or verified. Rejected: bytes that are no upload;
a body that ends within a package is read up to that package.
"""

from __future__ import annotations

import struct
from base64 import b64encode
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from msgspec import Struct

from ledger.core.errors import InputError
from ledger.tlog.merkle import HASH_BYTES, hashes_in
from ledger.tlog.misconduct import PROOF_HASHES_MAX
from ledger.tlog.notes import SIZE_MAX, decode_base64, parse_size
from ledger.tlog.tiles import TILE_WIDTH, bundle_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "PACKAGES_MAX",
    "MirrorInfo",
    "Package",
    "PackageRange",
    "Upload",
    "package_bytes",
    "package_ranges",
    "packages_in",
]

PACKAGES_MAX = 32
"""Packages of one request: clients should not send more."""

_LENGTH = struct.Struct(">H")
_RANGE = struct.Struct(">QQ")


class Upload(Struct, frozen=True):
    """The header of an upload: messages ``start`` to ``end`` of a log; ``end`` names a tree."""

    origin: str
    start: int
    end: int
    ticket: bytes = b""

    @property
    def raw(self) -> bytes:
        """The header in bytes."""
        origin = self.origin.encode()
        parts = [_LENGTH.pack(len(origin)), origin, _RANGE.pack(self.start, self.end)]
        return b"".join((*parts, _LENGTH.pack(len(self.ticket)), self.ticket))

    @classmethod
    def read(cls, body: BinaryIO) -> Upload:
        """Read the header of a body.

        Raises:
            InputError: it is none.

        """
        try:
            origin = _read(body, _number(body)).decode()
            start, end = _RANGE.unpack(_read(body, _RANGE.size))
            ticket = _read(body, _number(body))
        except (EOFError, UnicodeDecodeError) as error:
            raise InputError("an upload begins with log, first message, size and ticket") from error
        if not start <= end <= SIZE_MAX:
            raise InputError(f"an upload can't go from {start} to {end}")
        return cls(origin, start, end, ticket)


class PackageRange(NamedTuple):
    """Messages of one package, and where the subtree begins that its proof is of."""

    subtree: int
    start: int
    end: int


class Package(NamedTuple):
    """The messages of a package, and the proof that its subtree is in the tree."""

    messages: list[bytes]
    proof: list[bytes]


def package_ranges(start: int, end: int) -> Iterator[PackageRange]:
    """Yield the packages of an upload, in their order."""
    for subtree in range(start - start % TILE_WIDTH, end, TILE_WIDTH):
        yield PackageRange(subtree, max(start, subtree), min(end, subtree + TILE_WIDTH))


def package_bytes(messages: Iterable[bytes], proof: Sequence[bytes]) -> bytes:
    """Return a package as bytes.

    Raises:
        InputError: a message has more than 65,535 bytes.

    """
    return b"".join((bundle_of(messages), bytes([len(proof)]), *proof))


def packages_in(body: BinaryIO, upload: Upload) -> Iterator[tuple[PackageRange, Package]]:
    """Yield the whole packages behind a header; what is cut off at the end is left out.

    Raises:
        InputError: a proof is longer than any can be, or the body goes on behind its last package.

    """
    for place in package_ranges(upload.start, upload.end):
        try:
            messages = [_read(body, _number(body)) for _ in range(place.start, place.end)]
            (count,) = _read(body, 1)
            if count > PROOF_HASHES_MAX:
                raise InputError(f"a proof has at most {PROOF_HASHES_MAX} hashes")
            yield place, Package(messages, hashes_in(_read(body, count * HASH_BYTES)))
        except EOFError:
            return
    if body.read(1):
        raise InputError(f"an upload ends with message {upload.end - 1}, and this one goes on")


class MirrorInfo(Struct, frozen=True):
    """What a mirror waits for: a tree of ``size`` messages, of which it lacks ``next`` and on."""

    size: int
    next: int
    ticket: bytes = b""

    def __str__(self) -> str:
        """Write the body of the answer."""
        return f"{self.size}\n{self.next}\n{b64encode(self.ticket).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> MirrorInfo:
        """Read the body of an answer.

        Raises:
            InputError: it is none.

        """
        lines = text.split("\n")
        if len(lines) != 4 or lines.pop():  # noqa: PLR2004 - size, next, ticket, end
            raise InputError("a mirror answers with size, next message and ticket, a line each")
        size, following, ticket = lines
        return cls(parse_size(size), parse_size(following), decode_base64(ticket, "a ticket"))


def _number(body: BinaryIO) -> int:
    (number,) = _LENGTH.unpack(_read(body, _LENGTH.size))
    return int(number)


def _read(body: BinaryIO, length: int) -> bytes:
    found = body.read(length)
    if len(found) < length:
        raise EOFError
    return found
