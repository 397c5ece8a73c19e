"""Check a whole evidence file: the proofs in its data part, and that its pages match the data part.

What comes in: the bytes of an HTML page, of a PDF, or of a data part alone. What goes out: the
proved content, and how the readable part was checked. Rejected: a page that differs from the one
that this version renders from its data part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.log.limited_call import CallLimits, call_with_limits
from projections.evidence.collect import MADE_BY
from projections.evidence.document import DATA_BYTES_MAX, EvidenceError
from projections.evidence.page import data_in, page_of
from projections.evidence.printing import print_page, read_printed
from projections.evidence.sealing import require_seal_alone
from projections.evidence.verify import VerifiedFile, verify

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.tlog.signing import PublicKey

__all__ = ["NOT_COMPARED", "CheckedEvidence", "check"]

NOT_COMPARED = "not compared"
"""What is stated of a readable part that another version made."""

PDF = b"%PDF-"
PDF_BOUNDS = CallLimits(seconds=120, memory_bytes=2 << 30)
"""Limits of time and memory for reading a PDF: a library unpacks streams of any length."""
BARE = b'{"evidence":'


class CheckedEvidence(Struct, frozen=True):
    """Result of the check; ``page`` describes how the readable part was checked.

    ``sealed_by`` lists the names in the certificates of a PDF's seals; the reader decides whether
    to trust them.
    """

    verified: VerifiedFile
    page: str
    reservations: tuple[str, ...]
    sealed_by: tuple[str, ...] = ()


def check(content: bytes, keys: Sequence[PublicKey] = ()) -> CheckedEvidence:
    """Check an evidence file.

    Args:
        content: its bytes.
        keys: trusted public keys from elsewhere; one of them must have signed.

    Raises:
        InputError: it is not an evidence file.
        EvidenceError: the proofs are invalid, or the readable part differs from the data part.

    """
    if content.startswith(BARE):
        found = verify(content, keys)
        return CheckedEvidence(found, "none: this is the data part alone", found.reservations)
    if content.startswith(PDF):
        return _check_printed(content, keys)
    data = data_in(content)
    if len(data) > DATA_BYTES_MAX:
        raise EvidenceError("data", f"the data part has more than {DATA_BYTES_MAX} bytes")
    found = verify(data, keys)
    made_by = found.evidence.made_by
    if page_of(data) == content:
        return CheckedEvidence(found, "shows what is proved, to the byte", found.reservations)
    if made_by == MADE_BY:
        text = "the page is not the one that this version makes of the data part: it was altered"
        raise EvidenceError("page", text)
    reservation = (
        f"The page was made by {made_by}, this is {MADE_BY}: what it shows was not compared."
    )
    return CheckedEvidence(found, NOT_COMPARED, (*found.reservations, reservation))


def _check_printed(content: bytes, keys: Sequence[PublicKey]) -> CheckedEvidence:
    """Check the page attached to a PDF, the seals, and that the PDF was rendered from that page."""
    seals, page = call_with_limits(read_printed, PDF_BOUNDS, content)
    found = check(page, keys)
    made = print_page(page)
    if content[: len(made)] != made:
        made_by = found.verified.evidence.made_by
        if made_by == MADE_BY:
            text = "the document is not the one that this version prints of the page it carries"
            raise EvidenceError("page", f"{text}: it was altered")
        reservation = (
            f"The document was printed by {made_by}, this is {MADE_BY}: it was not compared."
        )
        return CheckedEvidence(
            found.verified, NOT_COMPARED, (*found.reservations, reservation), seals
        )
    if len(content) > len(made):
        call_with_limits(require_seal_alone, PDF_BOUNDS, made, content)
    return CheckedEvidence(found.verified, found.page, found.reservations, seals)
