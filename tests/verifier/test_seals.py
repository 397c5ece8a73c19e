"""Seals of checkpoints: this program, the stand-alone verifier and OpenSSL agree."""

from __future__ import annotations

import json
import os
import subprocess
import time
from base64 import b64decode, b64encode
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from msgspec.structs import replace

import schemas
from ledger.core.clock import DAY, MINUTE
from ledger.core.errors import InputError, IntegrityError
from ledger.events import event_types as e
from ledger.log.checkpoints import checkpoints, last_seal
from ledger.tlog.seals import parse_seal, require_issuer
from tests.ledger.chain_cases import published
from tests.ledger.log.test_tiles import SignedLog
from tests.seal_authority import SealAuthority
from tests.stamp_authority import OPENSSL
from tests.verifier.verifier_cases import Verdict, code_of, theirs, write_log
from tools.witness.attestations import attestations_of
from tools.witness.sealing import seal_note

if TYPE_CHECKING:
    from collections.abc import Callable

VECTORS = Path(__file__).parents[2] / "docs" / "seal-vectors.json"
KINDS = ("ecdsa", "rsa")
FLIPS = 150
"""Bits of each seal; all of them in a search."""


class SealedLog(SignedLog):
    """A log whose checkpoints are sealed."""

    def __init__(self) -> None:
        super().__init__()
        self.chain.moment = time.time_ns() // 1000
        self.add(published(schemas.newest()["CheckpointSealed"]))

    def seal(
        self, authority: SealAuthority, name: str, note: str = "", minutes: int = 0
    ) -> e.CheckpointSealed:
        note = note or self.sign()
        folder = authority.folder
        now = self.chain.moment + minutes * MINUTE
        seal = seal_note(note.encode(), str(folder / f"{name}.key"), folder / f"{name}.pem", now)
        found = parse_seal(seal, note.encode())
        size = next(checkpoints(self.log)).size
        event = e.CheckpointSealed(
            size=size, sealed_at=found.sealed_at, certificate=found.digest, seal=seal
        )
        self.add(event)
        return event


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> SealAuthority:
    found = SealAuthority(tmp_path_factory.mktemp("authority"))
    for kind in KINDS:
        found.issue(kind, kind)
    return found


def verdict(log: SignedLog, ca: x509.Certificate | None = None) -> Verdict:
    """Return what this program finds of the seals of a log."""
    authorities = None if ca is None else [ca]
    try:
        found = attestations_of(log.log, None, None, authorities=authorities)
    except IntegrityError as error:
        return Verdict(code_of(error), error.position)
    is_missing = authorities is not None and found.sealed is not found.last
    return Verdict(int(is_missing), None, (found.seal.signer.digest.hex() if found.seal else "",))


def agreed(folder: Path, log: SignedLog, authority: SealAuthority | None = None) -> Verdict:
    """Return what both verifiers find, which is the same."""
    ours = verdict(log, authority.certificate if authority else None)
    write_log(folder, list(log.log.read()))
    words = ("--seal-ca", authority.path) if authority else ()
    found = theirs("log", folder, *words)
    assert (found.code, found.where) == (ours.code, ours.where)
    return ours


@pytest.mark.parametrize("kind", KINDS)
def test_openssl_accepts_a_seal_of_either_algorithm(
    authority: SealAuthority, tmp_path: Path, kind: str
) -> None:
    log = SealedLog()
    event = log.seal(authority, kind)
    note = str(next(checkpoints(log.log)).log_note)
    (tmp_path / "note").write_text(note)
    (tmp_path / "seal").write_bytes(event.seal)
    command = [OPENSSL, "cms", "-verify", "-binary", "-inform", "DER", "-in", "seal"]
    command += ["-content", "note", "-CAfile", str(authority.path), "-purpose", "any"]
    done = subprocess.run(  # noqa: S603 - OpenSSL of this machine
        command, cwd=tmp_path, check=False, capture_output=True
    )
    assert (done.returncode, done.stdout.decode()) == (0, note), done.stderr
    assert agreed(tmp_path / "log", log, authority).code == 0
    (tmp_path / "note").write_text(note + "\n")
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)  # noqa: S603
    assert done.returncode != 0


@pytest.mark.law("2025/2531 REQ-7.5-05")
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_judges_agree_over_every_flipped_bit(
    authority: SealAuthority, tmp_path: Path, kind: str
) -> None:
    log = SealedLog()
    event = log.seal(authority, kind)
    note = str(next(checkpoints(log.log)).log_note).encode()
    (tmp_path / "note").write_bytes(note)
    bits = range(8 * len(event.seal))
    if not os.environ.get("GAMELEDGER_SEARCH"):
        bits = Random(kind).sample(bits, FLIPS)
    for bit in bits:
        damaged = bytearray(event.seal)
        damaged[bit // 8] ^= 1 << bit % 8
        (tmp_path / "seal").write_bytes(damaged)
        try:
            found = parse_seal(bytes(damaged), note).digest.hex()
        except InputError:
            found = ""
        other = theirs("checkpoint", tmp_path / "note", "--seal", tmp_path / "seal")
        assert (other.code == 3) == (not found), f"bit {bit}"
        assert found == "", f"bit {bit} can be changed"


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (lambda event: replace(event, seal=event.seal[:-1]), "false seal"),
        (lambda event: replace(event, seal=event.seal + b"\0"), "false seal"),
        (lambda event: replace(event, certificate=bytes(32)), "another moment or certificate"),
        (lambda event: replace(event, sealed_at=event.sealed_at + 1), "another moment"),
        (lambda event: replace(event, size=event.size - 1), "never signed"),
    ],
)
def test_a_false_seal_is_named_by_its_position(
    authority: SealAuthority,
    tmp_path: Path,
    change: Callable[[e.CheckpointSealed], e.CheckpointSealed],
    cause: str,
) -> None:
    log = SealedLog()
    log.add(change(log.seal(authority, "ecdsa")))
    with pytest.raises(IntegrityError, match=cause):
        list(checkpoints(log.log))
    assert agreed(tmp_path / "log", log) == Verdict(3, log.chain.head.size - 1)


def test_a_seal_of_another_checkpoint_is_false(authority: SealAuthority, tmp_path: Path) -> None:
    log = SealedLog()
    note = log.sign()
    log.sign()
    log.seal(authority, "rsa", note)
    assert agreed(tmp_path / "log", log).code == 3


@pytest.mark.parametrize("minutes", [-3, 0, 3])
def test_the_clock_of_a_seal_fits_the_record(
    authority: SealAuthority, tmp_path: Path, minutes: int
) -> None:
    log = SealedLog()
    log.seal(authority, "ecdsa", minutes=minutes)
    assert agreed(tmp_path / "log", log).code == (3 if minutes else 0)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({}, 0),
        ({"days": (-9, -1)}, 1),
        ({"days": (1, 20)}, 1),
        ({"is_ca": True}, 1),
        ({"signs": False}, 1),
        ({"extensions": [x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3"), b"")]}, 1),
    ],
)
def test_the_issuer_and_the_use_of_a_certificate_are_judged_alike(
    tmp_path: Path, options: dict[str, Any], code: int
) -> None:
    authority = SealAuthority(tmp_path / "authority")
    authority.issue("operator", **options)
    log = SealedLog()
    log.seal(authority, "operator")
    assert agreed(tmp_path / "log", log).code == 0
    assert agreed(tmp_path / "with", log, authority).code == code
    other = SealAuthority(tmp_path / "other")
    assert agreed(tmp_path / "stranger", log, other).code == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"kind": "p384", "digest": hashes.SHA384()}, 0),
        ({"kind": "rsa", "digest": hashes.SHA512()}, 0),
        ({"digest": hashes.SHA512()}, 1),
        ({"kind": "p521"}, 1),
        ({"kind": "brainpool"}, 1),
        ({"kind": "rsa1024"}, 1),
        ({"extensions": [x509.NameConstraints([x509.DNSName("a.example")], None)]}, 1),
    ],
)
def test_the_algorithm_of_an_authority_is_judged_alike(
    tmp_path: Path, options: dict[str, Any], code: int
) -> None:
    authority = SealAuthority(tmp_path / "authority", **options)
    authority.issue("operator")
    log = SealedLog()
    log.seal(authority, "operator")
    assert agreed(tmp_path / "log", log, authority).code == code


def test_a_certificate_is_changed_in_one_chain(authority: SealAuthority, tmp_path: Path) -> None:
    """The old seal holds after its certificate has ended; the new one seals from then on."""
    old = SealAuthority(tmp_path / "old")
    _, certificate = old.issue("first", days=(-300, 30))
    log = SealedLog()
    log.seal(old, "first")
    ends = last_seal(log.log)
    assert ends is not None
    assert ends.certificate == certificate
    log.chain.moment += 20 * DAY
    log.seal(authority, "rsa")
    log.chain.moment += 20 * DAY
    both = tmp_path / "both.pem"
    both.write_bytes(old.path.read_bytes() + authority.path.read_bytes())
    given = [old.certificate, authority.certificate]
    assert attestations_of(log.log, None, None, authorities=given).sealed is not None
    for one in checkpoints(log.log):
        for seal in one.seals:
            require_issuer(seal.signer.certificate, given, seal.recorded_at)
    with pytest.raises(IntegrityError, match="in force from"):
        require_issuer(certificate, given, log.chain.moment)
    folder = write_log(tmp_path / "log", list(log.log.read()))
    assert theirs("log", folder, "--seal-ca", both).code == 0
    assert theirs("log", folder, "--seal-ca", old.path).code == 1


def test_the_published_vectors_hold(tmp_path: Path) -> None:
    """Seals made once; both verifiers judge them as they are described."""
    for number, case in enumerate(json.loads(VECTORS.read_text())):
        folder = tmp_path / str(number)
        folder.mkdir()
        note, seal = case["note"].encode(), b64decode(case["seal"])
        (folder / "note").write_bytes(note)
        (folder / "seal").write_bytes(seal)
        (folder / "ca.pem").write_text(case["authority"])
        try:
            signer = parse_seal(seal, note)
            authority = x509.load_pem_x509_certificate(case["authority"].encode())
            require_issuer(signer.certificate, [authority], signer.sealed_at)
            code = 0
        except (InputError, IntegrityError):
            code = 3
        words = ("--seal", folder / "seal", "--seal-ca", folder / "ca.pem")
        found = theirs("checkpoint", folder / "note", *words)
        assert (case["name"], code) == (case["name"], case["code"])
        # Without --key the signature of the log is not checked: 1.
        assert found.code == (case["code"] or 1)


def write_vectors() -> None:
    """Write the vectors again, when the form of seals changes: they have keys of their own."""
    cases = []
    with TemporaryDirectory() as folder:
        authority = SealAuthority(Path(folder) / "a")
        other = SealAuthority(Path(folder) / "b")
        for kind in KINDS:
            authority.issue(kind, kind)
            log = SealedLog()
            event = log.seal(authority, kind)
            note = str(next(checkpoints(log.log)).log_note)
            signature = bytearray(event.seal)
            signature[-1] ^= 1
            for name, text, seal, ca, code in (
                ("good", note, event.seal, authority, 0),
                ("other note", note.replace("/live", "/life", 1), event.seal, authority, 3),
                ("signature", note, bytes(signature), authority, 3),
                ("cut", note, event.seal[:-1], authority, 3),
                ("longer", note, event.seal + b"\0", authority, 3),
                ("other authority", note, event.seal, other, 3),
            ):
                facts = {"name": f"{kind}: {name}", "code": code, "note": text}
                facts |= {"seal": b64encode(seal).decode(), "authority": ca.path.read_text()}
                cases.append(facts)
    VECTORS.write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    write_vectors()
