"""Parse the authority's response: a confirmation package with the verdict and findings.

What comes in: the content of ``NAME.Ok.zip`` or ``NAME.Err.zip`` (decrypted before, if it was
sealed). What goes out: the verdict, a finding for each fault with its line or primary key, and the
digests of the files that the authority read, which show whether it read our files.

Parsing takes bounded memory and time for any input: a response has at most ``ANSWER_BYTES_MAX``
bytes, of which ``UNPACKED_BYTES_MAX`` and ``LINES_MAX`` lines are read. What is recorded in the
chain is truncated to the size of one event, with the digest of the response.

The columns of the line findings are known; those of the database findings are not (they name
primary keys), so they are classified by their content and nothing is dropped: cells that are not
recognised become the message.
"""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING, Literal

from ledger.core.errors import InputError
from ledger.decisions.packages import FILE_MAX, FINDINGS_BYTES_MAX, KEY_MAX, Finding, bytes_of
from ledger.events.command import NAME_MAX, WORD_MAX
from projections.packages.cz.content import DAMAGED, LINE_MAX
from projections.packages.cz.fields import files
from projections.packages.cz.names import PackageName
from projections.packages.cz.values import split_line
from projections.packages.results import Confirmation, FileReport

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "ANSWER_BYTES_MAX",
    "confirmation_name",
    "read_confirmation",
]

LINE_FINDINGS = "validation-errors.csv"
DATABASE_FINDINGS = "db-validation-errors.csv"
REPORTS = ("validation-report.csv", "db-validation-report.csv")
ANSWER_BYTES_MAX = 4 << 20
"""Maximum bytes of a response, sealed or not."""
UNPACKED_BYTES_MAX = 8 << 20
"""Maximum bytes of all its unpacked reports."""
MEMBERS_MAX = 100
LINES_MAX = 50_000
CELLS_MAX = 20
FINDINGS_MAX = 1_000
REPORTS_MAX = 100
FINDING_COLUMNS = 6
REPORT_COLUMNS = 5
DIGEST_MARK = "sha256:"

_NAME = re.compile(
    r"(?P<package>[\w-]+)\.(?P<word>ok|err|error|chyba)\.zip(?:\.p7e\.p7s)?", re.IGNORECASE
)
_PACKAGE = re.compile(r"[A-Za-z0-9_]{1,20}-[VMvm]-[\w-]{6,70}-[0-9]{2}")
_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def confirmation_name(file_name: str) -> tuple[PackageName, Literal["OK", "ERR"]]:
    """Parse package and verdict from the name of a confirmation.

    Raises:
        InputError: it is not the name of a confirmation.
    """
    found = _NAME.fullmatch(file_name)
    if found is None:
        raise InputError(
            f"{file_name!r} is not the name of a confirmation, such as "
            "12345678-V-2026112108-Z-01.Ok.zip, or the same sealed"
        )
    return PackageName.parse(found["package"]), "OK" if found["word"].lower() == "ok" else "ERR"


def read_confirmation(file_name: str, content: bytes) -> Confirmation:
    """Parse a confirmation from its ZIP file.

    Raises:
        InputError: it is not a confirmation, or not for a package of ours.
    """
    package, verdict = confirmation_name(file_name)
    texts = _texts(file_name, content)
    for name, text in texts.items():
        _require_of(package, text, f"{name} in {file_name}")
    found = [
        _line_finding(row, package)
        for name in (LINE_FINDINGS, DATABASE_FINDINGS)
        for row in _rows(texts.get(name, ""), package)
    ]
    kept = _shortened(found)
    reports = [report for name in REPORTS for report in _reports(texts.get(name, ""), package)]
    return Confirmation(package, verdict, kept, tuple(reports[:REPORTS_MAX]), kept != tuple(found))


def _texts(file_name: str, content: bytes) -> dict[str, str]:
    """Unpack the known files, in bounded memory and time."""
    if len(content) > ANSWER_BYTES_MAX:
        raise _too_much(file_name, f"{len(content)} bytes", ANSWER_BYTES_MAX)
    known = {LINE_FINDINGS, DATABASE_FINDINGS, *REPORTS}
    texts: dict[str, str] = {}
    left = UNPACKED_BYTES_MAX
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            if len(entries) > MEMBERS_MAX:
                raise _too_much(file_name, f"{len(entries)} files", MEMBERS_MAX)
            for entry in entries:
                name = entry.filename.rpartition("/")[2].lower()
                if name not in known:
                    continue
                if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                    raise InputError(
                        f"{name} in {file_name} is packed by a method other than ZIP's"
                    )
                with archive.open(entry) as stream:
                    raw = stream.read(left + 1)
                left -= len(raw)
                if left < 0:
                    raise _too_much(
                        file_name, "reports of more bytes when unpacked", UNPACKED_BYTES_MAX
                    )
                texts[name] = raw.decode("utf-8-sig", errors="replace")
    except (*DAMAGED, OSError) as error:
        raise InputError(f"{file_name} is not a ZIP file: {error}") from error
    if not texts:
        raise InputError(
            f"{file_name} is no confirmation: it holds none of {', '.join(sorted(known))}; "
            "fetch it from the authority again"
        )
    for name, text in texts.items():
        if text.count("\n") >= LINES_MAX:
            raise _too_much(file_name, f"{text.count(chr(10))} lines in {name}", LINES_MAX)
    return texts


def _too_much(file_name: str, what: str, limit: int) -> InputError:
    text = f"{file_name} has {what}, a confirmation {limit} at most"
    return InputError(f"{text}: keep the file and ask the authority")


def _shortened(found: list[Finding]) -> tuple[Finding, ...]:
    """Shorten findings, and drop those that exceed the size of one event."""
    kept: list[Finding] = []
    left = FINDINGS_BYTES_MAX
    for finding in found[:FINDINGS_MAX]:
        short = Finding(
            file=_short(finding.file, FILE_MAX),
            key=_short(finding.key, KEY_MAX),
            code=_short(finding.code, WORD_MAX),
            column=_short(finding.column, WORD_MAX),
            message=_short(finding.message, NAME_MAX),
        )
        left -= bytes_of(short)
        if left < 0:
            break
        kept.append(short)
    return tuple(kept)


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _cells(line: str) -> list[str]:
    """Split a line; surplus cells stay together, for the message."""
    line = line.rstrip("\r")
    if len(line) > LINE_MAX:
        return [line[:LINE_MAX]]
    cells = split_line(line) or [line]
    return [*cells[:CELLS_MAX], *([";".join(cells[CELLS_MAX:])] if cells[CELLS_MAX:] else [])]


def _require_of(package: PackageName, text: str, place: str) -> None:
    """Reject a confirmation whose content names another package than its file name."""
    for number, line in enumerate(text.split("\n")):
        first = _cells(line)[0].strip()
        if _PACKAGE.fullmatch(first) and first.lower() != str(package).lower():
            raise InputError(
                f"{place}, line {number}, is about package {first}, not {package}: "
                "it is the confirmation of another package, or was renamed"
            )


def _rows(text: str, package: PackageName) -> Iterator[list[str]]:
    """Return the rows of a table, without a heading (a first line that names nothing of ours)."""
    for number, line in enumerate(text.split("\n")):
        row = _cells(line)
        is_heading = number == 0 and not any(_is_named(cell, package) for cell in row)
        if line.strip() and not is_heading:
            yield row


def _is_named(cell: str, package: PackageName) -> bool:
    is_ours = cell.lower().endswith(".csv") or cell.startswith(f"{package.operator}-")
    return is_ours or bool(_CODE.fullmatch(cell))


def _line_finding(row: list[str], package: PackageName) -> Finding:
    """Create a finding from ``package;file;line;field;code;message``, or a part of it."""
    if len(row) == FINDING_COLUMNS and _CODE.fullmatch(row[4]):
        return Finding(file=row[1], key=row[2], column=row[3], code=row[4], message=row[5])
    rest = [cell for cell in row if cell.lower() != str(package).lower()]
    code = next((cell for cell in rest if _CODE.fullmatch(cell)), "")
    file = next((cell for cell in rest if cell.lower().endswith(".csv")), "")
    key = next((cell for cell in rest if cell.startswith(f"{package.operator}-")), "")
    placed = {code, file, key}
    return Finding(
        file=file,
        key=key,
        code=code or "UNKNOWN",
        message=" ".join(cell for cell in rest if cell and cell not in placed),
    )


def _reports(text: str, package: PackageName) -> Iterator[FileReport]:
    known = {one.file_name.lower(): one.file_name for one in files(package.model).values()}
    for line in text.split("\n"):
        row = _cells(line)
        is_report = len(row) >= REPORT_COLUMNS and row[1].lower().endswith(".csv")
        if is_report:
            digest = row[4].strip()
            is_known = digest.lower().startswith(DIGEST_MARK)
            yield FileReport(
                file=known.get(row[1].lower(), _short(row[1].lower(), FILE_MAX)),
                result=_short(row[2], NAME_MAX),
                lines=_short(row[3], NAME_MAX),
                digest=digest[len(DIGEST_MARK) :].lower() if is_known else "",
            )
