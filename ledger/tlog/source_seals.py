"""Seals of sources: what a source states that it sent, signed with its key (ADR 0057).

What comes in: the identifiers of a source's commands in its own numbering, and its key. What goes
out: the statement, its JWS (RFC 7515, ES256, the header of JAdES baseline B: ETSI TS 119 182-1),
and whether a signature is valid. A mark is the begin of an identifier's digest: it names a command
of which nothing is recorded. The digest binds all identifiers in full (docs/format.md).
"""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_private_key,
)

from ledger.core.clock import SECOND, from_datetime
from ledger.core.errors import InputError
from ledger.tlog.algorithms import ECDSA_P256

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

__all__ = [
    "COMMANDS_MAX",
    "MARK_BYTES",
    "NUMBER_MAX",
    "SealStatement",
    "SourceCertificate",
    "SourceKey",
    "is_registration",
    "is_seal",
    "mark_of",
    "marks_in",
    "places_in",
    "system_of",
]

MARK_BYTES = 6
"""Bytes of a mark: an accidental second command with the same mark is one in 2 to the 48th."""
COMMANDS_MAX = 8_000
"""Commands of one seal, whose marks fit into a message; a source with more seals sooner."""
NUMBER_MAX = 10**15
"""Largest number of the first command of a seal."""
SIGNATURE_BYTES = 64


def mark_of(command_id: bytes) -> bytes:
    """Return the mark of a command by its identifier."""
    return sha256(command_id).digest()[:MARK_BYTES]


def marks_in(marks: bytes) -> list[bytes]:
    """Return the marks of a seal one by one."""
    return [marks[at : at + MARK_BYTES] for at in range(0, len(marks), MARK_BYTES)]


def places_in(marks: bytes, mark: bytes) -> Iterator[int]:
    """Yield the places of a mark among the marks of a seal, from 0 on; usually one or none."""
    at = marks.find(mark)
    while at >= 0:
        place, rest = divmod(at, MARK_BYTES)
        if not rest:
            yield place
        at = marks.find(mark, at + 1)


def system_of(source: str) -> str:
    """Return the name of the system in the ``source`` of an envelope: what is before a slash."""
    return source.partition("/")[0]


class SealStatement(NamedTuple):
    """Statement of a source: it sent these commands, and no others up to the moment ``until``.

    ``first`` is the number of the first command, ``marks`` has 6 bytes for each, ``digest`` is over
    the identifiers of all; ``is_last``: no seal is due until the source sends again.
    """

    chain: str
    system: str
    first: int
    until: int
    is_last: bool
    digest: bytes
    marks: bytes

    @classmethod
    def over(
        cls,
        commands: Sequence[bytes],
        *,
        chain: str,
        system: str,
        first: int,
        until: int,
        is_last: bool,
    ) -> SealStatement:
        """Return the statement over commands, by their identifiers of 16 bytes in their order."""
        digest = sha256(b"".join(commands)).digest()
        marks = b"".join(map(mark_of, commands))
        return cls(chain, system, first, until, is_last, digest, marks)

    @classmethod
    def of(cls, chain: str, facts: Mapping[str, Any]) -> SealStatement:
        """Return the statement of the facts of a ``SourceSealed``, or of its command."""
        names = ("system", "first_number", "until", "is_last", "digest", "marks")
        return cls(chain, *(facts[name] for name in names))

    @property
    def commands(self) -> int:
        """Number of commands."""
        return len(self.marks) // MARK_BYTES

    @property
    def text(self) -> str:
        """The payload: eight lines, of which the first names the format."""
        lines = (
            "gameledger-source-seal/v1",
            self.chain,
            self.system,
            f"{self.first} {self.commands}",
            str(self.until),
            "last" if self.is_last else "more",
            self.digest.hex(),
            self.marks.hex(),
        )
        return "".join(f"{line}\n" for line in lines)

    def signed_bytes(self, certificate: bytes) -> bytes:
        """Return the signing input of the JWS; the header names the certificate."""
        thumbprint = _base64url(sha256(certificate).digest())
        header = f'{{"alg":"ES256","iat":{self.until // SECOND},"x5t#S256":"{thumbprint}"}}'
        return f"{_base64url(header.encode())}.{_base64url(self.text.encode())}".encode()

    def is_signed_by(self, public_key: bytes, certificate: bytes, signature: bytes) -> bool:
        """Return whether a signature of 64 bytes is one of the key over this statement."""
        if len(signature) != SIGNATURE_BYTES:
            return False
        half = SIGNATURE_BYTES // 2
        r, s = int.from_bytes(signature[:half]), int.from_bytes(signature[half:])
        text = self.signed_bytes(certificate)
        return ECDSA_P256.verify(public_key, encode_dss_signature(r, s), text)

    def jws(self, certificate: bytes, signature: bytes) -> str:
        """Return the seal as a JWS in JSON (RFC 7515, section 7.2.2), with its certificate.

        The certificate is in ``x5c`` of the unprotected header, so that the signature of the
        recorded seal, whose protected header has its digest, holds for this form, too.
        """
        protected, payload = self.signed_bytes(certificate).decode().split(".")
        parts = {
            "payload": payload,
            "protected": protected,
            "header": {"x5c": [b64encode(certificate).decode()]},
            "signature": _base64url(signature),
        }
        return json.dumps(parts, indent=1) + "\n"


def is_registration(facts: Mapping[str, Any]) -> bool:
    """Return whether a ``SourceRegistered`` has a key that its certificate holds, or neither."""
    key, certificate = facts["public_key"], facts["certificate"]
    return (len(key) == ECDSA_P256.key_bytes and key in certificate) or not (key or certificate)


def is_seal(chain: str, facts: Mapping[str, Any], key: bytes, certificate: bytes) -> bool:
    """Return whether a ``SourceSealed`` of a chain numbers commands with their marks, is signed."""
    statement = SealStatement.of(chain, facts)
    is_whole = len(statement.marks) == facts["commands"] * MARK_BYTES
    is_numbered = 1 <= statement.first <= NUMBER_MAX
    return is_whole and is_numbered and statement.is_signed_by(key, certificate, facts["signature"])


class SourceCertificate(NamedTuple):
    """Certificate of a source in DER; its public key as SubjectPublicKeyInfo, and its last moment.

    Who issued it is not verified: a source is trusted because the operator registered it.
    """

    der: bytes
    public_key: bytes
    begins_at: int
    ends_at: int

    @classmethod
    def read(cls, der: bytes) -> SourceCertificate:
        """Read a certificate.

        Raises:
            InputError: it is not a certificate of a key on P-256, in DER.

        """
        try:
            certificate = x509.load_der_x509_certificate(der)
            key = certificate.public_key()
            raw = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
            ends: datetime = certificate.not_valid_after_utc
            begins: datetime = certificate.not_valid_before_utc
        except Exception as error:  # the library raises many kinds for damaged bytes
            raise InputError(f"this is not an X.509 certificate in DER: {error}") from error
        if len(raw) != ECDSA_P256.key_bytes or raw not in der:
            raise InputError("the certificate of a source has a key of ECDSA on P-256")
        return cls(der, raw, from_datetime(begins), from_datetime(ends))


class SourceKey(NamedTuple):
    """Private key of a source, with its certificate in DER."""

    key: ec.EllipticCurvePrivateKey
    certificate: bytes

    @classmethod
    def read(cls, pem: bytes) -> SourceKey:
        """Read a PEM file with the private key, not encrypted, and the certificate.

        Raises:
            InputError: one of them is missing or not of ECDSA on P-256, or they do not belong
                together.

        """
        try:
            key = load_pem_private_key(pem, None)
            der = x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)
        except (TypeError, ValueError, UnsupportedAlgorithm) as error:
            text = "a source needs a PEM file with its private key and its certificate"
            raise InputError(f"{text}: {error}") from error
        certificate = SourceCertificate.read(der)
        public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        if not isinstance(key, ec.EllipticCurvePrivateKey) or public != certificate.public_key:
            raise InputError("the private key of the source is not that of its certificate")
        return cls(key, der)

    def sign(self, statement: SealStatement) -> bytes:
        """Return the signature over a statement, 64 bytes; the same statement has one signature."""
        how = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
        r, s = decode_dss_signature(self.key.sign(statement.signed_bytes(self.certificate), how))
        half = SIGNATURE_BYTES // 2
        return r.to_bytes(half) + s.to_bytes(half)


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
