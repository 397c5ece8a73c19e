"""Play Pineapple open-face Chinese poker: start a game with stacks, place and set cards."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, field

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.hands.play import (
    opened_round,
    require_fee,
    require_seats,
    require_tournament,
    running_hand,
)
from ledger.decisions.hands.stakes import STAKE_REFUSALS, require_may_stake_at
from ledger.decisions.hands.tournament_hands import require_hand_of_tournament
from ledger.decisions.rounds.opening import OPEN_REFUSALS
from ledger.decisions.rounds.studio import FaceCard
from ledger.events import event_types as e
from ledger.events.command import (
    Amount,
    Command,
    GameAmount,
    Id,
    Name,
    OptionalId,
    Word,
)
from ledger.games import ofc_rules_of
from ledger.state.hand import STACK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.state.hand import HandState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "PlaceCards",
    "SetCards",
    "StartOpenFace",
    "place_cards",
    "set_cards",
    "start_open_face",
]

DISCARDED = 4
FIRST_CARDS, LATER_CARDS, STREETS = 5, 2, 5
ROWS = ("front", "middle", "back")
Haler = Annotated[int, Meta(ge=0, le=10**15)]
Row = Annotated[list[FaceCard], Meta(max_length=5)]

SEATS = Meta(max_length=10)


class StartOpenFace(Command, frozen=True):
    """Start a game of open-face: ``stacks`` are the chips that each player brings, haléř.

    ``pair_values`` sets another value of a point for pairs of players, as ``a|b``; ``stop_losses``
    is the maximum loss of a player. In a hand of a ``tournament`` amounts are hundredths of a chip.
    """

    round: Id
    table: Id
    seats: Annotated[list[Id], SEATS]
    button: Id
    stacks: Annotated[dict[Word, Amount], SEATS]
    point_value: GameAmount
    pair_values: Annotated[dict[Name, GameAmount], SEATS] = field(default_factory=dict)
    stop_losses: Annotated[dict[Word, GameAmount], SEATS] = field(default_factory=dict)
    in_fantasyland: Annotated[list[Id], SEATS] = field(default_factory=list)
    time_fee: Haler = 0
    tournament: OptionalId = ""


class PlaceCards(Command, frozen=True):
    """Record that a player puts the cards of a street into rows, where they stay.

    First five cards are placed. On each of four further streets the player gets three cards, places
    two and discards the third.
    """

    round: Id
    account: Id
    front: Row = field(default_factory=list)
    middle: Row = field(default_factory=list)
    back: Row = field(default_factory=list)
    discards: Annotated[list[FaceCard], Meta(max_length=1)] = field(default_factory=list)


class SetCards(Command, frozen=True):
    """Set all cards of a player: three in front, five in the middle, five at the back."""

    round: Id
    account: Id
    front: Row
    middle: Row
    back: Row
    discards: Annotated[list[FaceCard], Meta(max_length=DISCARDED)] = field(default_factory=list)


@refuses(
    *OPEN_REFUSALS,
    "TOURNAMENT_STATUS",
    "NOT_IN_TOURNAMENT",
    "HAND_NOT_ALLOWED",
    "NOT_SEATED",
    "FANTASYLAND_DIFFERS",
    "HAND_FOR_HAND",
    "FEE_OUT_OF_RANGE",
    *STAKE_REFUSALS,
)
def start_open_face(ledger_state: LedgerState, command: StartOpenFace, now: int) -> list[e.Event]:
    """Decide :class:`StartOpenFace`; the stacks are checked like bets."""
    opened = opened_round(ledger_state, command.round, command.table, now)
    plan = games.plan(opened.game, opened.plan_version)
    rules = ofc_rules_of(plan)
    if rules is None:
        raise InputError(f"table {command.table} has no open-face game, but {opened.game}")
    require_tournament(ledger_state, plan, command.tournament, command.seats)
    require_seats(ledger_state, command, rules.players_max)
    _require_terms(command)
    _require_fantasyland(ledger_state, command)
    amounts = (0, 0, 0, command.point_value)
    require_hand_of_tournament(ledger_state, command.tournament, command.table, amounts)
    fee = require_fee(rules, command.time_fee)
    for name in () if command.tournament else command.seats:
        stack = command.stacks[name]
        if stack <= (rules.rake_haler if fee == "rake" else 0):
            raise RefusedError("HAND_NOT_ALLOWED", reason=Phrase("STACK_WITHIN_RAKE"))
        require_may_stake_at(ledger_state, name, stack, now, game=opened.game, table=command.table)
    started = command.as_event(
        e.HandStarted,
        game=opened.game,
        plan_version=opened.plan_version,
        accounts=tuple(command.seats),
        small_blind_of="",
        big_blind_of="",
        small_blind=0,
        big_blind=0,
        ante=0,
        fee=fee,
        value_pairs=tuple(command.pair_values),
        pair_values=tuple(command.pair_values.values()),
        stop_loss_of=tuple(command.stop_losses),
        stop_losses=tuple(command.stop_losses.values()),
        in_fantasyland=tuple(command.in_fantasyland),
    )
    return [opened, started, *(_stack(command, seat) for seat in range(len(command.seats)))]


def _require_terms(command: StartOpenFace) -> None:
    seats = command.seats
    pairs = {f"{seat}|{other}" for seat in seats for other in seats if seat != other}
    if set(command.stacks) != set(seats):
        reason = Phrase("STACKS_OF_PLAYERS")
    elif not pairs.issuperset(command.pair_values) or not set(seats).issuperset(
        command.stop_losses
    ):
        reason = Phrase("TERMS_OF_PLAYERS")
    else:
        return
    raise RefusedError("HAND_NOT_ALLOWED", reason=reason)


def _require_fantasyland(ledger_state: LedgerState, command: StartOpenFace) -> None:
    """Compare the players in Fantasyland with the previous game at this table."""
    there = {
        name
        for name in command.seats
        if ledger_state.account(name).fantasyland.get(command.table, 0)
    }
    if there != set(command.in_fantasyland):
        raise RefusedError("FANTASYLAND_DIFFERS", names=tuple(sorted(there)))


def _stack(command: StartOpenFace, seat: int) -> e.HandAction:
    name = command.seats[seat]
    amount = command.stacks[name]
    return command.as_event(
        e.HandAction,
        bet=f"{command.round}-{seat + 1}",
        account=name,
        street=STACK,
        action=STACK,
        amount=amount,
        total=amount,
        in_hand=amount,
        all_in=False,
        by="player",
        asked_at=0,
        until=0,
    )


@refuses("WRONG_ORDER", "NOT_IN_HAND", "SET_NOT_ALLOWED")
def set_cards(ledger_state: LedgerState, command: SetCards, _: int) -> list[e.Event]:
    """Decide :class:`SetCards`; the plan determines foul, royalties and Fantasyland."""
    state, hand = running_hand(ledger_state, command.round)
    started = hand.started
    rules = ofc_rules_of(games.plan(state.game, state.plan_version))
    if rules is None:
        raise InputError(f"round {command.round} is not open-face")
    if command.account not in started.accounts:
        raise RefusedError("NOT_IN_HAND")
    reason = _fault(hand, command)
    if reason:
        raise RefusedError("SET_NOT_ALLOWED", reason=reason)
    rows = {
        "front": games.parse_cards(command.front),
        "middle": games.parse_cards(command.middle),
        "back": games.parse_cards(command.back),
    }
    ranked = games.rank_set(rules.rows, rows)
    is_there = command.account in started.in_fantasyland
    return [
        command.as_event(
            e.HandsSet,
            table=state.table,
            tournament=started.tournament,
            front=tuple(command.front),
            middle=tuple(command.middle),
            back=tuple(command.back),
            discards=tuple(command.discards),
            foul=ranked.fouled,
            royalties=ranked.royalties,
            fantasyland=games.fantasyland_cards(rules.rows.fantasyland, ranked, is_there=is_there)
            or 0,
        )
    ]


@refuses("WRONG_ORDER", "NOT_IN_HAND", "SET_NOT_ALLOWED")
def place_cards(ledger_state: LedgerState, command: PlaceCards, _: int) -> list[e.Event]:
    """Decide :class:`PlaceCards`; not in Fantasyland, where all cards are set at once."""
    state, hand = running_hand(ledger_state, command.round)
    if ofc_rules_of(games.plan(state.game, state.plan_version)) is None:
        raise InputError(f"round {command.round} is not open-face")
    if command.account not in hand.started.accounts:
        raise RefusedError("NOT_IN_HAND")
    reason = _fault_of_placement(hand, command)
    if reason:
        raise RefusedError("SET_NOT_ALLOWED", reason=reason)
    return [
        command.as_event(
            e.CardsPlaced,
            table=state.table,
            tournament=hand.started.tournament,
            street=len(hand.placed.get(command.account, ())) + 1,
            front=tuple(command.front),
            middle=tuple(command.middle),
            back=tuple(command.back),
            discards=tuple(command.discards),
        )
    ]


def _fault_of_placement(hand: HandState, command: PlaceCards) -> Phrase | None:
    name = command.account
    before = hand.placed.get(name, [])
    rows = {row: [*_in_row(before, row), *getattr(command, row)] for row in ROWS}
    new = [card for row in ROWS for card in getattr(command, row)]
    expected = LATER_CARDS if before else FIRST_CARDS
    if name in hand.started.in_fantasyland or name in hand.sets:
        return Phrase("CARDS_ALL_AT_ONCE")
    if len(before) >= STREETS or len(new) != expected or len(command.discards) != bool(before):
        return Phrase("PLACEMENT_COUNT_WRONG")
    if any(len(rows[row]) > size for row, size in games.ROW_SIZES.items()):
        return Phrase("ROW_LENGTHS")
    cards = [*new, *command.discards]
    known = [*_cards_of(before), *_cards_of_others(hand, name)]
    twice = [card for card, count in Counter(cards + known).items() if count > 1]
    if twice:
        return Phrase("CARD_SET_TWICE", card=twice[0])
    dealt = [card for card in hand.cards_of(name) if card]
    strange = [card for card in cards if dealt and card not in dealt]
    return Phrase("CARD_NOT_DEALT", card=strange[0]) if strange else None


def _in_row(placements: Sequence[e.CardsPlaced | e.HandsSet], row: str) -> list[str]:
    return [card for placement in placements for card in getattr(placement, row)]


def _cards_of(placements: Sequence[e.CardsPlaced | e.HandsSet]) -> list[str]:
    return [card for row in (*ROWS, "discards") for card in _in_row(placements, row)]


def _cards_of_others(hand: HandState, account: str) -> list[str]:
    """Return the cards that the other players set or placed; no game has a misdeal to undo them."""
    laid: dict[str, list[e.HandsSet] | list[e.CardsPlaced]] = dict(hand.placed)
    laid |= {name: [whole] for name, whole in hand.sets.items()}
    return [card for name, rows in laid.items() if name != account for card in _cards_of(rows)]


def _fault(hand: HandState, command: SetCards) -> Phrase | None:
    rows = {"front": command.front, "middle": command.middle, "back": command.back}
    if command.account in hand.sets:
        return Phrase("SET_CARDS_STAY")
    if any(len(rows[row]) != size for row, size in games.ROW_SIZES.items()):
        return Phrase("ROW_LENGTHS")
    fewest = 1 if command.account in hand.started.in_fantasyland else DISCARDED
    if command.discards and len(command.discards) < fewest:
        return Phrase("DISCARDS_NOT_POSSIBLE", count=len(command.discards))
    cards = [*command.front, *command.middle, *command.back, *command.discards]
    others = _cards_of_others(hand, command.account)
    twice = [card for card, count in Counter(cards + others).items() if count > 1]
    if twice:
        return Phrase("CARD_SET_TWICE", card=twice[0])
    placements = hand.placed.get(command.account, [])
    for row in (*ROWS, "discards") if placements else ():
        moved = set(_in_row(placements, row)) ^ set(getattr(command, row))
        if moved:
            return Phrase("CARD_MOVED", card=min(moved))
    dealt = [card for card in hand.cards_of(command.account) if card]
    strange = [card for card in cards if dealt and card not in dealt]
    return Phrase("CARD_NOT_DEALT", card=strange[0]) if strange else None
