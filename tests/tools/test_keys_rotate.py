"""``keys rotate``: the old key confirms its successor, and an interrupted rotation goes on."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.tools.cli_cases import begin, run
from tests.verifier.verifier_cases import asked as stand_alone

if TYPE_CHECKING:
    from pathlib import Path


def rotate(data: Path, *options: str) -> dict[str, str]:
    done = run("keys", "rotate", "--reason", "yearly", "--json", *options, data=data)
    assert done.returncode == 0, done.stderr
    answer: dict[str, str] = json.loads(done.stdout)
    return answer


def types(data: Path) -> list[str]:
    shown = run("log", "export", data=data).stdout.splitlines()
    return [json.loads(line)["type"] for line in shown]


@pytest.fixture
def signed(tmp_path: Path) -> tuple[Path, Path]:
    """A chain with a checkpoint, and a file with its public key."""
    data, old = tmp_path / "data", tmp_path / "old.txt"
    begin(data)
    done = run("log", "checkpoint", data=data)
    old.write_text(done.stderr.splitlines()[-1].removeprefix("public key: "))
    return data, old


def test_the_old_key_covers_the_record_of_its_successor(
    signed: tuple[Path, Path], tmp_path: Path
) -> None:
    data, old = signed
    before = len(types(data))
    answer = rotate(data)
    assert [one for one in types(data)[before:] if one != "WriterStarted"] == [
        "SigningKeyAdded", "CheckpointSigned", "SigningKeyRevoked", "CheckpointSigned",
    ]  # fmt: skip
    assert run("log", "verify", "--key", str(old), data=data).returncode == 0
    new = tmp_path / "new.txt"
    new.write_text(answer["key"])
    assert run("log", "verify", "--key", str(new), data=data).returncode == 0
    again = run("log", "checkpoint", "--json", data=data)
    assert json.loads(again.stdout)["key"] == answer["key"]


def test_a_rotation_that_was_interrupted_before_its_end_goes_on(
    signed: tuple[Path, Path],
) -> None:
    """Everything is recorded, and the file of the new key has not replaced the old one."""
    data, _ = signed
    path = data / "keys" / "checkpoint.key"
    shutil.copy(path, data / "old.key")
    first = rotate(data)
    path.rename(path.with_name("checkpoint.key.next"))
    shutil.copy(data / "old.key", path)
    path.chmod(0o600)
    second = rotate(data)
    assert (second["old"], second["new"]) == (first["old"], first["new"])
    assert run("log", "verify", data=data).returncode == 0
    assert types(data).count("SigningKeyAdded") == 2


def test_a_rotation_changes_the_algorithm_and_back(signed: tuple[Path, Path]) -> None:
    data, _ = signed
    for algorithm, kind in (("ecdsa-p256", "+Aj"), ("ed25519", "+A")):
        assert kind in rotate(data, "--algorithm", algorithm)["key"]
        assert run("log", "checkpoint", data=data).returncode == 0
        assert run("log", "verify", data=data).returncode == 0
        assert stand_alone("log", data).returncode == 0


def test_a_missing_key_is_not_rotated(signed: tuple[Path, Path]) -> None:
    data, _ = signed
    (data / "keys" / "checkpoint.key").unlink()
    done = run("keys", "rotate", "--reason", "x", data=data)
    assert done.returncode == 2
    assert "--new-key" in done.stderr
