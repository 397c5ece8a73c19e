"""Rules of the games: settlement as a pure function of plan, wagers, actions and outcome.

Nothing here reads the log, a clock or a database. Pay tables, limits and the readings taken where
a source is unclear are data of a plan version; rules are code, one module per family of games.

A new family is a module with a `GamePlan` of its own and a `read_plan` that `plans` knows; a new
plan version is a new data file.
"""

from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    Outcome,
    Phase,
    Result,
    ResultLine,
    RoundResult,
    SettlementError,
    StakeRange,
    TableLimits,
    UnknownGameError,
    Void,
    Wager,
    format_amount,
    parse_amount,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader, Reading
from ledger.games.api.plan_reader import PlanError
from ledger.games.api.seen import RoundFacts, SeenCard, ShownHand, recorded_action
from ledger.games.baccarat.plan import BaccaratOutcome
from ledger.games.casino_poker.holdem_round import CasinoHoldemOutcome
from ledger.games.casino_poker.ultimate_round import UltimateHoldemOutcome
from ledger.games.open_face.outcome import OfcOutcome
from ledger.games.plans import ADDITIONAL_WAGERS, document, games, plan, versions
from ledger.games.poker.outcome import PokerOutcome
from ledger.games.roulette.composites import Neighbours
from ledger.games.roulette.spin import RouletteOutcome
from ledger.games.settlement import (
    describe,
    reason_for_single_players,
    settle,
    settle_line,
    settle_round,
    table_problem,
    wager_problem,
)
from ledger.games.tournament.outcome import TournamentOutcome
from ledger.games.wheels.plan import WheelOutcome

__all__ = [
    "ADDITIONAL_WAGERS",
    "Action",
    "BaccaratOutcome",
    "CasinoHoldemOutcome",
    "Code",
    "Disconnect",
    "GamePlan",
    "Neighbours",
    "OfcOutcome",
    "Outcome",
    "Phase",
    "PlanError",
    "PlanHeader",
    "PokerOutcome",
    "Reading",
    "Result",
    "ResultLine",
    "RouletteOutcome",
    "RoundFacts",
    "RoundResult",
    "SeenCard",
    "SettlementError",
    "ShownHand",
    "StakeRange",
    "TableLimits",
    "TournamentOutcome",
    "UltimateHoldemOutcome",
    "UnknownGameError",
    "Void",
    "Wager",
    "WheelOutcome",
    "describe",
    "document",
    "format_amount",
    "games",
    "parse_amount",
    "plan",
    "reason_for_single_players",
    "recorded_action",
    "settle",
    "settle_line",
    "settle_round",
    "table_problem",
    "versions",
    "wager_problem",
]
