"""The form that registers our certificates and addresses with the authority (decree 10/2019 § 2).

Input: the settings, the first day of validity and, for a change, the previous form. Output: one
document with everything, and which parts are new or removed. The names of its parts are our own:
the schema of the authority's form (comParamReg) has not been published to us. The authority must
receive the form 30 days before the first output.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec
from cryptography.hazmat.primitives.serialization import Encoding

from ledger.core.clock import in_prague
from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.storage.named_files import read_text
from tools.delivery.certificates import UsedCertificate, registered_certificates
from tools.delivery.settings import Address  # noqa: TC001 - msgspec reads the type

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tools.delivery.settings import Delivery

__all__ = [
    "RegisteredCertificate",
    "Registration",
    "make_registration",
    "read_registration",
]

AHEAD_DAYS = 30


@dataclass(frozen=True, slots=True)
class RegisteredCertificate:
    """One of our certificates, and its purpose."""

    purpose: str
    subject: str
    issuer: str
    serial: str
    from_day: str
    until_day: str
    sha256: str
    pem: str


@dataclass(frozen=True, slots=True)
class Registration:
    """The form; ``added`` and ``removed`` name what changed since the previous form.

    Certificates are identified by purpose and SHA-256, addresses by model, kind and casino.
    """

    operator: str
    effective_from: str
    incremental: bool
    certificates: list[RegisteredCertificate]
    addresses: tuple[Address, ...]
    added: list[str]
    removed: list[str]


def make_registration(
    delivery: Delivery,
    operator: str,
    effective_from: date,
    now: int,
    before: Registration | None = None,
) -> Registration:
    """Fill in the form.

    Raises:
        InputError: the day is too near, a certificate is not valid on it, or nothing changed.

    """
    earliest = in_prague(now).date() + timedelta(days=AHEAD_DAYS)
    if effective_from < earliest:
        raise InputError(
            f"the authority has to know {AHEAD_DAYS} days before: name {earliest} or later "
            "(decree 10/2019 § 2)"
        )
    found = registered_certificates(delivery)
    for one in found:
        if one.certificate.not_valid_after_utc.date() < effective_from:
            raise InputError(
                f"the certificate of {one.subject} ({one.purpose}) ends before {effective_from}: "
                "replace it first"
            )
    certificates = [_certificate(one) for one in found]
    made = _parts(certificates, delivery.addresses)
    known = _parts(before.certificates, before.addresses) if before else {}
    added = [name for name, part in made.items() if known.get(name) != part]
    removed = [name for name, part in known.items() if made.get(name) != part]
    if before is not None and not (added or removed):
        raise InputError("nothing changed since the form before: there is nothing to register")
    return Registration(
        operator=operator,
        effective_from=effective_from.isoformat(),
        incremental=before is not None,
        certificates=certificates,
        addresses=delivery.addresses,
        added=added,
        removed=removed,
    )


def read_registration(path: Path) -> Registration:
    """Read a previous form.

    Raises:
        InputError: the file is not a registration form.

    """
    text = read_text(path)
    try:
        return decoder_of(Registration).json(text)
    except msgspec.DecodeError as error:
        raise InputError(f"{path} is no form of `report register`: {error}") from error


def _parts(
    certificates: Iterable[RegisteredCertificate], addresses: Iterable[Address]
) -> dict[str, object]:
    parts: dict[str, object] = {f"{one.purpose} {one.sha256}": one.sha256 for one in certificates}
    for address in addresses:
        parts[f"{address.model} {address.kind} {address.casino}".strip()] = address
    return parts


def _certificate(one: UsedCertificate) -> RegisteredCertificate:
    found = one.certificate
    return RegisteredCertificate(
        purpose=one.purpose,
        subject=one.subject,
        issuer=found.issuer.rfc4514_string(),
        serial=f"{found.serial_number:x}",
        from_day=found.not_valid_before_utc.date().isoformat(),
        until_day=found.not_valid_after_utc.date().isoformat(),
        sha256=one.fingerprint,
        pem=found.public_bytes(Encoding.PEM).decode(),
    )
