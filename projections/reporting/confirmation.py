"""Read what the authority answers: a confirmation package, accepted or refused, with findings.

What comes in: the content of ``NAME.Ok.zip`` or ``NAME.Err.zip`` (opened before, if it was
sealed). What goes out: the verdict, a finding for each fault with its line or primary key,
and the digests of the files that the authority read, so that one sees that it read ours.

The columns of the line findings are known; those of the database findings are not (they name
primary keys), so they are told apart by what stands in them and nothing is thrown away:
what can't be placed becomes the message.
"""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ledger.errors import InputError
from ledger.reporting.packages import Finding
from projections.reporting._content import DAMAGED
from projections.reporting._values import split_line
from projections.reporting.names import PackageName

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Confirmation", "FileReport", "confirmation_name", "read_confirmation"]

LINE_FINDINGS = "validation-errors.csv"
DATABASE_FINDINGS = "db-validation-errors.csv"
REPORTS = ("validation-report.csv", "db-validation-report.csv")
FILE_BYTES_MAX = 64 << 20
FINDINGS_MAX = 10_000
FINDING_COLUMNS = 6
REPORT_COLUMNS = 5
DIGEST_MARK = "sha256:"

_NAME = re.compile(
    r"(?P<package>[\w-]+)\.(?P<word>ok|err|error|chyba)\.zip(?:\.p7e\.p7s)?", re.IGNORECASE
)
_PACKAGE = re.compile(r"[A-Za-z0-9_]{1,20}-[VMvm]-[\w-]{6,70}-[0-9]{2}")
_CODE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


@dataclass(frozen=True, slots=True)
class FileReport:
    """What the authority says of a file: result, lines, SHA-256 of its bytes (or empty)."""

    file: str
    result: str
    lines: str
    digest: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A confirmation package; ``is_cut`` tells that it held more findings than are kept."""

    package: PackageName
    verdict: Literal["OK", "ERR"]
    findings: tuple[Finding, ...]
    reports: tuple[FileReport, ...]
    is_cut: bool


def confirmation_name(file_name: str) -> tuple[PackageName, Literal["OK", "ERR"]]:
    """Read package and verdict from the name of a confirmation.

    Raises:
        InputError: it is not the name of one.
    """
    found = _NAME.fullmatch(file_name)
    if found is None:
        raise InputError(
            f"{file_name!r} is not the name of a confirmation, such as "
            "12345678-V-2026112108-Z-01.Ok.zip, or the same sealed"
        )
    return PackageName.parse(found["package"]), "OK" if found["word"].lower() == "ok" else "ERR"


def read_confirmation(file_name: str, content: bytes) -> Confirmation:
    """Read a confirmation from its ZIP file.

    Raises:
        InputError: it is not one, or not for a package of ours.
    """
    package, verdict = confirmation_name(file_name)
    texts: dict[str, str] = {}
    known = {LINE_FINDINGS, DATABASE_FINDINGS, *REPORTS}
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                name = entry.filename.rpartition("/")[2].lower()
                if name not in known:
                    continue
                if entry.file_size > FILE_BYTES_MAX:
                    raise InputError(f"{name} in {file_name} has {entry.file_size} bytes: too many")
                texts[name] = archive.read(entry).decode("utf-8-sig", errors="replace")
    except (*DAMAGED, OSError) as error:
        raise InputError(f"{file_name} is not a ZIP file: {error}") from error
    if not texts:
        raise InputError(
            f"{file_name} is no confirmation: it holds none of {', '.join(sorted(known))}; "
            "fetch it from the authority again"
        )
    for name, text in texts.items():
        _assert_of(package, text, f"{name} in {file_name}")
    findings = [
        *(_line_finding(row, package) for row in _rows(texts.get(LINE_FINDINGS, ""))),
        *(_line_finding(row, package) for row in _rows(texts.get(DATABASE_FINDINGS, ""))),
    ]
    reports = [report for name in REPORTS for report in _reports(texts.get(name, ""))]
    return Confirmation(
        package,
        verdict,
        tuple(findings[:FINDINGS_MAX]),
        tuple(reports),
        len(findings) > FINDINGS_MAX,
    )


def _assert_of(package: PackageName, text: str, place: str) -> None:
    """Refuse a confirmation that was given the name of another package."""
    for number, line in enumerate(text.split("\n")):
        first = (split_line(line.rstrip("\r")) or [""])[0].strip()
        if _PACKAGE.fullmatch(first) and first.lower() != str(package).lower():
            raise InputError(
                f"{place}, line {number}, is about package {first}, not {package}: "
                "it is the confirmation of another package, or was renamed"
            )


def _rows(text: str) -> Iterator[list[str]]:
    """Give the rows of a table, without a line of headings."""
    for number, line in enumerate(text.split("\n")):
        line = line.rstrip("\r")  # noqa: PLW2901 - the line without its end
        row = split_line(line) or [line]
        is_heading = number == 0 and not any(_CODE.fullmatch(cell) for cell in row)
        if line.strip() and not is_heading:
            yield row


def _line_finding(row: list[str], package: PackageName) -> Finding:
    """Make a finding of ``package;file;line;field;code;message``, or of what there is."""
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


def _reports(text: str) -> Iterator[FileReport]:
    for line in text.split("\n"):
        row = split_line(line.rstrip("\r")) or []
        is_report = len(row) >= REPORT_COLUMNS and row[1].lower().endswith(".csv")
        if is_report:
            digest = row[4].strip()
            is_known = digest.lower().startswith(DIGEST_MARK)
            yield FileReport(
                file=row[1].lower(),
                result=row[2],
                lines=row[3],
                digest=digest[len(DIGEST_MARK) :].lower() if is_known else "",
            )
