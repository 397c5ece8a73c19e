"""A message is read alone only if the one behind it has its hash."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import IntegrityError
from ledger.log import Log, MemoryLog, SqliteLog
from ledger.log.port import events_at, linked_messages
from tests.ledger.chain_cases import Chain, landed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def filled(log: Log, size: int) -> Chain:
    chain = Chain()
    for number in range(size):
        log.append(chain.add(landed(number)))
    return chain


def test_messages_that_are_linked_are_those_that_are_read(log: Log) -> None:
    chain = filled(log, 9)
    for start in range(10):
        for stop in range(start, 12):
            assert list(linked_messages(log, start, stop)) == chain.stored[start:stop]


def test_what_is_appended_while_the_last_message_is_read_is_behind_it() -> None:
    class Growing(MemoryLog):
        def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
            found = list(super().read(start, stop))
            if self.head().size == 9:
                self.append(chain.add(landed(9)))
            return iter(found)

    log = Growing()
    chain = filled(log, 9)
    assert list(linked_messages(log, 8, 9)) == chain.stored[8:9]
    assert log.head().size == 10


def test_event_that_was_altered_on_the_disk_is_told_and_not_given(tmp_path: Path) -> None:
    with closing(SqliteLog(tmp_path, writable=True)) as log:
        filled(log, 9)
    with closing(sqlite3.connect(tmp_path / "log.sqlite")) as file:
        ((body,),) = file.execute("SELECT body FROM message WHERE position = 5").fetchall()
        spoilt = body[:-1] + bytes([body[-1] ^ 1])
        file.execute("UPDATE message SET body = ? WHERE position = 5", (spoilt,))
        file.commit()
    with closing(SqliteLog(tmp_path, writable=False)) as log:
        assert [one.position for one in events_at(log, [3, 4])] == [3, 4]
        for positions in ([5], [2, 5], [5, 8]):
            with pytest.raises(IntegrityError, match="message 5 of the log") as error:
                list(events_at(log, positions))
            assert error.value.position == 5
        assert [one.position for one in events_at(log, [6, 8])] == [6, 8]
