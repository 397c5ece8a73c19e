"""What was taken out of the index, put in or altered is noticed before it can decide anything."""

from __future__ import annotations

import logging
import shutil
import sqlite3
from contextlib import closing
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.log import MemoryLog, Query, SqliteLog
from ledger.log.index import entries
from ledger.log.index import tag_index as module
from ledger.log.index.check import IndexCheck, read_index_sums
from ledger.log.index.entries import DamagedEntriesError, insert, iterate_keys
from ledger.log.sqlite_file import connect, create
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, sample, statement
from tests.ledger.index_cases import keys_held

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.log import Log

pytestmark = pytest.mark.slow  # a damaged index lets a reader decode the log for each answer
ACCOUNTS, ROUNDS = 5, 3


@pytest.fixture(scope="module", autouse=True)
def decoded_once() -> Iterator[None]:
    """Decode a message once in the file: a reader of a damaged index does it for each answer."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "decode", cache(module.decode))
        yield


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[MemoryLog, Path]:
    """120 decisions, in memory and in a folder, closed."""
    folder = tmp_path_factory.mktemp("known") / "log"
    chain, log = Chain().open(), MemoryLog()
    for number in range(120):
        account = f"a-{number % ACCOUNTS}"
        events = [landed(1, f"r-{number % ROUNDS}"), sample(e.FeeCharged, account=account)]
        if not number % 10:
            events.append(statement(account))
        chain.add(*events)
    log.append(chain.messages)
    with closing(SqliteLog(folder, writable=True)) as stored:
        for start in range(0, log.head().size, 40):  # several entries a run
            for message in chain.messages[start : start + 40]:
                if message.command_id is not None:
                    stop = message.position + message.decision_size
                    stored.append(chain.messages[message.position : stop])
            stored._index._commit_now()  # type: ignore[union-attr]
    return log, folder


@pytest.fixture
def known(once: tuple[MemoryLog, Path], tmp_path: Path) -> MemoryLog:
    """What is right, in memory, and the same in a folder, closed."""
    right, folder = once
    shutil.copytree(folder, tmp_path / "log")
    log = MemoryLog()
    log.append(right._messages)
    return log


def altered(folder: Path, statement: str, *values: object) -> int:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        return file.execute(statement, values).rowcount


def answers(log: Log) -> Iterator[object]:
    """Everything that can be asked, whatever it costs."""
    size = log.head().size
    yield log.commands([number.to_bytes(16, "big") for number in range(size + 2)])
    tags = [
        *(f"account:a-{number}" for number in range(ACCOUNTS + 1)),
        *(f"round:r-{number}" for number in range(ROUNDS + 1)),
    ]
    for backwards in (False, True):
        for limit in (None, 1):
            for tag in tags:
                for types in ((), ("FeeCharged",), ("AccountStatement", "BallLanded")):
                    query = Query(types, (tag,))
                    yield log.find(query, limit=limit, backwards=backwards)
                    yield log.find(query, after=90, before=170, limit=limit, backwards=backwards)
            yield log.find(Query(("FeeCharged",)), limit=limit, backwards=backwards)
    yield log.find(Query(tags=("account:a-1", "round:r-1")))
    yield log.find(Query(("BallLanded",), ("round:r-1", "round:r-1")))


def assert_right(folder: Path, known: MemoryLog) -> None:
    due = list(answers(known))
    for writable in (False, True, False):
        with closing(SqliteLog(folder, writable=writable)) as log:
            assert list(answers(log)) == due


def keys(folder: Path) -> list[bytes]:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file:
        return [key for (key,) in file.execute("SELECT key FROM entry ORDER BY key")]


def held(folder: Path) -> list[bytes]:
    with closing(connect(folder / "index.sqlite", writable=False)) as file:
        return keys_held(file)


def test_index_that_is_whole_answers(known: MemoryLog, tmp_path: Path) -> None:
    before = keys(tmp_path / "log")
    assert len(before) > 200
    assert_right(tmp_path / "log", known)
    assert keys(tmp_path / "log") == before


@pytest.mark.parametrize("seed", range(12))
def test_removed_entry_is_noticed(
    known: MemoryLog, tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "log"
    before = held(folder)
    removed = Random(seed).choice(keys(folder))
    assert altered(folder, "DELETE FROM entry WHERE key = ?", removed) == 1
    with caplog.at_level(logging.WARNING):
        assert_right(folder, known)
    assert held(folder) == before
    assert f"{folder / 'index.sqlite'} is damaged: it is rebuilt from the log" in caplog.messages


DAMAGE = {
    "every entry": "DELETE FROM entry",
    "every entry but the first": "DELETE FROM entry WHERE key > x''",
    "all of an account": "DELETE FROM entry WHERE key >= CAST('account:a-1' AS BLOB) "
    "AND key < CAST('account:a-2' AS BLOB)",
    "all commands": "DELETE FROM entry WHERE key >= x'fe'",
    "the last of each run": "DELETE FROM entry WHERE next > key || x'ff'",
    "every second": "DELETE FROM entry WHERE length(key) % 2",
    "positions of an entry": "UPDATE entry SET more = substr(more, 3) WHERE length(more) > 2",
    "a name of the next": "UPDATE entry SET next = x'ff' WHERE key >= x'fe'",
    "a check sum": "UPDATE entry SET sum = sum + 1",
    "a watermark ahead": "UPDATE watermark SET size = (SELECT max(size) FROM watermark) - 60, "
    "hash = randomblob(32)",
    "no watermark": "DELETE FROM watermark",
    "two watermarks": "INSERT INTO watermark SELECT * FROM watermark",
    "a view": "CREATE VIEW more AS SELECT * FROM entry",
    "a trigger": "CREATE TRIGGER drops AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
    "an index": "CREATE INDEX other ON entry (next)",
    "a renamed table": "ALTER TABLE entry RENAME TO entries",
    "another column": "ALTER TABLE watermark ADD COLUMN note TEXT",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_of_many_entries_is_noticed(known: MemoryLog, tmp_path: Path, damage: str) -> None:
    altered(tmp_path / "log", DAMAGE[damage])
    assert_right(tmp_path / "log", known)


@pytest.mark.parametrize("size", [1, 50, 200])
def test_watermark_that_was_moved_back_is_noticed(
    known: MemoryLog, tmp_path: Path, size: int
) -> None:
    """The entries behind it would be added again."""
    folder = tmp_path / "log"
    for _, body in known.read(size - 1, size):
        altered(folder, "UPDATE watermark SET size = ?, hash = ?", size, module.hash_of(body))
    assert_right(folder, known)


def test_watermark_that_was_moved_forward_is_noticed(known: MemoryLog, tmp_path: Path) -> None:
    """Entries that never came to the disk are looked for at the start."""
    folder = tmp_path / "log"
    chain = Chain.behind(known)
    with closing(SqliteLog(folder, writable=True)) as log:
        log.append(chain.add(landed(7, "r-1")))
        log._index = None
    known.append(chain.messages)
    altered(folder, "UPDATE watermark SET size = ?, hash = ?", *chain.head)
    assert_right(folder, known)


def test_command_that_leads_elsewhere_is_noticed(known: MemoryLog, tmp_path: Path) -> None:
    """An entry that was made whole for it, check sum and all."""
    folder = tmp_path / "log"
    command = known.head().size - 2
    (real,) = [key for key in keys(folder) if key.startswith(b"\xfe" + command.to_bytes(16, "big"))]
    false = real[:-10] + (3).to_bytes(6, "big") + real[-4:]
    with closing(connect(folder / "index.sqlite", writable=True)) as file:
        (before,) = file.execute("SELECT max(key) FROM entry WHERE key < ?", (real,)).fetchone()
        for old, key, following in ((before, before, false), (real, false, None)):
            (more, named) = file.execute(
                "SELECT more, next FROM entry WHERE key = ?", (old,)
            ).fetchone()
            file.execute("DELETE FROM entry WHERE key = ?", (old,))
            link = following or named
            row = (key, more, link, entries._sum(key, more, link))
            file.execute("INSERT INTO entry VALUES (?, ?, ?, ?)", row)
    assert_right(folder, known)


def test_reader_says_once_why_it_is_slow(
    known: MemoryLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    altered(tmp_path / "log", "DELETE FROM entry WHERE key > x'fe'")
    with closing(SqliteLog(tmp_path / "log", writable=False)) as log:
        assert list(answers(log)) == list(answers(known))
    (said,) = caplog.messages
    assert "index.sqlite is damaged: answers come from the log itself" in said


@pytest.mark.parametrize("seed", range(20))
def test_entries_are_a_sorted_set_however_they_come(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    path = tmp_path / "entries.sqlite"
    create(path, entries.TABLE, application=1, version=1)
    held: dict[bytes, bytes] = {}
    with closing(connect(path, writable=True)) as file:
        for _ in range(8):
            fresh = {chance.randbytes(chance.randrange(1, 4)) for _ in range(30)}
            added = {
                key: chance.randbytes(2) for key in fresh if key < entries.END and key not in held
            }
            insert(file, sorted(added.items()), tail=1)
            held |= added
            start, stop = sorted(chance.randint(1, 0xFEFF).to_bytes(2, "big") for _ in range(2))
            due = [item for item in sorted(held.items()) if start <= item[0] < stop]
            found = list(iterate_keys(file, start, stop))
            assert found[1:] == due
            assert found[0][0] < start
            assert list(iterate_keys(file, start, stop, backwards=True)) == found[::-1]
        present = chance.choice(sorted(held))
        with pytest.raises(DamagedEntriesError):
            insert(file, [(present, b"")], tail=1)


def checked(folder: Path) -> int:
    with closing(SqliteLog(folder, writable=False)) as log:
        check = IndexCheck(folder / "index.sqlite", log)
        verify(log.read(), index=check)
        return check.finish()


def test_index_is_compared_with_every_message(known: MemoryLog, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    assert checked(folder) == known.head().size
    chain = Chain.behind(known)
    with closing(SqliteLog(folder, writable=True)) as log:
        log.append(chain.add(landed(7, "r-1")))
        assert checked(folder) == known.head().size
    assert checked(folder) == chain.head.size
    (folder / "index.sqlite").unlink()
    assert checked(folder) == 0


@pytest.mark.parametrize("damage", [name for name in DAMAGE if name != "a watermark ahead"])
@pytest.mark.usefixtures("known")
def test_comparison_names_a_damaged_index(tmp_path: Path, damage: str) -> None:
    altered(tmp_path / "log", DAMAGE[damage])
    with pytest.raises(IntegrityError, match=r"index\.sqlite does not hold .* delete it"):
        checked(tmp_path / "log")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.usefixtures("known")
def test_comparison_finds_what_was_forged(tmp_path: Path, seed: int) -> None:
    """An entry that was taken out with its link, and all sums made again: no answer shows it."""
    folder = tmp_path / "log"
    taken = Random(seed).choice(keys(folder)[1:])
    with closing(connect(folder / "index.sqlite", writable=True)) as file:
        (following,) = file.execute("SELECT next FROM entry WHERE key = ?", (taken,)).fetchone()
        file.execute("DELETE FROM entry WHERE key = ?", (taken,))
        key, more = file.execute(
            "SELECT key, more FROM entry WHERE key < ? ORDER BY key DESC LIMIT 1", (taken,)
        ).fetchone()
        check = entries._sum(key, more, following)
        file.execute("UPDATE entry SET next = ?, sum = ? WHERE key = ?", (following, check, key))
    with pytest.raises(IntegrityError, match=r"does not hold what the messages give: it holds"):
        checked(folder)


@pytest.mark.usefixtures("known")
def test_comparison_leaves_a_damaged_message_to_the_verification(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("UPDATE message SET body = x'c301' WHERE position = 5")
    with closing(SqliteLog(folder, writable=False)) as log:
        check = IndexCheck(folder / "index.sqlite", log)
        with pytest.raises(IntegrityError) as caught:
            verify(log.read(), index=check)
        assert caught.value.position == 5
        with pytest.raises(IntegrityError):
            check.finish()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE watermark SET size = size + 5",
        "UPDATE watermark SET size = size - 1",
        "UPDATE watermark SET size = 0, hash = zeroblob(32)",
        "UPDATE watermark SET hash = randomblob(32)",
        "DELETE FROM watermark",
        "INSERT INTO watermark VALUES (0, zeroblob(32))",
    ],
)
def test_a_false_watermark_is_a_finding_and_not_an_index_left_out(
    known: MemoryLog, tmp_path: Path, change: str
) -> None:
    path = tmp_path / "index.sqlite"
    with closing(module.TagIndex(path, known)):
        pass
    size, _ = read_index_sums(path, known, None)
    assert size == known.head().size
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    with pytest.raises(IntegrityError, match="does not hold what the messages give"):
        read_index_sums(path, known, None)
