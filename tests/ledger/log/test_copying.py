"""A copied chain has the same bytes and the same head; what is no beginning of it is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events.encoding import hash_of
from ledger.log import Head, MemoryLog, SqliteLog
from ledger.log import copying as copying_module
from ledger.log.copying import copy
from tests.ledger.chain_cases import Chain, landed, statement

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.core.message import Message


@pytest.fixture
def source() -> MemoryLog:
    """A chain of decisions of one to three events."""
    log, chain = MemoryLog(), Chain().open()
    for number in range(30):
        chain.add(*[landed(number + more) for more in range(1 + number % 3)])
        chain.add(statement(f"a-{number}"))
    log.append(chain.messages)
    return log


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying_module, "BATCH_MESSAGES", 7)


class FailingLog(MemoryLog):
    """A log whose medium goes away after some appends."""

    appends_left = 3

    def append(self, messages: Any) -> Head:
        if not self.appends_left:
            raise AvailabilityError("the medium is away")
        self.appends_left -= 1
        return super().append(messages)


@pytest.mark.law("L-20")
def test_copy_has_the_same_bytes_the_same_head_and_an_index(
    source: MemoryLog, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    with closing(SqliteLog(tmp_path, writable=True)) as target:
        done = copy(source, target, progress=lambda *what: told.append(what))
        assert list(target.read()) == list(source.read())
        assert done == (0, source.head())
        assert target.commands([bytes(16)]) == source.commands([bytes(16)])
        back = MemoryLog()
        copy(target, back)
    assert list(back.read()) == list(source.read())
    assert told[-1] == (2 * done.head.size, 2 * done.head.size)
    assert sorted(told) == told


def test_interrupted_copy_goes_on_where_it_stopped(source: MemoryLog) -> None:
    target = FailingLog()
    with pytest.raises(AvailabilityError):
        copy(source, target)
    reached = target.head().size
    assert 0 < reached < source.head().size
    target.appends_left = 1_000
    assert copy(source, target) == (reached, source.head())
    assert list(target.read()) == list(source.read())
    left = target.appends_left
    assert copy(source, target) == (source.head().size, source.head())
    assert target.appends_left == left


def test_target_with_another_chain_is_left_alone(source: MemoryLog) -> None:
    other = MemoryLog()
    other.append(Chain().open("another").messages)
    before = other.head()
    with pytest.raises(InputError, match="no beginning"):
        copy(source, other)
    assert other.head() == before


def test_target_that_is_longer_is_left_alone(source: MemoryLog) -> None:
    longer = MemoryLog()
    copy(source, longer)
    added = Chain.behind(longer).add(landed(1))
    longer.append(added)
    with pytest.raises(InputError, match="no beginning"):
        copy(source, longer)


def test_empty_source_is_refused() -> None:
    with pytest.raises(InputError, match="no chain"):
        copy(MemoryLog(), MemoryLog())


def test_whole_decisions_before_a_torn_one_are_copied(source: MemoryLog) -> None:
    class TornLog(MemoryLog):
        def head(self) -> Head:
            *_, (position, body), _ = source.read()
            return Head(position + 1, hash_of(body))

        def read(self, start: int = 0, stop: int | None = None) -> Any:
            return source.read(start, stop)

    chain = Chain.behind(source)
    source.append(chain.add(landed(1), landed(2)))
    target = MemoryLog()
    with pytest.raises(IntegrityError, match="torn") as error:
        copy(TornLog(), target)
    assert target.head().size == source.head().size - 2
    assert error.value.position == target.head().size


def test_message_that_was_changed_in_the_source_stops_the_copy(tmp_path: Path) -> None:
    messages: list[Message] = Chain().open().messages
    with closing(SqliteLog(tmp_path, writable=True)) as source:
        source.append(messages)
    position = len(messages) // 2
    body = bytearray(messages[position].body)
    body[-3] ^= 1
    with closing(sqlite3.connect(tmp_path / "log.sqlite")) as file, file:
        file.execute("UPDATE message SET body = ? WHERE position = ?", (bytes(body), position))
    target = MemoryLog()
    with (
        closing(SqliteLog(tmp_path, writable=False)) as source,
        pytest.raises(IntegrityError) as error,
    ):
        copy(source, target)
    assert error.value.position == position + 1


def test_message_that_was_changed_in_the_target_is_found_at_the_end(
    source: MemoryLog, tmp_path: Path
) -> None:
    with closing(SqliteLog(tmp_path, writable=True)) as target:
        copy(source, target)
    with closing(sqlite3.connect(tmp_path / "log.sqlite")) as file, file:
        (body,) = file.execute("SELECT body FROM message WHERE position = 40").fetchone()
        changed = body[:-1] + bytes([body[-1] ^ 1])
        file.execute("UPDATE message SET body = ? WHERE position = 40", (changed,))
    with (
        closing(SqliteLog(tmp_path, writable=True)) as target,
        pytest.raises(IntegrityError) as error,
    ):
        copy(source, target)
    assert error.value.position in {40, 41}
