"""Seals of checkpoints: CAdES baseline B, detached, over the note that the log alone signed.

What comes in: a seal (CMS SignedData in DER), the note, and certificates of authorities that the
reader trusts. What goes out: the certificate whose key sealed and the time that the seal states.
Guaranteed: the seal has exactly the form in docs/format.md, so no byte of it can be changed; its
signature (ECDSA P-256 with SHA-256, or RSA-PSS) is over these bytes. No network is used. Rejected:
a seal over other bytes, and a certificate that no given authority issued, that was not in force, or
that is not for signatures.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat import asn1
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import ObjectIdentifier

from ledger.core.clock import SECOND, from_datetime
from ledger.core.errors import InputError, IntegrityError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "SEAL_BYTES_MAX",
    "SealCertificate",
    "parse_seal",
    "require_issuer",
    "require_use",
    "seal_certificate",
]

SEAL_BYTES_MAX = 16_384
RSA_BITS = range(2048, 8193)
SALT_BYTES = 32

SIGNED_DATA = "1.2.840.113549.1.7.2"
DATA = ObjectIdentifier("1.2.840.113549.1.7.1")
CONTENT_TYPE = "1.2.840.113549.1.9.3"
MESSAGE_DIGEST = "1.2.840.113549.1.9.4"
SIGNING_TIME = "1.2.840.113549.1.9.5"
SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.47"
SHA256 = bytes.fromhex("300d06096086480165030402010500")
ECDSA_SHA256 = bytes.fromhex("300a06082a8648ce3d040302")
RSA_PSS = bytes.fromhex(
    "304106092a864886f70d01010a3034a00f300d06096086480165030402010500"
    "a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120"
)
"""SHA-256, MGF1 with SHA-256, a salt of 32 bytes."""

READ_EXTENSIONS = frozenset({15, 17, 19, 30, 31, 37})
"""Critical extensions that both verifiers read, below 2.5.29."""
EC_HASHES = (hashes.SHA256, hashes.SHA384)
RSA_HASHES = (*EC_HASHES, hashes.SHA512)


class SealCertificate(NamedTuple):
    """The certificate of a seal, and the time that the seal states, in microseconds."""

    sealed_at: int
    certificate: x509.Certificate

    @property
    def digest(self) -> bytes:
        """SHA-256 of the certificate in DER."""
        return self.certificate.fingerprint(hashes.SHA256())

    @property
    def expires_at(self) -> int:
        """Last second of the certificate, in microseconds."""
        return from_datetime(self.certificate.not_valid_after_utc)


@asn1.sequence
class _Attribute:
    name: ObjectIdentifier
    values: asn1.SetOf[asn1.TLV]


@asn1.sequence
class _SignerName:
    issuer: asn1.TLV
    serial: int


@asn1.sequence
class _Signer:
    version: int
    name: _SignerName
    digest_algorithm: asn1.TLV
    attributes: Annotated[asn1.SetOf[_Attribute], asn1.Implicit(0)]
    algorithm: asn1.TLV
    signature: bytes


@asn1.sequence
class _Content:
    kind: ObjectIdentifier


@asn1.sequence
class _SignedData:
    version: int
    digest_algorithms: asn1.SetOf[asn1.TLV]
    content: _Content
    certificates: Annotated[asn1.SetOf[x509.Certificate], asn1.Implicit(0)]
    signers: asn1.SetOf[_Signer]


@asn1.sequence
class _Message:
    kind: ObjectIdentifier
    signed: Annotated[_SignedData, asn1.Explicit(0)]


@asn1.sequence
class _IssuerSerial:
    issuer: list[asn1.TLV]
    serial: int


@asn1.sequence
class _CertificateId:
    digest: bytes
    issuer: _IssuerSerial


@asn1.sequence
class _SigningCertificate:
    ids: list[_CertificateId]


def parse_seal(seal: bytes, note: bytes) -> SealCertificate:
    """Verify a seal over a note, except who issued its certificate.

    Raises:
        InputError: it has another form, is over other bytes, or its signature is false.

    """
    try:
        return _parse(seal, note)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(f"this is no seal: {error}") from error


def seal_certificate(seal: bytes) -> SealCertificate:
    """Return what a recorded seal states, without verifying it.

    Raises:
        InputError: it is none.

    """
    try:
        _, certificate, signer = _parts(seal)
        return SealCertificate(_sealed_at(_attributes(signer)), certificate)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise InputError(f"this is no seal: {error}") from error


def _parse(seal: bytes, note: bytes) -> SealCertificate:
    encoded, certificate, signer = _parts(seal)
    if signer.name.serial != certificate.serial_number or (
        asn1.encode_der(signer.name.issuer) != certificate.issuer.public_bytes()
    ):
        raise InputError("the seal does not hold the certificate of its signer")
    attributes = _attributes(signer)
    (identifier,) = _only(attributes, SIGNING_CERTIFICATE).parse(_SigningCertificate).ids
    if identifier.digest != sha256(encoded).digest():
        raise InputError("the seal names another certificate than the one that it holds")
    if _only(attributes, CONTENT_TYPE).parse(ObjectIdentifier) != DATA or (
        _only(attributes, MESSAGE_DIGEST).parse(bytes) != sha256(note).digest()
    ):
        raise InputError("the seal is not over the note")
    signed = asn1.encode_der(signer.attributes)
    try:
        _verify(certificate, asn1.encode_der(signer.algorithm), signer.signature, signed)
    except InvalidSignature as error:
        raise InputError("the signature of the seal is false") from error
    return SealCertificate(_sealed_at(attributes), certificate)


def _parts(seal: bytes) -> tuple[bytes, x509.Certificate, _Signer]:
    """Return the certificate, encoded and loaded, and the signer, each the only one of a seal."""
    if len(seal) > SEAL_BYTES_MAX:
        raise InputError(f"a seal has at most {SEAL_BYTES_MAX} bytes")
    message = asn1.decode_der(_Message, seal)
    signed = message.signed
    (signer,) = signed.signers.as_list()
    (certificate,) = signed.certificates.as_list()
    (algorithm,) = signed.digest_algorithms.as_list()
    if (
        asn1.encode_der(message) != seal
        or message.kind.dotted_string != SIGNED_DATA
        or (signed.version, signer.version, signed.content.kind) != (1, 1, DATA)
        or {asn1.encode_der(one) for one in (algorithm, signer.digest_algorithm)} != {SHA256}
    ):
        raise InputError("the seal is not of the form that docs/format.md describes")
    return certificate.public_bytes(Encoding.DER), certificate, signer


def _attributes(signer: _Signer) -> dict[str, list[asn1.TLV]]:
    attributes = signer.attributes.as_list()
    found = {one.name.dotted_string: one.values.as_list() for one in attributes}
    if len(found) != len(attributes):
        raise InputError("the seal has an attribute twice")
    return found


def _only(attributes: dict[str, list[asn1.TLV]], name: str) -> asn1.TLV:
    (value,) = attributes.get(name, [])
    return value


def _sealed_at(attributes: dict[str, list[asn1.TLV]]) -> int:
    return from_datetime(_only(attributes, SIGNING_TIME).parse(asn1.UTCTime).as_datetime())


def _verify(
    certificate: x509.Certificate, algorithm: bytes, signature: bytes, signed: bytes
) -> None:
    key = certificate.public_key()
    if isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        if algorithm == ECDSA_SHA256:
            key.verify(signature, signed, ec.ECDSA(hashes.SHA256()))
            return
    elif isinstance(key, rsa.RSAPublicKey) and key.key_size in RSA_BITS and algorithm == RSA_PSS:
        pss = padding.PSS(padding.MGF1(hashes.SHA256()), SALT_BYTES)
        key.verify(signature, signed, pss, hashes.SHA256())
        return
    raise InputError("the seal is of neither ECDSA P-256 with SHA-256 nor RSA-PSS of 2048 bits")


def require_use(certificate: x509.Certificate, moment: int) -> None:
    """Require that a certificate was in force at a moment (microseconds) and is for signatures.

    Raises:
        IntegrityError: it was not, or it is for something else.

    """
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    second = moment // SECOND * SECOND
    if not from_datetime(begin) <= second <= from_datetime(end):
        raise IntegrityError(f"the certificate of the seal is in force from {begin} to {end}")
    try:
        extensions = list(certificate.extensions)
    except ValueError as error:
        raise IntegrityError(f"the certificate of the seal can't be read: {error}") from error
    for extension in extensions:
        is_for_signatures = True
        match extension.value:
            case x509.KeyUsage() as use:
                is_for_signatures = use.digital_signature or use.content_commitment
            case x509.BasicConstraints() as constraints:
                is_for_signatures = not constraints.ca
            case _:
                prefix, _, number = extension.oid.dotted_string.rpartition(".")
                is_read = prefix == "2.5.29" and int(number) in READ_EXTENSIONS
                is_for_signatures = is_read or not extension.critical
        if not is_for_signatures:
            raise IntegrityError("the certificate of the seal is not for signatures alone")


def require_issuer(
    certificate: x509.Certificate, authorities: Sequence[x509.Certificate], moment: int
) -> None:
    """Require that one of the authorities issued a certificate, which was in force at a moment.

    Raises:
        IntegrityError: it was not in force, is not for signatures, or none of them issued it.

    """
    require_use(certificate, moment)
    for authority in authorities:
        try:
            certificate.verify_directly_issued_by(authority)
            if _is_agreed(certificate, authority):
                return
        except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
            continue
    name = certificate.issuer.rfc4514_string()
    raise IntegrityError(f"none of the authorities given issued its certificate, but {name}")


def _is_agreed(certificate: x509.Certificate, authority: x509.Certificate) -> bool:
    """Return whether an authority signed by an algorithm, and for any names, as both verifiers do.

    Raises:
        InvalidSignature: the salt of RSA-PSS is of another length than the hash.

    """
    key, digest = authority.public_key(), certificate.signature_hash_algorithm
    if any(isinstance(one.value, x509.NameConstraints) for one in authority.extensions):
        return False
    if isinstance(key, ec.EllipticCurvePublicKey):
        return isinstance(key.curve, ec.SECP256R1 | ec.SECP384R1) and isinstance(digest, EC_HASHES)
    if not isinstance(key, rsa.RSAPublicKey):
        return isinstance(key, ed25519.Ed25519PublicKey)
    if not isinstance(digest, RSA_HASHES) or key.key_size not in RSA_BITS:
        return False
    if isinstance(certificate.signature_algorithm_parameters, padding.PSS):
        pss = padding.PSS(padding.MGF1(digest), digest.digest_size)
        signed, signature = certificate.tbs_certificate_bytes, certificate.signature
        key.verify(signature, signed, pss, digest)
    return True
