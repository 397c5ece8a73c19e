"""The postings in SQL, one materialized view an event type, from the table of movements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ledger.decisions.movements import MOVEMENTS, If
from projections.store.reader_views import stem
from schemas import newest

if TYPE_CHECKING:
    from ledger.decisions.movements import Movement

__all__ = ["condition", "movements_sql"]

HEADER = """\
-- The postings of each event that moves money. Generated from ledger/decisions/movements.py: do
-- not edit. Source: the events named by the views. Key, ordering and idempotence: as the table
-- postings. Where arrays of an event have different lengths, what is missing counts 0.
"""
VIEW = """\
CREATE MATERIALIZED VIEW IF NOT EXISTS postings_of_{stem} TO postings AS
{before}SELECT
    position, {posting}, recorded_at, {kind},
    {account}, {round}, {bet},
    '{event}' AS event, {amount} AS amount
FROM {event}
ARRAY JOIN
{join}
WHERE {amount} != 0{when};
"""
EMPTY = "''"
COLUMN, AT_SEAT = re.compile(r"\w+"), r"\g<0>[seat]"
BRACES = re.compile(r"\{(\w+)\}")


def movements_sql() -> str:
    """Write ``projections/sql/0210_movements.sql``."""
    views = [_view(event.__name__, movement) for event, movement in MOVEMENTS.items()]
    return "\n".join([HEADER, *views])


def condition(movement: Movement) -> str:
    """Write when an event moves anything; empty for always."""
    if movement.when is None:
        return ""
    column, value = movement.when
    return column if value is True else f"{column} = '{value}'"


def _view(event: str, movement: Movement) -> str:
    columns = {field["name"] for field in newest()[event].facts}
    stake = "concat('tournament:', tournament)" if "tournament" in columns else EMPTY
    otherwise = {"account": EMPTY, "round": EMPTY, "bet": stake}
    when = condition(movement)
    texts = {"stem": stem(event), "event": event, "when": when and f" AND {when}"}
    if movement.each:
        otherwise |= {"account": "leg.2", "bet": "leg.3"}
        bet = "bets[seat]" if "bets" in columns else stake
        texts |= {"posting": "number - 1 AS posting", "kind": "leg.1 AS kind", "amount": "leg.4"}
        texts["before"] = _of_each(movement, bet, stake)
        texts["join"] = "    legs AS leg,\n    arrayEnumerate(legs) AS number"
    else:
        texts |= {"posting": "posting", "kind": "kind", "amount": "moved", "before": ""}
        texts["join"] = _of_one(movement)
    for name, expression in otherwise.items():
        texts[name] = name if name in columns else f"{expression} AS {name}"
    return VIEW.format_map(texts)


def _of_one(movement: Movement) -> str:
    numbers = ", ".join(str(number) for number in range(len(movement.legs)))
    kinds = ", ".join(_kind(kind) for kind, _ in movement.legs)
    amounts = ", ".join(amount for _, amount in movement.legs)
    return f"    [{numbers}] AS posting,\n    [{kinds}] AS kind,\n    [{amounts}] AS moved"


def _of_each(movement: Movement, bet: str, stake: str) -> str:
    """Write the postings of each of the accounts, and those of none behind them."""
    each = [
        f"({_kind(kind)}, accounts[seat], {bet}, {COLUMN.sub(AT_SEAT, amount)})"
        for kind, amount in movement.each
    ]
    seats = "        " + ",\n        ".join(each)
    legs = f"arrayFlatten(arrayMap(seat -> [\n{seats}\n    ], arrayEnumerate(accounts)))"
    if movement.legs:
        more = [f"({_kind(kind)}, {EMPTY}, {stake}, {amount})" for kind, amount in movement.legs]
        rest = ",\n        ".join(more)
        legs = f"arrayConcat({legs}, [\n        {rest}\n    ])"
    return f"WITH\n    {legs} AS legs\n"


def _kind(kind: str | If) -> str:
    if isinstance(kind, If):
        branches = f"{_kind(kind.kind)}, {_kind(kind.otherwise)}"
        return f"if({kind.column} = '{kind.value}', {branches})"
    texts = BRACES.split(kind)
    parts = [text if number % 2 else f"'{text}'" for number, text in enumerate(texts) if text]
    return f"concat({', '.join(parts)})" if len(parts) > 1 else parts[0]
