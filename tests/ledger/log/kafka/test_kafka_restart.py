"""A writer that starts again: its index and its note may be lost, old, new or damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events.encoding import hash_of
from ledger.log import Query
from ledger.log.kafka.log import KafkaLog
from tests.children import child
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, judge

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

INDEX, NOTE = "index.sqlite", "head.note"


@pytest.fixture
def folder(url: str, tmp_path: Path) -> Path:
    """The folder of a writer that was closed, behind a chain with two rounds."""
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        add(log, 40)
    return tmp_path / "writer"


def add(log: KafkaLog, number: int) -> None:
    chain = Chain.behind(log)
    for _ in range(number):
        chain.add(landed(1, f"r-{chain.head.size % 2}"))
    log.append(chain.messages)


def assert_right(url: str, folder: Path) -> None:
    for writable in (False, True, False):
        with closing(KafkaLog(url, folder, writable=writable)) as log:
            size = log.head().size
            landings = log.find(Query(types=("BallLanded",)))
            odd = [at for at in landings if at % 2]
            assert landings == list(range(landings[0], size))
            assert log.find(Query(tags=("round:r-1",))) == odd
            assert log.find(Query(tags=("round:r-1",)), backwards=True, limit=1) == odd[-1:]
            last = (size - 1).to_bytes(16, "big")
            assert log.commands([last, b"\xff" * 16]) == {last: (size - 1, 1)}
            assert [at for at, _ in log.read(size - 3)] == [size - 3, size - 2, size - 1]


@pytest.mark.parametrize("harm", ["missing", "stale", "ahead", "corrupt", "empty"])
def test_index_is_mended_or_made_anew(url: str, folder: Path, harm: str, broker: Cluster) -> None:
    index = folder / INDEX
    if harm == "missing":
        index.unlink()
    elif harm == "stale":
        old = shutil.copy(index, folder.with_name("old"))
        with closing(KafkaLog(url, folder, writable=True)) as log:
            add(log, 25)
        shutil.copy(old, index)
    elif harm == "ahead":
        other = broker.url(f"t-{uuid4().hex}", **QUICK)
        with closing(KafkaLog(other, folder.with_name("longer"), writable=True)) as log:
            log.append(Chain().open().messages)
            add(log, 90)
        shutil.copy(folder.with_name("longer") / INDEX, index)
    elif harm == "corrupt":
        index.write_bytes(os.urandom(8192))
    else:
        index.write_bytes(b"")
    assert_right(url, folder)


def test_writer_elsewhere_needs_neither_index_nor_note(url: str, folder: Path) -> None:
    elsewhere = folder.with_name("elsewhere")
    with closing(KafkaLog(url, elsewhere, writable=True)) as log:
        add(log, 3)
    assert_right(url, elsewhere)
    assert_right(url, folder)


def test_note_that_is_behind_is_no_obstacle(url: str, folder: Path) -> None:
    old = shutil.copy(folder / NOTE, folder.with_name("old"))
    with closing(KafkaLog(url, folder, writable=True)) as log:
        add(log, 5)
    shutil.copy(old, folder / NOTE)
    assert_right(url, folder)


def test_note_of_a_longer_log_is_an_obstacle(url: str, folder: Path, broker: Cluster) -> None:
    other = broker.url(f"t-{uuid4().hex}", **QUICK)
    with closing(KafkaLog(other, folder.with_name("longer"), writable=True)) as log:
        log.append(Chain().open().messages)
        add(log, 90)
    shutil.copy(folder.with_name("longer") / NOTE, folder / NOTE)
    with pytest.raises(IntegrityError, match="were acknowledged"):
        KafkaLog(url, folder, writable=True)


def test_refused_writer_does_not_fence_the_one_that_works(
    url: str, folder: Path, broker: Cluster
) -> None:
    wrong = folder.with_name("wrong")
    other = broker.url(f"t-{uuid4().hex}", **QUICK)
    with closing(KafkaLog(other, wrong, writable=True)) as log:
        log.append(Chain().open().messages)
        add(log, 90)
    with closing(KafkaLog(url, folder, writable=True)) as log:
        with pytest.raises(IntegrityError):
            KafkaLog(url, wrong, writable=True)
        add(log, 1)


def test_second_writer_of_a_folder_is_refused_before_it_fences_the_first(
    url: str, folder: Path
) -> None:
    with closing(KafkaLog(url, folder, writable=True)) as log:
        with pytest.raises(AvailabilityError, match="being written by process"):
            KafkaLog(url, folder, writable=True)
        add(log, 1)


def test_reader_follows_a_writer_and_sees_no_open_transaction(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        closing(KafkaLog(url, folder, writable=True)) as log,
        closing(KafkaLog(url, folder.with_name("reader"), writable=False)) as reader,
    ):
        before = log.head()
        assert log._writer is not None
        sent = log._writer._transactions
        commit = sent.commit

        def look_first() -> None:
            assert reader.head() == before
            assert len(list(reader.read(before.size - 1))) == 1
            assert not reader.wait(before.size, 0.1)
            commit()

        monkeypatch.setattr(sent, "commit", look_first)
        add(log, 2)
        assert reader.wait(before.size, 10)
        assert reader.head() == log.head()
        assert reader.find(Query(), after=before.size - 1) == [before.size, before.size + 1]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_full_disk_of_the_index_loses_nothing(
    url: str, tmp_path: Path, keep_figures: Callable[..., None]
) -> None:
    """Appends go on, because the topic holds them; questions say what is wrong."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(  # noqa: S603 - a fixed command
        ["/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], check=False
    )
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    try:
        acknowledged = []
        with closing(KafkaLog(url, disk, writable=True)) as log:
            chain = Chain().open()
            log.append(chain.messages)
            acknowledged += chain.messages
            (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * 4096))
            for number in range(40):
                batch = [m for _ in range(150) for m in chain.add(landed(1, f"r-{number}"))]
                assert log.append(batch) == chain.head
                acknowledged += batch
            with pytest.raises(AvailabilityError, match=r"no room|can't be used"):
                _ask_for_a_minute(log)
            (disk / "filler").unlink()
            grow = ["/bin/mount", "-o", "remount,size=64m", str(disk)]
            subprocess.run(grow, check=True)  # noqa: S603 - the same
            assert len(log.find(Query(tags=("round:r-39",)))) == 150
        keep_figures(**judge(url, tmp_path / "reader", acknowledged))
    finally:
        subprocess.run(["/bin/umount", str(disk)], check=False)  # noqa: S603 - the same


def _ask_for_a_minute(log: KafkaLog) -> None:
    """Ask until it is known that the index could not be written; in memory all is found."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert len(log.find(Query(tags=("round:r-39",)))) == 150


def test_head_that_can_t_be_noted_is_not_acknowledged(
    url: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message is in the topic, so the log closes for good and a repeat finds it."""
    with closing(KafkaLog(url, folder, writable=True)) as log:
        assert log._note is not None
        before = log.head()

        def refuse(_: object) -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(log._note, "write", refuse)
        with pytest.raises(AvailabilityError, match="can't be noted"):
            add(log, 1)
        with pytest.raises(AvailabilityError, match="start the writer again"):
            log.head()
    with closing(KafkaLog(url, folder, writable=True)) as log:
        assert log.head().size == before.size + 1


def test_killed_writer_is_followed_by_another_and_loses_nothing(
    url: str, tmp_path: Path, keep_figures: Callable[..., None]
) -> None:
    """A process appends and is killed, three times; it prints what was acknowledged."""
    program = Path(__file__).with_name("kafka_process.py")
    heads: list[list[str]] = []
    for _ in range(3):
        with child(
            [sys.executable, str(program), url, str(tmp_path / "writer")],
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            heads += [process.stdout.readline().split() for _ in range(12)]
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain.behind(log)
        log.append(chain.add(landed(0)))
        stored = dict(log.read())
    for size, digest in heads:
        assert hash_of(stored[int(size) - 1]).hex() == digest
    assert len(stored) == chain.head.size
    keep_figures(kills=3, acknowledged=len(heads), lost=0)
