"""Seals: made so that OpenSSL takes them, opened, and whatever is wrong with them is named."""

from __future__ import annotations

import pickle
import random
import subprocess
import time
from contextlib import suppress
from dataclasses import replace
from shutil import which
from typing import TYPE_CHECKING

import pytest
from asn1crypto import cms, parser
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, pkcs12

from ledger.core.clock import DAY, SystemClock
from ledger.core.errors import AuthorizationError, InputError
from projections.packages.cz import seal as seal_module
from projections.packages.cz.faults import Code
from projections.packages.cz.pack import pack
from projections.packages.cz.seal import (
    CMS_BOUNDS,
    _encrypt,
    _open,
    _sign,
    certificates_in,
    open_sealed,
    seal,
)
from projections.packages.keys import read_certificates, read_key, read_passphrase
from projections.packages.results import SealError
from projections.packages.trust import Trust
from tests.projections.packages.package_cases import NAME, write_package
from tests.projections.packages.seal_certificates import root, vouched, write_certificate, write_key
from tests.search import amount, sample
from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    from projections.packages.keys import KeyPair

CONTENT = bytes(range(256)) * 40
SET = 17
"""Tag of a set in ASN.1."""


class Later:
    """A clock that is two years ahead."""

    def now(self) -> int:
        """Tell the moment."""
        return SystemClock().now() + 730 * DAY


@pytest.fixture(scope="module")
def operator() -> KeyPair:
    return vouched("operator")


@pytest.fixture(scope="module")
def authority() -> KeyPair:
    return vouched("authority")


@pytest.fixture(scope="module")
def trust() -> Trust:
    return Trust((root().certificate,))


@pytest.fixture(scope="module")
def sealed(operator: KeyPair, authority: KeyPair) -> bytes:
    return seal(CONTENT, operator, [authority.certificate, operator.certificate])


def _openssl(folder: Path, *arguments: str) -> bytes:
    """Ask the independent judge."""
    program = which("openssl")
    assert program is not None, "these tests need the command line of OpenSSL: install openssl"
    done = subprocess.run(  # noqa: S603 - arguments are those of the tests
        [program, "cms", *arguments], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_openssl_verifies_and_decrypts_what_we_seal(
    tmp_path: Path, sealed: bytes, authority: KeyPair, operator: KeyPair
) -> None:
    write_certificate(tmp_path, "root", root())
    (tmp_path / "sealed").write_bytes(sealed)
    envelope = _openssl(
        tmp_path,
        *("-verify", "-cades", "-binary", "-inform", "DER", "-in", "sealed"),
        *("-CAfile", "root.crt", "-purpose", "any"),
    )
    (tmp_path / "envelope").write_bytes(envelope)
    for name, pair in (("authority", authority), ("operator", operator)):
        certificate, key = write_certificate(tmp_path, name, pair), write_key(tmp_path, name, pair)
        content = _openssl(
            tmp_path,
            *("-decrypt", "-binary", "-inform", "DER", "-in", "envelope"),
            *("-recip", str(certificate), "-inkey", str(key)),
        )
        assert content == CONTENT


def test_algorithms_and_attributes_are_those_of_the_interface(
    tmp_path: Path, sealed: bytes
) -> None:
    (tmp_path / "sealed").write_bytes(sealed)
    shown = _printed(tmp_path, "sealed")
    for attribute in (
        "1.2.840.113549.1.9.3",
        "1.2.840.113549.1.9.4",
        "1.2.840.113549.1.9.5",
        "1.2.840.113549.1.9.52",
        "1.2.840.113549.1.9.16.2.47",
    ):
        assert f"({attribute})" in shown
    assert "sha256WithRSAEncryption" in shown
    assert shown.count("version: 1") == 2, "one SignedData, one signer"
    assert shown.count("CN=Test Root") >= 2, "the chain is inside"
    envelope = _openssl(
        tmp_path, "-verify", "-noverify", "-binary", "-inform", "DER", "-in", "sealed"
    )
    (tmp_path / "envelope").write_bytes(envelope)
    shown = _printed(tmp_path, "envelope")
    assert "aes-256-cbc" in shown
    assert shown.count("rsaEncryption (1.2.840.113549.1.1.1)") == 2
    assert shown.count("d.issuerAndSerialNumber") == 2


def _printed(folder: Path, name: str) -> str:
    return _openssl(folder, "-cmsout", "-print", "-noout", "-inform", "DER", "-in", name).decode()


def test_we_open_what_openssl_seals(
    tmp_path: Path, operator: KeyPair, authority: KeyPair, trust: Trust
) -> None:
    """The authority's own instructions use this command line; confirmations come so."""
    (tmp_path / "content").write_bytes(CONTENT)
    write_certificate(tmp_path, "operator", operator)
    write_certificate(tmp_path, "authority", authority)
    write_key(tmp_path, "authority", authority)
    _openssl(
        tmp_path,
        *("-encrypt", "-binary", "-aes-256-cbc", "-outform", "DER", "-in", "content"),
        *("-out", "envelope", "operator.crt"),
    )
    _openssl(
        tmp_path,
        *("-sign", "-cades", "-binary", "-nodetach", "-md", "sha256", "-outform", "DER"),
        *("-in", "envelope", "-signer", "authority.crt", "-inkey", "authority.pem"),
        *("-out", "sealed"),
    )
    opened = open_sealed((tmp_path / "sealed").read_bytes(), operator, trust)
    assert opened.content == CONTENT
    assert opened.signer == "CN=Test authority,C=CZ"


def test_every_recipient_opens_it(
    sealed: bytes, operator: KeyPair, authority: KeyPair, trust: Trust
) -> None:
    for reader in (operator, authority):
        opened = open_sealed(sealed, reader, trust)
        assert opened.content == CONTENT
        assert opened.signer == "CN=Test operator,C=CZ"
        assert opened.signed_at is not None
        assert abs(opened.signed_at - SystemClock().now()) < DAY


def test_tampering_anywhere_is_found(sealed: bytes, authority: KeyPair, trust: Trust) -> None:
    """A changed byte never opens to other content; most are named as the signature's fault."""
    codes, now = set(), SystemClock().now()
    for place in range(0, len(sealed), amount(777, 97)):
        changed = bytearray(sealed)
        changed[place] ^= 0x01
        try:
            opened = _open(bytes(changed), authority, trust, now)
        except SealError as error:
            codes.add(error.code.value)
        else:
            assert opened.content == CONTENT
    assert "ERR_PKG_SIG_INVALID_SIGNATURE" in codes
    assert {code for code in codes if not code.startswith("ERR_PKG_SIG_")} == set()


@pytest.mark.slow
def test_any_byte_of_the_structure_may_lie(
    sealed: bytes, authority: KeyPair, trust: Trust, operator: KeyPair
) -> None:
    """Lengths and tags that lie give the authority's words, outside and inside a good seal."""
    envelope = cms.ContentInfo.load(sealed)["content"]["encap_content_info"]["content"].native
    codes, now = set(), SystemClock().now()
    rest = random.Random(7)
    for place in sample(range(120), 10):
        changed = bytearray(sealed)
        changed[place] = rest.randrange(256)
        with suppress(SealError):
            _open(bytes(changed), authority, trust, now)
    for place in range(0, 110, amount(18, 2)):
        changed = bytearray(envelope)
        changed[place] ^= 0xFF
        again = _sign(bytes(changed), operator, SystemClock().now())
        try:  # a byte that nobody reads, such as the version, opens to the same content
            assert _open(again, authority, trust, now).content == CONTENT
        except SealError as error:
            codes.add(error.code.value)
    assert "ERR_PKG_ENC_INVALID_DER" in codes
    assert {code for code in codes if not code.startswith("ERR_PKG_ENC_")} == set()


def test_layers_in_the_wrong_order_are_named(
    sealed: bytes, authority: KeyPair, trust: Trust, operator: KeyPair
) -> None:
    envelope = cms.ContentInfo.load(sealed)["content"]["encap_content_info"]["content"].native
    around = _encrypt(sealed, [authority.certificate])
    for outside in (envelope, around):
        with pytest.raises(SealError, match="ERR_PKG_SIG_INVALID_DER"):
            open_sealed(outside, authority, trust)
    for inside in (CONTENT, sealed, b""):
        with pytest.raises(SealError, match=r"ERR_PKG_(ENC|SIG)_INVALID_DER"):
            open_sealed(_sign(inside, operator, SystemClock().now()), authority, trust)


def nested(depth: int) -> bytes:
    """Write sequences in sequences, in DER."""
    content = b""
    for _ in range(depth):
        size = len(content)
        length = bytes([size]) if size < 128 else b"\x84" + size.to_bytes(4, "big")
        content = b"\x30" + length + content
    return content


@pytest.mark.parametrize("content", [b"", b"no seal", CONTENT, nested(5_000)])
def test_what_is_no_seal_is_named(content: bytes, authority: KeyPair, trust: Trust) -> None:
    with pytest.raises(SealError, match="ERR_PKG_SIG_INVALID_DER"):
        open_sealed(content, authority, trust)


def test_a_seal_that_is_cut_off_is_named(sealed: bytes, authority: KeyPair, trust: Trust) -> None:
    with pytest.raises(SealError, match="ERR_PKG_SIG_INVALID_DER"):
        open_sealed(sealed[:-10], authority, trust)


def test_another_recipient_is_found(sealed: bytes, trust: Trust) -> None:
    with pytest.raises(SealError, match=r"ERR_PKG_ENC_RECIPIENT.*Test stranger"):
        open_sealed(sealed, vouched("stranger"), trust)


def test_an_unknown_authority_is_found(sealed: bytes, authority: KeyPair) -> None:
    with pytest.raises(SealError, match="ERR_PKG_SIG_CERT_UNTRUSTED"):
        open_sealed(sealed, authority, Trust((root("Other").certificate,)))


def test_a_seal_of_somebody_else_is_found(
    sealed: bytes, authority: KeyPair, operator: KeyPair
) -> None:
    roots = (root().certificate,)
    with pytest.raises(SealError, match="ERR_PKG_SIG_CERT_UNKNOWN"):
        open_sealed(sealed, authority, Trust(roots, (authority.certificate,)))
    assert open_sealed(sealed, authority, Trust(roots, (operator.certificate,))).content == CONTENT


def test_a_seal_out_of_date_is_found(sealed: bytes, authority: KeyPair, trust: Trust) -> None:
    with pytest.raises(SealError, match="ERR_PKG_SIG_CERT_UNTRUSTED"):
        open_sealed(sealed, authority, trust, clock=Later())


def test_nothing_is_sealed_with_or_for_a_certificate_out_of_date(
    operator: KeyPair, authority: KeyPair
) -> None:
    old = vouched("old", years_ago=3)
    with pytest.raises(InputError, match="name the one in force"):
        seal(CONTENT, old, [authority.certificate])
    with pytest.raises(InputError, match="name the one in force"):
        seal(CONTENT, operator, [old.certificate])


def test_the_root_of_a_chain_is_no_recipient(operator: KeyPair, authority: KeyPair) -> None:
    """A file with a chain must not let those read who issued the recipient's certificate."""
    with pytest.raises(InputError, match="issues certificates and is no recipient's"):
        seal(CONTENT, operator, [authority.certificate, root().certificate])


def test_a_package_is_sealed_for_somebody(operator: KeyPair) -> None:
    with pytest.raises(InputError, match="needs a recipient"):
        seal(CONTENT, operator, [])


def test_the_same_content_packs_to_the_same_bytes(tmp_path: Path) -> None:
    first = write_package(tmp_path / "a")
    second = write_package(tmp_path / "b")
    for file in sorted(second.iterdir(), reverse=True):
        file.write_bytes(file.read_bytes())
        file.chmod(0o600)
    packed = pack(first, tmp_path / "1")
    again = pack(second, tmp_path / "2")
    from_archive = pack(packed.path, tmp_path / "3")
    assert packed.path.name == f"{NAME}.zip"
    assert packed.path.read_bytes() == again.path.read_bytes() == from_archive.path.read_bytes()
    assert packed.digest == again.digest == from_archive.digest
    with pytest.raises(InputError, match="overwrite itself"):
        pack(packed.path, tmp_path / "1")


def test_keys_are_read_from_pem_and_pkcs12(tmp_path: Path, operator: KeyPair) -> None:
    certificate = write_certificate(tmp_path, "operator", operator)
    pem = read_key(write_key(tmp_path, "operator", operator), None)
    assert (pem.certificate, pem.chain) == (operator.certificate, operator.chain)
    path = tmp_path / "operator.p12"
    path.touch(mode=0o600)
    path.write_bytes(
        pkcs12.serialize_key_and_certificates(
            b"seal",
            operator.key,
            operator.certificate,
            list(operator.chain),
            BestAvailableEncryption(b"secret"),
        )
    )
    phrase = tmp_path / "phrase"
    phrase.touch(mode=0o600)
    phrase.write_text("secret\nnot this\n", encoding="utf-8")
    found = read_key(path, read_passphrase("UNSET", phrase))
    assert (found.certificate, found.chain) == (operator.certificate, operator.chain)
    with pytest.raises(InputError, match="passphrase"):
        read_key(path, b"wrong")
    assert read_certificates([certificate]) == (operator.certificate,)


def test_a_key_that_others_may_use_is_refused(tmp_path: Path, operator: KeyPair) -> None:
    path = write_key(tmp_path, "operator", operator)
    path.chmod(0o640)
    with pytest.raises(AuthorizationError, match="mode 640"):
        read_key(path, None)
    with pytest.raises(AuthorizationError, match="mode 640"):
        read_passphrase("UNSET", path)


def test_a_key_needs_its_certificate(tmp_path: Path, operator: KeyPair, authority: KeyPair) -> None:
    key = write_key(tmp_path, "operator", operator)
    key.write_bytes(key.read_bytes().partition(b"-----BEGIN CERT")[0])
    other = write_certificate(tmp_path, "authority", authority)
    with pytest.raises(InputError, match="no certificate for the key"):
        read_key(key, None, certificates=[other])
    own = write_certificate(tmp_path, "operator", operator)
    assert read_key(key, None, certificates=[own, other]).chain == (authority.certificate,)
    text = tmp_path / "text"
    text.touch(mode=0o600)
    text.write_text("no key", encoding="utf-8")
    with pytest.raises(InputError, match="can't be opened"):
        read_key(text, None)
    with pytest.raises(InputError, match="holds no certificate"):
        read_certificates([text])
    with pytest.raises(InputError, match="there is no such file"):
        read_certificates([tmp_path / "nothing"])


def test_reading_that_passes_a_bound_is_a_fault_of_the_seal(
    sealed: bytes,
    authority: KeyPair,
    trust: Trust,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The library is made to work by twenty thousand certificates."""
    monkeypatch.setattr(seal_module, "CMS_BOUNDS", CMS_BOUNDS._replace(seconds=1))
    info = cms.ContentInfo.load(sealed)
    certificates = info["content"]["certificates"]
    many = certificates.contents + 20_000 * certificates[0].dump()
    info["content"]["certificates"] = cms.CertificateSet.load(parser.emit(0, 1, SET, many))
    large = info.dump()
    begun = time.monotonic()
    for read in (lambda: open_sealed(large, authority, trust), lambda: certificates_in(large)):
        with pytest.raises(SealError, match="reading it takes more than") as found:
            read()
        assert found.value.code is Code.SIGNATURE_DER
    assert time.monotonic() - begun < PATIENCE_SECONDS


def test_a_key_pair_and_trust_reach_another_process_whole(operator: KeyPair, trust: Trust) -> None:
    for one in (operator, trust, replace(trust, seals=trust.roots, crls=(b"c",), ocsps=(b"o",))):
        again = pickle.loads(pickle.dumps(one))  # noqa: S301 - of this test
        assert pickle.dumps(again) == pickle.dumps(one)
