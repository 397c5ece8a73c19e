"""A chain is restored from its tiles: verified first, then copied, then continued."""

from __future__ import annotations

import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.tools.cli_cases import begin, run
from tools.data import DataDirectory

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def mirrored(tmp_path: Path) -> tuple[Path, Path]:
    """A chain with a checkpoint, and its tiles; it has grown since."""
    data, tiles = tmp_path / "data", tmp_path / "tiles"
    begin(data)
    assert run("log", "checkpoint", data=data).returncode == 0
    assert run("log", "tiles", str(tiles), data=data).returncode == 0
    assert run("log", "checkpoint", data=data).returncode == 0
    return data, tiles


def messages(data: Path) -> list[bytes]:
    with closing(DataDirectory(data).read()) as log:
        return [message for _, message in log.read()]


def test_a_restored_chain_is_a_prefix_that_verifies_and_goes_on(
    mirrored: tuple[Path, Path], tmp_path: Path
) -> None:
    data, tiles = mirrored
    again = tmp_path / "again"
    for _ in range(2):
        done = run("log", "copy", str(tiles), str(again), data=data)
        assert done.returncode == 0, done.stderr
    restored = messages(again)
    assert restored == messages(data)[: len(restored)]
    assert 0 < len(restored) < len(messages(data))
    shutil.copytree(data / "keys", again / "keys", dirs_exist_ok=True)
    assert run("log", "verify", data=again).returncode == 0
    assert run("log", "checkpoint", data=again).returncode == 0


def test_nothing_is_copied_from_tiles_that_are_damaged(
    mirrored: tuple[Path, Path], tmp_path: Path
) -> None:
    data, tiles = mirrored
    (bundle,) = (path for path in (tiles / "tile" / "entries").rglob("*") if path.is_file())
    content = bytearray(bundle.read_bytes())
    content[-1] ^= 1
    bundle.write_bytes(content)
    done = run("log", "copy", str(tiles), str(tmp_path / "again"), data=data)
    assert done.returncode == 3, done.stderr
    assert not (tmp_path / "again").exists()


def test_a_key_that_did_not_sign_the_tiles_is_not_believed(
    mirrored: tuple[Path, Path], tmp_path: Path
) -> None:
    data, tiles = mirrored
    begin(tmp_path / "other")
    signed = run("log", "checkpoint", data=tmp_path / "other")
    keys = tmp_path / "keys.txt"
    keys.write_text(signed.stderr.splitlines()[-1].removeprefix("public key: "))
    done = run("log", "copy", str(tiles), str(tmp_path / "again"), "--key", str(keys), data=data)
    assert done.returncode == 2, done.stderr
    assert "by none of the keys given" in done.stderr
    assert not (tmp_path / "again").exists()
