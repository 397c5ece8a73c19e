"""Programs that write each durable file of the product, and what must be there after a crash.

``python crash_programs.py FOLDER NAME…`` has each write in a folder of its own, which is there, and
gives out its name, and then a line for what it acknowledged.
"""

from __future__ import annotations

import sys
from contextlib import closing
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.core.clock import StoppedClock
from ledger.core.errors import InputError
from ledger.core.message import EMPTY, Head
from ledger.events import event_types as e
from ledger.events.encoding import decode, decode_envelope
from ledger.events.event_types import CheckpointSigned
from ledger.log import Query, SqliteLog
from ledger.log.kafka.note import HeadNote
from ledger.log.memory import MemoryLog
from ledger.log.port import checkpoint_of, events_at
from ledger.log.tiles import TiledLog, publish
from ledger.privacy import KeyStore
from ledger.storage.secret_files import read_secret, write_secret
from ledger.tlog import merkle
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, make_note, parse_note
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import KEY, NAME, full, map_root_of, root_of, signed
from tests.tools.mirror_cases import Operator
from tools.access.chain import AccessChain
from tools.feed.provider import Place
from tools.feed.spool import MessageOutcome
from tools.feed.spool import Spool as FeedSpool
from tools.mirror.folder import MirrorFolder
from tools.mirror.mirror import Mirror
from tools.watch.spool import Spool as WatchSpool
from tools.watch.watcher import Alarm, AlarmBatch
from tools.whole_files import write_whole
from tools.witness.state import WitnessedLog, WitnessFolder
from tools.witness.uploading import upload_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PROGRAMS", "Facts"]

Facts = Any
"""What was read; equal where the same is there."""

MOMENT = 1_760_000_000_000_000


def acknowledge(*values: object) -> None:
    sys.stdout.write(" ".join(map(str, values)) + "\n")
    sys.stdout.flush()


class LogProgram:
    """A log with its index, tree and tag map, closed and opened again."""

    def write(self, folder: Path) -> None:
        chain = full()
        with closing(SqliteLog(folder / "data", writable=True)) as log:
            acknowledge(*self._added(log, chain.messages))
            for number in range(12):
                acknowledge(*self._added(log, chain.add(landed(number, f"r-{number}"))))
            self._sign(log, chain)
        with closing(SqliteLog(folder / "data", writable=True)) as log:
            for first in range(0, 300, 60):
                rows = [landed(number % 37, f"r-{number}") for number in range(first, first + 60)]
                acknowledge(*self._added(log, chain.add(*rows)))
            self._sign(log, chain)
            acknowledge(*self._added(log, chain.add(landed(1))))

    def _added(self, log: SqliteLog, messages: Sequence[Any]) -> tuple[int, str]:
        head = log.append(messages)
        return head.size, head.hash.hex()

    def _sign(self, log: SqliteLog, chain: Chain) -> None:
        acknowledge(*self._added(log, chain.add(signed(checkpoint_of(NAME, log)))))

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        since = EMPTY
        if said:
            size, digest = said[-1].split()
            since = Head(int(size), bytes.fromhex(digest))
        with closing(SqliteLog(folder / "data", writable=True)) as log:
            return log.head(), self._answers(log, since)

    def _answers(self, log: SqliteLog, since: Head) -> Facts:
        stored = list(log.read())
        size = log.head().size
        assert size >= since.size, "an acknowledged message is lost"
        assert not size or verify(stored, since=since).head == log.head()
        assert merkle.root(log.node, size) == root_of(stored, size)
        places = [at for at, body in stored if _tags(body) == "round:r-1"]
        assert log.find(Query(tags=("round:r-1",))) == places
        assert log.find(Query(), after=-1) == list(range(size))
        for at, body in stored[::40]:
            envelope = decode_envelope(body)
            first = at - envelope.decision_index
            found = log.commands([envelope.command_id])[envelope.command_id]
            assert found == (first, envelope.decision_size)
        for one in events_at(log, log.find(Query(types=("CheckpointSigned",)))):
            event = one.event
            assert isinstance(event, CheckpointSigned)
            assert event.map_root == log.map_root(event.size) == map_root_of(stored, event.size)
        return sha256(b"".join(body for _, body in stored)).hexdigest()

    def go_on(self, folder: Path) -> None:
        with closing(SqliteLog(folder / "data", writable=True)) as log:
            if log.head().size:
                log.append(Chain.behind(log).add(landed(2, "r-1")))


def _tags(body: bytes) -> str:
    event = decode(body).event
    return f"round:{event.round}" if isinstance(event, e.BallLanded) else ""


class AccessProgram:
    """The chain of accesses, with the keys of its months."""

    OPENED = e.ChainOpened(
        operator="1", operator_name="O", chain="a", format_version=1, hash_algorithm="SHA-256"
    )

    def _chain(self, folder: Path, month: int = 0) -> AccessChain:
        clock = StoppedClock(MOMENT + month * 31 * 86_400_000_000)
        return AccessChain(
            folder / "access", self.OPENED, lambda _: None, serving=False, clock=clock
        )

    def write(self, folder: Path) -> None:
        for month in range(2):
            with self._chain(folder, month) as chain:
                for number in range(3):
                    key, sealed = chain.sealed(f"{month} {number}")
                    chain.record(_access(key, sealed))
                    acknowledge("recorded", month, number)
        with self._chain(folder, 40) as chain:
            (first, *_) = chain.due_keys()
            chain.destroy(first)
            acknowledge("destroyed", first)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        with self._chain(folder) as chain:
            found = [
                chain.parameters(one.event)
                for one in chain.newest(Query(types=("AccessRecorded",)), 100)[::-1]
                if isinstance(one.event, e.AccessRecorded)
            ]
            gone = {line.split()[1] for line in said if line.startswith("destroyed")}
            assert gone.isdisjoint(chain.keys.periods())
            due = [line.removeprefix("recorded ") for line in said if line.startswith("recorded")]
            if "(erased)" not in found:
                assert found[: len(due)] == due
            else:
                assert found[3 : len(due)] == due[3:]
            assert not (gone and found[0] != "(erased)")
            return found, chain.keys.periods()

    def go_on(self, folder: Path) -> None:
        with self._chain(folder, 1) as chain:
            chain.record(_access(*chain.sealed("more")))


def _access(key: str, sealed: bytes) -> e.AccessRecorded:
    texts = dict.fromkeys(("scope", "question", "purpose", "account", "round", "head"), "")
    return e.AccessRecorded(
        reader="r", size=0, rows=None, period_key=key, parameters=sealed, **texts
    )


class KeysProgram:
    """Keys of persons: what was sealed can be opened; what was destroyed stays so."""

    def write(self, folder: Path) -> None:
        for opening in range(2):
            with closing(KeyStore(folder / "keys")) as keys:
                for number in range(3):
                    name = f"{opening}-{number}"
                    sealed = keys.seal(name, "place", name)
                    acknowledge("sealed", name, sealed.hex())
                keys.destroy(f"{opening}-1")
                acknowledge("destroyed", f"{opening}-1")

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        facts = []
        with closing(KeyStore(folder / "keys")) as keys:
            gone = {line.split()[1] for line in said if line.startswith("destroyed")}
            for line in said:
                what, name, *sealed = line.split()
                if what == "sealed":
                    text = keys.open(name, "place", bytes.fromhex(sealed[0]))
                    # A destruction that was begun may have been finished.
                    wanted = {None} if name in gone else {name, *((None,) * name.endswith("-1"))}
                    assert text in wanted, (name, text)
                    facts.append(text)
            return facts, keys.digest("name", b"x")

    def go_on(self, folder: Path) -> None:
        with closing(KeyStore(folder / "keys")) as keys:
            assert keys.open("more", "place", keys.seal("more", "place", "x")) == "x"


class WitnessProgram:
    """The memory of a witness: it never cosigned more than it remembers."""

    def write(self, folder: Path) -> None:
        witness = WitnessFolder(folder / "witness")
        witness.create("w")
        acknowledge(0)
        with witness.turn() as turn:
            turn.add_key(KEY.public)
        for size in (1, 2, 3):
            checkpoint = Checkpoint(NAME, size, bytes([size]) * 32)
            note = Note.parse(make_note(checkpoint, [(KEY.public, KEY.sign(checkpoint))]))
            with witness.turn() as turn:
                turn.put(WitnessedLog(NAME, (KEY.public,), size, note))
            acknowledge(size)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        witness = WitnessFolder(folder / "witness")
        try:
            key = witness.own_keys()[0]
        except InputError:
            assert not said
            return None
        found = witness.remembered()
        assert max((one.size for one in found), default=0) >= int(said[-1] if said else 0)
        return key.public, found

    def go_on(self, folder: Path) -> None:
        """Its next start is another opening."""


class WatchProgram:
    """The spool of the watch: place and deliveries go together."""

    def write(self, folder: Path) -> None:
        with closing(WatchSpool(folder / "watch")) as spool:
            spool.begin("c", 0)
            acknowledge(0)
            for number in (1, 2, 3):
                spool.keep("c", AlarmBatch(number, ((_alarm(number), ("duty",)),)))
                acknowledge(number)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        with closing(WatchSpool(folder / "watch")) as spool:
            position = spool.position("c")
            assert not said or position is not None
            assert (position or 0) >= int(said[-1] if said else 0)
            assert spool.waiting == (position or 0)
            return position, spool.next_of("duty")

    def go_on(self, folder: Path) -> None:
        with closing(WatchSpool(folder / "watch")) as spool:
            if (position := spool.position("c")) is not None:
                spool.keep("c", AlarmBatch(position + 1, ((_alarm(position + 1), ("duty",)),)))


def _alarm(number: int) -> Alarm:
    return Alarm(f"alarm_{number}", "X", "page", "s", "", "c", number, 0, "", "", "", 0)


class FeedProgram:
    """The spool of a feed: a message that was acknowledged waits or was followed."""

    def write(self, folder: Path) -> None:
        with closing(FeedSpool(folder / "feed.sqlite")) as spool:
            for number in (1, 2, 3):
                spool.put(f"m-{number}", b"x" * 700, Place("t", number, "k", "r"), "", MOMENT)
                acknowledge(number)
            spool.follow(MessageOutcome(one) for one in spool.ready()[0][:2])
            spool.put("m-4", b"y", Place("t", 4, "k", "r"), "", MOMENT)
            acknowledge(4)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        with closing(FeedSpool(folder / "feed.sqlite")) as spool:
            for number in range(1, 1 + len(said)):
                # The same again changes nothing where it is there.
                before = spool.waiting()
                body = b"y" if number == 4 else b"x" * 700
                spool.put(f"m-{number}", body, Place("t", number, "k", "r"), "", MOMENT)
                assert spool.waiting() == before, number
            return spool.ready(), spool.aside()

    def go_on(self, folder: Path) -> None:
        with closing(FeedSpool(folder / "feed.sqlite")) as spool:
            for ready in spool.ready():
                spool.follow(MessageOutcome(one) for one in ready)


class NoteProgram:
    """The note of the last acknowledged head of a topic."""

    def write(self, folder: Path) -> None:
        with closing(HeadNote(folder / "head.note")) as note:
            for size in range(1, 5):
                note.write(Head(size, bytes([size]) * 32))
                acknowledge(size)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        with closing(HeadNote(folder / "head.note")) as note:
            assert note.head.size >= int(said[-1] if said else 0)
            return note.head

    def go_on(self, folder: Path) -> None:
        with closing(HeadNote(folder / "head.note")) as note:
            note.write(Head(note.head.size + 1, bytes(32)))


class FilesProgram:
    """Files that are there whole or not at all: secrets, packages, proofs."""

    def write(self, folder: Path) -> None:
        write_whole(folder / "new" / "deep" / "a.json", b"a" * 1500)
        acknowledge("a.json", 1500)
        write_whole(folder / "new" / "deep" / "a.json", b"b" * 2500, replacing=True)
        acknowledge("a.json", 2500)
        write_secret(folder / "b.key", b"s" * 40)
        acknowledge("b.key", 40)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        due = {name: int(length) for name, length in map(str.split, said)}
        places = [folder / "new" / "deep" / "a.json", folder / "b.key"]
        found = {one.name: read_secret(one) for one in places if one.exists()}
        lengths = {name: len(content) for name, content in found.items()}
        assert all(lengths.get(name, 0) >= length for name, length in due.items()), lengths
        assert lengths.get("a.json", 1500) in {1500, 2500}
        assert "b.key" not in due or lengths["b.key"] == 40
        return found

    def go_on(self, folder: Path) -> None:
        write_whole(folder / "new" / "deep" / "c.json", b"c")


class TilesProgram:
    """A published folder of tiles: what its checkpoint names is there."""

    def _log(self) -> tuple[MemoryLog, Chain]:
        log, chain = MemoryLog(), full()
        log.append(chain.messages)
        return log, chain

    def _publish(self, log: MemoryLog, folder: Path) -> int:
        checkpoint = checkpoint_of(NAME, log)
        note = make_note(checkpoint, [(KEY.public, KEY.sign(checkpoint))])
        return publish(log, note, folder / "tiles").size

    def write(self, folder: Path) -> None:
        log, chain = self._log()
        for rows in (5, 60):
            log.append(chain.add(*(landed(number % 37) for number in range(rows))))
            acknowledge(self._publish(log, folder))

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        place = folder / "tiles" / "checkpoint"
        if not place.exists():
            assert not said
            return None
        size = parse_note(place.read_text())[0].size
        assert size >= int(said[-1] if said else 0)
        held = {one.name: one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}
        log, chain = self._log()
        for rows in (5, 60):
            log.append(chain.add(*(landed(number % 37) for number in range(rows))))
            if log.head().size == size:
                self._compare(log, folder)
        return size, held.keys()

    def _compare(self, log: MemoryLog, folder: Path) -> None:
        """Require that all that a checkpoint names is there as a first publication writes it."""
        import tempfile  # noqa: PLC0415

        with tempfile.TemporaryDirectory() as place:
            self._publish(log, Path(place))
            for one in Path(place).rglob("*"):
                held = folder / one.relative_to(place)
                assert held.is_dir() if one.is_dir() else held.read_bytes() == one.read_bytes()

    def go_on(self, folder: Path) -> None:
        log, chain = self._log()
        for rows in (5, 60):
            log.append(chain.add(*(landed(number % 37) for number in range(rows))))
        self._publish(log, folder)


class MirrorProgram:
    """A mirror: what it signed it holds, and it goes on where it stopped."""

    SIZES = (40, 300, 700)

    @cached_property
    def _operator(self) -> Operator:
        operator = Operator()
        operator.grow(max(self.SIZES))
        return operator

    def _take(self, mirror: Mirror, operator: Operator, size: int) -> None:
        """Send a checkpoint and what is missing, as an operator does that asks first."""
        note = operator.signed_note(checkpoint_of(operator.name, operator.log, size))
        old = mirror.announced(operator.name)
        if old <= size:
            assert mirror.add_checkpoint(operator.submission(old, note)).status == 200
            upload_entries(mirror.add_entries, operator.log, note.head)

    def write(self, folder: Path) -> None:
        operator = self._operator
        held = MirrorFolder(folder / "held")
        held.create("authority.example/mirror")
        with held.turn() as turn:
            turn.add_key(operator.key.public)
        acknowledge(0)
        with closing(Mirror(held, StoppedClock(MOMENT), str)) as mirror:
            for size in self.SIZES:
                self._take(mirror, operator, size)
                acknowledge(size)

    def read(self, folder: Path, said: Sequence[str]) -> Facts:
        held, operator = MirrorFolder(folder / "held"), self._operator
        try:
            (key,) = held.own_keys()
        except InputError:
            assert not said
            return None
        note = held.signed(operator.name)
        size = note.head.size if note else 0
        assert size >= int(said[-1] if said else 0)
        if note:
            tiles = TiledLog(str(held.tiles_of(operator.name)))
            assert tiles.checkpoint.size == size
            with closing(SqliteLog(held.data_of(operator.name), writable=False)) as log:
                stored = list(log.read(0, size))
            assert stored == list(tiles.read()) == list(operator.log.read(0, size))
            assert any(line.key_id == key.key_id for line in note.signatures)
        return size, held.remembered(), held.waiting_since(operator.name)

    def go_on(self, folder: Path) -> None:
        held, operator = MirrorFolder(folder / "held"), self._operator
        try:
            held.own_keys()
        except InputError:
            return
        if not held.remembered():
            return
        with closing(Mirror(held, StoppedClock(MOMENT), str)) as mirror:
            self._take(mirror, operator, max(self.SIZES))
        assert held.waiting_since(operator.name) is None
        assert held.signed(operator.name)


PROGRAMS: dict[str, Any] = {
    "log": LogProgram(),
    "accesses": AccessProgram(),
    "keys": KeysProgram(),
    "witness": WitnessProgram(),
    "watch": WatchProgram(),
    "feed": FeedProgram(),
    "note": NoteProgram(),
    "files": FilesProgram(),
    "tiles": TilesProgram(),
    "mirror": MirrorProgram(),
}

if __name__ == "__main__":
    for asked in sys.argv[2:]:
        acknowledge(asked)
        PROGRAMS[asked].write(Path(sys.argv[1], asked))
