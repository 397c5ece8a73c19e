"""The tag map in SQLite: the same as its definition, however it grew; damage is never believed."""

from __future__ import annotations

import sqlite3
import tracemalloc
from collections import defaultdict
from contextlib import closing
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import InputError, IntegrityError
from ledger.storage.sqlite_errors import is_damage
from ledger.tlog import tag_map_store
from ledger.tlog.tag_entries import TagEntries
from ledger.tlog.tag_map import EMPTY_MAP, TagTree, key_of, leaf_of, subtree
from ledger.tlog.tag_map_store import TagMap

if TYPE_CHECKING:
    from pathlib import Path

Noted = tuple[int, list[bytes], bytes]


def history(size: int, tags: int, seed: int = 1) -> list[Noted]:
    random = Random(seed)
    return [
        (at, [b"round:%d" % random.randrange(tags) for _ in range(random.randrange(3))], digest)
        for at, digest in ((at, sha256(b"%d" % at).digest()) for at in range(size))
    ]


def trees_of(noted: list[Noted]) -> dict[bytes, TagTree]:
    trees: dict[bytes, TagTree] = defaultdict(TagTree)
    for at, tags, digest in noted:
        for tag in dict.fromkeys(tags):
            trees[tag].add(at, digest)
    return trees


def root_of(noted: list[Noted]) -> bytes:
    leaves = [(key_of(tag), tree) for tag, tree in trees_of(noted).items()]
    top = subtree(sorted((key, leaf_of(key, tree.value())) for key, tree in leaves), 0)
    return EMPTY_MAP if top is None else top.hash


def entries(noted: Noted) -> TagEntries:
    at, tags, digest = noted
    return TagEntries.of(at, [(digest, tags)])


def grown(noted: list[Noted], folds: set[int]) -> TagMap:
    made = TagMap.temporary()
    for at, tags, digest in noted:
        made.add(entries((at, [*tags, b"bet:b-1"], digest)))
        if at in folds:
            made.fold()
    return made


@given(st.integers(0, 120), st.sampled_from([3, 40, 2000]), st.sets(st.integers(0, 120)))
def test_the_root_is_that_of_the_definition_however_it_grew(
    size: int, tags: int, folds: set[int]
) -> None:
    noted = history(size, tags)
    with closing(grown(noted, folds)) as made:
        assert made.root() == root_of(noted)
        assert made.size == size


def test_every_tag_is_proved_and_every_other_one_is_proved_absent() -> None:
    noted = history(3000, 1500)
    trees = trees_of(noted)
    with closing(grown(noted, set(range(0, 3000, 700)))) as made:
        root = made.root()
        for number in range(2500):
            tag = b"round:%d" % number
            proof = made.prove(tag)
            assert proof.root_for(tag) == root
            assert proof.value == (trees[tag].value() if tag in trees else None)


def test_a_map_without_tags_proves_that_there_is_none() -> None:
    with closing(TagMap.temporary()) as made:
        assert made.root() == EMPTY_MAP
        proof = made.prove(b"round:r1")
        assert (proof.value, proof.other, proof.siblings) == (None, None, ())


def test_tags_of_bets_are_not_in_the_map() -> None:
    with (
        closing(TagMap.temporary()) as made,
        pytest.raises(InputError, match=r"tags of account, .* alone"),
    ):
        made.prove(b"bet:b-1")


def test_what_waits_is_folded_before_it_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tag_map_store, "_WAITING_MAX", 10)
    noted = history(500, 200)
    with closing(grown(noted, set())) as made:
        assert len(made._waiting) < 10
        assert made.root() == root_of(noted)


def test_a_full_disk_is_told_as_such_and_the_map_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    noted = history(900, 700)
    connection = sqlite3.connect(tmp_path / "map", isolation_level=None)
    for statement in ("PRAGMA journal_mode = WAL", *tag_map_store.TABLES):
        connection.execute(statement)
    with closing(TagMap(connection)) as made:
        for one in noted[:100]:
            made.add(entries(one))
        made.fold()
        ((pages,),) = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        for one in noted[100:]:
            made.add(entries(one))
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError, match="full") as full:
                made.fold()
            assert not is_damage(full.value)
        connection.execute("PRAGMA max_page_count = 100000")
        assert made.root() == root_of(noted)
        assert connection.execute("SELECT tags FROM watermark").fetchall() == [
            (len(trees_of(noted)),)
        ]


def test_memory_does_not_grow_with_the_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tag_map_store, "_WAITING_MAX", 2_048)

    def peak(steps: int) -> int:
        with closing(TagMap.temporary()) as made:
            tracemalloc.start()
            try:
                for step in range(steps):
                    made.add(new_tags(step))
                made.root()
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    assert peak(12) < 1.3 * peak(6)


def new_tags(step: int, many: int = 500) -> TagEntries:
    numbers = np.arange(step * many, (step + 1) * many)
    tags = tuple(b"round:%d" % number for number in numbers)
    leaves = b"".join(sha256(tag).digest() for tag in tags)
    return TagEntries((step + 1) * many, tags, np.ones(many, np.int64), numbers, leaves)


def damages() -> list[str]:
    return [
        "UPDATE tag SET count = count + 1, edge = edge",
        "UPDATE tag SET last = last + 1",
        "UPDATE tag SET edge = zeroblob(length(edge))",
        "UPDATE tag SET leaf = zeroblob(32)",
        "DELETE FROM tag WHERE rowid_ = 1",
        "UPDATE node SET hash = zeroblob(32) WHERE depth = 0",
        "UPDATE node SET hash = zeroblob(32) WHERE depth = 4",
        "UPDATE node SET hash = zeroblob(32) WHERE depth = 8",
        "UPDATE node SET is_leaf = 1 - is_leaf WHERE depth = 8",
        "DELETE FROM node WHERE depth = 4",
    ]


@pytest.mark.parametrize("damage", damages())
def test_a_damaged_file_never_gives_another_root(damage: str) -> None:
    noted = history(2000, 1000)
    made = grown(noted[:1900], set())
    with closing(made):
        made.fold()
        if "rowid_" in damage:
            damage = "DELETE FROM tag WHERE key = (SELECT min(key) FROM tag)"
        made._connection.execute(damage)
        try:
            for one in noted[1900:]:
                made.add(entries(one))
            found = made.root()
        except (IntegrityError, sqlite3.DatabaseError):
            return
        assert found == root_of(noted)
