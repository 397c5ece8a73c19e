"""What a command takes and what may refuse it, as the program's help and the API tell it.

Everything comes from where it is decided: fields from the command's class, units from the
schemas of the events with the same field, codes of refusals from the decision.
"""

from __future__ import annotations

from functools import cache
from inspect import getdoc
from string import Formatter
from typing import TYPE_CHECKING, Any

import msgspec

import schemas
from ledger.core.refusals import REFUSALS, Refusal, RefusedError
from ledger.decisions.decider import refusals_of
from ledger.rules.operator import rules_of

if TYPE_CHECKING:
    from ledger.core.command import Command

__all__ = ["COMMON", "fields_of", "refusals_told", "story_of", "unit_of"]

RULES = rules_of("")
"""It is asked for without a chain: its figures and paragraphs are those of everybody else."""
COMMON = {"command_id", "occurred_at", "actor", "source"}
"""Fields of every command."""


def story_of(command: type[Command]) -> str:
    """Return what the class says of a command."""
    return (getdoc(command) or "").replace("``", "`").replace(":class:", "")


def fields_of(command: type[Command]) -> list[Any]:
    """Return the fields of a command as msgspec tells them."""
    return list(msgspec.inspect.type_info(command).fields)  # type: ignore[attr-defined]


def refusals_told(command: type[Command]) -> list[Refusal]:
    """Return what may refuse a command, in the order of judgement.

    The sentences have the operator's figures, and places for their details.
    """
    return [_told(code) for code in refusals_of(command)]


def unit_of(field: str) -> str:
    """Name the unit of a number by the name of its field, or nothing."""
    return ", ".join(sorted(_units().get(field, ())))


def _told(code: str) -> Refusal:
    places = {name for _, name, _, _ in Formatter().parse(REFUSALS[code]) if name}
    details = {name: f"{{{name}}}" for name in places if name.isidentifier()}
    return RULES.refusal(RefusedError(code, **details))


@cache
def _units() -> dict[str, set[str]]:
    units: dict[str, set[str]] = {}
    for schema in schemas.newest().values():
        for fact in schema.facts:
            if "unit" in fact:
                units.setdefault(fact["name"], set()).add(
                    fact["unit"].replace("haler", "haléř (1/100 CZK)")
                )
    return units
