"""Keys of signed notes: the public key as one line, the private key in a file.

What comes in: a name, 32 bytes, and the number that C2SP assigned to the signature type. What goes
out: key IDs, verifier keys in the form of other tools, and key files that only their owner can
read. :mod:`ledger.tlog.signing` derives the keys of logs from these classes,
:mod:`ledger.tlog.cosigning` the keys of witnesses. Rejected: a key file that others can read, and
an existing file as a target.
"""

from __future__ import annotations

import os
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.named_files import why_unread
from ledger.storage.secret_files import read_secret, write_secret
from ledger.tlog.notes import decode_base64

if TYPE_CHECKING:
    from ledger.core.entropy import Entropy

__all__ = [
    "KEY_BYTES",
    "SIGNATURE_BYTES",
    "PrivateKey",
    "VerifierKey",
    "is_key_name",
    "is_of_other_kind",
]

KEY_BYTES = 32
SIGNATURE_BYTES = 64
NOTE_ID_BYTES = 4
NAME_CHARACTERS_MAX = 128

KINDS = (b"\x01", b"\x04")
"""Kinds of keys that are read: of a log and of a witness, both Ed25519."""

_SECRET = "PRIVATE+KEY+"  # noqa: S105 - the first words of a key file, not a secret


def is_key_name(name: str) -> bool:
    """Return whether a name is valid for a key: not empty, no plus, only visible characters."""
    is_short = 0 < len(name) <= NAME_CHARACTERS_MAX
    return is_short and "+" not in name and name.isprintable() and not any(map(str.isspace, name))


def is_of_other_kind(text: str) -> bool:
    """Return whether a line is a public key, with its check digits, of a kind not read here."""
    name, _, rest = text.partition("+")
    check, _, encoded = rest.partition("+")
    try:
        raw = decode_base64(encoded, "a public key")
    except InputError:
        return False
    digest = sha256(name.encode() + b"\n" + raw).digest()[:NOTE_ID_BYTES].hex()
    return is_key_name(name) and check == digest and raw[:1] not in KINDS and len(raw) > 1


class VerifierKey(Struct, frozen=True):
    """Public key that verifies signatures: the name of the signer, and 32 bytes."""

    ALGORITHM: ClassVar[bytes] = b""
    """The type of signature, as numbered by signed-note."""

    name: str
    raw: bytes

    @property
    def key_id(self) -> str:
        """Four hexadecimal bytes that distinguish keys of the same name; not a proof of the key."""
        digest = sha256(self.name.encode() + b"\n" + self.ALGORITHM + self.raw).digest()
        return digest[:NOTE_ID_BYTES].hex()

    @property
    def text(self) -> str:
        """The key as one line, in the form that other signed-note tools read."""
        return f"{self.name}+{self.key_id}+{b64encode(self.ALGORITHM + self.raw).decode()}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the one-line form.

        Raises:
            InputError: it is not a verifier key.

        """
        key = cls(*_parse_key(text.strip(), "public key", cls.ALGORITHM))
        if text.strip() != key.text:
            raise InputError("a public key does not fit its own check digits: copy it again")
        return key

    def has_signed(self, text: bytes, signature: bytes) -> bool:
        """Return whether an Ed25519 signature over some bytes was made with this key."""
        try:
            Ed25519PublicKey.from_public_bytes(self.raw).verify(signature, text)
        except (InvalidSignature, ValueError):
            return False
        return True


Public = TypeVar("Public", bound=VerifierKey)


class PrivateKey(Generic[Public]):
    """A private key; only its file and this object hold it."""

    PUBLIC: type[Public]

    def __init__(self, name: str, secret: bytes) -> None:
        """Create a key from its name and its 32 secret bytes.

        Raises:
            InputError: the name has spaces or a plus, or the secret is of another length.

        """
        if not is_key_name(name) or len(secret) != KEY_BYTES:
            raise InputError("a key is a name without spaces and plus signs, and 32 bytes")
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public: Public = self.PUBLIC(name, self._key.public_key().public_bytes_raw())

    @property
    def key_id(self) -> str:
        """The key ID of the public half."""
        return self.public.key_id

    @classmethod
    def create(cls, path: Path | str, name: str, entropy: Entropy = os.urandom) -> Self:
        """Create a key and its file, readable only by the owner.

        Raises:
            InputError: the file exists, or the name does not fit.
            AvailabilityError: the file can't be written.

        """
        secret = entropy(KEY_BYTES)
        key = cls(name, secret)
        encoded = b64encode(key.public.ALGORITHM + secret).decode()
        line = f"{_SECRET}{name}+{key.key_id}+{encoded}\n"
        try:
            write_secret(Path(path), line.encode())
        except FileExistsError as error:
            raise InputError(f"{path} exists: a key is never overwritten, name another") from error
        except OSError as error:
            raise AvailabilityError(f"the key file {path} can't be written: {error}") from error
        return key

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a key file.

        Raises:
            AuthorizationError: users other than its owner may read or write it.
            InputError: it is not a key file.
            AvailabilityError: it can't be read.

        """
        try:
            line = read_secret(Path(path)).decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is not a key file") from error
        except OSError as error:
            text = f"the key file {path} can't be read: {why_unread(error)}"
            raise AvailabilityError(text) from error
        if not line.startswith(_SECRET):
            raise InputError(f"{path} is not a key file")
        algorithm = cls.PUBLIC.ALGORITHM
        key = cls(*_parse_key(line.removeprefix(_SECRET), "private key", algorithm))
        if line.split("+")[3] != key.key_id:
            raise InputError(f"{path} does not fit its own check digits: restore it from a copy")
        return key


def _parse_key(line: str, kind: str, algorithm: bytes) -> tuple[str, bytes]:
    name, _, rest = line.partition("+")
    _, _, encoded = rest.partition("+")
    raw = decode_base64(encoded, f"a {kind}")
    if not is_key_name(name) or len(raw) != KEY_BYTES + 1:
        raise InputError(f"a {kind} is name, 8 hexadecimal digits and 33 bytes in base64")
    if raw[:1] != algorithm:
        text = f"the {kind} of {name} is of kind {raw[0]:02x}, and {algorithm.hex()} is asked for"
        raise InputError(f"{text}: 01 signs for a log, 04 for a witness")
    return name, raw[1:]
