"""Render evidence as a PDF/A-3 for print, with the HTML page attached.

What comes in: an evidence page. What goes out: a PDF, in Czech and then in English, that carries
the page with the proofs. The same page gives the same bytes, so a holder of the PDF can verify that
it matches the attached page; a seal (PAdES) is appended to these bytes. Rejected: a PDF without the
attachment.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING

from pyhanko.pdf_utils.reader import PdfFileReader

from ledger.core.clock import SECOND
from ledger.core.errors import InputError
from projections.evidence.page import data_in
from projections.evidence.pdf_text import FAMILY, MONO, new_document, write_heading, write_line
from projections.evidence.sealing import UNREADABLE, sealed_by
from projections.evidence.story import (
    ROUND,
    certificates_of,
    late_text,
    origin_text,
    plans_of,
    shown_result_text,
    story_of,
)
from projections.evidence.verify import verify
from projections.facts.rendering import render_fact
from projections.pictures.round import draw_round
from projections.words import names
from projections.words.catalogue import Language, Words
from projections.words.explanations import render_explanation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fpdf import FPDF

    from projections.evidence.story import Story
    from projections.evidence.verify import VerifiedFile
    from projections.facts.facts import Fact
    from projections.replay.round import Replay, Wager

__all__ = ["print_page", "read_printed"]

ATTACHED = "evidence.html"
PICTURE_MM = 160.0
_FONT = re.compile('font-family="[^"]*"')
_NOT_PRINTED = re.compile('<(?:title|desc)[^>]*>[^<]*</(?:title|desc)>|<path[^>]* d=""[^>]*/>')
"""Texts for screen readers, and paths without a line: fpdf2 cannot render them."""


def print_page(page: bytes) -> bytes:
    """Render an evidence page as a PDF, and attach the page.

    Raises:
        InputError, EvidenceError: it is not a page, or its proofs are invalid.

    """
    found = verify(data_in(page))
    document = _document(found)
    with plans_of(found):
        story = story_of(found)
        for language in Language:
            document.add_page()
            _write(document, Words(language), found, story)
    document.embed_file(
        bytes=page,
        basename=ATTACHED,
        mime_type="text/html",
        associated_file_relationship="SOURCE",
        modification_date=_moment(found),
    )
    return bytes(document.output())


def _page_in(pdf: bytes) -> bytes:
    """Extract the page from a PDF.

    Raises:
        InputError: there is none.

    """
    try:
        root = PdfFileReader(BytesIO(pdf)).root
        named = root["/Names"]["/EmbeddedFiles"]["/Names"]
        attached = [named[at] for at in range(1, len(named), 2)]  # indexing resolves references
        found = [one["/EF"]["/F"].data for one in attached if one["/F"] == ATTACHED]
    except UNREADABLE as error:
        raise InputError(f"this PDF carries no evidence: {error}") from error
    if len(found) != 1 or not isinstance(found[0], bytes):
        raise InputError(f"this PDF carries no {ATTACHED}, or several")
    return found[0]


def read_printed(pdf: bytes) -> tuple[tuple[str, ...], bytes]:
    """Return the names of a PDF's seals, and the attached page.

    Raises:
        EvidenceError: a seal is invalid.
        InputError: there is no page.

    """
    return sealed_by(pdf), _page_in(pdf)


def _document(found: VerifiedFile) -> FPDF:
    return new_document(
        title=found.evidence.subject.tag,
        producer=found.evidence.made_by,
        moment=_moment(found),
        language=Language.CS,
    )


def _moment(found: VerifiedFile) -> datetime:
    """Return the time of the last shown message, so that the bytes do not depend on a clock."""
    last = max(one.envelope["recorded_at"] for one in (*found.events, *found.basis))
    return datetime.fromtimestamp(last // SECOND, UTC)


def _write(document: FPDF, words: Words, found: VerifiedFile, story: Story) -> None:
    """Write the whole content in one language."""
    evidence = found.evidence
    name = evidence.subject.tag.partition(":")[2]
    is_round = evidence.subject.tag.startswith(ROUND)
    title = words.text("evidence.title_round", name=name)
    write_line(
        document, title if is_round else words.text("evidence.title_account", name=name), size=16
    )
    number = words.text("evidence.company_number", number=story.operator)
    chain = words.text("evidence.chain", chain=found.checkpoint.chain)
    write_line(document, f"{story.operator_name} ({number}), {chain}")
    write_line(document, words.text("evidence.attached", name=ATTACHED), style="B")
    if evidence.subject.account:
        write_line(document, words.text("evidence.made_for", account=evidence.subject.account))
    if evidence.completeness.value is None:
        write_line(document, words.text("evidence.absent", name=name), style="B")
    if story.replay:
        _write_round(document, words, story.replay, story)
    write_heading(document, words.text("evidence.facts"))
    origins = {one.position: one for one in found.origins}
    for fact in story.facts:
        _fact(document, words, fact)
        if fact.position in origins:
            write_line(document, origin_text(words, origins[fact.position]), size=8)
    if evidence.withheld:
        write_heading(document, words.text("evidence.withheld"))
        write_line(document, words.text("evidence.withheld_count", count=len(evidence.withheld)))
        for one in evidence.withheld:
            write_line(document, f"{one.position} {one.hash.hex()}", size=7, family=MONO)
    if found.opened:
        write_heading(document, words.text("evidence.opened_fields"))
        write_line(document, words.text("evidence.opened_note"))
        for field in found.opened:
            text = words.text("evidence.erased") if field.text is None else field.text
            write_line(document, f"{field.position}, {field.field}: {text}")
    write_heading(document, words.text("evidence.meaning"))
    for text in (
        words.text("evidence.means_recorded"),
        words.text("evidence.means_complete"),
        words.text("evidence.means_signed"),
        words.text("evidence.means_not_true"),
        words.text("evidence.means_sealed"),
    ):
        write_line(document, text)
    _write_certificates(document, words, certificates_of(found))
    write_heading(document, words.text("evidence.checkpoint"))
    write_line(document, evidence.note, size=7, family=MONO)
    write_heading(document, words.text("evidence.keys"))
    write_line(document, words.text("evidence.keys_note"))
    for key in found.signers:
        write_line(document, key.text, size=7, family=MONO)


def _write_certificates(document: FPDF, words: Words, certificates: Sequence[str]) -> None:
    if certificates:
        write_line(document, words.text("evidence.means_origin"))
        write_heading(document, words.text("evidence.origin_certificates"))
        write_line(document, words.text("evidence.origin_certificates_note"))
    for one in certificates:
        write_line(document, one, size=7, family=MONO)


def _write_round(document: FPDF, words: Words, replay: Replay, story: Story) -> None:
    line = replay.round
    write_heading(document, words.text("evidence.round"))
    game = names.named(words, "games", line.game)
    version = words.text("evidence.plan_version", version=line.plan_version)
    write_line(document, f"{words.text('evidence.game')}: {game}, {version}")
    write_line(document, f"{words.text('evidence.opened')}: {words.moment(line.opened_at)}")
    if line.closed_at is not None:
        write_line(document, f"{words.text('evidence.closed')}: {words.moment(line.closed_at)}")
    if line.wording:
        result = names.wording(words, line.wording)
        write_line(document, f"{words.text('evidence.result')}: {result}")
    if replay.shown_result is not None:
        write_line(document, shown_result_text(words, replay.shown_result))
    drawing = _FONT.sub(f'font-family="{FAMILY}"', draw_round(replay, words.language))
    document.image(_NOT_PRINTED.sub("", drawing).encode(), w=PICTURE_MM)
    if replay.wagers:
        write_heading(document, words.text("evidence.money"))
    for wager in replay.wagers:
        _wager(document, words, wager)
    if replay.refusals:
        write_heading(document, words.text("evidence.refusals"))
    for fact in replay.refusals:
        _fact(document, words, fact)
        if late := late_text(words, fact, story):
            write_line(document, late)


def _wager(document: FPDF, words: Words, wager: Wager) -> None:
    bet = names.bet(words, wager.bet_code, wager.selection, additional=bool(wager.parent))
    became = names.named(words, "results", wager.result or wager.status)
    parts = [f"{wager.account}: {bet}", words.money(wager.stake), became]
    for key, amount in (
        (words.text("evidence.due"), wager.due),
        (words.text("evidence.due_again"), wager.due_again),
        (words.text("evidence.paid"), wager.paid_now),
    ):
        if amount is not None:
            parts.append(f"{key} {words.money(amount)}")
    if wager.rule:
        parts.append(names.paragraph(words, wager.rule))
    write_line(document, "; ".join(parts))
    if wager.explanation:
        write_line(document, render_explanation(words, wager.explanation).reason, size=8)


def _fact(document: FPDF, words: Words, fact: Fact) -> None:
    write_line(document, render_fact(words, fact.event, fact.facts))
    place = words.text("evidence.at_position", position=fact.position)
    write_line(document, f"{place}, {words.moment(fact.recorded_at)}, {fact.event}", size=7)
    write_line(document, fact.hash, size=7, family=MONO)
