"""What banks write otherwise than the description of their format, one dialect a test."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from tests.tools.statements.statement_files import ACCOUNT, bank, examined, gpc, gpc_line, lines_of

if TYPE_CHECKING:
    from pathlib import Path

    from tools.statements.issuer import Issuer

PLAIN = """:20:S
:25:0001234567
:28C:1/1
:60F:C261119CZK1000,00
:61:2611201120C500,00NTRFNONREF
:86:/VS/4711
:62F:C261120CZK1500,00
-
"""


def swift() -> Issuer:
    return bank("mt940", account="0001234567")


@pytest.mark.parametrize(
    "text",
    [
        f"ABNANL2A\n940\nABNANL2A\n{PLAIN}",
        f"0000 01INGBNL2AXXXX00001\n0000 01INGBNL2AXXXX00001\n940 00\n{PLAIN}-XXX\n",
        f":940:\n{PLAIN}".replace("4567\n", "4567 CZK\n"),
        f"{{1:F01GIBACZPXAXXX0000000000}}{{2:I940XN}}{{4:\n{PLAIN[:-2]}-}}{{5:{{CHK:1}}}}\n",
        PLAIN.replace(":28C:1/1\n", ":28C:1/1\n:NS:22Herna Test\n23Ucet\n"),
        PLAIN.replace(":86:/VS/4711", ":NS:01Platba VS:4711\n15Novak"),
        PLAIN.replace(":86:/VS/4711", ":86:0987 J NOVAK\n\nVS:4711 dar"),
        PLAIN.replace(":86:/VS/4711", ":86:dar\n- VS:4711\n-neco"),
        PLAIN.replace(":86:/VS/4711", ":86:cas\n:12:30 VS:4711"),
        PLAIN.replace("500,00NTRF", "K500,NTRF"),
        PLAIN.replace("NONREF", f"NONREF//{'7' * 40}"),
        PLAIN.replace("NONREF\n", "NONREF\nneco navic\n"),
    ],
)
def test_a_line_is_read_whatever_is_around_it(tmp_path: Path, text: str) -> None:
    (line,) = lines_of(tmp_path, text, swift())
    assert (line.amount, line.variable_symbol) == (50_000, "4711")


@pytest.mark.parametrize(
    ("days", "valued", "booked"),
    [
        ("2702300301", date(2027, 2, 28), date(2027, 3, 1)),
        ("2702290228", date(2027, 2, 28), date(2027, 2, 28)),
        ("280230", date(2028, 2, 29), date(2028, 2, 29)),
        ("2612310102", date(2026, 12, 31), date(2027, 1, 2)),
        ("2701011230", date(2027, 1, 1), date(2026, 12, 30)),
    ],
)
def test_a_value_day_may_be_behind_the_end_of_its_month(
    tmp_path: Path, days: str, valued: date, booked: date
) -> None:
    (line,) = lines_of(tmp_path, PLAIN.replace("2611201120", days), swift())
    assert (line.valued, line.booked) == (valued, booked)


@pytest.mark.parametrize(
    ("opened", "closed", "days", "booked"),
    [
        ("260701", "260705", "2601010705", date(2026, 7, 5)),
        ("260201", "260202", "2401150202", date(2026, 2, 2)),
        ("260201", "260202", "2609300202", date(2026, 2, 2)),
        ("251231", "261231", "2612151215", date(2026, 12, 15)),
        ("261231", "270102", "2612301230", date(2026, 12, 30)),
        ("261229", "270102", "2701031230", date(2026, 12, 30)),
    ],
)
def test_a_booking_is_of_the_year_of_its_statement_whatever_its_value_day(
    tmp_path: Path, opened: str, closed: str, days: str, booked: date
) -> None:
    text = PLAIN.replace("2611201120", days)
    text = text.replace("60F:C261119", f"60F:C{opened}").replace("62F:C261120", f"62F:C{closed}")
    (line,) = lines_of(tmp_path, text, swift())
    assert line.booked == booked


@pytest.mark.parametrize("amount", ["1.000,00", "1,000.00", "10,00,", "10..0"])
def test_an_amount_of_mt940_is_read_to_its_end(tmp_path: Path, amount: str) -> None:
    text = PLAIN.replace("500,00NTRF", f"{amount}NTRF")
    with pytest.raises(InputError, match=r"line 5, column 5: .* is not as MT940 has it"):
        lines_of(tmp_path, text, swift())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("2611201120", "2611200230", "line 5, column 5: .* is not as MT940 has it"),
        ("2611201120", "2611321120", "line 5, column 5: .* is not as MT940 has it"),
        ("C261120", "C260230", "line 7, column 5: .* is not as MT940 has it"),
        ("NTRFNONREF", f"NTRF{'7' * 251}", "a reference of 251 characters"),
        (":20:S\n", "", "line 1, column 1: field 25 before field 20"),
        (":86:/VS/4711\n", "-\n:86:x\n", "line 7, column 1: field 86 before field 20"),
    ],
)
def test_what_is_not_understood_is_named(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        examined(tmp_path, PLAIN.replace(old, new), swift())


@pytest.mark.parametrize("field", ["1101", "1102", "0203", "    ", "0000"])
def test_a_075_has_a_currency_or_a_kind_of_data(tmp_path: Path, field: str) -> None:
    (line,) = lines_of(tmp_path, gpc(gpc_line(100, currency=field)).encode("cp1250"), bank())
    assert line.amount == 100


def test_a_kind_of_data_that_is_not_of_crowns_is_refused(tmp_path: Path) -> None:
    text = gpc(gpc_line(100, currency="1202")).encode("cp1250")
    with pytest.raises(InputError, match="line 2, column 119: kind of data 1202 is not of CZK"):
        examined(tmp_path, text, bank())


@pytest.mark.parametrize("encoding", ["cp1250", "cp852", "utf-8"])
@pytest.mark.parametrize("name", ["RŮŽENA HOLÁ", "RŮŽENA HOLA", "Těžba", "LÍŠA", "Ďábel", "ťž"])
def test_a_name_in_any_encoding_moves_no_figure(tmp_path: Path, name: str, encoding: str) -> None:
    """Some two letters in one encoding are one letter in another one."""
    text = gpc(gpc_line(5_000, symbol=42, name=name)).replace("SAZKA a.s.".ljust(20), f"{name:<20}")
    (line,) = lines_of(tmp_path, text.encode(encoding), bank())
    (same,) = lines_of(tmp_path, gpc(gpc_line(5_000, symbol=42)).encode("cp1250"), bank())
    assert line == same


def head_for(text: str, moved: int) -> bytes:
    """Put another closing balance and other turnovers into a 074."""
    head, rest = text.split("\r\n", 1)
    closing = f"{1_000_000 + moved:014d}+"
    return f"{head[:60]}{closing}{0:014d}0{moved:014d}0{head[105:]}\r\n{rest}".encode("cp1250")


@pytest.mark.parametrize(
    ("codes", "moved", "amounts"),
    [
        ("24", 700, [500, 200]),
        ("24", 300, [500, -200]),
        ("243", 600, [500, -200, 300]),
        ("245", 400, [500, 200, -300]),
    ],
)
def test_the_codes_of_what_is_taken_back_are_those_that_lead_to_the_balance(
    tmp_path: Path, codes: str, moved: int, amounts: list[int]
) -> None:
    sizes = zip(codes, (500, 200, 300), strict=False)
    text = gpc(*(gpc_line(size, code.replace("3", "4")) for code, size in sizes))
    if "3" in codes:
        parts = text.split("\r\n")
        parts[3] = f"{parts[3][:60]}3{parts[3][61:]}"
        text = "\r\n".join(parts)
    lines = lines_of(tmp_path, head_for(text, moved), bank())
    assert [line.amount for line in lines] == amounts


def internal(account: str) -> str:
    """Put the sixteen digits of an account into the internal order of banks."""
    prefix, number = account[:6], account[6:]
    order = (10, 8, 9, 6, 1, 2, 3, 4, 5, 7)
    return "".join(number[at - 1] for at in order) + prefix


def test_accounts_may_be_in_the_internal_form_of_banks(tmp_path: Path) -> None:
    plain, other = f"{19:06d}{2000145399:010d}", f"{1234567890:016d}"
    text = gpc(gpc_line(100)).replace(plain, internal(plain)).replace(other, internal(other))
    (line,) = lines_of(tmp_path, text.encode("cp1250"), bank())
    (same,) = lines_of(tmp_path, gpc(gpc_line(100)).encode("cp1250"), bank())
    assert line == same
    assert line.counterparty.startswith("0-1234567890/")


def test_a_gpc_of_two_accounts_gives_each_its_lines(tmp_path: Path) -> None:
    plain, other = f"{19:06d}{2000145399:010d}", f"{0:06d}{1987654321:010d}"
    text = gpc(gpc_line(100)) + gpc(gpc_line(300), gpc_line(5, "1")).replace(plain, other)
    for account, sums in ((ACCOUNT, (100, 0)), ("1987654321/0800", (300, 5))):
        found = examined(tmp_path, text.encode("cp1250"), bank(account=account))
        (one,) = found.statements
        assert (one.incoming, one.outgoing) == sums
        assert "also holds statements of account" in str(found.notes[0])
    with pytest.raises(InputError, match=rf"account {plain}, {other} is not 5/0800"):
        examined(tmp_path, text.encode("cp1250"), bank(account="5/0800"))


def test_a_line_of_gpc_under_the_header_of_another_account_is_refused(tmp_path: Path) -> None:
    plain, other = f"{19:06d}{2000145399:010d}", f"{0:06d}{1987654321:010d}"
    text = gpc(gpc_line(100)) + gpc(gpc_line(300)).replace(f"074{plain}", f"074{other}")
    for account, named in ((ACCOUNT, rf"{plain} stands .* {other}"), ("1987654321/0800", plain)):
        with pytest.raises(InputError, match=rf"line 4, column 4: .*account {named}"):
            examined(tmp_path, text.encode("cp1250"), bank(account=account))
