"""Describe the fields and refusals of commands, for command-line help and the API description.

Everything is derived from the code that decides: fields from the command's class, units from the
schemas of the events with the same field, refusal codes from the decision. Numbers and paragraphs
are those of the chain's operator; without a chain they stay placeholders.
"""

from __future__ import annotations

from functools import cache
from inspect import getdoc
from typing import TYPE_CHECKING, Any

import msgspec

import schemas
from ledger.core.phrases import placeholders_of, render, render_value_english
from ledger.core.refusals import Refusal
from ledger.core.texts import REFUSALS
from ledger.decisions.decider import refusals_of
from ledger.rules import law

if TYPE_CHECKING:
    from ledger.events.command import Command
    from ledger.rules.operator import OperatorRules

__all__ = ["COMMON", "describe_command", "describe_refusals", "fields_of", "unit_of"]

COMMON = {"command_id", "occurred_at", "actor", "source"}
"""Fields of every command."""
OF_OPERATOR = "rules of operation"
"""Paragraph of a refusal that each operator's rules fix."""


def describe_command(command: type[Command]) -> str:
    """Return the docstring of a command's class, formatted for users."""
    return (getdoc(command) or "").replace("``", "`").replace(":class:", "")


def fields_of(command: type[Command]) -> list[Any]:
    """Return the fields of a command as msgspec inspects them."""
    return list(msgspec.inspect.type_info(command).fields)  # type: ignore[attr-defined]


def describe_refusals(command: type[Command], rules: OperatorRules | None) -> list[Refusal]:
    """Return the refusals of a command, in the order in which they are checked.

    Args:
        command: its class.
        rules: the rules of the chain; None writes numbers as their names, and paragraphs that an
            operator fixes as ``rules of operation``.

    """
    return [_describe(code, rules) for code in refusals_of(command)]


def unit_of(field: str) -> str:
    """Return the unit of a number by the name of its field; empty if it has none."""
    return ", ".join(sorted(_units().get(field, ())))


def _describe(code: str, rules: OperatorRules | None) -> Refusal:
    text = REFUSALS[code]
    figures = {} if rules is None else rules.figures_of(code)
    paragraph = law.REFUSALS.get(code, OF_OPERATOR) if rules is None else rules.paragraph(code)

    def show(name: str, kind: str, value: int | None) -> str:
        return _place(name) if value is None else render_value_english(name, kind, value)

    return Refusal(
        code, render(text, dict.fromkeys(placeholders_of(text)) | figures, show), paragraph
    )


def _place(name: str) -> str:
    """Return a placeholder for a value; that of a rule's number is named after the number."""
    return f"{{{name.split('.')[1] if '.' in name else name}}}"


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
