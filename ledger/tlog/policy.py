"""Policies (C2SP tlog-policy): which signatures make a checkpoint trusted.

What comes in: a text that names logs and witnesses by their keys, groups of witnesses, and the
quorum. What goes out: the witnesses that cosigned a note, with their times, and whether they
meet the quorum. Guaranteed: keys that the policy does not name are ignored. Rejected: a policy that
violates the C2SP specification, with the line number; a note with an invalid signature under a key
that the policy names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.cosigning import CosignerKey
from ledger.tlog.note_keys import is_of_other_kind
from ledger.tlog.signing import PublicKey

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger.tlog.notes import Note

__all__ = ["KnownLog", "Policy", "Witness"]

BYTES_MAX = 1 << 20
NONE = "none"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_UNDECODED = re.compile(r"[\ud800-\udfff]")
"""What stands for bytes that are not UTF-8, in a text that was read all the same."""
_COUNT = re.compile(r"[1-9][0-9]{0,5}")
_WORDS = re.compile(r"[^ \t]+")


class KnownLog(NamedTuple):
    """A log of a policy: its key, whose name is the log's origin, and its URL ("" if none)."""

    key: PublicKey
    url: str


class Witness(NamedTuple):
    """A witness of a policy: its name there, its key, and its URL ("" if none)."""

    name: str
    key: CosignerKey
    url: str


class _Group(NamedTuple):
    needed: int
    members: tuple[str, ...]


class Policy(Struct, frozen=True):
    """Logs, witnesses and groups by name; ``quorum`` names the required group or witness.

    ``witnesses`` are those whose cosignatures can be verified here. A witness with a key of another
    kind may be a member of a group; its cosignatures are ignored.
    """

    logs: tuple[KnownLog, ...]
    witnesses: dict[str, Witness]
    groups: dict[str, _Group]
    quorum: str

    def is_met(self, cosigned: Collection[str]) -> bool:
        """Return whether the cosignatures of these witnesses, by name, meet the quorum."""
        witnessed = {NONE, *cosigned}
        for name, group in self.groups.items():  # each group follows all its members
            if sum(member in witnessed for member in group.members) >= group.needed:
                witnessed.add(name)
        return self.quorum in witnessed

    def cosigned(self, note: Note) -> dict[str, int]:
        """Return the times of the cosignatures of a note, by witness; seconds since 1970.

        Witnesses that the policy does not name are left out.

        Raises:
            IntegrityError: a cosignature under the key of a witness is invalid.

        """
        by_line = {(one.key.name, one.key.key_id): one for one in self.witnesses.values()}
        seconds_by_witness: dict[str, int] = {}
        for line in note.signatures:
            witness = by_line.get((line.name, line.key_id))
            if witness is None:
                continue
            try:
                cosignature = witness.key.parse_cosignature(line.signature)
            except InputError as error:
                raise IntegrityError(f"the line of {line.name} in a note: {error}") from error
            if not witness.key.is_cosigner_of(note.text, cosignature):
                text = f"the note of {note.head.size} messages bears a false cosignature"
                raise IntegrityError(f"{text} of {line.name} ({line.key_id}): do not rely on it")
            seconds_by_witness[witness.name] = cosignature.seconds
        return seconds_by_witness

    @classmethod
    def parse(cls, text: str | bytes) -> Policy:
        """Parse a policy.

        Raises:
            InputError: the text is not a policy; the error names the line.

        """
        raw = (
            text
            if isinstance(text, str)
            else text[: BYTES_MAX + 1].decode(errors="surrogateescape")
        )
        if len(raw) > BYTES_MAX:
            raise InputError("a policy has at most one million characters")
        reading = _PolicyParser()
        for number, line in enumerate(raw.split("\n"), 1):
            try:
                reading.parse_line(line)
            except InputError as error:
                raise InputError(f"line {number} of the policy: {error}") from error
        if reading.quorum is None:
            raise InputError("the policy has no quorum line: `quorum none` if none is needed")
        logs = tuple(reading.logs.values())
        return cls(logs, reading.witnesses, reading.groups, reading.quorum)


class _PolicyParser:
    """A policy while it is parsed, line by line."""

    def __init__(self) -> None:
        self.logs: dict[bytes, KnownLog] = {}
        self.witnesses: dict[str, Witness] = {}
        self.unverifiable: set[str] = set()
        self.groups: dict[str, _Group] = {}
        self.quorum: str | None = None
        self._keys: set[bytes] = set()
        self._members: set[str] = set()

    def parse_line(self, line: str) -> None:
        """Parse one more line."""
        if _CONTROL.search(line):
            raise InputError("it holds a control character; tabs and line feeds are allowed")
        words = _WORDS.findall(line)
        if not words or words[0].startswith("#"):
            return
        if _UNDECODED.search(line):
            raise InputError("it is not UTF-8, as only comments may be")
        read = {
            "log": self._log,
            "witness": self._witness,
            "group": self._group,
            "quorum": self._quorum,
        }.get(words[0])
        if read is None:
            raise InputError(f"{words[0]!r} is none of log, witness, group and quorum")
        read(words[1:])

    def _log(self, words: list[str]) -> None:
        if len(words) not in {1, 2}:
            raise InputError("a log is a key and perhaps a URL")
        key = PublicKey.parse(words[0])
        if key.raw in self.logs:
            raise InputError("this log stands there already, under the same key")
        self.logs[key.raw] = KnownLog(key, "".join(words[1:]))

    def _witness(self, words: list[str]) -> None:
        if len(words) not in {2, 3}:
            raise InputError("a witness is a name, a key and perhaps a URL")
        name = words[0]
        self._require_new(name)
        if is_of_other_kind(words[1]):
            self.unverifiable.add(name)
            return
        key = CosignerKey.parse(words[1])
        if key.raw in self._keys:
            raise InputError("this witness stands there already, under the same key")
        self._keys.add(key.raw)
        self.witnesses[name] = Witness(name, key, "".join(words[2:]))

    def _group(self, words: list[str]) -> None:
        name, count, *members = (*words, "", "")[: max(len(words), 2)]
        if not members:
            raise InputError("a group is a name, a number (or all, or any) and its members")
        self._require_new(name)
        for member in members:
            self._require_known(member)
            if member in self._members:
                raise InputError(f"{member} is a member already, and may be one only once")
            self._members.add(member)
        needed = {"all": len(members), "any": 1}.get(count)
        if needed is None:
            needed = int(count) if _COUNT.fullmatch(count) else 0
        if not 1 <= needed <= len(members):
            raise InputError(f"of {len(members)} members, {count!r} can't be asked for")
        self.groups[name] = _Group(needed, tuple(members))

    def _quorum(self, words: list[str]) -> None:
        if len(words) != 1 or self.quorum is not None:
            raise InputError("there is one quorum line, with one name")
        if words[0] != NONE:
            self._require_known(words[0])
        self.quorum = words[0]

    def _require_new(self, name: str) -> None:
        if name == NONE or self._is_known(name):
            raise InputError(f"the name {name} is taken")

    def _require_known(self, name: str) -> None:
        if not self._is_known(name):
            raise InputError(f"{name} is named by no line above")

    def _is_known(self, name: str) -> bool:
        return any(name in names for names in (self.witnesses, self.unverifiable, self.groups))
