"""Play a hand of Texas or Omaha: start it, record actions, declare a misdeal.

An action is checked against the state of the hand: seat, turn, street, matching, minimum raise, the
limit of a tournament, whole crowns. The settlement checks the whole hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Protocol

from msgspec import Meta

from ledger import games
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.decision_time import require_in_time
from ledger.decisions.hands.stakes import STAKE_REFUSALS, require_may_stake_at
from ledger.decisions.hands.tournament_hands import require_hand_of_tournament
from ledger.decisions.rounds.opening import OPEN_REFUSALS, OpenRound, open_round
from ledger.events import event_types as e
from ledger.events.command import (
    Command,
    GameAmount,
    Id,
    Moment,
    OptionalGameAmount,
    OptionalId,
    OptionalWord,
    Word,
)
from ledger.games import is_tournament, poker_rules_of
from ledger.games.poker import CROWN, PREFLOP, clockwise_after, read_actions
from ledger.state.hand import ANTE, DEAD
from ledger.state.hand_record import actions_of, settle
from ledger.state.hand_turn import antes_missing, blinds_missing, limit_fault, to_act

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.state.hand import HandState
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundState

__all__ = [
    "ACTED_FOR_MISDEAL",
    "ActInHand",
    "DeclareMisdeal",
    "StartHand",
    "act_in_hand",
    "declare_misdeal",
    "opened_round",
    "require_fee",
    "require_seats",
    "require_tournament",
    "running_hand",
    "start_hand",
]

ACTED_FOR_MISDEAL = 2
HEADS_UP = 2
GIVING_UP = frozenset({"fold", "muck", DEAD})
MEASURED = frozenset({"check", "bet", "call", "raise"})


class StartHand(Command, frozen=True):
    """Start a hand of Texas or Omaha; ``seats`` are all players at the table, clockwise.

    Amounts are haléř, in a hand of a ``tournament`` hundredths of a chip. ``time_fee`` is the time
    collection of half an hour for a table that is charged by time and not by rake.
    """

    round: Id
    table: Id
    seats: Annotated[list[Id], Meta(max_length=50)]
    button: Id
    big_blind_of: Id
    big_blind: GameAmount
    small_blind: OptionalGameAmount = 0
    small_blind_of: OptionalWord = ""
    ante: OptionalGameAmount = 0
    time_fee: OptionalGameAmount = 0
    tournament: OptionalId = ""


class ActInHand(Command, frozen=True):
    """Record a player's action; ``amount`` is what the action adds, not the total of the street.

    ``dead`` folds a hand with a wrong number of cards, whatever its turn. ``asked_at`` and
    ``until`` are the first and the last moment of the time to act, by the clock of the platform.
    """

    round: Id
    account: Id
    action: Literal["post", "ante", "check", "bet", "call", "raise", "fold", "muck", "show", "dead"]
    amount: OptionalGameAmount = 0
    all_in: bool = False
    by: Literal["player", "timeout"] = "player"
    asked_at: Moment = 0
    until: Moment = 0


class DeclareMisdeal(Command, frozen=True):
    """Declare a misdeal on a ground of the plan; all money put in is returned."""

    round: Id
    ground: Word


@refuses(
    *OPEN_REFUSALS,
    "TOURNAMENT_STATUS",
    "NOT_IN_TOURNAMENT",
    "HAND_NOT_ALLOWED",
    "NOT_SEATED",
    "NOT_WHOLE_CROWNS",
    "HAND_FOR_HAND",
    "FEE_OUT_OF_RANGE",
)
def start_hand(ledger_state: LedgerState, command: StartHand, now: int) -> list[e.Event]:
    """Decide :class:`StartHand`; the round opens in the same decision."""
    opened = opened_round(ledger_state, command.round, command.table, now)
    plan = games.plan(opened.game, opened.plan_version)
    rules = poker_rules_of(plan)
    if rules is None:
        raise InputError(f"table {command.table} has no Texas or Omaha game, but {opened.game}")
    require_tournament(ledger_state, plan, command.tournament, command.seats)
    require_seats(ledger_state, command, rules.players_max)
    _require_blinds(command)
    _require_first_hand(ledger_state, command)
    amounts = (command.small_blind, command.big_blind, command.ante, 0)
    require_hand_of_tournament(ledger_state, command.tournament, command.table, amounts)
    started = command.as_event(
        e.HandStarted,
        game=opened.game,
        plan_version=opened.plan_version,
        accounts=tuple(command.seats),
        fee=require_fee(rules, command.time_fee),
        point_value=0,
        value_pairs=(),
        pair_values=(),
        stop_loss_of=(),
        stop_losses=(),
        in_fantasyland=(),
    )
    return [opened, started]


def opened_round(ledger_state: LedgerState, name: str, table: str, now: int) -> e.RoundOpened:
    """Return the event that opens the round of a hand, checked like any other round.

    Raises:
        InputError, RefusedError: as for ``open_round``.

    """
    (opened,) = open_round(ledger_state, OpenRound(round=name, table=table), now)
    assert isinstance(opened, e.RoundOpened)  # noqa: S101 - what open_round decides
    return opened


def require_tournament(
    ledger_state: LedgerState, plan: games.GamePlan, tournament: str, seats: list[str]
) -> None:
    """Require a running tournament of the game with these players; no tournament at a cash table.

    Raises:
        InputError: a cash table has a tournament, or a tournament's table has none.
        RefusedError: TOURNAMENT_STATUS or NOT_IN_TOURNAMENT.

    """
    game = plan.header.game
    if is_tournament(plan) != bool(tournament):
        raise InputError(f"name the tournament of a hand of {game}, and only of a tournament hand")
    if not tournament:
        return
    state = ledger_state.tournament(tournament)
    if state.announced.game != game:
        raise InputError(f"tournament {tournament} is one of {state.announced.game}, not {game}")
    if state.status != "running":
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("HAND_BEGINS"), status=state.status)
    for name in seats:
        if name not in state.left:
            raise RefusedError("NOT_IN_TOURNAMENT", account=name)


class _Seated(Protocol):
    """A command that starts a hand, with the seats."""

    @property
    def table(self) -> str: ...
    @property
    def tournament(self) -> str: ...
    @property
    def seats(self) -> Sequence[str]: ...
    @property
    def button(self) -> str: ...


def require_seats(ledger_state: LedgerState, command: _Seated, players_max: int | None) -> None:
    """Refuse too few or too many players, a duplicate player, or a player without a seat there.

    Raises:
        RefusedError: HAND_NOT_ALLOWED or NOT_SEATED.

    """
    seats = command.seats
    reason: Phrase | None = None
    if len(seats) < HEADS_UP or (players_max is not None and len(seats) > players_max):
        reason = Phrase("TABLE_PLAYERS_COUNT", count=len(seats))
    elif len(set(seats)) != len(seats):
        reason = Phrase("SEATED_TWICE")
    elif command.button not in seats:
        reason = Phrase("BUTTON_NOT_AT_TABLE")
    if reason:
        raise RefusedError("HAND_NOT_ALLOWED", reason=reason)
    drawn = ledger_state.tournament(command.tournament).seats if command.tournament else None
    for name in seats:
        if drawn is None:
            is_there = command.table in ledger_state.account(name).tables
        else:
            is_there = name in drawn and drawn[name][0] == command.table
        if not is_there:
            raise RefusedError("NOT_SEATED")


def _require_blinds(command: StartHand) -> None:
    small, big = command.small_blind_of, command.big_blind_of
    if (small and small not in command.seats) or big not in command.seats or small == big:
        reason = Phrase("BLINDS_NOT_AT_TABLE")
    elif bool(small) != bool(command.small_blind) or command.small_blind > command.big_blind:
        reason = Phrase("SMALL_BLIND_WRONG")
    elif len(command.seats) == HEADS_UP and small and small != command.button:
        reason = Phrase("HEADS_UP_BLIND")
    elif any(x % CROWN for x in (command.small_blind, command.big_blind, command.ante)):
        raise RefusedError("NOT_WHOLE_CROWNS")
    else:
        return
    raise RefusedError("HAND_NOT_ALLOWED", reason=reason)


def _require_first_hand(ledger_state: LedgerState, command: StartHand) -> None:
    """Refuse positions of blinds and button that the plan does not allow in a table's first hand.

    The small blind is the first player to the left of the button, the big blind the second; in a
    tournament the button lies at the occupied seat of the lowest number.
    """
    last = ledger_state.operator_state.tables[command.table].last_round
    before = ledger_state.round(last).hand if last else None
    if before is not None and before.started.tournament == command.tournament:
        return
    order = clockwise_after(command.seats, command.button)
    small, big = (order[1], order[0]) if len(order) == HEADS_UP else order[:HEADS_UP]
    reason: Phrase | None = None
    if (command.small_blind_of, command.big_blind_of) != (small, big):
        reason = Phrase("FIRST_BLINDS", small=small, big=big)
    elif command.tournament:
        drawn = ledger_state.tournament(command.tournament).seats
        first = min(command.seats, key=lambda name: drawn[name][1])
        if command.button != first:
            reason = Phrase("FIRST_BUTTON", first=first)
    if reason:
        raise RefusedError("HAND_NOT_ALLOWED", reason=reason)


def require_fee(rules: games.HandRules | games.OfcRules, time_fee: int) -> str:
    """Return how a table is charged: rake, time, or none in a tournament.

    Raises:
        RefusedError: FEE_OUT_OF_RANGE, the time collection is not within the plan's bounds.

    """
    if rules.time is None:
        if time_fee:
            raise InputError("a tournament hand has no time collection: leave out `time_fee`")
        return "none"
    if not time_fee:
        return "rake"
    try:
        rules.time.check(time_fee)
    except games.SettlementError as error:
        raise RefusedError("FEE_OUT_OF_RANGE", reason=error.phrase) from error
    return "time"


@refuses(
    "WRONG_ORDER",
    "NOT_IN_HAND",
    "DECISION_TOO_LATE",
    "NOT_WHOLE_CROWNS",
    "ACTION_NOT_ALLOWED",
    "RAISE_TOO_SMALL",
    "GAME_SUSPENDED",
    "TABLE_NOT_OPEN",
    "TABLE_SUSPENDED",
    "NOT_SEATED",
    *STAKE_REFUSALS,
)
def act_in_hand(ledger_state: LedgerState, command: ActInHand, now: int) -> list[e.Event]:
    """Decide :class:`ActInHand`; money put in is checked like a bet."""
    state, hand = running_hand(ledger_state, command.round)
    started = hand.started
    if started.point_value:
        raise InputError(f"round {command.round} is open-face: the cards are set with set_cards")
    if command.account not in started.accounts or command.account in hand.gone:
        raise RefusedError("NOT_IN_HAND")
    require_in_time(command, now)
    if command.amount % CROWN:
        raise RefusedError("NOT_WHOLE_CROWNS")
    street = ANTE if command.action == ANTE else hand.street
    total = hand.on_street(command.account, street) + command.amount
    reason = _fault(hand, command, street, total) or _fault_of_turn(
        ledger_state, hand, command, total
    )
    if reason:
        raise RefusedError("ACTION_NOT_ALLOWED", reason=reason)
    _require_betting(hand, command, street, total)
    if command.amount and not started.tournament:
        require_may_stake_at(
            ledger_state, command.account, command.amount, now, game=state.game, table=state.table
        )
    return [
        command.as_event(
            e.HandAction,
            table=state.table,
            tournament=started.tournament,
            bet=hand.bet_of(command.account),
            street=street,
            total=total,
            in_hand=hand.total(command.account) + command.amount,
        )
    ]


def running_hand(ledger_state: LedgerState, name: str) -> tuple[RoundState, HandState]:
    """Return a hand in progress and its round.

    Raises:
        InputError: the round is unknown, or is not a hand among players.
        RefusedError: WRONG_ORDER, the hand is over.

    """
    state = ledger_state.round(name)
    if state.hand is None:
        raise InputError(f"round {name} is no hand among players; begin one with start_hand")
    if state.status != "closed":
        raise RefusedError("WRONG_ORDER", what=Phrase("HAND_ACTION"), status=state.status)
    return state, state.hand


def _fault(hand: HandState, command: ActInHand, street: str, total: int) -> Phrase | None:
    """Return why an action does not fit the state of the hand, or None.

    A big blind that was posted short, all-in, is called with what is there or with a whole one.
    """
    action, amount, name = command.action, command.amount, command.account
    highest = hand.highest(street)
    if name in hand.all_in and action not in {"muck", "show", DEAD}:
        return Phrase("PLAYER_ALL_IN")
    if action in {"post", ANTE}:
        return _fault_of_blind(hand, command)
    if reason := _fault_of_staying(hand, name, action, street):
        return reason
    if action in {"check", "show"} | GIVING_UP:
        if amount or command.all_in:
            return Phrase("ACTION_WITH_MONEY", action=action)
        if action == "check" and total != highest:
            return Phrase("BET_TO_CALL", amount=highest)
        return _fault_of_giving_up(hand, name, action) if action in GIVING_UP else None
    if not amount:
        return Phrase("ACTION_WITHOUT_MONEY", action=action)
    if action == "call":
        price = max(highest, hand.started.big_blind) if street == PREFLOP else highest
        if total not in {highest, price} and not (command.all_in and total < price):
            return Phrase("CALL_AMOUNT", amount=price)
    elif total <= highest:
        return Phrase("ABOVE_HIGHEST", action=action, amount=highest)
    return None


def _fault_of_staying(hand: HandState, name: str, action: str, street: str) -> Phrase | None:
    """Return why a player can only fold, or not muck yet; None if any action is possible."""
    if action in {"check", "show", "muck"} and not hand.total(name):
        return Phrase("NO_MONEY_IN_HAND", player=name)
    if action in MEASURED | {"muck"} and name not in hand.all_in:
        unmatched = _unmatched(hand, name, but="" if action == "muck" else street)
        if unmatched:
            return Phrase("BET_TO_CALL", amount=unmatched)
    if action == "muck":
        for player in hand.started.accounts:
            if player not in {*hand.gone, *hand.all_in} and _unmatched(hand, player, but=""):
                return Phrase("TURN_OF_ANOTHER", player=player)
    return None


def _unmatched(hand: HandState, name: str, *, but: str) -> int:
    """Return the highest money on a street that a player did not match; 0 if there is none.

    ``but`` is a street that does not count. The player can only fold: no hand is settled in which
    a player stays who neither matched the others nor is all-in.
    """
    streets = {street for of_player in hand.money.values() for street in of_player} - {ANTE, but}
    return max(
        (top for street in streets if hand.on_street(name, street) < (top := hand.highest(street))),
        default=0,
    )


def _fault_of_turn(
    ledger_state: LedgerState, hand: HandState, command: ActInHand, total: int
) -> Phrase | None:
    """Return why a player may not act now or put in this amount, or None.

    Blinds and show have no turn, and cards are mucked when no player has to call.
    """
    name = command.account
    if command.action not in MEASURED | {"fold"}:
        return None
    owing = blinds_missing(hand)
    if owing == name and command.action == "fold":
        return None
    if owing:
        return Phrase("BLIND_MISSING", player=owing)
    antes = antes_missing(hand)
    if name in antes and command.action == "fold":
        return None
    if antes:
        return Phrase("ANTE_MISSING", player=antes[0])
    turn = to_act(hand)
    if turn != name:
        return Phrase("TURN_OF_ANOTHER", player=turn) if turn else Phrase("STREET_OVER")
    if command.action not in {"bet", "raise"} or not hand.started.tournament:
        return None
    limit = ledger_state.tournament(hand.started.tournament).announced.limit
    return limit_fault(hand, limit, name, total, all_in=command.all_in)


def _fault_of_blind(hand: HandState, command: ActInHand) -> Phrase | None:
    """Return why a blind or ante is not allowed, or None.

    It may be posted once, before the betting, by a player who owes it.
    """
    started, name = hand.started, command.account
    owed = {started.small_blind_of: started.small_blind, started.big_blind_of: started.big_blind}
    due = started.ante if command.action == ANTE else owed.get(name, 0)
    before = [act for act in hand.acts if act.account == name and act.action == command.action]
    has_begun = any(act.action in MEASURED for act in hand.acts)
    if has_begun or before or not due:
        return Phrase("NOTHING_OWED", action=command.action)
    if command.action == "post" and command.all_in and name in antes_missing(hand):
        return Phrase("ANTE_MISSING", player=name)
    has_more = command.action == ANTE and hand.total(name)  # a blind is posted after the ante
    is_short = command.all_in and 0 < command.amount < due and not has_more
    return None if command.amount == due or is_short else Phrase("AMOUNT_OWED", amount=due)


def _fault_of_giving_up(hand: HandState, name: str, action: str) -> Phrase | None:
    """Return why a fold or muck is not allowed, or None.

    One player must remain to win the pot, and after an all-in all hands are shown.
    """
    others = [player for player in hand.started.accounts if player != name]
    claiming = [player for player in others if player not in hand.gone]
    if not claiming:
        return Phrase("LAST_PLAYER_STAYS", action=action)
    if action == "muck":
        rules = poker_rules_of(games.plan(hand.started.game, hand.started.plan_version))
        beside = [player for player in hand.all_in if player not in hand.gone]
        if rules is not None and not rules.muck_beside_all_in and beside:
            return Phrase("CARDS_ARE_SHOWN", player=beside[0])
    if action == "muck" or any(act.action == "muck" for act in hand.acts):
        called = min(hand.total(name), max(hand.total(player) for player in others))
        if all(hand.total(player) < called for player in claiming):
            return Phrase("POT_OF_PLAYER")
    return None


def _require_betting(hand: HandState, command: ActInHand, street: str, total: int) -> None:
    """Check the order of bets and raises, and the minimum raise, by the plan."""
    if command.action not in MEASURED:
        return
    fields = {"street": street, "to": games.format_amount(total), "all_in": command.all_in}
    rules = poker_rules_of(games.plan(hand.started.game, hand.started.plan_version))
    try:
        read_actions(
            (*actions_of(hand), games.Action(command.account, command.action, fields)),
            seats=hand.started.accounts,
            players=hand.started.accounts,
            big_blind_haler=hand.started.big_blind,
            short_all_in_is_bet=rules is None or rules.short_all_in_is_bet,
        )
    except games.SettlementError as error:
        code = (
            "RAISE_TOO_SMALL" if error.code is games.Code.RAISE_TOO_SMALL else "ACTION_NOT_ALLOWED"
        )
        raise RefusedError(code, reason=error.phrase) from error


@refuses("WRONG_ORDER", "VOID_REASON_UNKNOWN", "MISDEAL_NOT_ALLOWED")
def declare_misdeal(ledger_state: LedgerState, command: DeclareMisdeal, _: int) -> list[e.Event]:
    """Decide :class:`DeclareMisdeal`: only while fewer than two players have acted.

    A hand in which no player with money is left has no winner, and ends so, too.
    """
    state, hand = running_hand(ledger_state, command.round)
    reasons = games.plan(state.game, state.plan_version).header.void_reasons
    if command.ground not in reasons:
        raise RefusedError("VOID_REASON_UNKNOWN", ground=command.ground)
    if len(hand.acted) >= ACTED_FOR_MISDEAL and not _is_without_claim(hand):
        raise RefusedError("MISDEAL_NOT_ALLOWED", acted=len(hand.acted))
    paragraph, payers = reasons[command.ground], hand.payers
    return [
        e.RoundVoided(
            round=command.round, table=state.table, ground=command.ground, paragraph=paragraph
        ),
        command.as_event(
            e.MisdealDeclared,
            table=state.table,
            tournament=hand.started.tournament,
            paragraph=paragraph,
            acted=len(hand.acted),
            accounts=tuple(payers),
            bets=tuple(hand.bet_of(name) for name in payers),
            amounts=tuple(hand.total(name) for name in payers),
        ),
    ]


def _is_without_claim(hand: HandState) -> bool:
    """Return whether all who put money in, if any did, folded or hold a dead hand."""
    try:
        settle(hand)
    except games.SettlementError as error:
        return error.phrase.code == "POT_WITHOUT_PLAYERS"
    return False
