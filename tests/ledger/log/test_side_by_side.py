"""Verification on several cores says what one core says."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from chain_cases import Chain, landed
from verified_cases import full, signing

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.verification import verify
from ledger.log import side_by_side
from ledger.log.side_by_side import verify_log
from ledger.log.sqlite import SqliteLog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.core.walk import Verified

STRETCH = 64


def grown() -> Chain:
    chain = full()
    for number in range(200):
        chain.add(*[landed(number % 37, f"r-{number % 50}") for _ in range(1 + number % 4)])
        if not number % 40:
            chain.add(signing(chain, size=chain.head.size - number % 7))
    return chain


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(side_by_side, "STRETCH", STRETCH)
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        log.append(grown().messages)
    return tmp_path / "log"


def verified(folder: Path, jobs: int) -> tuple[Verified, int]:
    opened = partial(SqliteLog, folder, writable=False)
    return verify_log(opened, folder / "index.sqlite", jobs=jobs)


def fault(folder: Path, jobs: int) -> tuple[str, int | None]:
    with pytest.raises(IntegrityError) as caught:
        verified(folder, jobs)
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


def test_processes_find_what_one_finds(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=False)) as log:
        assert log.head().size > 6 * STRETCH
        assert verified(folder, 2) == (verify(log.read()), log.head().size)
    alter(folder, Random(3))
    assert fault(folder, 2) == fault(folder, 0)


def test_an_index_that_differs_is_found_by_processes_too(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("UPDATE entry SET sum = sum + 1 WHERE key = (SELECT max(key) FROM entry)")
    text, _ = fault(folder, 2)
    assert "its entries contradict themselves" in text


def test_stretches_judged_apart_give_the_same_faults(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the processes do, done here, on 120 altered chains."""
    for seed in range(120):
        random = Random(seed)
        undo = alter(folder, random)
        monkeypatch.setattr(side_by_side, "STRETCH", random.choice([5, 64, 100]))
        with (
            closing(SqliteLog(folder, writable=False)) as log,
            pytest.raises(IntegrityError) as caught,
        ):
            verify(log.read())
        assert fault(folder, 0) == (str(caught.value), caught.value.position)
        undo()


def test_a_process_that_ended_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = side_by_side._Crew.__init__

    def killed(crew: side_by_side._Crew, count: int, setting: side_by_side._Setting) -> None:
        started(crew, count, setting)
        for process in crew._processes:
            process.kill()
            process.wait()

    monkeypatch.setattr(side_by_side._Crew, "__init__", killed)
    with pytest.raises(AvailabilityError, match="a process that verifies ended"):
        verified(folder, 1)
