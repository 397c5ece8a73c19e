# needs = ["ColourChipsIssued"]
# reads = ["ColourChipsReturned"]
#
# [COLOUR_TWICE]
# name.en = "Colour of two players"
# name.cs = "Barva žetonů dvou hráčů"
# text.en = "Chips of a colour were issued against the rules: {detail:phrase}."
# text.cs = "Barevné žetony byly vydány v rozporu s pravidly: {detail}."
# paragraph = "game plan"

"""Find colour chips that two players share, or two colours of one player.

Source: Czech Casinos, cash and chips.
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
    """Find colour chips that another player already has, or a second colour of one player."""
    holders: dict[tuple[str, str], str] = {}
    colours: dict[tuple[str, str], str] = {}
    wanted = dict.fromkeys(("ColourChipsIssued", "ColourChipsReturned"), "")
    for at in read_events(of.store, wanted, first=0, end=of.size):
        event = at.event
        player = event.account or event.guest
        of_colour, of_player = (event.table, event.colour), (event.table, player)
        if isinstance(event, e.ColourChipsReturned):
            if event.is_last:
                holders.pop(of_colour, None)
                colours.pop(of_player, None)
            continue
        fault = None
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
