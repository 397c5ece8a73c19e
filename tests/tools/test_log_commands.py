from __future__ import annotations

import base64
import json
import shutil
import sqlite3
import struct
import subprocess
from contextlib import closing
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from cli_cases import PROGRAM, ROOT, bet, command, run

from ledger.log.sqlite import SqliteLog

if TYPE_CHECKING:
    from pathlib import Path


def test_verify_says_that_a_chain_is_whole(studio: Path) -> None:
    done = run("log", "verify", "--json", data=studio)
    assert done.returncode == 0, done.stderr
    log = SqliteLog(studio, writable=False)
    head = log.head()
    log.close()
    assert json.loads(done.stdout)["head"] == head.hash.hex()
    assert "is whole" in run("log", "verify", data=studio).stdout


@pytest.mark.parametrize("position", [0, 1, 50, 95, 100])
@pytest.mark.parametrize("byte", [0, 5, 20, 60, -1])
def test_verify_names_the_position_of_a_flipped_bit(studio: Path, position: int, byte: int) -> None:
    with closing(sqlite3.connect(studio / "log.sqlite")) as database:
        query = "SELECT body FROM message WHERE position = ?"
        (body,) = database.execute(query, (position,)).fetchone()
        changed = bytearray(body)
        changed[byte] ^= 4
        update = "UPDATE message SET body = ? WHERE position = ?"
        database.execute(update, (bytes(changed), position))
        database.commit()
    done = run("log", "verify", "--json", data=studio)
    fault = json.loads(done.stderr.splitlines()[-1])
    assert done.returncode == 3
    assert fault["position"] == position
    assert f"position {position}" in run("log", "verify", data=studio).stderr


def test_verify_finds_a_message_that_lacks(studio: Path) -> None:
    with closing(sqlite3.connect(studio / "log.sqlite")) as database:
        database.execute("DELETE FROM message WHERE position = 60")
        database.commit()
    done = run("log", "verify", data=studio)
    assert done.returncode == 3
    assert "message 60" in done.stderr


def test_a_damaged_file_is_an_integrity_error(studio: Path) -> None:
    (studio / "log.sqlite").write_bytes(b"not a database" * 1000)
    for suffix in ("-wal", "-shm"):
        (studio / f"log.sqlite{suffix}").unlink(missing_ok=True)
    done = run("record", data=studio, lines=[bet(1)])
    assert done.returncode == 3
    assert "log.sqlite" in done.stderr


def test_a_remembered_note_finds_history_that_was_replaced(studio: Path, tmp_path: Path) -> None:
    twin = shutil.copytree(studio, tmp_path / "twin")
    run("record", data=studio, lines=[bet(1)])
    done = run("log", "checkpoint", data=studio)
    assert done.returncode == 0, done.stderr
    note, keys = tmp_path / "note.txt", tmp_path / "keys.txt"
    note.write_text(done.stdout)
    keys.write_text(done.stderr.splitlines()[-1].removeprefix("public key: "))
    run("record", data=studio, lines=[bet(2)])
    whole = run("log", "verify", "--since", str(note), "--key", str(keys), data=studio)
    assert whole.returncode == 0, whole.stderr
    run("record", data=twin, lines=[bet(number) for number in range(10, 20)])
    replaced = run("log", "verify", "--since", str(note), data=twin)
    assert replaced.returncode == 3
    origin, size, rest = done.stdout.split("\n", 2)
    note.write_text(f"{origin}\n{int(size) - 1}\n{rest}")
    forged = run("log", "verify", "--since", str(note), "--key", str(keys), data=studio)
    assert forged.returncode == 3


def test_the_signing_key_is_for_its_owner_only_and_used_again(studio: Path) -> None:
    first = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    key = studio / "keys" / "checkpoint.key"
    assert key.stat().st_mode & 0o777 == 0o600
    second = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    assert first["key"] == second["key"]
    assert first["size"] < second["size"]
    key.chmod(0o644)
    assert run("log", "checkpoint", data=studio).returncode == 5


def test_a_revoked_key_signs_no_more(studio: Path) -> None:
    done = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    key_id = done["key"].partition("+")[0]
    revoke = command("revoke_signing_key", key_id=key_id, reason="test")
    assert run("record", data=studio, lines=[revoke]).returncode == 0
    again = run("log", "checkpoint", data=studio)
    assert again.returncode == 5
    assert "revoked" in again.stderr


def test_raw_export_can_be_hashed_by_an_outsider(studio: Path) -> None:
    content = subprocess.run(  # noqa: S603 - our own program
        [*PROGRAM, "log", "export", "--raw", "--data", str(studio)],
        capture_output=True,
        cwd=ROOT,
        check=True,
    ).stdout
    previous, count = bytes(32), 0
    while content:
        (length,) = struct.unpack(">I", content[:4])
        message, content = content[4 : 4 + length], content[4 + length :]
        assert message[10:42] == previous
        previous, count = sha256(message).digest(), count + 1
    exported = run("log", "export", data=studio).stdout.splitlines()
    assert len(exported) == count
    assert json.loads(exported[-1])["hash"] == previous.hex()


def test_personal_data_is_in_no_export(studio: Path) -> None:
    exported = run("log", "export", data=studio).stdout
    assert "Jan Novák" not in exported
    assert base64.b64encode("Jan Novák".encode()).decode() not in exported
    assert b"Novak" not in (studio / "log.sqlite").read_bytes()


def test_show_filters_by_type_account_and_position(studio: Path) -> None:
    done = run("log", "show", "--account", "a-1", "--type", "LimitDeclined", "--json", data=studio)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [entry["facts"]["measure"] for entry in found] == list("abcdefg")
    first = found[3]["position"]
    arguments = ("--from", str(first), "--limit", "2", "--type", "LimitDeclined", "--json")
    some = run("log", "show", *arguments, data=studio).stdout.splitlines()
    assert [json.loads(line)["position"] for line in some] == [first, first + 1]
    assert run("log", "show", "--type", "Nothing", data=studio).returncode == 2


def test_show_writes_money_in_crowns_and_time_in_prague(studio: Path) -> None:
    done = run("log", "show", "--type", "DepositCredited", data=studio)
    assert "10 000.00 CZK" in done.stdout
    single = run("log", "show", "--type", "AccountOpened", "--limit", "1", data=studio)
    assert "previous_hash" in single.stdout


def test_a_dry_checkpoint_writes_nothing(studio: Path) -> None:
    before = run("log", "verify", "--json", data=studio).stdout
    assert run("log", "checkpoint", "--dry-run", data=studio).returncode == 0
    assert run("log", "verify", "--json", data=studio).stdout == before
    assert not (studio / "keys" / "checkpoint.key").exists()
