"""A seal vouches for the document that was printed, and for nothing that came with the seal."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from pyhanko.pdf_utils.generic import (
    ArrayObject,
    DictionaryObject,
    NumberObject,
    StreamObject,
    pdf_name,
    pdf_string,
)
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import SigFieldSpec, append_signature_field

from ledger.core.errors import InputError
from projections.evidence import sealing
from projections.evidence.checking import check
from projections.evidence.document import EvidenceError
from projections.evidence.page import page_of
from projections.evidence.printing import print_page
from projections.evidence.sealing import seal
from tests.projections.evidence.test_verify import VECTORS
from tests.search import share
from tools.practice.keys import practice_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from projections.packages.keys import KeyPair

    Change = Callable[[IncrementalPdfFileWriter], None]


@pytest.fixture(scope="module")
def document() -> bytes:
    return print_page(page_of((VECTORS / "round.json").read_bytes()))


@pytest.fixture(scope="module")
def anybody() -> KeyPair:
    return practice_pair("operator", practice_pair("root"))


def test_a_pdf_that_unpacks_to_more_than_memory_has_is_refused() -> None:
    """An attachment of 1 GiB in two layers of compression has a few kB."""
    layer = zlib.compressobj(9)
    once = b"".join(layer.compress(bytes(1 << 24)) for _ in range(64)) + layer.flush()
    content = zlib.compress(once, 9)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(a) 3 0 R]>>>>>>",
        b"<</Type/Pages/Kids[]/Count 0>>",
        b"<</Type/Filespec/F(evidence.html)/EF<</F 4 0 R>>>>",
        b"<</Filter[/FlateDecode/FlateDecode]/Length %d>>stream\n%s\nendstream"
        % (len(content), content),
    ]
    pdf, places = bytearray(b"%PDF-1.7\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(pdf))
        pdf += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(pdf)
    pdf += b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % at for at in places)
    pdf += b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start
    with pytest.raises(InputError, match=r"carries no evidence|reading it takes more than"):
        check(bytes(pdf))


def other_text(writer: IncrementalPdfFileWriter) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    page["/Contents"] = writer.add_object(StreamObject(stream_data=b"BT (FORGED) Tj ET"))
    writer.update_container(page)


def other_text_in_its_place(writer: IncrementalPdfFileWriter) -> None:
    content = writer.root["/Pages"]["/Kids"][0]["/Contents"]
    content._data = b"BT (FORGED) Tj ET"
    content._encoded_data = None
    writer.update_container(content)


def a_note(writer: IncrementalPdfFileWriter) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    page["/Annots"] = ArrayObject([DictionaryObject({pdf_name("/Subtype"): pdf_name("/Text")})])
    writer.update_container(page)


def a_page(writer: IncrementalPdfFileWriter) -> None:
    pages = writer.root["/Pages"]
    pages["/Kids"].append(pages["/Kids"].raw_get(0))
    pages["/Count"] = NumberObject(len(pages["/Kids"]))
    writer.update_container(pages)


def a_script(writer: IncrementalPdfFileWriter) -> None:
    script = {pdf_name("/S"): pdf_name("/JavaScript"), pdf_name("/JS"): pdf_string("app.alert(1)")}
    writer.root["/OpenAction"] = DictionaryObject(script)
    writer.update_root()


def a_picture_of_a_seal(writer: IncrementalPdfFileWriter) -> None:
    append_signature_field(writer, SigFieldSpec(sealing.FIELD, box=(50, 50, 500, 700)))


CHANGES = (other_text, other_text_in_its_place, a_note, a_page, a_script, a_picture_of_a_seal)


def test_a_seal_of_anybody_is_named(document: bytes, anybody: KeyPair) -> None:
    found = check(seal(document, anybody))
    assert found.page == "shows what is proved, to the byte"
    assert found.sealed_by == ("Common Name: gameledger practice operator",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"trailer\n<<", b"trailer\n<</X " + b"[" * 20_000),
        (b"/Size ", b"/Sise "),
        (b"/ByteRange [0 ", b"/ByteRange [0 --"),
    ],
)
def test_a_document_that_is_not_built_as_one_is_refused_in_words(
    document: bytes, anybody: KeyPair, old: bytes, new: bytes
) -> None:
    sealed = seal(document, anybody)
    for content in (document.replace(old, new), sealed.replace(old, new)):
        if content not in {document, sealed}:
            with pytest.raises((EvidenceError, InputError)):
                check(content)


@pytest.mark.parametrize("change", share(CHANGES, 0, of=2))
def test_what_is_altered_before_it_is_sealed_is_refused(
    document: bytes, anybody: KeyPair, change: Change
) -> None:
    """Whoever has some key could else show other pages behind those that are compared."""
    writer = IncrementalPdfFileWriter(BytesIO(document))
    change(writer)
    altered = BytesIO()
    writer.write(altered)
    with pytest.raises(EvidenceError, match="page: ") as refused:
        check(seal(altered.getvalue(), anybody))
    assert refused.value.place == "page"


@pytest.mark.parametrize("change", share(CHANGES, 1, of=2))
def test_what_is_altered_with_the_seal_is_refused(
    document: bytes, anybody: KeyPair, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    def altering(stream: BytesIO) -> IncrementalPdfFileWriter:
        writer = IncrementalPdfFileWriter(stream)
        change(writer)
        return writer

    monkeypatch.setattr(sealing, "IncrementalPdfFileWriter", altering)
    with pytest.raises(EvidenceError) as refused:
        check(seal(document, anybody))
    assert refused.value.place == "page"
