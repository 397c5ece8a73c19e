"""Practice certificates for a writer's TLS: an authority, a writer, and its clients.

The authority's key is deleted, so that no other certificate can be issued with it. In production
the operator's own authority issues the certificates.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from ledger.core.errors import InputError
from tools.practice.keys import PUBLIC, SECRET, write_new

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["write_practice_certificates"]

VALID_DAYS = 30
NAME_CHARACTERS_MAX = 64


def write_practice_certificates(
    folder: Path, hosts: Sequence[str], clients: Sequence[str]
) -> list[Path]:
    """Create ``ca.crt``, and ``<name>.crt`` and ``<name>.pem`` (mode 600) of writer and clients.

    Args:
        folder: for the files.
        hosts: names or IP addresses by which clients connect to the writer.
        clients: DNS names of the clients.

    Raises:
        InputError: a name is not valid for a certificate, or a file exists already.
        AvailabilityError: the folder can't be written.

    """
    for name in (*hosts, *clients):
        if not 0 < len(name) <= NAME_CHARACTERS_MAX or not name.isascii() or "/" in name:
            raise InputError(f"{name!r} can't be the name of a writer or client")
    authority = _Authority()
    contents = {"ca.crt": (authority.certificate.public_bytes(Encoding.PEM), PUBLIC)}
    for name, names in {"writer": hosts, **{client: [client] for client in clients}}.items():
        key, certificate = authority.vouch_for(name, names)
        contents[f"{name}.crt"] = (certificate.public_bytes(Encoding.PEM), PUBLIC)
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        contents[f"{name}.pem"] = (secret, SECRET)
    return write_new(folder, contents)


class _Authority:
    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("gameledger practice authority")
        self.certificate = self._sign(self._name, self._key.public_key(), is_authority=True)

    def vouch_for(
        self, name: str, names: Sequence[str]
    ) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
        """Create a key and its certificate, issued by the authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        return key, self._sign(_named(name), key.public_key(), names=names)

    def _sign(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePublicKey,
        *,
        names: Sequence[str] = (),
        is_authority: bool = False,
    ) -> x509.Certificate:
        ours, begin = self._key.public_key(), datetime.now(UTC) - timedelta(days=1)
        usage = x509.KeyUsage(
            digital_signature=not is_authority,
            key_cert_sign=is_authority,
            crl_sign=is_authority,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(begin)
            .not_valid_after(begin + timedelta(days=VALID_DAYS))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ours), critical=False)
        )
        if names:
            ends = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            builder = builder.add_extension(x509.ExtendedKeyUsage(ends), critical=False)
            alternatives = x509.SubjectAlternativeName([_alternative(name) for name in names])
            builder = builder.add_extension(alternatives, critical=False)
        return builder.sign(self._key, SHA256())


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
