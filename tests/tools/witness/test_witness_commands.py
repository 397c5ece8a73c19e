"""``witness``: made, told what to watch, run and looked at, as a regulator does it."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)

from ledger.core.errors import AvailabilityError
from ledger.tlog.cosigning import CosignerKey
from ledger.tlog.notes import Note
from ledger.tlog.policy import Policy
from tests.children import child
from tests.tools.cli_cases import PROGRAM, ROOT, SECONDS_MAX, run_here
from tests.tools.cli_cases import run as program
from tests.tools.witness_cases import FORK, LOG, STRANGER, TRUE
from tools.practice.certificates import write_practice_certificates
from tools.witness.web import _trusted, send_request

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = run_here("witness", "init", str(tmp_path / "w"), "--name", "w.example/1", data=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "witness w.example/1 w.example/1+" in made.stdout
    assert made.stdout.rstrip().endswith(" https://w.example")
    added = run_here("witness", "add", str(tmp_path / "w"), LOG.public.text, data=tmp_path)
    assert added.stdout.strip() == (
        "The witness watches casino.example/live; keys that may sign for it: 1."
    )
    return tmp_path / "w"


def test_a_witness_is_made_in_three_commands(folder: Path) -> None:
    command = [*PROGRAM, "--json", "witness", "run", str(folder), "--listen", "127.0.0.1:0"]
    with child(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        url = json.loads(running.stdout.readline())["text"].split()[-1]
        bodies = (TRUE.submission(0, 5), TRUE.submission(5, 7), FORK.submission(7, 7))
        answers = [
            send_request(f"{url}/add-checkpoint", body, seconds=30, bytes_max=1 << 16).status
            for body in bodies
        ]
        assert answers == [200, 200, 422]
        told = json.loads(running.stdout.readline())["text"]
        assert told.startswith("casino.example/live signed two histories: the proof is ")
    shown = run_here("witness", "status", str(folder), "--json", data=folder)
    found = json.loads(shown.stdout)
    assert (shown.returncode, len(found["misconduct"])) == (1, 1)
    assert [(one["log"], one["size"]) for one in found["logs"]] == [("casino.example/live", 7)]
    spoken = run_here("witness", "status", str(folder), data=folder)
    [proof] = found["misconduct"]
    assert f"PROOF OF MISCONDUCT: {proof}" in "".join(spoken.stdout.split("\n"))
    checked = run_here("witness", "check", proof, LOG.public.text, "--json", data=folder)
    assert json.loads(checked.stdout)["sizes"] == [7, 7]
    spoken = run_here("witness", "check", proof, LOG.public.text, data=folder)
    assert "casino.example/live signed two histories" in spoken.stdout
    other = run_here("witness", "check", proof, STRANGER.public.text, data=folder)
    assert other.returncode == 3
    assert "not signed by a key of its log" in other.stderr


def test_a_witness_cosigns_with_every_key_that_it_has(folder: Path) -> None:
    """A key of ML-DSA-44 is added to a witness; what it cosigned before stays known."""
    init = ("witness", "init", str(folder), "--algorithm", "ml-dsa-44", "--name")
    other = run_here(*init, "other.example", data=folder)
    assert (other.returncode, "a key has its name" in other.stderr) == (2, True)
    assert run_here(*init, "w.example/1", data=folder).returncode == 0
    assert "is not empty" in run_here(*init, "w.example/1", data=folder).stderr
    status = run_here("witness", "status", str(folder), "--json", data=folder)
    keys = [CosignerKey.parse(key) for key in json.loads(status.stdout)["keys"]]
    assert [key.algorithm.name for key in keys] == ["Ed25519", "ML-DSA-44"]
    command = [*PROGRAM, "--json", "witness", "run", str(folder), "--listen", "127.0.0.1:0"]
    with child(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        url = json.loads(running.stdout.readline())["text"].split()[-1]
        body = TRUE.submission(0, 5)
        answer = send_request(f"{url}/add-checkpoint", body, seconds=30, bytes_max=1 << 16).body
    note = Note.parse(f"{TRUE.note(5).text}\n{answer.decode()}")
    names = {"one": keys[0], "two": keys[1]}
    lines = "".join(f"witness {name} {key.text}\n" for name, key in names.items())
    policy = Policy.parse(f"{lines}group both all one two\nquorum both\n")
    assert policy.is_met(policy.cosigned(note))


def test_a_witness_speaks_https_with_a_certificate(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_practice_certificates(tmp_path / "tls", ["127.0.0.1"], [])
    named = {path.name: str(path) for path in files}
    key = named["writer.pem"]
    options = ("--tls-cert", named["writer.crt"], "--tls-key", key)
    run = ("witness", "run", str(folder), "--listen", "127.0.0.1:0")
    with child([*PROGRAM, *options, *run], cwd=ROOT, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        url = running.stderr.readline().split()[-1]
        assert url.startswith("https://127.0.0.1:")
        with pytest.raises(AvailabilityError, match="certificate verify failed"):
            send_request(url, seconds=30, bytes_max=1 << 16)
        monkeypatch.setenv("SSL_CERT_FILE", named["ca.crt"])
        _trusted.cache_clear()
        assert send_request(url, seconds=30, bytes_max=1 << 16).status == 404
        _trusted.cache_clear()
        running.send_signal(signal.SIGTERM)
        assert running.wait(SECONDS_MAX) == 0


def test_a_certificate_that_can_not_be_shown_is_named_before_the_port_opens(
    folder: Path, tmp_path: Path
) -> None:
    files = write_practice_certificates(tmp_path / "tls", ["127.0.0.1"], [])
    named = {path.name: str(path) for path in files}
    run = ("witness", "run", str(folder), "--listen", "127.0.0.1:0")
    encrypted = tmp_path / "encrypted.pem"
    key = load_pem_private_key((tmp_path / "tls" / "writer.pem").read_bytes(), None)
    secret = BestAvailableEncryption(b"secret")
    encrypted.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, secret))
    encrypted.chmod(0o600)
    for certificate, private, cause in (
        (named["ca.crt"], named["writer.pem"], "holds no certificate and key in PEM"),
        ("/etc/passwd", named["writer.pem"], "holds no certificate and key in PEM"),
        (named["writer.crt"], str(encrypted), "is encrypted: give one without a passphrase"),
    ):
        words = ("--tls-cert", certificate, "--tls-key", private, *run)
        done = program(*words, data=folder)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
        assert cause in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (("run", "{0}", "--listen", "unix:/x"), 2, "is no place for HTTP"),
        (("run", "{0}", "--listen", "256.0.0.1:1"), 4, "can't be listened at"),
        (("run", "{0}-x"), 2, "holds no witness: make one with `gameledger witness init`"),
        (
            ("init", "{0}", "--name", "w"),
            2,
            "is not empty, and a witness begins in a folder of its",
        ),
        (("add", "{0}", "nonsense"), 2, "a public key is"),
        (("add", "{0}-x", "KEY"), 2, "holds no witness"),
        (("status", "{0}-x"), 2, "holds no witness"),
        (("check", "{0}/witness.key", "KEY"), 2, "a proof of misconduct is"),
        (("check", "{0}-x", "KEY"), 2, "can't be read"),
    ],
)
def test_what_can_not_be_is_told(
    folder: Path, words: tuple[str, ...], code: int, cause: str
) -> None:
    given = [word.replace("KEY", LOG.public.text).format(folder) for word in words]
    done = run_here("witness", *given, data=folder)
    assert done.returncode == code
    assert cause in " ".join(done.stderr.split())


def test_a_lost_memory_ends_the_program(folder: Path) -> None:
    (folder / "state.sqlite").unlink()
    for words in (("run",), ("status",), ("add",)):
        key = [LOG.public.text] if words == ("add",) else []
        done = run_here("witness", *words, str(folder), *key, data=folder)
        assert done.returncode == 3
        assert "is gone: restore it from a copy" in " ".join(done.stderr.split())
