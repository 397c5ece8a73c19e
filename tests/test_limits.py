"""docs/limits.md states the bounds that the code has."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.decisions import statements
from ledger.storage import named_files
from ledger.tlog import notes
from projections.evidence import checking, document, page
from projections.packages.cz import confirmation, content, names, seal
from tools.delivery import trust
from tools.service import authentication, limits
from tools.statements import parts, reading, workbook, xml_events, xml_nodes
from tools.web import protocol, serving

PAGE = (Path(__file__).parents[1] / "docs" / "limits.md").read_text(encoding="utf-8")
MIB, GIB = 1 << 20, 1 << 30


@pytest.mark.parametrize(
    ("row", "bounds"),
    [
        ("settings", {named_files.TEXT_BYTES_MAX // MIB: "MiB"}),
        ("list of clients", {authentication.LIST_BYTES_MAX // MIB: "MiB"}),
        ("trusted list", {trust.LIST_BYTES_MAX // MIB: "MiB"}),
        ("statement as text", {parts.LINE_BYTES_MAX // MIB: "MiB a line"}),
        (
            "statement as XML",
            {
                xml_events.TOKEN_BYTES_MAX // MIB: "MiB a token",
                xml_events.DEPTH_MAX: "levels",
                xml_nodes.TEXT_MAX >> 10: "KiB of text",
                xml_nodes.PARTS_MAX: "parts",
            },
        ),
        (
            "statement as XLSX",
            {
                workbook.PARTS_MAX: "parts",
                workbook.UNPACKED_MAX // GIB: "GiB unpacked",
                workbook.ROWS_MAX: "rows",
                workbook.COLUMNS_MAX: "columns",
                workbook.CELL_LENGTH_MAX: "characters a cell",
                workbook.STRINGS_LENGTH_MAX // MIB: "MiB of shared texts",
            },
        ),
        (
            "any statement",
            {
                statements.STATEMENTS_MAX: "statements",
                statements.DAYS_MAX: "days in each",
                reading.LINE_DAYS_MAX: "days",
            },
        ),
        (
            "package as ZIP",
            {
                content.MEMBERS_MAX: "entries",
                content.UNPACKED_BYTES_MAX // GIB: "GiB unpacked",
                content.RATIO_MAX: "times its own size",
                content.RATIO_FREE_BYTES // MIB: "MiB on",
                content.LINE_MAX: "bytes a line",
            },
        ),
        ("sealed package", {names.SEALED_BYTES_MAX // MIB: "MiB"}),
        (
            "confirmation",
            {
                confirmation.ANSWER_BYTES_MAX // MIB: "MiB",
                confirmation.UNPACKED_BYTES_MAX // MIB: "MiB unpacked",
                confirmation.MEMBERS_MAX: "entries",
                confirmation.LINES_MAX: "lines",
            },
        ),
        (
            "evidence |",
            {page.FILE_BYTES_MAX // MIB: "MiB", document.DATA_BYTES_MAX // MIB: "MiB"},
        ),
        (
            "CMS",
            {
                seal.CMS_BOUNDS.memory_bytes // GIB: "GiB of memory",
                seal.CMS_BOUNDS.seconds: "s",
            },
        ),
        (
            "evidence as PDF",
            {
                checking.PDF_BOUNDS.memory_bytes // GIB: "GiB of memory",
                checking.PDF_BOUNDS.seconds: "s",
            },
        ),
        (
            "request",
            {
                int(serving.BODY_SECONDS): "s",
                int(protocol.REQUEST_SECONDS): "s",
                limits.Limits().line_seconds: "s",
            },
        ),
        ("tiles and notes", {notes.NOTE_CHARACTERS_MAX: "characters"}),
    ],
)
def test_the_page_states_the_bounds(row: str, bounds: dict[int, str]) -> None:
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {row}")]
    for number, unit in bounds.items():
        assert f"{number:,} {unit}" in line
