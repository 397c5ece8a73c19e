"""One writer, any number of readers, and what happens when the disk or a process fails."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log import Head, Query, SqliteLog
from ledger.verification.verify import verify
from tests.children import child
from tests.ledger.chain_cases import Chain, landed, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
PROCESS = Path(__file__).with_name("appending_process.py")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A log of one opened chain and 200 events, closed."""
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        chain = Chain().open()
        for number in range(200):
            chain.add(landed(number))
        log.append(chain.messages)
    return tmp_path / "log"


@contextmanager
def appending(folder: Path) -> Iterator[subprocess.Popen[str]]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(PROCESS), str(folder)]
    with child(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT) as process:
        yield process


def lines_of(process: subprocess.Popen[str]) -> Iterator[tuple[int, bytes]]:
    assert process.stdout is not None
    for line in process.stdout:
        if line.endswith("\n"):
            size, digest = line.split()
            yield int(size), bytes.fromhex(digest)


def test_second_writer_is_refused_by_name_of_the_process(folder: Path) -> None:
    with appending(folder) as process:
        next(lines_of(process))
        with pytest.raises(AvailabilityError, match=f"process {process.pid}: stop it first"):
            SqliteLog(folder, writable=True)


def test_second_writer_of_the_same_process_is_refused(folder: Path) -> None:
    with (
        closing(SqliteLog(folder, writable=True)),
        pytest.raises(AvailabilityError, match=str(os.getpid())),
    ):
        SqliteLog(folder, writable=True)


def test_closing_lets_the_next_writer_in(folder: Path) -> None:
    SqliteLog(folder, writable=True).close()
    with closing(SqliteLog(folder, writable=True)) as log:
        log.append(Chain.behind(log).add(landed(1)))


def test_log_is_one_file_when_it_was_closed(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        "log.sqlite",
        "index.sqlite",
        "tree.sqlite",
        "writer.lock",
    }


@pytest.mark.law("SAZKA 13(5)", "L-20")
@pytest.mark.parametrize("seed", range(6))
def test_no_acknowledged_append_is_lost_when_the_writer_is_killed(
    tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "killed"
    acknowledged: tuple[int, bytes] = (0, b"")
    for _ in range(2):
        with appending(folder) as process:
            lines = lines_of(process)
            for _ in range(chance.randrange(1, 120)):
                acknowledged = next(lines)
            killer = threading.Timer(chance.random() / 200, process.send_signal, [signal.SIGKILL])
            killer.start()
            for line in lines:
                acknowledged = line
            killer.join()
        with closing(SqliteLog(folder, writable=True)) as log:
            found = verify(log.read(), since=Head(*acknowledged))
            assert found.head == log.head()
            assert found.head.size - acknowledged[0] in (0, 3)
            assert log.find(Query(), after=-1) == list(range(found.head.size))
            rounds = [at for at, body in log.read(90) if b"\x06r-1" in body]
            assert log.find(Query(tags=("round:r-1",)), after=89) == rounds
            last = next(log.read(found.head.size - 1))[1]
            assert log.commands([last[42:58]]).get(last[42:58]) == (found.head.size - 1, 1)


def test_what_a_killed_writer_left_in_the_journal_is_synced_before_it_is_shown(
    tmp_path: Path,
) -> None:
    """Its repeat gets the first receipt without an append, so nothing else would sync it."""
    folder, killed = tmp_path / "log", tmp_path / "killed"
    with closing(SqliteLog(folder, writable=True)) as log:
        log.append(Chain().add(landed(1)))
        shutil.copytree(folder, killed)
    journal = killed / "log.sqlite-wal"
    assert journal.stat().st_size
    with closing(SqliteLog(killed, writable=True)) as log:
        assert log.head().size == 1
        alone = shutil.copy(killed / "log.sqlite", tmp_path / "alone.sqlite")
        with closing(sqlite3.connect(f"file:{alone}?immutable=1", uri=True)) as file:
            assert file.execute("SELECT count(*) FROM message").fetchone() == (1,)


def test_reader_sees_what_another_process_appends(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=False)) as reader:
        before = reader.head()
        with appending(folder) as process:
            size, digest = next(lines_of(process))
            assert reader.wait(before.size, 10)
            assert size >= before.size + 3
            (last,) = reader.read(size - 1, size)
            assert verify(reader.read(), since=Head(size, digest)).head.size >= size
            assert reader.commands([last[1][42:58]]).get(last[1][42:58]) == (size - 1, 1)
            assert size - 1 in reader.find(Query(tags=("round:r-1",)), after=before.size)


def test_reader_waits_no_longer_than_asked(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=False)) as reader:
        assert not reader.wait(reader.head().size, 0.01)


def test_long_read_does_not_hold_the_journal(folder: Path) -> None:
    """The writer goes on while a reader stands still, and its journal is folded all the same."""
    with (
        closing(SqliteLog(folder, writable=True)) as log,
        closing(SqliteLog(folder, writable=False)) as reader,
    ):
        before = reader.head()
        reading = reader.read()
        first = next(reading)
        chain = Chain.behind(log)
        log.append(chain.add(sample(e.DCBEventRecorded, data=bytes(1 << 20))))
        assert log._writer is not None
        busy, *_ = log._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0
        assert [first[0], *(position for position, _ in reading)] == list(range(before.size))


def test_read_keeps_little_in_memory(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain.behind(log)
        for _ in range(8):
            log.append(chain.add(sample(e.DCBEventRecorded, data=bytes(1 << 20))))
        start = chain.head.size - 8
        assert len(log._chunk(start, chain.head.size)) == 1
        assert len(list(log.read(start))) == 8


def test_reader_can_not_append(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=False)) as reader:
        assert not reader.is_writable
        with pytest.raises(InputError, match="opened to read"):
            reader.append(Chain(reader.head()).add(landed(1)))


def test_reading_where_no_log_is_names_the_path(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=str(tmp_path)):
        SqliteLog(tmp_path, writable=False)


@pytest.mark.parametrize("writable", [True, False])
def test_file_that_is_no_database_is_named(folder: Path, writable: bool) -> None:
    (folder / "log.sqlite").write_bytes(b"not a database at all, and long enough" * 100)
    with pytest.raises(IntegrityError, match=r"log\.sqlite is damaged .* restore"):
        SqliteLog(folder, writable=writable)


@pytest.mark.parametrize("writable", [True, False])
def test_database_of_another_program_is_refused(folder: Path, writable: bool) -> None:
    (folder / "log.sqlite").unlink()
    with closing(sqlite3.connect(folder / "log.sqlite")) as other:
        other.execute("CREATE TABLE message (position INTEGER PRIMARY KEY, body BLOB)")
    with pytest.raises(IntegrityError, match=r"log\.sqlite is no log of layout 1"):
        SqliteLog(folder, writable=writable)


@pytest.mark.parametrize("length", [0, 4096, 8192, 20_000])
def test_truncated_file_is_refused(folder: Path, length: int) -> None:
    os.truncate(folder / "log.sqlite", length)
    with pytest.raises(IntegrityError, match=r"log\.sqlite is (damaged|empty).* restore"):
        SqliteLog(folder, writable=True)


def test_damaged_page_is_named_when_it_is_read(folder: Path) -> None:
    file = folder / "log.sqlite"
    content = bytearray(file.read_bytes())
    content[4096 * 9 : 4096 * 10] = b"\xee" * 4096
    file.write_bytes(content)
    with (
        closing(SqliteLog(folder, writable=False)) as log,
        pytest.raises(IntegrityError, match=r"log\.sqlite (is damaged|lacks message)"),
    ):
        verify(log.read())


def test_rows_before_a_missing_one_are_read_before_it_is_named(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("DELETE FROM message WHERE position = 150")
    read: list[int] = []
    with (
        closing(SqliteLog(folder, writable=False)) as log,
        pytest.raises(IntegrityError, match="lacks message 150"),
    ):
        read.extend(position for position, _ in log.read())
    assert read == list(range(150))


def test_missing_row_is_named(folder: Path) -> None:
    """A reader names it wherever it is; a writer, which reads the end of the log, at its start."""
    with closing(SqliteLog(folder, writable=False)) as log:
        lost = log.head().size - 50
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("DELETE FROM message WHERE position = ?", (lost,))
    with closing(SqliteLog(folder, writable=False)) as log:
        with pytest.raises(IntegrityError, match=f"lacks message {lost}") as caught:
            list(log.read())
        assert caught.value.position == lost
    with pytest.raises(IntegrityError, match=f"lacks message {lost}"):
        SqliteLog(folder, writable=True)


def test_torn_last_decision_is_refused_at_open(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain.behind(log)
        log.append(chain.add(landed(1), landed(2)))
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("DELETE FROM message WHERE position = ?", (chain.head.size - 1,))
    with pytest.raises(IntegrityError, match=r"last decision .* is torn"):
        SqliteLog(folder, writable=True)


class Failing:
    """A connection whose commit fails, before or after it took place."""

    def __init__(self, connection: sqlite3.Connection, *, is_done: bool) -> None:
        self._connection = connection
        self._is_done = is_done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            if self._is_done:
                self._connection.execute("COMMIT")
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(statement, *values)


def test_failed_commit_that_did_not_take_place_is_an_error(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        before, chain = log.head(), Chain.behind(log)
        messages = chain.add(landed(1))
        log._writer = Failing(log._writer, is_done=False)  # type: ignore[assignment, arg-type]
        with pytest.raises(AvailabilityError, match="I/O error"):
            log.append(messages)
        assert log.head() == before
        assert log.append(messages) == chain.head
        assert log.find(Query(), after=before.size - 1) == [before.size]


def test_failed_commit_that_took_place_counts(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain.behind(log)
        log._writer = Failing(log._writer, is_done=True)  # type: ignore[assignment, arg-type]
        assert log.append(chain.add(landed(1))) == chain.head
        assert log.append(chain.add(landed(2))) == chain.head
    with closing(SqliteLog(folder, writable=True)) as log:
        assert log.head() == chain.head


def test_log_stops_when_the_outcome_can_not_be_known(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        messages = Chain.behind(log).add(landed(1))
        log._writer = Failing(log._writer, is_done=False)  # type: ignore[assignment, arg-type]
        aside = folder.with_name("aside")
        folder.rename(aside)
        with pytest.raises(AvailabilityError, match=r"unknown .* start the writer again"):
            log.append(messages)
        aside.rename(folder)
        for use in (log.head, log.read, lambda: log.append(messages)):
            with pytest.raises(AvailabilityError, match="unknown"):
                use()


@pytest.mark.parametrize("is_answer", [False, True], ids=["append", "confirm"])
def test_log_stops_when_somebody_else_wrote(folder: Path, *, is_answer: bool) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain.behind(log)
        other, own = Chain(chain.head).add(landed(7)), chain.add(landed(8))
        with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
            file.execute("INSERT INTO message VALUES (?, ?)", (other[0].position, other[0].body))
        with pytest.raises(IntegrityError, match="did not write"):
            log.confirm() if is_answer else log.append(own)
        with pytest.raises(IntegrityError, match="did not write"):
            log.head()


@pytest.mark.parametrize("is_answer", [False, True], ids=["append", "confirm"])
@pytest.mark.parametrize("gone", ["log.sqlite", "log.sqlite-wal", "", "replaced"])
def test_nothing_is_acknowledged_in_a_file_that_is_gone(
    folder: Path, gone: str, *, is_answer: bool
) -> None:
    """SQLite goes on with a deleted file, whose content ends with the process."""
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain.behind(log)
        log.append(chain.add(landed(1)))
        if gone == "replaced":
            (folder / "log.sqlite").rename(folder / "aside")
            shutil.copy(folder / "aside", folder / "log.sqlite")
        elif gone:
            (folder / gone).unlink()
        else:
            folder.rename(folder.with_name("aside"))
        with pytest.raises(IntegrityError, match="deleted, moved or replaced"):
            log.confirm() if is_answer else log.append(chain.add(landed(2)))
        with pytest.raises(IntegrityError, match="deleted, moved or replaced"):
            log.head()


def test_interrupted_append_stops_the_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with closing(SqliteLog(folder, writable=True)) as log:
        monkeypatch.setattr(log, "_write", interrupt)
        with pytest.raises(KeyboardInterrupt):
            log.append(Chain.behind(log).add(landed(1)))
        with pytest.raises(AvailabilityError, match="interrupted"):
            log.head()


def append_until_full(log: SqliteLog, chain: Chain, size_max: int) -> None:
    for _ in range(size_max):
        messages = chain.add(sample(e.DCBEventRecorded, data=os.urandom(40_000)))
        head = log.head()
        try:
            log.append(messages)
        except AvailabilityError:
            assert log.head() == head
            raise


def test_file_that_may_not_grow_refuses_the_append_and_goes_on(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)) as log:
        assert log._writer is not None
        log._writer.execute("PRAGMA max_page_count = 60")
        with pytest.raises(AvailabilityError, match=r"no room is left to write .*log\.sqlite"):
            append_until_full(log, Chain.behind(log), 50)
        chain = Chain.behind(log)
        log.append(chain.add(landed(1)))
        assert verify(log.read()).head == chain.head


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_full_disk_refuses_the_append_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(  # noqa: S603 - a small disk of our own
        ["/bin/mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)],
        check=False,
        capture_output=True,
    )
    if mounted.returncode:
        pytest.skip("this machine does not let us mount a disk")
    try:
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(400_000))
        with closing(SqliteLog(disk / "log", writable=True)) as log:
            chain = Chain().open()
            log.append(chain.messages)
            with pytest.raises(AvailabilityError, match="no room is left to write"):
                append_until_full(log, chain, 100)
            ballast.unlink()
            chain = Chain.behind(log)
            log.append(chain.add(landed(1)))
            found = verify(log.read())
            assert found.head == chain.head
            assert log.find(Query(tags=("round:r-1",))) == [chain.head.size - 1]
    finally:
        subprocess.run(["/bin/umount", str(disk)], check=True)  # noqa: S603 - our own disk


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_log_on_a_read_only_medium_can_be_read(folder: Path, tmp_path: Path) -> None:
    medium = tmp_path / "medium"
    medium.mkdir()
    mounted = subprocess.run(  # noqa: S603 - our own folder
        ["/bin/mount", "--bind", str(folder), str(medium)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("this machine does not let us mount")
    try:
        subprocess.run(  # noqa: S603 - our own folder
            ["/bin/mount", "-o", "remount,ro,bind", str(medium)], check=True
        )
        with closing(SqliteLog(medium, writable=False)) as log:
            assert verify(log.read()).head == log.head()
            assert log.find(Query(("BallLanded",)), limit=1, backwards=True)
    finally:
        subprocess.run(["/bin/umount", str(medium)], check=True)  # noqa: S603 - our own folder


OTHER = """
import sys
from ledger.log import SqliteLog
SqliteLog(sys.argv[1], writable=True).close()
"""


def test_a_reader_sees_what_comes_whoever_else_has_the_log_open(folder: Path) -> None:
    """Another process must not take itself for the last one, and fold and delete the journal."""

    def written(number: int) -> Head:
        with closing(SqliteLog(folder, writable=True)) as writer:
            return writer.append(Chain.behind(writer).add(landed(number)))

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", OTHER, str(folder)]
    with closing(SqliteLog(folder, writable=False)) as log:
        for number in range(2):
            assert written(number) == log.head()
            subprocess.run(command, env=environment, cwd=ROOT, check=True)  # noqa: S603 - ours
        assert written(2) == log.head()


def test_a_header_is_looked_at_again_once_nobody_has_the_file_open(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=False)), closing(SqliteLog(folder, writable=False)):
        pass
    with (folder / "log.sqlite").open("r+b") as file:
        file.seek(19)
        file.write(b"\x01")
    with pytest.raises(IntegrityError, match="it was altered"):
        SqliteLog(folder, writable=False)
