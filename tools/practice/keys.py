"""Practice keys and certificates for sealing: an authority of certificates, and two ends.

They are trusted nowhere else, as their names state. In production they come from a qualified
provider and from the authority's published parameters.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.durable import undoing
from projections.packages.keys import KeyPair

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = [
    "ENDS",
    "PUBLIC",
    "SECRET",
    "certificate_builder",
    "practice_pair",
    "write_new",
    "write_practice_keys",
]

ENDS = ("authority", "operator")
"""Who seals and reads; each gets ``<end>.pem`` (mode 600) and ``<end>.crt``."""

ROOT = "root"
BITS = 3_072
PUBLIC_EXPONENT = 65_537
VALID_DAYS = 30
SECRET, PUBLIC = 0o600, 0o644


def write_practice_keys(folder: Path) -> list[Path]:
    """Create all practice keys in a folder; return the files.

    Raises:
        InputError: a file exists already; keys are never overwritten.
        AvailabilityError: the folder can't be written.
    """
    root = practice_pair(ROOT)
    contents = {f"{ROOT}.crt": (root.certificate.public_bytes(Encoding.PEM), PUBLIC)}
    for end in ENDS:
        pair = practice_pair(end, root)
        key = pair.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        chain = [one.public_bytes(Encoding.PEM) for one in (pair.certificate, *pair.chain)]
        contents[f"{end}.pem"] = (b"".join([key, *chain]), SECRET)
        contents[f"{end}.crt"] = (chain[0], PUBLIC)
    return write_new(folder, contents)


def write_new(folder: Path, contents: Mapping[str, tuple[bytes, int]]) -> list[Path]:
    """Write files that are not there yet; ``contents`` gives bytes and mode by name.

    Raises:
        InputError: a file is there already; keys are never overwritten.
        AvailabilityError: the folder can't be written.
    """
    paths = [folder / name for name in contents]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with undoing() as created:
            for path, (content, mode) in zip(paths, contents.values(), strict=True):
                descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
                created(path)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
    except FileExistsError as error:
        raise InputError(
            f"{error.filename} exists: a key is never overwritten, name another folder"
        ) from error
    except OSError as error:
        raise AvailabilityError(f"keys can't be written to {folder}: {error}") from error
    return paths


def practice_pair(name: str, above: KeyPair | None = None) -> KeyPair:
    """Make a key and a certificate signed by the one above, or by itself, as a root is."""
    key = rsa.generate_private_key(PUBLIC_EXPONENT, BITS)
    chain = () if above is None else (above.certificate,)
    return KeyPair(key, _certificate(name, key, above), chain)


def _certificate(name: str, key: rsa.RSAPrivateKey, above: KeyPair | None) -> x509.Certificate:
    issuer = _name(name) if above is None else above.certificate.subject
    issuer_key = key if above is None else above.key
    begin = datetime.now(UTC) - timedelta(days=1)
    valid = (begin, begin + timedelta(days=VALID_DAYS))
    builder = certificate_builder(
        _name(name), key, issuer, issuer_key, is_root=above is None, valid=valid
    )
    return builder.sign(issuer_key, SHA256())


def certificate_builder(
    subject: x509.Name,
    key: rsa.RSAPrivateKey,
    issuer: x509.Name,
    issuer_key: rsa.RSAPrivateKey,
    *,
    is_root: bool,
    valid: tuple[datetime, datetime],
) -> x509.CertificateBuilder:
    """Begin a certificate of an authority, or of an end that seals; valid from one moment on."""
    usage = x509.KeyUsage(
        digital_signature=not is_root,
        content_commitment=not is_root,
        key_encipherment=not is_root,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=is_root,
        crl_sign=is_root,
        encipher_only=False,
        decipher_only=False,
    )
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(valid[0])
        .not_valid_after(valid[1])
        .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
    )


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"gameledger practice {name}")])
