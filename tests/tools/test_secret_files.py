"""Every secret that the program reads from a file is refused when others may use that file."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AuthorizationError, AvailabilityError, IntegrityError
from ledger.log.kafka.log import KafkaSettings
from ledger.privacy import KeyStore
from ledger.tlog.signing import SigningKey
from projections.packages.keys import read_key, read_passphrase
from projections.store.clickhouse import ClickHouseServer
from projections.store.tables import Store
from tools.data.locations import Locations
from tools.data.spool_file import SpoolFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KAFKA = "kafka://one:9092/t?security_protocol=SASL_SSL&sasl_mechanism=PLAIN&sasl_username=w"

FILES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "key of the digests": ("digest.key", lambda file: KeyStore(file.parent)),
    "keys of persons": ("persons.sqlite", lambda file: KeyStore(file.parent, writable=False)),
    "their journal": ("persons.sqlite-journal", lambda file: KeyStore(file.parent)),
    "their other journal": ("persons.sqlite-wal", lambda file: KeyStore(file.parent)),
    "key of checkpoints": ("checkpoint.key", SigningKey.load),
    "key of seals": ("seal.pem", lambda file: read_key(file, None)),
    "passphrase": ("phrase", lambda file: read_passphrase("NOT_SET", file)),
    "password of ClickHouse": (
        "password",
        lambda file: Locations.from_environment({"GAMELEDGER_CLICKHOUSE_PASSWORD_FILE": str(file)}),
    ),
    "key for ClickHouse": (
        "client.key",
        lambda file: Store.open(ClickHouseServer("127.0.0.1", client_cert_key=str(file))),
    ),
    "password of Kafka": (
        "password",
        lambda file: KafkaSettings.from_url(f"{KAFKA}&sasl_password_file={file}").connection(),
    ),
    "key for Kafka": (
        "client.key",
        lambda file: KafkaSettings.from_url(f"{KAFKA}&ssl_keyfile={file}").connection(),
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    KeyStore(tmp_path / "keys").close()
    SigningKey.create(tmp_path / "keys" / "checkpoint.key", "k")
    return tmp_path / "keys"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o601])
@pytest.mark.parametrize("secret", FILES)
def test_a_secret_that_others_may_use_is_refused(folder: Path, secret: str, mode: int) -> None:
    name, read = FILES[secret]
    (folder / name).touch()
    (folder / name).chmod(mode)
    with pytest.raises(AuthorizationError, match=rf"{name} has mode {mode:o}.*: set 600"):
        read(folder / name)


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o711])
def test_a_folder_of_keys_that_others_may_enter_is_refused(folder: Path, mode: int) -> None:
    folder.chmod(mode)
    for writable in (True, False):
        with pytest.raises(AuthorizationError, match=rf"keys has mode {mode:o}.*: set 700"):
            KeyStore(folder, writable=writable)


def test_a_reader_of_the_keys_makes_and_changes_nothing(folder: Path) -> None:
    store = KeyStore(folder)
    sealed = store.seal("p", "AccountOpened.name", "Anna")
    store.close()
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    reader = KeyStore(folder, writable=False)
    assert reader.open("p", "AccountOpened.name", sealed) == "Anna"
    reader.close()
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize("mode", [None, 0o644, 0o666, 0o600])
def test_a_spool_is_for_its_owner_alone(tmp_path: Path, mode: int | None) -> None:
    path = tmp_path / "spool.sqlite"
    if mode is not None:
        path.touch()
        path.chmod(mode)
    before = os.umask(0o022)
    try:
        spool = SpoolFile(path, "CREATE TABLE IF NOT EXISTS waiting (body TEXT)")
        with spool.transaction() as writing:
            writing.execute("INSERT INTO waiting VALUES ('a')")
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
        spool.close()
    finally:
        os.umask(before)
    assert set(modes) >= {"spool.sqlite", "spool.sqlite-wal"}
    assert set(modes.values()) == {0o600}


READER = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1])
print(*file.execute("SELECT body FROM waiting"))
file.close()
"""


def test_another_process_does_not_delete_the_journal_of_a_spool(tmp_path: Path) -> None:
    """A feed has two connections; opening the second one must not release the locks of the first.

    The last process to close a file deletes its journal, and without locks any other one is last.
    """
    path = tmp_path / "spool.sqlite"
    schema = "CREATE TABLE IF NOT EXISTS waiting (body TEXT)"
    with closing(SpoolFile(path, schema)) as spool, closing(SpoolFile(path, schema)):
        for body in ("a", "b"):
            with spool.transaction() as writing:
                writing.execute("INSERT INTO waiting VALUES (?)", (body,))
            command = [sys.executable, "-c", READER, str(path)]
            found = subprocess.run(  # noqa: S603 - the text above
                command, check=True, capture_output=True, text=True
            )
            assert f"'{body}'" in found.stdout


@pytest.mark.parametrize("gone", ["spool.sqlite", "spool.sqlite-wal"])
def test_a_spool_that_is_gone_takes_nothing(tmp_path: Path, gone: str) -> None:
    with closing(SpoolFile(tmp_path / "spool.sqlite", "CREATE TABLE waiting (body TEXT)")) as spool:
        with spool.transaction() as writing:
            writing.execute("INSERT INTO waiting VALUES ('a')")
        (tmp_path / gone).unlink()
        with (
            pytest.raises(AvailabilityError, match="deleted, moved or replaced"),
            spool.transaction() as writing,
        ):
            writing.execute("INSERT INTO waiting VALUES ('b')")


@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_key_store_that_is_gone_gives_no_key(folder: Path, *, is_replaced: bool) -> None:
    """What is sealed by a key that ends with the process could never be read again."""
    with closing(KeyStore(folder)) as keys:
        keys.seal("p1", "AccountOpened.name", "a name")
        file = folder / "persons.sqlite"
        content = file.read_bytes()
        file.unlink()
        if is_replaced:
            file.write_bytes(content)
        with pytest.raises(IntegrityError, match="deleted, moved or replaced"):
            keys.seal("p2", "AccountOpened.name", "a name")


def test_a_spool_without_room_names_the_cause_and_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    put = "INSERT INTO waiting VALUES (randomblob(20000))"
    with closing(SpoolFile(tmp_path / "spool.sqlite", "CREATE TABLE waiting (body TEXT)")) as spool:
        spool.rows("PRAGMA max_page_count = 4")
        with pytest.raises(AvailabilityError, match="is full"), spool.transaction() as connection:
            connection.execute(put)
        spool.rows("PRAGMA max_page_count = 100")
        with spool.transaction() as connection:
            connection.execute(put)
        assert spool.rows("SELECT count(*) FROM waiting") == [(1,)]
