"""Signed notes (C2SP signed-note), whoever wrote them, and the tree that a checkpoint names.

What comes in: the text of a note. What goes out: the text that was signed, as it stands, and its
signature lines; of a checkpoint (C2SP tlog-checkpoint) its first three lines, with whatever
extension lines follow left alone. Nobody's signature is checked here: :mod:`ledger.core.signing`
does so for a log, :mod:`ledger.core.cosigning` for a witness. Refused: what is not written as the
two texts say.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode

from msgspec import Struct

from ledger.core.errors import InputError

__all__ = [
    "HASH_BYTES",
    "NOTE_CHARACTERS_MAX",
    "Note",
    "NoteSignature",
    "TreeHead",
    "decode_base64",
    "parse_size",
]

NOTE_CHARACTERS_MAX = 65_536
HASH_BYTES = 32
SIZE_MAX = 2**63 - 1
"""Messages that can be counted; what remembers a size has 64 bits with a sign."""

_ID_BYTES = 4
_DASH = "\u2014"
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")


class NoteSignature(Struct, frozen=True):
    """A line of a note: who signed, by name and key ID, and what."""

    name: str
    key_id: str
    signature: bytes

    @property
    def line(self) -> str:
        """The line as it stands in a note, with its line feed."""
        encoded = b64encode(bytes.fromhex(self.key_id) + self.signature).decode()
        return f"{_DASH} {self.name} {encoded}\n"

    @classmethod
    def parse(cls, line: str) -> NoteSignature:
        """Read a line, without its line feed.

        Raises:
            InputError: it is not one.

        """
        dash, _, rest = line.partition(" ")
        name, _, encoded = rest.partition(" ")
        raw = decode_base64(encoded, "a signature of a note")
        if dash != _DASH or not name or len(raw) <= _ID_BYTES:
            raise InputError("a signature line is a dash, the name of the key and base64")
        return cls(name, raw[:_ID_BYTES].hex(), raw[_ID_BYTES:])


class TreeHead(Struct, frozen=True):
    """What the first three lines of a checkpoint say: which log, how long, and its root."""

    origin: str
    size: int
    root: bytes

    @classmethod
    def of(cls, text: str) -> TreeHead:
        """Read the text of a checkpoint; extension lines may follow and are not looked at.

        Raises:
            InputError: it is none.

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
    """A text with its last line feed, and who signed it."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @property
    def head(self) -> TreeHead:
        """The tree that the text names.

        Raises:
            InputError: it is no checkpoint.

        """
        return TreeHead.of(self.text)

    def __str__(self) -> str:
        """Write the note."""
        return f"{self.text}\n{''.join(one.line for one in self.signatures)}"

    @classmethod
    def parse(cls, note: str) -> Note:
        """Read a note.

        Raises:
            InputError: it is none, or longer than 65,536 characters.

        """
        body, separator, tail = note.rpartition("\n\n")
        if len(note) > NOTE_CHARACTERS_MAX or not separator or not tail.endswith("\n"):
            raise InputError("a checkpoint note is three lines, an empty line and signatures")
        if _CONTROL.search(note):
            raise InputError("a note holds a control character: it was not copied as it was")
        lines = tail[:-1].split("\n")
        return cls(f"{body}\n", tuple(NoteSignature.parse(line) for line in lines))


def parse_size(text: str) -> int:
    """Read a number of messages.

    Raises:
        InputError: it is none.

    """
    if not _SIZE.fullmatch(text) or int(text) > SIZE_MAX:
        numbers = f"from 0 to {SIZE_MAX}, without leading zeros"
        raise InputError(f"the size of a checkpoint is a decimal number {numbers}")
    return int(text)


def decode_base64(text: str, kind: str) -> bytes:
    """Decode standard base64.

    Raises:
        InputError: it is none; ``kind`` says what it should have been.

    """
    try:
        return b64decode(text, validate=True)
    except ValueError as error:
        raise InputError(f"{kind} is not base64") from error
