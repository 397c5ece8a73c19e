"""Seal a PDF: append a PAdES signature over the document.

What comes in: a PDF and the key of a seal, or a sealed PDF. What goes out: the sealed PDF, or the
names of the signers. The reader decides whether to trust a certificate. Rejected: a seal that does
not cover the document, and one with other additions: an appended revision can show other pages in
place of the original ones.
"""

from __future__ import annotations

import logging
from io import BytesIO
from typing import TYPE_CHECKING

from asn1crypto import keys
from asn1crypto import x509 as asn1_x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.pdf_utils.generic import ArrayObject
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
    from pyhanko.pdf_utils.generic import PdfObject

    from projections.packages.keys import KeyPair

__all__ = ["UNREADABLE", "require_seal_alone", "seal", "sealed_by"]

logging.getLogger("pyhanko").addHandler(logging.NullHandler())
# Its results are reported as errors; without a handler it would also write to stderr.

FIELD = "seal"
_OF_ROOT = {"/AcroForm", "/Extensions"}
_OF_PAGE = {"/Annots"}
_OF_FORM = {"/Fields", "/SigFlags"}
_OF_FIELD = {"/FT", "/T", "/Type", "/Subtype", "/F", "/Rect", "/P", "/V"}
UNREADABLE = (
    PdfError,
    CMSExtractionError,
    SignatureValidationError,
    UnsupportedAlgorithm,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    NotImplementedError,
    RecursionError,
)
"""Exceptions for a PDF with an invalid structure."""


def seal(pdf: bytes, sealer: KeyPair) -> bytes:
    """Return the PDF with an appended seal; its own bytes are unchanged."""
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
    """Return the signers of a PDF's seals; each seal must be valid and sign everything before it.

    Raises:
        EvidenceError: a seal is invalid.

    """
    found = []
    no_roots = ValidationContext(trust_roots=[], allow_fetching=False)
    try:
        for signature in PdfFileReader(BytesIO(pdf)).embedded_signatures:
            status = validate_pdf_signature(signature, no_roots)
            name = status.signing_cert.subject.human_friendly
            is_whole = status.coverage is SignatureCoverageLevel.ENTIRE_FILE
            if not (status.intact and status.valid and is_whole):
                raise EvidenceError("seal", f"the document is not the one that {name} sealed")
            found.append(name)
    except UNREADABLE as error:
        raise EvidenceError("seal", f"the seal can't be read: {error}") from error
    return tuple(found)


def require_seal_alone(document: bytes, sealed: bytes) -> None:
    """Require that only an invisible seal was appended to a document.

    Args:
        document: the bytes before the seal was appended.
        sealed: the same bytes, followed by the appended ones.

    Raises:
        EvidenceError: something else was added or replaced.

    """
    try:
        is_alone = _is_seal_alone(*(PdfFileReader(BytesIO(one)) for one in (document, sealed)))
    except UNREADABLE:
        is_alone = False
    if not is_alone:
        text = "more than one unseen seal was added to the document: it may show other pages"
        raise EvidenceError("page", text)


def _is_seal_alone(old: PdfFileReader, new: PdfFileReader) -> bool:
    """Return whether only the objects on the path to one invisible seal changed.

    The path is: the root names a form, the form a field, and a page the same field. Metadata, which
    no page shows, may name the last writer.
    """
    form = new.root["/AcroForm"]
    fields = form["/Fields"]
    field = fields[0]
    is_unseen = _OF_FIELD.issuperset(field) and not any(field["/Rect"])
    if len(fields) != 1 or not (is_unseen and _OF_FORM.issuperset(form)):
        return False
    if new.root_ref != old.root_ref or "/Encrypt" in new.trailer or "/Info" in new.trailer:
        return False
    way = _written(ArrayObject([fields.raw_get(0)]))
    metadata = old.root.raw_get("/Metadata").reference
    for reference in old.xrefs.explicit_refs_in_revision(0):
        before, after = (one.get_object(reference) for one in (old, new))  # type: ignore[no-untyped-call]
        if reference == metadata or _written(before) == _written(after):
            continue
        if reference == old.root_ref:
            added = _OF_ROOT
        elif before.get("/Type") == "/Page" and _written(after.get("/Annots")) == way:
            added = _OF_PAGE
        else:
            return False
        kept = {name: _written(one) for name, one in after.items() if name not in added}
        if kept != {name: _written(one) for name, one in before.items()}:
            return False
    return True


def _written(one: PdfObject) -> bytes:
    stream = BytesIO()
    one.write_to_stream(stream, None)
    return stream.getvalue()
