"""Samples in the layouts that templates of issuers are for; persons and numbers are invented."""

from __future__ import annotations

from typing import NamedTuple

from tests.tools.statements.statement_files import ACCOUNT, IBAN, gpc, gpc_line

__all__ = ["SAMPLES", "Sample"]


class Sample(NamedTuple):
    """A file and what its lines are: booked on, kind, amount, fee, and one of their names."""

    text: str
    lines: tuple[tuple[str, str, int, int, str], ...]
    account: str = ""
    notes: tuple[str, ...] = ()


MT940_BODY = """\
:20:STMT1
:25:{account}
:28C:1/1
:60F:C261119EUR1000,00
:61:2611201120C500,00NTRFNONREF//B-1
:86:/EREF/d-4711/REMI/deposit
:62F:C261120EUR1500,00
{end}"""
MT940_LINES = (("2026-11-20", "payment", 50_000, 0, "d-4711"),)

STRIPE = """\
automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,created_utc,created,\
available_on_utc,currency,gross,fee,net,reporting_category,source_id,description
po_1,2026-11-25 00:00:00,txn_1A,2026-11-20 22:59:59,2026-11-20 23:59:59,2026-11-24 00:00:00,czk,\
1000.00,32.50,967.50,charge,ch_1A,
po_1,2026-11-25 00:00:00,txn_1B,2026-11-20 23:00:01,2026-11-21 00:00:01,2026-11-24 00:00:00,czk,\
-200.00,0.00,-200.00,refund,re_1B,
po_1,2026-11-25 00:00:00,txn_1C,2026-11-22 08:00:00,2026-11-22 09:00:00,2026-11-24 00:00:00,czk,\
-1000.00,400.00,-1400.00,dispute,dp_1,
po_2,2026-11-28 00:00:00,txn_1D,2026-11-25 08:00:00,2026-11-25 09:00:00,2026-11-27 00:00:00,czk,\
1000.00,-400.00,1400.00,dispute_reversal,dp_1,
po_2,2026-11-28 00:00:00,txn_1E,2026-11-25 09:00:00,2026-11-25 10:00:00,2026-11-27 00:00:00,eur,\
10.00,0.30,9.70,charge,ch_1E,
po_2,2026-11-28 00:00:00,txn_1F,2026-11-26 00:00:00,2026-11-26 01:00:00,2026-11-27 00:00:00,czk,\
-45.00,0.00,-45.00,fee,fee_1F,Billing
"""

PAYPAL = """\
"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net",\
"From Email Address","To Email Address","Transaction ID","Reference Txn ID","Invoice Number",\
"Balance","Balance Impact"
"20/11/2026","23:30:00","CET","J. Novak","Express Checkout Payment","Completed","CZK","1,000.00",\
"-35.00","965.00","j@example.cz","shop@example.cz","1AB","","d-1","965.00","Credit"
"20/11/2026","23:40:00","CET","P. Mala","General Authorization","Pending","CZK","-300.00","0.00",\
"-300.00","p@example.cz","shop@example.cz","1AC","","","965.00","Memo"
"21/11/2026","00:10:00","CET","A. Kral","Express Checkout Payment","Completed","EUR","40.00",\
"-1.40","38.60","a@example.cz","shop@example.cz","1AD","","d-2","38.60","Credit"
"22/11/2026","10:00:00","CET","J. Novak","Payment Refund","Completed","CZK","-1,000.00","35.00",\
"-965.00","shop@example.cz","j@example.cz","1AE","1AB","d-1","0.00","Debit"
"""

ADYEN = """\
Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,\
TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),\
Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),\
Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,\
Batch Number
Herna,HernaCZ,8814170000000001,d-1,visa,2026-11-20 19:58:55,CET,Settled,8814170000000001,CZK,,\
1000.00,1,CZK,,988.90,,6.00,1.10,4.00,visacredit,,134
Herna,HernaCZ,8814170000000002,d-2,mc,2026-11-21 08:00:00,CET,Refunded,8814170000000003,CZK,\
200.00,,1,CZK,201.50,,1.50,,,,mccredit,,134
Herna,HernaCZ,8814170000000004,d-3,mc,2026-11-22 08:00:00,CET,Chargeback,8814170000000005,CZK,\
500.00,,1,CZK,700.00,,200.00,,,,mccredit,,134
Herna,HernaCZ,,,,2026-11-22 09:00:00,CET,Fee,Transaction Fees November,,,,,CZK,12.00,,,,,,,,134
Herna,HernaCZ,,,,2026-11-22 10:00:00,CET,MerchantPayout,"TX1, batch 134",,,,,CZK,75.40,,,,,,,,134
"""

TRUSTLY = """\
datestamp,accountname,currency,amount,total,orderid,ordertype,messageid,username,fxpaymentamount,\
fxpaymentcurrency,settlementbankwithdrawalid,externalreference
"2026-11-20 12:52:22.293626+00",SUSPENSE_ACCOUNT_CLIENT_FUNDS_CZECH,CZK,1000.00,790.00,\
1288208729,Deposit,d-1,herna,,,1434179572,
"2026-11-20 12:52:22.293626+00",TRANSACTION_FEE_BANK_DEPOSIT,CZK,-8.00,790.00,1288208729,\
"Deposit Fee",d-1,herna,,,1434179572,
"2026-11-20 23:30:21.01949+00",BANK_WITHDRAWAL_QUEUED,CZK,-200.00,790.00,1288208730,Withdraw,w-1,\
herna,,,1434179572,
"2026-11-21 05:30:43.235847+00",TRANSACTION_FEE_BANK_WITHDRAWAL,CZK,-2.00,790.00,,\
"Settlement Fee",,herna,,,1434179572,
"""

GOPAY = """\
"ID pohybu";"Datum";"Typ";"Protistrana";"ID objednávky/VS";"Částka";"Počáteční stav";\
"Koncový stav";"Měna";"ID Referenčního pohybu"
"8018628816";"2026-11-20 00:19:49";"Platba na E-shop";"444444******4448";"d-1";1,50;193720,39;\
193721,89;"CZK";""
"8018628817";"2026-11-20 23:19:49";"Platba na E-shop";"444444******4448";"d-2";1000,00;193721,89;\
194721,89;"CZK";""
"""

COMGATE = """\
"Merchant";"Datum založení";"Datum zaplacení";"Datum převodu";"Měsíc fakturace";"ID ComGate";\
"Metoda";"Produkt";"Popis";"E-mail plátce";"Variabilní symbol plátce";\
"Variabilní symbol převodu";"ID od klienta";"Měna";"Potvrzená částka";"Převedená částka";\
"Poplatek celkem";"Poplatek mezibankovní";"Poplatek asociace";"Poplatek zpracovatel";"Typ karty"
"499465";"2026-11-20 09:28:06";"2026-11-20 09:28:41";"2026-11-23";"";"JV6Y-60HX-NNRK";\
"Karta online";"";"vklad";"hrac@example.cz";"1357656777";"1811321483";"d-1";"CZK";"7387,10";\
"7314,71";"72,39";"14,77";"11,52";"46,10";"EU_CONSUMER"
"-";"";"";"2026-11-23";"";"";"";"suma";"-";"-";"-";"1811321483";"-";"CZK";"7387,10";"7314,71";\
"72,39";"14,77";"11,52";"46,10";""
"""

CAMT = f"""<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>
<Id>1</Id><ElctrncSeqNb>1</ElctrncSeqNb><Acct><Id><IBAN>{IBAN}</IBAN></Id><Ccy>CZK</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">100.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-19</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CZK">400.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>
<Ntry><Amt Ccy="CZK">300.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt>
<NtryDtls><TxDtls><Refs><EndToEndId>d-1</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>
"""

AIR_BANK = """\
"Datum provedení";"Směr úhrady";"Typ úhrady";"Skupina plateb";"Měna účtu";"Částka v měně účtu";\
"Poplatek v měně účtu";"Původní měna úhrady";"Původní částka úhrady";"Název protistrany";\
"Číslo účtu protistrany";"Název účtu protistrany";"Variabilní symbol";"Konstantní symbol";\
"Specifický symbol";"Datum zaúčtování";"Referenční číslo";"Zaúčtováno"
"20/11/2026";"Příchozí";"Příchozí úhrada";"";"CZK";"1 500,00";"0,00";"CZK";"1 500,00";"J. Novák";\
"1234567890/0100";"";"0000004711";"";"";"20/11/2026";"81234567890";"Ano"
"20/11/2026";"Odchozí";"Odchozí úhrada";"";"CZK";"-250,00";"";"CZK";"-250,00";"P. Malá";\
"987654321/0800";"";"8";"";"";"21/11/2026";"81234567891";"Ano"
"21/11/2026";"Odchozí";"Platba kartou";"";"CZK";"-99,00";"";"CZK";"-99,00";"OBCHOD";"";"";"";"";"";\
"";"81234567892";"Ne"
"""

CSOB = """\
Pohyby na účtu 277150116/0300 ze dne 22.11.2026 20:45:56;;;;;;;;;;;;;;;;
;;;;;;;;;;;;;;;;
číslo účtu;datum zaúčtování;částka;měna;zůstatek;číslo protiúčtu;kód banky protiúčtu;\
jméno protistrany;adresa protistrany;konstantní symbol;variabilní symbol;specifický symbol;\
označení operace;název trvalého příkazu;vlastní poznámka;zpráva;kategorie
277150116/0300;20.11.2026;1500;CZK;5753,78;1234567890;0100;J. Novák;;308;4711;;Příchozí úhrada;;;;
277150116/0300;21.11.2026;-123,7;CZK;5630,08;;;;;1178;205000049;;Transakce platební kartou;;;;
"""

FIO = """\
"Výpis č. 11/2026 z účtu ""2900123456/2010"", běžný"
"Majitel účtu: Herna Test a.s., Praha, Česká republika"
"Období: 20.11.2026 - 21.11.2026"
"Počáteční stav účtu k 20.11.2026: 1 000,00 CZK"
"Koncový stav účtu k 21.11.2026: 2 250,50 CZK"

"ID operace";"Datum";"Objem";"Měna";"Protiúčet";"Název protiúčtu";"Kód banky";"Název banky";"KS";\
"VS";"SS";"Poznámka";"Zpráva pro příjemce";"Typ";"Provedl";"Upřesnění";"BIC";"ID pokynu"
"26000000001";"20.11.2026";"1 500,50";"CZK";"1234567890";"Novák, Jan";"0100";"Komerční banka";\
"0308";"4711";"";"";"";"Bezhotovostní příjem";"";"";"";"31000000001"
"26000000002";"21.11.2026";"-250,00";"CZK";"19-987654321";"Malá, Petra";"0800";"";"";"8";"";"";"";\
"Bezhotovostní platba";"";"";"";"31000000002"
"""

KB = """\
KB+, vypis v csv. formatu;;;;;;;;;;;;;;;;;;
Datum vytvoreni souboru;22.11.2026;;;;;;;;;;;;;;;;;
;;;;;;;;;;;;;;;;;;
Cislo uctu;123-123123;;;;;;;;;;;;;;;;;
Mena uctu / Hlavni mena uctu;CZK;;;;;;;;;;;;;;;;;
IBAN;CZ0001000001230000123123;;;;;;;;;;;;;;;;;
Vypis od;20.11.2026;;;;;;;;;;;;;;;;;
Vypis do;21.11.2026;;;;;;;;;;;;;;;;;
Pocet polozek;2;;;;;;;;;;;;;;;;;
Pocatecni zustatek;321321,21;;;;;;;;;;;;;;;;;
Konecny zustatek;322571,21;;;;;;;;;;;;;;;;;
;;;;;;;;;;;;;;;;;;
Datum zauctovani;Datum provedeni;Protistrana;Nazev protiuctu;Castka;Mena;Originalni castka;\
Originalni mena;Smenny kurz;VS;KS;SS;Identifikace transakce;Typ transakce;Popis pro me;\
Zprava pro prijemce;Reference platby;BIC / SWIFT;Poplatek
20.11.2026;20.11.2026;1234567890/0100;Jan Novák;1500,00;CZK;;;;4711;138;0;8J39R7P2;Příchozí úhrada;\
;;;;
21.11.2026;21.11.2026;987654321/0800;Petra Malá;-250,00;CZK;;;;8;0;0;8J39R7P3;Odchozí úhrada;;;;;
"""

RAIFFEISENBANK = """\
"Datum provedení";"Datum zaúčtování";"Číslo účtu";"Název účtu";"Kategorie transakce";\
"Číslo protiúčtu";"Název protiúčtu";"Typ transakce";"Zpráva";"Poznámka";"VS";"KS";"SS";\
"Zaúčtovaná částka";"Měna účtu";"Původní částka a měna";"Původní částka a měna";"Poplatek";\
"Id transakce";"Vlastní poznámka";"Název obchodníka";"Město"
"20.11.2026 06:20";"20.11.2026 06:23";"5599955956/5500";"Herna";"Platba";"1234567890/0100";\
"Jan Novák";"Příchozí úhrada";"";"";"4711";"";"";"1 500,00";"CZK";"";"";"";"4001";"";"";""
"21.11.2026 07:20";"21.11.2026 07:23";"5599955956/5500";"Herna";"Platba";"987654321/0800";\
"Petra Malá";"Odchozí úhrada";"";"";"8";"";"";"-250,00";"CZK";"";"";"0,00";"4002";"";"";""
"""

IN, OUT = ("2026-11-20", "payment"), ("2026-11-21", "payment")

SAMPLES = {
    "stripe": Sample(
        STRIPE,
        (
            (*IN, 100_000, 3_250, "ch_1A"),
            (*OUT, -20_000, 0, "re_1B"),
            ("2026-11-22", "chargeback", -100_000, 40_000, "dp_1"),
            ("2026-11-25", "reversal", 100_000, -40_000, "dp_1"),
            ("2026-11-26", "fee", -4_500, 0, "fee_1F"),
        ),
        notes=("left out: 1 row of currency EUR",),
    ),
    "paypal": Sample(
        PAYPAL,
        ((*IN, 100_000, 3_500, "d-1"), ("2026-11-22", "payment", -100_000, -3_500, "d-1")),
        notes=(
            "left out: 1 row of Balance Impact 'Memo'",
            "left out: 1 row of currency EUR",
        ),
    ),
    "adyen": Sample(
        ADYEN,
        (
            (*IN, 100_000, 1_110, "d-1"),
            (*OUT, -20_000, 150, "d-2"),
            ("2026-11-22", "chargeback", -50_000, 20_000, "d-3"),
            ("2026-11-22", "fee", -1_200, 0, "134"),
            ("2026-11-22", "settlement", -7_540, 0, "134"),
        ),
    ),
    "trustly": Sample(
        TRUSTLY,
        (
            (*IN, 100_000, 0, "d-1"),
            ("2026-11-20", "fee", -800, 0, "d-1"),
            (*OUT, -20_000, 0, "w-1"),
            ("2026-11-21", "fee", -200, 0, "1434179572"),
        ),
    ),
    "gopay": Sample(GOPAY, ((*IN, 150, 0, "d-1"), (*IN, 100_000, 0, "d-2"))),
    "comgate": Sample(
        COMGATE, ((*IN, 738_710, 7_239, "d-1"),), notes=("left out: 1 row of Merchant '-'",)
    ),
    "camt.053": Sample(CAMT, ((*IN, 30_000, 0, "d-1"),), account=IBAN),
    "gpc": Sample(
        gpc(gpc_line(125_050, symbol=4711), gpc_line(25_000, "1", symbol=8)),
        (
            ("2026-02-02", "payment", 125_050, 0, "4711"),
            ("2026-02-02", "payment", -25_000, 0, "8"),
        ),
        account=ACCOUNT,
    ),
    "abn-amro": Sample(
        "ABNANL2A\n940\nABNANL2A\n" + MT940_BODY.format(account="0001234567", end="-\n"),
        MT940_LINES,
        account="0001234567",
    ),
    "ing": Sample(
        "{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\n"
        + MT940_BODY.format(account="NL69INGB0123456789EUR", end="-}\n"),
        MT940_LINES,
        account="NL69INGB0123456789",
    ),
    "rabobank": Sample(
        ":940:\n" + MT940_BODY.format(account="NL96RABO0123456789 EUR", end=""),
        MT940_LINES,
        account="NL96RABO0123456789",
    ),
    "air-bank": Sample(
        AIR_BANK,
        ((*IN, 150_000, 0, "4711"), (*OUT, -25_000, 0, "8")),
        account="1330098017/3030",
        notes=("left out: 1 row of Zaúčtováno 'Ne'",),
    ),
    "csob": Sample(
        CSOB,
        ((*IN, 150_000, 0, "4711"), (*OUT, -12_370, 0, "205000049")),
        account="277150116/0300",
    ),
    "fio": Sample(
        FIO,
        ((*IN, 150_050, 0, "4711"), (*OUT, -25_000, 0, "8")),
        account="2900123456/2010",
    ),
    "kb": Sample(
        KB,
        ((*IN, 150_000, 0, "4711"), (*OUT, -25_000, 0, "8")),
        account="123-123123/0100",
    ),
    "raiffeisenbank": Sample(
        RAIFFEISENBANK,
        ((*IN, 150_000, 0, "4711"), (*OUT, -25_000, 0, "8")),
        account="5599955956/5500",
    ),
}
"""A sample for each template."""
