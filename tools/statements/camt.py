"""Read camt.053, the ISO 20022 statement, in all its versions and as Czech banks write it.

An entry is a line; if all details of an entry have amounts that add up to it, before or after
charges, each detail is a line. Of texts only payment symbols are kept: in the profile of the Czech
Banking Association they are in ``EndToEndId`` as ``/VS123/SS1/KS0308``, or in references as
``VS:123``. A statement that is split (its closing balance is ``ITBD``) continues in the next one.
"""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ledger.core.clock import PRAGUE, from_datetime, moments_of
from ledger.decisions.statements import StatementLine
from tools.statements.parts import (
    End,
    Note,
    account_key,
    crowns,
    day_of,
    fault,
    is_same_account,
    minor,
    named,
    other_accounts,
    variable_symbol_in,
)
from tools.statements.xml_nodes import Node, nodes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date
    from typing import BinaryIO

    from tools.statements.issuer import Issuer

__all__ = ["is_own_camt", "read_camt"]

DAY = re.compile(r"(\d{4}-\d\d-\d\d)(?:Z|[+-]\d\d:\d\d)?", re.ASCII)
"""A day, which may have a zone; it is meant as it is written."""
SIGNS = {"CRDT": 1, "DBIT": -1}
YES = frozenset({"true", "1"})
FEES = frozenset({"CHRG", "FEES", "COMM"})
RETURNS = frozenset({"RRTN", "RPCR", "ARET"})
"""Sub-families of the bank transaction code (ISO 20022 external code set)."""


def read_camt(file: BinaryIO, issuer: Issuer) -> Iterator[StatementLine | End | Note]:
    """Read a file; see :mod:`tools.statements.parts` for the output.

    Statements of other accounts are skipped and reported.
    """
    statement = _Statement(issuer)
    is_any = False
    others: dict[str, tuple[int, int]] = {}
    for node in nodes(file, ("Document", "BkToCstmrStmt", "Stmt")):
        if node is not None:
            yield from statement.take(node)
            continue
        if statement.other_account:
            others.setdefault(statement.other_account, statement.account_place)
            statement = _Statement(issuer)
        elif (end := statement.end()) is not None:
            is_any = True
            yield end
            statement = _Statement(issuer)
    if statement.place:
        raise fault(statement.place, 1, "CLOSING_MISSING")
    yield from other_accounts(others, issuer, is_any=is_any)
    if not is_any:
        raise fault(1, 1, "NO_STATEMENT", field=", Stmt")


def is_own_camt(account: str, issuer: Issuer) -> bool:
    """Return whether an account, as a file names it with its currency, is that of an issuer."""
    number, _, currency = account.rpartition(" ")
    return currency == issuer.currency and is_same_account(issuer.account, number)


class _Statement:
    """The statement being read."""

    def __init__(self, issuer: Issuer) -> None:
        self.issuer = issuer
        self.place = 0
        self.number = ""
        self.period: tuple[date, date] | None = None
        self.balances: list[tuple[str, int, date | None]] = []
        self.sums: dict[str, int] = {}
        self.entries = 0
        self.account = ""
        self.other_account = ""
        self.account_place = (1, 1)
        self.ends_at_midnight = False
        self._moved = 0
        self._turnovers = {1: 0, -1: 0}
        self._page_begin = 0
        self._interim: int | None = None

    def take(self, node: Node) -> Iterator[StatementLine]:
        """Process the next part of the statement."""
        self.place = self.place or node.line
        if self.other_account:
            return
        match node.name:
            case "LglSeqNb" | "ElctrncSeqNb":
                self.number = named(node.text, node.line, node.column)
            case "Id":
                self.number = self.number or named(node.text, node.line, node.column)
            case "Acct":
                self._account(node)
            case "FrToDt":
                self.period = (_date(node, "FrDtTm", "FrDt"), _date(node, "ToDtTm", "ToDt"))
                text = node.text_at("ToDtTm")
                self.ends_at_midnight = "T" in text and _is_midnight(
                    _moments(text, node.line, node.column)[0]
                )
            case "Bal":
                amount = self._signed(node)
                day = _date(node, "Dt/Dt", "Dt/DtTm") if node.at("Dt") else None
                self.balances.append((node.text_at("Tp/CdOrPrtry/Cd"), amount, day))
            case "TxsSummry":
                self._summary(node)
            case "Ntry":
                self.entries += 1
                yield from self._entry(node)

    def end(self) -> End | None:
        """Return the end of the statement; None if it continues in the next one."""
        opening = self._balance("OPBD", "PRCD")
        closing = self._balance("CLBD")
        if not self.account:
            raise fault(self.place or 1, 1, "STATEMENT_UNNAMED", field="Acct")
        self._require_interim(None if opening is None or closing else opening[0])
        if closing is None and self._balance("ITBD"):
            return None
        if opening is None or closing is None:
            code = "OPENING_MISSING" if opening is None else "CLOSING_MISSING"
            raise fault(self.place, 1, code)
        said = self.sums.get("entries")
        if said is not None and said != self.entries:
            raise fault(self.place, 1, "ENTRIES_MISCOUNTED", stated=said, found=self.entries)
        first, last = self._days(closing[1])
        return End(
            self.place,
            self.number,
            self.account,
            first,
            last,
            opening[0],
            closing[0],
            opened_on=opening[1],
            stated_incoming=self.sums.get("CRDT"),
            stated_outgoing=self.sums.get("DBIT"),
            turnovers=(self._turnovers[1], self._turnovers[-1]),
        )

    def _require_interim(self, opening: int | None) -> None:
        """Compare the balances between pages with the lines.

        A page has the one with which the page before it ended, and if another page follows the one
        to which the lines lead; then the opening balance is given.
        """
        page = [amount for code, amount, _ in self.balances[self._page_begin :] if code == "ITBD"]
        reached = None if opening is None else opening + self._moved
        for due in (self._interim, reached):
            if due is not None and page and due not in page:
                stated = " and ".join(map(crowns, page))
                raise fault(
                    self.place,
                    1,
                    "INTERIM_NOT_REACHED",
                    reached=crowns(due),
                    field=" ITBD",
                    stated=stated,
                )
        self._interim, self._page_begin = reached, len(self.balances)

    def _days(self, closed_on: date | None) -> tuple[date | None, date | None]:
        """Return first and last day; midnight as the end is that of the day before.

        Some banks write the last day itself at midnight: the day of the closing balance shows it.
        """
        if self.period is None:
            return None, closed_on
        first, last = self.period
        if self.ends_at_midnight and first < last and closed_on != last:
            last -= timedelta(days=1)
        return first, last

    def _balance(self, *codes: str) -> tuple[int, date | None] | None:
        for wanted in codes:
            for code, amount, day in self.balances:
                if code == wanted:
                    return amount, day
        return None

    def _account(self, node: Node) -> None:
        account = node.text_at("Id/IBAN", "Id/Othr/Id")
        if not account:
            raise fault(node.line, node.column, "ACCOUNT_UNNAMED")
        currency = node.text_at("Ccy") or self.issuer.currency
        if not is_same_account(self.issuer.account, account):
            self.other_account, self.account_place = account, (node.line, node.column)
        elif currency != self.issuer.currency:
            self.other_account = f"{account} in {currency}"
            self.account_place = (node.line, node.column)
        if self.other_account and (self.balances or self.entries):
            raise fault(node.line, node.column, "ACCOUNT_BEHIND_LINES", text=account)
        self.account = f"{account} {currency}"

    def _summary(self, node: Node) -> None:
        for name, total in (("CRDT", "TtlCdtNtries"), ("DBIT", "TtlDbtNtries")):
            if text := node.text_at(f"{total}/Sum"):
                self.sums[name] = minor(text, node.line, node.column)
        if count := node.text_at("TtlNtries/NbOfNtries"):
            if not (count.isascii() and count.isdigit() and len(count) < 16):  # noqa: PLR2004 - ISO has 15 digits
                raise fault(node.line, node.column, "ENTRIES_NO_NUMBER", text=repr(count))
            self.sums["entries"] = int(count)

    def _signed(self, node: Node, sign_of: Node | None = None, amount: Node | None = None) -> int:
        """Read the amount of a balance, an entry or a detail, signed."""
        found = amount if amount is not None else node.at("Amt")
        if found is None:
            raise fault(node.line, node.column, "ELEMENT_WITHOUT_AMOUNT", element=node.name)
        currency = found.attributes.get("Ccy", "")
        if currency != self.issuer.currency:
            due = self.issuer.currency
            if not currency:
                raise fault(found.line, found.column, "CURRENCY_MISSING", due=due)
            raise fault(found.line, found.column, "CURRENCY_OF_ANOTHER", text=currency, due=due)
        said = node.text_at("CdtDbtInd") or (sign_of.text_at("CdtDbtInd") if sign_of else "")
        if said not in SIGNS:
            raise fault(
                node.line,
                node.column,
                "ELEMENT_WITHOUT_DIRECTION",
                element=node.name,
                text=repr(said),
            )
        if found.text.strip().startswith(("-", "+")):
            raise fault(
                found.line,
                found.column,
                "ELEMENT_WITH_SIGN",
                text=repr(found.text.strip()),
                element=node.name,
            )
        return SIGNS[said] * minor(found.text, found.line, found.column)

    def _entry(self, node: Node) -> Iterator[StatementLine]:
        status = node.text_at("Sts/Cd", "Sts")
        if status != "BOOK":
            if not status:
                raise fault(node.line, node.column, "ENTRY_WITHOUT_STATUS")
            raise fault(node.line, node.column, "ENTRY_NOT_BOOKED", text=status)
        if node.at("BookgDt") is None:
            raise fault(node.line, node.column, "ENTRY_WITHOUT_DAY")
        amount = self._signed(node)
        self._moved += amount
        self._turnovers[-1 if amount < 0 else 1] += abs(amount)
        details = [tx for one in node.all("NtryDtls") for tx in one.all("TxDtls")]
        parts = self._parts(node, details)
        if len(details) > 1 and parts and sum(parts) == amount:
            for part, detail in zip(parts, details, strict=True):
                yield self._with_fee(_line(node, detail, detail.line, part), detail)
        elif parts and (charges := self._charges_between(parts, amount, details, node)):
            for part, fee, detail in zip(parts, charges, details, strict=False):
                yield replace(_line(node, detail, detail.line, part), fee=fee)
            if fee := sum(charges[len(parts) :]):
                yield replace(_line(node, None, node.line, -fee), kind="fee")
        else:
            only = details[0] if len(details) == 1 else None
            line = _line(node, only, node.line, amount)
            yield self._with_fee(line, only if only is not None and only.at("Chrgs") else node)

    def _with_fee(self, line: StatementLine, node: Node) -> StatementLine:
        """Take the charges that an amount includes, as the file says, out of the amount."""
        included = [one for one in _charges(node) if one.text_at("ChrgInclInd") in YES]
        if line.kind == "fee" or not self._are_mine(included):
            return line
        fee = -sum(self._signed(one) for one in included)
        return replace(line, amount=line.amount + fee, fee=fee)

    def _charges_between(
        self, parts: list[int], amount: int, details: list[Node], entry: Node
    ) -> list[int]:
        """Return the charges of each detail, or behind them that of the entry, if they explain it.

        They do if the parts less all of them are the amount of the entry; otherwise none.
        """
        places = details if any(one.at("Chrgs") for one in details) else [entry]
        stated = [[one for one in _charges(place) if one.at("CdtDbtInd")] for place in places]
        if not all(map(self._are_mine, filter(None, stated))):
            return []
        charges = [-sum(map(self._signed, of_place)) for of_place in stated]
        if not any(charges) or sum(parts) - sum(charges) != amount:
            return []
        return charges if places is details else [*[0] * len(parts), *charges]

    def _are_mine(self, charges: list[Node]) -> bool:
        """Return whether there are charges, all in the currency of the account."""
        amounts = [one.at("Amt") for one in charges]
        return bool(amounts) and all(
            one is None or one.attributes.get("Ccy") in {None, self.issuer.currency}
            for one in amounts
        )

    def _parts(self, node: Node, details: list[Node]) -> list[int]:
        """Return the amounts of all details, if each has one in the currency of the account."""
        amounts = [one.at("Amt") or one.at("AmtDtls/TxAmt/Amt") for one in details]
        mine = [
            one
            for one in amounts
            if one is not None and one.attributes.get("Ccy") == self.issuer.currency
        ]
        if len(mine) < len(details):
            return []
        return [self._signed(one, node, found) for one, found in zip(details, mine, strict=True)]


def _charges(node: Node) -> list[Node]:
    """Return the records of charges; before version 04 each charge is an element of its own."""
    return [
        one
        for charges in node.all("Chrgs")
        for one in ([charges] if charges.at("Amt") else charges.all("Rcrd"))
    ]


def _line(entry: Node, detail: Node | None, place: int, amount: int) -> StatementLine:
    """Read a line; an instruction is ours where we paid, and the payer's where we were paid."""
    one = detail if detail is not None else Node("TxDtls", {}, entry.line, entry.column)
    at = (one.line, one.column)
    end_to_end = one.text_at("Refs/EndToEndId")
    instruction, kind = _stated(one.text_at("Refs/InstrId"), *at), _kind(entry, one)
    is_instructed = amount < 0 or kind == "reversal"
    moment_text = entry.text_at("BookgDt/DtTm")
    other = "DbtrAcct" if amount >= 0 else "CdtrAcct"
    account = one.text_at(f"RltdPties/{other}/Id/IBAN", f"RltdPties/{other}/Id/Othr/Id")
    return StatementLine(
        place=place,
        kind=kind,  # type: ignore[arg-type]
        booked=_date(entry, "BookgDt/Dt", "BookgDt/DtTm"),
        amount=amount,
        valued=_date(entry, "ValDt/Dt", "ValDt/DtTm") if entry.at("ValDt") else None,
        moment=_recorded_moment(moment_text, *at) if moment_text else 0,
        reference=instruction if is_instructed else "",
        end_to_end=_stated(end_to_end, *at) or ("" if is_instructed else instruction),
        variable_symbol=_symbol(one, end_to_end),
        their_reference=named(
            one.text_at("Refs/AcctSvcrRef", "Refs/TxId") or entry.text_at("AcctSvcrRef", "NtryRef"),
            *at,
        ),
        counterparty=named(account_key(account), *at) if account else "",
    )


def _kind(entry: Node, detail: Node) -> str:
    families = {node.text_at("BkTxCd/Domn/Fmly/SubFmlyCd") for node in (entry, detail)}
    if entry.text_at("RvslInd") in YES or detail.at("RtrInf") or families & RETURNS:
        return "reversal"
    if families & FEES:
        return "fee"
    return "interest" if "INTR" in families else "payment"


def _symbol(detail: Node, end_to_end: str) -> str:
    """Find the variable symbol; a reference of type VS first, the free text last."""
    for reference in (one for refs in detail.all("Refs") for one in refs.all("Prtry")):
        text = reference.text_at("Ref")
        if reference.text_at("Tp") == "VS" and text.isascii() and text.isdigit():
            return text.lstrip("0")[:10]
    texts = [end_to_end]
    for remittance in detail.all("RmtInf"):
        texts += [one.text_at("CdtrRefInf/Ref") for one in remittance.all("Strd")]
        texts += [one.text.strip() for one in remittance.all("Ustrd")]
    return next((symbol for text in texts if (symbol := variable_symbol_in(text))), "")


def _stated(text: str, line: int, column: int) -> str:
    return "" if text in {"NOTPROVIDED", "NONREF"} else named(text, line, column)


def _date(node: Node, *paths: str) -> date:
    """Parse a day; a timestamp with a zone means its day in Prague."""
    text = node.text_at(*paths)
    if "T" in text:
        return _moments(text, node.line, node.column)[0].date()
    found = DAY.fullmatch(text.strip())
    return day_of(found[1] if found else text, "iso", node.line, node.column)


def _is_midnight(moment: datetime) -> bool:
    return moment.time() == time()


def _moments(text: str, line: int, column: int) -> tuple[datetime, ...]:
    """Parse a timestamp, local in Prague if the file has no zone: then it may have two meanings.

    Raises:
        InputError: the text is not a timestamp, or the time never occurred in Prague.

    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise fault(line, column, "MOMENT_NOT_READ", text=repr(text)) from error
    if found.tzinfo:
        return (found.astimezone(PRAGUE),)
    moments = moments_of(found)
    if not moments:
        raise fault(line, column, "MOMENT_NEVER_SHOWN", text=repr(text), zone="Prague")
    return moments


def _recorded_moment(text: str, line: int, column: int) -> int:
    """Return microseconds; 0, unknown, for a local time that occurred twice."""
    found = _moments(text, line, column)
    return from_datetime(found[0]) if len(found) == 1 else 0
