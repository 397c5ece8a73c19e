"""Checkpoints: signed statements of the size of a chain and the root of its tree.

What comes in: size and root of the tree over a chain, and a key. What goes out: a
signature for ``CheckpointSigned``, and the same statement as a signed note, a small text to be
stored outside the ledger. With a note, its holder can detect later that earlier history was
replaced. The text is a tlog-checkpoint and the note a signed-note (C2SP), so other tools can read
them. Rejected: a key file that others can read.
"""

from __future__ import annotations

import re
from base64 import b64encode
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.note_keys import PrivateKey, VerifierKey
from ledger.tlog.notes import HASH_BYTES, Note, NoteSignature, decode_base64

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "CHAIN_NAME",
    "KEY_ID",
    "Checkpoint",
    "PublicKey",
    "SigningKey",
    "make_note",
    "parse_note",
    "verify_note",
]

CHAIN_NAME = re.compile(r"[!-*,-~]{1,128}")
"""Names of chains: visible ASCII characters except plus.

The name is the origin of checkpoints and the name of the keys that sign them. To be unique in the
world, it should be an address without its scheme, such as ``casino.example/live``.
"""

KEY_ID = re.compile(r"[0-9a-f]{8}")
"""The key ID of signed-note in hexadecimal: four bytes of a hash over name and public key."""

_MAP_LINE = "tag-map "
"""Prefix of the extension line with the root of the tag map."""


class Checkpoint(Struct, frozen=True):
    """The size of a chain, and the roots of its tree and of its tag map at that size.

    ``map_root`` is empty for logs of other programs, which have no tag map.
    """

    chain: str
    size: int
    root: bytes
    map_root: bytes = b""

    @property
    def text(self) -> str:
        """Return the text that is signed.

        Raises:
            InputError: the name of the chain, the size or the root is not valid in a note.
        """
        if not CHAIN_NAME.fullmatch(self.chain):
            raise InputError(
                "the name of a chain is 1 to 128 signs of ASCII without space and plus"
            )
        if self.size < 1 or len(self.root) != HASH_BYTES:
            raise InputError("a checkpoint has a size of at least 1 and a root of 32 bytes")
        if self.map_root and len(self.map_root) != HASH_BYTES:
            raise InputError("the root of a tag map has 32 bytes")
        root, map_root = (b64encode(digest).decode() for digest in (self.root, self.map_root))
        extension = f"{_MAP_LINE}{map_root}\n" if map_root else ""
        return f"{self.chain}\n{self.size}\n{root}\n{extension}"


class PublicKey(VerifierKey, frozen=True):
    """Public key that verifies signatures of a log: the name of the chain, the key, its kind."""

    OWN: ClassVar[tuple[bytes, ...]] = (b"\x01", b"\x02")

    kind: bytes = b"\x01"

    def is_signer_of(self, checkpoint: Checkpoint, signature: bytes) -> bool:
        """Return whether this key signed a checkpoint."""
        return self.has_signed(checkpoint.text.encode(), signature)


class SigningKey(PrivateKey[PublicKey]):
    """A private key that signs for the chain of the same name."""

    PUBLIC = PublicKey

    def __init__(self, chain: str, secret: bytes, kind: bytes = b"") -> None:
        """Create a key of a chain from its secret bytes, and its kind (by default Ed25519).

        Raises:
            InputError: the name has spaces or a plus, or the secret is of another length.
        """
        if not CHAIN_NAME.fullmatch(chain):
            raise InputError(
                "a key is a name in ASCII without spaces and plus signs, and its bytes"
            )
        super().__init__(chain, secret, kind)

    def sign(self, checkpoint: Checkpoint) -> bytes:
        """Return the signature that ``CheckpointSigned`` records."""
        return self._sign(checkpoint.text.encode())


def make_note(checkpoint: Checkpoint, signatures: Iterable[tuple[PublicKey, bytes]]) -> str:
    """Return a checkpoint and its signatures as a signed note."""
    lines = tuple(NoteSignature(key.name, key.key_id, signature) for key, signature in signatures)
    return str(Note(checkpoint.text, lines))


def parse_note(note: str) -> tuple[Checkpoint, tuple[NoteSignature, ...]]:
    """Parse a note without verifying its signatures.

    Raises:
        InputError: the text is not a note of a checkpoint, or has lines unknown to this version.

    """
    parsed = Note.parse(note)
    head = parsed.head
    extensions = parsed.text.split("\n")[3:-1]
    if len(extensions) > 1 or not all(line.startswith(_MAP_LINE) for line in extensions):
        raise InputError("a checkpoint note of a chain has one more line at most: tag-map")
    roots = (
        decode_base64(extension.removeprefix(_MAP_LINE), "a root of a note")
        for extension in extensions
    )
    checkpoint = Checkpoint(head.origin, head.size, head.root, *roots)
    if checkpoint.text != parsed.text:
        raise InputError("a checkpoint note is not written in the one form that it has")
    return checkpoint, parsed.signatures


def verify_note(note: str, keys: Iterable[PublicKey]) -> Checkpoint:
    """Parse a note and verify its signatures under the keys that the reader trusts.

    Raises:
        InputError: the text is not a note, or none of the keys signed it.
        IntegrityError: a signature with name and ID of one of the keys is invalid.

    """
    checkpoint, signatures = parse_note(note)
    trusted = {(key.name, key.key_id): key for key in keys}
    is_signed = False
    for line in signatures:
        key = trusted.get((line.name, line.key_id))
        if key is None:
            continue
        if not key.is_signer_of(checkpoint, line.signature):
            text = f"the note of size {checkpoint.size} bears a false signature of {key.name}"
            raise IntegrityError(f"{text} ({key.key_id}): do not rely on it")
        is_signed = True
    if not is_signed:
        names = ", ".join(dict.fromkeys(f"{line.name} ({line.key_id})" for line in signatures))
        raise InputError(f"the note is signed by {names}, and by none of the keys given")
    return checkpoint
