"""Files that are told of are named on the disk, too: their folders are synced in the end."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.log.kafka.note import HeadNote
from ledger.log.sqlite_file import create
from ledger.log.tiles import publish
from ledger.privacy import KeyStore
from ledger.storage.durable import make_folder
from ledger.storage.secret_files import write_secret
from projections.packages.cz.build import _put_in_place
from tests.ledger.log.test_tiles import SignedLog
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable


def _publish_twice(folder: Path) -> None:
    log = SignedLog()
    publish(log.log, log.sign(), folder)
    publish(log.log, log.sign(), folder)


def _package(folder: Path) -> None:
    made = folder / "a" / "b" / "made"
    make_folder(made)
    (made / "table.csv").write_bytes(b"1")
    _put_in_place(made, folder / "package")


def _open_keys_twice(folder: Path) -> None:
    """The first process is killed once it has removed a journal, and before it syncs that."""
    make_folder(folder / "keys")
    with pytest.MonkeyPatch.context() as killed:
        killed.setattr(os, "fsync", lambda _: None)
        KeyStore(folder / "keys").close()
    KeyStore(folder / "keys").close()


MADE: dict[str, Callable[[Path], object]] = {
    "a secret": lambda folder: write_secret(folder / "digest.key", b"secret"),
    "a whole file": lambda folder: write_whole(folder / "proof.json", b"{}"),
    "a log": lambda folder: create(folder / "log.sqlite", (), application=1, version=1),
    "a note of the head": lambda folder: HeadNote(folder / "head").close(),
    "tiles": _publish_twice,
    "new folders": lambda folder: make_folder(folder / "a" / "b" / "c"),
    "a package": _package,
    "a key store that is opened again": _open_keys_twice,
}


@pytest.mark.parametrize("made", MADE)
def test_names_of_files_are_synced(
    made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: dict[int, set[str]] = {}  # by inode: a folder may be renamed
    sync = os.fsync

    def watched(descriptor: int) -> None:
        place = Path(f"/proc/self/fd/{descriptor}").readlink()
        if place.is_dir():
            named[place.stat().st_ino] = {one.name for one in place.iterdir()}
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    MADE[made](tmp_path)
    found = list(tmp_path.rglob("*"))
    assert found
    for one in found:
        assert one.name in named.get(one.parent.stat().st_ino, ()), one
