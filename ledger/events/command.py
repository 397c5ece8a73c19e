"""Common fields of commands, and how a command is read from JSON.

A command is an imperative with all data that its decision needs. In JSON it is an object whose
``command`` names it, such as ``{"command": "place_bet", …}``.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from ledger.core.clock import MOMENT_MAX
from ledger.events.event_types import Event

__all__ = [
    "EMPTY_OR_NOT_BLANK",
    "EVENT_BYTES_MAX",
    "GAME_HALER_MAX",
    "LETTERS",
    "NAMES_BYTES_MAX",
    "NAME_MAX",
    "NOT_BLANK",
    "TEXT_MAX",
    "WORD_MAX",
    "Amount",
    "BetId",
    "Command",
    "Count",
    "DottedId",
    "GameAmount",
    "Id",
    "Moment",
    "Name",
    "OptionalGameAmount",
    "OptionalId",
    "OptionalName",
    "OptionalText",
    "OptionalWord",
    "Text",
    "Word",
    "name_of",
    "round_of",
]

WORD_MAX, NAME_MAX, TEXT_MAX = 50, 250, 4_000
EVENT_BYTES_MAX = 60_000
"""Bytes in UTF-8 that the content of one command may take in one event.

Together with what the ledger adds, it stays below the size of a message (``ledger.chain``).
The lengths here and in the commands are derived from it.
"""

NAMES_BYTES_MAX = 40_000
"""Bytes that the names of all participants may take in the event that ends a round or tournament.

A participant that would exceed it is not admitted, so every round and tournament can be ended.
"""

LETTERS = "0-9A-Za-z_À-ÏÑ-ÖØ-öø-İĴ-ķĹ-ľŁ-ňŊ-ž"
"""Characters of an identifier besides ``-``, for a character class of a regular expression.

Digits and Latin letters with their accents in one sign. Left out are letters that look like another
one (U+00D0, U+0131) and those that NFKC changes (U+0132, U+0133, U+013F, U+0140, U+0149, U+017F).
An identifier in letters of another script, or with separate accents, would look like another one.
"""

Id = Annotated[str, Meta(min_length=1, max_length=50, pattern=rf"^[{LETTERS}-]+\Z")]
"""Identifier: 1 to 50 letters, digits, ``_`` or ``-``, as the regulator's files accept it."""

OptionalId = Annotated[str, Meta(max_length=50, pattern=rf"^[{LETTERS}-]*\Z")]

DottedId = Annotated[str, Meta(min_length=1, max_length=50, pattern=rf"^[{LETTERS}.-]+\Z")]
"""Identifier of a game, which may contain dots."""

BetId = Annotated[str, Meta(min_length=1, max_length=150, pattern=rf"^[{LETTERS}:.-]+\Z")]
"""Identifier of a bet; an additional wager is named after its bet, a colon and its kind."""

Amount = Annotated[int, Meta(gt=0, le=10**15)]
"""Money in haléř, above zero."""

GAME_HALER_MAX = 10**14 - 1
"""The maximum that game documents can express: twelve digits of crowns. More cannot be settled."""

GameAmount = Annotated[int, Meta(gt=0, le=GAME_HALER_MAX)]
"""Money, or hundredths of a chip, in the terms of a hand; above zero."""

OptionalGameAmount = Annotated[int, Meta(ge=0, le=GAME_HALER_MAX)]
"""The same, or 0 for none."""

NOT_BLANK = r"\S"
"""Matches a text with at least one character that is not blank."""
EMPTY_OR_NOT_BLANK = r"^\Z|\S"

Word = Annotated[str, Meta(min_length=1, max_length=WORD_MAX, pattern=NOT_BLANK)]
"""A word of a vocabulary, such as a kind of bet; up to 50 characters, not all blank."""

Name = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, pattern=NOT_BLANK)]
"""A name, an address, a line; up to 250 characters, not all blank."""

Count = Annotated[int, Meta(ge=0, le=10**15)]
"""A number of things."""

Moment = Annotated[int, Meta(ge=0, lt=MOMENT_MAX)]
"""A timestamp in microseconds since 1970; 0 means unknown where a field documents it."""

Text = Annotated[str, Meta(min_length=1, max_length=TEXT_MAX, pattern=NOT_BLANK)]
"""Free text of up to 4,000 characters, not all blank."""

OptionalWord = Annotated[str, Meta(max_length=WORD_MAX, pattern=EMPTY_OR_NOT_BLANK)]
OptionalName = Annotated[str, Meta(max_length=NAME_MAX, pattern=EMPTY_OR_NOT_BLANK)]
OptionalText = Annotated[str, Meta(max_length=TEXT_MAX, pattern=EMPTY_OR_NOT_BLANK)]

AnEvent = TypeVar("AnEvent", bound=Event)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


class Command(
    Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="command",
    tag=_snake,
):
    """A command; its fields are common to all commands.

    ``command_id`` makes it safe to send the command again; the ledger generates one if it is left
    out. ``occurred_at`` is the moment of the fact as the source saw it; the default is the moment
    of the record. ``actor`` and ``source`` name the person and the system that sent it.
    """

    command_id: UUID | None = None
    occurred_at: Annotated[datetime, Meta(tz=True)] | None = None
    actor: OptionalName = ""
    source: OptionalName = ""

    def as_event(self, kind: type[AnEvent], /, *beside: Struct, **others: Any) -> AnEvent:
        """Return an event with the fields of the command and of further structs.

        ``others`` replace fields or add fields with another name. No type checker sees which fields
        are used: `test_decisions_as_event.py` checks each use against the types.

        Args:
            kind: class of the event.
            beside: further structs whose fields are used.
            others: fields by name; they take precedence.

        """
        given_fields = {
            name: getattr(source, name)
            for source in (self, *beside)
            for name in _said_by(type(source), kind)
        }
        return kind(**given_fields | others)


@cache
def _said_by(struct: type[Struct], kind: type[Event]) -> tuple[str, ...]:
    """Return the fields of an event type that a struct has, without the common fields."""
    own = set(struct.__struct_fields__) - set(Command.__struct_fields__)
    return tuple(name for name in kind.__struct_fields__ if name in own)


def name_of(command: Command | type[Command]) -> str:
    """Return the name of a command in JSON, such as ``place_bet``."""
    return str(command.__struct_config__.tag)


def round_of(bet: str) -> str:
    """Return the round of a bet, the part before its last hyphen: ``q-1`` for ``q-1-7:double``."""
    return bet.partition(":")[0].rpartition("-")[0]
