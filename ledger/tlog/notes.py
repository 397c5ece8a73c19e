"""Signed notes (C2SP signed-note) of any signer, and the checkpoints in them.

What comes in: the text of a note. What goes out: the signed text, unchanged, and its signature
lines; for a checkpoint (C2SP tlog-checkpoint) also its first three lines. Extension lines are not
interpreted. Signatures are not verified here: :mod:`ledger.tlog.signing` verifies those of a log,
:mod:`ledger.tlog.cosigning` those of a witness. Rejected: text that violates the two
specifications.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode

from msgspec import Struct

from ledger.core.errors import InputError

__all__ = [
    "HASH_BYTES",
    "NOTE_CHARACTERS_MAX",
    "SIZE_MAX",
    "Note",
    "NoteSignature",
    "TreeHead",
    "decode_base64",
    "parse_size",
]

NOTE_CHARACTERS_MAX = 65_536
HASH_BYTES = 32
SIZE_MAX = 2**63 - 1
"""The largest size: sizes are stored in signed 64 bits."""

_ID_BYTES = 4
_DASH = "\u2014"
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class NoteSignature(Struct, frozen=True):
    """A signature line of a note: name and key ID of the signer, and the signature."""

    name: str
    key_id: str
    signature: bytes

    @property
    def line(self) -> str:
        """The line as it appears in a note, with its line feed."""
        encoded = b64encode(bytes.fromhex(self.key_id) + self.signature).decode()
        return f"{_DASH} {self.name} {encoded}\n"

    @classmethod
    def parse(cls, line: str) -> NoteSignature:
        """Parse a line without its line feed.

        Raises:
            InputError: it is not a signature line.

        """
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        raw = decode_base64(encoded, "a signature of a note")
        if dash != _DASH or not name or len(raw) <= _ID_BYTES:
            raise InputError("a signature line is a dash, the name of the key and base64")
        return cls(name, raw[:_ID_BYTES].hex(), raw[_ID_BYTES:])


class TreeHead(Struct, frozen=True):
    """The first three lines of a checkpoint: log, size and root."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def of(cls, text: str) -> TreeHead:
        """Parse the text of a checkpoint; extension lines are ignored.

        Raises:
            InputError: it is not a checkpoint.

        """
        lines = text.split("\n")
        if len(lines) < 4 or lines.pop() or not all(lines):  # noqa: PLR2004 - origin, size, root, end
            raise InputError(
                "a checkpoint begins with the name of its log, size and root, a line each"
            )
        size = parse_size(lines[1])
        root = decode_base64(lines[2], "the root of a checkpoint")
        if len(root) != HASH_BYTES or b64encode(root).decode() != lines[2]:
            raise InputError("the root of a checkpoint is 32 bytes in base64, with its padding")
        return cls(lines[0], size, root)


class Note(Struct, frozen=True):
    """The signed text, including its last line feed, and its signatures."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @property
    def head(self) -> TreeHead:
        """The tree that the text names.

        Raises:
            InputError: the text is not a checkpoint.

        """
        return TreeHead.of(self.text)

    def __str__(self) -> str:
        """Write the note."""
        return f"{self.text}\n{''.join(signature.line for signature in self.signatures)}"

    @classmethod
    def parse(cls, note: str) -> Note:
        """Parse a note.

        Raises:
            InputError: it is not a note, or longer than 65,536 characters.

        """
        body, separator, tail = note.rpartition("\n\n")
        if len(note) > NOTE_CHARACTERS_MAX or not separator or not tail.endswith("\n"):
            raise InputError("a checkpoint note is three lines, an empty line and signatures")
        if _CONTROL.search(note):
            raise InputError("a note holds a control character: it was not copied as it was")
        lines = tail[:-1].split("\n")
        return cls(f"{body}\n", tuple(NoteSignature.parse(line) for line in lines))


def parse_size(text: str) -> int:
    """Parse the number of messages in a checkpoint.

    Raises:
        InputError: the text is not a whole number in its shortest decimal form.

    """
    if not _SIZE.fullmatch(text) or int(text) > SIZE_MAX:
        numbers = f"from 0 to {SIZE_MAX}, without leading zeros"
        raise InputError(f"the size of a checkpoint is a decimal number {numbers}")
    return int(text)


def decode_base64(text: str, kind: str) -> bytes:
    """Decode standard base64.

    Raises:
        InputError: it is not base64; ``kind`` names the expected content.

    """
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InputError(f"{kind} is not base64") from error
