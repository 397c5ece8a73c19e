"""Stages of a tournament: announcement, start, end of registration, eliminations, prizes.

The fee is announced at least seven days before the start (69GAMES tournament rules, Payouts); the
announcement contains everything that a player must know.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, field

from ledger import games
from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.hands.tournament_hands import require_not_in_hand, require_tables_wait
from ledger.decisions.operator.setup import GameId, Moment
from ledger.decisions.tournaments.entries import pool_event
from ledger.decisions.tournaments.running import Level
from ledger.events import event_types as e
from ledger.events.command import (
    Amount,
    Command,
    Id,
    Name,
    OptionalGameAmount,
    OptionalId,
    OptionalText,
    Text,
    Word,
)
from ledger.state.tournament_record import (
    bytes_of_deal,
    outcome_of,
    playout_of,
    pool_of,
    prizes_of,
    why_not_over,
)

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.tournament import TournamentState

__all__ = [
    "AgreeDeal",
    "AnnounceTournament",
    "CloseRegistration",
    "EliminatePlayers",
    "EndTournament",
    "StartTournament",
    "agree_deal",
    "announce_tournament",
    "close_registration",
    "eliminate_players",
    "end_tournament",
    "start_tournament",
]

DEAL_BYTES_MAX = 20_000
"""Maximum bytes of a deal in the event that ends the tournament."""
Percent = Annotated[str, Meta(pattern=r"^[0-9]{1,3}(\.[0-9]{1,6})?\Z")]


class AnnounceTournament(Command, frozen=True):
    """Announce a tournament; prices and guarantee are haléř, the fee is percent of the pool.

    ``starting_stack`` and ``levels`` are hundredths of a chip.
    """

    tournament: Id
    game: GameId
    name: Name
    format: Literal["freezeout", "one_rebuy", "re_entry", "unlimited_rebuys_addon"]
    structure: Text
    fee_percent: Percent
    starts_at: Moment
    buy_in: Amount
    starting_stack: Amount
    rebuy: OptionalGameAmount = 0
    addon: OptionalGameAmount = 0
    guarantee: OptionalGameAmount = 0
    limit: Literal["no limit", "pot limit", ""] = ""
    currency: Literal["CZK"] = "CZK"
    deal_conditions: OptionalText = ""
    levels: Annotated[list[Level], Meta(max_length=200)] = field(default_factory=list)


class StartTournament(Command, frozen=True):
    """Start an announced tournament."""

    tournament: Id


class CloseRegistration(Command, frozen=True):
    """Close the registration; the prize pool is fixed."""

    tournament: Id


class EliminatePlayers(Command, frozen=True):
    """Record players who lost their last chip in one hand; players named together tie.

    With ``chips``, what each had at the beginning of the hand in hundredths of a chip, parallel to
    ``accounts``, they are ranked by them; play hand for hand requires it. A player
    ``disqualified_for`` a breach of the rules leaves with chips and may not return.
    """

    tournament: Id
    accounts: Annotated[list[Id], Meta(min_length=1, max_length=200)]
    round: OptionalId = ""
    disqualified_for: OptionalText = ""
    chips: Annotated[list[OptionalGameAmount], Meta(max_length=50)] = field(default_factory=list)


class AgreeDeal(Command, frozen=True):
    """Record that the remaining players share the open prizes; a percentage may be played for."""

    tournament: Id
    shares: Annotated[dict[Word, OptionalGameAmount], Meta(max_length=100)]
    unanimous: bool
    playout_percent: Percent | Literal[""] = ""


class EndTournament(Command, frozen=True):
    """End a tournament: prizes by place or deal; ``payments`` names those that differ."""

    tournament: Id
    payments: Annotated[dict[Word, OptionalGameAmount], Meta(max_length=20_000)] = field(
        default_factory=dict
    )


@refuses("GAME_NOT_OFFERED", "NO_RULES_IN_FORCE", "FEE_OUT_OF_RANGE", "ANNOUNCED_TOO_LATE")
def announce_tournament(
    ledger_state: LedgerState, command: AnnounceTournament, now: int
) -> list[e.Event]:
    """Decide :class:`AnnounceTournament`."""
    game = ledger_state.operator_state.games.get(command.game)
    if game is None:
        raise InputError(f"game {command.game} is unknown; list it with list_game first")
    if ledger_state.tournament_or_none(command.tournament) is not None:
        raise InputError(f"tournament {command.tournament} exists already; give it another name")
    if not game.launched or game.withdrawn:
        raise RefusedError("GAME_NOT_OFFERED")
    version = game.plan_version(now)
    if not version:
        raise RefusedError("NO_RULES_IN_FORCE")
    plan = games.plan(command.game, version)
    if not isinstance(plan, games.TournamentPlan):
        raise InputError(f"game {command.game} is no tournament")
    if not plan.fee.percent_min <= Fraction(command.fee_percent) <= plan.fee.percent_max:
        smallest, largest = plan.fee.percent_min, plan.fee.percent_max
        raise RefusedError(
            "FEE_OUT_OF_RANGE",
            reason=Phrase("FEE_PERCENT_NOT_ALLOWED", smallest=smallest, largest=largest),
        )
    starts_at = from_datetime(command.starts_at)
    if now > ledger_state.rules.figures.announced_until(starts_at):
        raise RefusedError("ANNOUNCED_TOO_LATE")
    levels = command.levels
    return [
        command.as_event(
            e.TournamentAnnounced,
            plan_version=version,
            starts_at=starts_at,
            small_blinds=tuple(level.small_blind for level in levels),
            big_blinds=tuple(level.big_blind for level in levels),
            antes=tuple(level.ante for level in levels),
            point_values=tuple(level.point_value for level in levels),
            minutes=tuple(level.minutes for level in levels),
        )
    ]


@refuses("TOURNAMENT_STATUS")
def start_tournament(
    ledger_state: LedgerState, command: StartTournament, now: int
) -> list[e.Event]:
    """Decide :class:`StartTournament`; refused before the announced time."""
    state = ledger_state.tournament(command.tournament)
    if state.status != "announced":
        raise RefusedError(
            "TOURNAMENT_STATUS", what=Phrase("TOURNAMENT_START"), status=state.status
        )
    if now < state.announced.starts_at:
        what = Phrase("TOURNAMENT_START_EARLY")
        raise RefusedError("TOURNAMENT_STATUS", what=what, status=state.status)
    return [e.TournamentStarted(tournament=command.tournament, entries=state.entries_count)]


@refuses("TOURNAMENT_STATUS", "ENTRIES_OUT_OF_TABLE")
def close_registration(
    ledger_state: LedgerState, command: CloseRegistration, _: int
) -> list[e.Event]:
    """Decide :class:`CloseRegistration`."""
    state = _running(ledger_state, command.tournament, Phrase("REGISTRATION_CLOSES"))
    if state.pool is not None:
        raise InputError(f"the registration of {command.tournament} is closed already")
    try:
        pool_of(state)
    except games.SettlementError as error:
        raise RefusedError("ENTRIES_OUT_OF_TABLE", reason=error.phrase) from error
    return pool_event(state, state.entries)


def _running(ledger_state: LedgerState, name: str, what: Phrase) -> TournamentState:
    state = ledger_state.tournament(name)
    if state.status != "running":
        raise RefusedError("TOURNAMENT_STATUS", what=what, status=state.status)
    return state


@refuses("TOURNAMENT_STATUS", "NOT_IN_TOURNAMENT", "HAND_FOR_HAND", "PLAYER_IN_HAND")
def eliminate_players(
    ledger_state: LedgerState, command: EliminatePlayers, _: int
) -> list[e.Event]:
    """Decide :class:`EliminatePlayers`; at least one player must be left."""
    state = _running(ledger_state, command.tournament, Phrase("ELIMINATION"))
    if command.round:
        hand = ledger_state.round(command.round).hand
        if hand is None or hand.started.tournament != command.tournament:
            raise InputError(f"round {command.round} is no hand of {command.tournament}")
    for name in command.accounts:
        if name not in state.left or command.accounts.count(name) > 1:
            raise RefusedError("NOT_IN_TOURNAMENT", account=name)
    left = len(state.left)
    if left == len(command.accounts):
        raise InputError(f"tournament {command.tournament} needs a winner: end it instead")
    eliminated = []
    by_chips = _by_chips(ledger_state, state, command)
    for name in () if command.disqualified_for else command.accounts:
        require_not_in_hand(ledger_state, state, name)
    for chips, names in by_chips:
        left -= len(names)
        eliminated.append(
            command.as_event(
                e.PlayerEliminated,
                accounts=tuple(names),
                place=0 if state.pool is None else left + 1,
                left=left,
                chips=(chips,) * len(names) if command.chips else (),
            )
        )
    return [*eliminated]


def _by_chips(
    ledger_state: LedgerState, state: TournamentState, command: EliminatePlayers
) -> list[tuple[int, list[str]]]:
    """Return the players in the order of their places, last first; equal chips are one place."""
    if command.chips and len(command.chips) != len(command.accounts):
        raise InputError("`chips` are parallel to `accounts`: name those of every player, or none")
    if state.hands_since is not None and not command.disqualified_for:
        if not command.chips:
            raise InputError("hand for hand: name the `chips` of each player before the hand")
        require_tables_wait(ledger_state, state)
    found: dict[int, list[str]] = {}
    for name, chips in zip(
        command.accounts, command.chips or [0] * len(command.accounts), strict=True
    ):
        found.setdefault(chips, []).append(name)
    return sorted(found.items())


@refuses("TOURNAMENT_STATUS", "DEAL_NOT_ALLOWED")
def agree_deal(ledger_state: LedgerState, command: AgreeDeal, _: int) -> list[e.Event]:
    """Decide :class:`AgreeDeal`: registration closed, unanimous, all open prizes shared."""
    state = _running(ledger_state, command.tournament, Phrase("DEAL"))
    if state.deal is not None:
        raise RefusedError("DEAL_NOT_ALLOWED", reason=Phrase("DEAL_TWICE"))
    if bytes_of_deal(command.shares) > DEAL_BYTES_MAX:
        raise InputError(f"the names in the deal take more than {DEAL_BYTES_MAX} bytes")
    try:
        playout = playout_of(
            state, command.shares, command.playout_percent, unanimous=command.unanimous
        )
    except games.SettlementError as error:
        raise RefusedError("DEAL_NOT_ALLOWED", reason=error.phrase) from error
    return [
        command.as_event(
            e.DealAgreed,
            accounts=tuple(state.left),
            shares=tuple(command.shares[name] for name in state.left),
            playout=playout,
        )
    ]


@refuses("TOURNAMENT_STATUS", "TOURNAMENT_NOT_FINISHED")
def end_tournament(ledger_state: LedgerState, command: EndTournament, _: int) -> list[e.Event]:
    """Decide :class:`EndTournament`."""
    state = _running(ledger_state, command.tournament, Phrase("TOURNAMENT_END"))
    reason = why_not_over(state)
    if reason:
        raise RefusedError("TOURNAMENT_NOT_FINISHED", reason=reason)
    try:
        pool, prizes = pool_of(state), prizes_of(state)
    except games.SettlementError as error:
        raise RefusedError("TOURNAMENT_NOT_FINISHED", reason=error.phrase) from error
    unknown = [name for name in command.payments if name not in {p.account for p in prizes}]
    if unknown:
        raise InputError(f"{unknown[0]} has no prize in tournament {command.tournament}")
    stakes = state.stakes
    return [
        e.TournamentEnded(
            tournament=command.tournament,
            accounts=tuple(stakes),
            stakes=tuple(stakes.values()),
            fee=pool.fee,
            top_up=pool.top_up,
            prize_pool=pool.prize_pool,
            outcome=json.dumps(outcome_of(state), separators=(",", ":"), sort_keys=True),
        ),
        *(
            e.TournamentPrizePaid(
                tournament=command.tournament,
                entry=prize.entry,
                account=prize.account,
                place=prize.place,
                due=prize.due,
                paid=command.payments.get(prize.account, prize.due),
                rule=prize.rule,
            )
            for prize in prizes
        ),
    ]
