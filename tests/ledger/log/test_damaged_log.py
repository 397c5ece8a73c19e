"""A damaged log is an error of integrity with a place, or it makes no difference; never a crash."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.chain import HASH_ALGORITHM
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log import Head, Query, SqliteLog
from ledger.log.sqlite import APPLICATION_ID
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, sample

if TYPE_CHECKING:
    from collections.abc import Callable

ACCOUNT = Query(tags=("account:a-1",))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small log and its index, closed."""
    folder = tmp_path_factory.mktemp("whole") / "log"
    with closing(SqliteLog(folder, writable=True)) as log:
        chain = Chain()
        chain.add(sample(e.ChainOpened, chain="c", format_version=1, hash_algorithm=HASH_ALGORITHM))
        chain.add(*published("BallLanded", "FeeCharged"))
        for number in range(60):
            chain.add(landed(number), sample(e.FeeCharged, account=f"a-{number % 3}"))
        log.append(chain.messages)
    return folder


def published(*names: str) -> list[e.Event]:
    every = (message for message in Chain().open().messages if message.type == "SchemaPublished")
    events = [decode(message.body).event for message in every]
    return [event for event in events if event.name in names]  # type: ignore[attr-defined]


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "log"))


def content(folder: Path) -> list[tuple[int, bytes]]:
    with closing(SqliteLog(folder, writable=False)) as log:
        return list(log.read())


def uses(folder: Path, since: Head) -> list[Callable[[], object]]:
    """What people do with a log; each opens it itself."""

    def use(*, writable: bool) -> object:
        with closing(SqliteLog(folder, writable=writable)) as log:
            verify(log.read(), since=since)
            return (
                list(log.read()),
                log.find(ACCOUNT),
                log.find(ACCOUNT, backwards=True, limit=2),
                log.commands([bytes(15) + b"\x01", bytes(15) + b"\xfe"]),
            )

    return [lambda: use(writable=False), lambda: use(writable=True)]


def flip(file: bytearray, chance: Random) -> None:
    file[chance.randrange(len(file))] ^= 1 << chance.randrange(8)


def flip_header(file: bytearray, chance: Random) -> None:
    file[chance.randrange(100)] ^= 1 << chance.randrange(8)


def flip_page_header(file: bytearray, chance: Random) -> None:
    page = chance.randrange(len(file) // 4096)
    file[page * 4096 + chance.randrange(64)] ^= 1 << chance.randrange(8)


def zero(file: bytearray, chance: Random) -> None:
    start = chance.randrange(len(file))
    length = min(chance.choice([4, 64, 512, 4096]), len(file) - start)
    file[start : start + length] = bytes(length)


def scramble(file: bytearray, chance: Random) -> None:
    start = chance.randrange(len(file))
    length = min(chance.choice([4, 64, 512]), len(file) - start)
    file[start : start + length] = chance.randbytes(length)


def truncate(file: bytearray, chance: Random) -> None:
    del file[chance.randrange(len(file)) :]


def swap_pages(file: bytearray, chance: Random) -> None:
    one, two = (chance.randrange(len(file) // 4096) * 4096 for _ in range(2))
    held = bytes(file[one : one + 4096])
    file[one : one + 4096] = file[two : two + 4096]
    file[two : two + 4096] = held


DAMAGE = (flip, flip_header, flip_page_header, zero, scramble, truncate, swap_pages)


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("block", range(3))
def test_damage_of_the_file_is_named_or_makes_no_difference(
    whole: Path, tmp_path: Path, damage: Callable[[bytearray, Random], None], block: int
) -> None:
    """Seeded damage of copies; whoever opens, verifies or reads gets the truth or exit code 3."""
    before = content(whole)
    with closing(SqliteLog(whole, writable=False)) as log:
        head = log.head()
    answers = [use() for use in uses(whole, head)]
    said: list[str] = []
    for seed in range(block * 12, block * 12 + 12):
        copied = Path(shutil.copytree(whole, tmp_path / str(seed)))
        file = bytearray((copied / "log.sqlite").read_bytes())
        damage(file, Random(f"{damage.__name__} {seed}"))
        (copied / "log.sqlite").write_bytes(file)
        for use, answer in zip(uses(copied, head), answers, strict=True):
            try:
                found = use()
            except IntegrityError as error:
                said.append(str(error))
            else:
                assert found == answer, seed
                assert content(copied) == before, seed
    assert all(text.isprintable() and "\\x" not in text for text in said)


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_of_the_index_makes_no_difference(
    whole: Path, tmp_path: Path, damage: Callable[[bytearray, Random], None]
) -> None:
    with closing(SqliteLog(whole, writable=False)) as log:
        head = log.head()
    answers = [use() for use in uses(whole, head)]
    for seed in range(15):
        copied = Path(shutil.copytree(whole, tmp_path / str(seed)))
        file = bytearray((copied / "index.sqlite").read_bytes())
        damage(file, Random(f"{damage.__name__} {seed}"))
        (copied / "index.sqlite").write_bytes(file)
        assert [use() for use in uses(copied, head)] == answers, seed


@pytest.mark.parametrize("name", ["log.sqlite-wal", "log.sqlite-shm", "index.sqlite-wal"])
def test_garbage_in_the_journal_makes_no_difference(folder: Path, name: str) -> None:
    before = content(folder)
    for seed in range(4):
        (folder / name).write_bytes(Random(seed).randbytes(40_000))
        assert content(folder) == before
        with closing(SqliteLog(folder, writable=True)) as log:
            assert log.find(ACCOUNT, limit=1) == [6]


def cell(folder: Path, position: int) -> tuple[bytearray, int]:
    """Give the file, and where the two bytes stand that tell type and length of a body."""
    (body,) = [body for at, body in content(folder) if at == position]
    file = bytearray((folder / "log.sqlite").read_bytes())
    return file, file.index(body) - 2


@pytest.mark.parametrize("position", [0, 50, 122])
@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("kind", ["text", "null", "number"])
def test_body_that_is_no_bytes_is_named(
    folder: Path, position: int, writable: bool, kind: str
) -> None:
    size = content(folder)[-1][0] + 1
    position = min(position, size - 1)
    file, at = cell(folder, position)
    if kind == "text":
        file[at + 1] ^= 1
    else:
        file[at : at + 2] = b"\x80\x00" if kind == "null" else b"\x80\x06"
    (folder / "log.sqlite").write_bytes(file)

    def use() -> None:
        with closing(SqliteLog(folder, writable=writable)) as log:
            list(log.read())

    with pytest.raises(IntegrityError, match=r"is no bytes|is damaged") as caught:
        use()
    if kind == "text":
        assert f"message {position} of" in str(caught.value)
        assert caught.value.position == position


ALTERED = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END",
    "a view": "CREATE VIEW v AS SELECT * FROM message",
    "an index": "CREATE INDEX i ON message (body)",
    "a table": "CREATE TABLE other (a)",
    "a column": "ALTER TABLE message ADD COLUMN note TEXT",
    "a view in place of the table": "ALTER TABLE message RENAME TO hidden; CREATE VIEW message AS "
    "SELECT position, body FROM hidden",
    "a table that takes anything": "ALTER TABLE message RENAME TO hidden; CREATE TABLE message "
    "(position INTEGER PRIMARY KEY, body); INSERT INTO message SELECT * FROM hidden; "
    "DROP TABLE hidden",
    "no table": "DROP TABLE message",
}


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("what", ALTERED)
def test_file_of_another_shape_is_refused(folder: Path, what: str, writable: bool) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.executescript(ALTERED[what])
    with pytest.raises(IntegrityError, match="one table of messages and nothing else"):
        SqliteLog(folder, writable=writable)


@pytest.mark.parametrize("mark", ["application_id", "user_version"])
def test_file_with_other_marks_is_refused(folder: Path, mark: str) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute(f"PRAGMA {mark} = {APPLICATION_ID + 1}")
    with pytest.raises(IntegrityError, match="is no log of layout 1"):
        SqliteLog(folder, writable=False)


@pytest.mark.parametrize("writable", [True, False])
@pytest.mark.parametrize("position", [-1, -(2**63), 2**63 - 1, 2**50])
def test_row_at_an_impossible_place_is_named(folder: Path, position: int, writable: bool) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute(
            "INSERT INTO message SELECT ?, body FROM message WHERE position = 9", (position,)
        )
    with pytest.raises(IntegrityError, match=rf"message {position}\b") as caught:
        SqliteLog(folder, writable=writable)
    assert caught.value.position == position


def test_log_whose_first_messages_lack_is_named(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.execute("DELETE FROM message WHERE position < 3")
    with pytest.raises(IntegrityError, match="begins with message 3") as caught:
        SqliteLog(folder, writable=False)
    assert caught.value.position == 0


def test_lock_that_holds_garbage_is_not_printed(folder: Path) -> None:
    with closing(SqliteLog(folder, writable=True)):
        (folder / "writer.lock").write_bytes(b"\x1b[2J\xff")
        with pytest.raises(AvailabilityError, match="written by process unknown"):
            SqliteLog(folder, writable=True)
