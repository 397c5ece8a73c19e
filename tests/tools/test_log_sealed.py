"""``log checkpoint`` with a seal, by a key in a file or a device: exported, verified, renewed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError
from tests.seal_authority import SealAuthority, new_key
from tests.stamp_authority import OPENSSL
from tests.tools.cli_cases import run_here
from tests.verifier.verifier_cases import asked
from tools.witness.sealing import PASSPHRASE, seal_note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MODULE = Path("/usr/lib/softhsm/libsofthsm2.so")
PIN = "4711"


@pytest.fixture
def authority(tmp_path: Path) -> SealAuthority:
    return SealAuthority(tmp_path / "authority")


def answer(data: Path, *words: str, code: int = 0) -> dict[str, Any]:
    done = run_here("log", *words, "--json", data=data)
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def sealing(authority: SealAuthority, name: str) -> Sequence[str]:
    folder = authority.folder
    return ("--seal-key", f"{folder}/{name}.key", "--seal-certificate", f"{folder}/{name}.pem")


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_a_sealed_checkpoint_is_exported_and_verified_by_others(
    studio: Path, tmp_path: Path, authority: SealAuthority, kind: str
) -> None:
    _, certificate = authority.issue("operator", kind)
    signed = answer(studio, "checkpoint", *sealing(authority, "operator"))
    assert signed["warnings"] == []
    ca = str(authority.path)
    found = answer(studio, "verify", "--seal-ca", ca)
    assert found["sealed"] == signed["size"]
    without = run_here("log", "verify", data=studio).stdout
    assert "CN=operator" in without
    assert "who issued the certificate was not checked" in " ".join(without.split())
    folder = tmp_path / "sealed"
    exported = answer(studio, "export-seal", str(folder))
    assert exported["certificate"] == found["seal_certificate"]
    command = [OPENSSL, "cms", "-verify", "-binary", "-inform", "DER", "-in", exported["seal"]]
    command += ["-content", exported["note"], "-CAfile", ca, "-purpose", "any"]
    done = subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - OpenSSL here
    assert (done.returncode, done.stdout) == (0, signed["note"].encode()), done.stderr
    other = asked("checkpoint", exported["note"], "--seal", exported["seal"], "--seal-ca", ca)
    assert json.loads(other.stdout)["seal_certificate"] == exported["certificate"]
    assert certificate.issuer.rfc4514_string() == "CN=Authority"


def test_a_certificate_is_renewed_before_it_ends(studio: Path, authority: SealAuthority) -> None:
    """A warning comes 45 days before; the next seal is by the new certificate."""
    assert answer(studio, "status", code=1)["seal_expires_at"] is None
    authority.issue("first", days=(-300, 30))
    answer(studio, "checkpoint", *sealing(authority, "first"))
    warnings = answer(studio, "status", code=1)["warnings"]
    assert [one for one in warnings if one.startswith("SEAL EXPIRES: ") and "CN=first" in one]
    authority.issue("second", "rsa")
    answer(studio, "checkpoint", *sealing(authority, "second"))
    assert answer(studio, "status")["warnings"] == []
    assert "CN=second" in run_here("log", "verify", data=studio).stdout
    stranger = SealAuthority(authority.folder / "stranger")
    found = answer(studio, "verify", "--seal-ca", str(stranger.path), code=1)
    assert (found["sealed"], found["seal_certificate"]) == (0, None)
    assert "none of the authorities given issued its certificate" in found["reservations"][0]


def test_a_checkpoint_without_its_seal_is_recorded_with_a_warning(
    studio: Path, authority: SealAuthority
) -> None:
    authority.issue("operator")
    authority.issue("old", days=(-9, -1))
    found = run_here("log", "export-seal", str(authority.folder / "none"), data=studio)
    assert (found.returncode, "no checkpoint is sealed" in found.stderr) == (2, True)
    signed = answer(studio, "checkpoint", *sealing(authority, "old"), code=1)
    assert signed["warnings"][0].startswith(
        "UNSEALED: the certificate of the seal is in force from"
    )
    words = sealing(authority, "operator")
    assert run_here("log", "checkpoint", *words[:2], data=studio).returncode == 2
    shutil.copy(authority.folder / "old.pem", authority.folder / "operator.pem")
    [warning] = answer(studio, "checkpoint", *words, code=1)["warnings"]
    assert "there is no certificate for the key" in warning


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A token of SoftHSM that is called ``ledger``; the template of the URI of its keys."""
    tool = shutil.which("softhsm2-util")
    if tool is None or not MODULE.exists():
        if os.environ.get("CI"):
            pytest.fail("SoftHSM is missing: apt-get install softhsm2")
        pytest.skip("SoftHSM is missing (apt-get install softhsm2): NO key in a device was tested")
    folder = tmp_path_factory.mktemp("tokens")
    settings = folder / "softhsm2.conf"
    settings.write_text(f"directories.tokendir = {folder}\n")
    new = ("--init-token", "--free", "--label", "ledger", "--pin", PIN, "--so-pin", "4712")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOFTHSM2_CONF", str(settings))  # a process reads it once
        subprocess.run([tool, *new], check=True, capture_output=True)  # noqa: S603 - SoftHSM here
        yield f"pkcs11:token=ledger;object={{name}}?module-path={MODULE}"


def put_into_token(file: Path, name: str) -> None:
    tool = shutil.which("softhsm2-util") or ""
    words = (
        "--import",
        file,
        "--token",
        "ledger",
        "--label",
        name,
        "--id",
        name.encode().hex(),
        "--pin",
        PIN,
    )
    subprocess.run([tool, *words], check=True, capture_output=True)  # noqa: S603 - SoftHSM here


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_a_key_in_a_device_seals(
    studio: Path, authority: SealAuthority, token: str, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    authority.issue("operator", kind)
    put_into_token(authority.folder / "operator.key", kind)
    monkeypatch.setenv(PASSPHRASE, PIN)
    certificate = str(authority.folder / "operator.pem")
    words = ("--seal-key", token.format(name=kind), "--seal-certificate", certificate)
    signed = answer(studio, "checkpoint", *words)
    assert signed["warnings"] == []
    assert answer(studio, "verify", "--seal-ca", str(authority.path))["sealed"] == signed["size"]


def test_what_is_wrong_with_a_device_is_named(
    authority: SealAuthority, token: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority.issue("operator")
    other = tmp_path / "other.key"
    encoded = new_key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    other.write_bytes(encoded)
    put_into_token(other, "other")
    certificate = authority.folder / "operator.pem"
    uri = token.format(name="other")

    def seal(uri: str) -> bytes:
        return seal_note(b"note", uri, certificate, 1_700_000_000_000_000)

    pin = tmp_path / "pin"
    pin.touch(mode=0o600)
    pin.write_text(f"{PIN}\n")
    with pytest.raises(InputError, match="signature of the seal is false"):
        seal(f"{uri}&pin-source=file:{pin}")
    for wrong, error, text in (
        (uri + "&pin-value=4711", InputError, "can be seen by other users"),
        ("pkcs11:object=a", InputError, "named pkcs11:token=NAME"),
        (token.format(name="none") + f"&pin-source=file:{pin}", AvailabilityError, "does not seal"),
        (uri.replace("token=ledger", "token=none"), AvailabilityError, "does not seal"),
        (uri + ".none", AvailabilityError, "does not seal"),
    ):
        with pytest.raises(error, match=text):
            seal(wrong)
    monkeypatch.setenv(PASSPHRASE, "0000")
    with pytest.raises(AuthorizationError, match="the PIN of the token ledger is wrong"):
        seal(uri)
