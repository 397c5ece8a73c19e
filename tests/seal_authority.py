"""An authority that issues certificates for seals, to test with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DAY = timedelta(days=1)

CURVES = {
    "ecdsa": ec.SECP256R1(),
    "p384": ec.SECP384R1(),
    "p521": ec.SECP521R1(),
    "brainpool": ec.BrainpoolP256R1(),
}
Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def new_key(kind: str = "ecdsa") -> Key:
    """Make a key of ECDSA on a curve, or of RSA of 2,048 bits or as many as are named."""
    if kind.startswith("rsa"):
        return rsa.generate_private_key(65537, int(kind[3:] or 2048))
    return ec.generate_private_key(CURVES[kind])


class SealAuthority:
    """Issues certificates; ``ca.pem`` in its folder is its own."""

    def __init__(
        self,
        folder: Path,
        name: str = "Authority",
        *,
        kind: str = "ecdsa",
        digest: hashes.HashAlgorithm | None = None,
        extensions: Sequence[x509.ExtensionType] = (),
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._key, self._name = folder, new_key(kind), _named(name)
        self._digest = digest or hashes.SHA256()
        self.certificate = self._issue(
            self._name, self._key, (-400, 400), is_ca=True, extensions=extensions
        )
        self.path = folder / "ca.pem"
        self.path.write_bytes(self.certificate.public_bytes(Encoding.PEM))

    def issue(
        self,
        name: str,
        kind: str = "ecdsa",
        *,
        days: tuple[int, int] = (-1, 200),
        is_ca: bool = False,
        signs: bool = True,
        extensions: Sequence[x509.ExtensionType] = (),
    ) -> tuple[Key, x509.Certificate]:
        """Issue a certificate, in force for so many days from now; also as files.

        ``NAME.key`` is the key and ``NAME.pem`` the certificate.
        """
        key = new_key(kind)
        found = self._issue(_named(name), key, days, is_ca, signs=signs, extensions=extensions)
        (self.folder / f"{name}.pem").write_bytes(found.public_bytes(Encoding.PEM))
        path = self.folder / f"{name}.key"
        path.touch(mode=0o600)
        path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return key, found

    def _issue(
        self,
        subject: x509.Name,
        key: Key,
        days: tuple[int, int],
        is_ca: bool,
        *,
        signs: bool = True,
        extensions: Sequence[x509.ExtensionType] = (),
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        usage = dict.fromkeys(
            (
                "content_commitment", "data_encipherment", "key_agreement", "crl_sign",
                "encipher_only", "decipher_only",
            ),
            False,
        )  # fmt: skip
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + days[0] * DAY)
            .not_valid_after(now + days[1] * DAY)
            .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
            .add_extension(
                x509.KeyUsage(
                    digital_signature=signs,
                    key_encipherment=not signs,
                    key_cert_sign=is_ca,
                    **usage,
                ),
                critical=True,
            )
        )
        for extension in extensions:
            builder = builder.add_extension(extension, critical=True)
        return builder.sign(self._key, self._digest)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
