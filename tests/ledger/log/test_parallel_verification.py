"""Verification on several cores says what one core says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.log import parallel_verification, processes
from ledger.log.parallel_verification import verify_log
from ledger.log.sqlite import SqliteLog
from ledger.tlog.signing import Checkpoint
from ledger.verification.segments import SegmentVerifier
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import (
    NAME,
    OTHER,
    adding,
    full,
    map_root_of,
    root_of,
    signed,
    signing,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.verification.chain_verifier import VerificationResult
    from ledger.verification.segments import Segment

SEGMENT = 64


def grown() -> Chain:
    chain = full()
    for number in range(200):
        chain.add(*[landed(number % 37, f"r-{number % 50}") for _ in range(1 + number % 4)])
        if not number % 40:
            chain.add(signing(chain, size=chain.head.size - number % 7))
    return chain


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(parallel_verification, "SEGMENT_MESSAGES", SEGMENT)
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        log.append(grown().messages)
    return tmp_path / "log"


def verified(
    folder: Path, jobs: int, *, reads_facts: bool = True
) -> tuple[VerificationResult, int]:
    opened = partial(SqliteLog, folder, writable=False)
    return verify_log(opened, folder / "index.sqlite", jobs=jobs, reads_facts=reads_facts)


def fault(folder: Path, jobs: int, *, reads_facts: bool = True) -> tuple[str, int | None]:
    with pytest.raises(IntegrityError) as caught:
        verified(folder, jobs, reads_facts=reads_facts)
    return str(caught.value), caught.value.position


def alter(folder: Path, random: Random) -> Callable[[], None]:
    """Alter one message in one of the ways in which it can be wrong; return what undoes it."""
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        (size,) = file.execute("SELECT max(position) + 1 FROM message").fetchone()
        at = random.randrange(size - 1)
        (before,) = file.execute("SELECT body FROM message WHERE position = ?", (at,)).fetchone()
        body = bytearray(before)
        if random.randrange(5):
            body[random.randrange(len(body))] ^= 1 << random.randrange(8)
            file.execute("UPDATE message SET body = ? WHERE position = ?", (bytes(body), at))
        else:
            file.execute("DELETE FROM message WHERE position = ?", (at,))

    def undo() -> None:
        with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
            file.execute("REPLACE INTO message VALUES (?, ?)", (at, before))

    return undo


@pytest.fixture
def first_positions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Begin when the processes are there; collect the first messages of the segments they get."""
    started, send = processes._Worker.__init__, processes._Worker.send
    firsts: list[int] = []

    def started_and_ready(worker: processes._Worker, *given: Any) -> None:
        started(worker, *given)
        worker.receive()

    def collected(worker: processes._Worker, task: Any) -> processes.WorkerRequest:
        if task is not None:
            firsts.append(task.first)
        return send(worker, task)

    monkeypatch.setattr(processes._Worker, "__init__", started_and_ready)
    monkeypatch.setattr(processes._Worker, "send", collected)
    return firsts


def test_processes_find_the_same_as_one(folder: Path, first_positions: list[int]) -> None:
    with closing(SqliteLog(folder, writable=False)) as log:
        assert log.head().size > 6 * SEGMENT
        assert verified(folder, 2) == (verify(log.read()), log.head().size)
    assert first_positions[:2] == [0, SEGMENT]
    alter(folder, Random(3))
    assert fault(folder, 2) == fault(folder, 0)


@pytest.mark.parametrize("jobs", [1, 3])
def test_each_segment_is_verified_once(
    folder: Path, first_positions: list[int], monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    perform, here = parallel_verification._perform, []

    def collected(*given: Any) -> Any:
        here.append(given[-1].first)
        return perform(*given)

    monkeypatch.setattr(parallel_verification, "_perform", collected)
    found, _ = verified(folder, jobs, reads_facts=False)
    assert sorted([*first_positions, *here]) == list(range(0, found.head.size, SEGMENT))
    assert first_positions


def test_segments_verified_here_are_joined(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what has something unusual in it is verified again, message by message."""
    perform, verify_in_order, segments, again = (
        parallel_verification._perform,
        parallel_verification._verify_in_order,
        [],
        [],
    )

    def collected(*given: Any) -> Any:
        segments.append(perform(*given))
        return segments[-1]

    def counted(*given: Any) -> None:
        again.append(given)
        verify_in_order(*given)

    monkeypatch.setattr(parallel_verification, "_perform", collected)
    monkeypatch.setattr(parallel_verification, "_verify_in_order", counted)
    verified(folder, 0, reads_facts=False)
    assert len(again) == segments.count(None) < len(segments)


@pytest.mark.parametrize("jobs", [0, 2])
def test_large_messages_are_held_a_few_at_a_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    """What one process verifies in blocks of so many bytes, and several, is the same."""
    whole, undo = verified(folder, jobs), alter(folder, Random(3))
    wrong = fault(folder, 0)
    undo()
    held: list[int] = []
    verify_segment = SegmentVerifier.verify_segment

    def weighed(verifier: SegmentVerifier, block: list[tuple[int, bytes]]) -> Segment | None:
        held.append(sum(len(body) for _, body in block))
        return verify_segment(verifier, block)

    monkeypatch.setattr("ledger.core.message.BLOCK_BYTES", 2_000)
    monkeypatch.setattr(SegmentVerifier, "verify_segment", weighed)
    with closing(SqliteLog(folder, writable=False)) as log:
        largest = max(len(body) for _, body in log.read())
        assert verified(folder, jobs) == whole == (verify(log.read()), log.head().size)
    assert 2_000 < max(held) < 2_000 + largest
    alter(folder, Random(3))
    assert fault(folder, jobs) == wrong


def test_an_index_that_differs_is_found_by_processes_too(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("UPDATE entry SET sum = sum + 1 WHERE key = (SELECT max(key) FROM entry)")
    text, _ = fault(folder, 2)
    assert "contradict them" in text


@pytest.mark.slow
def test_segments_verified_in_parallel_give_the_same_faults(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the processes do, done here, on 120 altered chains; without facts at the same place."""
    for seed in range(120):
        random = Random(seed)
        undo = alter(folder, random)
        monkeypatch.setattr(parallel_verification, "SEGMENT_MESSAGES", random.choice([5, 64, 100]))
        with (
            closing(SqliteLog(folder, writable=False)) as log,
            pytest.raises(IntegrityError) as caught,
        ):
            verify(log.read())
        assert fault(folder, 0) == (str(caught.value), caught.value.position)
        assert fault(folder, 0, reads_facts=False)[1] == caught.value.position
        undo()


@pytest.mark.parametrize("jobs", [0, 2])
def test_links_and_tree_are_those_of_a_verification_with_facts(folder: Path, jobs: int) -> None:
    whole, _ = verified(folder, 0)
    assert verified(folder, jobs, reads_facts=False) == (whole, 0)


def test_facts_tag_map_and_index_are_what_is_left_out(folder: Path) -> None:
    """A writer who links a fact that no schema allows is found by reading it, and by nothing else.

    So is a checkpoint whose tag map is false, and an index that differs.
    """
    chain = grown()
    size = chain.head.size
    chain.add(signed(Checkpoint(NAME, size, root_of(chain.stored, size), bytes(32))))
    wrong = chain.add(landed(1))[0].body + b"\x00"
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        rows = [*chain.stored[size:-1], (size + 1, wrong)]
        file.executemany("REPLACE INTO message VALUES (?, ?)", rows)
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("UPDATE entry SET sum = sum + 1 WHERE key = (SELECT max(key) FROM entry)")
    assert fault(folder, 0)[1] == size + 1
    found, indexed = verified(folder, 0, reads_facts=False)
    assert (found.head.size, indexed) == (size + 2, 0)


def test_a_false_root_is_found_without_facts(folder: Path) -> None:
    chain = grown()
    size = chain.head.size
    chain.add(signed(Checkpoint(NAME, size, bytes(32), map_root_of(chain.stored, size))))
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.executemany("REPLACE INTO message VALUES (?, ?)", chain.stored[size:])
    assert fault(folder, 0, reads_facts=False) == fault(folder, 0)
    assert fault(folder, 2, reads_facts=False)[1] == size


def test_what_a_chain_says_of_itself_is_read_without_facts_too(folder: Path) -> None:
    chain = grown()
    size = chain.head.size
    wrong = chain.add(adding(OTHER))[0].body + b"\x00"
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("REPLACE INTO message VALUES (?, ?)", (size, wrong))
    assert fault(folder, 0, reads_facts=False) == fault(folder, 0)
    assert fault(folder, 0)[1] == size


def test_what_keeps_a_process_from_its_work_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = processes._Worker.__init__

    def moved(worker: processes._Worker, *given: Any) -> None:
        (folder / "log.sqlite").rename(folder / "elsewhere")
        started(worker, *given)

    monkeypatch.setattr(processes._Worker, "__init__", moved)
    with pytest.raises(LedgerError) as told:
        verified(folder, 1)
    with pytest.raises(LedgerError) as alone:
        SqliteLog(folder, writable=False)
    assert (type(told.value), str(told.value)) == (type(alone.value), str(alone.value))


def test_a_process_that_ended_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = processes._Worker.__init__

    def killed(worker: processes._Worker, *given: Any) -> None:
        started(worker, *given)
        worker.process.kill()
        worker.process.wait()

    monkeypatch.setattr(processes._Worker, "__init__", killed)
    with pytest.raises(AvailabilityError, match="a process that verifies ended"):
        verified(folder, 1)
