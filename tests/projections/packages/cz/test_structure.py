"""Files, lines and archives: what is wrong with them is named, and good variants are taken."""

from __future__ import annotations

import zipfile
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from projections.packages.cz.content import ContentError, open_package, pieces
from projections.packages.cz.faults import Code
from projections.packages.cz.fields import files, table
from projections.packages.cz.names import Model, PackageName
from projections.packages.cz.pack import pack
from tests.projections.packages.package_cases import (
    BEFORE,
    INSIDE,
    LONG_AGO,
    NAME,
    ROWS,
    codes,
    judge,
    text_of,
    write_package,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

UCET = text_of("ucet", ROWS["ucet"])
META, HEADER, FIRST, SECOND = UCET.splitlines(keepends=True)

LINES = {
    "empty file": ("", {(0, "ERR_LINE_META"), (None, "")}),
    "no names of columns": (META, {(1, "ERR_LINE_BAD_HEADER")}),
    "no hash": (UCET[1:], {(0, "ERR_LINE_INVALID_HASH")}),
    "three parts": (UCET.replace(";1.0", "", 1), {(0, "ERR_LINE_SPLIT_META")}),
    "another package": (UCET.replace("-01;", "-02;", 1), {(0, "ERR_META_FIELD_BAD_PACKAGE")}),
    "another file": (UCET.replace("ucet.csv", "konto.csv", 1), {(0, "ERR_META_FIELD_BAD_NAME")}),
    "made in the future": (
        UCET.replace("2025-01-27T", "2025-05-29T", 1),
        {(0, "ERR_META_FIELD_DATETIME")},
    ),
    "another format": (UCET.replace(";1.0", ";1.1", 1), {(0, "ERR_META_FIELD_VERSION")}),
    "columns swapped": (
        UCET.replace("TransakceVyse;TransakceCas", "TransakceCas;TransakceVyse"),
        {(1, "ERR_LINE_BAD_HEADER")},
    ),
    "a field too few": (UCET.replace(";CZK", "", 1), {(2, "ERR_LINE_BAD_FIELD_COUNT")}),
    "a field too many": (UCET.replace(";CZK", ";CZK;", 1), {(2, "ERR_LINE_BAD_FIELD_COUNT")}),
    "a blank line": (UCET + "\r\n", {(4, "ERR_LINE_BAD_FIELD_COUNT")}),
    "a quote inside": (UCET.replace("platební", 'pla"tební'), {(2, "ERR_LINE_INVALID_CSV")}),
    "a quote that stays open": (
        UCET.replace("platební", '"platební'),
        {(2, "ERR_LINE_INVALID_CSV")},
    ),
    "lines with LF alone": (UCET.replace("\r\n", "\n"), {(0, "ERR_LINE_INVALID_CSV")}),
    "one line with LF alone": (
        META + HEADER + FIRST[:-2] + "\n" + SECOND,
        {(2, "ERR_LINE_INVALID_CSV")},
    ),
    "no end of the last line": (UCET[:-2], {(3, "ERR_LINE_INVALID_CSV")}),
    "a carriage return inside": (
        UCET.replace("platební", "pl\rat"),
        {(2, "ERR_FIELD_BAD_FORMAT_RE")},
    ),
    "a line too long": (UCET.replace("platební", "x" * 64_000), {(2, "ERR_LINE_TOO_LONG")}),
    "a line without end": (META + "x" * 3_000_000, {(1, "ERR_LINE_TOO_LONG")}),
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A valid package."""
    return write_package(tmp_path)


@pytest.fixture
def nothing(tmp_path: Path) -> Path:
    """A folder of earlier packages, of which there are none."""
    path = tmp_path / "nothing"
    path.mkdir()
    return path


@pytest.fixture
def put(package: Path) -> Callable[[str, str | bytes], None]:
    """Put other content into a file of the package."""

    def put_content(file: str, content: str | bytes) -> None:
        found = content.encode() if isinstance(content, str) else content
        (package / file).write_bytes(found)

    return put_content


@pytest.mark.parametrize("what", LINES)
def test_a_fault_of_a_line_is_found(
    what: str, package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    content, due = LINES[what]
    put("ucet.csv", content)
    found = {(line, code) for file, line, _, code in codes(judge(package)) if file == "ucet.csv"}
    assert found == {one for one in due if one[1]}


def test_a_line_that_is_not_utf8_is_found(
    package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    put("ucet.csv", UCET.replace("platební", "platebn\udcff").encode(errors="surrogateescape"))
    assert codes(judge(package)) == {("ucet.csv", 2, "", "ERR_LINE_BAD_UTF8")}


def test_the_client_takes_what_it_takes(
    package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    """LF alone, a mark of UTF-8, quoted numbers, blanks around values, names in capitals."""
    loose = (
        UCET.replace("\r\n", "\n").replace("500,00", '" 500,00 "').replace(HEADER, HEADER.upper())
    )
    put("ucet.csv", "\ufeff" + loose.replace("IDTransakce", "IDTRANSAKCE"))
    assert judge(package, strict=False).is_valid
    assert not judge(package).is_valid


def test_quoted_values_and_a_mark_of_utf8_are_good(
    package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    put("ucet.csv", "\ufeff" + UCET.replace("500,00", '"500,00"'))
    assert judge(package).is_valid


def test_a_file_with_too_many_faults_is_stopped(
    package: Path, put: Callable[[str, str | bytes], None], tmp_path: Path
) -> None:
    rows = [FIRST.replace("CZK", "XXX").strip()] * 400
    put("ucet.csv", text_of("ucet", rows))
    found = [one for one in judge(package, earlier=tmp_path).faults if one.file == "ucet.csv"]
    assert len(found) == 301
    assert [one.code for one in found[-1:]] == ["ERR_FILE_TOO_MANY_ERRORS"]


def test_faults_are_written_as_the_authority_writes_them(
    package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    put("ucet.csv", UCET.replace(";1;", ';"a""b";', 1))
    (fault,) = judge(package).faults
    assert fault.text == (
        "12345678-V-2025012516-Z-01;ucet.csv;2;TransakceZpusob;ERR_FIELD_BAD_FORMAT_RE;"
        '"\'a""b\' is not of the type flag: 0 or 1"'
    )


def test_files_must_be_there_and_no_others(package: Path) -> None:
    (package / "konto_zmeny.csv").unlink()
    (package / "misto.csv").write_text("", encoding="utf-8")
    (package / "validation-report.csv").write_text("", encoding="utf-8")
    (package / "folder").mkdir()
    assert codes(judge(package)) == {
        ("konto_zmeny.csv", None, "", "ERR_PKG_MISSING_FILE"),
        ("misto.csv", None, "", "ERR_PKG_EXTRA_FILES"),
        ("folder", None, "", "ERR_PKG_EXTRA_FILES"),
    }


@pytest.mark.law("L-12")
def test_exchange_rates_are_in_the_packages_of_the_quarter_only(tmp_path: Path) -> None:
    other = PackageName.parse("12345678-V-2025012508-Z-01")
    rows = {"provozovatel": ROWS["provozovatel"]}
    with_rates = write_package(tmp_path / "with", rows, package=other)
    assert codes(judge(with_rates)) == {("mena_kurs.csv", None, "", "ERR_PKG_EXTRA_FILES")}
    without = write_package(tmp_path / "without", rows, package=other, files_left_out=["mena_kurs"])
    assert judge(without).is_valid
    due = write_package(tmp_path / "due", rows, files_left_out=["mena_kurs"])
    assert codes(judge(due)) == {("mena_kurs.csv", None, "", "ERR_PKG_MISSING_FILE")}


@pytest.mark.parametrize("rows", [(), (*ROWS["provozovatel"], "12345679;Jiný")])
def test_there_is_one_operator(
    rows: tuple[str, ...], package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    put("provozovatel.csv", text_of("provozovatel", rows))
    assert ("provozovatel.csv", None, "", "ERR_FILE_BAD_RECORD_COUNT") in codes(judge(package))


@pytest.mark.parametrize("folder", ["", f"{NAME}/"])
def test_an_archive_may_hold_the_files_flat_or_in_one_folder(folder: str, package: Path) -> None:
    path = package.parent / f"{NAME}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in package.iterdir():
            archive.write(file, f"{folder}{file.name}")
    assert judge(path).is_valid


def test_an_archive_that_is_damaged_is_found(package: Path) -> None:
    path = package.parent / f"{NAME}.zip"
    path.write_bytes(b"PK no archive")
    assert codes(judge(path)) == {("", None, "", "ERR_PKG_UNZIP")}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in package.iterdir():
            archive.write(file, file.name)
    content = bytearray(path.read_bytes())
    content[200:260] = bytes(60)
    path.write_bytes(bytes(content))
    assert codes(judge(path)) == {("", None, "", "ERR_PKG_UNZIP")}


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_damage_of_any_byte_of_an_archive_is_a_finding(method: int, package: Path) -> None:
    """Each library has errors of its own; seal packs an archive anew and names it as well."""
    path = package.parent / f"{NAME}.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        for file in package.iterdir():
            archive.write(file, file.name)
    whole = path.read_bytes()
    for place in range(0, len(whole), 61):
        changed = bytearray(whole)
        changed[place] ^= 0x55
        path.write_bytes(changed)
        found = {code for *_, code in codes(judge(path))}
        assert all(code.startswith(("ERR_", "OWN_")) for code in found)
        with suppress(InputError):
            pack(path, package.parent / "packed")


def _entries(path: Path, count: int, size: int, method: int = zipfile.ZIP_DEFLATED) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for number in range(count):
            archive.writestr(f"{number}.csv", bytes(size))


def test_an_archive_that_unpacks_to_far_more_than_it_has_is_refused(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.zip"

    def refused(words: str) -> None:
        (fault,) = judge(path).faults
        assert (fault.code, words in fault.message) == (Code.UNZIP, True), fault.message
        with pytest.raises(InputError, match=words):
            pack(path, tmp_path / "packed")

    _entries(path, 1, 32 << 20)
    refused("more than 200 times its own")
    _entries(path, 1_001, 0)
    refused("it has 1001 files, 1000 at most")
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        _entries(path, 1, 10, method)
        refused("a method other than ZIP's")
    _entries(path, 30, 1 << 20, zipfile.ZIP_STORED)
    directory = path.read_bytes()
    path.write_bytes(directory[directory.index(b"PK\x01\x02") :])  # entries without their bytes
    refused("its files overlap")


def test_what_an_entry_unpacks_to_ends_at_the_size_it_states(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.zip"
    _entries(path, 1, 8 << 20)
    raw = path.read_bytes()
    path.write_bytes(raw.replace((8 << 20).to_bytes(4, "little"), (100).to_bytes(4, "little")))
    with open_package(path) as package, suppress(ContentError):
        for opened in package.files.values():
            assert sum(len(piece.raw) for piece in pieces(opened)) <= 100


@pytest.mark.parametrize(("place", "value"), [(6, 0x01), (4, 0xFF)])
def test_an_archive_that_is_encrypted_or_of_another_version_is_found(
    place: int, value: int, package: Path
) -> None:
    """Of each entry the flags or the version are changed, in both places where they stand."""
    path = package.parent / f"{NAME}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in package.iterdir():
            archive.write(file, file.name)
    changed = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", place), (b"PK\x01\x02", place + 2)):
        start = changed.find(mark)
        while start >= 0:
            changed[start + offset] = value
            start = changed.find(mark, start + 1)
    path.write_bytes(changed)
    assert codes(judge(path)) == {("", None, "", "ERR_PKG_UNZIP")}
    with pytest.raises(InputError, match="can't be packed"):
        pack(path, package.parent / "packed")


def test_games_of_another_kind_are_for_the_client_only(
    package: Path, put: Callable[[str, str | bytes], None]
) -> None:
    """The lists of the decree go over all kinds of games; ours are live ones (Z: i, j, k, m)."""
    rows = [ROWS["evidence_her"][0].replace(";Z;m;", ";L;m;"), ROWS["evidence_her"][1]]
    put("evidence_her.csv", text_of("evidence_her", rows))
    bets = [ROWS["hra_toky"][0].replace(";Z;m;", ";Z;a;"), *ROWS["hra_toky"][1:]]
    put("hra_toky.csv", text_of("hra_toky", bets))
    assert codes(judge(package)) == {
        ("evidence_her.csv", 2, "HraDruh", "ERR_FIELD_CTX_GAMETYPE"),
        ("hra_toky.csv", 2, "HraKategorie", "ERR_FIELD_CTX_GAMETYPE"),
    }
    assert judge(package, strict=False).is_valid


def test_a_folder_with_another_name_is_no_package(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not the name of a package"):
        judge(tmp_path)


EARLIER = PackageName.parse("12345678-V-2025012508-Z-01")
"""The period before."""


def _earlier(folder: Path, **rows: tuple[str, ...]) -> Path:
    rows = {"provozovatel": ROWS["provozovatel"], **rows}
    write_package(folder, rows, package=EARLIER, files_left_out=["mena_kurs"])
    return folder


def test_an_earlier_package_answers_references(
    package: Path, put: Callable[[str, str | bytes], None], tmp_path: Path, nothing: Path
) -> None:
    put(
        "hra_toky_oprava.csv",
        text_of("hra_toky_oprava", [f"12345678-o1;12345678-old;G;1,00;{INSIDE};CZK"]),
    )
    alone = judge(package)
    assert alone.is_valid
    assert alone.unjudged == 1
    with_nothing = judge(package, earlier=nothing)
    assert {code for *_, code in codes(with_nothing)} == {"OWN_REFERENCE_DANGLING"}
    bet = f"12345678-old;Z;m;;1,00;{BEFORE};;;;;;;CZK;;"
    assert judge(package, earlier=_earlier(tmp_path / "e", hra_toky=(bet,))).is_valid


def test_a_static_row_must_be_in_the_package_itself(
    package: Path, put: Callable[[str, str | bytes], None], tmp_path: Path
) -> None:
    put("konto.csv", text_of("konto", ROWS["konto"][1:]))
    earlier = _earlier(tmp_path / "e", konto=ROWS["konto"])
    found = codes(judge(package, earlier=earlier))
    assert ("ucet.csv", 2, "IDUzivKonto", "OWN_REFERENCE_DANGLING") in found
    assert {code for *_, code in found} == {"OWN_REFERENCE_DANGLING"}


@pytest.mark.law("L-10")
def test_what_may_never_change_is_compared_with_earlier_packages(
    package: Path, tmp_path: Path
) -> None:
    rows = {"konto": (f"12345678-a1;12345678;{LONG_AGO.replace('12:', '13:')}",)}
    earlier = _earlier(tmp_path / "e", evidence_her=ROWS["evidence_her"], **rows)
    assert codes(judge(package, earlier=earlier)) == {
        ("konto.csv", 2, "IDUzivKonto", "OWN_VALUE_CHANGED")
    }


def test_a_faulty_line_of_an_earlier_package_is_passed_over(package: Path, tmp_path: Path) -> None:
    rows = ('12345678-a1;"open', "12345678-a1", *ROWS["konto"])
    assert judge(package, earlier=_earlier(tmp_path / "e", konto=rows)).is_valid


@pytest.mark.law("L-10")
def test_a_fact_is_sent_once_over_all_packages(package: Path, tmp_path: Path) -> None:
    earlier = _earlier(tmp_path / "e", ucet=ROWS["ucet"][1:])
    assert codes(judge(package, earlier=earlier)) == {
        ("ucet.csv", 3, "IDTransakce", "OWN_KEY_SENT_BEFORE")
    }


def test_other_versions_and_later_packages_are_not_earlier_ones(
    package: Path, tmp_path: Path
) -> None:
    for name in (replace(NAME, version=2), NAME.following):
        left_out = [] if name.has_rates else ["mena_kurs"]
        write_package(tmp_path / "e", ROWS, package=name, files_left_out=left_out)
    assert judge(package, earlier=tmp_path / "e").is_valid


def test_a_stopped_file_hides_no_keys(
    package: Path, put: Callable[[str, str | bytes], None], nothing: Path
) -> None:
    """References to a file that can't be read are not called dangling: the fault is there."""
    put("konto.csv", META)
    assert {file for file, *_ in codes(judge(package, earlier=nothing))} == {"konto.csv"}


def test_a_large_file_is_read_in_pieces(
    package: Path, put: Callable[[str, str | bytes], None], nothing: Path
) -> None:
    """A fault behind several pieces keeps its line, whether it is a value or a key."""
    rows = [FIRST.strip().replace("-u1;", f"-u{number};") for number in range(40_000)]
    rows[30_000] = rows[30_000].replace("CZK", "czk")
    rows[35_000] = rows[100]
    put("ucet.csv", text_of("ucet", rows))
    verdict = judge(package, earlier=nothing)
    assert codes(verdict) == {
        ("ucet.csv", 30_002, "MenaKod", "ERR_FIELD_CODEBOOK"),
        ("ucet.csv", 35_002, "IDTransakce", "OWN_KEY_REPEATED"),
    }
    assert verdict.rows["ucet"] == 40_000


def test_every_file_has_its_table() -> None:
    for model in Model:
        known = list(files(model).values())
        assert [table(one.file_name.upper(), model) for one in known] == known
