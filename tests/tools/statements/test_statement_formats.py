"""Each format as issuers write it: lines, periods, balances."""

from __future__ import annotations

import json
from datetime import date, datetime
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from openpyxl import Workbook

from ledger.decisions.statements import StatementLine
from tests.tools.statements.statement_files import (
    BATCH,
    CSV,
    FEE,
    IBAN,
    MT940,
    bank,
    camt,
    examined,
    games,
    gpc,
    gpc_line,
    lines_of,
    provider,
)
from tools.statements.issuer import Columns

DAY, BEFORE = date(2026, 2, 2), date(2026, 2, 1)
SAMPLE = Path(__file__).parent / "camt.053.001.04.xml"

D_LONG = "D-00000000000000000012345"


def test_gpc_has_amounts_symbols_and_codes(tmp_path: Path) -> None:
    text = gpc(
        gpc_line(125_050, "2", 12345),
        gpc_line(25_000, "1", other=0),
        gpc_line(300, "4"),
        gpc_line(200, "5"),
    )
    first, second, third, fourth = lines_of(tmp_path, text.encode("cp1250"), bank())
    assert first == StatementLine(
        place=2,
        kind="payment",
        booked=DAY,
        amount=125_050,
        valued=DAY,
        variable_symbol="12345",
        their_reference="0000000000007",
        counterparty="0-1234567890/0100",
    )
    assert (second.amount, second.counterparty) == (-25_000, "")
    assert (third.amount, third.kind, fourth.amount, fourth.kind) == (
        300,
        "reversal",
        -200,
        "reversal",
    )
    for encoding in ("cp852", "utf-8-sig"):
        assert lines_of(tmp_path, text.encode(encoding), bank())[0] == first
    assert lines_of(tmp_path, text.encode("cp852"), bank(account=IBAN))[0] == first


def test_gpc_holds_several_statements_and_days_without_lines(tmp_path: Path) -> None:
    text = gpc(gpc_line(1)) + gpc(opening=1_000_001, days=("020226", "030226"))
    one, two = examined(tmp_path, text, bank()).statements
    assert (one.first_day, one.last_day, one.opening, one.closing) == (DAY, DAY, 10**6, 10**6 + 1)
    assert (two.first_day, two.last_day, two.lines) == (date(2026, 2, 3), date(2026, 2, 3), 0)


def test_a_balance_of_the_same_morning_begins_the_period_if_lines_follow(tmp_path: Path) -> None:
    text = gpc(gpc_line(1, day="010226"), gpc_line(1))
    (one,) = examined(tmp_path, text, bank()).statements
    assert (one.first_day, one.last_day) == (BEFORE, DAY)


@pytest.mark.parametrize(("symbol", "kept"), [("0042", "42"), ("4²", "1001"), ("٤٢", "1001")])
def test_camt_takes_a_reference_of_type_vs_if_it_is_a_number(
    tmp_path: Path, symbol: str, kept: str
) -> None:
    typed = f"</EndToEndId><Prtry><Tp>VS</Tp><Ref>{symbol}</Ref></Prtry>"
    text = camt(BATCH, FEE).replace("</EndToEndId>", typed, 1)
    assert lines_of(tmp_path, text, bank("camt.053"))[0].variable_symbol == kept


def test_gpc_keeps_no_account_with_letters(tmp_path: Path) -> None:
    text = gpc(gpc_line(1)).replace("0000001234567890", "SK31120000001987")
    assert [line.counterparty for line in lines_of(tmp_path, text, bank())] == [""]


def test_mt940_has_references_fees_and_reversals(tmp_path: Path) -> None:
    issuer = bank("mt940")
    first, second, third = lines_of(tmp_path, MT940, issuer)
    assert first == StatementLine(
        place=6,
        kind="payment",
        booked=DAY,
        amount=125_050,
        valued=DAY,
        variable_symbol="12345",
        their_reference="B-1",
    )
    assert (second.kind, second.amount, second.end_to_end) == ("fee", -25_000, "")
    assert (third.kind, third.amount, third.end_to_end, third.variable_symbol) == (
        "reversal",
        -10_000,
        "E2E-77",
        "42",
    )


def test_mt940_goes_on_from_page_to_page(tmp_path: Path) -> None:
    text = MT940.replace("0800/", "")
    page = ":62M:C260202CZK11250,50\n-}\n{1:F01}{4:\n:20:2\n:28C:33/2\n:60M:C260202CZK11250,50\n"
    text = text.replace(":61:2602020202D250", f"{page}:61:2602020202D250")
    (one,) = examined(tmp_path, text, bank("mt940")).statements
    assert (one.lines, one.opening, one.closing, one.number) == (3, 1_000_000, 1_090_050, "33")


def test_mt940_as_multicash_has_it(tmp_path: Path) -> None:
    """Control characters, or a heading in place of blocks; symbols behind subfields and wraps."""
    blocks = MT940.replace("{1:", "\x01{1:").replace("-}\n", "-}\x03\n")
    assert lines_of(tmp_path, blocks, bank("mt940")) == lines_of(tmp_path, MT940, bank("mt940"))
    text = "GIBACZPX 0800\n940 01\n123456\n" + MT940[MT940.index(":20:") :].replace("-}", "-")
    text = text.replace("poplatek za vedeni", "020?00Poplatek?20VS:77?21KS:0308")
    text = text.replace("vraceno VS:0000000042", f"{'vraceno':<60}VS:12\n345")
    symbols = [line.variable_symbol for line in lines_of(tmp_path, text, bank("mt940"))]
    assert symbols == ["12345", "77", "12345"]


@pytest.mark.parametrize(
    ("text", "reference", "symbol"),
    [
        ("166?00SEPA?20EREF+D-0000000000000000001?212345?22KREF+K-7?23SVWZ+VS:77", D_LONG, "77"),
        ("166?00SEPA?20EREF+W-1 SVWZ+vyplata?32Jan", "W-1", ""),
        ("166?00SEPA?20EREF+NOTPROVIDED?21KREF+K-7", "K-7", ""),
        ("166?20SVWZ+EREF bez znamenka", "", ""),
        ("/EREF/D-000000\n0001//VS/42/REMI/x", "D-0000000001", "42"),
        ("/EREF/NOTPROVIDED//REMI/x", "", ""),
    ],
)
def test_mt940_has_references_in_subfields_of_its_text(
    tmp_path: Path, text: str, reference: str, symbol: str
) -> None:
    """A word of a reference may go on in the next subfield or line."""
    changed = MT940.replace("poplatek za vedeni", text)
    line = lines_of(tmp_path, changed, bank("mt940"))[1]
    assert (line.end_to_end, line.variable_symbol) == (reference, symbol)


@pytest.mark.parametrize("version", ["001.02", "001.08"])
def test_camt_of_a_czech_bank(tmp_path: Path, version: str) -> None:
    text = camt(BATCH, FEE, version=version)
    if version == "001.08":
        text = text.replace("<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>")
        text = text.replace("<AmtDtls><TxAmt>", "").replace("</TxAmt></AmtDtls>", "")
    one, two, fee = lines_of(tmp_path, text, bank("camt.053"))
    assert (one.amount, one.variable_symbol, one.place) == (10_000, "1001", 17)
    assert (two.amount, two.variable_symbol, two.end_to_end) == (20_000, "1002", "E-2")
    assert (fee.kind, fee.amount, fee.their_reference, fee.valued) == ("fee", -1_500, "B-9", BEFORE)
    (statement,) = examined(tmp_path, text, bank("camt.053")).statements
    assert (statement.first_day, statement.last_day, statement.number) == (DAY, DAY, "33")


def test_camt_in_parts_goes_on_in_the_next_statement(tmp_path: Path) -> None:
    whole = camt(BATCH, FEE)
    between = """
    </Stmt><Stmt><Id>s-33</Id><Acct><Id><IBAN>%s</IBAN></Id></Acct>
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">385.00</Amt>
        <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-02</Dt></Dt></Bal>"""
    text = whole.replace("CLBD", "ITBD").replace("385.00", "400.00")
    text = text.replace(FEE, between % IBAN + FEE)
    (one,) = examined(tmp_path, text, bank("camt.053")).statements
    assert (one.lines, one.opening, one.closing) == (3, 10_000, 38_500)


def test_a_business_sample_in_the_shape_of_iso_20022(tmp_path: Path) -> None:
    issuer = bank("camt.053", account="50000000054910000003", currency="SEK")
    (one,) = examined(tmp_path, SAMPLE.read_bytes(), issuer).statements
    assert (one.first_day, one.opening, one.closing) == (date(2010, 10, 18), 50_000_000, 43_567_850)
    lines = lines_of(tmp_path, SAMPLE.read_bytes(), issuer)
    assert [line.amount for line in lines] == [10_567_850, -20_000_000, 3_000_000]
    assert lines[0].end_to_end == "MUELL/FINP/RA12345"


def test_csv_by_a_mapping_with_a_row_of_sums(tmp_path: Path) -> None:
    for content in (CSV.encode(), b"\xef\xbb\xbf" + CSV.encode()):
        one, two = lines_of(tmp_path, content, provider())
        assert one == StatementLine(
            place=2,
            kind="payment",
            booked=DAY,
            amount=125_050,
            fee=1_250,
            reference="d-1",
            variable_symbol="42",
            their_reference="p-1",
        )
        assert (two.kind, two.amount) == ("chargeback", -10_000)
    assert lines_of(tmp_path, CSV.encode("cp1250"), provider(encoding="cp1250"))[0] == one


def test_a_game_provider_says_moments_in_its_zone(tmp_path: Path) -> None:
    text = "at,bet,round,table,stake,win\n2026-02-01T23:30:00,b-1,r-1,t-1,10000,35000\n"
    (one,) = lines_of(tmp_path, text, games(zone="UTC", unit="minor"))
    assert (one.kind, one.booked, one.stake, one.paid) == ("bet", DAY, 10_000, 35_000)
    assert one.moment == 1_769_988_600_000_000


def test_direction_credit_and_debit_and_sides(tmp_path: Path) -> None:
    direction = provider(
        columns=Columns(booked="d", amount="a", direction="s"),
        kinds={},
        day="iso",
        decimal=".",
        incoming=("in",),
        outgoing=("out",),
    )
    text = "d;s;a\n2026-02-02;in;1.5\n2026-02-02;out;1.5\n"
    assert [line.amount for line in lines_of(tmp_path, text, direction)] == [150, -150]
    columns = Columns(booked="d", credit="c", debit="a")
    sides = msgspec.structs.replace(direction, columns=columns, incoming=(), outgoing=())
    text = "d;c;a\n2026-02-02;1.5;\n2026-02-02;;2\n"
    assert [line.amount for line in lines_of(tmp_path, text, sides)] == [150, -200]
    theirs = msgspec.structs.replace(sides, columns=Columns(booked="d", amount="a"), sign="theirs")
    assert [line.amount for line in lines_of(tmp_path, "d;a\n2026-02-02;7\n", theirs)] == [-700]


def test_json_lines_hold_texts_and_numbers(tmp_path: Path) -> None:
    rows = [
        {"d": "2026-02-02", "a": 12.34, "id": 7, "more": None},
        {"d": "2026-02-02", "a": "-1.00", "id": "x"},
    ]
    text = "\n".join(map(json.dumps, rows))
    columns = Columns(booked="d", amount="a", their_reference="id")
    issuer = provider(format="jsonl", columns=columns, kinds={}, day="iso", decimal=".")
    one, two = lines_of(tmp_path, text, issuer)
    assert (one.amount, one.their_reference, two.amount, two.place) == (1_234, "7", -100, 2)


def test_xlsx_holds_days_moments_and_numbers(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Report of the month"])
    sheet.append(["at", "bet", "round", "table", "stake", "win"])
    sheet.append([datetime(2026, 2, 2, 20, 30), "b-1", 7, "t-1", 100.5, 0])  # noqa: DTZ001 - a sheet has none
    sheet.append(["2026-02-02 20:31:00", "b-2", 7, "t-1", 12.34, 99])
    out = BytesIO()
    book.save(out)
    one, two = lines_of(tmp_path, out.getvalue(), games(format="xlsx", skip=1))
    assert (one.stake, one.round, one.booked, one.place) == (10_050, "7", DAY, 3)
    assert (two.stake, two.paid, two.moment - one.moment) == (1_234, 9_900, 60_000_000)
