"""Proof that a log signed two contradictory checkpoints.

What comes in: two notes of one log, and a proof that the later tree begins with *some* tree of the
size of the earlier one. What goes out: a text that anyone with the public key of the log can
verify. It is the earlier note, followed by a witness request (C2SP tlog-witness): ``old`` and the
size, one proof hash per line, an empty line, the later note. If that size is a power of two, the
root of the later tree at that size precedes the proof. If both notes have the same size, their two
roots suffice. Rejected: two notes that may both be true, and notes that the given keys did not
sign.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.merkle import root_from_consistency_proof
from ledger.tlog.notes import HASH_BYTES, Note, decode_base64, parse_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.tlog.signing import PublicKey

__all__ = ["PROOF_HASHES_MAX", "Submission", "is_signed", "prove_misconduct", "require_misconduct"]

PROOF_HASHES_MAX = 63
_OLD = "old "


class Submission(Struct, frozen=True):
    """A witness request: a checkpoint, and proof that it continues a tree of size ``old``."""

    old: int
    proof: tuple[bytes, ...]
    note: Note

    def __str__(self) -> str:
        """Write the body of the request."""
        proof = "".join(f"{b64encode(digest).decode()}\n" for digest in self.proof)
        return f"{_OLD}{self.old}\n{proof}\n{self.note}"

    @classmethod
    def parse(cls, text: str) -> Submission:
        """Read the body of a request.

        Raises:
            InputError: it is not a request.

        """
        head, separator, note = text.partition("\n\n")
        first, *hashes = head.split("\n")
        if not separator or not first.startswith(_OLD):
            raise InputError("it begins with `old`, a size, the proof and an empty line")
        if len(hashes) > PROOF_HASHES_MAX:
            raise InputError(f"a proof has at most {PROOF_HASHES_MAX} hashes")
        proof = tuple(decode_base64(line, "a line of the proof") for line in hashes)
        if any(len(line) != HASH_BYTES for line in proof):
            raise InputError("a line of the proof is a hash of 32 bytes in base64")
        return cls(parse_size(first.removeprefix(_OLD)), proof, Note.parse(note))


def is_signed(note: Note, keys: Iterable[PublicKey]) -> bool:
    """Return whether one of the given keys signed a note and none has an invalid signature."""
    known = {(key.name, key.key_id): key for key in keys}
    lines = [(known.get((line.name, line.key_id)), line) for line in note.signatures]
    text = note.text.encode()
    valid = [key.has_signed(text, line.signature) for key, line in lines if key is not None]
    return bool(valid) and all(valid)


def prove_misconduct(earlier: Note, steps: Sequence[bytes], later: Note) -> str:
    """Return the proof that two notes contradict each other; empty if no contradiction is shown.

    Args:
        earlier: the checkpoint with the smaller size, or with the same size.
        steps: the consistency proof from the earlier size to the later one; if the earlier size is
            a power of two, preceded by the root of the later tree at that size. Ignored for equal
            sizes.
        later: the other checkpoint.

    """
    first, second = earlier.head, later.head
    if first.origin != second.origin or first.size > second.size:
        return ""
    root = second.root
    if first.size < second.size:
        proved_root = root_from_consistency_proof(first.size, second.size, second.root, steps)
        if proved_root is None:
            return ""
        root = proved_root
    if root == first.root:
        return ""
    shown = tuple(steps) if first.size < second.size else ()
    return f"{earlier}{Submission(first.size, shown, later)}"


def require_misconduct(text: str, keys: Iterable[PublicKey]) -> tuple[Note, Note]:
    """Verify a proof of misconduct; return its two notes.

    Raises:
        InputError: the text does not have the form of a proof.
        IntegrityError: the notes do not contradict each other, or the keys of the log did not sign
            both.

    """
    earlier, later = _parts(text)
    trusted = tuple(keys)
    for note in (earlier, later.note):
        if not is_signed(note, [key for key in trusted if key.name == note.head.origin]):
            raise IntegrityError("a note in the proof is not signed by a key of its log")
    if later.old != earlier.head.size or prove_misconduct(earlier, later.proof, later.note) != text:
        raise IntegrityError("the two notes may both be true: this proves no misconduct")
    return earlier, later.note


def _parts(text: str) -> tuple[Note, Submission]:
    """Split a proof after the signatures of its first note, whatever the note contains."""
    first, _, rest = text.partition("\n\n")
    lines = rest.split("\n")
    count = next((at for at, line in enumerate(lines) if line.startswith(_OLD)), 0)
    if not count:
        raise InputError("a proof of misconduct is a note, and a second one with `old` before it")
    signatures = "\n".join(lines[:count])
    return Note.parse(f"{first}\n\n{signatures}\n"), Submission.parse("\n".join(lines[count:]))
