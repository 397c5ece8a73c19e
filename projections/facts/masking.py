"""Mask other participants in a document: numbers replace their accounts.

What comes in: a result (dataclasses, tuples, dicts, texts) and its participant. What goes out: the
same with each other account as ``player 2``, ``player 3``, …, in the order of their first
appearance, and with their bets as ``player 2 bet 1``. Amounts, cards and decisions remain, because
a settlement cannot be checked without them. Free text is searched for identifiers, not for names.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

import schemas

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.facts.facts import Fact

__all__ = ["accounts_in", "masked", "masked_facts"]

Document = TypeVar("Document")


def accounts_in(facts: Iterable[Fact]) -> list[str]:
    """Return the accounts that facts concern, in the order of their first appearance."""
    found: dict[str, None] = {}
    for fact in facts:
        for field in schemas.newest()[fact.event].facts:
            if field.get("tag") == "account":
                value = fact.facts.get(field["name"], "")
                found |= dict.fromkeys([value] if isinstance(value, str) else value)
    found.pop("", None)
    return list(found)


def masked_facts(document: Document, facts: Iterable[Fact], own: str) -> Document:
    """Mask a document that was made from facts, including the bets of other participants."""
    known = list(facts)
    bets = [
        (fact.facts["bet"], fact.facts["account"])
        for fact in known
        if {"bet", "account"} <= fact.facts.keys()
    ]
    return masked(document, accounts_in(known), own, bets=bets)


def masked(
    document: Document,
    accounts: Iterable[str],
    own: str,
    *,
    bets: Iterable[tuple[str, str]] = (),
) -> Document:
    """Replace the accounts of other participants by numbers.

    Args:
        document: the result to mask.
        accounts: all accounts in it.
        own: the participant's account.
        bets: identifiers of bets with their accounts, which are masked, too, because they may
            contain names.

    """
    others = [name for name in dict.fromkeys(accounts) if name != own]
    names = {name: f"player {number}" for number, name in enumerate(others, 2)}
    counts = dict.fromkeys(others, 0)
    for bet, account in bets:
        if account in counts and bet not in names:
            counts[account] += 1
            names[bet] = f"{names[account]} bet {counts[account]}"
    if not names:
        return document
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile(
        rf"(?<![\w-])(?<!\d[.:])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]|[.:]\d)"
    )
    found: Document = _replaced(document, pattern, names)
    return found


def _replaced(value: Any, pattern: re.Pattern[str], names: dict[str, str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda found: names[found[0]], value)
    if isinstance(value, dict):
        return {
            _replaced(key, pattern, names): _replaced(item, pattern, names)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return type(value)([_replaced(item, pattern, names) for item in value])
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: _replaced(getattr(value, field.name), pattern, names)
            for field in fields(value)
        }
        return replace(value, **changed)
    if isinstance(value, Struct):
        parts = {
            name: _replaced(getattr(value, name), pattern, names)
            for name in value.__struct_fields__
        }
        return type(value)(**parts)
    return value
