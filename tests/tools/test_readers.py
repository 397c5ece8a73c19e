"""Who may only read gets every answer, also several at once and while another writes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from ledger.decisions.decider import decode_command
from ledger.log.index import readers as readers_index
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from ledger.storage.writer_lock import WriterLock
from tests.tools.cli_cases import bet, run, run_here
from tests.tools.reader_cases import ask, read_only
from tools.cli._project import up_to_date
from tools.data import DataDirectory, tables

QUESTIONS = (
    ("balances",),
    ("balance", "a-1"),
    ("account", "show", "a-1"),
    ("play-time",),
    ("reconcile",),
    ("round", "list"),
    ("round", "replay", "q1"),
    ("tournament", "list"),
    ("report", "status", "--until", "2020-01-01"),
    ("log", "show", "--account", "a-1"),
    ("log", "verify"),
    ("log", "export"),
)


@pytest.mark.slow
def test_a_folder_that_may_only_be_read_answers_all_questions(studio: Path) -> None:
    data, home = studio, studio.parent / "home"
    with tables.keep_tables_open(data / "projection"):
        due = {question: run_here(*question, "--json", data=data).stdout for question in QUESTIONS}
    shutil.rmtree(data / "projection")
    before = sorted(data.rglob("*"))
    with read_only(data):
        told = []
        for question in QUESTIONS:
            done = ask(*question, "--json", data=data, home=home)
            assert (done.returncode, done.stdout) == (0, due[question]), done.stderr
            told.append(done.stderr.count("tables of your own"))
    assert sum(told) == told[0] == 1
    assert sorted(data.rglob("*")) == before
    assert {path.stat().st_mode & 0o077 for path in (home / ".cache" / "gameledger").iterdir()} == {
        0
    }


ANOTHER_PROGRAM = """
import sys, chdb
engine = chdb.connect(sys.argv[1])
print(engine.query("SELECT count() FROM gameledger.reader_rounds", "CSV"))
"""


def test_another_program_asks_the_views_of_a_folder_that_has_them(studio: Path) -> None:
    def ask_beside() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", ANOTHER_PROGRAM, str(studio / "projection")]
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own text

    assert run("project", data=studio).returncode == 0
    assert "reader_rounds" in ask_beside().stderr
    assert "docs/sql.md" in run("project", "--views", data=studio).stdout
    assert int(ask_beside().stdout) > 0
    assert run("rebuild", data=studio).returncode == 0
    assert int(ask_beside().stdout) > 0
    for part in (studio / "projection").rglob("data.bin"):
        part.write_bytes(b"spoiled")
    assert run("rebuild", data=studio).returncode == 0
    assert int(ask_beside().stdout) > 0


def test_what_asks_for_more_than_reading_is_refused_in_a_sentence(studio: Path) -> None:
    data, home = studio, studio.parent / "home"
    with read_only(data):
        for command, code in ((("rebuild",), 5), (("project",), 5), (("record",), 4)):
            done = ask(*command, data=data, home=home)
            assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
        nowhere = {"GAMELEDGER_CACHE": "/proc/none"}
        done = ask("balances", data=data, home=home, environment=nowhere)
        assert done.returncode == 4
        assert "GAMELEDGER_CACHE" in done.stderr
    (data / "log.sqlite").chmod(0o000)
    done = ask("log", "verify", data=data, home=home)
    assert (done.returncode, "ask its owner" in done.stderr) == (5, True), done.stderr


def test_a_reader_of_a_folder_follows_the_writer_that_owns_it(studio: Path) -> None:
    """First beside a writer at work, then from a file that is whole, then after more of it."""
    home, sizes = studio.parent / "home", []
    with DataDirectory(studio).write() as ledger, read_only(studio, files=False):
        ledger.execute(decode_command(json.dumps(bet(1)).encode()))
        sizes.append((_size_read(studio, home), ledger.head.size))
    with read_only(studio), closing(SqliteLog(studio, writable=False)) as log:
        sizes.append((_size_read(studio, home), log.head().size))
    assert run("record", data=studio, lines=[bet(2)]).returncode == 0
    with read_only(studio), closing(SqliteLog(studio, writable=False)) as log:
        sizes.append((_size_read(studio, home), log.head().size))
    assert all(read == due for read, due in sizes), sizes
    assert len(set(sizes)) == 2


def _size_read(data: Path, home: Path) -> int:
    done = ask("log", "verify", "--json", data=data, home=home)
    assert done.returncode == 0, done.stderr
    return int(json.loads(done.stdout)["size"])


def test_a_journal_that_can_t_be_read_without_writing_is_named(studio: Path) -> None:
    with DataDirectory(studio).write() as ledger:
        ledger.execute(decode_command(json.dumps(bet(1)).encode()))
        copy = Path(shutil.copytree(studio, studio.parent / "copy"))
    (copy / "log.sqlite-shm").unlink()
    with read_only(copy):
        done = ask("log", "verify", data=copy, home=studio.parent / "home")
    assert (done.returncode, "read a copy of the folder" in done.stderr) == (4, True), done.stderr


def test_several_readers_at_once_all_get_their_answers(studio: Path) -> None:
    def balances(_: int) -> subprocess.CompletedProcess[str]:
        return run("balances", "--json", data=studio)

    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(balances, range(3)))
    assert [one.returncode for one in found] == [0, 0, 0], [one.stderr for one in found]
    assert len({one.stdout for one in found}) == 1


def test_a_reader_beside_a_process_that_keeps_the_tables_has_its_own(
    studio: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GAMELEDGER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tables, "PATIENCE_SECONDS", 0.0)
    folder = DataDirectory(studio).projection()
    assert isinstance(folder, Path)
    keeper = WriterLock(studio / "projection.lock")
    with up_to_date(DataDirectory(studio)) as (store, log):
        assert store.position == log.head().size
    assert capsys.readouterr().err.count("tables of your own") == 1
    keeper.release()
    with up_to_date(DataDirectory(studio)) as (store, log):
        assert store.position == log.head().size
    assert folder.is_dir()
    assert capsys.readouterr().err.count("tables of your own") == 0


def test_a_reader_builds_what_the_index_lacks_once_and_in_its_cache(
    studio: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers_index, "BEHIND_MAX", 5)
    query, cache = Query(tags=("account:a-1",)), tmp_path / "cache"
    with closing(SqliteLog(studio, writable=False, cache=cache)) as log:
        due = log.find(query)
    assert not cache.exists()
    (studio / "index.sqlite").unlink()
    with closing(SqliteLog(studio, writable=False, cache=cache)) as log:
        assert log.find(query) == due
    made = (cache / "index.sqlite").stat().st_mtime_ns
    with closing(SqliteLog(studio, writable=False, cache=cache)) as log:
        assert log.find(query) == due
    assert (cache / "index.sqlite").stat().st_mtime_ns == made
    (cache / "index.sqlite").write_bytes(b"garbage")
    with closing(SqliteLog(studio, writable=False, cache=cache)) as log:
        assert log.find(query) == due
    assert not (studio / "index.sqlite").exists()
