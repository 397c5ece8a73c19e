"""Load certificates and private keys from files, for sealing, decryption and trust.

What comes in: PEM, DER or PKCS#12 files. What goes out: loaded certificates and key pairs.
Rejected: a private key that users other than its owner may access, a key that does not match its
certificate, and for packages any type of key but RSA, which the authority's interface requires. A
passphrase is read from the environment or from a file of mode 600, never from the command line.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
    load_pem_private_key,
    pkcs12,
)

from ledger.core.errors import InputError
from ledger.log.limited_call import CallLimits
from ledger.storage.named_files import read_bounded, reading
from ledger.storage.secret_files import read_secret

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "CMS_BOUNDS",
    "KeyPair",
    "read_any_key",
    "read_certificates",
    "read_key",
    "read_passphrase",
    "to_der",
]

CMS_BOUNDS = CallLimits(seconds=120, memory_bytes=8 << 30)
"""Limits of time and memory for reading foreign CMS; the largest sealed package takes half."""
FILE_BYTES_MAX = 1 << 20
PEM_MARK = b"-----BEGIN"


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A private key, its certificate, and the certificates of its issuers in the file."""

    key: RSAPrivateKey
    certificate: x509.Certificate
    chain: tuple[x509.Certificate, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, for :func:`ledger.log.limited_call.call_with_limits`."""
        key = self.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        return _key_pair, (key, *map(to_der, (self.certificate, *self.chain)))


def to_der(certificate: x509.Certificate) -> bytes:
    """Return a certificate in DER."""
    return certificate.public_bytes(Encoding.DER)


def _key_pair(key: bytes, *certificates: bytes) -> KeyPair:
    loaded = load_der_private_key(key, None)
    if not isinstance(loaded, RSAPrivateKey):
        raise TypeError("a key pair is of RSA")
    first, *chain = map(x509.load_der_x509_certificate, certificates)
    return KeyPair(loaded, first, tuple(chain))


def read_certificates(paths: Iterable[Path]) -> tuple[x509.Certificate, ...]:
    """Read all certificates of files, PEM (any number) or DER (one).

    Raises:
        InputError: a file contains none.
        AvailabilityError: it cannot be read.
    """
    found: list[x509.Certificate] = []
    for path in paths:
        found += _certificates(_read(path), path)
    return tuple(found)


def read_key(path: Path, passphrase: bytes | None, *, certificates: Iterable[Path] = ()) -> KeyPair:
    """Read an RSA key with its certificate, as :func:`read_any_key` does.

    Raises:
        AuthorizationError: users other than the owner may access the file.
        InputError: key and certificate do not match, or are not RSA, or the passphrase is wrong.
        AvailabilityError: a file cannot be read.
    """
    key, (own, *others) = read_any_key(path, passphrase, certificates=certificates)
    if not isinstance(key, RSAPrivateKey):
        raise InputError(f"the key {path} is not an RSA key, as the authority's interface asks for")
    return KeyPair(key, own, tuple(others))


def read_any_key(
    path: Path, passphrase: bytes | None, *, certificates: Iterable[Path] = ()
) -> tuple[RSAPrivateKey | EllipticCurvePrivateKey, list[x509.Certificate]]:
    """Read a private key with its certificate, from PKCS#12 or PEM.

    Args:
        path: the key; a PEM file may contain its certificate and the chain after it.
        passphrase: of the key, if it has one.
        certificates: more files with certificates, the key's own first.

    Returns:
        The key, its own certificate, and after that the others.

    Raises:
        AuthorizationError: users other than the owner may access the file.
        InputError: key and certificate do not match, or the passphrase is wrong.
        AvailabilityError: a file cannot be read.
    """
    content = _read(path, secret=True)
    others = list(read_certificates(certificates))
    try:
        if PEM_MARK in content:
            key: object = load_pem_private_key(content, passphrase)
            if b"CERTIFICATE-----" in content:
                others += _certificates(content, path)
        else:
            key, own, chain = pkcs12.load_key_and_certificates(content, passphrase)
            others += [one for one in (own, *chain) if one is not None]
    except (ValueError, TypeError) as error:
        text = f"the key {path} can't be opened: {error}"
        raise InputError(f"{text}; is it PEM or PKCS#12, and the passphrase right?") from error
    if not isinstance(key, RSAPrivateKey | EllipticCurvePrivateKey):
        raise InputError(f"the key {path} is neither an RSA key nor one of an elliptic curve")
    for one in others:
        if one.public_key() == key.public_key():
            return key, [one, *(other for other in others if other != one)]
    raise InputError(f"there is no certificate for the key {path}: name the file that holds it")


def read_passphrase(variable: str, path: Path | None) -> bytes | None:
    """Return the passphrase in a file's first line or else in the environment; None without both.

    Raises:
        AuthorizationError: users other than the owner may read the file.
        AvailabilityError: it cannot be read.

    """
    if path is not None:
        return _read(path, secret=True).split(b"\n")[0].removesuffix(b"\r")
    found = os.environ.get(variable)
    return found.encode() if found else None


def _certificates(content: bytes, path: Path) -> list[x509.Certificate]:
    try:
        if PEM_MARK in content:
            return x509.load_pem_x509_certificates(content)
        return [x509.load_der_x509_certificate(content)]
    except ValueError as error:
        raise InputError(f"{path} holds no certificate, PEM or DER: {error}") from error


def _read(path: Path, *, secret: bool = False) -> bytes:
    if not secret:
        return read_bounded(path, bytes_max=FILE_BYTES_MAX)
    with reading(path):
        return read_secret(path)
