"""Compute the line of a round in a list of rounds; see :class:`RoundLine`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ledger.core.units import Count, Haler, Moment
from ledger.events import event_types as e

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.store.events import EventAt

__all__ = [
    "MOVES",
    "OF_LINE",
    "Moves",
    "RoundLine",
    "Status",
    "line_of_events",
    "round_line",
]

Status = Literal["open", "closed", "resulted", "settled", "voided"]
MOVES = """
    SELECT
        round, (fact = 'concluded') - (fact = 'voided') AS bets, bets * stake AS stakes, paid,
        (fact = 'concluded') - (fact = 'voided') - (fact = 'settled') AS open
    FROM facts_of_bets {where} AND fact IN ('concluded', 'voided', 'settled')
    UNION ALL SELECT round, 0, 0, difference, 0 FROM WinCorrected {where}
    UNION ALL SELECT round, 0, difference, 0, 0 FROM BetCorrected {where}
    UNION ALL SELECT round, 0, 0, -collected - claimed, 0 FROM PrizeWithheld {where}
    UNION ALL SELECT round, in_hand = amount, amount, 0, 0
        FROM HandAction {where} AND tournament = '' AND amount != 0
    UNION ALL SELECT round, 0, -amount, 0, 0 FROM UncalledReturned {where} AND tournament = ''
    UNION ALL SELECT round, -length(accounts), -arraySum(amounts), 0, 0
        FROM MisdealDeclared {where} AND tournament = ''
    UNION ALL SELECT round, 0, 0, arraySum(paid), 0 FROM PotAwarded {where} AND tournament = ''
    UNION ALL SELECT round, 0, 0, arraySum(paid), 0 FROM PointsSettled {where} AND tournament = ''
"""
OF_LINE: tuple[type[e.Event], ...] = (
    *(e.RoundOpened, e.BetsClosed, e.RoundResulted, e.RoundVoided),
    *(e.BetConcluded, e.BetVoided, e.BetSettled, e.WinCorrected, e.BetCorrected, e.PrizeWithheld),
    *(e.HandAction, e.UncalledReturned, e.MisdealDeclared, e.PotAwarded, e.PointsSettled),
)
"""Events from which a line is computed."""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of a list.

    ``bets`` is the number of concluded bets that were not voided, ``stakes`` their sum, ``paid``
    the sum of payments on them, both including corrections. ``house_result`` is the difference; it
    counts open bets as lost. Timestamps are ``None`` if the event does not exist.
    """

    round: str
    table: str
    game: str
    plan_version: str
    streamed: bool
    opened_position: Count
    opened_at: Moment
    closed_at: Moment | None
    resulted_at: Moment | None
    voided_at: Moment | None
    wording: str
    bets: Count
    stakes: Haler
    paid: Haler
    house_result: Haler
    status: Status


class Moves(NamedTuple):
    """Changes of a round's bets, stakes and payments (haléř), and of its open bets."""

    bets: int = 0
    stakes: int = 0
    paid: int = 0
    open: int = 0


def round_line(row: dict[str, Any], moves: Moves) -> RoundLine:
    """Create a line from the fields of a round and its sums from ``MOVES``."""
    return RoundLine(
        **row,
        bets=moves.bets,
        stakes=moves.stakes,
        paid=moves.paid,
        house_result=moves.stakes - moves.paid,
        status=_status(row, is_open=moves.open > 0),
    )


def _status(row: dict[str, Any], *, is_open: bool) -> Status:
    if row["resulted_at"] is not None:
        return "resulted" if is_open else "settled"
    if row["voided_at"] is not None:
        return "voided"
    return "closed" if row["closed_at"] is not None else "open"


def line_of_events(events: Sequence[EventAt[Any]]) -> RoundLine | None:
    """Create the line of a round from its events; None if none of them opened it.

    Events of types other than ``OF_LINE`` are not needed.
    """
    first: dict[type[e.Event], EventAt[Any]] = {}
    for at in events:
        first.setdefault(type(at.event), at)
    opened = first.get(e.RoundOpened)
    if opened is None:
        return None
    resulted = first.get(e.RoundResulted)
    row = {
        "round": opened.event.round,
        "table": opened.event.table,
        "game": opened.event.game,
        "plan_version": opened.event.plan_version,
        "streamed": opened.event.streamed,
        "opened_position": opened.position,
        "opened_at": opened.recorded_at,
        "closed_at": _moment(first.get(e.BetsClosed)),
        "resulted_at": _moment(resulted),
        "voided_at": _moment(first.get(e.RoundVoided)),
        "wording": resulted.event.wording if resulted is not None else "",
    }
    sums = zip(*(_moves(at.event) for at in events), strict=True)
    return round_line(row, Moves(*map(sum, sums)))


def _moment(at: EventAt[Any] | None) -> int | None:
    return at.recorded_at if at is not None else None


def _moves(event: e.Event) -> Moves:
    """Return the changes made by an event; equivalent to ``MOVES`` in SQL."""
    match event:
        case e.BetConcluded():
            return Moves(bets=1, stakes=event.amount, open=1)
        case e.BetVoided():
            return Moves(bets=-1, stakes=-event.amount, open=-1)
        case e.BetSettled():
            return Moves(paid=event.paid, open=-1)
        case e.WinCorrected():
            return Moves(paid=event.difference)
        case e.BetCorrected():
            return Moves(stakes=event.difference)
        case e.PrizeWithheld():
            return Moves(paid=-event.collected - event.claimed)
    return _moves_of_hand(event)


def _moves_of_hand(event: e.Event) -> Moves:
    """Return the changes by an event of a cash hand; all money of a player in it is one bet."""
    match event:
        case e.HandAction(tournament="") if event.amount:
            return Moves(bets=int(event.in_hand == event.amount), stakes=event.amount)
        case e.UncalledReturned(tournament=""):
            return Moves(stakes=-event.amount)
        case e.MisdealDeclared(tournament=""):
            return Moves(bets=-len(event.accounts), stakes=-sum(event.amounts))
        case e.PotAwarded(tournament="") | e.PointsSettled(tournament=""):
            return Moves(paid=sum(event.paid))
    return Moves()
