"""Settle a round, from a JSON document or from typed values.

`settle` and `settle_line` answer every request, even an invalid one, with a document of the
contract. `settle_round` and `wager_problem` do the same with typed values for the ledger itself:
placing a bet, settling a round, and settling it again in a replay under the plan version of that
day.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import (
    Action,
    Code,
    Outcome,
    RoundResult,
    SettlementError,
    TableLimits,
    Wager,
)
from ledger.games.documents import error_document, read_request, request_id, result_document
from ledger.games.plans import plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.games.api.game_plan import GamePlan
    from ledger.games.api.typed import Document

_NO_LIMITS = TableLimits()


def settle(request: object) -> Document:
    """Answer one request document; never raises for what the request contains."""
    identifier = request_id(request)
    try:
        parsed = read_request(request)
        game_plan = plan(parsed.game)
        outcome = game_plan.read_outcome(parsed.outcome, parsed.void, parsed.disconnects)
        result = game_plan.settle_round(parsed.wagers, parsed.actions, outcome, parsed.table)
    except SettlementError as error:
        return error_document(identifier, error)
    return result_document(identifier, result)


def settle_line(line: str | bytes) -> str:
    """Answer one line of JSON with one line of JSON, even if the line is not JSON.

    Bytes are decoded as UTF-8 only, without a byte order mark. A duplicate key, NaN and Infinity
    are rejected, because parsers disagree about their meaning.
    """
    try:
        request = json.loads(
            line.removeprefix(BOM_UTF8).decode() if isinstance(line, bytes) else line,
            object_pairs_hook=_object_without_repeats,
            parse_constant=_refuse_constant,
        )
    except SettlementError as error:
        return json.dumps(error_document(None, error))
    except (ValueError, RecursionError):
        return json.dumps(
            error_document(None, SettlementError(Code.MALFORMED_REQUEST, Phrase("LINE_NOT_JSON")))
        )
    return json.dumps(settle(request))


def settle_round(
    game_plan: GamePlan,
    wagers: Sequence[Wager],
    actions: Sequence[Action],
    outcome: Outcome,
    *,
    table: TableLimits = _NO_LIMITS,
) -> RoundResult:
    """Settle every wager of a round under one plan version.

    Raises:
        SettlementError: the first problem, in the order of the contract.

    """
    return game_plan.settle_round(wagers, actions, outcome, table)


def wager_problem(
    game_plan: GamePlan,
    wager: Wager,
    *,
    placed: Sequence[Wager] = (),
    table: TableLimits = _NO_LIMITS,
) -> SettlementError | None:
    """Return why a wager may not be placed, or None.

    Args:
        game_plan: the plan version in force.
        wager: the chips to be placed.
        placed: the same player's wagers already placed in this round.
        table: narrower limits, checked by `table_problem` when the table was opened.

    """
    return game_plan.wager_problem(wager, placed, table)


def table_problem(game_plan: GamePlan, table: TableLimits) -> SettlementError | None:
    """Return why a table may not have these limits under this plan, or None."""
    return game_plan.table_problem(table)


def reason_for_single_players(game_plan: GamePlan) -> str | None:
    """Return a reason for which bets of single players may be void; None if there is none."""
    reasons = game_plan.header.void_reasons
    return next((reason for reason in reasons if game_plan.may_void(reason, everybody=False)), None)


def describe(game_plan: GamePlan, bet: str, selection: object = None) -> str:
    """Return a description of a bet's positions, such as "split 17/20".

    Raises:
        SettlementError: UNKNOWN_BET or INVALID_SELECTION.

    """
    return game_plan.describe(bet, selection)


def _object_without_repeats(pairs: list[tuple[str, object]]) -> Document:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("KEY_TWICE"))
    return document


def _refuse_constant(name: str) -> object:
    raise SettlementError(Code.MALFORMED_REQUEST, Phrase("DOCUMENT_NOT_JSON", name=name))
