"""Time stamps (RFC 3161): an authority states that some bytes existed at a certain time.

What comes in: bytes, the response of an authority, and the root certificates that the reader
trusts. What goes out: the time. No network is used: the certificates of the authority are in its
response and must have been valid at the stated time. Rejected: a time stamp over other bytes, of an
authority without a trusted root, or under a certificate that is not for time stamping or was not
valid at that time.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from cryptography import x509
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError, IntegrityError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rfc3161_client import TimeStampRequest, TimeStampResponse

__all__ = ["STAMP_BYTES_MAX", "parse_roots", "stamp_moment", "stamp_request", "verify_stamp"]

STAMP_BYTES_MAX = 32_768
GRANTED = 0
_SHA256 = x509.ObjectIdentifier("2.16.840.1.101.3.4.2.1")


def stamp_request(content: bytes) -> TimeStampRequest:
    """Build the request for a time stamp: SHA-256, a nonce, and a request for the certificate."""
    builder = TimestampRequestBuilder().data(content).hash_algorithm(HashAlgorithm.SHA256)
    return builder.nonce(nonce=True).cert_request(cert_request=True).build()


def stamp_moment(stamp: bytes, content: bytes) -> int:
    """Return the time of a time stamp over some bytes, without verifying its signature.

    Returns:
        Microseconds since 1970.

    Raises:
        InputError: it is not a time stamp, was not granted, or is not over the SHA-256 of these
            bytes.

    """
    response = _decode(stamp)
    imprint = response.tst_info.message_imprint
    if imprint.hash_algorithm != _SHA256 or imprint.message != sha256(content).digest():
        raise InputError("the time stamp is not over the SHA-256 of these bytes")
    return from_datetime(response.tst_info.gen_time)


def verify_stamp(
    stamp: bytes, content: bytes, roots: Sequence[x509.Certificate], *, nonce: int | None = None
) -> int:
    """Verify a time stamp over some bytes; return its time.

    Args:
        stamp: the response of the authority (TimeStampResp in DER).
        content: the stamped bytes.
        roots: root certificates that the reader trusts.
        nonce: the nonce of the request; None if it is not known.

    Returns:
        Microseconds since 1970.

    Raises:
        InputError: it is not a time stamp.
        IntegrityError: it is invalid, over other bytes, or has no trusted root.

    """
    response = _decode(stamp)
    try:
        moment = stamp_moment(stamp, content)
        VerifierBuilder(roots=list(roots), nonce=nonce).build().verify_message(response, content)
    except (VerificationError, ValueError, InputError) as error:
        raise IntegrityError(f"a time stamp does not hold: {error}") from error
    return moment


def parse_roots(pem: bytes) -> list[x509.Certificate]:
    """Parse the certificates of trusted roots.

    Raises:
        InputError: there is none.

    """
    try:
        return x509.load_pem_x509_certificates(pem)
    except ValueError as error:
        raise InputError(
            "roots and authorities are certificates in PEM, and here is none"
        ) from error


def _decode(stamp: bytes) -> TimeStampResponse:
    if len(stamp) > STAMP_BYTES_MAX:
        raise InputError(f"a time stamp has at most {STAMP_BYTES_MAX} bytes")
    try:
        response = decode_timestamp_response(stamp)
        if response.status != GRANTED:
            raise InputError(f"the authority granted no time stamp (status {response.status})")
        response.tst_info  # noqa: B018 - a token that can't be read raises here
    except ValueError as error:
        raise InputError(f"this is no time stamp: {error}") from error
    return response
