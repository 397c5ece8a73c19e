"""Keys of signed notes: the public key as one line, the private key in a file.

What comes in: a name, a key, and the number that C2SP assigned to the signature type. What goes
out: key IDs, verifier keys in the form of other tools, and key files that only their owner can
read. :mod:`ledger.tlog.signing` derives the keys of logs from these classes,
:mod:`ledger.tlog.cosigning` the keys of witnesses; :mod:`ledger.tlog.algorithms` has the signature
algorithms. Rejected: a key file that others can read, and an existing file as a target.
"""

from __future__ import annotations

import os
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar

from msgspec import Struct

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.named_files import why_unread
from ledger.storage.secret_files import read_secret, write_secret
from ledger.tlog.algorithms import ECDSA_P256, ED25519, ML_DSA_44, Algorithm
from ledger.tlog.notes import decode_base64

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.entropy import Entropy

__all__ = [
    "KINDS",
    "NAME_BYTES_MAX",
    "PrivateKey",
    "VerifierKey",
    "is_key_name",
    "is_of_other_kind",
]

NOTE_ID_BYTES = 4
NAME_CHARACTERS_MAX = 128
NAME_BYTES_MAX = 255

KINDS: Mapping[bytes, Algorithm] = {
    b"\x01": ED25519,
    b"\x02": ECDSA_P256,
    b"\x04": ED25519,
    b"\x06": ML_DSA_44,
}
"""Signature types of C2SP that are read: 01 and 02 of a log, 04 and 06 of a witness."""

_ECDSA = b"\x02"
_SHORT_KEY_BYTES = 128

_SECRET = "PRIVATE+KEY+"  # noqa: S105 - the first words of a key file, not a secret


def is_key_name(name: str) -> bool:
    """Return whether a name is valid for a key: visible characters, no plus, at most 255 bytes."""
    is_plain = "+" not in name and name.isprintable() and not any(map(str.isspace, name))
    is_short = 0 < len(name) <= NAME_CHARACTERS_MAX
    return is_short and is_plain and len(name.encode()) <= NAME_BYTES_MAX


def is_of_other_kind(text: str) -> bool:
    """Return whether a line is a public key, with its check digits, of a kind not read here."""
    name, _, rest = text.partition("+")
    check, _, encoded = rest.partition("+")
    if not is_key_name(name):
        return False
    try:
        raw = decode_base64(encoded, "a public key")
    except InputError:
        return False
    digest = sha256(name.encode() + b"\n" + raw).digest()[:NOTE_ID_BYTES].hex()
    return check == digest and raw[:1] not in KINDS and len(raw) > 1


class VerifierKey(Struct, frozen=True):
    """Public key that verifies signatures: the name of the signer, the key, and its kind."""

    OWN: ClassVar[tuple[bytes, ...]] = ()
    """The signature types of this class, as numbered by signed-note; the first is the default."""

    name: str
    raw: bytes
    kind: bytes

    @property
    def algorithm(self) -> Algorithm:
        """The signature algorithm of the key."""
        return KINDS[self.kind]

    @property
    def is_whole(self) -> bool:
        """Whether the key has the number of bytes of its algorithm."""
        return len(self.raw) == self.algorithm.key_bytes

    @property
    def key_id(self) -> str:
        """Four hexadecimal bytes that distinguish keys of the same name; not a proof of the key."""
        named = b"" if self.kind == _ECDSA else self.name.encode() + b"\n" + self.kind
        return sha256(named + self.raw).digest()[:NOTE_ID_BYTES].hex()

    @property
    def text(self) -> str:
        """The key as one line, in the form that other signed-note tools read."""
        return f"{self.name}+{self.key_id}+{b64encode(self.kind + self.raw).decode()}"

    @property
    def short_text(self) -> str:
        """The key for people: without the key itself where that is long."""
        is_short = len(self.raw) <= _SHORT_KEY_BYTES
        return self.text if is_short else f"{self.name}+{self.key_id} ({self.algorithm.name})"

    @classmethod
    def kind_of(cls, algorithm: str) -> bytes:
        """Return the signature type of this class with an algorithm, by the algorithm's name.

        Raises:
            InputError: this class has no such type.

        """
        for kind in cls.OWN:
            if KINDS[kind].name == algorithm:
                return kind
        names = ", ".join(KINDS[kind].name for kind in cls.OWN)
        raise InputError(f"{algorithm!r} is not an algorithm of these keys, which are {names}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the one-line form.

        Raises:
            InputError: it is not a verifier key.

        """
        name, raw, kind = _parse_key(text.strip(), "public key", cls.OWN)
        algorithm = KINDS[kind]
        key = cls(name, raw, kind)
        if not key.is_whole:
            size = f"{algorithm.name} has {algorithm.key_bytes} bytes"
            raise InputError(f"the public key of {name} has {len(raw)} bytes, and one of {size}")
        if text.strip() != key.text:
            raise InputError("a public key does not fit its own check digits: copy it again")
        return key

    def has_signed(self, text: bytes, signature: bytes) -> bool:
        """Return whether a signature over some bytes was made with this key."""
        return self.algorithm.verify(self.raw, signature, text)


Public = TypeVar("Public", bound=VerifierKey)


class PrivateKey(Generic[Public]):
    """A private key; only its file and this object hold it."""

    PUBLIC: type[Public]

    def __init__(self, name: str, secret: bytes, kind: bytes = b"") -> None:
        """Create a key from its name, its secret bytes, and its kind (by default the first).

        Raises:
            InputError: the name has spaces or a plus, or the secret is of another length.

        """
        kind = kind or self.PUBLIC.OWN[0]
        algorithm = KINDS[kind]
        if not is_key_name(name) or len(secret) != algorithm.secret_bytes:
            size = algorithm.secret_bytes
            raise InputError(f"a key is a name without spaces and plus signs, and {size} bytes")
        self._sign, raw = algorithm.load(secret)
        self.public: Public = self.PUBLIC(name, raw, kind)

    @property
    def key_id(self) -> str:
        """The key ID of the public half."""
        return self.public.key_id

    @classmethod
    def create(
        cls, path: Path | str, name: str, entropy: Entropy = os.urandom, algorithm: str = ""
    ) -> Self:
        """Create a key and its file, readable only by the owner.

        Raises:
            InputError: the file exists, or the name or the algorithm does not fit.
            AvailabilityError: the file can't be written.

        """
        kind = cls.PUBLIC.kind_of(algorithm) if algorithm else cls.PUBLIC.OWN[0]
        secret = entropy(KINDS[kind].secret_bytes)
        key = cls(name, secret, kind)
        encoded = b64encode(kind + secret).decode()
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
        key = cls(*_parse_key(line.removeprefix(_SECRET), "private key", cls.PUBLIC.OWN))
        if line.split("+")[3] != key.key_id:
            raise InputError(f"{path} does not fit its own check digits: restore it from a copy")
        return key


def _parse_key(line: str, noun: str, kinds: tuple[bytes, ...]) -> tuple[str, bytes, bytes]:
    name, _, rest = line.partition("+")
    _, _, encoded = rest.partition("+")
    raw = decode_base64(encoded, f"a {noun}")
    if not is_key_name(name) or raw[:1] not in KINDS or len(raw) == 1:
        raise InputError(f"a {noun} is name, 8 hexadecimal digits, and kind and key in base64")
    if raw[:1] not in kinds:
        wanted = " or ".join(kind.hex() for kind in kinds)
        text = f"the {noun} of {name} is of kind {raw[0]:02x}, and {wanted} is asked for"
        raise InputError(f"{text}: 01 and 02 sign for a log, 04 and 06 for a witness")
    return name, raw[1:], raw[:1]
