"""Cosignatures (C2SP tlog-cosignature): the statement of a witness on a checkpoint.

What comes in: the signed text of a checkpoint, a witness's key, and a time. What goes out: the time
and a signature. They state that until this time the witness has seen no contradicting checkpoint of
this log and no larger one. A cosignature of kind 04 (Ed25519) is over the text with its extension
lines, for which only the log vouches; one of kind 06 (ML-DSA-44) is over name of the witness, time,
origin, size and root, and so over no extension line.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from ledger.core.errors import InputError
from ledger.tlog.note_keys import NAME_BYTES_MAX, PrivateKey, VerifierKey
from ledger.tlog.notes import NoteSignature, TreeHead

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["COSIGNED_SECONDS_MAX", "Cosignature", "CosignerKey", "WitnessKey", "cosign_all"]

COSIGNED_SECONDS_MAX = 2**63 - 1
_TIME = struct.Struct(">Q")
_LABEL = b"subtree/v1\n\0"
_TREE = struct.Struct(">QQ")
_OF_TEXT, _OF_TREE = b"\x04", b"\x06"


class Cosignature(Struct, frozen=True):
    """A time in seconds since 1970 and the signature over it and a checkpoint."""

    seconds: int
    signature: bytes

    @property
    def raw(self) -> bytes:
        """The bytes that follow the key ID in a note."""
        return _TIME.pack(self.seconds) + self.signature


class CosignerKey(VerifierKey, frozen=True):
    """Public key that verifies cosignatures: the name of the witness, the key, and its kind."""

    OWN: ClassVar[tuple[bytes, ...]] = (_OF_TEXT, _OF_TREE)

    kind: bytes = _OF_TEXT

    @property
    def covers_extensions(self) -> bool:
        """Whether its cosignatures are over the extension lines of a checkpoint."""
        return self.kind == _OF_TEXT

    def parse_cosignature(self, raw: bytes) -> Cosignature:
        """Parse the bytes that follow the key ID in a note.

        Raises:
            InputError: they are not a cosignature of this kind.

        """
        size = _TIME.size + self.algorithm.signature_bytes
        if len(raw) != size:
            raise InputError(f"a cosignature has {size} bytes, and this one {len(raw)}")
        (seconds,) = _TIME.unpack_from(raw)
        if seconds > COSIGNED_SECONDS_MAX:
            raise InputError("a cosignature names a time beyond all times")
        return Cosignature(seconds, raw[_TIME.size :])

    def is_cosigner_of(self, text: str, cosignature: Cosignature) -> bool:
        """Return whether this witness cosigned the text of a checkpoint."""
        try:
            message = self.message(text, cosignature.seconds)
        except InputError:
            return False
        return self.has_signed(message, cosignature.signature)

    def message(self, text: str, seconds: int) -> bytes:
        """Return the bytes that a cosignature of the text of a checkpoint is over.

        Raises:
            InputError: the text is not a checkpoint, or a name has more than 255 bytes.

        """
        if self.covers_extensions:
            return f"cosignature/v1\ntime {seconds}\n{text}".encode()
        head = TreeHead.of(text)
        cosigner, origin = _with_length(self.name), _with_length(head.origin)
        time, tree = _TIME.pack(seconds), _TREE.pack(0, head.size)
        return b"".join((_LABEL, cosigner, time, origin, tree, head.root))

    def line(self, cosignature: Cosignature) -> NoteSignature:
        """Return a cosignature as a line of a note."""
        return NoteSignature(self.name, self.key_id, cosignature.raw)


class WitnessKey(PrivateKey[CosignerKey]):
    """The private key of a witness."""

    PUBLIC = CosignerKey

    def cosign(self, text: str, seconds: int) -> Cosignature:
        """Cosign the text of a checkpoint, at a time in seconds since 1970.

        Raises:
            InputError: the text is not a checkpoint, or a name is too long for this kind.

        """
        return Cosignature(seconds, self._sign(self.public.message(text, seconds)))

    def line(self, text: str, seconds: int) -> NoteSignature:
        """Return the cosignature of the text of a checkpoint as a line of its note."""
        return self.public.line(self.cosign(text, seconds))


def cosign_all(keys: Iterable[WitnessKey], text: str, seconds: int) -> tuple[NoteSignature, ...]:
    """Return the cosignatures of a checkpoint with several keys as lines of its note."""
    return tuple(key.line(text, seconds) for key in keys)


def _with_length(name: str) -> bytes:
    raw = name.encode()
    if not 0 < len(raw) <= NAME_BYTES_MAX:
        raise InputError(f"ML-DSA-44 cosigns names of 1 to {NAME_BYTES_MAX} bytes, and not {name}")
    return bytes([len(raw)]) + raw
