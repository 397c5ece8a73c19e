"""Certificates of TLS for both ends of the exchange, good ones and others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

DAY = timedelta(days=1)


class TlsAuthority:
    """Vouches for ends of TLS; ``<name>.crt`` and ``<name>.pem`` go to its folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        root = self._made(self._name, self._key, is_root=True, days=(-1, 30))
        self.path = folder / f"{name}.crt"
        self.path.write_bytes(root.public_bytes(Encoding.PEM))

    def vouch(self, name: str, *, days: tuple[int, int] = (-1, 200)) -> None:
        """Make an end that is called localhost, and holds so many days from and to."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        certificate = self._made(subject, key, is_root=False, days=days)
        (self.folder / f"{name}.crt").write_bytes(certificate.public_bytes(Encoding.PEM))
        path = self.folder / f"{name}.pem"
        path.touch(mode=0o600)
        path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))

    def _made(
        self,
        subject: x509.Name,
        key: ec.EllipticCurvePrivateKey,
        *,
        is_root: bool,
        days: tuple[int, int],
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        usage = dict.fromkeys(
            (
                "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
                "encipher_only", "decipher_only",
            ),
            False,
        )  # fmt: skip
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + days[0] * DAY)
            .not_valid_after(now + days[1] * DAY)
            .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
            .add_extension(
                x509.KeyUsage(
                    digital_signature=True, key_cert_sign=is_root, crl_sign=is_root, **usage
                ),
                critical=True,
            )
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()),
                critical=False,
            )
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
            .sign(self._key, SHA256())
        )
