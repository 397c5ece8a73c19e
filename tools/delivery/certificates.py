"""List the certificates used by the exchange, and when each of them expires."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cryptography.hazmat.primitives.hashes import SHA256

from ledger.core.clock import DAY, from_datetime
from projections.packages.keys import read_certificates
from tools.delivery.trust import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cryptography import x509

    from tools.delivery.settings import Delivery

__all__ = [
    "ExpiringCertificate",
    "UsedCertificate",
    "expiring_certificates",
    "registered_certificates",
    "used_certificates",
]


class UsedCertificate(NamedTuple):
    """A certificate and its purpose, which begins with the words used in the registration."""

    purpose: str
    certificate: x509.Certificate

    @property
    def subject(self) -> str:
        """Subject of the certificate."""
        return self.certificate.subject.rfc4514_string()

    @property
    def until(self) -> int:
        """Last microsecond of its validity."""
        return from_datetime(self.certificate.not_valid_after_utc)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, hexadecimal."""
        return self.certificate.fingerprint(SHA256()).hex()


@dataclass(frozen=True, slots=True)
class ExpiringCertificate:
    """A certificate to be replaced; ``days`` are left until it expires, negative after that."""

    purpose: str
    subject: str
    until: int
    days: int
    fingerprint: str


def used_certificates(delivery: Delivery) -> list[UsedCertificate]:
    """Read every certificate in the settings, our own and the authority's.

    Raises:
        InputError: a file holds no certificate.
        AuthorizationError: other users may use a key.
        AvailabilityError: a file can't be read.

    """
    return [*registered_certificates(delivery), *_of_authority(delivery)]


def registered_certificates(delivery: Delivery) -> list[UsedCertificate]:
    """Read our own certificates, each once: those to be registered with the authority."""
    sealer, reader = key_of(delivery.seal), key_of(delivery.reading)
    found = [
        UsedCertificate("seal", sealer.certificate),
        UsedCertificate("encryption", reader.certificate),
    ]
    found += [UsedCertificate("seal_issuer", one) for one in sealer.chain]
    for purpose, path in (
        ("client", delivery.client.certificate),
        ("server", delivery.server.certificate),
    ):
        own, *above = read_certificates([path])
        found.append(UsedCertificate(purpose, own))
        found += [UsedCertificate(f"{purpose}_issuer", one) for one in above]
    return list(dict.fromkeys(found))


def _of_authority(delivery: Delivery) -> Iterator[UsedCertificate]:
    for purpose, paths in (
        ("recipient", delivery.seal.recipients),
        ("authority_client", delivery.server.clients),
        ("authority_server_issuer", delivery.client.authority),
        ("authority_seal", delivery.reading.signers),
        ("seal_root", delivery.reading.trust),
        ("time_stamp_root", delivery.seal.time_stamp_roots),
    ):
        yield from (UsedCertificate(purpose, one) for one in read_certificates(paths))


def expiring_certificates(delivery: Delivery, now: int) -> list[ExpiringCertificate]:
    """List certificates that have expired or expire within ``warning_days``, the earliest first."""
    found = [
        ExpiringCertificate(
            one.purpose, one.subject, one.until, (one.until - now) // DAY, one.fingerprint
        )
        for one in used_certificates(delivery)
        if one.until - now < delivery.warning_days * DAY
    ]
    return sorted(found, key=lambda one: (one.until, one.purpose))
