"""The table of movements against the schemas: every money column moves, or it is said why not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.decisions.movements import MOVEMENTS, PLAYERS, If, terms

if TYPE_CHECKING:
    from ledger.decisions.movements import Leg
    from ledger.events import event_types as e

MOVES_NOTHING = {
    "a sum of what other columns or events move": {
        "AccountStatement": "opening deposits withdrawals fees stakes winnings corrections closing "
        "reserved in_play",
        "BalancesClosed": "total",
        "BetsClosed": "stakes",
        "HandAction": "total in_hand",
        "PointsSettled": "amounts",
        "PotAwarded": "amount",
        "PrizePoolFixed": "money_pool fee top_up prize_pool",
        "PrizeWithheld": "amount",
        "RakeTaken": "pot",
        "TournamentEnded": "prize_pool",
        "OperatingDayClosed": "books_amounts",
        "SectionClosed": "result",
        "CageCounted": "denominations",
        "TableFloatCounted": "denominations",
        "DropCounted": "denominations",
        "FillReceived": "denominations",
        "CreditReturned": "denominations",
    },
    "what is due by the plan; what was taken or paid stands beside it or in another event": {
        "BetSettled": "due",
        "PointsSettled": "due",
        "PotAwarded": "due rake",
        "RakeTaken": "due",
        "TournamentPrizePaid": "due",
    },
    "a price, a value or a limit for what comes": {
        "HandStarted": "small_blind big_blind ante time_fee point_value pair_values stop_losses",
        "RakeTaken": "cap",
        "TableLimitsSet": "minimums maximums round_maximum",
        "TournamentAnnounced": "guarantee buy_in rebuy addon",
        "JackpotState": "amount",
        "MatchingRulesSet": "tolerance write_off_max",
        "TimeCollectionAnnounced": "amount",
        "ChipsLaid": "chip",
        "BetImprisoned": "chip",
        "ColourChipsIssued": "chip",
        "ColourChipsReturned": "chip",
    },
    "agreed or announced; the events that follow move it": {
        "DealAgreed": "shares playout",
        "PlayerDecided": "stake",
        "WriteOffProposed": "amount",
    },
    "what a reconciliation found; what corrects it moves": {
        "FindingRaised": "amount ours_amount theirs_amount"
    },
    "shown to the participant": {"InformationShown": "net_result"},
    "kept by the platform": {"BonusAnnounced": "stake_day_max", "BonusGranted": "amount"},
    "what others say; ours is compared with it": {
        "StatementImported": "opening closing incoming outgoing fees stakes paid",
        "StatementLinesRecorded": "incoming outgoing fees stakes paid amounts line_fees "
        "line_stakes line_paid",
    },
    "refused": {"BetRefused": "stake", "DepositRefused": "amount", "WithdrawalRefused": "amount"},
}
"""Why a money column moves nothing: reason, event, columns. A new column is thought about here."""


def money_columns() -> set[tuple[str, str]]:
    """Name the columns whose schema says that they are haléř."""
    return {
        (schema.name, field["name"])
        for schema in schemas.newest().values()
        for field in schema.facts
        if field.get("unit") == "haler"
    }


def columns_of(legs: tuple[Leg, ...]) -> set[str]:
    return {column for _, amount in legs for _, column in terms(amount)}


def moved() -> set[tuple[str, str]]:
    return {
        (event.__name__, column)
        for event, movement in MOVEMENTS.items()
        for column in columns_of(movement.legs + movement.each)
    }


@pytest.mark.law("SAZKA 10(2)")
def test_every_money_column_moves_or_says_why_it_does_not() -> None:
    """Who adds one gives its event a movement, or names a reason above."""
    told = [
        (event, column)
        for reason in MOVES_NOTHING.values()
        for event, columns in reason.items()
        for column in columns.split()
    ]
    assert len(told) == len(set(told))
    assert moved() | set(told) == money_columns()
    assert not moved() & set(told)


@pytest.mark.parametrize("event", MOVEMENTS, ids=lambda event: event.__name__)
def test_what_an_event_moves_cancels_out_whatever_its_columns_hold(event: type[e.Event]) -> None:
    """For each account by itself: legs of one player, of each player, and of none."""
    movement = MOVEMENTS[event]
    for legs in (movement.legs, movement.each):
        signs: Counter[str] = Counter()
        for _, amount in legs:
            signs.update({column: sign for sign, column in terms(amount)})
        assert set(signs.values()) <= {0}


@pytest.mark.parametrize("event", MOVEMENTS, ids=lambda event: event.__name__)
def test_movements_name_columns_that_there_are(event: type[e.Event]) -> None:
    movement = MOVEMENTS[event]
    types = {field["name"]: field["type"] for field in schemas.newest()[event.__name__].facts}
    assert {types[column] for column in columns_of(movement.legs)} <= {"long"}
    for column in columns_of(movement.each):
        assert types[column] == {"type": "array", "items": "long"}
    if movement.each:
        assert types["accounts"] == {"type": "array", "items": "string"}
        assert all(isinstance(kind, str) for kind, _ in movement.each)
    if movement.when:
        column, value = movement.when
        assert types[column] == ("boolean" if value is True else "string")
    assert movement.legs or movement.each
    kinds = {kind for kind, _ in movement.legs}
    kinds |= {one for kind in kinds if isinstance(kind, If) for one in (kind.kind, kind.otherwise)}
    if kinds & PLAYERS:
        assert types["account"] == "string"
