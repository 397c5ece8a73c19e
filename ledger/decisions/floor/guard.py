"""Common checks of floor commands: an open section of the right kind, and its counts.

Codes of refusals are those of ``ledger.core.refusals``; amounts are hundredths of a currency.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError
from ledger.events.command import Amount, Command, Count, Id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.state.floor import FloorState, Section
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CROWNS",
    "SLIP_REFUSALS",
    "CountedPieces",
    "Currency",
    "Pieces",
    "SectionContext",
    "Slip",
    "counterpart",
    "kind_of",
    "pieces_of",
    "require_admitted",
    "require_casino",
    "require_countable",
    "require_currency",
    "require_document",
    "require_new_slip",
    "require_section",
]

Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]
"""Currency as three letters."""
CROWNS = "CZK"
KINDS_MAX = 50
Value = Annotated[str, Meta(max_length=15, pattern=r"^[1-9][0-9]{0,14}\Z")]
Pieces = Annotated[dict[Value, Count], Meta(max_length=KINDS_MAX)]
"""Number of each value, such as ``{"10000": 25}``; a value is hundredths of the currency."""


SLIP_REFUSALS = (
    "SECTION_NOT_OPEN",
    "SECTION_KIND_WRONG",
    "CURRENCY_DIFFERS",
    "NOT_COUNTED",
    "COUNTED_ALREADY",
)
"""Refusals of a slip of a section with a currency of its own, in the order of the checks."""


class Slip(Command, frozen=True, kw_only=True):
    """A movement recorded on a slip: ``amount`` is hundredths of the currency."""

    section: Id
    slip: Id
    amount: Amount
    currency: Currency = CROWNS


class SectionContext:
    """An open section with its name, its casino and the state of its floor."""

    __slots__ = ("floor", "name", "place", "section")

    def __init__(self, name: str, place: str, floor: FloorState, section: Section) -> None:
        """Store the parts."""
        self.name, self.place, self.floor, self.section = name, place, floor, section

    def kind(self, means: str, currency: str) -> str:
        """Return the place of the section's cash or chips, as named in postings."""
        return f"{means}_{currency}:{self.section.till}"


def require_admitted(ledger_state: LedgerState, place: str, guest: str) -> None:
    """Refuse play of a guest whose number was not admitted on this operating day.

    Raises:
        RefusedError: GUEST_NOT_ADMITTED.

    """
    if guest and guest not in ledger_state.floor(place).admitted:
        raise RefusedError("GUEST_NOT_ADMITTED", guest=guest)


def require_casino(ledger_state: LedgerState, place: str) -> None:
    """Require that a casino of that name exists.

    Raises:
        InputError: there is no such casino.

    """
    if ledger_state.operator_state.places.get(place) != "casino":
        raise InputError(f"there is no casino {place}; name it with open_casino first")


def kind_of(kind: str) -> Phrase:
    """Describe a place of cash, chips or tronc, such as ``cash_CZK:till-1``."""
    place, _, name = kind.partition(":")
    means, _, currency = place.partition("_")
    return Phrase(f"{means.upper()}_OF", currency=currency, name=name)


def require_section(ledger_state: LedgerState, name: str, *kinds: str) -> SectionContext:
    """Return an open section of one of the given kinds.

    Raises:
        InputError: there is no section of that name.
        RefusedError: SECTION_NOT_OPEN, SECTION_KIND_WRONG.

    """
    place = ledger_state.section_opened(name).place
    floor = ledger_state.floor(place)
    section = floor.sections.get(name)
    if section is None or not section.is_open:
        raise RefusedError("SECTION_NOT_OPEN", section=name)
    if section.kind not in kinds:
        raise RefusedError("SECTION_KIND_WRONG", section=name, kind=section.kind)
    return SectionContext(name, place, floor, section)


def counterpart(name: str, context: SectionContext) -> SectionContext:
    """Return the open section of a cage that is the other side of a movement.

    Raises:
        RefusedError: NO_COUNTERPART.

    """
    section = context.floor.sections.get(name)
    if section is None or not section.is_open or section.kind != "cage":
        raise RefusedError("NO_COUNTERPART", section=name)
    return SectionContext(name, context.place, context.floor, section)


def require_countable(context: SectionContext, means: str, currency: str) -> None:
    """Refuse a movement without an opening count, or after the closing count.

    Raises:
        RefusedError: NOT_COUNTED, COUNTED_ALREADY.

    """
    kind = context.kind(means, currency)
    if kind not in context.section.opened:
        raise RefusedError("NOT_COUNTED", stage="opening", what=kind_of(kind))
    if kind in context.section.closed:
        raise RefusedError("COUNTED_ALREADY", what=kind_of(kind))


def require_currency(context: SectionContext, currency: str) -> None:
    """Refuse a currency other than that of the table or tournament.

    Raises:
        RefusedError: CURRENCY_DIFFERS.

    """
    if context.section.currency and currency != context.section.currency:
        raise RefusedError("CURRENCY_DIFFERS", currency=context.section.currency)


def require_document(
    ledger_state: LedgerState,
    context: SectionContext,
    guest: str,
    amount: int,
    *,
    document_shown: bool,
) -> None:
    """Refuse cash in crowns without a shown document, once the guest's sum of the day requires one.

    Raises:
        RefusedError: DOCUMENT_NOT_SHOWN.

    """
    moved = context.floor.guests.get(guest, 0) if guest else 0
    if moved + amount >= ledger_state.rules.figures.linked_haler.value and not document_shown:
        raise RefusedError("DOCUMENT_NOT_SHOWN")


def require_new_slip(ledger_state: LedgerState, slip: str) -> None:
    """Require an unused slip number.

    Raises:
        InputError: the number was used before.

    """
    if ledger_state.exists(f"slip:{slip}"):
        raise InputError(f"slip {slip} exists already; give every slip a number of its own")


class CountedPieces(TypedDict):
    """Columns of counted pieces, the largest value first."""

    denominations: tuple[int, ...]
    pieces: tuple[int, ...]


def pieces_of(pieces: Mapping[str, int], amount: int) -> CountedPieces:
    """Return the columns of counted pieces.

    Raises:
        InputError: the pieces do not add up to the amount.

    """
    values = tuple(sorted(map(int, pieces), reverse=True))
    numbers = tuple(pieces[str(value)] for value in values)
    total = sum(value * number for value, number in zip(values, numbers, strict=True))
    if pieces and total != amount:
        raise InputError(f"the pieces sum to {total}, the amount is {amount}: count again")
    return {"denominations": values, "pieces": numbers}
