"""The Czech implementation of :class:`projections.packages.country.Country`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.packages.cz import fields
from projections.packages.cz.confirmation import ANSWER_BYTES_MAX, read_confirmation
from projections.packages.cz.explain import explain_package as explain
from projections.packages.cz.explain import rows_known_at
from projections.packages.cz.jobs import job_for, pending_jobs, run
from projections.packages.cz.names import SEALED, SEALED_BYTES_MAX, PackageName
from projections.packages.cz.pack import pack
from projections.packages.cz.periods import due_since, month_of
from projections.packages.cz.periods import period_of as period_at
from projections.packages.cz.rebuilt import rebuild_package
from projections.packages.cz.settings import CasinoFacts, Settings, read_settings
from projections.packages.cz.status import periods_with_status
from projections.packages.cz.totals import due_of_period, totals_of
from projections.packages.cz.validate import options_for, package_name, validate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cryptography import x509
    from pyhanko.sign.timestamps import TimeStamper

    from projections.packages.keys import KeyPair
    from projections.packages.results import OpenedPackage
    from projections.packages.trust import Trust

__all__ = [
    "ANSWER_BYTES_MAX",
    "SEALED",
    "SEALED_BYTES_MAX",
    "certificates_in",
    "due_of_period",
    "due_since",
    "explain",
    "file_names",
    "job_for",
    "month_of",
    "open_sealed",
    "options_for",
    "pack",
    "package_name",
    "parse_name",
    "pending_jobs",
    "period_at",
    "periods_with_status",
    "practice_settings",
    "read_confirmation",
    "read_settings",
    "rebuild_package",
    "rows_known_at",
    "run",
    "seal",
    "stamped_seal",
    "totals_of",
    "validate",
]

parse_name = PackageName.parse
ADDRESS = CasinoFacts(
    street="Na Příkopě",
    house_number=10,
    postal_code=11000,
    municipality="Praha",
    district=1,
    region="PHA",
    latitude="50,0850",
    longitude="14,4260",
)
"""Address of casinos in practice settings; it is invented."""


def practice_settings(places: Sequence[str]) -> Settings:
    """Return settings for practice, with an invented address of each casino."""
    return Settings(casinos=dict.fromkeys(places, ADDRESS))


def file_names(name: PackageName) -> tuple[str, ...]:
    """Return the names of the files of a package, in their order."""
    return tuple(one.file_name for one in fields.files_of(name))


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


def open_sealed(sealed: bytes, reader: KeyPair, trust: Trust) -> OpenedPackage:
    """Verify a seal and decrypt the ZIP file inside."""
    from projections.packages.cz.seal import open_sealed as opened  # noqa: PLC0415 - slow to load

    return opened(sealed, reader, trust)


def certificates_in(sealed: bytes) -> tuple[x509.Certificate, ...]:
    """Return the certificates in a seal, unverified."""
    from projections.packages.cz.seal import certificates_in as found  # noqa: PLC0415 - as above

    return found(sealed)


def stamped_seal(sealed: bytes, roots: Sequence[x509.Certificate], now: int) -> int:
    """Verify the time stamp of a seal, and return its time in microseconds."""
    from projections.packages.cz.seal import stamped_seal as verified  # noqa: PLC0415 - as above

    return verified(sealed, roots, now)
