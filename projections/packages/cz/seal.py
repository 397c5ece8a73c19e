"""Seal a package for the authority, and open a sealed one.

``NAME.zip`` becomes ``NAME.zip.p7e``: CMS EnvelopedData, AES-256-CBC, its key encrypted with RSA
PKCS#1 v1.5 for the authority's certificate and for the operator's own. That becomes
``NAME.zip.p7e.p7s``: CAdES baseline B around it, SHA-256 with RSA, with the certificates of the
seal inside. Everything is encoded in DER.

Opening reverses this: it first verifies the signature and its signer, and only then decrypts the
envelope. A failure is a :class:`SealError` with the authority's code. Nothing is fetched from a
network here: :class:`Trust` provides revocation lists and OCSP responses, the time stamper time
stamps; checks without data in :class:`Trust` are skipped.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from asn1crypto import cms, core
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from pyhanko.sign.general import (
    CMSExtractionError,
    CMSStructuralError,
    MultivaluedAttributeError,
    NonexistentAttributeError,
    find_unique_cms_attribute,
)
from pyhanko.sign.validation import async_validate_cms_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.generic_cms import collect_timing_info
from pyhanko.sign.validation.settings import KeyUsageConstraints
from pyhanko_certvalidator import ValidationContext

from ledger.core.clock import SystemClock, from_datetime, to_datetime
from ledger.core.errors import InputError
from ledger.log.limited_call import call_with_limits
from projections.packages.cms import file_signer, sign_detached, to_asn1
from projections.packages.cz.faults import Code
from projections.packages.cz.names import ENVELOPE_BYTES_MAX, SEALED, SEALED_BYTES_MAX
from projections.packages.keys import CMS_BOUNDS, to_der
from projections.packages.results import OpenedPackage, SealError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pyhanko.sign.timestamps import TimeStamper

    from ledger.core.clock import Clock
    from projections.packages.keys import KeyPair
    from projections.packages.trust import Trust

__all__ = [
    "SEALED",
    "certificates_in",
    "open_sealed",
    "seal",
    "stamped_moment",
    "stamped_seal",
]

P = ParamSpec("P")
T = TypeVar("T")


USES = frozenset({"digital_signature", "non_repudiation"})

MALFORMED = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    NotImplementedError,
    RecursionError,
    UnsupportedAlgorithm,
)
"""Exceptions for malformed CMS, besides errors of their own."""


def seal(
    content: bytes,
    sealer: KeyPair,
    recipients: Sequence[x509.Certificate],
    *,
    clock: Clock | None = None,
    time_stamper: TimeStamper | None = None,
) -> bytes:
    """Encrypt for the recipients, then sign; with a time stamper the seal is CAdES baseline T.

    Raises:
        InputError: there is no recipient, one is not RSA or is a certificate authority, or a
            certificate is out of date.

    """
    now = (clock or SystemClock()).now()
    if len(content) > SEALED_BYTES_MAX - ENVELOPE_BYTES_MAX:
        raise InputError(
            f"the package has {len(content)} bytes, and a sealed one {SEALED_BYTES_MAX} at most"
        )
    if not recipients:
        raise InputError("a sealed package needs a recipient: name the authority's certificate")
    for certificate in (sealer.certificate, *recipients):
        _require_in_date(certificate, now)
    for certificate in recipients:
        _require_end_entity(certificate)
    return _sign(_encrypt(content, recipients), sealer, now, time_stamper)


def _encrypt(content: bytes, recipients: Iterable[x509.Certificate]) -> bytes:
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(content)
    builder = builder.set_content_encryption_algorithm(AES256)
    try:
        for one in recipients:
            builder = builder.add_recipient(one)
    except TypeError as error:
        raise InputError(f"a recipient's certificate does not fit: {error}") from error
    return builder.encrypt(Encoding.DER, [pkcs7.PKCS7Options.Binary])


def _sign(
    envelope: bytes, sealer: KeyPair, now: int, time_stamper: TimeStamper | None = None
) -> bytes:
    signer = file_signer(sealer.key, (sealer.certificate, *sealer.chain))
    signed = sign_detached(envelope, signer, now, time_stamper)
    # The content is inserted afterwards: otherwise the library copies it many times.
    signed["content"]["encap_content_info"] = {"content_type": "data", "content": envelope}
    found: bytes = signed.dump()
    return found


def open_sealed(
    sealed: bytes,
    reader: KeyPair,
    trust: Trust,
    *,
    clock: Clock | None = None,
) -> OpenedPackage:
    """Verify the seal and its signer, then decrypt, in a separate process.

    Raises:
        SealError: the first fault, or a limit of time or memory is exceeded.
        AvailabilityError: no process can be started.

    """
    return _bounded(_open, sealed, reader, trust, (clock or SystemClock()).now())


def _bounded(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
    """Call a function that parses foreign CMS in a process with limits of time and memory.

    Crafted input can make a library take any time and memory.
    """
    try:
        return call_with_limits(function, CMS_BOUNDS, *arguments, **options)
    except InputError as error:
        raise SealError(Code.SIGNATURE_DER, str(error)) from error


def _open(sealed: bytes, reader: KeyPair, trust: Trust, now: int) -> OpenedPackage:
    signed, envelope = _signed_data(sealed)
    signer, signed_at = _verify(signed, trust, now)
    stamped_at = stamped_moment(signed, trust.stamp_roots, now) if trust.stamp_roots else None
    return OpenedPackage(_decrypt(envelope, reader), signer, signed_at, stamped_at)


def certificates_in(sealed: bytes) -> tuple[x509.Certificate, ...]:
    """Return the certificates in a seal, without verifying them.

    Raises:
        SealError: it is not a seal, or a limit of time or memory is exceeded.
        AvailabilityError: no process can be started.

    """
    return tuple(map(x509.load_der_x509_certificate, _bounded(_certificates_in, sealed)))


def _certificates_in(sealed: bytes) -> list[bytes]:
    signed, _ = _signed_data(sealed)
    try:
        found: list[bytes] = [one.chosen.dump() for one in signed["certificates"]]
        for one in found:
            x509.load_der_x509_certificate(one)
    except MALFORMED as error:
        text = f"the certificates of the seal can't be read: {error}"
        raise SealError(Code.SIGNATURE_DER, text) from error
    return found


def stamped_moment(
    signed: cms.SignedData, roots: Sequence[x509.Certificate], now: int
) -> int | None:
    """Return the time (microseconds) of the time stamp over a signature, or None without a stamp.

    Raises:
        SealError: the stamp belongs to another signature, or has no trusted root.

    """
    moment = to_datetime(now)
    context = ValidationContext(
        trust_roots=[to_asn1(one) for one in roots],
        moment=moment,
        best_signature_time=moment,
        allow_fetching=False,
        revocation_mode="soft-fail",
    )
    try:
        found = asyncio.run(
            collect_timing_info(signed["signer_infos"][0], context, raw_digest=lambda _: b"")
        )
    except (*MALFORMED, SignatureValidationError, CMSExtractionError, CMSStructuralError) as error:
        text = f"the time stamp of the seal can't be verified: {error}"
        raise SealError(Code.SIGNATURE, text) from error
    stamp = found.get("timestamp_validity")
    if stamp is None:
        return None
    if not (stamp.intact and stamp.valid and stamp.trusted):
        raise SealError(
            Code.SIGNATURE, "the time stamp of the seal is of something else, or not trusted"
        )
    return from_datetime(stamp.timestamp)


def stamped_seal(sealed: bytes, roots: Sequence[x509.Certificate], now: int) -> int:
    """Return the time (microseconds) of the required time stamp of a seal.

    Raises:
        SealError: there is none, or it is not valid.
        AvailabilityError: no process can be started.

    """
    return _bounded(_stamped_seal, sealed, tuple(map(to_der, roots)), now)


def _stamped_seal(sealed: bytes, roots: Sequence[bytes], now: int) -> int:
    known = [x509.load_der_x509_certificate(one) for one in roots]
    moment = stamped_moment(_signed_data(sealed)[0], known, now)
    if moment is None:
        raise SealError(Code.SIGNATURE, "the seal has no time stamp")
    return moment


def _signed_data(sealed: bytes) -> tuple[cms.SignedData, bytes]:
    try:
        info = cms.ContentInfo.load(sealed, strict=True)
        if info["content_type"].native != "signed_data":
            raise SealError(Code.SIGNATURE_DER, "the file is CMS, but not SignedData")
        signed: cms.SignedData = info["content"]
        for part in ("signer_infos", "certificates"):
            _parse(signed[part])
        envelope = signed["encap_content_info"]["content"].native
    except MALFORMED as error:
        text = "the file is not a seal in DER"
        raise SealError(Code.SIGNATURE_DER, f"{text}: {error}") from error
    if not isinstance(envelope, bytes):
        raise SealError(Code.SIGNATURE_DER, "the seal does not hold what it seals")
    return signed, envelope


def _parse(value: core.Asn1Value) -> None:
    """Parse a value and everything within it, each part once.

    Accessing the whole value makes the library encode it again at each depth above a field with a
    default value, as time stamps have one: seconds of work.
    """
    if isinstance(value, core.Choice):
        _parse(value.chosen)
    elif isinstance(value, core.Sequence | core.Set):
        for name in value:
            _parse(value[name])
    elif isinstance(value, core.SequenceOf | core.SetOf):
        for one in value:
            _parse(one)
    else:
        _ = value.native


def _verify(signed: cms.SignedData, trust: Trust, now: int) -> tuple[str, int | None]:
    context = ValidationContext(
        trust_roots=[to_asn1(one) for one in trust.roots],
        moment=to_datetime(now),
        best_signature_time=to_datetime(now),
        allow_fetching=False,
        crls=trust.crls,
        ocsps=trust.ocsps,
        revocation_mode="require" if trust.is_revocation_required else "soft-fail",
    )
    usage = KeyUsageConstraints(key_usage=set(USES), match_all_key_usages=False)
    try:
        status = asyncio.run(
            async_validate_cms_signature(
                signed, validation_context=context, key_usage_settings=usage
            )
        )
        certificate = x509.load_der_x509_certificate(status.signing_cert.dump())
        name = certificate.subject.rfc4514_string()
    except (
        *MALFORMED,
        SignatureValidationError,
        CMSExtractionError,
        CMSStructuralError,
    ) as error:
        raise SealError(Code.SIGNATURE, f"the seal can't be verified: {error}") from error
    if not status.intact or not status.valid:
        raise SealError(Code.SIGNATURE, f"the content is not what {name} sealed")
    if not status.trusted:
        text = f"no trusted authority vouches for the certificate of {name}"
        if status.revoked:
            text = f"the certificate of {name}, or one above it, was revoked"
        elif trust.is_revocation_required and trust.roots:
            text += ", or whether it was revoked could not be found out"
        raise SealError(Code.CERTIFICATE_UNTRUSTED, text)
    if trust.seals and certificate not in trust.seals:
        text = f"the certificate of {name} is not one of those that may seal"
        raise SealError(Code.CERTIFICATE_UNKNOWN, text)
    return name, _signed_at(signed)


def _signed_at(signed: cms.SignedData) -> int | None:
    try:
        attributes = signed["signer_infos"][0]["signed_attrs"]
        return from_datetime(find_unique_cms_attribute(attributes, "signing_time").native)
    except (*MALFORMED, NonexistentAttributeError, MultivaluedAttributeError):
        return None


def _decrypt(envelope: bytes, reader: KeyPair) -> bytes:
    try:
        info = cms.ContentInfo.load(envelope, strict=True)
        if info["content_type"].native != "enveloped_data":
            raise SealError(Code.ENVELOPE_DER, "inside the seal is no EnvelopedData")
        serials = [
            one.chosen["rid"].chosen["serial_number"].native
            for one in info["content"]["recipient_infos"]
            if one.name == "ktri" and one.chosen["rid"].name == "issuer_and_serial_number"
        ]
    except MALFORMED as error:
        raise SealError(Code.ENVELOPE_DER, f"the envelope is not DER: {error}") from error
    if reader.certificate.serial_number not in serials:
        name = reader.certificate.subject.rfc4514_string()
        raise SealError(Code.RECIPIENT, f"the envelope is not for {name}: use another key")
    try:
        return pkcs7.pkcs7_decrypt_der(envelope, reader.certificate, reader.key, [])
    except MALFORMED as error:
        text = "the envelope can't be opened: it is damaged, or its key is not ours"
        raise SealError(Code.ENVELOPE_DATA, f"{text} ({error})") from error


def _require_in_date(certificate: x509.Certificate, now: int) -> None:
    moment = to_datetime(now)
    if not certificate.not_valid_before_utc <= moment <= certificate.not_valid_after_utc:
        name = certificate.subject.rfc4514_string()
        raise InputError(
            f"the certificate of {name} holds from {certificate.not_valid_before_utc:%Y-%m-%d} "
            f"to {certificate.not_valid_after_utc:%Y-%m-%d}: name the one in force"
        )


def _require_end_entity(certificate: x509.Certificate) -> None:
    """Reject a certificate that issues others as a recipient, as in a file with a chain.

    The owner of such a certificate is not meant to read the package.
    """
    try:
        found = certificate.extensions.get_extension_for_class(x509.BasicConstraints)
    except (x509.ExtensionNotFound, *MALFORMED):
        return
    if found.value.ca:
        name = certificate.subject.rfc4514_string()
        raise InputError(
            f"the certificate of {name} issues certificates and is no recipient's: "
            "name a file with the recipient's own certificate only"
        )
