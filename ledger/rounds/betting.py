"""Chips: placed, taken back, closed (SAZKA 2, 5a, 13).

Chips on a betting position are reserved money; what lies there at the close is a bet. The
checks are made when chips are placed, in the order of :func:`assert_may_place`. After the close
only a player's decision adds stakes; see ``ledger.rounds.decisions``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ledger import events as e
from ledger import games
from ledger.command import Amount, BetId, Command, Id, Text
from ledger.errors import InputError
from ledger.house.setup import limits_for_games, open_table_of
from ledger.protection.blocks import assert_not_blocked, block_of
from ledger.protection.continuous_play import assert_no_break
from ledger.protection.measures import assert_measures_allow
from ledger.refusals import RefusedError
from ledger.rounds.facts import plan_of, wager_of

if TYPE_CHECKING:
    from ledger.accounts.state import AccountState
    from ledger.rounds.state import RoundBet, RoundState
    from ledger.world import World

__all__ = [
    "CloseBets",
    "PlaceBet",
    "WithdrawBet",
    "assert_funds",
    "assert_may_place",
    "assert_may_play",
    "bet_refused",
    "close_bets",
    "concluded",
    "place_bet",
    "table_limits",
    "withdraw_bet",
]


class PlaceBet(Command, frozen=True):
    """Place chips.

    ``bet`` is the round, a hyphen, and a name without hyphens, so that it is unique for ever:
    ``q-1-2`` is a bet of round ``q-1`` and never one of ``q``. ``selection``
    is what the bet code of the game takes; ``stake`` is haléř. What raises a bet (double, call
    …) is placed by ``decide``.
    """

    bet: Id
    account: Id
    round: Id
    bet_code: Text
    stake: Amount
    selection: Any = None
    box: str = ""


class WithdrawBet(Command, frozen=True):
    """Take chips back before the close ("Zpět"), with those that can't lie without them."""

    bet: BetId
    account: Id
    round: Id


class CloseBets(Command, frozen=True):
    """Call "no more bets"."""

    round: Id


def place_bet(world: World, command: PlaceBet, now: int) -> list[e.Event]:
    """Decide :class:`PlaceBet`."""
    state = world.round(command.round)
    account = world.account(command.account)
    _assert_new_bet(state, command)
    if state.status != "open":
        raise RefusedError("BET_AFTER_CLOSE")
    assert_may_place(world, state, account, command.stake, now)
    wording = _check_wager(world, state, command)
    assert_funds(account, command.stake)
    return [
        e.BetPlaced(
            bet=command.bet,
            account=command.account,
            round=command.round,
            table=state.table,
            box=command.box,
            bet_code=command.bet_code,
            selection=_selection_json(command.selection),
            wording=wording,
            stake=command.stake,
            parent="",
        )
    ]


def _assert_new_bet(state: RoundState, command: PlaceBet) -> None:
    of_round, _hyphen, name = command.bet.rpartition("-")
    if of_round != command.round or not name:
        raise InputError(
            f"bet {command.bet} must be its round, a hyphen, and a name without hyphens: "
            f"{command.round}-…"
        )
    if command.bet in state.bets:
        raise InputError(f"bet {command.bet} exists already; give every bet a name of its own")


def assert_may_place(
    world: World,
    state: RoundState,
    account: AccountState,
    stake: int,
    now: int,
    *,
    finishes_round: bool = False,
) -> None:
    """Refuse chips that the law or the state of table and account do not allow.

    Args:
        world: the operator's side.
        state: the round.
        account: who places them.
        stake: how much.
        now: when.
        finishes_round: the stake raises a bet of a round that has begun.

    Raises:
        RefusedError: naming the first reason.

    """
    _assert_bets_accepted(world, state)
    assert_may_play(account, now, streamed=state.streamed)
    # Only the ban of 5a(3) gives way to finishing a round that has begun (SAZKA 5a(4)).
    if state.streamed and not finishes_round:
        assert_no_break(account, now)
    assert_measures_allow(account, stake, now)
    if state.table not in account.tables:
        raise RefusedError("NOT_SEATED")
    if state.table in account.disconnected:
        raise RefusedError("DISCONNECTED")


def assert_funds(account: AccountState, stake: int) -> None:
    """Refuse a stake that the wallet does not cover (SAZKA 13(2)).

    Raises:
        RefusedError: INSUFFICIENT_FUNDS.

    """
    if account.wallet < stake:
        raise RefusedError("INSUFFICIENT_FUNDS", available=account.wallet, needed=stake)


def _assert_bets_accepted(world: World, state: RoundState) -> None:
    if world.house.games[state.game].suspended:
        raise RefusedError("GAME_SUSPENDED")
    if open_table_of(world, state.table).suspended:
        raise RefusedError("TABLE_SUSPENDED")


def assert_may_play(account: AccountState, now: int, *, streamed: bool) -> None:
    """Refuse a bet of somebody whose account, blocks or session do not allow play.

    Raises:
        RefusedError: naming what stands against it.

    """
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
    plan = plan_of(state)
    wager = games.Wager(
        id=command.bet,
        player=command.account,
        bet=command.bet_code,
        stake_haler=command.stake,
        selection=command.selection,
        box=command.box or None,
    )
    lying = [
        wager_of(name, bet)
        for name, bet in state.bets_of(command.account, "placed")
        if not bet.parent
    ]
    limits = table_limits(world, state)
    problem = games.wager_problem(plan, wager, lying=lying, table=limits)
    if problem is None and command.box:
        placed = state.bets_in("placed")
        on_box = [wager_of(name, bet) for name, bet in placed if bet.box == command.box]
        problem = plan.box_problem(wager, on_box, limits)
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
        e.BetWithdrawn(bet=name, account=bet.account, round=command.round, amount=taken.stake)
        for name, taken in [(command.bet, bet), *_tied_to(state, command.bet, bet)]
    ]


def _tied_to(state: RoundState, gone: str, taken: RoundBet) -> list[tuple[str, RoundBet]]:
    """Find the participant's chips that can't lie without those that are taken back."""
    plan = plan_of(state)
    if not plan.bets_depend:
        return []
    left = {name: bet for name, bet in state.bets_of(taken.account, "placed") if name != gone}
    wagers = [wager_of(name, bet) for name, bet in left.items() if not bet.parent]
    tied = []
    for name, bet in left.items():
        others = [wager for wager in wagers if wager.id != name]
        is_tied = bet.parent == gone or (
            not bet.parent
            and games.wager_problem(plan, wager_of(name, bet), lying=others) is not None
        )
        if is_tied:
            tied.append((name, bet))
    return tied


def close_bets(world: World, command: CloseBets, now: int) -> list[e.Event]:
    """Decide :class:`CloseBets`.

    Chips of a participant who was blocked, excluded or whose cancellation began since the
    placement go back: no bet is concluded (SAZKA 12(5), 12a(1), 12a(4)).
    """
    state = world.round(command.round)
    if state.status != "open":
        raise RefusedError("WRONG_ORDER", what="Closing bets", status=state.status)
    placed = state.bets_in("placed")
    alone = _alone(state, placed)
    outcomes = [
        _close_one(world, state, name, bet, now)
        if name not in alone
        else _returned(state, name, bet, "incomplete", plan_of(state).header.rule_settled)
        for name, bet in placed
    ]
    bets = [event for event in outcomes if isinstance(event, e.BetConcluded)]
    closed = e.BetsClosed(
        round=command.round,
        table=state.table,
        bets=len(bets),
        stakes=sum(event.amount for event in bets),
    )
    return [closed, *outcomes]


def _alone(state: RoundState, placed: list[tuple[str, RoundBet]]) -> set[str]:
    """Find chips that can't be a bet because others are missing, such as an ante's blind."""
    plan = plan_of(state)
    if not plan.bets_depend:
        return set()
    alone: set[str] = set()
    is_settled = False
    while not is_settled:
        wagers: dict[str, list[games.Wager]] = {}
        for name, bet in placed:
            if name not in alone and bet.parent not in alone:
                wagers.setdefault(bet.account, []).append(wager_of(name, bet))
        more = {
            wager.id
            for of_account in wagers.values()
            for wager in of_account
            if not plan.may_conclude(wager, of_account)
        }
        is_settled = not more
        alone |= more
    return alone | {name for name, bet in placed if bet.parent in alone}


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
    return _returned(state, name, bet, CAUSES[block.code], block.paragraph)


CAUSES = {"PANIC_BLOCK": "panic", "EXCLUDED": "exclusion", "CANCELLATION_RUNS": "cancellation"}


def _returned(
    state: RoundState, name: str, bet: RoundBet, cause: str, paragraph: str
) -> e.BetReturned:
    return e.BetReturned(
        bet=name,
        account=bet.account,
        round=state.round,
        amount=bet.stake,
        cause=cause,
        paragraph=paragraph,
    )


def concluded(placed: e.BetPlaced) -> e.BetConcluded:
    """Conclude chips at once."""
    return e.BetConcluded(
        bet=placed.bet,
        account=placed.account,
        round=placed.round,
        table=placed.table,
        amount=placed.stake,
    )
