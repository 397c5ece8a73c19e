"""A source with a key and a certificate of its own, and the seals that it makes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from ledger.events import event_types as e
from ledger.tlog.source_seals import SealStatement, SourceCertificate, SourceKey

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGINS = datetime(2026, 1, 1, tzinfo=UTC)
ENDS = datetime(2029, 1, 1, tzinfo=UTC)


def source_pem(
    name: str,
    secret: int = 7,
    curve: ec.EllipticCurve | None = None,
    begins: datetime = BEGINS,
    ends: datetime = ENDS,
) -> bytes:
    """Return the same private key and certificate for the same arguments."""
    key = ec.derive_private_key(secret, curve or ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), secret + 1, begins, ends)
    ).sign(key, hashes.SHA256(), ecdsa_deterministic=True)
    secret_pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret_pem + certificate.public_bytes(Encoding.PEM)


class Source:
    """Numbers commands and seals them, as events that no writer has judged."""

    def __init__(self, name: str = "studio", chain: str = "c", secret: int = 7) -> None:
        self.name, self.chain = name, chain
        self.key = SourceKey.read(source_pem(name, secret))
        self.next_number = 1

    def registered(self, interval_seconds: int = 300) -> e.SourceRegistered:
        public_key = SourceCertificate.read(self.key.certificate).public_key
        return e.SourceRegistered(
            system=self.name,
            certificate=self.key.certificate,
            public_key=public_key,
            interval_seconds=interval_seconds,
            reason="tables in Prague",
        )

    def sealed(
        self,
        commands: Sequence[bytes],
        until: int,
        *,
        first: int | None = None,
        is_last: bool = False,
        digest: bytes | None = None,
    ) -> e.SourceSealed:
        first = self.next_number if first is None else first
        self.next_number = first + len(commands)
        statement = SealStatement.over(
            commands,
            chain=self.chain,
            system=self.name,
            first=first,
            until=until,
            is_last=is_last,
        )
        statement = statement._replace(digest=digest or statement.digest)
        return e.SourceSealed(
            system=self.name,
            first_number=first,
            commands=len(commands),
            until=until,
            is_last=is_last,
            digest=statement.digest,
            marks=statement.marks,
            signature=self.key.sign(statement),
        )
