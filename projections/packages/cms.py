"""Build detached CAdES baseline B signatures (CMS, SHA-256) for packages and checkpoints.

What comes in: bytes, a signer whose key is in memory or in a device, and the time to be stated.
What goes out: SignedData without the content. Its signed attributes are content type, message
digest, signing time, signing certificate (version 2) and CMSAlgorithmProtection, as the
authority's own tool has them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from asn1crypto import cms, keys
from asn1crypto import x509 as asn1_x509
from asn1crypto.algos import RSASSAPSSParams, SignedDigestAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.sign.attributes import CMSAlgorithmProtectionProvider
from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.signers.pdf_cms import CAdESSignedAttributeProviderSpec, PdfCMSSignedAttributes
from pyhanko_certvalidator.registry import SimpleCertificateStore

from ledger.core.clock import to_datetime
from projections.packages.keys import to_der

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from pyhanko.sign.attributes import CMSAttributeProvider
    from pyhanko.sign.signers import Signer
    from pyhanko.sign.timestamps import TimeStamper

__all__ = ["file_signer", "mechanism_for", "sign_detached", "to_asn1"]

logging.getLogger("pyhanko").addHandler(logging.NullHandler())
# Its results are reported as errors; without a handler it would also write to stderr.

SALT_BYTES = 32


def to_asn1(certificate: x509.Certificate) -> asn1_x509.Certificate:
    """Return a certificate as the library of signatures has it."""
    return asn1_x509.Certificate.load(to_der(certificate))


def mechanism_for(certificate: x509.Certificate) -> SignedDigestAlgorithm | None:
    """Return RSA-PSS with SHA-256 and a salt of 32 bytes for an RSA key; None for any other."""
    if not isinstance(certificate.public_key(), RSAPublicKey):
        return None
    parameters = {
        "hash_algorithm": {"algorithm": "sha256"},
        "mask_gen_algorithm": {"algorithm": "mgf1", "parameters": {"algorithm": "sha256"}},
        "salt_length": SALT_BYTES,
    }
    return SignedDigestAlgorithm(
        {"algorithm": "rsassa_pss", "parameters": RSASSAPSSParams(parameters)}
    )


def file_signer(
    key: RSAPrivateKey | EllipticCurvePrivateKey,
    certificates: Sequence[x509.Certificate],
    mechanism: SignedDigestAlgorithm | None = None,
) -> SimpleSigner:
    """Return a signer with a private key in memory.

    Args:
        key: private key of the first certificate.
        certificates: its own, then others to be included.
        mechanism: of the signature; by default PKCS#1 v1.5 for RSA.

    """
    encoded = key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = [to_asn1(one) for one in certificates]
    return SimpleSigner(
        signing_cert=chain[0],
        signing_key=keys.PrivateKeyInfo.load(encoded),
        cert_registry=SimpleCertificateStore.from_certs(chain[1:]),  # type: ignore[no-untyped-call]
        signature_mechanism=mechanism,
    )


def sign_detached(
    content: bytes, signer: Signer, now: int, time_stamper: TimeStamper | None = None
) -> cms.ContentInfo:
    """Sign some bytes; with a time stamper it is CAdES baseline T. ``now`` is in microseconds."""
    signer.signed_attr_prov_spec = _Attributes(signer, to_datetime(now))
    return asyncio.run(
        signer.async_sign_general_data(
            content, "sha256", detached=True, use_cades=True, timestamper=time_stamper
        )
    )


class _Attributes(CAdESSignedAttributeProviderSpec):
    """The attributes of CAdES, and CMSAlgorithmProtection as in the authority's own tool."""

    def __init__(self, signer: Signer, moment: datetime) -> None:
        super().__init__(
            attr_settings=PdfCMSSignedAttributes(signing_time=moment),
            signing_cert=signer.signing_cert,
            is_pades=False,
            timestamper=None,
        )
        self._mechanism = signer.get_signature_mechanism_for_digest

    def signed_attr_providers(
        self, data_digest: bytes, digest_algorithm: str
    ) -> Iterator[CMSAttributeProvider]:
        yield from super().signed_attr_providers(data_digest, digest_algorithm)
        yield CMSAlgorithmProtectionProvider(digest_algorithm, self._mechanism(digest_algorithm))
