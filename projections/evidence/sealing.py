"""The seal of a printed form: PAdES around everything before it, added behind it.

What comes in: a PDF and the key of a seal, or a sealed PDF. What goes out: the sealed PDF, or whose
seal it bears. Whether to believe the certificate is for the reader. Refused: a seal that is not
over the document.
"""

from __future__ import annotations

import logging
from io import BytesIO
from typing import TYPE_CHECKING

from asn1crypto import keys
from asn1crypto import x509 as asn1_x509
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.misc import PdfError
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import SigSeedSubFilter
from pyhanko.sign.general import CMSExtractionError
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, SimpleSigner
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.errors import SignatureValidationError
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

from projections.evidence.document import EvidenceError

if TYPE_CHECKING:
    from projections.packages.cz.keys import KeyPair

__all__ = ["seal", "sealed_by"]

logging.getLogger("pyhanko").addHandler(logging.NullHandler())
# What it finds is said by errors; without a handler it would also go to stderr.

FIELD = "seal"


def seal(pdf: bytes, sealer: KeyPair) -> bytes:
    """Seal a PDF; its own bytes stay as they are."""
    key = sealer.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    chain = [
        asn1_x509.Certificate.load(one.public_bytes(Encoding.DER))
        for one in (sealer.certificate, *sealer.chain)
    ]
    signer = SimpleSigner(
        signing_cert=chain[0],
        signing_key=keys.PrivateKeyInfo.load(key),
        cert_registry=SimpleCertificateStore.from_certs(chain),  # type: ignore[no-untyped-call]
    )
    metadata = PdfSignatureMetadata(
        field_name=FIELD, md_algorithm="sha256", subfilter=SigSeedSubFilter.PADES
    )
    out = BytesIO()
    PdfSigner(metadata, signer).sign_pdf(IncrementalPdfFileWriter(BytesIO(pdf)), output=out)
    return out.getvalue()


def sealed_by(pdf: bytes) -> tuple[str, ...]:
    """Return whose seals a PDF bears, each good and over all that lies before it.

    Raises:
        EvidenceError: one is false.

    """
    found = []
    nobody = ValidationContext(trust_roots=[], allow_fetching=False)
    try:
        for signature in PdfFileReader(BytesIO(pdf)).embedded_signatures:
            status = validate_pdf_signature(signature, nobody)
            name = status.signing_cert.subject.human_friendly
            is_whole = status.coverage is SignatureCoverageLevel.ENTIRE_FILE
            if not (status.intact and status.valid and is_whole):
                raise EvidenceError("seal", f"the document is not the one that {name} sealed")
            found.append(name)
    except (PdfError, CMSExtractionError, SignatureValidationError, ValueError) as error:
        raise EvidenceError("seal", f"the seal can't be read: {error}") from error
    return tuple(found)
