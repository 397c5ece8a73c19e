"""Rules of the games: settlement as a pure function of plan, wagers, actions and outcome.

No module here reads the log, a clock or a database. Pay tables, limits and interpretations of an
unclear source are data of a plan version; rules are code, one package per family of games.

A new family is a package with its own `GamePlan`; a new plan version is a new data file. `plans`
registers both and explains how.
"""

from ledger.games.api.cards import DECK, RANKS, Card, parse_cards
from ledger.games.api.contract import (
    SHARED_FIELDS,
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
)
from ledger.games.api.explanation import (
    ChipsBack,
    DealShare,
    Explanation,
    PlayedFor,
    PointsPaid,
    PotShare,
    PrizeShare,
    RakeTaken,
    Reason,
    StakeBack,
    Term,
    UncalledBack,
    Winnings,
)
from ledger.games.api.facts import (
    CombinationFacts,
    CoupFacts,
    Facts,
    FieldFacts,
    HandFacts,
    MadeFacts,
    PairFacts,
    PlaceFacts,
    PointsFacts,
    PotFacts,
    PotsFacts,
    RankedHand,
    ShowdownFacts,
    SpinFacts,
    VoidFacts,
)
from ledger.games.api.game_plan import GamePlan, PlanHeader, PlanInterpretation
from ledger.games.api.plan_table import PlanError
from ledger.games.api.round_facts import BURN, RecordedCard, RoundFacts, ShownHand, recorded_action
from ledger.games.api.typed import parse_amount
from ledger.games.baccarat.plan import BaccaratOutcome
from ledger.games.cash.money_hand import HandPlan
from ledger.games.casino_poker.holdem_round import CasinoHoldemOutcome
from ledger.games.casino_poker.ultimate_round import UltimateHoldemOutcome
from ledger.games.documents import read_request
from ledger.games.families import (
    is_among_players,
    is_tournament,
    ofc_rules_of,
    poker_rules_of,
)
from ledger.games.open_face.outcome import OfcOutcome
from ledger.games.open_face.rows import ROW_SIZES, fantasyland_cards, rank_set
from ledger.games.open_face.rules import OfcRules
from ledger.games.plans import (
    ADDITIONAL_WAGERS,
    PLAN_BYTES_MAX,
    ChainPlans,
    document,
    games,
    only_published,
    plan,
    plans_of,
    read_new_plan,
    versions,
)
from ledger.games.poker.outcome import PokerOutcome
from ledger.games.poker.rules import HandRules
from ledger.games.roulette.composites import Neighbours
from ledger.games.roulette.spin import RouletteOutcome, colour_of
from ledger.games.settlement import (
    describe,
    reason_for_single_players,
    settle,
    settle_line,
    settle_round,
    table_problem,
    wager_problem,
)
from ledger.games.tournament.entries import ENTRIES
from ledger.games.tournament.outcome import Deal, Playout, TournamentOutcome
from ledger.games.tournament.plan import TournamentPlan
from ledger.games.wheels.plan import WheelOutcome

__all__ = [
    "ADDITIONAL_WAGERS",
    "BURN",
    "DECK",
    "ENTRIES",
    "PLAN_BYTES_MAX",
    "RANKS",
    "ROW_SIZES",
    "SHARED_FIELDS",
    "Action",
    "BaccaratOutcome",
    "Card",
    "CasinoHoldemOutcome",
    "ChainPlans",
    "ChipsBack",
    "Code",
    "CombinationFacts",
    "CoupFacts",
    "Deal",
    "DealShare",
    "Disconnect",
    "Explanation",
    "Facts",
    "FieldFacts",
    "GamePlan",
    "HandFacts",
    "HandPlan",
    "HandRules",
    "MadeFacts",
    "Neighbours",
    "OfcOutcome",
    "OfcRules",
    "Outcome",
    "PairFacts",
    "Phase",
    "PlaceFacts",
    "PlanError",
    "PlanHeader",
    "PlanInterpretation",
    "PlayedFor",
    "Playout",
    "PointsFacts",
    "PointsPaid",
    "PokerOutcome",
    "PotFacts",
    "PotShare",
    "PotsFacts",
    "PrizeShare",
    "RakeTaken",
    "RankedHand",
    "Reason",
    "RecordedCard",
    "Result",
    "ResultLine",
    "RouletteOutcome",
    "RoundFacts",
    "RoundResult",
    "SettlementError",
    "ShowdownFacts",
    "ShownHand",
    "SpinFacts",
    "StakeBack",
    "StakeRange",
    "TableLimits",
    "Term",
    "TournamentOutcome",
    "TournamentPlan",
    "UltimateHoldemOutcome",
    "UncalledBack",
    "UnknownGameError",
    "Void",
    "VoidFacts",
    "Wager",
    "WheelOutcome",
    "Winnings",
    "colour_of",
    "describe",
    "document",
    "fantasyland_cards",
    "format_amount",
    "games",
    "is_among_players",
    "is_tournament",
    "ofc_rules_of",
    "only_published",
    "parse_amount",
    "parse_cards",
    "plan",
    "plans_of",
    "poker_rules_of",
    "rank_set",
    "read_new_plan",
    "read_request",
    "reason_for_single_players",
    "recorded_action",
    "settle",
    "settle_line",
    "settle_round",
    "table_problem",
    "versions",
    "wager_problem",
]
