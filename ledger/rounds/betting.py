"""Chips: placed, taken back, raised, closed (SAZKA 2, 5a, 13).

Chips on a betting position are reserved money; what lies there at the close is a bet. The
checks are made when chips are placed, in the order of :func:`_may_place`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger import events as e
from ledger import games
from ledger.command import Amount, Command, Id, Text
from ledger.errors import InputError
from ledger.house.setup import limits_for_games, open_table_of
from ledger.protection.blocks import assert_not_blocked, block_of
from ledger.protection.continuous_play import assert_no_break
from ledger.protection.measures import assert_measures_allow
from ledger.refusals import RefusedError

if TYPE_CHECKING:
    from ledger.accounts.state import AccountState
    from ledger.rounds.state import RoundBet, RoundState
    from ledger.world import World

__all__ = [
    "CloseBets",
    "PlaceBet",
    "WithdrawBet",
    "bet_refused",
    "close_bets",
    "place_bet",
    "withdraw_bet",
]


RAISES: dict[str, frozenset[str]] = {}
"""Bet codes that raise a concluded bet after the close, by game; roulette has none.

Without this list a "raise" would be a way to place chips when the ball has landed.
"""


class PlaceBet(Command, frozen=True):
    """Place chips.

    ``bet`` is the round, a hyphen, and a name without hyphens, so that it is unique for ever:
    ``q-1-2`` is a bet of round ``q-1`` and never one of ``q``. ``selection``
    is what the bet code of the game takes. ``parent`` is the concluded bet that is raised
    after the close (double, split, call …); ``stake`` is haléř.
    """

    bet: Id
    account: Id
    round: Id
    bet_code: Text
    stake: Amount
    selection: Any = None
    box: str = ""
    parent: str = ""


class WithdrawBet(Command, frozen=True):
    """Take chips back before the close ("Zpět")."""

    bet: Id
    account: Id
    round: Id


class CloseBets(Command, frozen=True):
    """Call "no more bets"."""

    round: Id


def place_bet(world: World, command: PlaceBet, now: int) -> list[e.Event]:
    """Decide :class:`PlaceBet`; a raise after the close is concluded in the same decision."""
    state = world.round(command.round)
    account = world.account(command.account)
    _assert_new_bet(state, command)
    _may_place(world, state, account, command, now)
    wording = _check_wager(world, state, command)
    if account.wallet < command.stake:
        raise RefusedError("INSUFFICIENT_FUNDS", available=account.wallet, needed=command.stake)
    placed = e.BetPlaced(
        bet=command.bet,
        account=command.account,
        round=command.round,
        table=state.table,
        box=command.box,
        bet_code=command.bet_code,
        selection=_selection_json(command.selection),
        wording=wording,
        stake=command.stake,
        parent=command.parent,
    )
    return [placed, _concluded(placed)] if command.parent else [placed]


def _assert_new_bet(state: RoundState, command: PlaceBet) -> None:
    of_round, _hyphen, name = command.bet.rpartition("-")
    if of_round != command.round or not name:
        raise InputError(
            f"bet {command.bet} must be its round, a hyphen, and a name without hyphens: "
            f"{command.round}-…"
        )
    if command.bet in state.bets:
        raise InputError(f"bet {command.bet} exists already; give every bet a name of its own")


def _may_place(
    world: World, state: RoundState, account: AccountState, command: PlaceBet, now: int
) -> None:
    is_raise = bool(command.parent)
    if is_raise:
        _assert_may_raise(state, command)
    elif state.status != "open":
        raise RefusedError("BET_AFTER_CLOSE")
    _assert_bets_accepted(world, state)
    _assert_may_play(account, now, streamed=state.streamed)
    # Only the ban of 5a(3) gives way to finishing a round that has begun (SAZKA 5a(4)).
    if state.streamed and not is_raise:
        assert_no_break(account, now)
    assert_measures_allow(account, command.stake, now)
    if state.table not in account.tables:
        raise RefusedError("NOT_SEATED")
    if state.table in account.disconnected:
        raise RefusedError("DISCONNECTED")


def _assert_may_raise(state: RoundState, command: PlaceBet) -> None:
    if state.status != "open" and command.bet_code not in RAISES.get(state.game, ()):
        raise RefusedError("BET_AFTER_CLOSE")
    parent = state.bets.get(command.parent)
    if parent is None or parent.account != command.account or parent.status != "concluded":
        raise RefusedError("PARENT_NOT_CONCLUDED")
    if state.status != "closed":
        raise RefusedError("WRONG_ORDER", what="A raise", status=state.status)


def _assert_bets_accepted(world: World, state: RoundState) -> None:
    if world.house.games[state.game].suspended:
        raise RefusedError("GAME_SUSPENDED")
    if open_table_of(world, state.table).suspended:
        raise RefusedError("TABLE_SUSPENDED")


def _assert_may_play(account: AccountState, now: int, *, streamed: bool) -> None:
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if account.status == "cancelling":
        raise RefusedError("CANCELLATION_RUNS")
    assert_not_blocked(account, now)
    if streamed and not account.internet:
        raise RefusedError("LAND_BASED_ONLY")
    if account.session_mode != "full":
        raise RefusedError("NOT_LOGGED_IN")


def _check_wager(world: World, state: RoundState, command: PlaceBet) -> str:
    """Check the chips against plan and table limits; give the selection in words."""
    plan = games.plan(state.game, state.plan_version)
    wager = games.Wager(
        id=command.bet,
        player=command.account,
        bet=command.bet_code,
        stake_haler=command.stake,
        selection=command.selection,
        box=command.box or None,
    )
    lying = [
        wager_of(name, bet) for name, bet in state.bets_of(command.account, "placed", "concluded")
    ]
    limits = table_limits(world, state)
    problem = games.wager_problem(plan, wager, lying=lying, table=limits)
    if problem is not None:
        reason = f"{problem.code}: {problem.message}"
        raise RefusedError("BET_NOT_ALLOWED", reason=reason, paragraph=plan.header.rule_settled)
    return games.describe(plan, command.bet_code, command.selection)


def table_limits(world: World, state: RoundState) -> games.TableLimits:
    """Give the table's limits, as they were when the round opened, in the form games take."""
    limits = world.house.tables[state.table].limits_at(state.opened_at)
    if limits is None:
        return games.TableLimits()
    return limits_for_games(limits.stakes, limits.round_maximum)


def wager_of(name: str, bet: RoundBet) -> games.Wager:
    """Give a bet in the form that the games take."""
    return games.Wager(
        id=name,
        player=bet.account,
        bet=bet.bet_code,
        stake_haler=bet.stake,
        selection=bet.selection,
        box=bet.box or None,
    )


def _selection_json(selection: Any) -> str:
    return "" if selection is None else json.dumps(selection, separators=(",", ":"))


def bet_refused(world: World, command: PlaceBet, refusal: RefusedError) -> list[e.Event]:
    """Record why :func:`place_bet` refused."""
    return [
        e.BetRefused(
            bet=command.bet,
            account=command.account,
            round=command.round,
            table=world.round(command.round).table,
            bet_code=command.bet_code,
            selection=_selection_json(command.selection),
            stake=command.stake,
            code=refusal.code,
            sentence=refusal.sentence,
            paragraph=refusal.paragraph,
        )
    ]


def withdraw_bet(world: World, command: WithdrawBet, _: int) -> list[e.Event]:
    """Decide :class:`WithdrawBet`."""
    state = world.round(command.round)
    bet = state.bets.get(command.bet)
    if bet is None or bet.account != command.account:
        raise InputError(f"account {command.account} has no bet {command.bet} in {command.round}")
    if state.status != "open":
        raise RefusedError("BET_AFTER_CLOSE")
    if bet.status != "placed":
        raise RefusedError("BET_NOT_ON_TABLE")
    return [
        e.BetWithdrawn(bet=command.bet, account=bet.account, round=command.round, amount=bet.stake)
    ]


def close_bets(world: World, command: CloseBets, now: int) -> list[e.Event]:
    """Decide :class:`CloseBets`.

    Chips of a participant who was blocked, excluded or whose cancellation began since the
    placement go back: no bet is concluded (SAZKA 12(5), 12a(1), 12a(4)).
    """
    state = world.round(command.round)
    if state.status != "open":
        raise RefusedError("WRONG_ORDER", what="Closing bets", status=state.status)
    outcomes = [_close_one(world, state, name, bet, now) for name, bet in state.bets_in("placed")]
    concluded = [event for event in outcomes if isinstance(event, e.BetConcluded)]
    closed = e.BetsClosed(
        round=command.round,
        table=state.table,
        bets=len(concluded),
        stakes=sum(event.amount for event in concluded),
    )
    return [closed, *outcomes]


def _close_one(
    world: World, state: RoundState, name: str, bet: RoundBet, now: int
) -> e.BetConcluded | e.BetReturned:
    account = world.account(bet.account)
    block = block_of(account, now)
    if account.status != "open":
        block = RefusedError("CANCELLATION_RUNS")
    if block is None:
        return e.BetConcluded(
            bet=name, account=bet.account, round=state.round, table=state.table, amount=bet.stake
        )
    return e.BetReturned(
        bet=name,
        account=bet.account,
        round=state.round,
        amount=bet.stake,
        cause=CAUSES[block.code],
        paragraph=block.paragraph,
    )


CAUSES = {"PANIC_BLOCK": "panic", "EXCLUDED": "exclusion", "CANCELLATION_RUNS": "cancellation"}


def _concluded(placed: e.BetPlaced) -> e.BetConcluded:
    return e.BetConcluded(
        bet=placed.bet,
        account=placed.account,
        round=placed.round,
        table=placed.table,
        amount=placed.stake,
    )
