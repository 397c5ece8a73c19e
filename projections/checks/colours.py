# needs = ["ColourChipsIssued", "ColourChipsReturned", "ChipsLaid"]
# reads = ["ColourChipsReturned", "ChipsLaid"]
#
# [COLOUR_TWICE]
# name.en = "Colour of two players"
# name.cs = "Barva žetonů dvou hráčů"
# text.en = "Chips of a colour were issued against the rules: {detail:phrase}."
# text.cs = "Barevné žetony byly vydány v rozporu s pravidly: {detail}."
# paragraph = "game plan"
#
# [COLOUR_MISUSED]
# name.en = "Colour chips misused"
# name.cs = "Nesprávné použití barevných žetonů"
# text.en = "Colour chips were laid or exchanged against the rules: {detail:phrase}."
# text.cs = "Barevné žetony byly vsazeny nebo vyměněny v rozporu s pravidly: {detail}."
# paragraph = "Czech Casinos, cash and chips"

"""Find colour chips that two players share, two colours of one player, and chips not issued.

Colour chips are valid at the table and for the player that they were issued to, at their value or,
once the player has left the table, below it. Source: Czech Casinos, cash and chips.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find colour chips that another player already has, second colours, and chips not issued."""
    holders: dict[tuple[str, str], str] = {}
    colours: dict[tuple[str, str], str] = {}
    values: dict[tuple[str, str], int] = {}
    wanted = {"ColourChipsIssued": "", "ColourChipsReturned": "", "ChipsLaid": "colour != ''"}
    for at in read_events(of.store, wanted, first=0, end=of.size):
        event = at.event
        player = event.account or getattr(event, "guest", "")
        of_colour, of_player = (event.table, event.colour), (event.table, player)
        if not isinstance(event, e.ColourChipsIssued):
            held = values.get(of_colour, 0) if holders.get(of_colour) == player else 0
            yield from _misused(at.position, event, held)
        if isinstance(event, e.ChipsLaid):
            continue
        if isinstance(event, e.ColourChipsReturned):
            if event.is_last:
                holders.pop(of_colour, None)
                colours.pop(of_player, None)
            continue
        fault = None
        values[of_colour] = event.chip
        if holders.get(of_colour, player) != player:
            fault = Phrase("COLOUR_OF_OTHER", colour=event.colour)
        elif colours.get(of_player, event.colour) != event.colour:
            fault = Phrase("COLOUR_BESIDES", colour=event.colour, other=colours[of_player])
        if fault:
            yield DetectedFinding(
                "COLOUR_TWICE", position=at.position, account=event.account, detail=fault
            )
        holders[of_colour] = player
        colours[of_player] = event.colour


def _misused(
    position: int, event: e.ChipsLaid | e.ColourChipsReturned, held: int
) -> Iterator[DetectedFinding]:
    """Compare chips with those issued: ``held`` is the value of one, 0 if there are none."""
    fault = None
    if not held:
        fault = Phrase("COLOUR_NOT_HELD", colour=event.colour)
    elif event.chip > held:
        fault = Phrase("COLOUR_VALUE", colour=event.colour, given=event.chip, issued=held)
    if fault:
        yield DetectedFinding(
            "COLOUR_MISUSED",
            position=position,
            account=event.account,
            detail=fault,
            about=event.colour,
        )
