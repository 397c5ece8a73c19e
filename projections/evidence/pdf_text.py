"""Write text as a PDF/A-3 whose bytes depend only on its content."""

from __future__ import annotations

from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from fpdf import FPDF
from fpdf.enums import DocumentCompliance, XPos, YPos

from ledger.core.clock import SECOND
from ledger.core.version import VERSION
from projections.evidence.page import cleaned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.words.catalogue import Language

__all__ = ["FAMILY", "MONO", "new_document", "on_letterhead", "write_heading", "write_line"]

FAMILY, MONO = "dejavu", "dejavumono"
_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"'
    ' xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">'
    '<rdf:Description rdf:about="" xmp:CreateDate="{moment}" xmp:ModifyDate="{moment}"'
    ' xmp:MetadataDate="{moment}" pdf:Producer="{producer}">'
    "<pdfaid:part>3</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>"
    '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{title}</rdf:li></rdf:Alt></dc:title>'
    "</rdf:Description></rdf:RDF></x:xmpmeta>"
)
"""Metadata of PDF/A; the library would insert the current time."""


def new_document(*, title: str, producer: str, moment: datetime, language: Language) -> FPDF:
    """Begin a document with the embedded fonts.

    ``moment`` is its date in UTC; take it from the content, not from a clock.
    """
    document = FPDF(enforce_compliance=DocumentCompliance.PDFA_3U)
    fonts = files(__package__) / "fonts"
    document.add_font(FAMILY, "", str(fonts / "DejaVuSans.ttf"))
    document.add_font(FAMILY, "B", str(fonts / "DejaVuSans-Bold.ttf"))
    document.add_font(MONO, "", str(fonts / "DejaVuSansMono.ttf"))
    document.set_creation_date(moment)
    document.set_title(title)
    document.set_producer(producer)
    document.set_xmp_metadata(
        _XMP.format(
            title=escape(cleaned(title)),
            producer=escape(cleaned(producer), quote=True),
            moment=moment.isoformat(timespec="seconds"),
        )
    )
    document.set_lang(language)
    document.set_auto_page_break(auto=True, margin=18)
    return document


def on_letterhead(title: str, sender: Iterable[str], written_at: int, language: Language) -> FPDF:
    """Begin a document of ours with the lines of its sender; its date is a moment of the record."""
    document = new_document(
        title=title,
        producer=f"gameledger {VERSION}",
        moment=datetime.fromtimestamp(written_at // SECOND, UTC),
        language=language,
    )
    document.add_page()
    for line in sender:
        write_line(document, line, size=10)
    return document


def write_heading(document: FPDF, text: str) -> None:
    """Write a heading of a section."""
    document.ln(3)
    write_line(document, text, size=12, style="B")


def write_line(
    document: FPDF, text: str, *, size: int = 9, style: str = "", family: str = FAMILY
) -> None:
    """Write a paragraph of any length; invisible characters become their code points."""
    document.set_font(family, style, size)
    shown = "\n".join(cleaned(one) for one in text.split("\n"))
    document.multi_cell(0, text=shown, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
