"""Checkpoints: signed statements of how long a chain is and which hash it ends with.

What comes in: size and head of a chain, and an Ed25519 key. What goes out: a signature for
``CheckpointSigned``, and the same as a signed note, a small text to be kept outside the
ledger. Who holds a note can tell later whether history before it was replaced. Notes follow
C2SP signed-note; the text is our own, because its hash is the end of a chain and not the
root of a tree. Refused: a key file that others can read.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.core.secret_files import read_secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.core.privacy import Entropy

__all__ = [
    "CHAIN_NAME",
    "KEY_BYTES",
    "KEY_ID",
    "SIGNATURE_BYTES",
    "Checkpoint",
    "NoteSignature",
    "PublicKey",
    "SigningKey",
    "make_note",
    "parse_note",
    "verify_note",
]

ORIGIN = "gameledger/"
ALGORITHM = b"\x01"
"""Ed25519, as signed-note numbers it."""

KEY_ID = re.compile(r"[!-*,-~]{1,128}")
"""Names of keys: ASCII that can be seen, without spaces and plus signs, as notes need it."""

CHAIN_NAME = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,256}")
"""Names of chains: one line of text."""

KEY_BYTES = 32
SIGNATURE_BYTES = 64
HASH_BYTES = 32
NOTE_ID_BYTES = 4
NOTE_CHARACTERS_MAX = 65_536

_SECRET = "PRIVATE+KEY+"  # noqa: S105 - the first words of a key file, not a secret
_PRIVATE_MODE = 0o600
_SIZE = re.compile(r"[1-9][0-9]{0,18}")


class Checkpoint(Struct, frozen=True):
    """A chain had ``size`` messages, and ``head`` was the hash of the last one."""

    chain: str
    size: int
    head: bytes

    @property
    def text(self) -> str:
        """Say so in the words that are signed.

        Raises:
            InputError: the name of the chain, the size or the hash does not fit a note.
        """
        if not CHAIN_NAME.fullmatch(self.chain):
            raise InputError("the name of a chain in a checkpoint is one line of text")
        if self.size < 1 or len(self.head) != HASH_BYTES:
            raise InputError("a checkpoint has a size of at least 1 and a hash of 32 bytes")
        return f"{ORIGIN}{self.chain}\n{self.size}\n{b64encode(self.head).decode()}\n"


class PublicKey(Struct, frozen=True):
    """What a signature is checked with; ``raw`` is 32 bytes."""

    key_id: str
    raw: bytes

    @property
    def note_id(self) -> bytes:
        """The four bytes that name the key in a note; a hint, not a proof."""
        digest = sha256(self.key_id.encode() + b"\n" + ALGORITHM + self.raw).digest()
        return digest[:NOTE_ID_BYTES]

    @property
    def text(self) -> str:
        """The key as one line, in the form that other signed-note tools read."""
        return f"{self.key_id}+{self.note_id.hex()}+{b64encode(ALGORITHM + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Read the one-line form.

        Raises:
            InputError: it is not one.
        """
        key_id, raw = _parse_key(text.strip(), "public key")
        key = cls(key_id, raw)
        if text.strip() != key.text:
            raise InputError("a public key does not fit its own check digits: copy it again")
        return key

    def is_signer_of(self, checkpoint: Checkpoint, signature: bytes) -> bool:
        """Return whether this key signed a checkpoint."""
        try:
            key = Ed25519PublicKey.from_public_bytes(self.raw)
            key.verify(signature, checkpoint.text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


class SigningKey:
    """A private key; it stays in its file and in this object."""

    def __init__(self, key_id: str, secret: bytes) -> None:
        """Make a key of its 32 secret bytes.

        Raises:
            InputError: the name has spaces or a plus, or the secret is of another length.
        """
        if not KEY_ID.fullmatch(key_id) or len(secret) != KEY_BYTES:
            raise InputError("a key is a name in ASCII without spaces and plus signs, and 32 bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = PublicKey(key_id, self._key.public_key().public_bytes_raw())

    @property
    def key_id(self) -> str:
        """Name of the key."""
        return self.public.key_id

    def sign(self, checkpoint: Checkpoint) -> bytes:
        """Return the 64 bytes that ``CheckpointSigned`` records."""
        return self._key.sign(checkpoint.text.encode())

    @classmethod
    def create(cls, path: Path | str, key_id: str, entropy: Entropy = os.urandom) -> SigningKey:
        """Make a key and the file that holds it, readable by its owner only.

        Raises:
            InputError: the file exists, or the name does not fit.
            AvailabilityError: the file can't be written.
        """
        secret = entropy(KEY_BYTES)
        key = cls(key_id, secret)
        line = f"{key_id}+{key.public.note_id.hex()}+{b64encode(ALGORITHM + secret).decode()}"
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_MODE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{_SECRET}{line}\n")
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError as error:
            raise InputError(f"{path} exists: a key is never overwritten, name another") from error
        except OSError as error:
            raise AvailabilityError(f"the key file {path} can't be written: {error}") from error
        return key

    @classmethod
    def load(cls, path: Path | str) -> SigningKey:
        """Read a key file.

        Raises:
            AuthorizationError: others than its owner may read or write it.
            InputError: it is not a key file.
            AvailabilityError: it can't be read.
        """
        try:
            line = read_secret(Path(path)).decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not a key file") from error
        except OSError as error:
            raise AvailabilityError(f"the key file {path} can't be read: {error}") from error
        if not line.startswith(_SECRET):
            raise InputError(f"{path} is not a key file")
        key_id, secret = _parse_key(line.removeprefix(_SECRET), "private key")
        key = cls(key_id, secret)
        if line.split("+")[3] != key.public.note_id.hex():
            raise InputError(f"{path} does not fit its own check digits: restore it from a copy")
        return key


class NoteSignature(Struct, frozen=True):
    """A line of a note: who signed, by name and four bytes, and the signature."""

    key_id: str
    note_id: bytes
    signature: bytes


def make_note(checkpoint: Checkpoint, signatures: Iterable[tuple[PublicKey, bytes]]) -> str:
    """Write a checkpoint and its signatures as a signed note."""
    lines = [
        f"\u2014 {key.key_id} {b64encode(key.note_id + signature).decode()}\n"
        for key, signature in signatures
    ]
    return f"{checkpoint.text}\n{''.join(lines)}"


def parse_note(note: str) -> tuple[Checkpoint, tuple[NoteSignature, ...]]:
    """Read a note without checking who signed it.

    Raises:
        InputError: it is not a note of this kind.
    """
    body, separator, tail = note.partition("\n\n")
    lines = body.split("\n")
    if len(note) > NOTE_CHARACTERS_MAX or not separator or not tail.endswith("\n"):
        raise InputError("a checkpoint note is three lines, an empty line and signatures")
    if len(lines) != 3 or not lines[0].startswith(ORIGIN) or not _SIZE.fullmatch(lines[1]):  # noqa: PLR2004 - origin, size, hash
        raise InputError("a checkpoint note begins with gameledger/<chain>, size and hash")
    head = _decode_base64(lines[2], "the hash of a note")
    checkpoint = Checkpoint(lines[0].removeprefix(ORIGIN), int(lines[1]), head)
    if checkpoint.text != f"{body}\n":
        raise InputError("a checkpoint note is not written in the one form that it has")
    return checkpoint, tuple(_parse_signature(line) for line in tail[:-1].split("\n"))


def verify_note(note: str, keys: Iterable[PublicKey]) -> Checkpoint:
    """Read a note and check the signatures of the keys that the reader trusts.

    Raises:
        InputError: it is not a note, or none of the keys signed it.
        IntegrityError: a signature under the name of one of the keys is false.
    """
    checkpoint, signatures = parse_note(note)
    trusted = {(key.key_id, key.note_id): key for key in keys}
    is_signed = False
    for line in signatures:
        key = trusted.get((line.key_id, line.note_id))
        if key is None:
            continue
        if not key.is_signer_of(checkpoint, line.signature):
            text = f"the note of size {checkpoint.size} bears a false signature of {key.key_id}"
            raise IntegrityError(f"{text}: do not rely on it")
        is_signed = True
    if not is_signed:
        names = ", ".join(dict.fromkeys(line.key_id for line in signatures))
        raise InputError(f"the note is signed by {names}, and by none of the keys given")
    return checkpoint


def _parse_signature(line: str) -> NoteSignature:
    dash, _, rest = line.partition(" ")
    key_id, _, encoded = rest.partition(" ")
    raw = _decode_base64(encoded, "a signature of a note")
    if (
        dash != "\u2014"
        or not KEY_ID.fullmatch(key_id)
        or len(raw) != NOTE_ID_BYTES + SIGNATURE_BYTES
    ):
        raise InputError("a signature line is a dash, the name of the key and 68 bytes in base64")
    return NoteSignature(key_id, raw[:NOTE_ID_BYTES], raw[NOTE_ID_BYTES:])


def _parse_key(line: str, kind: str) -> tuple[str, bytes]:
    key_id, _, rest = line.partition("+")
    _, _, encoded = rest.partition("+")
    raw = _decode_base64(encoded, f"a {kind}")
    if not KEY_ID.fullmatch(key_id) or raw[:1] != ALGORITHM or len(raw) != KEY_BYTES + 1:
        raise InputError(f"a {kind} is name, 8 hexadecimal digits and 33 bytes in base64")
    return key_id, raw[1:]


def _decode_base64(text: str, kind: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InputError(f"{kind} is not base64") from error
