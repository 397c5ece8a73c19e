"""Deliberate bugs of log, index, note, keys, spool and witness; see ``simulated_bugs``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ledger.batch_decider import BatchDecider
from ledger.core.errors import AvailabilityError
from ledger.log.index.tag_index import TagIndex
from ledger.log.kafka.note import _PLACE_BYTES, HeadNote, _pack
from ledger.log.kafka.writer import TopicWriter
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.storage.sqlite_errors import explain
from tests.simulation.bug_register import bug
from tools.data.spool_file import SpoolFile
from tools.feed.spool import Spool
from tools.service.kafka.intake import TopicIntake
from tools.witness.state import Turn, WitnessedLog
from tools.witness.witness import Witness

if TYPE_CHECKING:
    import sqlite3

    from ledger.core.message import Head


@bug("the index adds messages that a question has added before", needs="sqlite")
def _(patched: Any) -> None:
    def add(self: TagIndex, messages: Any, head: Head) -> None:
        with self._lock:
            self._recent.add(messages, head)

    patched.setattr(TagIndex, "add", add)


@bug("the index is not caught up with the log", needs="sqlite")
def _(patched: Any) -> None:
    patched.setattr(TagIndex, "_catch_up", lambda self: self._open())


@bug("commands that the index holds in memory are not looked up", needs="sqlite")
def _(patched: Any) -> None:
    commands = TagIndex.commands

    def forget(self: TagIndex, command_ids: Any) -> Any:
        found = commands(self, command_ids)
        return {name: place for name, place in found.items() if place[0] < self._committed.size}

    patched.setattr(TagIndex, "commands", forget)


@bug("an append to SQLite that failed counts as not done", needs="sqlite")
def _(patched: Any) -> None:
    def give_up(self: SqliteLog, _: Head, error: sqlite3.Error) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer = self._open_writer()
        raise explain(error, self._path) from error

    patched.setattr(SqliteLog, "_settle", give_up)


@bug("decisions of a failed batch stay known")
def _(patched: Any) -> None:
    settle = BatchDecider.settle

    def keep(self: BatchDecider) -> None:
        known = dict(self._decided) if self._must_reload else {}
        settle(self)
        self._decided.update(known)

    patched.setattr(BatchDecider, "settle", keep)


@bug("two contents that are decided together share a receipt")
def _(patched: Any) -> None:
    answer = BatchDecider._answer

    def share(self: BatchDecider, task: Any, recorded: Any) -> Any:
        if known := self._decided.get(task.identifier):
            return known[1]
        return answer(self, task, recorded)

    patched.setattr(BatchDecider, "_answer", share)


@bug("a take-over skips an epoch")
def _(patched: Any) -> None:
    begin = BatchDecider.__init__

    def skip(self: BatchDecider, *given: Any) -> None:
        begin(self, *given)
        self._epoch += 1

    patched.setattr(BatchDecider, "__init__", skip)


@bug("a head that could not be noted is acknowledged", needs="topic")
def _(patched: Any) -> None:
    def acknowledge(self: TopicWriter, head: Head) -> None:
        with suppress(OSError):
            self._note.write(head)
        self.head = head

    patched.setattr(TopicWriter, "_acknowledge", acknowledge)


@bug("a head is noted in the place of the one before", seed=190)
def _(patched: Any) -> None:
    def write(self: HeadNote, head: Head) -> None:
        self._put(_pack(head), self._place * _PLACE_BYTES)
        self.head = head

    patched.setattr(HeadNote, "write", write)


@bug("an append that brokers rejected moves the head", needs="lease")
def _(patched: Any) -> None:
    append = TopicWriter.append

    def move(self: TopicWriter, messages: Any, head: Head) -> None:
        try:
            append(self, messages, head)
        except AvailabilityError:
            if self.stopped is None:
                self.head = head
            raise

    patched.setattr(TopicWriter, "append", move)


@bug("commands behind one that could not be stored are read on", needs="topic")
def _(patched: Any) -> None:
    answer = TopicIntake._answer

    def go_on(self: TopicIntake, *given: Any) -> bool:
        answer(self, *given)
        return True

    patched.setattr(TopicIntake, "_answer", go_on)


@bug("the key of a person is stored with the next one")
def _(patched: Any) -> None:
    def store_later(self: KeyStore, person: str, *, make: bool) -> bytes:
        key = (make and self._cache.get(person)) or self._stored(person)
        if key is None:
            if not make:
                raise KeyError(person)
            for earlier, made in self._cache.items():
                self._query("INSERT OR IGNORE INTO person VALUES (?, ?)", earlier, made)
            key = self._entropy(32)
        self._cache[person] = key
        return key

    patched.setattr(KeyStore, "_key", store_later)


@bug("the spool of a feed is synced now and then", needs="feed")
def _(patched: Any) -> None:
    begin = SpoolFile.__init__

    def hurry(self: SpoolFile, *given: Any) -> None:
        begin(self, *given)
        self._connection.execute("PRAGMA synchronous = NORMAL")

    patched.setattr(SpoolFile, "__init__", hurry)


@bug("a message of a feed that comes again is taken for a new one", needs="feed")
def _(patched: Any) -> None:
    put = Spool.put

    def forget(self: Spool, message: str, *given: Any) -> None:
        with self._file.transaction() as file:
            file.execute("DELETE FROM messages WHERE message = ?", (message,))
        put(self, message, *given)

    patched.setattr(Spool, "put", forget)


@bug("the witness stores what it signed with the next one")
def _(patched: Any) -> None:
    begin, put, find = Witness.__init__, Turn.put, Turn.find
    held: dict[str, WitnessedLog] = {}

    def forget(self: Witness, *given: Any) -> None:
        held.clear()
        begin(self, *given)

    def hold(self: Turn, memory: WitnessedLog) -> None:
        put(self, held.get(memory.origin, memory))
        held[memory.origin] = memory

    patched.setattr(Witness, "__init__", forget)
    patched.setattr(Turn, "put", hold)
    patched.setattr(Turn, "find", lambda self, origin: held.get(origin) or find(self, origin))


@bug("a witness that starts again knows no checkpoint")
def _(patched: Any) -> None:
    begin = Witness.__init__

    def forget(self: Witness, *given: Any) -> None:
        begin(self, *given)
        with self._folder.turn() as turn:
            for memory in turn.all():
                turn.put(WitnessedLog(memory.origin, memory.keys))

    patched.setattr(Witness, "__init__", forget)
