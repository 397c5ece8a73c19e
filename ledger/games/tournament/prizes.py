"""Prizes of a tournament: by place, shared by tied players, or shared by a deal.

Every prize below the first place is its percentage of the prize pool, rounded down; the first place
gets the rest, including the prizes of places that were not taken. Players eliminated in a tie share
the prizes of their places; left-over haler go to the first named. A deal takes the places from the
first one on. All money is haler.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.explanation import DealShare, PlayedFor, PrizeShare
from ledger.games.tournament.payouts import WHOLE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from fractions import Fraction

    from ledger.games.tournament.outcome import Deal, Playout
    from ledger.games.tournament.payouts import Column


def prizes_by_place(column: Column, pool_haler: int, players: int) -> tuple[int, ...]:
    """Return the prizes of all places that can be taken, the first place first.

    Args:
        column: the column of the payout table.
        pool_haler: the prize pool.
        players: number of participants, at least one.

    """
    lower = [pool_haler * share // WHOLE for share in column.shares[1:players]]
    return (pool_haler - sum(lower), *lower)


def check_places(
    places: Sequence[Sequence[str]], *, players: Collection[str], dealt: Sequence[str], paid: int
) -> None:
    """Require that all placed players took part, once each, and that no paid place is missing.

    Args:
        places: players of each place, from the first place after the deal.
        players: the participants.
        dealt: the players who share in a deal.
        paid: number of prizes.

    Raises:
        SettlementError: PLACES_INVALID or OUTCOME_INCOMPLETE.

    """
    placed = set(dealt)
    for group in places:
        if not group:
            raise SettlementError(Code.PLACES_INVALID, Phrase("PLACE_WITHOUT_PLAYER"))
        for player in group:
            if player not in players or player in placed:
                raise SettlementError(Code.PLACES_INVALID, Phrase("PLACE_TWICE", player=player))
            placed.add(player)
    if len(placed) < paid:
        raise SettlementError(
            Code.OUTCOME_INCOMPLETE, Phrase("PLACES_COUNT_DIFFERS", count=len(placed), paid=paid)
        )


def share_by_place(
    places: Sequence[Sequence[str]], prizes: Sequence[int], first_place: int
) -> dict[str, PrizeShare]:
    """Return each player's prize by place; tied players get equal shares.

    Args:
        places: players in the order of their places.
        prizes: prizes from the first place of the tournament on.
        first_place: number of places that are taken before `places`, such as by a deal.

    """
    shares: dict[str, PrizeShare] = {}
    place = first_place
    for group in places:
        shared = tuple(prizes[place : place + len(group)])
        share, left_over = divmod(sum(shared), len(group))
        for player in group:
            rest = left_over if player == group[0] else 0
            shares[player] = PrizeShare(share + rest, place + 1, shared, len(group), rest)
        place += len(group)
    return shares


def share_by_deal(
    deal: Deal, prizes: Sequence[int], players: Collection[str]
) -> dict[str, tuple[DealShare | PlayedFor, ...]]:
    """Return each player's agreed share, and for the winner the part that was played for.

    Args:
        deal: the agreement.
        prizes: prizes from the first place on.
        players: the participants of the tournament.

    Raises:
        SettlementError: DEAL_NOT_ALLOWED.

    """
    named = set(deal.players)
    open_haler = sum(prizes[: len(deal.players)])
    part_haler = 0 if deal.playout is None else _part_haler(deal.playout, open_haler)
    if not deal.registration_closed:
        problem = Phrase("DEAL_TOO_EARLY")
    elif not deal.unanimous:
        problem = Phrase("DEAL_NEEDS_CONSENT")
    elif len(named) != len(deal.players) or len(named) < 2:  # noqa: PLR2004 - nobody deals alone
        problem = Phrase("DEAL_NEEDS_PLAYERS")
    elif not named.issubset(players) or named != deal.shares_haler.keys():
        problem = Phrase("DEAL_SHARES_WRONG")
    elif deal.playout is not None and deal.playout.winner not in named:
        problem = Phrase("DEAL_PLAYOUT_WRONG")
    elif sum(deal.shares_haler.values()) + part_haler != open_haler:
        problem = Phrase("DEAL_SUM_WRONG", amount=open_haler)
    else:
        shares: dict[str, tuple[DealShare | PlayedFor, ...]] = {
            player: (DealShare(haler),) for player, haler in deal.shares_haler.items()
        }
        if deal.playout is not None:
            percent = decimal_text(deal.playout.percent)
            shares[deal.playout.winner] += (PlayedFor(part_haler, percent, open_haler),)
        return shares
    raise SettlementError(Code.DEAL_NOT_ALLOWED, problem)


def decimal_text(value: Fraction) -> str:
    """Format a percentage as it was given, such as "7.5"."""
    return f"{(Decimal(value.numerator) / value.denominator).normalize():f}"


def _part_haler(playout: Playout, open_haler: int) -> int:
    return int(open_haler * playout.percent / 100)
