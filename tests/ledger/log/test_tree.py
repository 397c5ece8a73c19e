"""The tree beside a log: kept up, made again, never wrong."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.core.message import Head
from ledger.events.encoding import hash_of
from ledger.log import sqlite_file
from ledger.log.index.tree import Tree
from ledger.log.memory import MemoryLog
from ledger.tlog import merkle
from ledger.tlog.tiles import TILE_WIDTH
from tests.ledger.chain_cases import Chain, landed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class NumberedLog:
    """A log of short messages, long enough for three levels of tiles."""

    def __init__(self, size: int, first: int = 0) -> None:
        self.size = size
        self.first = first
        self.was_read = 0

    def body(self, position: int) -> bytes:
        return b"message %d" % (position + self.first)

    def head(self) -> Head:
        return Head(self.size, hash_of(self.body(self.size - 1)))

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        end = self.size if stop is None else min(stop, self.size)
        self.was_read += max(0, end - start)
        return ((at, self.body(at)) for at in range(start, end))

    def close(self) -> None:
        """Nothing is open."""


def root_of(log: NumberedLog, size: int) -> bytes:
    frontier = merkle.CompactRange()
    for _, body in log.read(0, size):
        frontier.add(hash_of(body))
    return frontier.root()


SIZES = (1, 2, 255, 256, 257, 511, 512, 700, 65_535, 65_536, 65_793, 70_000)


def test_roots_and_proofs_of_every_size_are_those_of_the_messages(tmp_path: Path) -> None:
    log = NumberedLog(70_000)
    tree = Tree(tmp_path / "tree.sqlite", log, writable=True)
    again = Tree(tmp_path / "tree.sqlite", log, writable=False)
    for size in SIZES:
        head = root_of(log, size)
        for one in (tree, again):
            assert merkle.root(one.node, size) == head
            for index in {0, size // 2, size - 1}:
                proof = merkle.inclusion_of_all(one.node, [index], size)
                assert (
                    merkle.root_from_multiproof({index: hash_of(log.body(index))}, size, proof)
                    == head
                )
            for old in {1, size // 3 + 1, size}:
                proof = merkle.consistency(one.node, old, size)
                merkle.require_consistency(old, root_of(log, old), size, head, proof)


def test_a_start_reads_only_what_is_behind_the_last_full_tile(tmp_path: Path) -> None:
    log = NumberedLog(70_000)
    Tree(tmp_path / "tree.sqlite", log, writable=True).close()
    log.was_read = 0
    tree = Tree(tmp_path / "tree.sqlite", log, writable=True)
    assert log.was_read <= TILE_WIDTH
    assert merkle.root(tree.node, 70_000) == root_of(log, 70_000)


def test_appended_messages_are_taken_in_as_they_come(tmp_path: Path) -> None:
    log, chain = MemoryLog(), Chain()
    log.append(chain.add(landed(0)))
    tree = Tree(tmp_path / "tree.sqlite", log, writable=True)
    reader = Tree(tmp_path / "tree.sqlite", log, writable=False)
    frontier = merkle.CompactRange()
    frontier.add(hash_of(chain.stored[0][1]))
    for number in range(1, 300):
        messages = chain.add(*(landed(number) for _ in range(1 + number % 3)))
        tree.add(messages, log.append(messages))
        assert tree.size == log.head().size, "without reading the log"
        for message in messages:
            frontier.add(hash_of(message.body))
    assert merkle.root(tree.node, frontier.size) == frontier.root()
    assert merkle.root(reader.node, frontier.size) == frontier.root()


def test_messages_that_were_missed_are_read_from_the_log(tmp_path: Path) -> None:
    log = NumberedLog(10)
    tree = Tree(tmp_path / "tree.sqlite", log, writable=True)
    log.size = 900
    assert merkle.root(tree.node, 900) == root_of(log, 900)
    with pytest.raises(InputError, match="the log ends at 900, and the tree of 901"):
        tree.node(0, 900)


def test_a_reader_of_a_folder_that_it_may_not_write_sees_what_is_written_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reads such a file as if nobody changed it; a writer elsewhere does."""
    log = NumberedLog(700)
    Tree(tmp_path / "tree.sqlite", log, writable=True).close()
    monkeypatch.setattr(sqlite_file.os, "access", lambda *_: False)
    reader = Tree(tmp_path / "tree.sqlite", log, writable=False)
    assert merkle.root(reader.node, 700) == root_of(log, 700)
    for size in (1_500, 70_000):
        log.size = size
        Tree(tmp_path / "tree.sqlite", log, writable=True).close()
        log.was_read = 0
        assert merkle.root(reader.node, size) == root_of(log, size)
        assert log.was_read <= TILE_WIDTH + size


def damage(path: Path, how: str) -> None:
    if how == "garbage":
        path.write_bytes(b"no database" * 100)
        return
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if how == "tile":
            tile = bytearray(*connection.execute("SELECT hashes FROM tile WHERE id = 0").fetchone())
            tile[0] ^= 1
            connection.execute("UPDATE tile SET hashes = ? WHERE id = 0", (bytes(tile),))
        elif how == "gap":
            connection.execute("DELETE FROM tile WHERE id = 1")
        elif how == "shape":
            connection.execute("CREATE TABLE other (x)")
        elif how == "size":
            connection.execute("UPDATE watermark SET size = 256")
        elif how == "short":
            connection.execute("UPDATE tile SET hashes = x'00' WHERE id = 0")
        elif how == "version":
            connection.execute("PRAGMA user_version = 9")


@pytest.mark.parametrize("how", ["garbage", "tile", "gap", "shape", "size", "short", "version"])
def test_a_file_that_does_not_agree_with_itself_is_begun_anew(
    tmp_path: Path, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    log = NumberedLog(700)
    Tree(tmp_path / "tree.sqlite", log, writable=True).close()
    damage(tmp_path / "tree.sqlite", how)
    reader = Tree(tmp_path / "tree.sqlite", log, writable=False)
    assert merkle.root(reader.node, 700) == root_of(log, 700)
    reader.close()
    tree = Tree(tmp_path / "tree.sqlite", log, writable=True)
    assert "made again" in caplog.text
    assert merkle.root(tree.node, 700) == root_of(log, 700)


def test_the_file_of_another_log_is_begun_anew(tmp_path: Path) -> None:
    Tree(tmp_path / "tree.sqlite", NumberedLog(700), writable=True).close()
    other = NumberedLog(600, first=5)
    for is_writable in (False, True):
        tree = Tree(tmp_path / "tree.sqlite", other, writable=is_writable)
        assert merkle.root(tree.node, 600) == root_of(other, 600)
        tree.close()
