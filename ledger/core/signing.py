"""Checkpoints: signed statements of how many messages a chain has and which root its tree.

What comes in: size and root of the tree over a chain, and an Ed25519 key. What goes out: a
signature for ``CheckpointSigned``, and the same as a signed note, a small text to be kept outside
the ledger. Who holds a note can tell later whether history before it was replaced. The text is a
tlog-checkpoint and the note a signed-note (C2SP), so that tools which are not ours read them.
Refused: a key file that others can read.
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
    "NOTE_CHARACTERS_MAX",
    "SIGNATURE_BYTES",
    "Checkpoint",
    "NoteSignature",
    "PublicKey",
    "SigningKey",
    "make_note",
    "parse_note",
    "verify_note",
]

ALGORITHM = b"\x01"
"""Ed25519, as signed-note numbers it."""

CHAIN_NAME = re.compile(r"[!-*,-~]{1,128}")
"""Names of chains: ASCII that can be seen, without spaces and plus signs.

The name is the origin of checkpoints and the name of the keys that sign them; so that no two logs
of the world share one, it should be an address without its scheme, such as ``casino.example/live``.
"""

KEY_ID = re.compile(r"[0-9a-f]{8}")
"""The key ID of signed-note in hexadecimal: four bytes of a hash over name and public key."""

KEY_BYTES = 32
SIGNATURE_BYTES = 64
HASH_BYTES = 32
NOTE_ID_BYTES = 4
NOTE_CHARACTERS_MAX = 65_536

_SECRET = "PRIVATE+KEY+"  # noqa: S105 - the first words of a key file, not a secret
_PRIVATE_MODE = 0o600
_MAP_LINE = "tag-map "
"""How the extension line with the root of the tag map begins."""

_SIZE = re.compile(r"[1-9][0-9]{0,18}")


class Checkpoint(Struct, frozen=True):
    """A chain had ``size`` messages, and these were the roots of their tree and their tag map.

    Logs that are not ours have no tag map: it is empty.
    """

    chain: str
    size: int
    root: bytes
    map_root: bytes = b""

    @property
    def text(self) -> str:
        """Say so in the words that are signed.

        Raises:
            InputError: the name of the chain, the size or the root does not fit a note.
        """
        if not CHAIN_NAME.fullmatch(self.chain):
            raise InputError(
                "the name of a chain is 1 to 128 signs of ASCII without space and plus"
            )
        if self.size < 1 or len(self.root) != HASH_BYTES:
            raise InputError("a checkpoint has a size of at least 1 and a root of 32 bytes")
        if self.map_root and len(self.map_root) != HASH_BYTES:
            raise InputError("the root of a tag map has 32 bytes")
        root, map_root = (b64encode(one).decode() for one in (self.root, self.map_root))
        extension = f"{_MAP_LINE}{map_root}\n" if map_root else ""
        return f"{self.chain}\n{self.size}\n{root}\n{extension}"


class PublicKey(Struct, frozen=True):
    """What a signature is checked with: the name of the chain, and 32 bytes."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> str:
        """The four bytes that tell keys of one name apart, in hexadecimal; a hint, not a proof."""
        digest = sha256(self.name.encode() + b"\n" + ALGORITHM + self.raw).digest()
        return digest[:NOTE_ID_BYTES].hex()

    @property
    def text(self) -> str:
        """The key as one line, in the form that other signed-note tools read."""
        return f"{self.name}+{self.key_id}+{b64encode(ALGORITHM + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> PublicKey:
        """Read the one-line form.

        Raises:
            InputError: it is not one.
        """
        key = cls(*_parse_key(text.strip(), "public key"))
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

    def __init__(self, chain: str, secret: bytes) -> None:
        """Make a key for a chain of its 32 secret bytes.

        Raises:
            InputError: the name has spaces or a plus, or the secret is of another length.
        """
        if not CHAIN_NAME.fullmatch(chain) or len(secret) != KEY_BYTES:
            raise InputError("a key is a name in ASCII without spaces and plus signs, and 32 bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = PublicKey(chain, self._key.public_key().public_bytes_raw())

    @property
    def key_id(self) -> str:
        """What the chain calls the key."""
        return self.public.key_id

    def sign(self, checkpoint: Checkpoint) -> bytes:
        """Return the 64 bytes that ``CheckpointSigned`` records."""
        return self._key.sign(checkpoint.text.encode())

    @classmethod
    def create(cls, path: Path | str, chain: str, entropy: Entropy = os.urandom) -> SigningKey:
        """Make a key for a chain and the file that holds it, readable by its owner only.

        Raises:
            InputError: the file exists, or the name does not fit.
            AvailabilityError: the file can't be written.
        """
        secret = entropy(KEY_BYTES)
        key = cls(chain, secret)
        line = f"{chain}+{key.key_id}+{b64encode(ALGORITHM + secret).decode()}"
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
        key = cls(*_parse_key(line.removeprefix(_SECRET), "private key"))
        if line.split("+")[3] != key.key_id:
            raise InputError(f"{path} does not fit its own check digits: restore it from a copy")
        return key


class NoteSignature(Struct, frozen=True):
    """A line of a note: who signed, by name and key ID, and what."""

    name: str
    key_id: str
    signature: bytes


def make_note(checkpoint: Checkpoint, signatures: Iterable[tuple[PublicKey, bytes]]) -> str:
    """Write a checkpoint and its signatures as a signed note."""
    lines = [
        f"\u2014 {key.name} {b64encode(bytes.fromhex(key.key_id) + signature).decode()}\n"
        for key, signature in signatures
    ]
    return f"{checkpoint.text}\n{''.join(lines)}"


def parse_note(note: str) -> tuple[Checkpoint, tuple[NoteSignature, ...]]:
    """Read a note without checking who signed it.

    Raises:
        InputError: it is not a note of a checkpoint, or has lines that this version does not know.
    """
    body, separator, tail = note.rpartition("\n\n")
    lines = body.split("\n")
    extensions = lines[3:]
    if len(note) > NOTE_CHARACTERS_MAX or not separator or not tail.endswith("\n"):
        raise InputError("a checkpoint note is a few lines, an empty line and signatures")
    if len(lines) < 3 or not _SIZE.fullmatch(lines[1]):  # noqa: PLR2004 - origin, size, root
        raise InputError("a checkpoint note begins with the name of the chain, size and root")
    if len(extensions) > 1 or not all(line.startswith(_MAP_LINE) for line in extensions):
        raise InputError("a checkpoint note of a chain has one more line at most: tag-map")
    roots = [lines[2], *(line.removeprefix(_MAP_LINE) for line in extensions)]
    decoded = [_decode_base64(one, "a root of a note") for one in roots]
    checkpoint = Checkpoint(lines[0], int(lines[1]), *decoded)
    if checkpoint.text != f"{body}\n":
        raise InputError("a checkpoint note is not written in the one form that it has")
    return checkpoint, tuple(_parse_signature(line) for line in tail[:-1].split("\n"))


def verify_note(note: str, keys: Iterable[PublicKey]) -> Checkpoint:
    """Read a note and check the signatures of the keys that the reader trusts.

    Raises:
        InputError: it is not a note, or none of the keys signed it.
        IntegrityError: a signature under name and ID of one of the keys is false.
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


def _parse_signature(line: str) -> NoteSignature:
    dash, _, rest = line.partition(" ")
    name, _, encoded = rest.partition(" ")
    raw = _decode_base64(encoded, "a signature of a note")
    if dash != "\u2014" or not name or len(raw) <= NOTE_ID_BYTES:
        raise InputError("a signature line is a dash, the name of the key and base64")
    return NoteSignature(name, raw[:NOTE_ID_BYTES].hex(), raw[NOTE_ID_BYTES:])


def _parse_key(line: str, kind: str) -> tuple[str, bytes]:
    name, _, rest = line.partition("+")
    _, _, encoded = rest.partition("+")
    raw = _decode_base64(encoded, f"a {kind}")
    if not CHAIN_NAME.fullmatch(name) or raw[:1] != ALGORITHM or len(raw) != KEY_BYTES + 1:
        raise InputError(f"a {kind} is name, 8 hexadecimal digits and 33 bytes in base64")
    return name, raw[1:]


def _decode_base64(text: str, kind: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InputError(f"{kind} is not base64") from error
