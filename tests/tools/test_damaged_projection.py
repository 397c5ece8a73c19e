"""Tables that were broken are recognised, or answer rightly; `rebuild` mends whatever is there."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from projections.store import folders
from projections.store.connection import Connector
from projections.store.folders import fault_of
from tests.children import child
from tests.search import sample
from tests.tools.cli_cases import run, run_here
from tests.tools.damage import KINDS, damage
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

QUESTION = ("balances", "--json")
ORPHAN = """
import sys
from time import sleep
from projections.store.tables import Store
with Store.open(sys.argv[1]):
    print("in", flush=True)
    sleep(600)
"""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of tables."""
    lock = folders.lock_folder(folder)
    assert lock is not None
    try:
        yield
    finally:
        lock.release()


@pytest.fixture(scope="module")
def answer_once(projected_once: Path) -> str:
    return run(*QUESTION, data=projected_once).stdout


@pytest.fixture
def projected(projected_once: Path, answer_once: str, tmp_path: Path) -> tuple[Path, str]:
    """A data directory with tables, and the answer that they give."""
    return shutil.copytree(projected_once, tmp_path / "data", symlinks=True), answer_once


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(sample(range(len(KINDS)), len(KINDS) // 2)))
def test_damage_is_told_with_its_remedy_or_does_no_harm(
    projected: tuple[Path, str], seed: int
) -> None:
    data, answer = projected
    what = damage(data / "projection", seed)
    done = run(*QUESTION, data=data)
    if done.returncode == 0:
        assert done.stdout == answer, what
        return
    assert done.returncode == 3, (what, done.stderr)
    assert "`gameledger rebuild`" in done.stderr, (what, done.stderr)
    assert "Traceback" not in done.stderr
    _assert_rebuilt(data, answer)


def _assert_rebuilt(data: Path, answer: str) -> None:
    done = run("rebuild", data=data)
    assert done.returncode == 0, done.stderr
    assert run(*QUESTION, data=data).stdout == answer


def _file_in_its_place(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("mine")


def _link_to_nowhere(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to("nowhere")


def _something_else(folder: Path) -> None:
    shutil.rmtree(folder / "metadata")
    (folder / "thesis.txt").write_text("mine")


def _status_of_a_dead_process(folder: Path) -> None:
    (folder / "status").write_text("PID: 1\nStarted at: 2020-01-01 00:00:00\n")
    shutil.rmtree(folder / "store")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "kept"),
    [
        (_file_in_its_place, "projection.aside-1"),
        (_link_to_nowhere, "projection.aside-1"),
        (_something_else, "projection.aside-1/thesis.txt"),
        (_status_of_a_dead_process, ""),
    ],
)
def test_rebuild_makes_tables_whatever_is_there_and_deletes_nothing_of_others(
    projected: tuple[Path, str], spoil: Callable[[Path], None], kept: str
) -> None:
    data, answer = projected
    spoil(data / "projection")
    done = run(*QUESTION, data=data)
    assert (done.returncode, "`gameledger rebuild`" in done.stderr) == (3, True), done.stderr
    _assert_rebuilt(data, answer)
    aside = [path for path in data.iterdir() if "aside" in path.name]
    assert len(aside) == bool(kept)
    if kept:
        assert (data / kept).is_symlink() or (data / kept).read_text() == "mine"


def test_a_folder_that_can_not_be_listed_is_a_change_and_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "store" / "part").mkdir(parents=True)
    (tmp_path / "store" / "part" / "data.bin").write_bytes(b"rows")
    before, listed = folders.state_of(tmp_path), os.scandir

    def refused(place: str) -> object:
        if place.endswith("part"):
            raise PermissionError(13, "Permission denied", place)
        return listed(place)

    monkeypatch.setattr(os, "scandir", refused)
    assert folders.state_of(tmp_path) != before


@pytest.mark.slow
def test_tables_of_another_chain_are_told_and_kept(
    projected: tuple[Path, str], tmp_path: Path
) -> None:
    data, answer = projected
    other = tmp_path / "other"
    arguments = ("--operator", "26493993", "--name", "Other", "--chain", "other")
    assert run("init", *arguments, data=other).returncode == 0
    assert run(*QUESTION, data=other).returncode == 0
    shutil.rmtree(data / "projection")
    shutil.copytree(other / "projection", data / "projection", symlinks=True)
    done = run(*QUESTION, data=data)
    assert (done.returncode, "another chain" in done.stderr) == (2, True), done.stderr
    _assert_rebuilt(data, answer)
    assert (data / "projection.aside-1" / "store").is_dir()


def test_a_crash_of_the_engine_becomes_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program that looks at a folder is exchanged for one that ends as a crash does."""
    (tmp_path / "projection").mkdir()
    (tmp_path / "projection" / "file").touch()
    crash = tmp_path / "python"
    crash.write_text(f"#!{sys.executable}\nimport os\nos.kill(os.getpid(), {signal.SIGABRT:d})\n")
    crash.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(crash))
    assert fault_of(tmp_path / "projection") == "the engine ends with SIGABRT"
    with (
        pytest.raises(LedgerError, match=r"SIGABRT.*`gameledger rebuild`"),
        tables.for_writing(tmp_path / "projection"),
    ):
        pass


def test_tables_that_a_killed_process_left_are_looked_at_first(projected: tuple[Path, str]) -> None:
    data, answer = projected
    (data / "projection.seen").unlink()
    assert run(*QUESTION, data=data).stdout == answer
    assert (data / "projection.seen").is_file()


def test_tables_that_an_orphan_still_looks_at_are_not_damaged(projected: tuple[Path, str]) -> None:
    """A question was killed while a process of its own looked at the tables; that one goes on."""
    data, answer = projected
    (data / "projection.seen").unlink()
    orphan = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", ORPHAN, str(data / "projection")], stdout=subprocess.PIPE
    )
    assert orphan.stdout is not None
    assert orphan.stdout.readline() == b"in\n"
    found: list[str] = []
    looking = Thread(target=lambda: found.append(fault_of(data / "projection")))
    looking.start()
    looking.join(timeout=2)
    assert looking.is_alive()
    orphan.kill()
    orphan.communicate()
    looking.join(timeout=60)
    assert found == [""]
    assert run(*QUESTION, data=data).stdout == answer


def test_a_library_that_holds_the_tables_is_waited_for_like_a_process_of_ours(
    projected: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, answer = projected
    monkeypatch.setattr(tables, "PATIENCE_SECONDS", 3.0)
    code = (
        "import sys; from projections.store.tables import Store\n"
        f"with Store.open({str(data / 'projection')!r}):\n"
        "    print('held', flush=True); sys.stdin.readline()"
    )
    with child(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={**os.environ},
    ) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        cache = {"GAMELEDGER_CACHE": str(data.parent / "cache")}
        os.utime(data / "projection" / "status")
        done = run_here(*QUESTION, data=data, environment=cache)
        os.utime(data / "projection" / "status", (1.0, 1.0))
        again = run_here(*QUESTION, data=data, environment=cache)
        holder.communicate(b"\n")
    assert (done.returncode, done.stdout) == (0, answer), done.stderr
    assert "waiting for it up to 3 s" in done.stderr
    assert "tables of your own" in done.stderr
    assert (again.returncode, again.stdout) == (0, answer), again.stderr
    assert "waiting" not in again.stderr, "a service that holds them is waited for"


def test_tables_of_ones_own_are_made_again_for_another_chain_in_the_same_place(
    projected: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, answer = projected
    monkeypatch.setattr(tables, "PATIENCE_SECONDS", 0.1)
    environment = {"GAMELEDGER_CACHE": str(data.parent / "cache")}

    def answer_while_held() -> str:
        with held(data / "projection"):
            done = run_here(*QUESTION, data=data, environment=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert answer_while_held() == answer
    assert any((data.parent / "cache").rglob("projection-1"))
    shutil.rmtree(data)
    assert run("simulate", "--seed", "9", "--hours", "0.05", data=data).returncode == 0
    assert answer_while_held() == run(*QUESTION, data=data).stdout != answer


def test_tables_whose_first_creation_was_interrupted_are_created(tmp_path: Path) -> None:
    folder = tmp_path / "projection"
    with closing(Connector(folder)()) as client:
        client.command("CREATE DATABASE gameledger")
    with tables.for_writing(folder) as store:
        assert store.is_current
    shutil.rmtree(folder / "metadata")
    with pytest.raises(IntegrityError, match="there are none"), tables.for_writing(folder):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_the_engine_opens_no_tables_on_a_full_disk(
    projected: tuple[Path, str], tmp_path: Path
) -> None:
    """It would truncate files that it replaces."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["/bin/mount", "-t", "tmpfs", "-o", "size=90m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False).returncode:  # noqa: S603 - a small disk of our own
        pytest.skip("this machine does not let us mount a disk")
    data, answer = projected
    try:
        copied = shutil.copytree(data, disk / "data", symlinks=True)
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(shutil.disk_usage(disk).free))
        folder = copied / "projection"
        with (
            pytest.raises(AvailabilityError, match="no room is left for the tables"),
            tables.for_writing(folder),
        ):
            pass
        ballast.unlink()
        assert run(*QUESTION, data=copied).stdout == answer
    finally:
        subprocess.run(["/bin/umount", str(disk)], check=True)  # noqa: S603 - as above
