"""What a file itself decides is used or refused: signs, pages, charges, turnovers, zones."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from tests.tools.statements.statement_files import FEE, bank, examined, lines_of, provider
from tests.tools.statements.statement_files import camt as camt_of
from tests.tools.statements.test_statement_periods import entry
from tools.statements.issuer import Columns

if TYPE_CHECKING:
    from pathlib import Path

    from tools.statements.issuer import Issuer

CAMT, MT940 = bank("camt.053"), bank("mt940")
DAY = "2026-02-02"
NUMBERS = ":20:X\n:25:0800/19-2000145399\n"


def camt(*entries: str, closing: str, **facts: str) -> str:
    """Write a camt.053 that opens with 100.00."""
    text = camt_of(*entries, closing=closing)
    return text.replace("<Ntry>", f"{facts.get('summary', '')}<Ntry>", 1)


def mt940(*fields: str, closing: str = "1010,00", number: str = "33/1") -> str:
    """Write a statement that opens with 1000.00."""
    body = "".join(f"{field}\n" for field in fields)
    return f"{NUMBERS}:28C:{number}\n:60F:C260201CZK1000,00\n{body}:62F:C260202CZK{closing}\n-\n"


@pytest.mark.parametrize("amount", ["-10.00", "+10.00", " -10.00", "-0.00"])
@pytest.mark.parametrize("of", ["Ntry", "Bal"])
def test_an_amount_of_camt_has_no_sign(tmp_path: Path, amount: str, of: str) -> None:
    text = camt(entry("10.00", DAY), closing="110.00")
    shown = text.replace(">10.00<" if of == "Ntry" else ">100.00<", f">{amount}<")
    with pytest.raises(InputError, match=rf"line \d+, column \d+: amount .* of {of} has a sign"):
        examined(tmp_path, shown, CAMT)


@pytest.mark.parametrize(
    ("summary", "stated"),
    [
        ("<TtlCdtNtries><Sum>99.00</Sum></TtlCdtNtries>", "99.00 in"),
        ("<TtlCdtNtries><Sum>-10.00</Sum></TtlCdtNtries>", "-10.00 in"),
        ("<TtlDbtNtries><Sum>1.00</Sum></TtlDbtNtries>", "1.00 out"),
    ],
)
def test_a_turnover_of_one_side_is_compared(tmp_path: Path, summary: str, stated: str) -> None:
    text = camt(entry("10.00", DAY), closing="110.00", summary=f"<TxsSummry>{summary}</TxsSummry>")
    with pytest.raises(InputError, match=f"the turnovers are said to be {stated}, the lines make"):
        examined(tmp_path, text, CAMT)


@pytest.mark.parametrize("day", [f"{DAY}junk", f"{DAY} ", f"{DAY}+01:00", f"{DAY}Z", "2026-2-2"])
def test_a_day_of_camt_is_read_to_its_end(tmp_path: Path, day: str) -> None:
    text = camt(entry("10.00", day), closing="110.00")
    if "junk" in day or day == "2026-2-2":
        with pytest.raises(InputError, match="is no day as year-month-day"):
            examined(tmp_path, text, CAMT)
    else:
        (line,) = lines_of(tmp_path, text, CAMT)
        assert line.booked.isoformat() == DAY


def charged(amount: str, way: str, charge: str) -> str:
    return entry(amount, DAY, way).replace(
        "</Ntry>", f"<Chrgs><Rcrd>{charge}</Rcrd></Chrgs></Ntry>"
    )


INCLUDED = '<Amt Ccy="CZK">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd>'


@pytest.mark.parametrize(
    ("amount", "way", "charge", "found"),
    [
        ("95.00", "CRDT", INCLUDED, (10_000, 500)),
        ("105.00", "DBIT", INCLUDED, (-10_000, 500)),
        ("95.00", "CRDT", INCLUDED.replace("DBIT", "CRDT"), (9_000, -500)),
        ("95.00", "CRDT", INCLUDED.replace("true", "false"), (9_500, 0)),
        ("95.00", "CRDT", '<Amt Ccy="CZK">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>', (9_500, 0)),
    ],
)
def test_charges_that_an_amount_of_camt_includes_are_its_fee(
    tmp_path: Path, amount: str, way: str, charge: str, found: tuple[int, int]
) -> None:
    closing = "195.00" if way == "CRDT" else "-5.00"
    side = "Cdt" if way == "CRDT" else "Dbt"
    text = camt(
        charged(amount, way, charge),
        closing=closing,
        summary=f"<TxsSummry><Ttl{side}Ntries><Sum>{amount}</Sum></Ttl{side}Ntries></TxsSummry>",
    )
    if closing.startswith("-"):
        text = text.replace(
            "-5.00</Amt>\n        <CdtDbtInd>CRDT", "5.00</Amt>\n        <CdtDbtInd>DBIT"
        )
    (line,) = lines_of(tmp_path, text, CAMT)
    assert (line.amount, line.fee) == found


def test_a_charge_that_is_included_has_a_direction(tmp_path: Path) -> None:
    wrong = charged("95.00", "CRDT", INCLUDED.replace("<CdtDbtInd>DBIT</CdtDbtInd>", ""))
    with pytest.raises(InputError, match="CdtDbtInd of Rcrd is '', not CRDT or DBIT"):
        examined(tmp_path, camt(wrong, closing="195.00"), CAMT)


def detail(name: str, amount: str, charge: str = "", way: str = "CRDT") -> str:
    return (
        f"<TxDtls><Refs><EndToEndId>{name}</EndToEndId></Refs>"
        f'<Amt Ccy="CZK">{amount}</Amt><CdtDbtInd>{way}</CdtDbtInd>{charge}</TxDtls>'
    )


def detailed(amount: str, *parts: str, charge: str = "", way: str = "CRDT") -> str:
    """Write an entry with details, and with charges of its own."""
    parts_of = f"{charge}<NtryDtls>{''.join(parts)}</NtryDtls></Ntry>"
    return entry(amount, DAY, way).replace("</Ntry>", parts_of)


CHARGE = f"<Chrgs><Rcrd>{INCLUDED}</Rcrd></Chrgs>"
OLD_CHARGE = '<Chrgs><Amt Ccy="CZK">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Chrgs>'
FOREIGN = CHARGE.replace("CZK", "EUR")


@pytest.mark.parametrize(
    ("of_entry", "lines"),
    [
        (
            detailed("90.00", detail("a", "50.00", CHARGE), detail("b", "50.00", CHARGE)),
            [("a", 5_000, 500), ("b", 5_000, 500)],
        ),
        (
            detailed("100.00", detail("a", "50.00", CHARGE), detail("b", "50.00", CHARGE)),
            [("a", 5_500, 500), ("b", 5_500, 500)],
        ),
        (
            detailed("95.00", detail("a", "50.00"), detail("b", "50.00"), charge=CHARGE),
            [("a", 5_000, 0), ("b", 5_000, 0), ("", -500, 0)],
        ),
        (detailed("90.00", detail("a", "100.00", OLD_CHARGE * 2)), [("a", 10_000, 1_000)]),
        (
            detailed("30.00", detail("a", "50.00"), detail("b", "20.00", way="DBIT")),
            [("a", 5_000, 0), ("b", -2_000, 0)],
        ),
        (detailed("95.00", detail("a", "95.00", OLD_CHARGE)), [("a", 9_500, 0)]),
        (detailed("91.00", detail("a", "100.00", OLD_CHARGE)), [("a", 9_100, 0)]),
        (detailed("95.00", detail("a", "95.00", FOREIGN)), [("a", 9_500, 0)]),
        (detailed("95.00", detail("a", "100.00", FOREIGN)), [("a", 9_500, 0)]),
    ],
)
def test_details_are_lines_with_the_charges_that_lead_to_their_entry(
    tmp_path: Path, of_entry: str, lines: list[tuple[str, int, int]]
) -> None:
    moved = sum(amount - fee for _, amount, fee in lines)
    text = camt(
        of_entry,
        closing=f"{100 + moved / 100:.2f}",
        summary=f"<TxsSummry><TtlCdtNtries><Sum>{moved / 100:.2f}</Sum></TtlCdtNtries></TxsSummry>",
    )
    found = lines_of(tmp_path, text, CAMT)
    assert [(line.end_to_end, line.amount, line.fee) for line in found] == lines


@pytest.mark.parametrize(
    ("way", "is_taken_back", "named"),
    [
        ("CRDT", False, ("", "instruction", "end")),
        ("CRDT", True, ("instruction", "", "end")),
        ("DBIT", False, ("instruction", "", "end")),
    ],
)
def test_an_instruction_of_camt_is_ours_where_we_paid(
    tmp_path: Path, way: str, is_taken_back: bool, named: tuple[str, str, str]
) -> None:
    refs = "<Refs><InstrId>instruction</InstrId><EndToEndId>{}</EndToEndId></Refs>"
    texts = [
        entry("10.00", DAY, way)
        .replace("<Sts>", "<RvslInd>true</RvslInd><Sts>" if is_taken_back else "<Sts>")
        .replace("</Ntry>", f"<NtryDtls><TxDtls>{refs.format(end)}</TxDtls></NtryDtls></Ntry>")
        for end in ("NOTPROVIDED", "end")
    ]
    closing = "120.00" if way == "CRDT" else "80.00"
    first, second = lines_of(tmp_path, camt(*texts, closing=closing), CAMT)
    assert (first.reference, first.end_to_end, second.end_to_end) == named


def test_an_entry_that_is_a_fee_stays_its_own_amount(tmp_path: Path) -> None:
    text = FEE.replace("</Ntry>", f"<Chrgs><Rcrd>{INCLUDED}</Rcrd></Chrgs></Ntry>")
    (line,) = lines_of(tmp_path, camt(text, closing="85.00"), CAMT)
    assert (line.kind, line.amount, line.fee) == ("fee", -1_500, 0)


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ((":61:2602020202C10,NTRFNONREF\n/OCMT/CZK15,/CHGS/CZK5,/",), (1_500, 500)),
        ((":61:2602020202C10,NTRFNONREF", ":86:/OCMT/CZK15,00//CHGS/CZK5,00/"), (1_500, 500)),
        ((":61:2602020202C10,NTRFNONREF", ":86:/OCMT/CZK16,//CHGS/CZK5,/"), (1_000, 0)),
        ((":61:2602020202C10,NTRFNONREF", ":86:/OCMT/EUR15,//CHGS/CZK5,/"), (1_000, 0)),
        ((":61:2602020202C10,NTRFNONREF", ":86:/CHGS/CZK5,/"), (1_000, 0)),
    ],
)
def test_charges_of_mt940_are_a_fee_if_they_make_up_the_amount(
    tmp_path: Path, fields: tuple[str, ...], found: tuple[int, int]
) -> None:
    (line,) = lines_of(tmp_path, mt940(*fields), MT940)
    assert (line.amount, line.fee) == found


@pytest.mark.parametrize(
    ("field", "amount"),
    [
        (":61:260202    C10,00NTRFNONREF", 1_000),
        (":61:2602020202C 10,00NTRFNONREF", 1_000),
        (":61:2602020202CR\n10,00NTRFNONREF", 1_000),
        (":61:260202    RD\n0000000000000010,00NTRFNONREF", 1_000),
        (":61:2602020202C0000000000000010,00NTRFNONREF", 1_000),
    ],
)
def test_field_61_is_read_with_blanks_and_zeros(tmp_path: Path, field: str, amount: int) -> None:
    text = mt940(field, closing="0000000000001010,00")
    (line,) = lines_of(tmp_path, text, MT940)
    assert (line.booked.isoformat(), line.amount) == (DAY, amount)


def test_zeros_before_an_amount_are_none_and_more_digits_are_refused(tmp_path: Path) -> None:
    text = camt(entry("000000000000000010.00", DAY), closing="00000000000000110.00")
    (line,) = lines_of(tmp_path, text, CAMT)
    assert line.amount == 1_000
    with pytest.raises(InputError, match="is no amount"):
        examined(tmp_path, text.replace(">000000000000000010", ">12345678901234"), CAMT)


def pages(interim: str = "1010,", begins: str = "1010,", number: str = "33/2") -> str:
    """Write a statement of two pages."""
    return (
        f"{NUMBERS}:28C:33/1\n:60F:C260201CZK1000,\n:61:2602020202C10,NTRFNONREF\n"
        f":62M:C260202CZK{interim}\n-\n{NUMBERS}:28C:{number}\n:60M:C260202CZK{begins}\n"
        ":61:2602020202C5,NTRFNONREF\n:62F:C260202CZK1015,\n-\n"
    )


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"interim": "1020,"}, "line 6, column 6: .*field 62M, is 1020.00: a page is missing"),
        ({"begins": "2010,"}, "line 11, column 6: .*field 60M, is 2010.00: a page is missing"),
        ({"number": "33/3"}, "page 3 of statement 33 behind page 1: one is missing"),
    ],
)
def test_a_page_of_mt940_that_is_missing_is_refused(
    tmp_path: Path, facts: dict[str, str], text: str
) -> None:
    assert examined(tmp_path, pages(), MT940).statements[0].lines == 2
    assert examined(tmp_path, pages(number="34/1"), MT940).statements[0].lines == 2
    with pytest.raises(InputError, match=text):
        examined(tmp_path, pages(**facts), MT940)


def balance(code: str, amount: str) -> str:
    return (
        f'<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">{amount}</Amt>'
        f"<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>{DAY}</Dt></Dt></Bal>"
    )


def camt_pages(interim: str = "110.00", begins: str = "110.00") -> str:
    """Write a statement of two pages."""
    head = "<Acct><Id><IBAN>CZ6508000000192000145399</IBAN></Id><Ccy>CZK</Ccy></Acct>"
    first = balance("OPBD", "100.00") + balance("ITBD", interim) + entry("10.00", DAY)
    second = balance("ITBD", begins) + balance("CLBD", "115.00") + entry("5.00", DAY)
    return (
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>'
        f"<Stmt><Id>1</Id>{head}{first}</Stmt><Stmt><Id>1</Id>{head}{second}</Stmt>"
        "</BkToCstmrStmt></Document>"
    )


@pytest.mark.parametrize("facts", [{"interim": "120.00"}, {"begins": "210.00"}])
def test_a_page_of_camt_that_is_missing_is_refused(tmp_path: Path, facts: dict[str, str]) -> None:
    assert examined(tmp_path, camt_pages(), CAMT).statements[0].lines == 2
    with pytest.raises(InputError, match=r"interim balance ITBD is .*: a page is missing"):
        examined(tmp_path, camt_pages(**facts), CAMT)


def test_one_page_of_a_statement_is_none_of_its_whole_period(tmp_path: Path) -> None:
    """What the other pages hold would be missing at the bank."""
    first, second = camt_pages().split("</Stmt><Stmt>")
    head, _ = first.split("<Stmt>")
    mt940 = pages().split(":62M:")[0]
    for text, issuer in (
        (f"{first}</Stmt></BkToCstmrStmt></Document>", CAMT),
        (f"{head}<Stmt>{second}", CAMT),
        (mt940, MT940),
    ):
        with pytest.raises(InputError, match=r"all .*pages .*have to be in one file"):
            examined(tmp_path, text, issuer)


def zoned(**facts: Any) -> Issuer:
    columns = Columns(moment="at", zone="z", amount="a")
    return provider(
        columns=columns, kinds={}, moment="%Y-%m-%d %H:%M", decimal=".", delimiter=",", **facts
    )


@pytest.mark.parametrize(
    ("at", "zone", "found"),
    [
        ("2026-02-02 23:30", "UTC", datetime(2026, 2, 2, 23, 30, tzinfo=UTC)),
        ("2026-02-02 23:30", "Z", datetime(2026, 2, 2, 23, 30, tzinfo=UTC)),
        ("2026-02-02 23:30", "CET", datetime(2026, 2, 2, 22, 30, tzinfo=UTC)),
        ("2026-02-02 23:30", "Europe/Prague", datetime(2026, 2, 2, 22, 30, tzinfo=UTC)),
        ("2026-02-02 23:30", "-05:30", datetime(2026, 2, 3, 5, 0, tzinfo=UTC)),
        ("2026-02-02 23:30", "GMT+2", datetime(2026, 2, 2, 21, 30, tzinfo=UTC)),
        ("2026-10-25 02:30", "CEST", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),
        ("2026-10-25 02:30", "CET", datetime(2026, 10, 25, 1, 30, tzinfo=UTC)),
    ],
)
def test_a_column_of_zones_says_whose_clock_it_was(
    tmp_path: Path, at: str, zone: str, found: datetime
) -> None:
    (line,) = lines_of(tmp_path, f"at,z,a\n{at},{zone},1\n", zoned())
    assert line.moment == from_datetime(found)


@pytest.mark.parametrize(
    ("at", "zone"),
    [
        ("2026-02-02 23:30", "PST"),
        ("2026-02-02 23:30", "CEST"),
        ("2026-02-02 23:30", ""),
        ("2026-03-29 02:30", "CET"),
        ("2026-10-25 02:30", "Europe/Prague"),
        ("2026-02-02 23:30", "America/New_York"),
    ],
)
def test_a_zone_that_clocks_do_not_show_is_refused(tmp_path: Path, at: str, zone: str) -> None:
    with pytest.raises(InputError, match="correct `zone` of the issuer"):
        examined(tmp_path, f"at,z,a\n{at},{zone},1\n", zoned())


@pytest.mark.parametrize(
    "facts",
    [
        {"moment": "%Y-%m-%d %H:%M %Z"},
        {"moment": "%Y-%m-%d %I:%M"},
        {"columns": Columns(booked="d", zone="z", amount="a")},
    ],
)
def test_settings_that_read_a_time_in_two_ways_are_refused(facts: dict[str, Any]) -> None:
    given = {"columns": Columns(moment="at", amount="a"), "kinds": {}, **facts}
    with pytest.raises(ValueError, match=r"%Z|%I|`zone`"):
        provider(**given)
