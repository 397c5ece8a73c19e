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

import schemas
from ledger.chain import link
from ledger.core.clock import SystemClock
from ledger.events.event_types import BallLanded, SchemaPublished
from ledger.log.port import checkpoint_of
from ledger.log.sqlite import SqliteLog
from ledger.tlog.signing import Checkpoint, SigningKey, make_note
from tests.tools.cli_cases import PROGRAM, ROOT, bet, command, run

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.events.event_types import Event


def test_verify_says_that_a_chain_is_whole(studio: Path) -> None:
    done = run("log", "verify", "--json", data=studio)
    assert done.returncode == 0, done.stderr
    log = SqliteLog(studio, writable=False)
    head = log.head()
    log.close()
    assert json.loads(done.stdout)["head"] == head.hash.hex()
    assert "is whole" in run("log", "verify", data=studio).stdout


def test_verify_compares_the_index_with_the_chain(studio: Path) -> None:
    done = run("log", "verify", "--json", data=studio)
    assert json.loads(done.stdout)["indexed"] == json.loads(done.stdout)["size"]
    with closing(sqlite3.connect(studio / "index.sqlite")) as index, index:
        assert index.execute("DELETE FROM entry WHERE key >= x'fe'").rowcount > 1
    done = run("log", "verify", data=studio)
    assert done.returncode == 3
    assert "index.sqlite does not hold what the messages give" in done.stderr
    assert run("record", data=studio, lines=[bet(1)]).returncode == 0
    assert run("log", "verify", data=studio).returncode == 0


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


def test_only_what_is_behind_a_trusted_note_is_verified(studio: Path, tmp_path: Path) -> None:
    twin = shutil.copytree(studio, tmp_path / "twin")
    note = tmp_path / "note.txt"
    note.write_text(run("log", "checkpoint", data=studio).stdout)
    run("record", data=studio, lines=[bet(1)])
    done = json.loads(run("log", "verify", "--from", str(note), "--json", data=studio).stdout)
    whole = json.loads(run("log", "verify", "--json", data=studio).stdout)
    assert done["verified_from"] == int(note.read_text().splitlines()[1])
    assert (done["size"], done["head"], done["root"]) == tuple(
        whole[name] for name in ("size", "head", "root")
    )
    assert (done["tag_map"], done["indexed"], whole["verified_from"]) == (True, 0, None)
    (studio / "tag_map.sqlite").unlink()
    said = run("log", "verify", "--from", str(note), data=studio)
    assert (said.returncode, "not computed" in said.stdout) == (0, True)
    replaced = run("log", "verify", "--from", str(note), data=twin)
    assert replaced.returncode == 3
    both = run("log", "verify", "--from", str(note), "--since", str(note), data=studio)
    assert both.returncode == 2


def test_links_alone_are_told_apart_from_a_verification_of_everything(
    studio: Path, tmp_path: Path
) -> None:
    whole = json.loads(run("log", "verify", "--json", data=studio).stdout)
    links = json.loads(run("log", "verify", "--links", "--json", data=studio).stdout)
    left_out = {"facts": False, "indexed": 0, "tag_map": False}
    assert links == whole | left_out
    assert whole["facts"]
    said = run("log", "verify", "--links", data=studio)
    assert (said.returncode, "not read" in said.stdout) == (0, True)
    note = tmp_path / "note.txt"
    note.write_text(run("log", "checkpoint", data=studio).stdout)
    for other in (("--from", str(note)), (str(tmp_path),)):
        assert run("log", "verify", "--links", *other, data=studio).returncode == 2


def test_links_alone_are_not_remembered_as_a_verification(studio: Path, tmp_path: Path) -> None:
    cache = {"GAMELEDGER_CACHE": str(tmp_path / "cache")}
    run("log", "verify", "--links", data=studio, environment=cache)
    assert not list(tmp_path.rglob("verified.json"))
    run("log", "verify", data=studio, environment=cache)
    assert list(tmp_path.rglob("verified.json"))


def keys_file(path: Path, key: SigningKey) -> str:
    path.write_text(f"public key: {key.public.text}\n", encoding="utf-8")
    return str(path)


def test_keys_that_cover_nothing_are_no_silent_success(studio: Path, tmp_path: Path) -> None:
    """The links are right, and yet nobody whom the reader trusts vouches for them."""
    stranger = keys_file(tmp_path / "stranger.txt", SigningKey("stranger", bytes(32)))
    for _ in range(2):
        done = run("log", "verify", "--key", stranger, data=studio)
        assert done.returncode == 1
        assert "No checkpoint of the keys given covers any of it" in done.stdout
        assert "nothing" in done.stdout
        in_json = run("log", "verify", "--key", stranger, "--json", data=studio)
        assert in_json.returncode == 1
        assert json.loads(in_json.stdout)["covered"] == 0
        run("log", "checkpoint", data=studio)
    assert run("log", "verify", data=studio).returncode == 0


def test_verdict_says_up_to_where_keys_cover(studio: Path, tmp_path: Path) -> None:
    signed = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    keys = tmp_path / "keys.txt"
    keys.write_text(signed["key"])
    run("record", data=studio, lines=[bet(1)])
    done = run("log", "verify", "--key", str(keys), data=studio)
    assert done.returncode == 0, done.stderr
    size = json.loads(run("log", "verify", "--json", data=studio).stdout)["size"]
    assert size > signed["size"]
    assert f"the first {signed['size']} of {size} messages" in done.stdout


def test_note_that_a_given_key_signed_covers_too(studio: Path, tmp_path: Path) -> None:
    with closing(SqliteLog(studio, writable=False)) as log:
        checkpoint = checkpoint_of("test", log)
    key = SigningKey("witness", bytes(32))
    note = tmp_path / "note.txt"
    note.write_text(make_note(checkpoint, [(key.public, key.sign(checkpoint))]), encoding="utf-8")
    keys = keys_file(tmp_path / "keys.txt", key)
    done = run("log", "verify", "--since", str(note), "--key", keys, "--json", data=studio)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["covered"] == checkpoint.size


def test_note_of_another_chain_is_refused(studio: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    key = SigningKey("witness", bytes(32))
    checkpoint = Checkpoint("elsewhere", 1, bytes(32))
    note.write_text(make_note(checkpoint, [(key.public, key.sign(checkpoint))]), encoding="utf-8")
    done = run("log", "verify", "--since", str(note), data=studio)
    assert done.returncode == 2
    assert "the note is of the chain elsewhere, and this is" in done.stderr


def add(data: Path, kind: str, *made: Event) -> None:
    """Append events behind our back, the last one as a message of another fingerprint."""
    log = SqliteLog(data, writable=False)
    head = log.head()
    log.close()
    messages, _ = link(
        head,
        made,
        command_id=bytes(16),
        command_digest=bytes(16),
        recorded_at=SystemClock().now(),
        occurred_at=0,
        actor="a",
        source="s",
    )
    bodies = [message.body for message in messages]
    bodies[-1] = bodies[-1][:2] + bytes.fromhex(kind) + bodies[-1][10:]
    with closing(sqlite3.connect(data / "log.sqlite")) as database:
        rows = enumerate(bodies, head.size)
        database.executemany("INSERT INTO message (position, body) VALUES (?, ?)", rows)
        database.commit()


def test_events_of_unknown_types_are_named(studio: Path) -> None:
    raw = {**json.loads(schemas.newest()["BallLanded"].text), "name": "Lightning"}
    schema = schemas.parse(raw)
    kind = schema.fingerprint.hex()
    published = SchemaPublished(name="Lightning", version=1, fingerprint=kind, schema=schema.text)
    add(studio, kind, published, BallLanded(round="r1", number=3))
    done = run("log", "verify", data=studio)
    assert done.returncode == 1, done.stderr
    said = "1 event of types that this version does not know: Lightning v1 (1)"
    assert said in " ".join(done.stdout.split())
    found = json.loads(run("log", "verify", "--json", data=studio).stdout)
    assert found["unknown"] == [{"name": "Lightning", "version": 1, "events": 1}]


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
    key_id = done["key"].split("+")[1]
    revoke = command("revoke_signing_key", key_id=key_id, reason="test")
    assert run("record", data=studio, lines=[revoke]).returncode == 0
    again = run("log", "checkpoint", data=studio)
    assert again.returncode == 5
    assert "revoked" in again.stderr
    (studio / "keys" / "checkpoint.key").unlink()
    announced = run("log", "checkpoint", "--new-key", "The other was revoked.", data=studio)
    assert announced.returncode == 0, announced.stderr


def test_a_lost_signing_key_is_not_replaced_silently(studio: Path) -> None:
    first = json.loads(run("log", "checkpoint", "--json", data=studio).stdout)
    path = studio / "keys" / "checkpoint.key"
    path.rename(studio / "lost.key")
    size = json.loads(run("log", "status", "--json", data=studio).stdout)["size"]
    missing = run("log", "checkpoint", data=studio)
    assert missing.returncode == 2
    assert "checkpoint.key is missing" in missing.stderr
    assert first["key"].split("+")[1] in missing.stderr
    assert not path.exists()
    assert json.loads(run("log", "status", "--json", data=studio).stdout)["size"] == size
    again = json.loads(
        run("log", "checkpoint", "--new-key", "Lost with its disk.", "--json", data=studio).stdout
    )
    assert again["key"] != first["key"]
    shown = run("log", "show", "--type", "SigningKeyAdded", "--json", data=studio).stdout
    assert json.loads(shown.splitlines()[-1])["facts"]["reason"] == "Lost with its disk."
    refused = run("log", "checkpoint", "--new-key", "One more.", data=studio)
    assert refused.returncode == 2
    assert "move that file away" in refused.stderr


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
        previous, count = sha256(b"\x00" + message).digest(), count + 1
    exported = run("log", "export", data=studio).stdout.splitlines()
    assert len(exported) == count
    assert json.loads(exported[-1])["hash"] == previous.hex()


@pytest.mark.law("SAZKA 6(1)")
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
