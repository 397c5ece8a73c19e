"""Seals of sources: their bytes are those of docs/format.md, and other programs verify them."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64decode, urlsafe_b64decode
from hashlib import sha256
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.source_seals import SealStatement, SourceCertificate, SourceKey, mark_of
from tests.ledger.source_cases import source_pem

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "format.md").read_text(encoding="utf-8")
KEY = SourceKey.read(source_pem("studio"))
PUBLIC = SourceCertificate.read(KEY.certificate).public_key


def statement(commands: list[bytes], first: int = 1) -> SealStatement:
    return SealStatement.over(
        commands, chain="c", system="studio", first=first, until=1795219200000000, is_last=False
    )


def test_the_example_of_the_page_is_what_is_signed() -> None:
    table = PAGE.partition("The seal of commands")[2]
    example = dict(re.findall(r"^\| `?([\w -]+)`? \| `([0-9a-f]+)` \|$", table, re.MULTILINE))
    sealed = statement([b"\x01" * 16, b"\x02" * 16])
    assert sealed.digest.hex() == example["digest"]
    assert sealed.marks.hex() == example["marks"]
    assert sha256(sealed.text.encode()).hexdigest() == example["SHA-256 of the payload"]


def test_openssl_verifies_the_exported_form_with_its_certificate(tmp_path: Path) -> None:
    sealed = statement([b"\x01" * 16])
    exported = msgspec.json.decode(sealed.jws(KEY.certificate, KEY.sign(sealed)))
    header, payload = exported["protected"], exported["payload"]
    signature = exported["signature"]
    assert urlsafe_b64decode(payload + "==").decode() == sealed.text
    read = msgspec.json.decode(urlsafe_b64decode(header + "=="))
    assert read["alg"] == "ES256"
    assert read["iat"] == 1795219200
    thumbprint = sha256(KEY.certificate).digest()
    assert urlsafe_b64decode(read["x5t#S256"] + "==") == thumbprint
    raw = urlsafe_b64decode(signature + "==")
    der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    (tmp_path / "signature").write_bytes(der)
    (tmp_path / "signed").write_text(f"{header}.{payload}")
    (tmp_path / "certificate").write_bytes(b64decode(*exported["header"]["x5c"]))

    def openssl(*arguments: str) -> bytes:
        program = shutil.which("openssl") or "/usr/bin/openssl"
        return subprocess.check_output((program, *arguments), cwd=tmp_path)  # noqa: S603 - ours

    key = openssl("x509", "-inform", "DER", "-in", "certificate", "-pubkey", "-noout")
    (tmp_path / "key").write_bytes(key)
    verified = openssl("dgst", "-sha256", "-verify", "key", "-signature", "signature", "signed")
    assert verified == b"Verified OK\n"


@given(
    commands=st.lists(st.binary(min_size=16, max_size=16), max_size=5, unique=True),
    bit=st.integers(0, 64 * 8 - 1),
    first=st.integers(1, 10**15),
)
def test_a_signature_is_of_one_statement_and_one_key(
    commands: list[bytes], bit: int, first: int
) -> None:
    sealed = statement(commands, first)
    signature = KEY.sign(sealed)
    assert sealed.is_signed_by(PUBLIC, KEY.certificate, signature)
    assert sealed.commands == len(commands)
    assert sealed.marks == b"".join(map(mark_of, commands))
    damaged = bytearray(signature)
    damaged[bit // 8] ^= 1 << bit % 8
    others = (
        (sealed, PUBLIC, KEY.certificate, bytes(damaged)),
        (sealed, PUBLIC, KEY.certificate[:-1], signature),
        (sealed, PUBLIC[:-1], KEY.certificate, signature),
        (sealed, b"", b"", signature),
        (sealed, PUBLIC, KEY.certificate, signature[:-1]),
        (statement([*commands, bytes(16)], first), PUBLIC, KEY.certificate, signature),
        (statement(commands, first + 1), PUBLIC, KEY.certificate, signature),
    )
    assert not any(one.is_signed_by(*rest) for one, *rest in others)
