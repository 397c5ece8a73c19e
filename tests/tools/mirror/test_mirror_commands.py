"""``mirror``: made, filled by an operator or from its tiles, asked, and used to restore."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import time
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import TiledLog
from tests.children import child
from tests.tools.cli_cases import PROGRAM, ROOT, SECONDS_MAX, begin, run_here
from tests.tools.mirror_cases import Operator
from tools.mirror.folder import MirrorFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow


def answer(*words: str, data: Path, code: int = 0) -> Any:
    done = run_here(*words, "--json", data=data)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def operator(tmp_path: Path) -> Path:
    begin(tmp_path / "operator")
    return tmp_path / "operator"


@pytest.fixture
def held(tmp_path: Path) -> Path:
    answer("mirror", "init", str(tmp_path / "held"), "--name", "authority.example/1", data=tmp_path)
    return tmp_path / "held"


@contextmanager
def running(held: Path) -> Iterator[str]:
    """Run the mirror; yield its URL."""
    command = [*PROGRAM, "--json", "mirror", "run", str(held), "--listen", "127.0.0.1:0"]
    with child(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["text"].split()[-1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_MAX) == 0


def held_of(held: Path) -> int:
    (log,) = answer("mirror", "status", str(held), data=held)["logs"]
    return int(log["held"])


def test_an_operator_sends_its_log_with_each_checkpoint(
    operator: Path, held: Path, tmp_path: Path
) -> None:
    """The copy is asked like any chain, shows what is witnessed, and restores the log."""
    first = answer("log", "checkpoint", data=operator)
    added = answer("mirror", "add", str(held), first["key"], data=held)
    policy = tmp_path / "policy.txt"
    with running(held) as url:
        key = answer("mirror", "status", str(held), data=held)["key"]
        policy.write_text(f"witness authority {key} {url}\nquorum authority\n")
        policed = ("--witness-policy", str(policy))
        signed = answer("log", "checkpoint", *policed, data=operator)
        assert signed["witnessed"] is True
        assert signed["warnings"] == []
        assert held_of(held) == signed["size"]
        again = answer("log", "checkpoint", *policed, data=operator)
        assert held_of(held) == again["size"] > signed["size"]
        source = f"{url}/{added['data'].rsplit('/', 1)[-1]}"
        verified = answer("log", "verify", source, "--key", key_file(tmp_path, first), data=held)
        assert verified["size"] == again["size"]
        restored = tmp_path / "restored"
        key_option = ("--key", key_file(tmp_path, first))
        answer("log", "copy", source, str(restored), *key_option, data=restored)
    shown = answer("log", "status", *policed, data=operator)
    stages = {one["stage"]: one["size"] for one in shown["finality"]}
    assert stages["recorded"] == shown["size"] > again["size"]
    assert stages["covered"] == stages["cosigned"] == stages["mirrored"] == again["size"]
    assert shown["witnessed"]["size"] == again["size"]
    (one,) = answer("mirror", "status", str(held), data=held)["logs"]
    for copy in (restored, Path(one["data"])):
        assert raw(operator).startswith(raw(copy))
    places = (Path(one["data"]), operator)
    mirrored, own = (answer("round", "list", data=place)["rounds"] for place in places)
    assert mirrored == own


def raw(data: Path) -> bytes:
    command = [*PROGRAM, "--data", str(data), "log", "export", "--raw"]
    return subprocess.run(command, check=True, capture_output=True, cwd=ROOT).stdout  # noqa: S603 - our own program


def key_file(folder: Path, checkpoint: dict[str, Any]) -> str:
    path = folder / "key.txt"
    path.write_text(f"{checkpoint['key']}\n")
    return str(path)


def test_a_log_is_fetched_and_goes_on_after_a_restart(
    operator: Path, held: Path, tmp_path: Path
) -> None:
    published = tmp_path / "published"
    first = answer("log", "checkpoint", data=operator)
    answer("log", "tiles", str(published), data=operator)
    answer("mirror", "add", str(held), first["key"], "--from", str(published), data=held)
    for _ in range(2):
        size = answer("log", "checkpoint", data=operator)["size"]
        answer("log", "tiles", str(published), data=operator)
        with running(held):
            deadline = time.monotonic() + SECONDS_MAX
            while held_of(held) != size:
                assert time.monotonic() < deadline
                time.sleep(0.2)


def test_a_mirror_that_is_killed_again_and_again_holds_the_log(held: Path, tmp_path: Path) -> None:
    """It is killed while it stores, up to six times; each copy is a beginning of the log."""
    operator, published, size = Operator(), tmp_path / "published", 16 * 256
    operator.publish(published, operator.note_at(size))
    key = operator.key.public.text
    answer("mirror", "add", str(held), key, "--from", str(published), data=held)
    command = [*PROGRAM, "mirror", "run", str(held), "--listen", "127.0.0.1:0"]
    folder, sizes = MirrorFolder(held), [0]
    deadline = time.monotonic() + 4 * SECONDS_MAX
    while folder.signed(operator.name) is None:
        with child(command, cwd=ROOT, stderr=subprocess.DEVNULL) as running_mirror:
            while folder.signed(operator.name) is None and (
                stored(folder, operator) == sizes[-1] or len(sizes) > 6
            ):
                assert time.monotonic() < deadline, sizes
                time.sleep(0.01)
            running_mirror.kill()
        sizes.append(stored(folder, operator))
        with closing(SqliteLog(folder.data_of(operator.name), writable=False)) as log:
            assert list(log.read()) == list(operator.log.read(0, sizes[-1]))
    assert sizes == sorted(sizes)
    assert len(sizes) > 3, "it was killed while it stored"
    tiles = TiledLog(str(folder.tiles_of(operator.name)))
    assert list(tiles.read()) == list(operator.log.read(0, size))


def stored(folder: MirrorFolder, operator: Operator) -> int:
    if not (folder.data_of(operator.name) / "log.sqlite").exists():
        return 0
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(folder.data_of(operator.name) / "log.sqlite")) as log,
    ):
        return int(log.execute("SELECT count(*) FROM message").fetchone()[0])
    return 0


def test_a_folder_without_a_mirror_is_named(tmp_path: Path) -> None:
    for words in (("status",), ("run", "--listen", "127.0.0.1:0")):
        done = run_here("mirror", words[0], str(tmp_path), *words[1:], data=tmp_path)
        assert done.returncode == 2
        assert "holds no mirror: make one with `gameledger mirror init`" in done.stderr
