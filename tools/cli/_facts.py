"""Format events as text and as JSON: the same for ``log show``, ``log export`` and replays."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

import schemas
from projections.facts.rendering import currency_of
from tools.cli._output import moment, money
from tools.data.documents import as_document

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from ledger.events.event_types import Event
    from projections.replay.round import Fact

__all__ = ["ENVELOPE_MOMENTS", "as_document", "in_time", "in_words", "moments_of", "with_moments"]

TEXT_MAX = 60
FIRST = ("account", "round", "table", "bet")
ENVELOPE_MOMENTS = frozenset({"recorded_at", "occurred_at"})


def in_words(event: Event, *, without: frozenset[str] = frozenset()) -> str:
    """Format the facts of an event on a line: ids first, money in its currency, times in Prague."""
    facts = msgspec.structs.asdict(event)
    units = _units(type(event).__name__)
    names = [name for name in FIRST if name in facts]
    names += [name for name in facts if name not in FIRST]
    parts = []
    for name in names:
        value = facts[name]
        if name in without or value in ("", (), None):
            continue
        currency = currency_of(type(event).__name__, facts, name)
        shown = _value_in_words(name, value, units.get(name, ""), event, currency)
        parts.append(f"{name} {shown}")
    return ", ".join(parts)


def _value_in_words(name: str, value: Any, unit: str, event: Event, currency: str) -> str:
    if name in event.PERSONAL:
        return "(sealed)"
    if isinstance(value, bytes):
        return value.hex()[:16]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"[{len(value)}]"
    if unit == "haler":
        return f"{money(value)} {currency}"
    if unit == "microseconds":
        return moment(value) if value else "none"
    text = " ".join(str(value).split())
    return text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}…"


def in_time(fact: Fact, text: str = "") -> str:
    """Format a fact, and when it happened if that differs from when it was recorded."""
    return f"{text or fact.sentence} [{fact.timing}]" if fact.timing else text or fact.sentence


def moments_of(name: str) -> frozenset[str]:
    """Return the names of the facts of an event type that are timestamps."""
    return frozenset(field for field, unit in _units(name).items() if unit == "microseconds")


def with_moments(document: Mapping[str, Any], moments: Container[str]) -> list[tuple[str, object]]:
    """Return facts with each timestamp as recorded, followed by its text in Prague time."""
    return [
        (name, f"{value} ({moment(value)} in Prague)" if name in moments and value else value)
        for name, value in document.items()
    ]


@cache
def _units(name: str) -> dict[str, str]:
    return {
        field["name"]: field["unit"] for field in schemas.newest()[name].facts if "unit" in field
    }
