"""What is wrong with a file is named by file, line and column, and nothing of it is given."""

from __future__ import annotations

import os
import random
import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from openpyxl import Workbook

from ledger.core.errors import InputError
from tests.tools.statements.statement_files import (
    BATCH,
    CSV,
    FEE,
    MT940,
    bank,
    camt,
    examined,
    games,
    gpc,
    gpc_line,
    provider,
)
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest, examine

if TYPE_CHECKING:
    from tools.statements.issuer import Issuer

GPC = gpc(gpc_line(125_050))
OTHER = "0000001234567890"
SWIFT = MT940.replace("0800/", "")
CAMT = camt(BATCH, FEE)
GAMES = "at,bet,round,table,stake,win\n2026-02-02T20:00:00,b-1,r-1,t-1,100.00,0\n"
ENTITY = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
BANKS = [
    # GPC
    ("gpc", GPC.replace("1250502", "12505X2"), "line 2, column 49: '00000012505X' is no"),
    ("gpc", GPC[:-20], "line 2, column 1[01][0-9]: a 075 has 128 signs"),
    ("gpc", GPC.replace("0203", "0978"), "line 2, column 119: currency 0978 is not CZK"),
    ("gpc", GPC.replace("2000145399", "2000145400"), "line 1, column 4: account .* is not 19-20"),
    ("gpc", GPC.replace("020226", "310226"), "line 1, column 109: '310226' is no day as DDMMYY"),
    ("gpc", GPC.replace("020226", "+20226"), "line 1, column 109: '.20226' is no day as DDMMYY"),
    ("gpc", GPC.replace("020226", "02022²").encode(), "line 1, column 109: '02022²' is no day as"),
    ("gpc", GPC.replace("020226", "٠٢٠٢٢٦").encode(), "line 1, column 109: '٠٢٠٢٢٦' is no day as"),
    ("gpc", GPC.replace(OTHER, f"{OTHER[1:]}²").encode(), "line 2, column 20: '.*0²' is no number"),
    ("gpc", GPC.replace(OTHER, f"{OTHER[1:]}²").encode("latin-1", "replace"), "20: '.*0²' is"),
    ("gpc", GPC.replace(OTHER, f"{OTHER[1:]}٣").encode(), "line 2, column 20: '.*0٣' is no number"),
    ("gpc", GPC.replace("125050", "12505²").encode(), "line 1, column 61: '.*12505²' is no number"),
    ("gpc", GPC.split("\r\n")[1], "line 1, column 1: a 075 before the 074"),
    ("gpc", "UHL1020226SAZKA\r\n", "line 1, column 1: 'UHL' is no record of ABO/GPC"),
    ("gpc", "", "line 1, column 1: there is no 074"),
    ("gpc", GPC.replace("00000000125050", "00000000125051", 1), "turnovers are said to be 1250.51"),
    ("gpc", b"\xff\xfe0\x007\x004\x00", "line 1, column 1: the file is UTF-16"),
    ("gpc", b"074\x00", "line 1, column 4: a zero byte: this is no text"),
    # MT940
    ("mt940", SWIFT.replace("10900,50", "10900,51"), "line 12, column 1: the lines lead from 1"),
    ("mt940", SWIFT.replace("CZK10000", "EUR10000"), "line 5, column 13: account .* in EUR is not"),
    ("mt940", SWIFT.replace("D250,", "X250,"), "line 8, column 5: .* is not as MT940 has it"),
    ("mt940", SWIFT.replace("260202020", "261302020"), "line 6, column 5: .* not as MT940 has it"),
    ("mt940", SWIFT.replace("19-2", "20-2"), "line 3, column 5: account 20-2000145399 is not"),
    ("mt940", SWIFT.replace(":25:19", ":25P:20"), "line 3, column 6: account 20-2000145399 is not"),
    ("mt940", SWIFT.replace(":25:", ":21:"), "line 12, column 1: the statement has no account"),
    ("mt940", SWIFT.split(":62F:")[0], "the file ends before the closing balance, field 62F"),
    ("mt940", SWIFT.replace(":60F:", ":65:"), "line 6, column 1: field 61 before the opening"),
    ("mt940", "hello\n", "line 1, column 1: there is no statement"),
    ("mt940", "{1:F01}{4:\n-}\n", "line 1, column 1: there is no statement"),
    # camt.053
    ("camt.053", CAMT.replace("385.00", "385.01"), "and the closing balance is 385.01"),
    ("camt.053", CAMT.replace('"CZK">15.00', '"EUR">15.00'), "line 25, column 9: currency EUR"),
    ("camt.053", CAMT.replace("15.00", "15,005"), "line 25, column 9: .* two decimal places"),
    (
        "camt.053",
        CAMT.replace("<Sts>BOOK</Sts>", "<Sts>PDNG</Sts>", 1),
        "line 13, column 7: the entry is PDNG",
    ),
    (
        "camt.053",
        CAMT.replace("2026-02-02</Dt></Bo", "02.02.2026</Dt></Bo"),
        "'02.02.2026' is no day",
    ),
    ("camt.053", CAMT.replace("DBIT", "DEBIT"), "CdtDbtInd of Ntry is 'DEBIT', not CRDT or DBIT"),
    ("camt.053", CAMT.replace("CLBD", "CLAV"), "line 6, column 1: the statement has no closing"),
    (
        "camt.053",
        CAMT.replace("CZ6508", "CZ6503"),
        "line 8, column 7: account CZ6503.* is not 19-2000",
    ),
    (
        "camt.053",
        CAMT.replace("</Ntry>", "</Entry>", 1),
        "line 23, column [0-9]+: no XML: mismatch",
    ),
    ("camt.053", CAMT[:-20], "no XML: "),
    ("camt.053", CAMT.replace("<Document", f"{ENTITY}<Document", 1), "line 2, .* a document type"),
    ("camt.053", CAMT.replace("<Document", f"{OUTSIDE}<Document", 1), "line 2, .* a document type"),
    (
        "camt.053",
        CAMT.replace("BkToCstmrStmt", "BkToCstmrAcctRpt"),
        "element BkToCstmrAcctRpt where",
    ),
    ("camt.053", "<a>" * 200, "line 1, column 1: element a where Document is due"),
    ("camt.053", "", "line 1, column 1: there is no statement"),
    ("camt.053", CAMT.replace("<BookgDt>", "<x>" * 99, 1), "nested deeper than 60"),
    ("camt.053", b"\xff\xfe" + CAMT.encode("utf-16-le")[:101], "no XML"),
]
TABLES = [
    (
        provider(),
        CSV.replace("02.02.2026", "2026-02-02", 1),
        r"line 2, column 1 \(Datum\): '2026-02",
    ),
    (
        provider(),
        CSV.replace("1 250,50", "1 250.50", 1),
        r"line 2, column 3 \(Částka\): .* has '\.'",
    ),
    (
        provider(),
        CSV.replace("-100,00", "-100,001"),
        r"line 3, column 3 \(Částka\): .* two decimal",
    ),
    (
        provider(),
        CSV.replace("vratka", "storno"),
        r"line 3, column 2 \(Druh\): 'storno' is none of",
    ),
    (
        provider(),
        CSV.replace("1 150,50", "1 150,51"),
        r"line 4, column 3 \(Částka\): the sum is 1 150,51",
    ),
    (
        provider(),
        CSV + "04.02.2026;platba;1,00;0;;;\n",
        "line 5, column 1: a row behind the row with",
    ),
    (
        provider(),
        CSV.replace("Částka", "Suma"),
        r"line 1, column 1: column 'Částka' \(amount\) is missing",
    ),
    (provider(), CSV.replace("Poplatek", "Datum", 1), r"column 'Datum' \(booked\) is there twice"),
    (provider(), CSV.encode("cp1250"), "line 1, column [0-9]+: byte c8 is not utf-8"),
    (provider(), CSV.replace(";d-2;", ""), "line 3, column [0-9]: [0-9] cells, 7 are due"),
    (provider(), CSV.replace("d-1", '"d-1'), "line [0-9], column 1: no CSV"),
    (
        provider(),
        CSV.replace("d-1", "d" * 251),
        r"line 2, column 6 \(Objednávka\): a reference of 251",
    ),
    (provider(), CSV.split("\n")[0], "no lines, and no period: name it with --first-day"),
    (provider(), "x" * (1 << 21), "line 1, column 1048576: the line is longer than 1 MiB"),
    (games(), GAMES.replace("100.00", "-1"), r"line 2, column 5 \(stake\): -1 is below zero"),
    (
        games(),
        GAMES.replace("T20:00:00", ""),
        r"line 2, column 1 \(at\): '2026-02-02' is no moment",
    ),
    (games(), GAMES.replace("2026-", "2150-"), "line 2, column 1: 2150-02-02 is no day from 1970"),
    (games(unit="minor"), GAMES.replace("100.00", "1.5"), "is no whole number of haléř"),
    (games(format="jsonl"), '{"at": 1,}', "line 1, column 1: no JSON object"),
    (games(format="jsonl"), '["at"]\n', "line 1, column 1: no JSON object"),
    (
        games(format="jsonl"),
        '\n{"stake": "1", "of": ":", "stake": "2"}\n',
        'line 2, column 1: no JSON object: an object has the key "stake" twice: give it once',
    ),
    (games(format="xlsx"), "no zip", "line 1, column 1: no XLSX"),
]


@pytest.mark.parametrize(("form", "content", "words"), BANKS)
def test_faults_of_banks_files_have_a_place(
    tmp_path: Path, form: str, content: str | bytes, words: str
) -> None:
    given = content.encode("cp1250") if isinstance(content, str) and form == "gpc" else content
    with pytest.raises(InputError, match=f"^file, (?s:.)*{words}"):
        examined(tmp_path, given, bank(form))


@pytest.mark.parametrize(("issuer", "content", "words"), TABLES)
def test_faults_of_tables_have_a_place(
    tmp_path: Path, issuer: Issuer, content: str | bytes, words: str
) -> None:
    with pytest.raises(InputError, match=f"^file, .*{words}"):
        examined(tmp_path, content, issuer)


def test_a_currency_of_a_table_has_three_letters(tmp_path: Path) -> None:
    issuer = provider(columns=replace(provider().columns, currency="Měna"))
    text = CSV.replace("VS\n", "VS;Měna\n").replace(";0000000042\n", ";42;Kč\n")
    with pytest.raises(InputError, match=r"line 2, column 8 \(Měna\): 'Kč' is no currency"):
        examined(tmp_path, text.replace("d-2;\n", "d-2;;EUR\n"), issuer)


def a_sheet(**parts: bytes) -> bytes:
    """Write a sheet of one row; texts of its part in XML can be put in place of others."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["at", "bet", "round", "table", "stake", "win"])
    sheet.append(["2026-02-02 20:31:00", "b-2", 7, "t-1", 12.34, 99])
    plain, out = BytesIO(), BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = content.replace(parts.get("old", b""), parts.get("new", b""), 1)
            target.writestr(name, content)
    return out.getvalue()


def test_a_sheet_with_an_entity_is_refused(tmp_path: Path) -> None:
    bomb = a_sheet(old=b"<worksheet", new=f"{ENTITY}<worksheet".encode())
    with pytest.raises(InputError, match=r"^file, line 1, column 1: no XLSX: [^\n]+$"):
        examined(tmp_path, bomb, games(format="xlsx"))


@pytest.mark.parametrize(
    ("content", "issuer"),
    [
        (GPC.encode("cp1250"), bank()),
        (SWIFT.encode(), bank("mt940")),
        (CAMT.encode(), bank("camt.053")),
        (CSV.encode(), provider()),
        (a_sheet(), games(format="xlsx")),
    ],
    ids=["gpc", "mt940", "camt", "csv", "xlsx"],
)
def test_whatever_is_broken_in_a_file_has_a_place(
    tmp_path: Path, content: bytes, issuer: Issuer
) -> None:
    """A hundred files with some bytes changed, cut out or put in."""
    draw, refused = random.Random(1), 0
    for _ in range(100):
        broken = bytearray(content)
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(broken))
            broken[at : at + draw.randrange(12)] = bytes(
                draw.choices(b"<>&;:/09,.-\n\x00\xffA", k=3)
            )
        try:
            examined(tmp_path, bytes(broken), issuer)
        except InputError as error:
            refused += 1
            assert re.match(r"file, line \d+, column [\w. ]+.*: ", str(error)), error  # noqa: PT017
    assert refused > 50


def test_a_cell_of_a_sheet_has_a_place(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["at", "bet", "round", "table", "stake", "win"])
    sheet.append(["2026-02-02 20:31:00", "b-2", 7, "t-1", 12.345, 99])
    out = BytesIO()
    book.save(out)
    with pytest.raises(InputError, match=r"line 2, column 5 \(stake\): .* two decimal places"):
        examined(tmp_path, out.getvalue(), games(format="xlsx"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('kind = "BANK"\nformat = "gpc"', "gpc is of a BANK, with its `account`"),
        ('kind = "BANK"\nformat = "gpc"\naccount = "1"\nzone = "Mars"', "zone or encoding"),
        (f'kind = "BANK"\nformat = "gpc"\naccount = "1"\nzone = "{"a" * 900}"', "zone or encoding"),
        ('kind = "BANK"\nformat = "gpc"\naccount = "1"\nencoding = "rot13"', "zone or encoding"),
        ('kind = "BANK"\nformat = "gpc"\naccount = "1"\nzoo = 1', "unknown field `zoo`"),
        ('kind = "PAYMENTS"\nformat = "csv"', "`booked` or `moment` says when"),
        (
            (
                'kind = "PAYMENTS"\nformat = "csv"\nkinds = { x = "bet" }\n[columns]\n'
                'booked = "d"\nkind = "k"\namount = "a"'
            ),
            "kinds: bet is none of chargeback",
        ),
        ('kind = "GAMES"\nformat = "csv"\n[columns]\nbooked = "d"\namount = "a"', "are of GAMES"),
        (
            (
                'kind = "GAMES"\nformat = "csv"\ncurrency = "EUR"\n[columns]\nbooked = "d"\n'
                'stake = "s"\npaid = "p"'
            ),
            "currency EUR: reports of GAMES are in CZK",
        ),
    ],
)
def test_settings_that_do_not_fit_are_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(InputError, match=words):
        read_issuer(tmp_path, "one")


def test_an_issuer_has_a_file_of_its_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no .*/kb\.toml"):
        read_issuer(tmp_path, "kb")
    with pytest.raises(InputError, match="a name has letters"):
        read_issuer(tmp_path, "../kb")


def test_the_issuers_of_the_page_are_some(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "statements.md").read_text(encoding="utf-8")
    found = re.findall(r"```toml\n# data/issuers/(\w+)\.toml\n(.*?)```", page, re.DOTALL)
    for name, text in found:
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    kinds = {name: read_issuer(tmp_path, name).kind for name, _ in found}
    assert kinds == {"kb": "BANK", "gopay": "PAYMENTS", "evo": "GAMES"}


def test_an_account_with_letters_is_none_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1, column 4: .* is not 1B-2 of the issuer"):
        examined(tmp_path, GPC, bank(account="1B-2"))


def test_a_pipe_a_device_and_a_folder_are_no_files(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, type(tmp_path)("/dev/zero")):
        with pytest.raises(InputError, match=r"it is a (pipe or a device|folder)"):
            examine(ReadRequest(path, "psp", provider()))
