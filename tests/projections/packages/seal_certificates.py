"""Certificates for tests: a small authority that vouches, and those whom it vouches for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID

from projections.packages.keys import KeyPair
from tools.practice.keys import certificate_builder

if TYPE_CHECKING:
    from pathlib import Path

YEAR = timedelta(days=365)


def root(name: str = "Root") -> KeyPair:
    """Give an authority that vouches for itself."""
    return _root(name)


@cache
def _root(name: str) -> KeyPair:
    key = _key(name)
    return KeyPair(key, _certificate(name, key, name, key, is_root=True))


@cache
def vouched(name: str, by: str = "Root", *, years_ago: int = 0) -> KeyPair:
    """Give a key pair whose certificate an authority signed; long ago, it is out of date."""
    key, above = _key(name), root(by)
    certificate = _certificate(name, key, by, above.key, is_root=False, years_ago=years_ago)
    return KeyPair(key, certificate, (above.certificate,))


def write_certificate(folder: Path, name: str, pair: KeyPair) -> Path:
    """Write a certificate as PEM."""
    path = folder / f"{name}.crt"
    path.write_bytes(pair.certificate.public_bytes(Encoding.PEM))
    return path


def write_key(folder: Path, name: str, pair: KeyPair) -> Path:
    """Write key, certificate and chain as PEM, for the owner only."""
    path = folder / f"{name}.pem"
    path.touch(mode=0o600)
    key = pair.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    chain = [one.public_bytes(Encoding.PEM) for one in (pair.certificate, *pair.chain)]
    path.write_bytes(b"".join([key, *chain]))
    return path


@cache
def _key(_name: str) -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65_537, 2048)


def _certificate(
    name: str,
    key: rsa.RSAPrivateKey,
    issuer: str,
    issuer_key: rsa.RSAPrivateKey,
    *,
    is_root: bool,
    years_ago: int = 0,
) -> x509.Certificate:
    begin = datetime.now(UTC) - timedelta(days=1) - years_ago * YEAR
    builder = certificate_builder(
        _name(name), key, _name(issuer), issuer_key, is_root=is_root, valid=(begin, begin + YEAR)
    )
    if not is_root:
        responder = x509.UniformResourceIdentifier("http://ocsp.invalid/")
        named = x509.AccessDescription(AuthorityInformationAccessOID.OCSP, responder)
        builder = builder.add_extension(x509.AuthorityInformationAccess([named]), critical=False)
    return builder.sign(issuer_key, SHA256())


def _name(name: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.COUNTRY_NAME, "CZ"),
            x509.NameAttribute(NameOID.COMMON_NAME, f"Test {name}"),
        ]
    )
