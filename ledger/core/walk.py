"""A verification under way: what is known of a chain up to a size, and the next messages.

What comes in: messages in order, by the block or one by one. What goes out: the first fault with
its position, or what was found. A block in which nothing is unusual is judged as a whole, its links
and positions by one comparison; a block with anything else is judged message by message, so that a
fault is named the same either way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from fastavro import schemaless_reader
from msgspec import Struct

from ledger.core.avro_long import encode_long, read_long
from ledger.core.encoding import (
    BODY_OFFSET,
    COMMAND,
    NUMBERS,
    PREVIOUS_HASH,
    decode_envelope,
    previous_hash_of,
)
from ledger.core.errors import IntegrityError
from ledger.core.exact import scan_of
from ledger.core.merkle import Frontier, Trail, leaf_hash
from ledger.core.message import EMPTY, Head
from ledger.core.repeats import IDENTIFIER_BYTES, Repeats
from ledger.core.schema_book import header_of, is_known
from ledger.core.self_description import CHECKPOINT_WINDOW, SelfDescription
from ledger.core.signing import Checkpoint, PublicKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.exact import Scan
    from ledger.core.tag_map_check import MapJudge
    from schemas import Schema

    Stored = Sequence[tuple[int, bytes]]

__all__ = ["BLOCK", "MESSAGE_BYTES_MAX", "Note", "Trusted", "Unknown", "Verified", "Walk"]

BLOCK = 1024
"""Messages that are judged as a whole."""

Note = Callable[[int, str, Sequence[bytes], bytes | None, int], None]
"""Hears of a message: position, type, tags, command and size of its decision; see ``verify``."""

_LEAF = b"\x00"
_SLIP_BITS_MAX = 64
"""Two hashes of different bytes differ in 128 bits on average, in less than 64 never."""


MESSAGE_BYTES_MAX = 65_535
"""Bytes of one message: an entry bundle of a transparency log gives its length in 16 bits.

What one command says stays below it, and so do the names of all who take part
(``ledger.core.command``).
"""


class Unknown(NamedTuple):
    """A published schema that this program does not have, and how many events are in it."""

    name: str
    version: int
    events: int


class Verified(Struct, frozen=True):
    """What a verification found; every message up to ``head`` was hashed, linked and read.

    ``root`` is that of the tree over all of them, ``keys`` are those that the chain ever added.

    ``covered`` is the size that the last checkpoint vouches for: behind it, a change of the
    very last message can't be told from the message. Moments are those of the records.
    ``unknown`` events were read by the schemas that the chain gives; what they mean is known
    to another version of this program.
    """

    chain: str
    head: Head
    root: bytes
    decisions: int
    checkpoints: int
    covered: int
    first_recorded_at: int
    last_recorded_at: int
    keys: tuple[PublicKey, ...] = ()
    unknown: tuple[Unknown, ...] = ()


class Trusted(Struct, frozen=True):
    """A part of a chain that need not be verified again, because a note that is trusted covers it.

    Attributes:
        checkpoint: of the note.
        tree: the right edge of its tree, which gives its root.
        last: the last message that it covers.
        said: (position, message) of what the chain said of itself before: schemas and keys.

    """

    checkpoint: Checkpoint
    tree: Frontier
    last: bytes
    said: tuple[tuple[int, bytes], ...]


class Walk:
    """A verification under way: what is known of the chain up to ``size``."""

    def __init__(
        self,
        keys: Mapping[str, bytes],
        since: Head | Checkpoint | None,
        repeats: Repeats,
        scanned: Note | None,
        maps: MapJudge,
    ) -> None:
        """Begin before the first message; see ``ledger.core.chain.verify``."""
        self.size, self.digest = EMPTY
        self._repeats = repeats
        self._scanned = scanned
        self._since = since
        self._since_size = since.size if since else -1
        self._tree = Trail(CHECKPOINT_WINDOW)
        chain = since.chain if isinstance(since, Checkpoint) else None
        self._maps = maps
        self._said = SelfDescription(keys, chain, self._tree, maps)
        self._kinds: dict[bytes, _Kind] = {}
        self._counted: Counter[bytes] = Counter()
        self._missing = 0
        self._decision: tuple[int, bytes] = (0, b"")
        self._alike = b""
        self._first_recorded_at = self._recorded_at = 0
        self._decisions = 0

    def go_on(self, after: Trusted) -> None:
        """Begin behind what is known already."""
        self._tree = Trail(CHECKPOINT_WINDOW, after.tree)
        self._said.tree = self._tree
        for position, body in after.said:
            _, schema, _, _, judge = self._kind_of(body[:BODY_OFFSET])
            if judge is not None:
                judge(position, _facts(schema, body))
        envelope = decode_envelope(after.last)
        self.size, self.digest = after.checkpoint.size, leaf_hash(after.last)
        self._first_recorded_at = self._recorded_at = envelope.recorded_at

    def take(self, block: Stored) -> bool:
        """Verify a whole block; false, and nothing is changed, if it has to be judged in steps."""
        size, count = self.size, len(block)
        bodies = [body for _, body in block]
        kinds = [
            kind
            for body in bodies
            if (kind := self._kinds.get(body[:BODY_OFFSET])) is not None and kind.judge is None
        ]
        if (
            len(kinds) < count
            or [position for position, _ in block] != list(range(size, size + count))
            or size < self._since_size <= size + count
            or max(map(len, bodies)) > MESSAGE_BYTES_MAX
        ):
            return False
        hashes = [sha256(_LEAF + body).digest() for body in bodies]
        named = b"".join([body[PREVIOUS_HASH] for body in bodies])
        if named != b"".join((self.digest, *hashes[:-1])):
            return False
        run = _Run(self._decision, self._missing, self._alike, self._recorded_at)
        if not run.goes_on(size, bodies):
            return False
        tags = []
        for kind, body in zip(kinds, bodies, strict=True):
            fault, found = kind.scan(body)
            if fault:
                return False
            tags.append(found)
        self._enter(kinds, hashes, tags, run)
        return True

    def _enter(
        self, kinds: list[_Kind], hashes: list[bytes], tags: list[Sequence[bytes]], run: _Run
    ) -> None:
        """Go on behind a block in which no fault was found."""
        size = self.size
        for position, identifier in run.begun:
            self._repeats.add(identifier, position)
        self._decisions += len(run.begun)
        self._decision, self._missing, self._alike = run.decision, run.missing, run.alike
        self._recorded_at = run.recorded_at
        self._counted.update(kind.header for kind in kinds if not kind.name)
        self._tree.extend(hashes)
        self._maps.note_all(zip(range(size, size + len(hashes)), tags, hashes, strict=True))
        if self._scanned is not None:
            commands = dict(run.begun)
            sizes = run.sizes
            for at, kind, found in zip(range(size, size + len(hashes)), kinds, tags, strict=True):
                self._scanned(at, kind.name, found, commands.get(at), sizes[at - size])
        self.digest = hashes[-1]
        self.size = size + len(hashes)

    def step(self, position: int, body: bytes) -> bool:
        """Verify one more message; false if its link to the one before is broken."""
        size = self.size
        if position != size:
            raise _fault(size, f"message {size} is missing: the log goes on at {position}")
        place = encode_long(size)
        if not body.startswith(place, NUMBERS):
            raise _fault(size, f"message {size} {_other_place(body)}")
        if body[PREVIOUS_HASH] != self.digest:
            return False
        if len(body) > MESSAGE_BYTES_MAX:
            text = f"message {size} has {len(body)} bytes, {MESSAGE_BYTES_MAX} at most"
            raise _fault(size, f"{text}: no writer of this format made it")
        header = body[:BODY_OFFSET]
        _, schema, name, scan, judge = self._kinds.get(header) or self._kind_of(header)
        self._check_numbers(body, NUMBERS + len(place))
        fault, tags = scan(body)
        if fault:
            raise _fault(size, f"message {size} was altered: {fault}")
        if judge is not None:
            judge(size, _facts(schema, body))
        elif size == 0:
            raise _fault(0, "message 0 is not ChainOpened")
        if not name:
            self._counted[header] += 1
        if self._scanned is not None:
            of, command = self._decision
            first = command[:IDENTIFIER_BYTES] if self._missing == of - 1 else None
            self._scanned(size, name, tags, first, of)
        self.digest = leaf_hash(body)
        self._tree.add(self.digest)
        self._maps.note(size, tags, self.digest)
        self.size = size = size + 1
        if size == self._since_size:
            self._compare_remembered()
        return True

    def broken_link(self, body: bytes, following: tuple[int, bytes] | None) -> IntegrityError:
        """Say which of two messages was altered, when one does not name the hash of the other.

        Either the hash in the later one was changed, or any byte of the earlier one. What
        comes after the later message says whether that one is as it was. If nothing comes
        after it, a slip of few bits in the hash tells the first case from the second.
        """
        at, named = self.size, previous_hash_of(body)
        if at == 0:
            return _fault(0, "message 0 was altered: its previous hash is not all zeros")
        vouched = None
        if following is not None and following[0] == at + 1:
            vouched = previous_hash_of(following[1])
        elif isinstance(self._since, Head) and self._since.size == at + 1:
            vouched = self._since.hash
        differing = (int.from_bytes(named) ^ int.from_bytes(self.digest)).bit_count()
        is_later = differing < _SLIP_BITS_MAX if vouched is None else vouched != leaf_hash(body)
        if is_later or self._since_size == at:
            text = f"message {at} was altered: it does not name the hash of message {at - 1}"
            return _fault(at, text)
        text = f"message {at - 1} was altered: it is not what message {at} says it was"
        return _fault(at - 1, text)

    def finish(self) -> None:
        """Verify what only the end of the chain can show."""
        if self.size == 0:
            raise _fault(0, "the log holds no message; a chain has at least ChainOpened")
        if self._missing:
            first = self.size - (self._decision[0] - self._missing)
            text = f"the decision at position {first} is torn: {self._missing} messages lack"
            raise _fault(first, text)
        if self._since_size > self.size:
            text = f"the log ends at {self.size}, and a log of {self._since_size} is remembered"
            raise _fault(self.size, f"{text}: messages were cut off")

    def result(self) -> Verified:
        """Report a chain without a fault."""
        return Verified(
            chain=self._said.chain,
            head=Head(self.size, self.digest),
            root=self._tree.root(),
            decisions=self._decisions,
            checkpoints=self._said.checkpoints,
            covered=self._said.covered,
            first_recorded_at=self._first_recorded_at,
            last_recorded_at=self._recorded_at,
            keys=tuple(self._said.keys),
            unknown=tuple(
                Unknown(schema.name, schema.version, self._counted[header_of(schema)])
                for schema in self._said.book.unknown()
            ),
        )

    def _compare_remembered(self) -> None:
        at = self.size - 1
        if isinstance(self._since, Head) and self.digest != self._since.hash:
            text = f"the hash of message {at} is not the one remembered"
            raise _fault(at, f"{text}: history up to it was replaced")
        if isinstance(self._since, Checkpoint) and self._tree.root() != self._since.root:
            text = f"the root of the first {self.size} messages is not the one remembered"
            raise _fault(at, f"{text}: history up to it was replaced")

    def _check_numbers(self, body: bytes, at: int) -> None:
        """Check the place in the decision and the moment, which stand at an offset."""
        command = body[COMMAND]
        if self._missing and body.startswith(self._alike, at + 1) and command == self._decision[1]:
            # Size and moment are those of the message before, in the same bytes.
            size = self._decision[0]
            if body[at] == (size - self._missing) << 1:
                self._missing -= 1
                return
        try:
            index, behind = read_long(body, at)
            size, behind = read_long(body, behind)
            recorded_at, end = read_long(body, behind)
        except (IndexError, ValueError) as error:
            text = f"message {self.size} was altered: its envelope can't be read"
            raise _fault(self.size, text) from error
        if self._missing:
            if index != size - self._missing or (size, command) != self._decision:
                text = f"message {self.size} does not continue the decision before it"
                raise _fault(self.size, text)
            self._missing -= 1
        else:
            if index != 0 or size < 1:
                raise _fault(self.size, f"message {self.size} does not begin a decision")
            self._decision, self._missing = (size, command), size - 1
            self._alike = body[at + 1 : end]
            self._decisions += 1
            self._repeats.add(command[:IDENTIFIER_BYTES], self.size)
        if self.size == 0:
            self._first_recorded_at = recorded_at
        elif recorded_at < self._recorded_at:
            raise _fault(self.size, f"message {self.size} was recorded before the one before it")
        self._recorded_at = recorded_at

    def _kind_of(self, header: bytes) -> _Kind:
        """Prepare for messages of a schema when the first one is met."""
        schema = self._said.book.get(header)
        if schema is None:
            text = f"message {self.size} was altered, or its schema {header[2:].hex()}"
            raise _fault(self.size, f"{text} was not published before it")
        name = schema.name if is_known(schema) else ""
        judge = self._said.judge_of(schema.name)
        kind = _Kind(header, schema, name, scan_of(schema, schema.tags), judge)
        self._kinds[header] = kind
        return kind


class _Kind(NamedTuple):
    """What messages of one schema are held against; ``name`` is empty if it is not known."""

    header: bytes
    schema: Schema
    name: str
    scan: Scan
    judge: Callable[[int, dict[str, Any]], None] | None


class _Run:
    """Where decisions stand: ``missing`` messages of ``decision`` (size, command) are to come."""

    def __init__(
        self, decision: tuple[int, bytes], missing: int, alike: bytes, recorded_at: int
    ) -> None:
        self.decision, self.missing, self.alike = decision, missing, alike
        self.recorded_at = recorded_at
        self.begun: list[tuple[int, bytes]] = []
        self.sizes: list[int] = []

    def goes_on(self, first: int, bodies: Sequence[bytes]) -> bool:
        """Take in messages; false if one of them is not numbered as it should be."""
        (of, command), missing, alike = self.decision, self.missing, self.alike
        for position, body in enumerate(bodies, first):
            place = encode_long(position)
            if missing:
                numbers = place + encode_long(of - missing) + alike
                if not body.startswith(numbers, NUMBERS) or body[COMMAND] != command:
                    return False
                missing -= 1
            else:
                at = NUMBERS + len(place)
                try:
                    of, end = read_long(body, at + 1)
                    recorded_at, end = read_long(body, end)
                except (IndexError, ValueError):
                    return False
                is_begun = body.startswith(place, NUMBERS) and body[at] == 0 and of >= 1
                if not is_begun or recorded_at < self.recorded_at:
                    return False
                command, missing, alike = body[COMMAND], of - 1, body[at + 1 : end]
                self.recorded_at = recorded_at
                self.begun.append((position, command[:IDENTIFIER_BYTES]))
            self.sizes.append(of)
        self.decision, self.missing, self.alike = (of, command), missing, alike
        return True


def _facts(schema: Schema, body: bytes) -> Any:
    """Decode a message in which no fault was found."""
    stream = BytesIO(body)
    stream.seek(BODY_OFFSET)
    return schemaless_reader(stream, schema.parsed, None)


def _other_place(body: bytes) -> str:
    """Return what stands where a message names its position."""
    try:
        return f"says that it is message {read_long(body, NUMBERS)[0]}"
    except (IndexError, ValueError):
        return "was altered: its envelope can't be read"


def _fault(position: int, text: str) -> IntegrityError:
    return IntegrityError(text, position=position)
