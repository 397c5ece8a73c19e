"""Issuers: settings in a TOML file for each bank account, payment provider and game provider.

Input: ``ISSUERS/NAME.toml``, where NAME is the issuer's name in the chain. Output: how its files
are read. ``StatementImported`` stores the settings as JSON, so that the chain documents how a file
was read even if the settings have changed since. Rejected: unknown settings, columns and kinds that
don't fit, unknown zones or encodings.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Literal
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta, Struct, field

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.decisions.statements import KINDS, SETTINGS_MAX, IssuerKind
from ledger.storage.named_files import read_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CURRENCY",
    "SKIP",
    "SUM",
    "Columns",
    "Format",
    "Issuer",
    "IssuerName",
    "issuer_file",
    "read_issuer",
]

Format = Literal["camt.053", "mt940", "gpc", "csv", "jsonl", "xlsx"]
BANK_FORMATS = frozenset({"camt.053", "mt940", "gpc"})
SUM = "sum"
"""What ``kinds`` calls a row that is no line but the sum of those before it."""
SKIP = "skip"
"""What ``kinds`` calls a row that is left out, such as an authorisation."""
CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)

COVERS = {"BANK": ("account",), "PAYMENTS": ("card", "other"), "GAMES": ()}
USUAL_KIND = {"BANK": "payment", "PAYMENTS": "payment", "GAMES": "bet"}
NAME = re.compile(r"[A-Za-z0-9_-]{1,50}")
IssuerName = Annotated[str, Meta(pattern=rf"^{NAME.pattern}\Z")]


class Columns(Struct, frozen=True, forbid_unknown_fields=True):
    """Names of a table's columns by content; empty if there is no such column.

    ``booked`` and ``valued`` are days; ``moment`` includes the time, and ``zone`` says whose clock
    shows it. Money is in ``amount``, with
    ``direction`` or a sign, or in ``credit`` and ``debit``; for games in ``stake`` and ``paid``.
    ``counterparty_bank`` is the bank code, if it has its own column.
    """

    booked: str = ""
    valued: str = ""
    moment: str = ""
    zone: str = ""
    amount: str = ""
    credit: str = ""
    debit: str = ""
    direction: str = ""
    fee: str = ""
    stake: str = ""
    paid: str = ""
    kind: str = ""
    currency: str = ""
    reference: str = ""
    end_to_end: str = ""
    variable_symbol: str = ""
    their_reference: str = ""
    settlement: str = ""
    round: str = ""
    bet: str = ""
    game: str = ""
    table: str = ""
    account: str = ""
    counterparty: str = ""
    counterparty_bank: str = ""


class Issuer(Struct, frozen=True, forbid_unknown_fields=True):
    """How the files of an issuer are read.

    Attributes:
        kind: BANK, PAYMENTS or GAMES.
        format: the form of its files.
        currency: the one currency of its amounts.
        covers: what it answers for: classes of payment, methods or systems; of games tables or
            games. The usual classes of its kind, if it is left out.
        account: of a bank: the account as its files write it.
        encoding, delimiter, sheet, skip: of tables: how the text is encoded, what parts the cells
            (detected by the names of the columns, if empty), which sheet (the first, if empty),
            and how many rows come before the names of columns (0: the names are the first of the
            first 50 rows that has all named columns).
        columns: which column holds what.
        further_fees: further columns with fees, which are added to ``fee``.
        amounts_are: whether ``amount``, ``credit`` and ``debit`` are before the fee (``gross``) or
            after it (``net``); a line always has the amount before the fee.
        day, moment: how days and moments are written, as ``strptime`` has it, or ``iso``.
        zone: whose clock shows the moments.
        repeated_hour: which of the two a moment without an offset is, in the hour that clocks show
            twice; a fault, if it is left out.
        decimal, thousands: what parts crowns from haléř, and thousands from each other.
        unit: whether amounts are crowns (``major``) or haléř (``minor``).
        sign: whose side the sign is of: what comes to us is above zero (``ours``) or below.
        incoming, outgoing: values of ``direction``.
        positive_fee: whether a fee above zero was withheld from us or returned to us; if it is left
            out, payments to us show it.
        blank_is_zero: amounts that are zero where their cell is empty; an empty cell is a fault
            for all others.
        kinds: the values of the column ``kind`` and what each is here; ``sum`` is a row of sums,
            ``skip`` a row that is left out.
        leave_out: further rows that are left out: names of columns, each with values.

    """

    kind: IssuerKind
    format: Format
    currency: str = "CZK"
    covers: tuple[str, ...] | None = None
    account: str = ""
    encoding: str = "utf-8"
    delimiter: str = ""
    sheet: str = ""
    skip: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    columns: Columns = Columns()
    further_fees: tuple[str, ...] = ()
    amounts_are: Literal["gross", "net"] = "gross"
    day: str = "iso"
    moment: str = "iso"
    zone: str = "Europe/Prague"
    repeated_hour: Literal["", "earlier", "later"] = ""
    decimal: str = "."
    thousands: str = ""
    unit: Literal["major", "minor"] = "major"
    sign: Literal["ours", "theirs"] = "ours"
    incoming: tuple[str, ...] = ()
    outgoing: tuple[str, ...] = ()
    positive_fee: Literal["", "withheld", "returned"] = ""
    blank_is_zero: tuple[Literal["fee", "stake", "paid"], ...] = ()
    kinds: dict[str, str] = field(default_factory=dict)
    leave_out: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject settings that don't fit together."""
        try:
            ZoneInfo(self.zone)
            b"text".decode(self.encoding, "replace")
        except (OSError, LookupError, ValueError) as error:
            raise ValueError(f"zone or encoding: {error}") from error
        if not CURRENCY.fullmatch(self.currency.upper()):
            raise ValueError(f"currency {self.currency!r} is not three letters")
        msgspec.structs.force_setattr(self, "currency", self.currency.upper())
        if self.format in BANK_FORMATS:
            if not self.account or self.kind != "BANK":
                raise ValueError(f"{self.format} is of a BANK, with its `account`")
        else:
            self._require_table()

    def _require_table(self) -> None:
        columns = self.columns
        if not columns.booked and not columns.moment:
            raise ValueError("columns: `booked` or `moment` says when")
        self._require_clear_times()
        of_games = self.kind == "GAMES"
        if of_games is not bool(columns.stake or columns.paid):
            raise ValueError("columns: `stake` and `paid` are of GAMES, and only of these")
        if of_games and self.currency != "CZK":
            raise ValueError(f"currency {self.currency}: reports of GAMES are in CZK, as bets are")
        if not of_games and bool(columns.amount) is bool(columns.credit or columns.debit):
            raise ValueError("columns: money is in `amount`, or in `credit` and `debit`")
        if bool(columns.direction) is not bool(self.incoming and self.outgoing):
            raise ValueError("columns: `direction` has values `incoming` and `outgoing`")
        allowed = KINDS[self.kind] | {SUM, SKIP}
        if wrong := sorted(set(self.kinds.values()) - allowed):
            raise ValueError(f"kinds: {wrong[0]} is none of {', '.join(sorted(allowed))}")
        if bool(columns.kind) is not bool(self.kinds):
            raise ValueError("columns: `kind` has values in `kinds`, and only then")
        if not columns.fee and (self.further_fees or self.amounts_are == "net"):
            raise ValueError("columns: `further_fees` and net amounts need a column `fee`")
        if columns.counterparty_bank and not columns.counterparty:
            raise ValueError("columns: `counterparty_bank` needs a column `counterparty`")
        if len(self.delimiter) > 1 or len(self.decimal) != 1:
            raise ValueError("delimiter and decimal are one sign each")
        if len(self.thousands) > 1:
            raise ValueError("thousands is one sign, or none")
        if self.thousands == self.decimal:
            raise ValueError("decimal and thousands are the same sign")

    def _require_clear_times(self) -> None:
        """Reject forms of days and moments that read one text in two ways, or not all of it."""
        if self.columns.zone and not self.columns.moment:
            raise ValueError("columns: `zone` is of a `moment`")
        for form in (self.day, self.moment):
            if "%Z" in form:
                raise ValueError("%Z reads no zone: name the column in `zone`, or use %z")
            if "%I" in form and "%p" not in form:
                raise ValueError("%I is an hour of twelve: %p is missing, or %H is meant")

    @property
    def answers_for(self) -> tuple[str, ...]:
        """Return what the issuer covers, by default that of its kind."""
        return COVERS[self.kind] if self.covers is None else self.covers

    @property
    def usual_kind(self) -> str:
        """Return the kind of a line without a column for it."""
        return USUAL_KIND[self.kind]

    def to_json(self) -> str:
        """Format the settings as JSON, always in the same order."""
        return msgspec.json.encode(self, order="deterministic").decode()


def issuer_file(folder: Path, name: str) -> Path:
    """Return the path of an issuer's file, which need not exist.

    Raises:
        InputError: the name has other characters than ASCII letters, digits, ``_`` and ``-``.

    """
    if not NAME.fullmatch(name):
        raise InputError(f"issuer {name!r}: a name has letters, digits, _ and -")
    return folder / f"{name}.toml"


def read_issuer(folder: Path, name: str) -> Issuer:
    """Read the file of an issuer.

    Raises:
        InputError: there is no such file, or it is malformed.

    """
    path = issuer_file(folder, name)
    if not path.is_file():
        raise InputError(
            f"issuer {name}: there is no {path}; `gameledger statement issuers` has some to copy"
        )
    content = read_text(path)
    try:
        issuer = decoder_of(Issuer).toml(content)
    except ValueError as error:
        raise InputError(f"{path}: {error}: docs/statements.md tells the settings") from error
    if len(issuer.to_json()) > SETTINGS_MAX:
        raise InputError(f"{path}: more than {SETTINGS_MAX} characters as JSON")
    return issuer
