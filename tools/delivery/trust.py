"""Trust settings for opening confirmations, and the time-stamp authority for our seals.

Input: the settings, and for revocation the seal to be opened. Output: roots, revocation lists and
OCSP answers, only from the configured sources, never from locations named in a certificate;
``pyhanko-certvalidator`` validates with them. If a source does not answer, the error is an
:class:`AvailabilityError`, so that opening is retried later.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ocsp

from ledger.core.clock import SystemClock, to_datetime
from ledger.core.errors import AvailabilityError, InputError
from ledger.log.limited_call import call_with_limits
from ledger.storage.named_files import UnreadFileError, read_bounded, read_text
from projections.packages.keys import (
    CMS_BOUNDS,
    KeyPair,
    read_certificates,
    read_key,
    read_passphrase,
)
from projections.packages.trust import Trust
from tools.witness.web import send_request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from asn1crypto import tsp
    from pyhanko.sign.timestamps import TimeStamper

    from ledger.core.clock import Clock
    from projections.packages.country import Country
    from tools.delivery.settings import ReadingSettings, SealSettings

__all__ = ["key_of", "require_stamped", "time_stamper", "trust_for", "trusted_list"]

PASSPHRASE = "GAMELEDGER_KEY_PASSPHRASE"  # noqa: S105 - the name of a variable
SECONDS = 20.0
LIST_BYTES_MAX = 16 << 20
OCSP_BYTES_MAX = 1 << 16
GOOD = 200


def key_of(section: SealSettings | ReadingSettings) -> KeyPair:
    """Read the key of a section of the settings."""
    secret = read_passphrase(PASSPHRASE, section.passphrase_file)
    return read_key(section.key, secret, certificates=section.certificates)


def trust_for(
    reading: ReadingSettings, sealed: bytes, country: Country, *, clock: Clock | None = None
) -> Trust:
    """Collect everything needed to open a seal.

    Args:
        reading: settings.
        sealed: the file to be opened; OCSP is queried for its certificates.
        country: of the package.
        clock: of this machine.

    Raises:
        SealError: the file is not sealed.
        InputError: a file is malformed.
        AvailabilityError: a source does not answer, or a file does not exist; retry later.

    """
    try:
        return _gathered(reading, sealed, country, clock)
    except UnreadFileError as error:  # a list being replaced must not refuse confirmations
        raise AvailabilityError(str(error)) from error


def _gathered(
    reading: ReadingSettings, sealed: bytes, country: Country, clock: Clock | None
) -> Trust:
    roots = list(read_certificates(reading.trust))
    if reading.trusted_list is not None:
        roots += trusted_list(
            reading.trusted_list, read_certificates(reading.trusted_list_signers), clock=clock
        )
    crls = tuple(_der_of_list(_fetched(place), place) for place in reading.crl)
    ocsps = tuple(_answers(reading.ocsp, country.certificates_in(sealed), roots))
    return Trust(
        roots=tuple(roots),
        seals=read_certificates(reading.signers),
        crls=crls,
        ocsps=ocsps,
        is_revocation_required=reading.revocation == "required",
        stamp_roots=read_certificates(reading.time_stamp_roots),
    )


def _fetched(place: str) -> bytes:
    if urlsplit(place).scheme not in {"http", "https"}:
        return read_bounded(place, bytes_max=LIST_BYTES_MAX)
    answer = send_request(place, seconds=SECONDS, bytes_max=LIST_BYTES_MAX)
    if answer.status != GOOD:
        raise AvailabilityError(f"{place} answers {answer.status}")
    return answer.body


def _der_of_list(content: bytes, place: str) -> bytes:
    try:
        if content.startswith(b"-----BEGIN"):
            return x509.load_pem_x509_crl(content).public_bytes(Encoding.DER)
        return x509.load_der_x509_crl(content).public_bytes(Encoding.DER)
    except ValueError as error:
        raise InputError(f"{place} holds no revocation list: {error}") from error


def _answers(
    places: Iterable[str], certificates: Iterable[x509.Certificate], roots: list[x509.Certificate]
) -> Iterator[bytes]:
    """Query each OCSP responder about each certificate whose issuer is known.

    The answers apply to certificates that name a responder of their own, as qualified ones do:
    the library uses OCSP for no others.
    """
    certificates = tuple(dict.fromkeys(certificates))
    known = (*roots, *certificates)
    for one in certificates:
        above = next((other for other in known if other != one and _vouches(other, one)), None)
        if above is None or one in roots or one.issuer == one.subject:
            continue
        request = ocsp.OCSPRequestBuilder().add_certificate(one, above, SHA256()).build()
        for place in places:
            content = request.public_bytes(Encoding.DER)
            kind = "application/ocsp-request"
            answer = send_request(
                place, content, kind=kind, seconds=SECONDS, bytes_max=OCSP_BYTES_MAX
            )
            if answer.status != GOOD:
                raise AvailabilityError(f"{place} answers {answer.status}")
            try:
                status = ocsp.load_der_ocsp_response(answer.body).response_status
            except ValueError as error:
                raise AvailabilityError(f"{place} does not answer by OCSP: {error}") from error
            if status is ocsp.OCSPResponseStatus.SUCCESSFUL:
                yield answer.body


def _vouches(above: x509.Certificate, one: x509.Certificate) -> bool:
    try:
        one.verify_directly_issued_by(above)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def trusted_list(
    path: Path, signers: Iterable[x509.Certificate], *, clock: Clock | None = None
) -> tuple[x509.Certificate, ...]:
    """Return the current issuers of qualified certificates from a trusted list (ETSI TS 119 612).

    Raises:
        InputError: the file can't be read, is no trusted list, or is not signed by ``signers``.

    """
    ders = [one.public_bytes(Encoding.DER) for one in signers]
    if not ders:
        raise InputError(f"{path} is not trusted: name its trusted_list_signers")
    found = call_with_limits(_listed, CMS_BOUNDS, path, ders, (clock or SystemClock()).now())
    return tuple(map(x509.load_der_x509_certificate, found))


def _listed(path: Path, signers: list[bytes], now: int) -> list[bytes]:
    from asn1crypto import x509 as asn1_x509
    from pyhanko.sign.validation.errors import SignatureValidationError
    from pyhanko.sign.validation.qualified.eutl_parse import trust_list_to_registry

    text = read_text(path, bytes_max=LIST_BYTES_MAX).removeprefix("\ufeff")
    candidates = [asn1_x509.Certificate.load(one) for one in signers]
    try:
        registry, _ = trust_list_to_registry(text, candidates)
    except (SignatureValidationError, ValueError, TypeError, SyntaxError) as error:
        raise InputError(f"{path} is no trusted list of these signers: {error}") from error
    moment = to_datetime(now)
    return [
        one.certificate.dump()  # type: ignore[attr-defined]
        for one in registry.known_certificate_authorities
        if any(True for _ in registry.applicable_service_definitions(one, moment))
    ]


def time_stamper(url: str) -> TimeStamper | None:
    """Return the RFC 3161 time-stamp client of a URL; None without a URL."""
    if not url:
        return None
    from asn1crypto import tsp as asn1_tsp
    from pyhanko.sign.timestamps import TimeStamper as Base

    class Stamper(Base):
        """Request time stamps with our own client, which limits time and response size."""

        async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
            kind = "application/timestamp-query"
            answer = await asyncio.to_thread(
                send_request, url, req.dump(), kind=kind, seconds=SECONDS, bytes_max=OCSP_BYTES_MAX
            )
            if answer.status != GOOD:
                raise AvailabilityError(f"{url} answers {answer.status}")
            try:
                await asyncio.to_thread(call_with_limits, _parse_stamp, CMS_BOUNDS, answer.body)
            except InputError as error:
                raise AvailabilityError(f"{url} gives no time stamp: {error}") from error
            return asn1_tsp.TimeStampResp.load(answer.body, strict=True)

    return Stamper()  # type: ignore[no-untyped-call]


def _parse_stamp(body: bytes) -> None:
    from asn1crypto import tsp as asn1_tsp

    try:
        _ = asn1_tsp.TimeStampResp.load(body, strict=True).native  # parses all of it
    except ValueError as error:
        raise InputError(str(error)) from error


def require_stamped(sealed: bytes, section: SealSettings, country: Country) -> None:
    """Require that a new seal has a time stamp that our own roots vouch for.

    Raises:
        SealError: the time stamp is missing or not trusted.

    """
    country.stamped_seal(sealed, read_certificates(section.time_stamp_roots), SystemClock().now())
