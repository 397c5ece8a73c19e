"""JSON documents of the settlement contract: request in, answer out.

`read_request` checks the shape of everything that all games share and gives typed values; the
fields of the outcome that belong to one family stay a document for that family to read.
`result_document` and `error_document` write the two kinds of answer. Fields that a game does not
use are not refused; a field of the contract with a wrong type is, with MALFORMED_REQUEST.
"""

from __future__ import annotations

from dataclasses import dataclass

from ledger.games.api.contract import (
    Action,
    Code,
    Disconnect,
    ResultLine,
    RoundResult,
    SettlementError,
    StakeRange,
    TableLimits,
    Void,
    Wager,
    format_amount,
    parse_amount,
)
from ledger.games.api.shapes import (
    Document,
    as_document,
    flag,
    optional_documents,
    optional_list,
    optional_text,
    text,
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request whose shape is right; `outcome` is left to the family of the game."""

    game: str
    table: TableLimits
    wagers: tuple[Wager, ...]
    actions: tuple[Action, ...]
    void: Void | None
    disconnects: tuple[Disconnect, ...]
    outcome: Document


def read_request(value: object) -> Request:
    """Turn a JSON value into a request.

    Raises:
        SettlementError: MALFORMED_REQUEST, and nothing else.

    """
    document = as_document(value, "request")
    text(document, "id", "request")
    outcome = as_document(document.get("outcome"), "outcome")
    wagers = optional_documents(document, "wagers", "request")
    if not wagers:
        raise SettlementError(Code.MALFORMED_REQUEST, "request.wagers must hold at least one wager")
    return Request(
        game=text(document, "game", "request"),
        table=_read_table(document),
        wagers=tuple(_read_wager(wager, f"wagers[{n}]") for n, wager in enumerate(wagers)),
        actions=tuple(
            Action(text(action, "player", "action"), text(action, "type", "action"), action)
            for action in optional_documents(document, "actions", "request")
        ),
        void=_read_void(outcome),
        disconnects=tuple(
            Disconnect(text(entry, "player", "disconnect"), text(entry, "phase", "disconnect"))
            for entry in optional_documents(outcome, "disconnects", "outcome")
        ),
        outcome=outcome,
    )


def request_id(value: object) -> str | None:
    """Return the id by which the caller knows the request; None when it has none."""
    identifier = value.get("id") if isinstance(value, dict) else None
    return identifier if isinstance(identifier, str) else None


def result_document(identifier: str | None, result: RoundResult) -> Document:
    """Write the answer to a settled request."""
    return {
        "id": identifier,
        "wagers": [_line_document(line) for line in result.lines],
        "total_staked": format_amount(result.staked_haler),
        "total_payout": format_amount(result.payout_haler),
        **result.details,
    }


def error_document(identifier: str | None, error: SettlementError) -> Document:
    """Write the answer to a refused request."""
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


def _read_table(document: Document) -> TableLimits:
    if "table" not in document:
        return TableLimits()
    table = as_document(document["table"], "table")
    return TableLimits(
        StakeRange(_read_optional_amount(table, "min"), _read_optional_amount(table, "max"))
    )


def _read_optional_amount(table: Document, key: str) -> int | None:
    written = optional_text(table, key, "table")
    if written is None:
        return None
    haler = parse_amount(written)
    if haler is None:
        raise SettlementError(
            Code.MALFORMED_REQUEST, f"table.{key} must be an amount such as 50.00"
        )
    return haler


def _read_wager(document: Document, where: str) -> Wager:
    chip = optional_text(document, "chip", where)
    return Wager(
        id=text(document, "id", where),
        player=text(document, "player", where),
        bet=text(document, "bet", where),
        stake_haler=parse_amount(text(document, "stake", where)) or 0,
        selection=document.get("selection"),
        box=optional_text(document, "box", where),
        late=flag(document, "late", where),
        chip_haler=None if chip is None else parse_amount(chip) or 0,
        streets_haler=_read_streets(document, where),
        all_in=flag(document, "all_in", where),
    )


def _read_streets(document: Document, where: str) -> dict[str, int] | None:
    if "streets" not in document:
        return None
    streets = as_document(document["streets"], f"{where}.streets")
    amounts = {
        street: parse_amount(text(streets, street, f"{where}.streets")) for street in streets
    }
    return {street: -1 if haler is None else haler for street, haler in amounts.items()}


def _read_void(outcome: Document) -> Void | None:
    if "void" not in outcome:
        return None
    void = as_document(outcome["void"], "outcome.void")
    players = None
    if "players" in void:
        listed = optional_list(void, "players", "outcome.void")
        players = tuple(player for player in listed if isinstance(player, str))
        if len(players) != len(listed):
            raise SettlementError(Code.MALFORMED_REQUEST, "outcome.void.players must hold strings")
    return Void(
        reason=text(void, "reason", "outcome.void"),
        players=players,
        reconstructable=flag(void, "reconstructable", "outcome.void"),
    )
