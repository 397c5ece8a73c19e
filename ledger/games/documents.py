"""JSON documents of the settlement contract: requests and responses.

`read_request` checks the shape of all fields common to all games and returns typed values; the
fields of the outcome that belong to one family stay a document, which that family parses.
`result_document` and `error_document` create the two kinds of response. Unused fields are accepted;
a field of the contract with a wrong type is rejected with MALFORMED_REQUEST.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from ledger.games.api.contract import (
    Action,
    Disconnect,
    Outcome,
    ResultLine,
    RoundResult,
    SettlementError,
    StakeRange,
    TableLimits,
    Void,
    Wager,
    format_amount,
    read,
)
from ledger.games.api.typed import Document


@dataclass(frozen=True, slots=True)
class Request:
    """A request of valid shape; the family of the game parses `outcome`."""

    game: str
    table: TableLimits
    wagers: tuple[Wager, ...]
    actions: tuple[Action, ...]
    void: Void | None
    disconnects: tuple[Disconnect, ...]
    outcome: Document


class _Request(Struct, frozen=True):
    id: str
    game: str
    wagers: Annotated[tuple[Wager, ...], Meta(min_length=1)]
    outcome: Document
    table: StakeRange = StakeRange()
    actions: tuple[Document, ...] = ()


class _Action(Struct, frozen=True):
    player: str
    type: str


def read_request(value: object) -> Request:
    """Parse a JSON value as a request.

    Raises:
        SettlementError: MALFORMED_REQUEST, and nothing else.

    """
    request = read(value, _Request, "request")
    actions = [(read(fields, _Action, "action"), fields) for fields in request.actions]
    outcome = read(request.outcome, Outcome, "outcome")
    return Request(
        game=request.game,
        table=TableLimits(request.table),
        wagers=request.wagers,
        actions=tuple(Action(action.player, action.type, fields) for action, fields in actions),
        void=outcome.void,
        disconnects=outcome.disconnects,
        outcome=request.outcome,
    )


def request_id(value: object) -> str | None:
    """Return the id that the caller gave the request; None if it has none."""
    identifier = value.get("id") if isinstance(value, dict) else None
    return identifier if isinstance(identifier, str) else None


def result_document(identifier: str | None, result: RoundResult) -> Document:
    """Return the response to a settled request."""
    return {
        "id": identifier,
        "wagers": [_line_document(line) for line in result.lines],
        "total_staked": format_amount(result.staked_haler),
        "total_payout": format_amount(result.payout_haler),
        **result.details,
    }


def error_document(identifier: str | None, error: SettlementError) -> Document:
    """Return the response to a rejected request."""
    return {"id": identifier, "error": {"code": error.code.value, "message": error.message}}


def _line_document(line: ResultLine) -> Document:
    document: Document = {
        "id": line.id,
        "stake": format_amount(line.stake_haler),
        "result": line.result.value,
        "payout": format_amount(line.payout_haler),
        "rule": line.rule,
    }
    if line.parent is not None:
        document["parent"] = line.parent
    return document
