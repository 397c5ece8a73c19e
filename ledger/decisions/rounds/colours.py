"""Colour chips at a land-based roulette table (69GAMES Ruleta 7; Czech Casinos, cash and chips).

A colour marks the chips of one player, and a player has only one colour. The value of a chip lies
within the limits of the table. Colour chips are valid at that table only; if a player leaves it
without exchanging them, each chip is worth the table's minimum. The money of an account moves with
its bets; the events here record the number of chips handed over and their value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from msgspec import Meta

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import require_admitted
from ledger.decisions.operator.setup import open_table_of
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Id, OptionalId

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.operator_state import Table

__all__ = [
    "IssueColourChips",
    "OwnChips",
    "ReturnColourChips",
    "chips_of",
    "issue_colour_chips",
    "return_colour_chips",
]

Number = Annotated[int, Meta(ge=1, le=10**6)]
COLOURS = ("ColourChipsIssued", "ColourChipsReturned")
OfColours = e.ColourChipsIssued | e.ColourChipsReturned


class OwnChips(NamedTuple):
    """A player's colour chips: their colour and the last recorded value of one, in haléř.

    ``has_left`` is set if the player has left the table since; the value is then the table's
    minimum.
    """

    colour: str
    chip: int
    has_left: bool


class IssueColourChips(Command, frozen=True):
    """Record that a dealer gives a player colour chips; ``chip`` is the value of one in haléř.

    The player is an ``account``, or a ``guest`` by the number of the admission.
    """

    table: Id
    colour: Id
    chip: Amount
    chips: Number
    account: OptionalId = ""
    guest: OptionalId = ""
    paid_with: Literal["value chips", "cash"] = "value chips"


class ReturnColourChips(Command, frozen=True):
    """Record that a dealer exchanges colour chips for value chips.

    ``is_last`` means that the player has no more of them. ``has_left`` applies to a guest who had
    left the table before; for an account it follows from the recorded seat.
    """

    table: Id
    colour: Id
    chips: Number
    account: OptionalId = ""
    guest: OptionalId = ""
    has_left: bool = False
    is_last: bool = True


@refuses(
    "TABLE_NOT_OPEN", "NOT_SEATED", "GUEST_NOT_ADMITTED", "NO_RULES_IN_FORCE", "COLOUR_NOT_ALLOWED"
)
def issue_colour_chips(
    ledger_state: LedgerState, command: IssueColourChips, now: int
) -> list[e.Event]:
    """Decide :class:`IssueColourChips`."""
    table = open_table_of(ledger_state, command.table)
    _require_player(command)
    if command.account and command.table not in ledger_state.account(command.account).tables:
        raise RefusedError("NOT_SEATED")
    require_admitted(ledger_state, table.place, command.guest)
    smallest, largest = _range_of(ledger_state, table, now)
    own = chips_of(ledger_state, command.table, command.account, command.guest)
    holder = _out(
        ledger_state.last_event_of(COLOURS, f"table:{command.table}", f"colour:{command.colour}")
    )
    reason: Phrase | None = None
    if holder and (holder.account, holder.guest) != (command.account, command.guest):
        reason = Phrase("COLOUR_TAKEN", colour=command.colour)
    elif own is not None and own.colour != command.colour:
        reason = Phrase("OTHER_COLOUR", colour=own.colour)
    elif own is not None and own.chip != command.chip:
        reason = Phrase("OTHER_CHIP_VALUE", chip=own.chip)
    elif not smallest and not largest:
        reason = Phrase("NO_CHIP_LIMITS")
    elif command.chip < smallest or (largest and command.chip > largest):
        reason = (
            Phrase("CHIP_VALUE_OUT_OF_RANGE", smallest=smallest, largest=largest)
            if largest
            else Phrase("CHIP_VALUE_TOO_LOW", smallest=smallest)
        )
    if reason:
        raise RefusedError("COLOUR_NOT_ALLOWED", reason=reason)
    return [command.as_event(e.ColourChipsIssued)]


@refuses("TABLE_NOT_OPEN", "COLOUR_NOT_ALLOWED", "NO_RULES_IN_FORCE")
def return_colour_chips(
    ledger_state: LedgerState, command: ReturnColourChips, now: int
) -> list[e.Event]:
    """Decide :class:`ReturnColourChips`; after leaving, a chip is worth the table's minimum."""
    table = open_table_of(ledger_state, command.table)
    _require_player(command)
    own = chips_of(ledger_state, command.table, command.account, command.guest)
    if own is None or own.colour != command.colour:
        reason = Phrase("NO_CHIPS_OF_COLOUR", colour=command.colour)
        raise RefusedError("COLOUR_NOT_ALLOWED", reason=reason)
    has_left = own.has_left or (command.has_left and not command.account)
    smallest, _ = _range_of(ledger_state, table, now)
    chip = min(own.chip, smallest) if has_left else own.chip
    return [command.as_event(e.ColourChipsReturned, chip=chip, has_left=has_left)]


def chips_of(
    ledger_state: LedgerState, table: str, account: str, guest: str = ""
) -> OwnChips | None:
    """Return the colour chips of a player at a table; None if there are none."""
    of_player = f"account:{account}" if account else f"guest:{guest}"
    last = _out(ledger_state.last_event_of(COLOURS, f"table:{table}", of_player))
    if last is None:
        return None
    has_left = isinstance(last, e.ColourChipsReturned) and last.has_left
    if account and not has_left:
        seat = ledger_state.last_event_of(
            ("SeatTaken", "SeatLeft", *COLOURS), f"table:{table}", of_player
        )
        has_left = isinstance(seat, e.SeatLeft | e.SeatTaken)
    return OwnChips(last.colour, last.chip, has_left)


def _out(last: e.Event | None) -> OfColours | None:
    """Return the last event of a colour or player if chips are still out after it, else None."""
    if isinstance(last, e.ColourChipsIssued):
        return last
    return last if isinstance(last, e.ColourChipsReturned) and not last.is_last else None


def _require_player(command: IssueColourChips | ReturnColourChips) -> None:
    if bool(command.account) == bool(command.guest):
        raise InputError("name the player: an `account` or a `guest`, and not both")


def _range_of(ledger_state: LedgerState, table: Table, now: int) -> tuple[int, int]:
    """Return the smallest and largest stake of a table, in haléř; 0 for no bound."""
    version = ledger_state.operator_state.games[table.game].plan_version(now)
    if not version:
        raise RefusedError("NO_RULES_IN_FORCE")
    plan = games.plan(table.game, version)
    if not plan.plays_in_colours:
        raise InputError(f"{table.game} is not played with chips of a colour")
    smallest, largest = plan.stake_range
    limits = table.limits_at(now)
    if limits is None:
        return smallest, largest
    minimums = [least for least, _ in limits.stakes.values() if least]
    maximums = [most for _, most in limits.stakes.values() if most]
    return min(minimums, default=smallest), max(maximums, default=largest)
