"""Write an issuer's statement as a file, in the formats of banks and providers.

What comes in: an issuer's statement of a period. What goes out: the file, and next to it the
settings by which it is imported. A bank carries of our names what its form has room for: up to ten
digits are the variable symbol, as customers of Czech banks fill it in; another name is the
end-to-end reference of camt.053 and, up to 16 characters, of MT940, and ABO/GPC loses it. Days are
all that a bank gives of time. Refused: a form that the kind of issuer doesn't send, a file that is
there.
"""

from __future__ import annotations

import csv
import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import chain
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from ledger.core.clock import PRAGUE, in_prague
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ledger.decisions.statements import StatementLine
    from tools.simulator._issuers import IssuedStatement

__all__ = ["write"]

PREFIX, NUMBER, BANK = 19, 2_000_145_399, "0800"
IBAN = "CZ6508000000192000145399"
OPENING = 100_000_000
SYMBOL_DIGITS_MAX = 10
REFERENCE_MAX = 16
"""Characters of a customer's reference in MT940."""

DAY, MOMENT = "%d.%m.%Y", "%d.%m.%Y %H:%M:%S"
KINDS = {"payment": "platba", "chargeback": "vratka"}
MONEY = {
    "booked": "Datum",
    "kind": "Druh",
    "amount": "Částka",
    "fee": "Poplatek",
    "their_reference": "ID",
    "reference": "Objednávka",
    "settlement": "Výplata",
}
GAMES = {
    "moment": "settledAt",
    "bet": "betId",
    "round": "roundId",
    "table": "table",
    "stake": "stake",
    "paid": "win",
    "their_reference": "id",
}
"""Columns of payment providers and of game providers, by what they hold."""


def write(issued: IssuedStatement, form: str, folder: Path) -> Path:
    """Write ``NAME.EXTENSION`` and ``NAME.toml`` of an issuer into a folder; return the first.

    Args:
        issued: what it says.
        form: ``camt.053``, ``gpc`` or ``mt940`` of a bank, ``csv``, ``jsonl`` or ``xlsx`` of
            others.
        folder: where neither file is yet.

    Raises:
        InputError: the issuer doesn't send this form.
        FileExistsError: there is such a file.

    """
    if issued.kind == "BANK":
        return _write_bank(issued, form, folder)
    columns = GAMES if issued.kind == "GAMES" else MONEY
    writers = {"csv": _write_csv, "jsonl": _write_jsonl, "xlsx": _write_xlsx}
    if form not in writers:
        raise InputError(
            f"issuer {issued.name}: {issued.kind} send no {form}, but {', '.join(writers)}"
        )
    rows = [{columns[key]: _cell(line, key) for key in columns} for line in issued.lines]
    path = folder / f"{issued.name}.{form}"
    writers[form](path, list(columns.values()), rows)
    settings: dict[str, Any] = {}
    if form == "csv":
        settings = {"day": DAY, "moment": MOMENT, "decimal": ","}
    tables = {"columns": columns}
    if "kind" in columns:
        tables["kinds"] = {told: kind for kind, told in KINDS.items()}
    _write_settings(issued, form, folder, settings, tables)
    return path


def _write_bank(issued: IssuedStatement, form: str, folder: Path) -> Path:
    forms = {
        "camt.053": ("xml", _camt, IBAN),
        "gpc": ("gpc", _gpc, f"{PREFIX}-{NUMBER}/{BANK}"),
        "mt940": ("sta", _mt940, f"{PREFIX}-{NUMBER}/{BANK}"),
    }
    if form not in forms:
        raise InputError(f"issuer {issued.name}: a bank sends no {form}, but {', '.join(forms)}")
    extension, lines_of, account = forms[form]
    path = folder / f"{issued.name}.{extension}"
    closing = OPENING + sum(line.amount for line in issued.lines)
    with path.open("x", encoding="ascii", newline="\r\n") as file:
        file.writelines(f"{line}\n" for line in lines_of(issued, closing))
    _write_settings(issued, form, folder, {"account": account}, {})
    return path


def _write_settings(
    issued: IssuedStatement,
    form: str,
    folder: Path,
    settings: dict[str, Any],
    tables: dict[str, dict[str, str]],
) -> None:
    said = {"kind": issued.kind, "format": form, "covers": list(issued.covers), **settings}
    lines = [f"{key} = {_toml(value)}" for key, value in said.items() if value]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    with (folder / f"{issued.name}.toml").open("x", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _toml(value: str | list[str]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _symbol(name: str) -> str:
    """Return a name as a variable symbol; empty where it is none."""
    is_symbol = name.isascii() and name.isdigit() and len(name) <= SYMBOL_DIGITS_MAX
    return name if is_symbol else ""


def _crowns(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02d}"


def _gpc(issued: IssuedStatement, closing: int) -> Iterator[str]:
    """Yield a 074 and its 075; what was taken back is no turnover."""
    account = f"{PREFIX:06d}{NUMBER:010d}"
    back = -sum(line.amount for line in issued.lines if line.kind == "chargeback")
    incoming = sum(max(line.amount, 0) for line in issued.lines) - back
    outgoing = OPENING + incoming - closing
    yield (
        f"074{account}{'SAZKA a.s.':<20}{issued.first_day - timedelta(days=1):%d%m%y}"
        f"{OPENING:014d}+{abs(closing):014d}{'-' if closing < 0 else '+'}"
        f"{outgoing:014d}0{incoming:014d}0{1:03d}{issued.last_day:%d%m%y}{'':14}"
    )
    for line in issued.lines:
        code = "5" if line.kind == "chargeback" else "2" if line.amount > 0 else "1"
        yield (
            f"075{account}{0:016d}{line.their_reference:>013}{abs(line.amount):012d}{code}"
            f"{_symbol(line.end_to_end):>010}{0:010d}{0:010d}{line.booked:%d%m%y}{'':20}0"
            f"0203{line.booked:%d%m%y}"
        )


def _mt940(issued: IssuedStatement, closing: int) -> Iterator[str]:
    """Yield the fields of one message."""
    yield from (
        "{1:F01GIBACZPXAXXX0000000000}{2:I940SAZKCZPXXXXXN}{4:",
        f":20:{issued.last_day:%Y%m%d}",
        f":25:{BANK}/{PREFIX}-{NUMBER}",
        ":28C:1/1",
        f":60F:{_balance(OPENING, issued.first_day - timedelta(days=1))}",
    )
    for line in issued.lines:
        sign = "RC" if line.kind == "chargeback" else "C" if line.amount > 0 else "D"
        symbol = _symbol(line.end_to_end)
        is_short = not symbol and len(line.end_to_end) <= REFERENCE_MAX
        reference = (is_short and line.end_to_end) or "NONREF"
        amount = _crowns(abs(line.amount)).replace(".", ",")
        day = f"{line.booked:%y%m%d%m%d}"
        yield f":61:{day}{sign}{amount}NTRF{reference}//{line.their_reference}"
        yield f":86:020?00Bezhotovostni platba?20{symbol and f'/VS/{symbol}'}"
    yield f":62F:{_balance(closing, issued.last_day)}"
    yield "-}"


def _balance(amount: int, day: date) -> str:
    sign = "D" if amount < 0 else "C"
    return f"{sign}{day:%y%m%d}CZK{_crowns(abs(amount)).replace('.', ',')}"


def _camt(issued: IssuedStatement, closing: int) -> Iterator[str]:
    """Yield a statement in the profile of the Czech Banking Association."""
    first, last = issued.first_day, issued.last_day
    yield from (
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>',
        f"<GrpHdr><MsgId>{last}</MsgId><CreDtTm>{last}T23:59:59</CreDtTm></GrpHdr>",
        "<Stmt><Id>1</Id><ElctrncSeqNb>1</ElctrncSeqNb>",
        f"<FrToDt><FrDtTm>{first}T00:00:00</FrDtTm><ToDtTm>{last}T00:00:00</ToDtTm></FrToDt>",
        f"<Acct><Id><IBAN>{IBAN}</IBAN></Id><Ccy>CZK</Ccy></Acct>",
    )
    before = first - timedelta(days=1)
    for code, amount, day in (("PRCD", OPENING, before), ("CLBD", closing, last)):
        yield (
            f"<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{_amount(amount)}"
            f"<Dt><Dt>{day}</Dt></Dt></Bal>"
        )
    yield from chain.from_iterable(_entry(line) for line in issued.lines)
    yield "</Stmt></BkToCstmrStmt></Document>"


def _entry(line: StatementLine) -> Iterator[str]:
    """Yield an entry; symbols of orders stand in EndToEndId, those of payers in the remittance."""
    reference, remittance = escape(line.end_to_end) or "NOTPROVIDED", ""
    if symbol := _symbol(line.end_to_end):
        reference = f"/VS{symbol}/SS/KS"
        if line.amount > 0:
            reference, creditor = "NOTPROVIDED", f"<Ref>VS:{symbol:>010}</Ref>"
            remittance = f"<RmtInf><Strd><CdtrRefInf>{creditor}</CdtrRefInf></Strd></RmtInf>"
    back = "<RvslInd>true</RvslInd>" if line.kind == "chargeback" else ""
    yield f"<Ntry>{_amount(line.amount)}{back}<Sts>BOOK</Sts>"
    yield f"<BookgDt><Dt>{line.booked}</Dt></BookgDt><ValDt><Dt>{line.booked}</Dt></ValDt>"
    yield f"<AcctSvcrRef>{escape(line.their_reference)}</AcctSvcrRef><NtryDtls><TxDtls>"
    yield f"<Refs><EndToEndId>{reference}</EndToEndId></Refs>{remittance}"
    yield "</TxDtls></NtryDtls></Ntry>"


def _amount(amount: int) -> str:
    sign = "DBIT" if amount < 0 else "CRDT"
    return f'<Amt Ccy="CZK">{_crowns(abs(amount))}</Amt><CdtDbtInd>{sign}</CdtDbtInd>'


def _cell(line: StatementLine, key: str) -> str | Decimal | date:
    """Return what a column holds: a text, crowns, a day or a moment."""
    if key == "kind":
        return KINDS[line.kind]
    if key == "moment":
        noon = datetime.combine(line.booked, time(12), PRAGUE)
        return in_prague(line.moment) if line.moment else noon
    value: str | int | date = getattr(line, key)
    return Decimal(value) / 100 if isinstance(value, int) else value


def _write_csv(path: Path, names: list[str], rows: Iterable[dict[str, Any]]) -> None:
    with path.open("x", encoding="utf-8-sig", newline="") as file:
        table = csv.DictWriter(file, names, delimiter=";")
        table.writeheader()
        table.writerows({name: _in_czech(value) for name, value in row.items()} for row in rows)


def _in_czech(value: str | Decimal | date) -> str:
    if isinstance(value, date):
        return value.strftime(MOMENT if isinstance(value, datetime) else DAY)
    return f"{value:.2f}".replace(".", ",") if isinstance(value, Decimal) else value


def _write_jsonl(path: Path, _: list[str], rows: Iterable[dict[str, Any]]) -> None:
    with path.open("x", encoding="utf-8") as file:
        file.writelines(json.dumps(row, default=str, ensure_ascii=False) + "\n" for row in rows)


def _write_xlsx(path: Path, names: list[str], rows: Iterable[dict[str, Any]]) -> None:
    from xlsxwriter import Workbook

    with path.open("xb") as file, Workbook(file, {"remove_timezone": True}) as book:
        sheet = book.add_worksheet()
        forms = [
            book.add_format({"num_format": form})
            for form in ("dd.mm.yyyy", "dd.mm.yyyy hh:mm:ss", "0.00")
        ]
        sheet.write_row(0, 0, names)
        for number, row in enumerate(rows, 1):
            for column, value in enumerate(row.values()):
                if isinstance(value, str):
                    sheet.write_string(number, column, value)
                elif isinstance(value, Decimal):
                    sheet.write_number(number, column, float(value), forms[2])
                else:
                    sheet.write_datetime(number, column, value, forms[isinstance(value, datetime)])
