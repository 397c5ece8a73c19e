"""What is recorded of a poker tournament as a whole: format, fee, places, deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api.contract import Code, Disconnect, Outcome, SettlementError, Void
from ledger.games.api.shapes import (
    Document,
    as_document,
    flag,
    optional_documents,
    optional_list,
    text,
)
from ledger.games.poker.shapes import amounts, names, optional_amount, percent, required_integer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A player who wants the money back, and how many hands that player had played."""

    player: str
    hands_played: int


@dataclass(frozen=True, slots=True)
class Playout:
    """The part of a deal that was played for all the same."""

    percent: Fraction
    winner: str


@dataclass(frozen=True, slots=True)
class Deal:
    """An agreement of the remaining players to share the prizes of the first places."""

    registration_closed: bool
    unanimous: bool
    players: tuple[str, ...]
    shares_haler: Mapping[str, int]
    playout: Playout | None


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentOutcome(Outcome):
    """Record of a tournament; players of one entry of `places` were eliminated as equals."""

    format: str
    fee_percent: Fraction
    guarantee_haler: int | None = None
    withdrawn: tuple[Withdrawal, ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    deal: Deal | None = None


def read_tournament_outcome(
    document: Document, void: Void | None, disconnects: tuple[Disconnect, ...]
) -> TournamentOutcome:
    """Read the fields of a tournament; raises MALFORMED_REQUEST."""
    return TournamentOutcome(
        void=void,
        disconnects=disconnects,
        format=text(document, "format", "outcome"),
        fee_percent=percent(document, "fee_percent", "outcome"),
        guarantee_haler=optional_amount(document, "guarantee", "outcome"),
        withdrawn=tuple(
            Withdrawal(
                text(entry, "player", "withdrawn"),
                required_integer(entry, "hands_played", "withdrawn"),
            )
            for entry in optional_documents(document, "withdrawn", "outcome")
        ),
        places=tuple(_read_place(place) for place in optional_list(document, "places", "outcome")),
        deal=_read_deal(document),
    )


def _read_place(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        players = tuple(player for player in value if isinstance(player, str))
        if len(players) == len(value):
            return players
    raise SettlementError(
        Code.MALFORMED_REQUEST, "outcome.places must hold lists of players, one list a place"
    )


def _read_deal(document: Document) -> Deal | None:
    if "deal" not in document:
        return None
    deal = as_document(document["deal"], "outcome.deal")
    players = names(deal, "players", "outcome.deal")
    if players is None or "shares" not in deal:
        raise SettlementError(
            Code.MALFORMED_REQUEST, "outcome.deal must give the players and their shares"
        )
    playout = None
    if "playout" in deal:
        part = as_document(deal["playout"], "outcome.deal.playout")
        playout = Playout(percent(part, "percent", "playout"), text(part, "winner", "playout"))
    return Deal(
        registration_closed=flag(deal, "registration_closed", "outcome.deal"),
        unanimous=flag(deal, "unanimous", "outcome.deal"),
        players=players,
        shares_haler=amounts(deal, "shares", "outcome.deal"),
        playout=playout,
    )
