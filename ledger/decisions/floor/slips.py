"""Movements of cash and chips on the floor, each recorded with the number of its slip.

The contents of a section must be counted at its opening before anything moves, and nothing moves
after the closing count. The other side of fills, credits, drop and tronc is a cage of the same
casino.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from msgspec import Meta, field

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import (
    CROWNS,
    SLIP_REFUSALS,
    CountedPieces,
    Currency,
    Pieces,
    Slip,
    counterpart,
    kind_of,
    pieces_of,
    require_admitted,
    require_countable,
    require_currency,
    require_document,
    require_new_slip,
    require_section,
)
from ledger.events import event_types as e
from ledger.events.command import Amount, Count, Id, OptionalId, Text, Word

if TYPE_CHECKING:
    from ledger.decisions.floor.guard import SectionContext
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "ExchangeCurrency",
    "FundCage",
    "MoveDrop",
    "MoveTronc",
    "RecordCredit",
    "RecordFill",
    "RecordMissingChips",
    "RecordTip",
    "RedeemChips",
    "SellChips",
    "SettleChipBet",
    "TakeOtherCash",
    "WithdrawFromCage",
    "exchange_currency",
    "fund_cage",
    "move_drop",
    "move_tronc",
    "record_credit",
    "record_fill",
    "record_missing_chips",
    "record_tip",
    "redeem_chips",
    "sell_chips",
    "settle_chip_bet",
    "take_other_cash",
    "withdraw_from_cage",
]

Method = Literal["cash", "card", "other"]
Seat = Annotated[int, Meta(ge=0, le=99)]
SeatTaken = Annotated[int, Meta(ge=1, le=99)]
SETTLED = frozenset({"resulted", "settled"})


class SellChips(Slip, frozen=True):
    """Sell chips at a cage, or for cash at a table; ``guest`` is the number of an admission."""

    method: Method = "cash"
    guest: OptionalId = ""
    seat: Seat = 0
    document_shown: bool = False


class RedeemChips(Slip, frozen=True):
    """Pay for chips at a cage: a guest's, or those that ``staff`` received as tips."""

    method: Method = "cash"
    holder: Literal["guests", "staff"] = "guests"
    guest: OptionalId = ""
    document_shown: bool = False


class FundCage(Slip, frozen=True):
    """Bring separately stored cash into a cage."""


class WithdrawFromCage(Slip, frozen=True):
    """Take cash out of a cage for separate storage."""


class TakeOtherCash(Slip, frozen=True):
    """Take cash into a cage from other movements of money or chips."""

    reason: Text


class ExchangeCurrency(Slip, frozen=True):
    """Exchange cash of a guest: ``amount`` of ``currency`` is received, ``given`` is paid."""

    given: Amount
    given_currency: Currency
    guest: OptionalId = ""
    document_shown: bool = False


class RecordFill(Slip, frozen=True):
    """Bring chips from a cage to a table; ``pieces`` is the number of each value."""

    cage_section: Id
    pieces: Pieces = field(default_factory=dict)


class RecordCredit(Slip, frozen=True):
    """Take chips from a table to a cage; ``pieces`` is the number of each value."""

    cage_section: Id
    pieces: Pieces = field(default_factory=dict)


class MoveDrop(Slip, frozen=True):
    """Bring the counted cash of a box to a cage."""

    cage_section: Id


class RecordTip(Slip, frozen=True):
    """Record chips given as a tip, into the tronc or otherwise."""

    into_tronc: bool = True


class MoveTronc(Slip, frozen=True):
    """Bring chips of the tronc that came from a table or tournament to a cage."""

    cage_section: Id


class RecordMissingChips(Slip, frozen=True):
    """Record chips that were not returned or are lost."""

    reason: Text


class SettleChipBet(Slip, frozen=True):
    """Record a bet that a guest without an account placed with chips at a seat, and its payout.

    ``amount`` is the stake; ``paid`` is everything returned, including a stake that stands.
    """

    round: Id
    seat: SeatTaken
    bet_code: Word
    paid: Count


@refuses(
    *SLIP_REFUSALS,
    "GUEST_NOT_ADMITTED",
    "NOT_CASH",
    "DOCUMENT_NOT_SHOWN",
)
def sell_chips(ledger_state: LedgerState, command: SellChips, _: int) -> list[e.Event]:
    """Decide :class:`SellChips`."""
    context = _chips_in(ledger_state, command, "cage", "table")
    require_admitted(ledger_state, context.place, command.guest)
    if context.section.kind == "table" and command.method != "cash":
        raise RefusedError("NOT_CASH")
    _may_pay(ledger_state, context, command)
    return [
        command.as_event(
            e.ChipsSold,
            **_slip(context),
            station_kind=context.section.kind,
            till=context.section.till,
        )
    ]


def _chips_in(ledger_state: LedgerState, command: Slip, *kinds: str) -> SectionContext:
    context = require_section(ledger_state, command.section, *kinds)
    require_new_slip(ledger_state, command.slip)
    require_currency(context, command.currency)
    require_countable(context, "chips", command.currency)
    return context


def _cash_in(ledger_state: LedgerState, command: Slip) -> SectionContext:
    context = require_section(ledger_state, command.section, "cage")
    require_new_slip(ledger_state, command.slip)
    require_countable(context, "cash", command.currency)
    return context


def _may_pay(
    ledger_state: LedgerState, context: SectionContext, command: SellChips | RedeemChips
) -> None:
    """Refuse payments from uncounted cash of a cage, and large amounts without a document."""
    if command.method != "cash":
        return
    if context.section.kind == "cage":
        require_countable(context, "cash", command.currency)
    if command.currency == CROWNS:
        shown = command.document_shown
        require_document(ledger_state, context, command.guest, command.amount, document_shown=shown)


class _SlipFacts(TypedDict):
    """Fields of slip events that the command does not contain."""

    place: str
    station: str
    corrects: str
    cause: str


class _CageFacts(TypedDict):
    """Fields of a slip event that describe the cage on the other side."""

    cage_section: str
    cage: str
    cage_till: str


class _ChipsFacts(_SlipFacts, _CageFacts, CountedPieces):
    """Field of a slip event for chips between a table and a cage: the place of the chips."""

    till: str


def _slip(context: SectionContext) -> _SlipFacts:
    station = context.section.station
    return {"place": context.place, "station": station, "corrects": "", "cause": ""}


@refuses(
    *SLIP_REFUSALS,
    "DOCUMENT_NOT_SHOWN",
)
def redeem_chips(ledger_state: LedgerState, command: RedeemChips, _: int) -> list[e.Event]:
    """Decide :class:`RedeemChips`."""
    context = _chips_in(ledger_state, command, "cage")
    _may_pay(ledger_state, context, command)
    return [command.as_event(e.ChipsRedeemed, **_slip(context), till=context.section.till)]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "NOT_COUNTED", "COUNTED_ALREADY")
def fund_cage(ledger_state: LedgerState, command: FundCage, _: int) -> list[e.Event]:
    """Decide :class:`FundCage`."""
    context = _cash_in(ledger_state, command)
    return [command.as_event(e.CageFunded, **_slip(context), till=context.section.till)]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "NOT_COUNTED", "COUNTED_ALREADY")
def withdraw_from_cage(
    ledger_state: LedgerState, command: WithdrawFromCage, _: int
) -> list[e.Event]:
    """Decide :class:`WithdrawFromCage`."""
    context = _cash_in(ledger_state, command)
    return [command.as_event(e.CageWithdrawn, **_slip(context), till=context.section.till)]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "NOT_COUNTED", "COUNTED_ALREADY")
def take_other_cash(ledger_state: LedgerState, command: TakeOtherCash, _: int) -> list[e.Event]:
    """Decide :class:`TakeOtherCash`."""
    context = _cash_in(ledger_state, command)
    return [command.as_event(e.CageOtherIn, **_slip(context), till=context.section.till)]


@refuses(
    "SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "NOT_COUNTED", "COUNTED_ALREADY", "DOCUMENT_NOT_SHOWN"
)
def exchange_currency(
    ledger_state: LedgerState, command: ExchangeCurrency, _: int
) -> list[e.Event]:
    """Decide :class:`ExchangeCurrency`; crowns on either side count towards the document limit."""
    if command.given_currency == command.currency:
        raise InputError(f"{command.currency} is changed into another currency, not into itself")
    context = _cash_in(ledger_state, command)
    require_countable(context, "cash", command.given_currency)
    crowns = command.amount if command.currency == CROWNS else 0
    crowns += command.given if command.given_currency == CROWNS else 0
    shown = command.document_shown
    require_document(ledger_state, context, command.guest, crowns, document_shown=shown)
    return [command.as_event(e.CurrencyExchanged, **_slip(context), till=context.section.till)]


@refuses(
    *SLIP_REFUSALS,
    "NO_COUNTERPART",
)
def record_fill(ledger_state: LedgerState, command: RecordFill, _: int) -> list[e.Event]:
    """Decide :class:`RecordFill`."""
    return [command.as_event(e.FillReceived, **_between(ledger_state, command))]


@refuses(
    *SLIP_REFUSALS,
    "NO_COUNTERPART",
)
def record_credit(ledger_state: LedgerState, command: RecordCredit, _: int) -> list[e.Event]:
    """Decide :class:`RecordCredit`."""
    return [command.as_event(e.CreditReturned, **_between(ledger_state, command))]


def _between(ledger_state: LedgerState, command: RecordFill | RecordCredit) -> _ChipsFacts:
    context = _chips_in(ledger_state, command, "table")
    cage = counterpart(command.cage_section, context)
    require_countable(cage, "chips", command.currency)
    pieces = pieces_of(command.pieces, command.amount)
    return {**_slip(context), **_cage(cage), **pieces, "till": context.section.till}


def _cage(cage: SectionContext) -> _CageFacts:
    return {
        "cage_section": cage.name,
        "cage": cage.section.station,
        "cage_till": cage.section.till,
    }


@refuses(
    "SECTION_NOT_OPEN",
    "SECTION_KIND_WRONG",
    "CURRENCY_DIFFERS",
    "NOT_COUNTED",
    "NO_COUNTERPART",
    "COUNTED_ALREADY",
)
def move_drop(ledger_state: LedgerState, command: MoveDrop, _: int) -> list[e.Event]:
    """Decide :class:`MoveDrop`."""
    context = require_section(ledger_state, command.section, "table", "tournament")
    require_new_slip(ledger_state, command.slip)
    require_currency(context, command.currency)
    if context.section.uncounted:
        box = context.kind("cash", command.currency)
        raise RefusedError("NOT_COUNTED", stage="closing", what=kind_of(box))
    cage = counterpart(command.cage_section, context)
    require_countable(cage, "cash", command.currency)
    return [
        command.as_event(
            e.DropMovedToCage,
            **_slip(context),
            station_kind=context.section.kind,
            till=context.section.till,
            **_cage(cage),
        )
    ]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "CURRENCY_DIFFERS")
def record_tip(ledger_state: LedgerState, command: RecordTip, _: int) -> list[e.Event]:
    """Decide :class:`RecordTip`."""
    kinds = ("table", "tournament") if command.into_tronc else ("cage", "table", "tournament")
    context = require_section(ledger_state, command.section, *kinds)
    require_new_slip(ledger_state, command.slip)
    require_currency(context, command.currency)
    kind = context.section.kind
    if command.into_tronc:
        till = f"tronc:{context.place}"
        return [command.as_event(e.TipReceived, **_slip(context), station_kind=kind, till=till)]
    return [command.as_event(e.TipGiven, **_slip(context), station_kind=kind)]


@refuses(
    "SECTION_NOT_OPEN",
    "SECTION_KIND_WRONG",
    "CURRENCY_DIFFERS",
    "NO_COUNTERPART",
    "NOT_COUNTED",
    "COUNTED_ALREADY",
)
def move_tronc(ledger_state: LedgerState, command: MoveTronc, _: int) -> list[e.Event]:
    """Decide :class:`MoveTronc`."""
    context = require_section(ledger_state, command.section, "table", "tournament")
    require_new_slip(ledger_state, command.slip)
    require_currency(context, command.currency)
    cage = counterpart(command.cage_section, context)
    require_countable(cage, "chips", command.currency)
    return [
        command.as_event(
            e.TroncMovedToCage,
            **_slip(context),
            station_kind=context.section.kind,
            till=f"tronc:{context.place}",
            **_cage(cage),
        )
    ]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "CURRENCY_DIFFERS")
def record_missing_chips(
    ledger_state: LedgerState, command: RecordMissingChips, _: int
) -> list[e.Event]:
    """Decide :class:`RecordMissingChips`."""
    context = require_section(ledger_state, command.section, "cage", "table", "tournament")
    require_new_slip(ledger_state, command.slip)
    require_currency(context, command.currency)
    return [command.as_event(e.ChipsMissing, **_slip(context), station_kind=context.section.kind)]


@refuses(
    *SLIP_REFUSALS,
    "WRONG_ORDER",
)
def settle_chip_bet(ledger_state: LedgerState, command: SettleChipBet, _: int) -> list[e.Event]:
    """Decide :class:`SettleChipBet`."""
    context = _chips_in(ledger_state, command, "table")
    state = ledger_state.round(command.round)
    if state.table != context.section.station:
        raise InputError(f"round {command.round} was played at table {state.table}")
    if state.status not in SETTLED:
        raise RefusedError("WRONG_ORDER", what=Phrase("SETTLEMENT_OF_CHIPS"), status=state.status)
    return [command.as_event(e.ChipBetSettled, **_slip(context), till=context.section.till)]
