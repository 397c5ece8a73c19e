"""``log tiles`` and ``log verify DIR``, as their users have them."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from ledger.tlog.signing import SigningKey
from tests.children import child
from tests.tools.cli_cases import PROGRAM, ROOT, SECONDS_MAX, begin, bet, run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def published(studio: Path, tmp_path: Path) -> Path:
    """A log with a checkpoint, published."""
    assert run("log", "checkpoint", data=studio).returncode == 0
    done = run("log", "tiles", str(tmp_path / "log"), data=studio)
    assert done.returncode == 0, done.stderr
    assert f"gameledger log verify {tmp_path / 'log'}" in done.stdout
    return tmp_path / "log"


def verify(place: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Verify files alone: there is no data directory where it looks."""
    return run("log", "verify", str(place), *options, data=place.parent / "nothing")


@pytest.mark.law("L-22")
def test_a_published_log_is_verified_from_its_files_alone(published: Path, studio: Path) -> None:
    alone = verify(published, "--json")
    assert alone.returncode == 0, alone.stderr
    found = json.loads(alone.stdout)
    assert found["covered"] == found["size"]
    whole = json.loads(run("log", "verify", "--json", data=studio).stdout)
    assert found["chain"] == whole["chain"]
    assert found["size"] < whole["size"]
    assert not (published.parent / "nothing").exists()


def test_a_log_that_was_never_signed_is_not_published(studio: Path, tmp_path: Path) -> None:
    done = run("log", "tiles", str(tmp_path / "log"), data=studio)
    assert done.returncode == 2
    assert "sign one with `gameledger log checkpoint`" in " ".join(done.stderr.split())
    assert not (tmp_path / "log").exists()


def test_the_key_is_asked_who_signed(published: Path, studio: Path, tmp_path: Path) -> None:
    signed = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    keys = tmp_path / "keys.txt"
    keys.write_text(signed["key"])
    assert verify(published, "--key", str(keys)).returncode == 0
    keys.write_text(SigningKey("stranger.example", bytes(32)).public.text)
    done = verify(published, "--key", str(keys))
    assert done.returncode == 2
    assert "by none of the keys given" in " ".join(done.stderr.split())


def test_an_earlier_note_finds_a_log_that_was_replaced(
    published: Path, studio: Path, tmp_path: Path
) -> None:
    twin = shutil.copytree(studio, tmp_path / "twin")
    run("record", data=studio, lines=[bet(1)])
    note = tmp_path / "note.txt"
    note.write_text(run("log", "checkpoint", data=studio).stdout)
    assert run("log", "tiles", str(published), data=studio).returncode == 0
    assert verify(published, "--since", str(note)).returncode == 0
    run("record", data=twin, lines=[bet(2), bet(3), bet(4)])
    run("log", "checkpoint", data=twin)
    other = tmp_path / "other"
    assert run("log", "tiles", str(other), data=twin).returncode == 0
    assert verify(other).returncode == 0
    assert verify(other, "--since", str(note)).returncode == 3
    done = run("log", "tiles", str(published), data=twin)
    assert done.returncode in {2, 3}
    assert verify(published).returncode == 0


def test_a_changed_byte_is_named(published: Path) -> None:
    [bundle] = (published / "tile" / "entries").rglob("*.p/*")
    raw = bytearray(bundle.read_bytes())
    raw[len(raw) // 2] ^= 1
    bundle.write_bytes(raw)
    done = verify(published)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_a_false_checkpoint_is_refused(published: Path) -> None:
    note = (published / "checkpoint").read_text()
    name, size, root, *rest = note.split("\n")
    other = ("B" if root[0] == "A" else "A") + root[1:]
    (published / "checkpoint").write_text("\n".join([name, size, other, *rest]))
    assert verify(published).returncode in {2, 3}
    lines = [line if not line.startswith("\u2014") else line[:-8] + "AAAAAAA=" for line in rest]
    (published / "checkpoint").write_text("\n".join([name, size, root, *lines]))
    assert verify(published).returncode == 3


def test_what_is_no_published_log_is_named(tmp_path: Path) -> None:
    done = verify(tmp_path / "elsewhere")
    assert done.returncode == 2
    assert "holds no checkpoint" in done.stderr


@pytest.mark.slow
def test_a_new_chain_is_followed_from_its_first_checkpoint(tmp_path: Path) -> None:
    """A unit that is started before the first night must not end for good."""
    data, folder = tmp_path / "data", tmp_path / "tiles"
    begin(data)
    command = [*PROGRAM, "log", "tiles", str(folder), "--follow", "--json", "--data", str(data)]
    with child(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as following:
        assert following.stdout is not None
        assert following.stderr is not None
        assert "waiting for the first checkpoint" in following.stderr.readline()
        signed = json.loads(run("log", "checkpoint", "--json", data=data).stdout)
        assert json.loads(following.stdout.readline())["size"] == signed["size"]
        following.send_signal(signal.SIGTERM)
        assert following.wait(SECONDS_MAX) == 0


@pytest.mark.slow
def test_each_new_checkpoint_is_published_until_told_to_stop(published: Path, studio: Path) -> None:
    command = [*PROGRAM, "log", "tiles", str(published), "--follow", "--json"]
    with child(
        [*command, "--data", str(studio)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as following:
        assert following.stdout is not None
        first = json.loads(following.stdout.readline())
        assert first["written"] == 0
        signed = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
        assert json.loads(following.stdout.readline())["size"] == signed["size"]
        following.send_signal(signal.SIGTERM)
        assert following.wait(SECONDS_MAX) == 0
    assert json.loads(verify(published, "--json").stdout)["size"] == signed["size"]
