"""The product's mirror as a part of a seed, and an operator that lies to it.

What runs is the product: the mirror, its copy on SQLite, its tiles, and the upload of an operator.
Replaced are HTTP and the clock. It is killed before and behind each append, signature and
publication, its disk is full now and then, and it begins again from its folder. What it signs it
holds, byte for byte, and it signs no fork, no message that was rewritten, and nothing withheld.
"""

from __future__ import annotations

from contextlib import closing
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.events.encoding import decode, decode_envelope, hash_of
from ledger.log.copying import copy
from ledger.log.index.tag_index import message_of
from ledger.log.memory import MemoryLog
from ledger.log.port import checkpoint_of
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import TiledLog
from ledger.tlog import merkle
from ledger.tlog.mirroring import MirrorInfo, Upload, package_bytes, package_ranges
from ledger.tlog.misconduct import Submission
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from ledger.tlog.tiles import TILE_WIDTH
from tests.simulation.simulated_witness import KilledError
from tests.simulation.simulated_world import SECOND, Process
from tools.mirror import pulling
from tools.mirror.folder import MirrorFolder
from tools.mirror.log_copy import LogCopy
from tools.mirror.mirror import Mirror
from tools.witness.uploading import upload_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.message import Head, Message
    from ledger.log.port import Log
    from ledger.log.verified_copy import VerifiedCopy
    from tests.simulation.simulation import Simulation
    from tools.witness.state import WitnessedLog
    from tools.witness.witness import Reply

PREVIOUS_HASH, POSITION = slice(10, 42), 74
"""Where a message has the hash of the one before, and its position."""


class KillableCopy(LogCopy):
    """A copy whose process dies, and whose disk is full, where the seed has it."""

    def __init__(self, folder: MirrorFolder, origin: str, mirror: SimulatedMirror) -> None:
        super().__init__(folder, origin)
        self._mirror = mirror

    def publish(self, copy: VerifiedCopy, note: Note) -> None:
        """Publish, and die before or behind it."""
        self._mirror.live()
        super().publish(copy, note)
        self._mirror.live()

    def _opened(self, memory: WitnessedLog) -> VerifiedCopy:
        opened = super()._opened(memory)
        append = opened.log.append

        def append_or_die(messages: Sequence[Message]) -> Head:
            self._mirror.live()
            if self._mirror.happens("disk of the mirror is full"):
                raise AvailabilityError("no room is left")
            head = append(messages)
            self._mirror.live()
            return head

        opened.log.append = append_or_die  # type: ignore[method-assign]
        return opened


class SimulatedMirror:
    """A mirror, and the operator with the key of the log."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation, self._world = simulation, simulation.world
        self.happens = simulation.happens
        self._chance = self._world.stream("mirror")
        opened: Any = decode(simulation.begin.messages[0].body).event
        self._key = SigningKey(opened.chain, bytes(range(32)))  # which the notary adds
        self._name: str = opened.chain
        self._folder = MirrorFolder(simulation.keys.parent / "mirror")
        self._folder.create("mirror")
        with self._folder.turn() as turn:
            turn.add_key(self._key.public)
        self._mirror: Mirror | None = None
        self._signed, self._leaves = 0, list[bytes]()
        self._refused: list[str] = []
        Process(self._world, "mirror").spawn(self._operate)

    def now(self) -> int:
        """Return the moment of a signature, unless the process is killed just then."""
        self.live()
        return self._simulation.begin.begin + self._world.now

    def live(self) -> None:
        """Go on, or die.

        Raises:
            KilledError: the process was killed.

        """
        if self.happens("mirror is killed"):
            raise KilledError

    def _operate(self) -> None:
        lies = (self._fork, self._rewrite, self._withhold)
        while True:
            self._world.pause(self._chance.randrange(40 * SECOND))
            act = self._chance.choice((*lies, self._send))
            # A mirror that forgot what was announced shows it before the next announcement.
            self._try(self._fork if self._leaves and self._mirror is None else act)

    def _try(self, act: Any) -> None:
        """Let the operator act on what its writer has; the mirror may die of it."""
        leader = self._simulation.leader
        log, checks = leader.log if leader is not None else None, self._simulation.checks
        if log is None:
            return
        try:
            if log.head().size < len(checks.hashes) and not checks.is_violated:
                return  # of a writer that was fenced and does not know it
            act(log)
        except (AvailabilityError, FencedError):
            pass
        except KilledError:
            self._close()
        except IntegrityError as error:  # brokers that lost acknowledged messages
            checks.named(error)
        self._require_kept()
        self._world.log("mirror", f"{act.__name__}: {self._signed} signed")

    def _open(self) -> Mirror:
        if self._mirror is None:
            self._mirror = Mirror(self._folder, self, self._refused.append)
            self._mirror._held[self._name] = KillableCopy(self._folder, self._name, self)
        return self._mirror

    def _close(self) -> None:
        mirror, self._mirror = self._mirror, None
        if mirror is not None:
            mirror.close()

    # What an honest operator does

    def _send(self, log: Log) -> None:
        """Announce what the writer has, and send what is missing."""
        if log.head().size < self._signed:  # of a writer that was fenced and does not know it
            return
        note = self._announce(log)
        self._refused.clear()
        try:
            upload_entries(self._open().add_entries, log, note.head)
        finally:
            for text in self._refused:
                if "no key in force" not in text:  # it is not in the chain yet
                    self._simulation.checks.named(IntegrityError(text))
        self._require_held(note)

    def _announce(self, log: Log) -> Note:
        note = self._note(checkpoint_of(self._name, log))
        pulling._announce(self._open(), log, note)
        return note

    def _note(self, checkpoint: Checkpoint) -> Note:
        signature = self._key.sign(checkpoint)
        return Note.parse(make_note(checkpoint, [(self._key.public, signature)]))

    def _upload(self, start: int, end: int, *packages: bytes) -> Reply:
        raw = Upload(self._name, start, end).raw
        return self._open().add_entries(BytesIO(b"".join((raw, *packages))))

    def _missing(self, log: Log, note: Note) -> tuple[int, list[bytes]]:
        """Return the first message that the mirror lacks, and the rest of its package."""
        start = MirrorInfo.parse(self._upload(0, 0).body).next
        end = min(start - start % TILE_WIDTH + TILE_WIDTH, note.head.size)
        return start, [body for _, body in log.read(start, end)]

    # Lies

    def _fork(self, log: Log) -> None:
        """Announce another message as the last one, as if it was not known what is signed."""
        if not self._leaves or (self._mirror is not None and self._chance.random() < 0.5):
            self._send(log)
        size = len(self._leaves)
        if not size:
            return
        node = merkle.nodes_of([*self._leaves[:-1], bytes(32)])
        note = self._note(Checkpoint(self._name, size, merkle.root(node, size), bytes(32)))
        body = str(Submission(self._chance.choice((0, size)), (), note)).encode()
        reply = self._open().add_checkpoint(body)
        if reply.status not in {409, 422}:
            self._fail(f"{reply} for a second history of {size}")

    def _rewrite(self, log: Log) -> None:
        """Send a message that is not the one in the announced tree."""
        note = self._announce(log)
        start, messages = self._missing(log, note)
        if not messages:
            return
        last = len(messages) - 1
        at, end = self._chance.choice((last, self._chance.randrange(last + 1))), start + last + 1
        body = bytearray(messages[at])
        body[-1] ^= 1
        messages[at] = bytes(body)
        first = start - start % TILE_WIDTH
        proof = merkle.consistency(log.node, end, note.head.size, first)
        reply = self._upload(start, note.head.size, package_bytes(messages, proof))
        if reply.status != 422:
            self._fail(f"{reply} for a message that was rewritten")

    def _withhold(self, log: Log) -> None:
        """Announce everything, and send nothing of the last package."""
        note = self._announce(log)
        start, messages = self._missing(log, note)
        packages, end = [], start + len(messages)
        if end < note.head.size:
            first = start - start % TILE_WIDTH
            proof = merkle.consistency(log.node, end, note.head.size, first)
            packages = [package_bytes(messages, proof)]
        reply = self._upload(start, note.head.size, *packages)
        if reply.status == 200 and start < note.head.size:
            self._fail(f"{note.head.size} messages were signed, and the last withheld")

    def _sign_falsehood(self, log: Log, *, is_map: bool) -> None:
        """Sign another tag map, or a chain that records a command again."""
        bodies, map_root = [body for _, body in log.read()], bytes(32)
        if not is_map:
            if decode_envelope(bodies[-1]).decision_size > 1:
                return
            bodies.append(_repeated(bodies[-1]))
            map_root = _map_root(bodies)
        node, size = merkle.nodes_of([hash_of(body) for body in bodies]), len(bodies)
        note = self._note(Checkpoint(self._name, size, merkle.root(node, size), map_root))
        known = self._open().announced(self._name)
        proof = merkle.consistency(node, known, size) if 0 < known < size else []
        self._open().add_checkpoint(str(Submission(known, tuple(proof), note)).encode())
        start = MirrorInfo.parse(self._upload(0, 0).body).next
        packages = [
            package_bytes(
                bodies[place.start : place.end],
                merkle.consistency(node, place.end, size, place.subtree),
            )
            for place in package_ranges(start, size)
        ]
        self._upload(start, size, *packages)
        signed = self._folder.signed(self._name)
        if signed is not None and signed.text == note.text:
            self._fail(f"{size} messages are signed, which are no true log")

    # Judges

    def _fail(self, text: str) -> None:
        self._simulation.checks.fail("mirror", text)

    def _require_kept(self) -> None:
        """Judge that what was signed stays signed."""
        signed = self._folder.signed(self._name)
        if (signed.head.size if signed else 0) < self._signed:
            self._fail(f"{self._signed} messages were signed, and now {signed}")

    def _require_held(self, note: Note) -> None:
        """Judge that the mirror holds what it signs: in its log, and as files for others."""
        size, checks = note.head.size, self._simulation.checks
        signed = self._folder.signed(self._name)
        if signed is None or signed.text != note.text:
            self._fail(f"{size} messages are answered as signed, and {signed} is published")
        self._signed = size
        with closing(SqliteLog(self._folder.data_of(self._name), writable=False)) as held:
            hashes = [hash_of(body) for _, body in held.read(0, size)]
        tiles = TiledLog(str(self._folder.tiles_of(self._name)))
        published = [hash_of(body) for _, body in tiles.read()]
        true = checks.hashes[:size]
        if len(hashes) != size or hashes != published or hashes[: len(true)] != true:
            error = IntegrityError(f"{size} are signed, {len(hashes)} held, {len(published)} read")
            if checks.is_violated:
                checks.named(error)
            self._fail(str(error))
        self._leaves = hashes

    def conclude(self, log: Log) -> None:
        """Judge that the mirror gets everything, gives it back, and takes no falsehood."""
        is_map = self._chance.random() < 0.3
        if not is_map:
            try:
                self._send(log)
            except AvailabilityError as error:
                self._fail(str(error))
            target = MemoryLog()
            copy(TiledLog(str(self._folder.tiles_of(self._name))), target)
            if list(target.read()) != list(log.read(0, self._signed)):
                self._fail("what is restored from the mirror is not the log")
        self._sign_falsehood(log, is_map=is_map)

    def close(self) -> None:
        """End the process."""
        self._close()


def _repeated(body: bytes) -> bytes:
    """Return a message that follows another one and is the same in all else."""
    position = decode_envelope(body).position
    old, new = _long(position), _long(position + 1)
    assert body[POSITION : POSITION + len(old)] == old
    following = bytearray(body[:POSITION] + new + body[POSITION + len(old) :])
    following[PREVIOUS_HASH] = hash_of(body)
    return bytes(following)


def _long(number: int) -> bytes:
    """Encode a number as Avro has it."""
    rest, encoded = number << 1, bytearray()
    while rest >> 7:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*encoded, rest])


def _map_root(bodies: list[bytes]) -> bytes:
    """Return the root of the tag map of messages."""
    target = MemoryLog()
    target.append([message_of(position, body) for position, body in enumerate(bodies)])
    return target.map_root(len(bodies))
