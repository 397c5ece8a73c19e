"""Files of issuers as they write them, small enough to be read by eye, with their settings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from ledger.decisions.statements import StatementLine
from tools.statements.issuer import Columns, Issuer
from tools.statements.reading import ParsedFile, ReadRequest, examine

if TYPE_CHECKING:
    from pathlib import Path

ACCOUNT = "19-2000145399/0800"
IBAN = "CZ6508000000192000145399"


def gpc(*lines: str, opening: int = 1_000_000, days: tuple[str, str] = ("010226", "020226")) -> str:
    """Write a 074 that fits its lines, and the lines."""
    moved = [int(line[48:60]) * {"1": -1, "2": 1, "4": 1, "5": -1}[line[60]] for line in lines]
    closing = opening + sum(moved)
    outgoing, incoming = -sum(m for m in moved if m < 0), sum(m for m in moved if m > 0)
    head = (
        f"074{19:06d}{2000145399:010d}{'SAZKA a.s.':<20}{days[0]}{abs(opening):014d}"
        f"{'-' if opening < 0 else '+'}{abs(closing):014d}{'-' if closing < 0 else '+'}"
        f"{outgoing:014d}0{incoming:014d}0{33:03d}{days[1]}{'':14}"
    )
    return "".join(f"{line}\r\n" for line in (head, *lines))


def gpc_line(amount: int, code: str = "2", symbol: int = 0, **facts: Any) -> str:
    """Write a 075."""
    day, due = facts.get("day", "020226"), facts.get("due", facts.get("day", "020226"))
    return (
        f"075{19:06d}{2000145399:010d}{facts.get('other', 1234567890):016d}"
        f"{facts.get('document', 7):013d}{amount:012d}{code}{symbol:010d}0001000308{0:010d}"
        f"{day}{facts.get('name', 'Žluťoučký kůň'):<20}0{facts.get('currency', '0203')}{due}"
    )


MT940 = """{1:F01GIBACZPXAXXX0000000000}{2:I940SAZKCZPXXXXXN}{4:
:20:20260202
:25:0800/19-2000145399
:28C:33/1
:60F:C260201CZK10000,00
:61:2602020202C1250,50NTRF0000012345//B-1
:86:020?00Bezhotovostni platba?20/VS/9999?32Karel Novak
:61:2602020202D250,NCHGNONREF//B-2
:86:poplatek za vedeni
:61:2602020202RC100,00NTRFE2E-77//B-3
:86:vraceno VS:0000000042
:62F:C260202CZK10900,50
-}
"""

BATCH = """
      <Ntry>
        <Amt Ccy="CZK">300.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
        <BookgDt><Dt>2026-02-02</Dt></BookgDt>
        <NtryDtls>
          <TxDtls><Refs><EndToEndId>/VS1001/SS/KS0308</EndToEndId></Refs>
            <AmtDtls><TxAmt><Amt Ccy="CZK">100.00</Amt></TxAmt></AmtDtls></TxDtls>
          <TxDtls><Refs><EndToEndId>E-2</EndToEndId></Refs>
            <AmtDtls><TxAmt><Amt Ccy="CZK">200.00</Amt></TxAmt></AmtDtls>
            <RmtInf><Strd><CdtrRefInf><Ref>VS:0000001002</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
        </NtryDtls>
      </Ntry>"""
FEE = """
      <Ntry>
        <Amt Ccy="CZK">15.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>
        <BookgDt><Dt>2026-02-02</Dt></BookgDt><ValDt><Dt>2026-02-01</Dt></ValDt>
        <AcctSvcrRef>B-9</AcctSvcrRef>
        <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>MDOP</Cd><SubFmlyCd>CHRG</SubFmlyCd></Fmly></Domn></BkTxCd>
      </Ntry>"""


def camt(
    *entries: str, opening: str = "100.00", closing: str = "385.00", version: str = "001.02"
) -> str:
    """Write a camt.053 as Czech banks do."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.{version}">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>m-1</MsgId><CreDtTm>2026-02-03T01:00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>s-33</Id><ElctrncSeqNb>33</ElctrncSeqNb>
      <FrToDt><FrDtTm>2026-02-02T00:00:00</FrDtTm><ToDtTm>2026-02-02T00:00:00</ToDtTm></FrToDt>
      <Acct><Id><IBAN>{IBAN}</IBAN></Id><Ccy>CZK</Ccy></Acct>
      <Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">{opening}</Amt>
        <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-01</Dt></Dt></Bal>
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">{closing}</Amt>
        <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-02</Dt></Dt></Bal>{"".join(entries)}
    </Stmt>
  </BkToCstmrStmt>
</Document>
"""


CSV = """Datum;Druh;Částka;Poplatek;ID;Objednávka;VS
02.02.2026;platba;1 250,50;12,50;p-1;d-1;0000000042
02.02.2026;vratka;-100,00;0,00;p-2;d-2;
03.02.2026;celkem;1 150,50;12,50;;;
"""


def bank(format_: str = "gpc", **facts: Any) -> Issuer:
    """Settings of a bank account."""
    return Issuer(kind="BANK", format=format_, account=facts.pop("account", ACCOUNT), **facts)  # type: ignore[arg-type]


def provider(**facts: Any) -> Issuer:
    """Settings of a payment provider with a table in Czech."""
    columns = Columns(
        booked="Datum",
        kind="Druh",
        amount="Částka",
        fee="Poplatek",
        their_reference="ID",
        reference="Objednávka",
        variable_symbol="VS",
    )
    given: dict[str, Any] = {
        "kind": "PAYMENTS",
        "format": "csv",
        "day": "%d.%m.%Y",
        "decimal": ",",
        "thousands": " ",
        "columns": columns,
        "kinds": {"platba": "payment", "vratka": "chargeback", "celkem": "sum"},
    }
    return Issuer(**{**given, **facts})


def games(**facts: Any) -> Issuer:
    """Settings of a game provider."""
    columns = Columns(
        moment="at", stake="stake", paid="win", bet="bet", round="round", table="table"
    )
    given: dict[str, Any] = {"kind": "GAMES", "format": "csv", "delimiter": ",", "columns": columns}
    return Issuer(**{**given, **facts})


def asked(folder: Path, content: str | bytes, issuer: Issuer, name: str = "file") -> ReadRequest:
    """Write a file; say whose it is."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return ReadRequest(path, "issuer-1", issuer)


def lines_of(folder: Path, content: str | bytes, issuer: Issuer) -> list[StatementLine]:
    """Read the lines of a file."""
    kept: list[bytes] = []
    examine(asked(folder, content, issuer), keep=kept.append)
    return [
        msgspec.convert(line, StatementLine)
        for command in kept
        for line in json.loads(command)["lines"]
    ]


def examined(folder: Path, content: str | bytes, issuer: Issuer) -> ParsedFile:
    """Read a file."""
    return examine(asked(folder, content, issuer))
