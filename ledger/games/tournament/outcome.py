"""The recorded outcome of a poker tournament: format, fee, places, deal."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.games.api.contract import Outcome
from ledger.games.api.typed import Haler, OptionalField, text_value_type

_PERCENT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


def _percent(text: str) -> Fraction:
    if _PERCENT.fullmatch(text) is None:
        message = "must be a percentage such as 7.5"
        raise ValueError(message)
    return Fraction(text)


if TYPE_CHECKING:
    Percent = Fraction
else:
    Percent = text_value_type(Fraction, _percent)


class Withdrawal(Struct, frozen=True):
    """A player who requests a refund, and the number of hands that this player has played."""

    player: str
    hands_played: int


class Playout(Struct, frozen=True):
    """The part of a deal that is still played for, and its winner."""

    percent: Percent
    winner: str


class Deal(Struct, frozen=True, kw_only=True):
    """An agreement of the remaining players to share the prizes of the first places."""

    players: tuple[str, ...]
    shares_haler: Mapping[str, Haler] = field(name="shares")
    registration_closed: bool = False
    unanimous: bool = False
    playout: OptionalField[Playout] = None


class TournamentOutcome(Outcome, frozen=True):
    """Record of a tournament; players in the same entry of `places` were eliminated in a tie."""

    format: str
    fee_percent: Percent
    guarantee_haler: OptionalField[Haler] = field(name="guarantee", default=None)
    withdrawn: tuple[Withdrawal, ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    deal: OptionalField[Deal] = None
