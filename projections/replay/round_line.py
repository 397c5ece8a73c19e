"""One round as a line of a list; see :class:`RoundLine`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.facts.facts import Fact

__all__ = ["MOVES", "RoundLine", "Status", "line_of_facts", "round_line"]

Status = Literal["open", "closed", "resulted", "settled", "voided"]
MOVES = """
    SELECT round, 1 AS bets, amount AS stakes, 0 AS paid, 1 AS open FROM BetConcluded {where}
    UNION ALL SELECT round, -1, -amount, 0, -1 FROM BetVoided {where}
    UNION ALL SELECT round, 0, 0, paid, -1 FROM BetSettled {where}
    UNION ALL SELECT round, 0, 0, difference, 0 FROM WinCorrected {where}
    UNION ALL SELECT round, 0, difference, 0, 0 FROM BetCorrected {where}
    UNION ALL SELECT round, 0, 0, -collected - claimed, 0 FROM PrizeWithheld {where}
    UNION ALL SELECT round, in_hand = amount, amount, 0, 0
        FROM HandAction {where} AND tournament = '' AND amount != 0
    UNION ALL SELECT round, 0, -amount, 0, 0 FROM UncalledReturned {where} AND tournament = ''
    UNION ALL SELECT round, -length(accounts), -arraySum(amounts), 0, 0
        FROM MisdealDeclared {where} AND tournament = ''
    UNION ALL SELECT round, 0, 0, arraySum(paid), 0 FROM PotAwarded {where} AND tournament = ''
    UNION ALL SELECT round, 0, 0, arraySum(paid), 0 FROM PointsSettled {where} AND tournament = ''
"""


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round of a list.

    ``bets`` are those concluded and not voided, ``stakes`` their sum and ``paid`` what was
    paid on them, both with corrections; ``house_result`` is the difference once nothing is
    open, and until then counts open bets as lost. Moments are ``None`` where the fact is
    missing.
    """

    round: str
    table: str
    game: str
    plan_version: str
    streamed: bool
    opened_position: int
    opened_at: int
    closed_at: int | None
    resulted_at: int | None
    voided_at: int | None
    wording: str
    bets: int
    stakes: int
    paid: int
    house_result: int
    status: Status


def round_line(row: dict[str, Any], money: dict[str, int]) -> RoundLine:
    """Make a line of a round's facts and its sums of ``MOVES``."""
    return RoundLine(
        **row,
        bets=money["bets"],
        stakes=money["stakes"],
        paid=money["paid"],
        house_result=money["stakes"] - money["paid"],
        status=_status(row, is_open=money["open"] > 0),
    )


def _status(row: dict[str, Any], *, is_open: bool) -> Status:
    if row["resulted_at"] is not None:
        return "resulted" if is_open else "settled"
    if row["voided_at"] is not None:
        return "voided"
    return "closed" if row["closed_at"] is not None else "open"


def line_of_facts(name: str, facts: Sequence[Fact]) -> RoundLine | None:
    """Make the line of a round from its facts, as the list does; None without an opening."""
    first: dict[str, Fact] = {}
    money = dict.fromkeys(("bets", "stakes", "paid", "open"), 0)
    for fact in facts:
        first.setdefault(fact.event, fact)
        for entry, change in _moves(fact).items():
            money[entry] += change
    opened = first.get("RoundOpened")
    if opened is None:
        return None
    closed, resulted, voided = (
        first[event].recorded_at if event in first else None
        for event in ("BetsClosed", "RoundResulted", "RoundVoided")
    )
    row = {
        "round": name,
        **{key: opened.facts[key] for key in ("table", "game", "plan_version", "streamed")},
        "opened_position": opened.position,
        "opened_at": opened.recorded_at,
        "closed_at": closed,
        "resulted_at": resulted,
        "voided_at": voided,
        "wording": first["RoundResulted"].facts["wording"] if resulted is not None else "",
    }
    return round_line(row, money)


def _moves(fact: Fact) -> dict[str, int]:
    """Return what a fact does to bets, stakes, payments and open bets; as ``MOVES`` in SQL."""
    facts = fact.facts
    match fact.event:
        case "BetConcluded":
            return {"bets": 1, "stakes": facts["amount"], "open": 1}
        case "BetVoided":
            return {"bets": -1, "stakes": -facts["amount"], "open": -1}
        case "BetSettled":
            return {"paid": facts["paid"], "open": -1}
        case "WinCorrected":
            return {"paid": facts["difference"]}
        case "BetCorrected":
            return {"stakes": facts["difference"]}
        case "PrizeWithheld":
            return {"paid": -facts["collected"] - facts["claimed"]}
    return {} if facts.get("tournament") else _moves_of_hand(fact)


def _moves_of_hand(fact: Fact) -> dict[str, int]:
    """Return what a fact of a hand among players does; what a player has in it is one bet."""
    facts = fact.facts
    match fact.event:
        case "HandAction" if facts["amount"]:
            is_first = facts["in_hand"] == facts["amount"]
            return {"bets": int(is_first), "stakes": facts["amount"]}
        case "UncalledReturned":
            return {"stakes": -facts["amount"]}
        case "MisdealDeclared":
            return {"bets": -len(facts["accounts"]), "stakes": -sum(facts["amounts"])}
        case "PotAwarded" | "PointsSettled":
            return {"paid": sum(facts["paid"])}
    return {}
