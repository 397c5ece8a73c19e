"""Duties in plain Python: a walk over events for each fact that begins one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import holidays

from ledger.events.encoding import decode
from ledger.rules.deadlines import DEADLINES
from projections.findings.headers import known_duties

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.rules.deadlines import Deadline
    from ledger.rules.operator import OperatorRules
    from projections.findings.duties import Duty, FactPattern

PRAGUE = ZoneInfo("Europe/Prague")


@dataclass(frozen=True)
class Recorded:
    position: int
    moment: int
    event: Any


def records_of(messages: Sequence[bytes]) -> list[Recorded]:
    decoded = (decode(message) for message in messages)
    return [Recorded(one.position, one.envelope.recorded_at, one.event) for one in decoded]


def breaches_of(messages: Sequence[bytes], rules: OperatorRules) -> set[tuple[str, int]]:
    """Return code and position of each duty that was not done in time."""
    records = records_of(messages)
    now = records[-1].moment
    return {
        (duty.code, begun.position)
        for duty in known_duties().values()
        if duty.begins
        for begun in begun_in(records, duty)
        if is_breached(records, duty, begun, until_of(duty, begun.moment, rules), now)
    }


def open_in(messages: Sequence[bytes]) -> set[tuple[str, int]]:
    """Return code and position of each duty that is neither done nor lapsed."""
    records = records_of(messages)
    return {
        (duty.code, begun.position)
        for duty in known_duties().values()
        if duty.begins
        for begun in begun_in(records, duty)
        if not any(
            _belongs(duty, begun, facts, later)
            for later in records[begun.position + 1 :]
            for facts in (duty.done, duty.lapses)
        )
    }


def begun_in(records: list[Recorded], duty: Duty) -> list[Recorded]:
    begun, inside = [], dict[str, bool]()
    for record in records:
        if duty.during is not None:
            if any(_is(fact, record.event) for fact in duty.during.begins):
                inside[record.event.account] = True
            if any(_is(fact, record.event) for fact in duty.during.ends):
                inside[record.event.account] = False
        if any(_is(fact, record.event) for fact in duty.begins) and (
            duty.during is None or inside.get(record.event.account)
        ):
            begun.append(record)
    return [
        one
        for one in begun
        if not any(_is_pending(records, duty, earlier, one) for earlier in begun)
    ]


def _is_pending(records: list[Recorded], duty: Duty, earlier: Recorded, one: Recorded) -> bool:
    """Return whether the duty that began earlier, with the same key, is pending at a beginning."""
    return (
        earlier.position < one.position
        and all(getattr(earlier.event, name) == getattr(one.event, name) for name in duty.key)
        and not any(
            _belongs(duty, earlier, (*duty.done, *duty.lapses), ended)
            for ended in records[earlier.position + 1 : one.position + 1]
        )
    )


def is_breached(records: list[Recorded], duty: Duty, begun: Recorded, until: int, now: int) -> bool:
    """Go on from the beginning to the first fact that ends the duty in some way."""
    for later in records[begun.position + 1 :]:
        if _belongs(duty, begun, (*duty.done, *duty.lapses), later):
            return later.moment >= until
        if _belongs(duty, begun, duty.before, later):
            return True
    return now >= until


def until_of(duty: Duty, moment: int, rules: OperatorRules) -> int:
    if duty.after is not None:
        assert duty.after.days is not None
        moment += duty.after.days * 86_400_000_000 + 1
    within: Deadline = rules.duties.get(duty.code, DEADLINES[duty.code])
    unit, number = _length(within, rules)
    if unit in ("calendar", "period"):
        return _midnight(moment, number, moves=unit == "period")
    return moment + 1 + 1_000_000 * number * {"minutes": 60, "hours": 3_600, "days": 86_400}[unit]


def _length(within: Deadline, rules: OperatorRules) -> tuple[str, int]:
    if within.setting.startswith("periods."):
        return "period", getattr(rules.periods, within.setting[8:]).days
    if within.setting:
        name = within.setting.removeprefix("figures.")
        return name.rpartition("_")[2], getattr(rules.figures, name).value
    for unit, number in (
        ("minutes", within.minutes),
        ("hours", within.hours),
        ("days", within.days),
        ("calendar", within.calendar_days),
        ("period", within.period_days),
    ):
        if number is not None:
            return unit, number
    raise AssertionError(within)


def _midnight(moment: int, days: int, *, moves: bool) -> int:
    """Find the midnight after so many days; one that ends on a free day moves on."""
    last = datetime.fromtimestamp(moment // 1_000_000, PRAGUE).date() + timedelta(days=days)
    while moves and (last.isoweekday() > 5 or last in holidays.country_holidays("CZ")):
        last += timedelta(days=1)
    after = datetime.combine(last + timedelta(days=1), datetime.min.time(), PRAGUE)
    return int(after.timestamp()) * 1_000_000


def _is(fact: FactPattern, event: Any) -> bool:
    if event.type != fact.fact:
        return False
    return all(getattr(event, name) in values for name, values in fact.where.items())


def _belongs(duty: Duty, begun: Recorded, facts: Iterable[FactPattern], later: Recorded) -> bool:
    return any(
        _is(fact, later.event)
        and all(
            getattr(later.event, name) == getattr(begun.event, name) for name in fact.by or duty.key
        )
        for fact in facts
    )
