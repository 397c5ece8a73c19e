"""Statements fetched from a folder and a real SFTP server: once each; a fault holds up no other."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import asyncssh
import pytest

from ledger.core.errors import InputError
from tests.tools.cli_cases import begin, run_here
from tests.waiting import PATIENCE_SECONDS
from tools.statements.sources import fetched, read_sources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ISSUER = 'kind = "PAYMENTS"\nformat = "csv"\n[columns]\nbooked = "day"\namount = "amount"\n'
HEAD = "day,amount\n"


@pytest.fixture
def there(tmp_path: Path) -> Path:
    """The folder of the source, with two good files, a bad one and some that are not complete."""
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "10.csv").write_text(f"{HEAD}2026-11-10,1.50\n")
    (folder / "11.csv").write_text(f"{HEAD}2026-11-11,much\n")
    (folder / "12.csv").write_text(f"{HEAD}2026-11-12,3.50\n")
    (folder / "13.csv.part").write_text(HEAD)
    (folder / ".14.csv").write_text(HEAD)
    (folder / "15.txt").write_text("no statement")
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    begin(folder)
    (folder / "issuers").mkdir()
    (folder / "issuers" / "wallet.toml").write_text(ISSUER)
    return folder


def fetch(data: Path, *more: str) -> dict[str, dict[str, Any]]:
    done = run_here("statement", "fetch", *more, "--json", data=data)
    assert done.stdout, done.stderr
    rows = json.loads(done.stdout)
    assert done.returncode == (1 if any(row["state"] == "failed" for row in rows) else 0)
    return {row["file"]: row for row in rows}


def states(rows: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {name: row["state"] for name, row in rows.items()}


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}


def require_fetched_once(data: Path, there: Path) -> None:
    before = contents(there)
    rows = fetch(data)
    assert states(rows) == {"10.csv": "imported", "11.csv": "failed", "12.csv": "imported"}
    assert rows["11.csv"]["faults"] == ["line 2, column 2 (amount): 'much' is no amount"]
    again = fetch(data)
    assert states(again) == {"10.csv": "known", "11.csv": "failed", "12.csv": "known"}
    assert again["10.csv"]["statements"] == rows["10.csv"]["statements"]
    (there / "12.csv").write_text(f"{HEAD}2026-11-12,3.70\n")
    sent_again = fetch(data)["12.csv"]
    assert "give --reason" in sent_again["faults"][0]
    one = ("--source", "wallet", "--file", "12.csv", "--reason", "They corrected it.")
    assert states(fetch(data, *one)) == {"12.csv": "imported"}
    assert contents(there).keys() == before.keys()
    assert contents(there)["10.csv"] == before["10.csv"]


def test_a_folder_is_fetched_once_and_a_bad_file_holds_up_no_other(data: Path, there: Path) -> None:
    settings = f'issuer = "wallet"\nfolder = "{there}"\nfiles = "*.csv"\nsettle_seconds = 0.05\n'
    (data / "statement-sources.toml").write_text(
        f'[gone]\nissuer = "wallet"\nfolder = "nowhere"\n[wallet]\n{settings}'
    )
    rows = fetch(data)
    assert "can't be read: there is no such file" in rows[""]["faults"][0]
    assert rows["10.csv"]["state"] == "imported"
    (data / "statement-sources.toml").write_text(f"[wallet]\n{settings}")
    assert states(fetch(data))["10.csv"] == "known"


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ('issuer = "w"\nfolder = ""', r"\$\.w\.folder"),
        ('issuer = "w"\nfolder = "out"\nfiles = ""', r"\$\.w\.files"),
        ('issuer = ""\nfolder = "out"', r"\$\.w\.issuer"),
        ('issuer = "../w"\nfolder = "out"', r"\$\.w\.issuer"),
        ('issuer = "w"\nfolder = "out"\ndays = 0', r"\$\.w\.days"),
        ('issuer = "w"\nfolder = "out"\nhost = "sftp.example"', r"`user`, .* at `\$\.w`"),
    ],
)
def test_a_source_that_could_give_no_file_is_refused_with_its_place(
    tmp_path: Path, settings: str, place: str
) -> None:
    sources = tmp_path / "sources.toml"
    sources.write_text(f'[before]\nissuer = "w"\nfolder = "out"\n[w]\n{settings}\n')
    with pytest.raises(InputError, match=place):
        read_sources(sources)


def test_a_file_that_grows_is_left_for_the_next_run(there: Path, tmp_path: Path) -> None:
    sources = tmp_path / "sources.toml"
    sources.write_text('[w]\nissuer = "w"\nfolder = "out"\nfiles = "1*.csv"\nsettle_seconds = 1\n')
    (source,) = read_sources(sources).values()
    grown = Event()

    def grow() -> None:
        while not grown.wait(0.05):
            with (there / "12.csv").open("a") as file:
                file.write("2026-11-12,1.00\n")

    writing = Thread(target=grow)
    writing.start()
    try:
        found = {one.name: one for one in fetched(source)}
    finally:
        grown.set()
        writing.join()
    assert "still being written" in str(found["12.csv"].fault)
    assert found["10.csv"].content == (there / "10.csv").read_bytes()
    assert not {one.name for one in fetched(source) if one.fault}


def test_each_file_is_a_row_where_a_source_has_more_than_a_run_takes(
    there: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "sources.toml"
    sources.write_text('[w]\nissuer = "w"\nfolder = "out"\nfiles = "1*.csv"\nsettle_seconds = 0\n')
    (source,) = read_sources(sources).values()
    size = (there / "10.csv").stat().st_size
    for name, most in (("SOURCE_FILES_MAX", 1), ("SOURCE_BYTES_MAX", size)):
        with monkeypatch.context() as patch:
            patch.setattr(f"tools.statements.sources.{name}", most)
            found = list(fetched(source))
        assert [one.name for one in found] == ["10.csv", "11.csv", "12.csv"]
        assert [bool(one.fault) for one in found] == [False, True, True]
        assert "fetch this one by `--file`" in str(found[-1].fault)


@contextmanager
def sftp_server(root: Path, host_key: asyncssh.SSHKey, client: asyncssh.SSHKey) -> Iterator[int]:
    """Serve a folder by the library's own server on loopback; give its port."""
    ready, ports = Event(), list[int]()
    loop = asyncio.new_event_loop()

    async def serve() -> asyncssh.SSHAcceptor:
        allowed = asyncssh.import_authorized_keys(client.export_public_key().decode())
        server = await asyncssh.listen(
            "127.0.0.1", 0,
            server_host_keys=[host_key],
            authorized_client_keys=allowed,
            sftp_factory=lambda channel: asyncssh.SFTPServer(channel, chroot=str(root)),
        )  # fmt: skip
        ports.append(server.get_port())
        ready.set()
        return server

    thread = Thread(target=loop.run_forever)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(serve(), loop).result(PATIENCE_SECONDS)
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(server.close)
        asyncio.run_coroutine_threadsafe(server.wait_closed(), loop).result(PATIENCE_SECONDS)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def keys() -> dict[str, asyncssh.SSHKey]:
    return {name: asyncssh.generate_private_key("ssh-ed25519") for name in ("host", "we", "other")}


def name_server(data: Path, port: int, host: asyncssh.SSHKey, ours: asyncssh.SSHKey) -> None:
    key = data / "sftp.key"
    key.unlink(missing_ok=True)
    key.touch(0o600)
    key.write_bytes(ours.export_private_key())
    pinned = " ".join(host.export_public_key().decode().split()[:2])
    (data / "statement-sources.toml").write_text(
        f'[wallet]\nissuer = "wallet"\nfolder = "/"\nfiles = "*.csv"\nsettle_seconds = 0.05\n'
        f'host = "127.0.0.1"\nport = {port}\nuser = "clerk"\nkey = "sftp.key"\n'
        f'host_key = "{pinned}"\ntimeout_seconds = 10\n'
    )


def test_an_sftp_server_is_fetched_once_and_nothing_is_changed_on_it(
    data: Path, there: Path, keys: dict[str, asyncssh.SSHKey]
) -> None:
    with sftp_server(there, keys["host"], keys["we"]) as port:
        name_server(data, port, keys["host"], keys["we"])
        require_fetched_once(data, there)


@pytest.mark.parametrize(
    ("host", "ours", "why"),
    [
        ("other", "we", "another key than `host_key`"),
        ("host", "other", "refuses user 'clerk'"),
    ],
)
def test_another_host_key_or_a_foreign_key_ends_before_any_file(
    data: Path, there: Path, keys: dict[str, asyncssh.SSHKey], host: str, ours: str, why: str
) -> None:
    with sftp_server(there, keys["host"], keys["we"]) as port:
        name_server(data, port, keys[host], keys[ours])
        rows = fetch(data)
    assert states(rows) == {"": "failed"}
    assert why in rows[""]["faults"][0]


def test_a_silent_server_and_an_open_key_are_faults_of_their_source(
    data: Path, keys: dict[str, asyncssh.SSHKey]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        name_server(data, silent.getsockname()[1], keys["host"], keys["we"])
        file = data / "statement-sources.toml"
        file.write_text(file.read_text().replace("timeout_seconds = 10", "timeout_seconds = 0.5"))
        assert "no answer within 0.5 s" in fetch(data)[""]["faults"][0]
        (data / "sftp.key").chmod(0o644)
        assert "sftp.key" in fetch(data)[""]["faults"][0]
