"""Whatever is sent as an answer of the authority: bounded memory, bounded time, one event."""

from __future__ import annotations

import io
import time
import tracemalloc
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.core.errors import InputError
from ledger.decisions.packages import FILE_MAX, FINDINGS_BYTES_MAX, KEY_MAX, bytes_of
from ledger.events.command import NAME_MAX, WORD_MAX
from projections.packages.cz.confirmation import (
    ANSWER_BYTES_MAX,
    LINES_MAX,
    UNPACKED_BYTES_MAX,
    read_confirmation,
)
from projections.packages.results import Confirmation

PACKAGE = "26493993-V-2026112016-Z-01"
NAME = f"{PACKAGE}.Err.zip"
FINDINGS = "validation-errors.csv"
SECONDS_MAX = 20
MEMORY_MAX = 400 << 20


def packed(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, raw in members:
            archive.writestr(name, raw)
    return out.getvalue()


def read(content: bytes) -> Confirmation | str:
    """Read an answer within the bounds; return the error's text if it is refused."""
    tracemalloc.start()
    begun = time.monotonic()
    try:
        found: Confirmation | str = read_confirmation(NAME, content)
    except InputError as error:
        found = str(error)
    spent, (_, peak) = time.monotonic() - begun, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert spent < SECONDS_MAX
    assert peak < MEMORY_MAX
    if isinstance(found, Confirmation):
        assert sum(bytes_of(finding) for finding in found.findings) <= FINDINGS_BYTES_MAX
        for finding in found.findings:
            assert len(finding.file) <= FILE_MAX
            assert len(finding.key) <= KEY_MAX
            assert max(len(finding.code), len(finding.column)) <= WORD_MAX
            assert len(finding.message) <= NAME_MAX
    return found


LINE = f"{PACKAGE};ucet.csv;2;TransakceVyse;ERR_FIELD_TYPE;text\r\n".encode()
REFUSED = [
    ("bomb", packed((FINDINGS, b"x" * (UNPACKED_BYTES_MAX + 1))), "when unpacked"),
    ("empty lines", packed((FINDINGS, b"\n" * UNPACKED_BYTES_MAX)), f"{LINES_MAX} at most"),
    ("many reports", packed(*[(f"{n}/{FINDINGS}", b"x" * (1 << 20)) for n in range(20)]),
     "when unpacked"),
    ("many members", packed(*[(f"{n}.txt", b"") for n in range(101)]), "101 files"),
    ("large answer", bytes(ANSWER_BYTES_MAX + 1), "bytes, a confirmation"),
    ("other packing", packed((FINDINGS, LINE), method=zipfile.ZIP_LZMA), "method"),
    ("an empty archive", b"PK\x05\x06" + bytes(100), "holds none of"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "why"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_an_answer_without_measure_is_refused_with_its_measure(content: bytes, why: str) -> None:
    found = read(content)
    assert isinstance(found, str)
    assert why in found


CUT = [
    ("many findings", LINE * (LINES_MAX - 2)),
    ("a long line", PACKAGE.encode() + b"x;" * 2_000_000),
    ("a long message", LINE.replace(b"text", b"t" * 60_000)),
    ("quotes", b'"' * 60_000 + b"\n" + LINE),
    ("cells in quotes", b'"a";' * 15_000 + b"\n" + LINE),
    ("long lines of cells", (b"A_A;b;" * 10_000 + b"\n") * 100),
    ("other bytes", b"\xff\xfe\x00" * 100_000 + b"\n" + LINE),
]


@pytest.mark.parametrize("text", [case[1] for case in CUT], ids=[case[0] for case in CUT])
def test_what_is_too_long_for_the_chain_is_cut_and_said(text: bytes) -> None:
    found = read(packed((FINDINGS, LINE + text)))
    assert isinstance(found, Confirmation)
    assert found.is_cut


def test_a_member_that_lies_about_its_size_is_damage_or_bounded() -> None:
    raw = bytearray(packed((FINDINGS, b"x" * 1_000_000)))
    size = (1_000_000).to_bytes(4, "little")
    while (at := raw.find(size)) >= 0:
        raw[at : at + 4] = (10).to_bytes(4, "little")
    assert isinstance(read(bytes(raw)), str)


def test_an_answer_that_fits_is_kept_whole() -> None:
    found = read(packed((FINDINGS, LINE * 200)))
    assert isinstance(found, Confirmation)
    assert (len(found.findings), found.is_cut) == (200, False)


@settings(deadline=None, max_examples=40)
@given(st.binary(max_size=2_000))
def test_any_bytes_in_any_place_end_with_findings_or_an_error(raw: bytes) -> None:
    read(raw)
    read(packed((FINDINGS, raw), ("validation-report.csv", raw)))


@pytest.mark.parametrize("heading", ["", "Soubor;Klíč;Popis\r\n"])
def test_a_first_finding_without_a_code_is_no_heading(heading: str) -> None:
    row = "konto.csv;26493993-účet;čas zřízení se změnil\r\n"
    content = packed(("db-validation-errors.csv", f"{heading}{row}".encode()))
    (finding,) = read_confirmation(f"{PACKAGE}.Ok.zip", content).findings
    assert (finding.file, finding.key) == ("konto.csv", "26493993-účet")
    assert finding.message == "čas zřízení se změnil"
