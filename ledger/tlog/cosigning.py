"""Cosignatures (C2SP tlog-cosignature, type 04): the statement of a witness on a checkpoint.

What comes in: the signed text of a checkpoint, a witness's key, and a time. What goes out: 72
bytes, the time and an Ed25519 signature. They state that until this time the witness has seen no
contradicting checkpoint of this log and no larger one. Extension lines of the text are signed, too,
but only the log vouches for them.
"""

from __future__ import annotations

import struct
from typing import ClassVar

from msgspec import Struct

from ledger.core.errors import InputError
from ledger.tlog.note_keys import SIGNATURE_BYTES, PrivateKey, VerifierKey
from ledger.tlog.notes import NoteSignature

__all__ = ["COSIGNED_SECONDS_MAX", "Cosignature", "CosignerKey", "WitnessKey"]

COSIGNED_SECONDS_MAX = 2**63 - 1
_TIME = struct.Struct(">Q")


class Cosignature(Struct, frozen=True):
    """A time in seconds since 1970 and the signature over it and a checkpoint."""

    seconds: int
    signature: bytes

    @property
    def raw(self) -> bytes:
        """The 72 bytes that follow the key ID in a note."""
        return _TIME.pack(self.seconds) + self.signature

    @classmethod
    def parse(cls, raw: bytes) -> Cosignature:
        """Parse the bytes that follow the key ID in a note.

        Raises:
            InputError: they are not a cosignature.

        """
        if len(raw) != _TIME.size + SIGNATURE_BYTES:
            raise InputError(f"a cosignature has 72 bytes, and this one {len(raw)}")
        (seconds,) = _TIME.unpack_from(raw)
        if seconds > COSIGNED_SECONDS_MAX:
            raise InputError("a cosignature names a time beyond all times")
        return cls(seconds, raw[_TIME.size :])


class CosignerKey(VerifierKey, frozen=True):
    """Public key that verifies cosignatures: the name of the witness, and 32 bytes."""

    ALGORITHM: ClassVar[bytes] = b"\x04"

    def is_cosigner_of(self, text: str, cosignature: Cosignature) -> bool:
        """Return whether this witness cosigned the text of a checkpoint."""
        return self.has_signed(_cosigned(text, cosignature.seconds), cosignature.signature)

    def line(self, cosignature: Cosignature) -> NoteSignature:
        """Return a cosignature as a line of a note."""
        return NoteSignature(self.name, self.key_id, cosignature.raw)


class WitnessKey(PrivateKey[CosignerKey]):
    """The private key of a witness."""

    PUBLIC = CosignerKey

    def cosign(self, text: str, seconds: int) -> Cosignature:
        """Cosign the text of a checkpoint, at a time in seconds since 1970."""
        return Cosignature(seconds, self._key.sign(_cosigned(text, seconds)))

    def line(self, text: str, seconds: int) -> NoteSignature:
        """Return the cosignature of the text of a checkpoint as a line of its note."""
        return self.public.line(self.cosign(text, seconds))


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()
