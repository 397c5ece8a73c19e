"""The tag map beside a log: brought forward with each checkpoint, made again, never wrong."""

from __future__ import annotations

import resource
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, InputError
from ledger.log import SqliteLog
from ledger.log.index.tag_map_file import MAP, map_of_note
from ledger.log.port import checkpoint_of
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import NAME, full, map_root_of, signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.tlog.signing import Checkpoint


class Kept:
    """A chain in a log with its writer, signed where the test says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.chain: Chain = full()
        self.log = SqliteLog(folder, writable=True)
        self.log.append(self.chain.messages)
        self.grow(40)

    def grow(self, rounds: int) -> None:
        for number in range(rounds):
            self.log.append(self.chain.add(landed(number, f"r-{number}")))

    def sign(self) -> Checkpoint:
        checkpoint = checkpoint_of(NAME, self.log)
        self.log.append(self.chain.add(signed(checkpoint)))
        return checkpoint

    def due(self, size: int) -> bytes:
        return map_root_of(self.chain.stored, size)

    def stored_size(self) -> int:
        with closing(sqlite3.connect(self.folder / MAP)) as file:
            (size,) = file.execute("SELECT size FROM watermark").fetchone()
        return int(size)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    made = Kept(tmp_path / "log")
    yield made
    made.log.close()


def test_each_checkpoint_names_the_map_of_its_messages(kept: Kept) -> None:
    for _ in range(3):
        checkpoint = kept.sign()
        assert checkpoint.map_root == kept.due(checkpoint.size)
        assert kept.stored_size() == checkpoint.size
        kept.grow(30)


def test_the_file_stays_at_the_checkpoint_that_another_covers(kept: Kept) -> None:
    for _ in range(2):
        covered = kept.sign()
        size = kept.chain.stored[-1][0] + 1
        kept.grow(30)
        cover = checkpoint_of(NAME, kept.log, size)
        kept.log.append(kept.chain.add(signed(cover)))
        assert cover.map_root == kept.due(size)
        assert kept.stored_size() == covered.size
        for writable in (True, False):
            log = kept.log if writable else SqliteLog(kept.folder, writable=False)
            for checkpoint in (covered, cover):
                (proof,) = log.tag_proofs(["round:r-5"], checkpoint.size)
                assert proof.root_for(b"round:r-5") == checkpoint.map_root
            if not writable:
                log.close()


def test_tags_are_proved_at_the_last_checkpoint_while_the_log_grows(kept: Kept) -> None:
    checkpoint = kept.sign()
    kept.grow(50)
    with closing(SqliteLog(kept.folder, writable=False)) as reader:
        there, absent = reader.tag_proofs(["round:r-5", "round:r-45"], checkpoint.size)
    assert there.root_for(b"round:r-5") == absent.root_for(b"round:r-45") == checkpoint.map_root
    assert there.value is not None
    assert there.value.count == 1
    assert absent.value is None


def test_a_checkpoint_that_was_not_recorded_does_no_harm(kept: Kept) -> None:
    first = kept.sign()
    kept.grow(20)
    checkpoint_of(NAME, kept.log)
    with closing(SqliteLog(kept.folder, writable=False)) as reader:
        assert reader.map_root(first.size) == first.map_root
    kept.grow(5)
    second = kept.sign()
    assert second.map_root == kept.due(second.size)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE watermark SET size = size - 1",
        "UPDATE node SET hash = zeroblob(32)",
        "UPDATE tag SET leaf = zeroblob(32)",
        "DELETE FROM tag",
        "DELETE FROM watermark",
        "DROP TABLE node",
        "PRAGMA user_version = 7",
        "bytes",
        "",
    ],
)
def test_a_file_that_is_wrong_is_made_again(kept: Kept, damage: str) -> None:
    kept.sign()
    kept.grow(20)
    path = kept.folder / MAP
    if damage == "bytes":
        path.write_bytes(b"no database" * 1000)
    elif not damage:
        path.unlink()
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as file:
            file.execute(damage)
    size = kept.chain.head.size
    assert kept.log.map_root(size) == kept.due(size)


@contextmanager
def full_disk() -> Iterator[None]:
    """No file grows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_no_damage_of_the_file(
    kept: Kept, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    signed_at = kept.sign().size
    kept.grow(20)
    size = kept.chain.head.size
    with full_disk(), pytest.raises(AvailabilityError):
        kept.log.map_root(size)
    assert kept.stored_size() == signed_at
    assert not caplog.records
    assert kept.log.map_root(size) == kept.due(size)
    (kept.folder / MAP).unlink()
    reader = SqliteLog(kept.folder, writable=False, cache=tmp_path / "cache")
    with closing(reader), full_disk():
        assert reader.map_root(size) == kept.due(size), "in memory"


def test_a_reader_makes_its_own_in_its_cache(kept: Kept, tmp_path: Path) -> None:
    checkpoint = kept.sign()
    (kept.folder / MAP).unlink()
    cache = tmp_path / "cache"
    with closing(SqliteLog(kept.folder, writable=False, cache=cache)) as reader:
        assert reader.map_root(checkpoint.size) == checkpoint.map_root
        assert (cache / MAP).exists()
        assert reader.map_root(checkpoint.size - 7) == kept.due(checkpoint.size - 7)


def test_no_map_of_more_than_there_is(kept: Kept) -> None:
    with pytest.raises(InputError, match="the map of 1000 messages is asked for"):
        kept.log.map_root(1000)


def test_the_map_of_a_note_is_copied_from_the_file_that_has_it(kept: Kept, tmp_path: Path) -> None:
    note = kept.sign()
    paths = (tmp_path / "none" / MAP, kept.folder / MAP)
    found = map_of_note(paths, note)
    assert found is not None
    assert (found.size, found.root()) == (note.size, note.map_root)
    assert map_of_note(paths[:1], note) is None
