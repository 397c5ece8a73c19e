"""The index may be lost, old, new, foreign or damaged; what it answers is always right."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError
from ledger.events import event_types as e
from ledger.log import EMPTY, MemoryLog, Query, SqliteLog, sqlite_file
from ledger.log.index import tag_index
from ledger.log.index.reading import ReadOnlyTagIndex
from ledger.log.index.tag_index import TagIndex, message_of
from tests.ledger.chain_cases import Chain, landed, sample, statement
from tests.ledger.index_cases import keys_held

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUND = Query(tags=("round:r-1",))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of 300 events and its index, closed."""
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        add(log, 300)
    return tmp_path / "log"


def add(log: SqliteLog, number: int) -> None:
    chain = Chain.behind(log)
    for _ in range(number):
        chain.add(landed(1, f"r-{chain.head.size % 2}"))
    log.append(chain.messages)


def assert_right(folder: Path) -> None:
    for writable in (False, True, False):
        with closing(SqliteLog(folder, writable=writable)) as log:
            size = log.head().size
            assert log.find(ROUND) == list(range(1, size, 2))
            assert log.find(ROUND, backwards=True, limit=1) == [size - 1 - size % 2]
            assert log.find(Query(), after=size - 2) == [size - 1]
            assert log.commands([(size - 1).to_bytes(16, "big")]).get(
                (size - 1).to_bytes(16, "big")
            ) == (size - 1, 1)
            assert log.commands([bytes(16)]).get(bytes(16)) == (0, 1)
            assert log.commands([b"\xff" * 16]).get(b"\xff" * 16) is None


def rebuilt_rows(folder: Path) -> list[bytes]:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file:
        return keys_held(file)


def test_deleted_index_is_built_again(folder: Path) -> None:
    before = rebuilt_rows(folder)
    (folder / "index.sqlite").unlink()
    assert_right(folder)
    assert rebuilt_rows(folder) == before


def test_index_that_is_behind_gets_what_is_missing(folder: Path) -> None:
    aside = shutil.copy(folder / "index.sqlite", folder.with_name("old-index"))
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 51)
    shutil.copy(aside, folder / "index.sqlite")
    assert_right(folder)


def test_index_that_is_ahead_is_built_again(folder: Path) -> None:
    aside = shutil.copy(folder / "log.sqlite", folder.with_name("old-log"))
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 51)
    shutil.copy(aside, folder / "log.sqlite")
    assert_right(folder)


@pytest.mark.parametrize("number", [250, 300, 350])
def test_index_of_another_log_is_built_again(folder: Path, tmp_path: Path, number: int) -> None:
    with closing(SqliteLog(tmp_path / "other", writable=True)) as other:
        chain = Chain()
        for at in range(number):
            chain.add(sample(e.FeeCharged, account=f"a-{at}"))
        other.append(chain.messages)
    shutil.copy(tmp_path / "other" / "index.sqlite", folder / "index.sqlite")
    assert_right(folder)


def test_file_that_is_no_database_is_built_again(folder: Path) -> None:
    (folder / "index.sqlite").write_bytes(b"no database " * 1000)
    assert_right(folder)


def test_an_index_that_was_rebuilt_is_one_file(folder: Path) -> None:
    """Its journal was longer than all entries together, and stayed until 64 MiB were written."""
    with closing(SqliteLog(folder, writable=True)) as log:
        for _ in range(3):
            add(log, tag_index._COMMIT_MESSAGES)
        size = log.head().size
    sqlite_file.remove(folder / "index.sqlite")
    with closing(SqliteLog(folder, writable=True)) as log:
        assert log.find(ROUND, limit=1) == [1]
        stored = (folder / "index.sqlite").stat().st_size
        assert stored < 150 * size
        assert (folder / "index.sqlite-wal").stat().st_size <= stored


def test_empty_file_is_built_again(folder: Path) -> None:
    (folder / "index.sqlite").write_bytes(b"")
    assert_right(folder)


@pytest.mark.parametrize("page", range(1, 8))
def test_damaged_page_is_noticed_when_it_is_needed(folder: Path, page: int) -> None:
    file = folder / "index.sqlite"
    content = bytearray(file.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = b"\xee" * len(content[page * 4096 :][:4096])
    file.write_bytes(content)
    assert_right(folder)


def test_truncated_index_is_built_again(folder: Path) -> None:
    os.truncate(folder / "index.sqlite", 4096 * 3)
    assert_right(folder)


def test_index_of_other_tags_or_layout_is_built_again(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("DELETE FROM entry")
        file.execute("PRAGMA user_version = 12345")
    assert_right(folder)


def test_lost_table_is_built_again(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("DROP TABLE entry")
    assert_right(folder)


def test_failure_of_the_index_does_not_fail_the_append(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        index = log._index
        assert isinstance(index, TagIndex)
        assert index._connection is not None
        index._connection.close()
        add(log, 10)
        assert log.head().size == 310
        assert log.find(ROUND) == list(range(1, 310, 2))
    assert_right(folder)


def test_index_that_gets_no_thread_does_not_fail_the_append(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tag_index, "_COMMIT_MESSAGES", 20)
    with closing(SqliteLog(folder, writable=True)) as log:
        index = log._index
        assert isinstance(index, TagIndex)
        index._thread.shutdown()
        add(log, 25)
        assert log.head().size == 325
    assert_right(folder)


def test_crash_leaves_an_index_that_is_caught_up(folder: Path, tmp_path: Path) -> None:
    """A copy of the files while the writer is at work is what a crash leaves behind."""
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 25)
        copied = Path(shutil.copytree(folder, tmp_path / "crashed"))
    for name in ("log.sqlite-shm", "index.sqlite-shm"):
        (copied / name).unlink(missing_ok=True)
    assert_right(copied)


def test_events_that_wait_for_their_commit_are_found(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 25)
        assert log.find(ROUND) == list(range(1, 325, 2))
        with closing(SqliteLog(folder, writable=False)) as reader:
            assert reader.find(ROUND) == list(range(1, 325, 2))
            assert reader.find(ROUND, before=320, backwards=True, limit=2) == [319, 317]
            assert reader.find(ROUND, limit=2) == [1, 3]
            assert reader.find(ROUND, limit=0) == []


@pytest.fixture
def held(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
    """The file of the index in the hands of somebody else, where 20 messages are committed."""
    monkeypatch.setattr(tag_index, "_COMMIT_MESSAGES", 20)
    with closing(sqlite3.connect(folder / "index.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def test_while_some_are_written_all_are_found(folder: Path, held: sqlite3.Connection) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        for number in (25, 10):
            add(log, number)
        assert log.find(ROUND) == list(range(1, 335, 2))
        assert log.find(ROUND, after=290, before=330) == list(range(291, 330, 2))
        assert log.find(ROUND, backwards=True, limit=4) == [333, 331, 329, 327]
        asked = [at.to_bytes(16, "big") for at in (7, 310, 330)]
        assert log.commands(asked) == dict(zip(asked, [(7, 1), (310, 1), (330, 1)], strict=True))
        held.execute("ROLLBACK")
        add(log, 30)  # waits for what is being written
    kept = rebuilt_rows(folder)
    assert_right(folder)
    assert rebuilt_rows(folder) == kept


def test_what_could_not_be_written_is_caught_up(
    folder: Path, held: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.1)
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 25)
        _writer_process_of(log).kill()
        for number in (30, 1):
            add(log, number)
        with pytest.raises(AvailabilityError, match=r"index\.sqlite"):
            log.find(ROUND)
        held.execute("ROLLBACK")
        assert log.find(ROUND) == list(range(1, 356, 2))
    assert_right(folder)


def _writer_process_of(log: SqliteLog) -> subprocess.Popen[bytes]:
    """The process that writes the index, as soon as it is there."""
    index = log._index
    assert isinstance(index, tag_index.TagIndex)
    deadline = time.monotonic() + 60
    while index._writer_process._process is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return index._writer_process._process


def test_who_writes_the_index_goes_on_until_the_writer_ends(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal or a supervisor tells both to stop; the writer has something to end then."""
    monkeypatch.setattr(tag_index, "_COMMIT_MESSAGES", 20)
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 25)
        process = _writer_process_of(log)
        add(log, 25)  # it has written the first, so it is at work
        for each in (signal.SIGINT, signal.SIGTERM):
            process.send_signal(each)
        add(log, 25)
        add(log, 25)
        assert _writer_process_of(log) is process
        assert process.poll() is None
    assert process.poll() == 0
    assert_right(folder)


def test_who_writes_the_index_ends_with_a_writer_that_is_killed(tmp_path: Path) -> None:
    code = f"""
import os, signal, sys
sys.path[:0] = {sys.path!r}
from tests.ledger.log.test_tag_index import SqliteLog, _writer_process_of, add, tag_index
tag_index._COMMIT_MESSAGES = 20
log = SqliteLog({str(tmp_path / "log")!r}, writable=True)
add(log, 25)
print(_writer_process_of(log).pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    deadline = time.monotonic() + 60
    while Path(f"/proc/{done.stdout.strip()}/exe").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert_right(tmp_path / "log")


def test_a_file_that_somebody_else_has_written_is_looked_at_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What a killed writer had begun to write may come into the file behind the next one's back."""
    log, chain = MemoryLog(), Chain()
    with (
        closing(TagIndex(tmp_path / "index.sqlite", log)) as index,
        closing(TagIndex(tmp_path / "index.sqlite", log)) as former,
    ):
        for number in range(9):
            log.append(chain.add(landed(number)))
        assert index.find(ROUND) == list(range(9))
        former.write()
        log.append(chain.add(landed(9)))
        index.write()
        assert index.find(ROUND) == list(range(10))
    assert not caplog.records
    assert ReadOnlyTagIndex(tmp_path / "index.sqlite", log).find(ROUND) == list(range(10))


def test_a_question_that_comes_before_the_index_was_told_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between an append and its entry somebody may ask, who would wait for what waits in memory."""
    monkeypatch.setattr(tag_index, "_COMMIT_MESSAGES", 20)
    log, chain = MemoryLog(), Chain()
    log.append(chain.add(landed(1)))
    with closing(TagIndex(tmp_path / "index.sqlite", log)) as index:
        for number in range(18):
            fresh = chain.add(landed(number))
            head = log.append(fresh)
            assert index.find(ROUND) == list(range(number + 2))
            index.add(fresh, head)
            assert index.find(ROUND) == list(range(number + 2))
        with closing(sqlite3.connect(tmp_path / "index.sqlite")) as file:
            assert keys_held(file) == []
        log.append(chain.add(landed(1)))
        assert index.find(ROUND) == list(range(20))
        with closing(sqlite3.connect(tmp_path / "index.sqlite")) as file:
            assert len(keys_held(file)) > 0


def test_messages_that_a_question_has_added_are_not_added_again(tmp_path: Path) -> None:
    """Several messages at once, and a search by type: neither is compared with the last place."""
    log, chain = MemoryLog(), Chain()
    queries = ROUND, Query(types=("BallLanded",))
    with closing(TagIndex(tmp_path / "index.sqlite", log)) as index:
        for size in (2, 4):
            fresh = chain.add(landed(size), landed(size + 1))
            head = log.append(fresh)
            for _ in range(2):
                assert [index.find(query) for query in queries] == [list(range(size))] * 2
                index.add(fresh, head)


def test_index_can_not_be_kept_where_nothing_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(AvailabilityError, match="index"):
        TagIndex(tmp_path / "no such folder" / "index.sqlite", MemoryLog())


def test_index_works_over_any_log(tmp_path: Path) -> None:
    log, chain = MemoryLog(), Chain()
    index = TagIndex(tmp_path / "index.sqlite", log)
    for number in range(10):
        log.append(chain.add(landed(number)))
    assert index.find(ROUND, limit=3) == [0, 1, 2]
    index.close()
    index.close()
    assert ReadOnlyTagIndex(tmp_path / "index.sqlite", log).find(ROUND, after=7) == [8, 9]


def test_message_is_known_again_from_its_bytes() -> None:
    chain = Chain()
    chain.add(landed(1), statement("a-1"))
    chain.add(sample(e.DCBEventRecorded, event_type="T", tags=("one", "two")))
    for message in chain.messages:
        assert message_of(message.position, message.body) == message
    assert chain.messages[2].tags == ("*type:T", "*:one", "*:two")


def test_cost_of_a_search_does_not_grow_with_the_log(tmp_path: Path) -> None:
    """Counts the steps of SQLite's machine for the searches that a decision makes."""
    questions = [
        (Query(("AccountStatement",), ("account:a-1",)), {"backwards": True, "limit": 1}),
        (Query(("AccountOpened",), ("account:a-1",)), {"limit": 1}),
        (Query(tags=("account:a-1",)), {"after": -1, "limit": 5}),
        (Query(("AccountStatement",)), {"backwards": True, "limit": 1}),
    ]
    counts = []
    for number in (100, 3_000):
        log, chain = MemoryLog(), Chain()
        log.append(chain.add(statement("a-1")))
        for at in range(number):
            event = sample(e.FeeCharged, account="a-1", fee=f"f-{at}")
            log.append(chain.add(event))
        index = TagIndex(tmp_path / f"index-{number}.sqlite", log)
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        assert index._connection is not None
        index._connection.set_progress_handler(count, 1)
        for query, options in questions:
            index.find(query, **options)  # type: ignore[arg-type]
        counts.append(steps)
        index.close()
    assert counts[1] <= counts[0] * 1.2


def test_log_without_messages_needs_no_index(tmp_path: Path) -> None:
    index = TagIndex(tmp_path / "index.sqlite", MemoryLog())
    index.add([], EMPTY)
    assert index.find(Query()) == []
    index.close()


def reads_of(reader: SqliteLog) -> list[int]:
    """Return the positions that the reader reads from now on."""
    read, plain = [], reader.read

    def noted(start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        for item in plain(start, stop):
            read.append(item[0])
            yield item

    reader.read = noted  # type: ignore[method-assign]
    return read


def test_a_reader_reads_what_the_file_lacks_once(folder: Path) -> None:
    """However many questions it asks, beside a writer that goes on and commits its index."""
    with (
        closing(SqliteLog(folder, writable=True)) as log,
        closing(SqliteLog(folder, writable=False)) as reader,
    ):
        read = reads_of(reader)
        for _ in range(40):
            add(log, 250)
            for _ in range(5):
                assert reader.find(ROUND) == log.find(ROUND)
                assert reader.find(ROUND, backwards=True, limit=3) == log.find(
                    ROUND, backwards=True, limit=3
                )
        assert log.head().size > 2 * tag_index._COMMIT_MESSAGES
        assert len(read) < 3 * log.head().size


def test_a_reader_with_an_index_reads_only_its_end(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        add(log, 2_000)
        found, size = log.find(ROUND), log.head().size
    with closing(SqliteLog(folder, writable=False)) as reader:
        read = reads_of(reader)
        assert reader.find(ROUND) == found
        commands = [position.to_bytes(16, "big") for position in (0, 7, size - 1)]
        assert list(reader.commands(commands).values()) == [(0, 1), (7, 1), (size - 1, 1)]
    assert len(read) < size / 4
