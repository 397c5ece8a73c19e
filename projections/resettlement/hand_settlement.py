"""Settle a hand among players again from its recorded events.

What comes in: a hand as followed by the read side. What goes out: its outcome as a document of the
settlement contract, and its pots with the stake and the amount due of each player. Only the
settlement by the game plan (``ledger.games``) is shared with the write side. Amounts are haléř.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.games.open_face import pay
from ledger.games.poker import CROWN, clockwise_after, share_out
from projections.resettlement.amounts import haler_in
from projections.resettlement.hand import ANTE, BOARD, NOT_BETTING, STACK

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.resettlement.hand import PokerHand

__all__ = [
    "HandSettlement",
    "PointsDue",
    "PotDue",
    "actions_of",
    "outcome_of",
    "settle_hand",
    "wagers_of",
]

NAMED = {ANTE: "post"}
"""Actions that the settlement knows by another name."""


@dataclass(frozen=True, slots=True)
class PotDue:
    """One pot: the contribution of each player, and the amounts due to its winners."""

    amount: int
    rake: int
    eligible: tuple[str, ...]
    winners: tuple[str, ...]
    stakes: Mapping[str, int]
    due: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PointsDue:
    """Points of an open-face game by pair, and the amount due to the first player of each pair."""

    due: Mapping[str, int]
    points: Mapping[str, int]
    amounts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class HandSettlement:
    """The settlement by the plan; ``lines`` are its result lines by player."""

    pots: tuple[PotDue, ...]
    uncalled: tuple[str, int] | None
    points: PointsDue | None
    rake: int
    rule: str
    lines: Mapping[str, games.ResultLine]


def outcome_of(hand: PokerHand) -> dict[str, Any]:
    """Return the outcome document; a player's cards are included only if all are known."""
    started, money = hand.started, games.format_amount
    outcome: dict[str, Any] = {"seats": list(started.accounts), "button": started.button}
    if started.tournament:
        outcome |= {"kind": "hand"}
    elif started.fee == "time":
        outcome |= {"fee": {"mode": "time", "amount": money(started.time_fee)}}
    else:
        outcome |= {"fee": {"mode": "rake"}}
    if started.point_value:
        return outcome | _open_face_outcome(hand)
    shown = {name: hand.cards_of(name) for name in started.accounts}
    burnt = [card for card in hand.cards_of(games.BURN) if card]
    return outcome | {
        "hands": {name: cards for name, cards in shown.items() if cards and "" not in cards},
        "board": hand.cards_of(BOARD),
        "big_blind": money(started.big_blind),
        **({"burn": burnt} if burnt else {}),
    }


def _open_face_outcome(hand: PokerHand) -> dict[str, Any]:
    started, money = hand.started, games.format_amount
    agreed = zip(started.value_pairs, started.pair_values, strict=False)
    losses = zip(started.stop_loss_of, started.stop_losses, strict=False)
    rows = ("front", "middle", "back")
    return {
        "sets": {
            name: {row: list(getattr(one, row)) for row in rows} for name, one in hand.sets.items()
        },
        "discards": {name: list(one.discards) for name, one in hand.sets.items() if one.discards},
        "point_value": {
            "default": money(started.point_value),
            "pairs": {pair: money(value) for pair, value in agreed},
        },
        "stop_loss": {name: money(most) for name, most in losses},
        "in_fantasyland": list(started.in_fantasyland),
    }


def settle_hand(hand: PokerHand) -> HandSettlement:
    """Settle a hand by its plan.

    Raises:
        SettlementError: the events are not those of a finished hand of the plan.
        ValueError: the positions of the hand are not valid.

    """
    plan = games.plan(hand.started.game, hand.started.plan_version)
    outcome = plan.read_outcome(outcome_of(hand), None, ())
    result = games.settle_round(plan, wagers_of(hand), actions_of(hand), outcome)
    of_bets = {line.id: line for line in result.lines}
    lines = {name: of_bets[hand.bet_of(name)] for name in hand.payers}
    rake = haler_in(result.details["rake"])
    rule = result.lines[0].rule if result.lines else plan.header.rule_settled
    if isinstance(outcome, games.OfcOutcome):
        points = _points(hand, outcome, result, lines)
        return HandSettlement((), None, points, rake, rule, lines)
    pots, uncalled = _pots(hand, result, lines)
    return HandSettlement(pots, uncalled, None, rake, rule, lines)


def wagers_of(hand: PokerHand) -> list[games.Wager]:
    """Return each player's money as one wager; poker wagers are divided by street."""
    if any(act.street == STACK for act in hand.actions):
        return [
            games.Wager(hand.bet_of(name), name, STACK, hand.total(name)) for name in hand.payers
        ]
    by_street: dict[str, dict[str, int]] = {name: {} for name in hand.payers}
    for (name, street), amount in hand.money.items():
        if amount and name in by_street:
            by_street[name][street] = amount
    return [
        games.Wager(
            hand.bet_of(name),
            name,
            "pot",
            sum(streets.values()),
            streets_haler=streets,
            all_in=name in hand.all_in,
        )
        for name, streets in by_street.items()
    ]


def actions_of(hand: PokerHand) -> list[games.Action]:
    """Return the actions of betting and showdown in their order."""
    found = []
    for act in hand.actions:
        name, bet = NAMED.get(act.action, act.action), {}
        if act.action not in NOT_BETTING:
            total = games.format_amount(act.total)
            bet = {"street": act.street, "to": total, "all_in": act.all_in}
        if act.action != STACK:
            found.append(games.Action(act.account, name, bet))
    return found


def _pots(
    hand: PokerHand, result: games.RoundResult, lines: Mapping[str, games.ResultLine]
) -> tuple[tuple[PotDue, ...], tuple[str, int] | None]:
    """Divide the players' money into pots, from the main pot on; also return uncalled money.

    Each pot takes from every player at most the smallest remaining contribution among the players
    eligible for it. The last pot takes the rest, so it includes money given up by folding.
    """
    seats = clockwise_after(hand.started.accounts, hand.started.button)
    found: list[dict[str, Any]] = result.details["pots"]  # type: ignore[assignment]
    winners = [tuple(name for name in seats if name in pot["winners"]) for pot in found]
    amounts = [(haler_in(pot["amount"]), haler_in(pot["rake"])) for pot in found]
    due = [
        share_out(amount - rake, names, CROWN)
        for (amount, rake), names in zip(amounts, winners, strict=True)
    ]
    left, uncalled = {name: hand.total(name) for name in hand.payers}, None
    for name, line in lines.items():
        back = line.payout_haler - sum(shares.get(name, 0) for shares in due)
        if back:
            uncalled, left[name] = (name, back), left[name] - back
    dead = _take_dead_ante(hand, left)
    pots = []
    for number, pot in enumerate(found):
        most = min(left[name] for name in pot["eligible"])
        is_last = number == len(found) - 1
        stakes = {name: money if is_last else min(money, most) for name, money in left.items()}
        left = {name: money - stakes[name] for name, money in left.items()}
        for name, ante in dead.items() if not number else ():
            stakes[name] += ante
        stakes = {name: stake for name, stake in stakes.items() if stake}
        eligible = tuple(pot["eligible"])
        pots.append(PotDue(*amounts[number], eligible, winners[number], stakes, due[number]))
    return tuple(pots), uncalled


def _take_dead_ante(hand: PokerHand, left: dict[str, int]) -> dict[str, int]:
    """Take an ante that the button paid alone out of the money, as dead money of the main pot."""
    antes = {name: hand.money[name, ANTE] for name in hand.payers if hand.money[name, ANTE]}
    if antes.keys() != {hand.started.button}:
        return {}
    for name, ante in antes.items():
        left[name] -= ante
    return antes


def _points(
    hand: PokerHand,
    outcome: games.OfcOutcome,
    result: games.RoundResult,
    lines: Mapping[str, games.ResultLine],
) -> PointsDue:
    points: dict[str, int] = result.details["points"]  # type: ignore[assignment]
    pairs = {pair: tuple(pair.split("|")) for pair in points}
    fee = haler_in(result.details["rake"]) // len(hand.payers)
    stacks = {name: hand.total(name) - fee for name in hand.payers}
    by_players = {(one, other): points[pair] for pair, (one, other) in pairs.items()}
    paid = pay(by_players, outcome.point_value, stacks, outcome.stop_loss_haler)
    amounts = {
        pair: next(term.amount for term in paid[one] if term.opponent == other)
        for pair, (one, other) in pairs.items()
    }
    return PointsDue({name: line.payout_haler for name, line in lines.items()}, points, amounts)
