"""The Czech implementation of :class:`projections.packages.country.Country`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.packages.cz.confirmation import ANSWER_BYTES_MAX, read_confirmation
from projections.packages.cz.explain import explain_package as explain
from projections.packages.cz.jobs import job_for, pending_jobs, run
from projections.packages.cz.names import SEALED, SEALED_BYTES_MAX, PackageName
from projections.packages.cz.pack import pack
from projections.packages.cz.settings import read_settings
from projections.packages.cz.status import periods_with_status
from projections.packages.cz.validate import options_for, package_name, validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography import x509
    from pyhanko.sign.timestamps import TimeStamper

    from projections.packages.cz.keys import KeyPair
    from projections.packages.cz.seal import Opened, Trust

__all__ = [
    "ANSWER_BYTES_MAX",
    "SEALED",
    "SEALED_BYTES_MAX",
    "explain",
    "job_for",
    "open_sealed",
    "options_for",
    "pack",
    "package_name",
    "parse_name",
    "pending_jobs",
    "periods_with_status",
    "read_confirmation",
    "read_settings",
    "run",
    "seal",
    "validate",
]

parse_name = PackageName.parse


def seal(
    content: bytes,
    sealer: KeyPair,
    recipients: Sequence[x509.Certificate],
    *,
    time_stamper: TimeStamper | None = None,
) -> bytes:
    """Encrypt a ZIP file for its recipients and seal it."""
    from projections.packages.cz.seal import seal as seal_content  # noqa: PLC0415 - slow to load

    return seal_content(content, sealer, recipients, time_stamper=time_stamper)


def open_sealed(sealed: bytes, reader: KeyPair, trust: Trust) -> Opened:
    """Verify a seal and decrypt the ZIP file inside."""
    from projections.packages.cz.seal import open_sealed as opened  # noqa: PLC0415 - slow to load

    return opened(sealed, reader, trust)
