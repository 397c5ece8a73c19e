"""Convert a recorded tournament to the input of its settlement, and settle it.

Pure, so that a replay computes the same from the recorded facts. Money is haléř.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.core.phrases import Phrase
from ledger.games.tournament import prizes_by_place, share_by_deal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.state.tournament import Entry, TournamentState

__all__ = [
    "Pool",
    "Prize",
    "bytes_at_the_end",
    "bytes_of_deal",
    "outcome_of",
    "places_of",
    "plan_of",
    "playout_of",
    "pool_of",
    "prizes_of",
    "wagers_of",
    "why_not_over",
]

PAYER_BYTES = 16
"""Bytes of a paying player without the names: a length, a sum, marks of JSON."""
SHARE_BYTES = 32
"""Bytes of a player in a deal without the names: an amount, marks of JSON."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The money of a tournament, divided by its plan."""

    entries: int
    players: int
    column: str
    money_pool: int
    fee: int
    top_up: int
    prize_pool: int


@dataclass(frozen=True, slots=True)
class Prize:
    """A player's prize; ``place`` is 0 in a deal; ``line`` of the settlement has the reason."""

    entry: str
    account: str
    place: int
    due: int
    rule: str
    line: games.ResultLine


def plan_of(state: TournamentState) -> games.TournamentPlan:
    """Return the plan of a tournament.

    Raises:
        TypeError: it is not a tournament plan.

    """
    plan = games.plan(state.announced.game, state.announced.plan_version)
    if not isinstance(plan, games.TournamentPlan):
        raise TypeError(f"{state.announced.game} is no tournament")
    return plan


def wagers_of(entries: Sequence[Entry]) -> list[games.Wager]:
    """Return payments as wagers of the settlement."""
    return [games.Wager(entry.entry, entry.account, entry.kind, entry.amount) for entry in entries]


def places_of(state: TournamentState) -> list[list[str]]:
    """Return the places in order; after a deal only those below the players who made it."""
    gone = state.gone if state.deal is None else state.gone[: state.dealt_after]
    places = [list(group) for group in reversed(gone)]
    return places if state.deal is not None else [[name] for name in state.left] + places


def outcome_of(state: TournamentState) -> dict[str, Any]:
    """Return the outcome document of a tournament."""
    announced, deal = state.announced, state.deal
    outcome: dict[str, Any] = {
        "format": announced.format,
        "fee_percent": announced.fee_percent,
        "places": places_of(state),
    }
    if announced.guarantee:
        outcome["guarantee"] = games.format_amount(announced.guarantee)
    if deal is not None:
        shares = zip(deal.accounts, deal.shares, strict=False)
        outcome["deal"] = {
            "registration_closed": state.pool is not None,
            "unanimous": True,
            "players": list(deal.accounts),
            "shares": {name: games.format_amount(haler) for name, haler in shares},
        }
        if deal.playout_percent:
            winner = state.left[0] if state.left else ""
            outcome["deal"]["playout"] = {"percent": deal.playout_percent, "winner": winner}
    return outcome


def bytes_at_the_end(account: str) -> int:
    """Return the number of bytes, at most, of a player in the final event.

    The event names the player as a payer and in the places.
    """
    return len(account.encode()) + len(json.dumps(account)) + PAYER_BYTES


def bytes_of_deal(shares: Mapping[str, int]) -> int:
    """Return the number of bytes, at most, of a deal in the final event.

    The event names each player of the deal twice.
    """
    return sum(2 * len(json.dumps(name)) + SHARE_BYTES for name in shares)


def pool_of(state: TournamentState) -> Pool:
    """Divide the money of a tournament; the result does not depend on the winners.

    Raises:
        SettlementError: no column fits, or the format does not allow the payments.

    """
    players = list(state.stakes)
    outcome = outcome_of(state) | {"places": [[name] for name in players]}
    outcome.pop("deal", None)
    details = _settle(state, outcome).details
    return Pool(
        entries=state.entries_count,
        players=len(players),
        column=str(details["column"]),
        **{  # type: ignore[arg-type]
            name: games.parse_amount(str(details[field]))
            for name, field in (
                ("money_pool", "moneypool"),
                ("fee", "fee"),
                ("top_up", "top_up"),
                ("prize_pool", "prize_pool"),
            )
        },
    )


def why_not_over(state: TournamentState) -> Phrase | None:
    """Return why the prizes cannot be awarded yet, or None."""
    if state.pool is None:
        return Phrase("REGISTRATION_OPEN")
    is_played_for = state.deal is None or bool(state.deal.playout_percent)
    if is_played_for and len(state.left) > 1:
        return Phrase("PLAYERS_WITH_CHIPS", count=len(state.left))
    return None


def prizes_of(state: TournamentState) -> list[Prize]:
    """Return the prizes, best place first.

    Raises:
        SettlementError: the record is not of a finished tournament.

    """
    result = _settle(state, outcome_of(state))
    account_of = {entry.entry: entry.account for entry in state.entries}
    place_of: dict[str, int] = {}
    place = 1 if state.deal is None else 1 + len(state.deal.accounts)
    for group in places_of(state):
        place_of |= dict.fromkeys(group, place)
        place += len(group)
    prizes = [
        Prize(
            line.id,
            account_of[line.id],
            place_of.get(account_of[line.id], 0),
            line.payout_haler,
            line.rule,
            line,
        )
        for line in result.lines
        if line.payout_haler
    ]
    return sorted(prizes, key=lambda prize: (prize.place, -prize.due, prize.account))


def _settle(state: TournamentState, outcome: dict[str, Any]) -> games.RoundResult:
    plan = plan_of(state)
    read = plan.read_outcome(outcome, None, ())
    return games.settle_round(plan, wagers_of(state.entries), (), read)


def playout_of(
    state: TournamentState, shares: Mapping[str, int], percent: str, *, unanimous: bool
) -> int:
    """Check a deal of the remaining players; return the amount that is still played for, haléř.

    Raises:
        SettlementError: DEAL_NOT_ALLOWED.

    """
    pool = state.pool
    players = tuple(state.left)
    deal = games.Deal(
        registration_closed=pool is not None,
        unanimous=unanimous,
        players=players,
        shares_haler=shares,
        playout=games.Playout(Fraction(percent), players[0]) if percent else None,
    )
    prizes: tuple[int, ...] = ()
    if pool is not None:
        column = plan_of(state).payouts.column(pool.entries)
        prizes = prizes_by_place(column, pool.prize_pool, pool.players)
    share_by_deal(deal, prizes, list(state.stakes))
    return sum(prizes[: len(players)]) - sum(shares.values())
