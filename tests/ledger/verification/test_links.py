"""A verification without facts: what it finds as one with facts does, and what it leaves out."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import IntegrityError
from ledger.log.index.check import verify_log
from ledger.log.sqlite import SqliteLog
from ledger.tlog.signing import Checkpoint
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


def grown() -> Chain:
    chain = full()
    for number in range(200):
        chain.add(*[landed(number % 37, f"r-{number % 50}") for _ in range(1 + number % 4)])
        if not number % 40:
            chain.add(signing(chain, size=chain.head.size - number % 7))
    return chain


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        log.append(grown().messages)
    return tmp_path / "log"


def verified(folder: Path, *, reads_facts: bool = True) -> tuple[VerificationResult, int]:
    with closing(SqliteLog(folder, writable=False)) as log:
        return verify_log(log, folder / "index.sqlite", reads_facts=reads_facts)


def fault(folder: Path, *, reads_facts: bool = True) -> tuple[str, int | None]:
    with pytest.raises(IntegrityError) as caught:
        verified(folder, reads_facts=reads_facts)
    return str(caught.value), caught.value.position


def put(folder: Path, *rows: tuple[int, bytes]) -> None:
    with closing(sqlite3.connect(folder / "log.sqlite")) as file, file:
        file.executemany("REPLACE INTO message VALUES (?, ?)", rows)


def alter_index(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "index.sqlite")) as file, file:
        file.execute("UPDATE entry SET sum = sum + 1 WHERE key = (SELECT max(key) FROM entry)")


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
    return lambda: put(folder, (at, before))


@pytest.mark.slow
def test_an_altered_message_is_found_at_the_same_place(folder: Path) -> None:
    for seed in range(120):
        undo = alter(folder, Random(seed))
        assert fault(folder, reads_facts=False)[1] == fault(folder)[1]
        undo()


def test_links_and_tree_are_those_of_a_verification_with_facts(folder: Path) -> None:
    whole, indexed = verified(folder)
    assert indexed == whole.head.size
    assert verified(folder, reads_facts=False) == (whole, 0)


def test_facts_tag_map_and_index_are_what_is_left_out(folder: Path) -> None:
    """A writer who links a fact that no schema allows is found by reading it, and by nothing else.

    So is a checkpoint whose tag map is false, and an index that differs.
    """
    chain = grown()
    size = chain.head.size
    chain.add(signed(Checkpoint(NAME, size, root_of(chain.stored, size), bytes(32))))
    wrong = chain.add(landed(1))[0].body + b"\x00"
    put(folder, *chain.stored[size:-1], (size + 1, wrong))
    alter_index(folder)
    assert fault(folder)[1] == size + 1
    found, indexed = verified(folder, reads_facts=False)
    assert (found.head.size, indexed) == (size + 2, 0)


def test_an_index_that_differs_is_found(folder: Path) -> None:
    alter_index(folder)
    assert "contradict them" in fault(folder)[0]


def test_numbers_of_an_envelope_have_one_form_without_facts_too(folder: Path) -> None:
    chain = grown()
    size = chain.head.size
    (message,) = chain.add(landed(1))
    at = 74 + len(b"\x80\x80\x01"[: (size * 2).bit_length() // 7 + 1])
    assert message.body[at : at + 2] == b"\x00\x02"
    put(folder, (size, message.body[:at] + b"\x80\x00" + message.body[at + 1 :]))
    assert fault(folder, reads_facts=False) == fault(folder)
    assert fault(folder)[1] == size


def test_a_false_root_is_found_without_facts(folder: Path) -> None:
    chain = grown()
    size = chain.head.size
    chain.add(signed(Checkpoint(NAME, size, bytes(32), map_root_of(chain.stored, size))))
    put(folder, *chain.stored[size:])
    assert fault(folder, reads_facts=False) == fault(folder)
    assert fault(folder)[1] == size


def test_what_a_chain_says_of_itself_is_read_without_facts_too(folder: Path) -> None:
    chain = grown()
    size = chain.head.size
    wrong = chain.add(adding(OTHER))[0].body + b"\x00"
    put(folder, (size, wrong))
    assert fault(folder, reads_facts=False) == fault(folder)
    assert fault(folder)[1] == size
