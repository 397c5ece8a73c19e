"""Convert a recorded hand to the input of its settlement, and settle it.

What comes in: a folded hand and its plan. What goes out: wagers, actions, the outcome as a
document of the contract, and the amount due to each player from each pot. Pure, so that a replay
computes the same from the recorded facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.games import poker_rules_of
from ledger.games.open_face import pay
from ledger.games.poker import CROWN, clockwise_after, share_out
from ledger.state.hand import ANTE, BOARD, PASSIVE, STACK, HandState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.games import OfcOutcome

__all__ = [
    "PointsDue",
    "PotDue",
    "SettledHand",
    "actions_of",
    "outcome_of",
    "settle",
    "wagers_of",
]


RECORDED_AS = {ANTE: "post"}
"""Names of actions of a hand in the settlement, if they differ."""


@dataclass(frozen=True, slots=True)
class PotDue:
    """One pot: what each player put into it, and the amounts due to its winners; haléř."""

    amount: int
    rake: int
    eligible: tuple[str, ...]
    winners: tuple[str, ...]
    stakes: Mapping[str, int]
    due: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PointsDue:
    """Result of an open-face game, pair by pair in the order of payment; amounts are haléř."""

    stakes: Mapping[str, int]
    due: Mapping[str, int]
    points: Mapping[str, int]
    amounts: Mapping[str, int]
    fouled: tuple[str, ...]
    fantasyland: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class SettledHand:
    """Settlement of a hand by its plan; ``cap`` is the maximum rake of its table.

    ``lines`` are the lines of the settlement by player, with the reasons.
    """

    pots: tuple[PotDue, ...]
    uncalled: tuple[str, int] | None
    points: PointsDue | None
    rake: int
    cap: int
    rule: str
    lines: Mapping[str, games.ResultLine]


def wagers_of(hand: HandState) -> tuple[games.Wager, ...]:
    """Return the money of each player in the hand, as one wager by streets."""
    if STACK in {act.street for act in hand.acts}:
        return tuple(
            games.Wager(hand.bet_of(name), name, STACK, hand.total(name)) for name in hand.payers
        )
    return tuple(
        games.Wager(
            hand.bet_of(name),
            name,
            "pot",
            hand.total(name),
            streets_haler={street: haler for street, haler in hand.money[name].items() if haler},
            all_in=name in hand.all_in,
        )
        for name in hand.payers
    )


def actions_of(hand: HandState) -> tuple[games.Action, ...]:
    """Return the actions of the betting and the showdown in their order."""
    return tuple(
        games.Action(
            act.account,
            RECORDED_AS.get(act.action, act.action),
            {"street": act.street, "to": games.format_amount(act.total), "all_in": act.all_in}
            if act.action not in PASSIVE
            else {},
        )
        for act in hand.acts
        if act.action != STACK
    )


def outcome_of(hand: HandState) -> dict[str, Any]:
    """Return the outcome document; a player's cards are included only if all are known."""
    started = hand.started
    outcome: dict[str, Any] = {"seats": list(started.accounts), "button": started.button}
    if started.tournament:
        outcome["kind"] = "hand"
    elif started.fee == "time":
        outcome["fee"] = {"mode": "time", "amount": games.format_amount(started.time_fee)}
    else:
        outcome["fee"] = {"mode": "rake"}
    if started.point_value:
        return outcome | _open_face(hand)
    hands = {name: hand.cards_of(name) for name in started.accounts}
    outcome["hands"] = {name: cards for name, cards in hands.items() if cards and all(cards)}
    outcome["board"] = hand.cards_of(BOARD)
    outcome["big_blind"] = games.format_amount(started.big_blind)
    burned = [card for card in hand.cards_of(games.BURN) if card]
    if burned:
        outcome["burn"] = burned
    return outcome


def _open_face(hand: HandState) -> dict[str, Any]:
    started = hand.started
    value: dict[str, Any] = {"default": games.format_amount(started.point_value)}
    pairs = zip(started.value_pairs, started.pair_values, strict=False)
    value["pairs"] = {pair: games.format_amount(haler) for pair, haler in pairs}
    losses = zip(started.stop_loss_of, started.stop_losses, strict=False)
    return {
        "sets": {
            name: {"front": list(s.front), "middle": list(s.middle), "back": list(s.back)}
            for name, s in hand.sets.items()
        },
        "discards": {name: list(s.discards) for name, s in hand.sets.items() if s.discards},
        "point_value": value,
        "stop_loss": {name: games.format_amount(haler) for name, haler in losses},
        "in_fantasyland": list(started.in_fantasyland),
    }


def settle(hand: HandState) -> SettledHand:
    """Settle a hand by its plan from what is recorded of it.

    Raises:
        SettlementError: the record is not a finished hand of the plan.

    """
    plan = games.plan(hand.started.game, hand.started.plan_version)
    wagers = wagers_of(hand)
    outcome = plan.read_outcome(outcome_of(hand), None, ())
    result = games.settle_round(plan, wagers, actions_of(hand), outcome)
    rake = _amount(result.details["rake"])
    rule = result.lines[0].rule if result.lines else plan.header.rule_settled
    of_bets = {line.id: line for line in result.lines}
    lines = {name: of_bets[hand.bet_of(name)] for name in hand.payers}
    payout = {name: line.payout_haler for name, line in lines.items()}
    if isinstance(outcome, games.OfcOutcome):
        points = _points(hand, outcome, result, payout)
        return SettledHand((), None, points, rake, rake, rule, lines)
    pots, uncalled = _pots(hand, result, payout)
    return SettledHand(pots, uncalled, None, rake, _cap(plan, hand), rule, lines)


def _cap(plan: games.GamePlan, hand: HandState) -> int:
    rules = poker_rules_of(plan)
    if rules is None or rules.rake is None or hand.started.fee != "rake":
        return 0
    players = len(hand.started.accounts)
    return rules.rake.cap_haler(players)


def _pots(
    hand: HandState, result: games.RoundResult, payout: Mapping[str, int]
) -> tuple[tuple[PotDue, ...], tuple[str, int] | None]:
    """Return each pot with the contributions of the players, and the uncalled money, if any.

    A pot takes from each player the money up to the smallest total among the players who contest
    it, less the money in the pots before; the last pot takes the rest.
    """
    order = clockwise_after(hand.started.accounts, hand.started.button)
    details: list[dict[str, Any]] = result.details["pots"]  # type: ignore[assignment]
    shares = [_shares(pot, order) for pot in details]
    left = {name: hand.total(name) for name in hand.payers}
    uncalled = None
    for name, paid in payout.items():
        back = paid - sum(share.get(name, 0) for share in shares)
        if back:
            uncalled = (name, back)
            left[name] -= back
    pots = []
    dead, below = _dead_ante(hand), 0
    for number, (pot, due) in enumerate(zip(details, shares, strict=True)):
        is_last = number == len(details) - 1
        level = min(_called(hand, name, uncalled, dead) for name in pot["eligible"])
        stakes = {}
        for name in hand.payers:
            reach = _called(hand, name, uncalled, dead)
            stake = min(reach, level) - min(reach, below)
            stake = left[name] if is_last else stake + (dead.get(name, 0) if not number else 0)
            if stake:
                stakes[name] = stake
                left[name] -= stake
        below = level
        pots.append(
            PotDue(
                _amount(pot["amount"]),
                _amount(pot["rake"]),
                tuple(pot["eligible"]),
                tuple(name for name in order if name in pot["winners"]),
                stakes,
                due,
            )
        )
    return tuple(pots), uncalled


def _shares(pot: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, int]:
    winners = [name for name in order if name in pot["winners"]]
    return share_out(_amount(pot["amount"]) - _amount(pot["rake"]), winners, CROWN)


def _called(
    hand: HandState, name: str, uncalled: tuple[str, int] | None, dead: Mapping[str, int]
) -> int:
    """Return a player's money in the pots, without uncalled and dead money."""
    back = uncalled[1] if uncalled is not None and uncalled[0] == name else 0
    return hand.total(name) - back - dead.get(name, 0)


def _dead_ante(hand: HandState) -> dict[str, int]:
    """Return the ante if only the button paid one: it is dead money of the main pot."""
    payers = [name for name in hand.payers if hand.on_street(name, ANTE)]
    if payers != [hand.started.button]:
        return {}
    return {hand.started.button: hand.on_street(hand.started.button, ANTE)}


def _points(
    hand: HandState, outcome: OfcOutcome, result: games.RoundResult, payout: Mapping[str, int]
) -> PointsDue:
    points: dict[str, int] = result.details["points"]  # type: ignore[assignment]
    rake = _amount(result.details["rake"]) // len(hand.payers)
    return PointsDue(
        stakes={name: hand.total(name) for name in hand.payers},
        due=payout,
        points=points,
        amounts=_payments(hand, outcome, points, rake),
        fouled=tuple(result.details["fouled"]),  # type: ignore[arg-type]
        fantasyland=result.details["fantasyland"],  # type: ignore[arg-type]
    )


def _payments(
    hand: HandState, outcome: OfcOutcome, points: Mapping[str, int], rake: int
) -> dict[str, int]:
    """Return the payment to the first player of each pair."""
    start = {name: hand.total(name) - rake for name in hand.payers}
    pairs: dict[tuple[str, str], int] = {}
    for pair, number in points.items():
        one, other = pair.split("|")
        pairs[one, other] = number
    paid = pay(pairs, outcome.point_value, start, outcome.stop_loss_haler)
    return {
        f"{one}|{other}": next(term.amount for term in paid[one] if term.opponent == other)
        for one, other in pairs
    }


def _amount(text: object) -> int:
    haler = games.parse_amount(str(text))
    if haler is None:
        raise ValueError(f"{text!r} is no amount")
    return haler
