"""``gameledger-client``: real writers and a real service, and nothing of ours in its process."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import tomllib
from base64 import b64decode, urlsafe_b64decode
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509 import load_der_x509_certificate
from gameledger_client import (
    AccessError,
    AsyncService,
    AsyncWriter,
    RequestError,
    Service,
    UnavailableError,
    Writer,
    _writer,
    verify_evidence,
)
from gameledger_client.seals import SealedWriter, SourceJournal

from ledger.core.clock import from_datetime
from ledger.events.encoding import decode
from ledger.events.event_types import SourceSealed
from ledger.log import SqliteLog
from ledger.tlog.source_seals import MARK_BYTES, mark_of
from ledger.verification.verify import verify
from tests.ledger.source_cases import source_pem
from tests.tools.cli_cases import ROOT, SECONDS_MAX, run, started
from tests.tools.writer_cases import ANY_PORT, free_port, serving
from tools.service.authentication import ClientAuthenticator
from tools.service.http.serving import HttpListener

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "01931f7a-0000-7000-8000-0000000000d1"
VERIFIER = ROOT / "verifier" / "target" / "release" / "gameledger-verify"


def deposit(name: str) -> dict[str, Any]:
    named = {"command": "deposit", "account": "a-1", "deposit": name, "method": "card-1"}
    return {**named, "amount": 1_000}


@pytest.fixture
def url(studio: Path) -> Iterator[str]:
    with closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http, serving(studio, http=http):
        yield http.url


def test_a_command_is_decided_once_whatever_is_repeated_and_wherever_it_is_sent(url: str) -> None:
    away = f"http://127.0.0.1:{free_port()}"
    with Writer([away, url]) as writer:
        receipt = writer.execute(deposit("d-1"), command_id=KEY)
        assert writer.execute(deposit("d-1"), command_id=KEY) == receipt
        assert receipt.refused is None
        assert receipt.events == ["DepositCredited"]
        bet = {"command": "place_bet", "bet": "q1-1", "account": "a-1", "round": "q1"}
        refused = writer.execute({**bet, "bet_code": "red", "stake": 10**9}).refused
        assert refused is not None
        assert refused.code
        with pytest.raises(RequestError, match="exists already"):
            writer.execute(deposit("d-1"))


def test_a_writer_that_was_stopped_does_not_keep_a_command_from_the_other(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its port still accepts connections and requests, as that of a stopped process does."""
    monkeypatch.setattr(_writer, "ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as stopped:
        away = f"http://127.0.0.1:{stopped.getsockname()[1]}"
        with Writer([away, url], seconds=SECONDS_MAX) as writer:
            assert writer.execute(deposit("d-1")).events == ["DepositCredited"]


def test_an_async_writer_sends_side_by_side(url: str) -> None:
    async def send() -> list[int]:
        async with AsyncWriter([url]) as writer:
            sent = (writer.execute(deposit(f"d-{number}")) for number in range(20))
            return [receipt.last_position for receipt in await asyncio.gather(*sent)]

    assert len(set(asyncio.run(send()))) == 20


def test_a_source_seals_what_it_sends_through_outages_and_restarts(
    studio: Path, tmp_path: Path
) -> None:
    def journal() -> SourceJournal:
        path, pem = tmp_path / "journal.sqlite", source_pem("studio")
        return SourceJournal(path, chain="test", system="studio", pem=pem)

    def sent(name: str) -> dict[str, Any]:
        return {**deposit(name), "source": "studio"}

    with closing(journal()) as lost:
        nowhere = Writer([f"http://127.0.0.1:{free_port()}"], seconds=0.3)
        with nowhere, SealedWriter(nowhere, lost) as away, pytest.raises(UnavailableError):
            away.execute(sent("d-1"))
    with (
        closing(HttpListener(ANY_PORT, ClientAuthenticator())) as http,
        serving(studio, http=http),
        closing(journal()) as kept,
        Writer([http.url], seconds=SECONDS_MAX) as writer,
    ):
        writer.execute(kept.registration("tables"))
        with SealedWriter(writer, kept, interval_minutes=0.002) as source:
            assert source.execute(sent("d-2"), command_id=KEY).events == ["DepositCredited"]
            assert source.execute(sent("d-2"), command_id=KEY).command_id == KEY
            with pytest.raises(RequestError):
                source.execute({**sent("d-3"), "amount": "much"})
            source.seal()
    with closing(SqliteLog(studio, writable=False)) as log:
        verify(log.read())
        sealed = [decode(body) for _, body in log.read()]
    seals = [one.event for one in sealed if isinstance(one.event, SourceSealed)]
    ids = [
        one.envelope.command_id
        for one in sealed
        if one.envelope.source.startswith("studio") and one.event.type != "SourceSealed"
    ]
    assert [(one.first_number, one.commands, one.is_last) for one in seals[:1]] == [(1, 1, True)]
    assert seals[-1].is_last
    marks = b"".join(one.marks for one in seals)
    assert len(marks) == 3 * MARK_BYTES, "what the writer could not decide is sealed, too"
    assert b"".join(map(mark_of, ids)) == marks[: 2 * MARK_BYTES]
    position = next(one.position for one in sealed if isinstance(one.event, SourceSealed))
    words = ("log", "export-source-seal", str(position), "--out", str(tmp_path / "seal.json"))
    exported = json.loads(run(*words, "--json", data=studio).stdout)
    written = json.loads((tmp_path / "seal.json").read_text())
    certificate = b64decode(*written["header"]["x5c"])
    assert (exported["system"], exported["position"]) == ("studio", position)
    assert exported["certificate"] == sha256(certificate).hexdigest()
    key = load_der_x509_certificate(certificate).public_key()
    assert isinstance(key, EllipticCurvePublicKey)
    raw = urlsafe_b64decode(written["signature"] + "==")
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    signed = f"{written['protected']}.{written['payload']}".encode()
    key.verify(der, signed, ECDSA(SHA256()))
    assert urlsafe_b64decode(written["payload"] + "==").startswith(
        b"gameledger-source-seal/v1\ntest\nstudio\n1 1\n"
    )
    refused = run("log", "export-source-seal", "0", data=studio)
    assert (refused.returncode, "no seal of a source" in refused.stderr) == (2, True)


def test_a_seal_that_is_sent_again_is_the_same_and_is_dated_within_the_certificate(
    tmp_path: Path,
) -> None:
    def journal(pem: bytes) -> SourceJournal:
        path = tmp_path / "journal.sqlite"
        return SourceJournal(path, chain="test", system="studio", pem=pem)

    with closing(journal(source_pem("studio"))) as first:
        for name in ("d-1", "d-2"):
            first.enter(deposit(name))
            first.close_interval()
        waiting = first.seals()
        first.recorded(1)
    with closing(journal(source_pem("studio"))) as again:
        assert again.seals() == waiting[1:]
    begins = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=1)
    with closing(journal(source_pem("studio", 8, begins=begins))) as renewed:
        time.sleep((begins - datetime.now(UTC)).total_seconds())
        renewed.enter(deposit("d-3"))
        renewed.close_interval()
        ((_, identifier, command),) = renewed.seals()
    assert identifier not in {one for _, one, _ in waiting}
    assert (command["first_number"], len(b64decode(command["marks"]))) == (2, 2 * MARK_BYTES)
    assert command["until"] >= from_datetime(begins)


def test_what_nobody_answers_ends_in_time() -> None:
    with (
        Writer([f"http://127.0.0.1:{free_port()}"], seconds=0.5) as writer,
        pytest.raises(UnavailableError, match=r"within 0\.5 s"),
    ):
        writer.execute(deposit("d-1"))


@pytest.mark.slow
def test_lists_and_evidence_are_read_from_a_service(studio: Path, tmp_path: Path) -> None:
    assert run("log", "checkpoint", data=studio).returncode == 0
    with started("serve", "--listen", "127.0.0.1:0", "--json", data=studio) as running:
        try:
            opened = json.loads(running.stdout.readline())
            _read(opened["address"], opened["token"], tmp_path / "evidence.html")
        finally:
            running.kill()
            running.wait(SECONDS_MAX)


def _read(address: str, token: str, file: Path) -> None:
    with Service(address, token=token, purpose="test", timeout=60) as service:
        (line,) = service.pages("/api/rounds", "rounds", limit=1)
        assert line["round"] == "q1"
        with pytest.raises(RequestError, match="404"):
            service.get("/api/rounds/none")
        service.download("/api/rounds/q1/evidence", file)
    assert not file.with_name("evidence.html.partial").exists()
    with Service(address, token="wrong") as stranger, pytest.raises(AccessError):  # noqa: S106
        stranger.get("/api/chain")

    async def rounds() -> list[str]:
        async with AsyncService(address, token=token, timeout=60) as service:
            return [one["round"] async for one in service.pages("/api/rounds", "rounds")]

    assert asyncio.run(rounds()) == ["q1"]
    if VERIFIER.exists():
        verdict = verify_evidence(file, program=str(VERIFIER))
        assert verdict.report["subject"]
    with pytest.raises(RequestError, match="not installed"):
        verify_evidence(file, program="no-such-verifier")


def test_it_needs_nothing_of_gameledger() -> None:
    code = (
        "import sys, gameledger_client; "
        "print([name for name in ('ledger', 'projections', 'schemas', 'tools') "
        "if name in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "client" / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
    project = tomllib.loads((ROOT / "client" / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {one.partition(">")[0] for one in project["project"]["dependencies"]}
    assert needed == {"httpx", "msgspec"}
