"""A hand among players for display: cards, board, streets, pots, rake, points.

Amounts are haléř, in a tournament hundredths of a chip. ``due_again`` is the amount due by a new
settlement, ``None`` if that is impossible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger import games
from ledger.games import ofc_rules_of
from ledger.games.poker import BOARD_BY_STREET
from projections.facts.words import crowns
from projections.resettlement.hand import ANTE, BOARD, STACK

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from projections.resettlement.hand import PokerHand
    from projections.resettlement.hand_settlement import HandSettlement
    from projections.resettlement.hands import HandHistory

__all__ = ["HandReplay", "PairLine", "PlayerLine", "PotLine", "Street", "replay_hand"]


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One seat: cards or rows, contribution, amount due with its reason, amount paid."""

    account: str
    seat: int
    is_button: bool
    cards: tuple[str, ...]
    rows: tuple[str, ...]
    stake: int
    due: int | None
    due_again: int | None
    paid: int | None
    explanation: games.Explanation | None


@dataclass(frozen=True, slots=True)
class Street:
    """One street: its new cards, and the actions in order."""

    street: str
    cards: tuple[str, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PotLine:
    """A pot as recorded, and its winners by the new settlement."""

    pot: int
    amount: int
    rake: int
    eligible: tuple[str, ...]
    winners: tuple[str, ...]
    winners_again: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class PairLine:
    """Points of one player against another, as recorded and by the new settlement."""

    pair: str
    points: int
    amount: int
    points_again: int | None


@dataclass(frozen=True, slots=True)
class HandReplay:
    """One hand; ``uncalled`` lists returned money by player, ``rule`` the deciding paragraph."""

    tournament: str
    small_blind: int
    big_blind: int
    ante: int
    fee: str
    board: tuple[str, ...]
    players: tuple[PlayerLine, ...]
    streets: tuple[Street, ...]
    pots: tuple[PotLine, ...]
    pairs: tuple[PairLine, ...]
    uncalled: tuple[tuple[str, int], ...]
    rake: int | None
    rake_due: int | None
    rake_again: int | None
    rule: str


def replay_hand(history: HandHistory, again: HandSettlement | None) -> HandReplay | None:
    """Return a hand as recorded and as settled again; None if the round is not a hand."""
    hand = history.hand
    if hand is None:
        return None
    started = hand.started
    return HandReplay(
        tournament=started.tournament,
        small_blind=started.small_blind,
        big_blind=started.big_blind,
        ante=started.ante,
        fee=started.fee,
        board=tuple(hand.cards_of(BOARD)),
        players=tuple(_player(history, hand, again, seat) for seat in range(len(started.accounts))),
        streets=_streets(hand),
        pots=tuple(_pot(history, again, number) for number in range(len(history.pots))),
        pairs=tuple(_pairs(history, again)),
        uncalled=tuple((event.account, event.amount) for _, _, event in history.uncalled),
        rake=sum(event.amount for _, _, event in history.rake) if history.rake else None,
        rake_due=sum(event.due for _, _, event in history.rake) if history.rake else None,
        rake_again=again.rake if again is not None else None,
        rule=again.rule if again is not None else "",
    )


def _player(
    history: HandHistory, hand: PokerHand, again: HandSettlement | None, seat: int
) -> PlayerLine:
    name = hand.started.accounts[seat]
    ends = [event for _, _, event in (*history.pots, *history.points)]
    due = [amount for event in ends for who, amount in _pairs_of(event, "due") if who == name]
    paid = [amount for event in ends for who, amount in _pairs_of(event, "paid") if who == name]
    due_again = None
    if again is not None:
        due_again = sum(pot.due.get(name, 0) for pot in again.pots)
        due_again += again.points.due.get(name, 0) if again.points else 0
    return PlayerLine(
        account=name,
        seat=seat + 1,
        is_button=name == hand.started.button,
        cards=tuple(hand.cards_of(name)),
        rows=_rows(hand, name),
        stake=hand.total(name),
        due=sum(due) if due else None,
        due_again=due_again,
        paid=sum(paid) if paid else None,
        explanation=_explanation(history, again, name),
    )


def _explanation(
    history: HandHistory, again: HandSettlement | None, player: str
) -> games.Explanation | None:
    """Explain the amount due to a player; None during the hand, or without money in it.

    Money returned by a misdeal was not settled: its event explains it, in the same form.
    """
    if again is not None and player in again.lines:
        return again.lines[player].explanation()
    if history.misdeal is None:
        return None
    event = history.misdeal.event
    amounts = dict(zip(event.accounts, event.amounts, strict=False))
    if player not in amounts:
        return None
    back, ground = games.StakeBack(amounts[player]), games.VoidFacts(event.ground)
    return games.Explanation(event.paragraph, games.Reason.DECLARED_VOID, "", (back,), ground)


def _pairs_of(event: object, field: str) -> list[tuple[str, int]]:
    accounts: tuple[str, ...] = getattr(event, "accounts", ())
    return list(zip(accounts, getattr(event, field), strict=False))


def _rows(hand: PokerHand, name: str) -> tuple[str, ...]:
    """Return the rows of an open-face set with their values."""
    event = hand.sets.get(name)
    if event is None:
        return ()
    rows = [f"{row}: {' '.join(getattr(event, row))}" for row in ("front", "middle", "back")]
    if event.discards:
        rows.append(f"thrown away: {' '.join(event.discards)}")
    rules = ofc_rules_of(games.plan(hand.started.game, hand.started.plan_version))
    if rules is None:
        return tuple(rows)
    try:
        cards = {row: games.parse_cards(getattr(event, row)) for row in ("front", "middle", "back")}
        ranked = games.rank_set(rules.rows, cards)
    except (games.SettlementError, ValueError, KeyError, IndexError):
        return tuple(rows)
    worth = "foul" if ranked.fouled else f"royalties {ranked.royalties}"
    if event.fantasyland:
        worth += f", Fantasyland with {event.fantasyland} cards"
    return (*rows, worth)


def _streets(hand: PokerHand) -> tuple[Street, ...]:
    board = hand.cards_of(BOARD)
    found = []
    for street, brought in BOARD_BY_STREET.items():
        actions = tuple(_words(act) for act in hand.actions if act.street == street)
        cards = tuple(board[brought])
        if actions or cards:
            found.append(Street(street, cards, actions))
    stacks = tuple(_words(act) for act in hand.actions if act.street == STACK)
    return (Street(STACK, (), stacks), *found) if stacks else tuple(found)


def _words(act: e.HandAction) -> str:
    amount = f" {crowns(act.total).removesuffix(' CZK')}" if act.action in MONEY else ""
    return f"{act.account} {act.action}{amount}{' (all-in)' if act.all_in else ''}"


MONEY = frozenset({"post", ANTE, "bet", "call", "raise", STACK})


def _pot(history: HandHistory, again: HandSettlement | None, number: int) -> PotLine:
    event = history.pots[number].event
    winners_again = None
    if again is not None and event.pot < len(again.pots):
        winners_again = again.pots[event.pot].winners
    return PotLine(
        event.pot, event.amount, event.rake, event.eligible, event.winners, winners_again
    )


def _pairs(history: HandHistory, again: HandSettlement | None) -> list[PairLine]:
    points = again.points.points if again is not None and again.points is not None else {}
    return [
        PairLine(pair, count, amount, points.get(pair))
        for _, _, event in history.points
        for pair, count, amount in zip(event.pairs, event.points, event.amounts, strict=False)
    ]
