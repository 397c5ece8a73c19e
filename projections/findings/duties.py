"""Duties: which party must do what, after which fact; the header of a check declares one.

A duty begins with a fact and ends with the fact that fulfils it, or with a fact that makes it
lapse. Its declaration determines the finding that it was not done in time, the list of open duties
(:mod:`projections.reconciliation.duties`), ``docs/duties.md`` and the tests. The law's table of
deadlines, or the operator's rules, gives the time allowed. Rejected: an unknown key, and a fact or
field that does not exist.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from ledger.core.clock import DAY, HOUR, MINUTE, midnight_after, months_before
from ledger.events.event_types import EVENTS
from ledger.rules.deadlines import DEADLINES, Deadline
from ledger.rules.periods import Period, end_of_period

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules

__all__ = ["Duty", "FactPattern", "StartedDuty", "State", "Text"]

Field = Annotated[str, Meta(pattern=r"^[a-z_]+\Z")]
Word = Annotated[str, Meta(pattern=r"^[\w .()/-]*\Z")]
CLOCKS_CHANGE = HOUR
"""Greatest difference by which a calendar day is shorter than 24 hours, in microseconds."""


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A name or a sentence in both languages."""

    en: str
    cs: str


class FactPattern(Struct, frozen=True, forbid_unknown_fields=True):
    """Events of a type whose fields have one of the given values.

    ``by`` names the key fields that must equal those of the fact that began the duty; if it is
    empty, the key fields of the duty are used.
    """

    fact: str
    where: dict[Field, tuple[bool | int | Word, ...]] = {}
    by: tuple[Field, ...] = ()

    def __post_init__(self) -> None:
        """Require an existing event type that has these fields."""
        if self.fact not in EVENTS:
            raise ValueError(f"{self.fact} is no event type")
        for name in (*self.where, *self.by):
            self.require(name)

    def require(self, name: str) -> None:
        """Reject a field that the event type does not have."""
        if name not in EVENTS[self.fact].__struct_fields__:
            raise ValueError(f"{self.fact} has no field {name}")


class State(Struct, frozen=True, forbid_unknown_fields=True):
    """A state of the account, from one of the facts ``begins`` to one of the facts ``ends``.

    ``until`` is the field of the facts ``begins`` that holds the moment of its end, if it has one;
    a duty of the state lapses then.
    """

    begins: tuple[FactPattern, ...]
    ends: tuple[FactPattern, ...]
    until: Field | None = None

    def __post_init__(self) -> None:
        """Require facts that have the field of the end."""
        for fact in self.begins:
            if self.until is not None:
                fact.require(self.until)


class Duty(Struct, frozen=True, forbid_unknown_fields=True):
    """One duty.

    ``name`` is what is to be done. Each fact of ``begins`` begins the duty; with ``during``, only
    while that state lasts; ``after`` postpones the start of the period. The first later fact of
    ``done`` with equal ``key`` fields fulfils the duty. After a fact of ``lapses`` nothing is left
    to be done. With ``before``, the duty must be done before such a fact, even if the period has
    not ended. ``names`` are fields that the finding names. A duty with ``is_listed`` false is not
    in the list of open duties.

    ``begins_when`` and ``done_when`` describe a duty that no single fact begins, such as a sum that
    is reached: the function ``started`` of the check finds it.

    ``code`` and ``needs``, the event types without which the duty cannot begin, come from the rest
    of the header.
    """

    code: str
    who: Literal["operator", "participant"]
    name: Text
    begins: tuple[FactPattern, ...] = ()
    key: tuple[Field, ...] = ()
    done: tuple[FactPattern, ...] = ()
    begins_when: str = ""
    done_when: str = ""
    needs: tuple[str, ...] = ()
    lapses: tuple[FactPattern, ...] = ()
    before: tuple[FactPattern, ...] = ()
    during: State | None = None
    after: Deadline | None = None
    names: tuple[Field, ...] = ()
    is_listed: bool = True

    def __post_init__(self) -> None:
        """Require a deadline, fields that the facts have, and exactly one way to begin."""
        if self.code not in DEADLINES:
            raise ValueError(f"{self.code} has no deadline in ledger/rules/deadlines.toml")
        described = (bool(self.begins_when), bool(self.done_when))
        if described != (not self.begins, not self.done):
            raise ValueError(
                f"{self.code} begins and ends with facts, or with a question of its own"
            )
        for fact in self.begins:
            for name in (*self.key, *self.names):
                fact.require(name)
        for fact in (*self.done, *self.lapses, *self.before):
            for name in fact.by or self.key:
                fact.require(name)
                if name not in self.key:
                    raise ValueError(f"{self.code}: {name} is no field of its key")
        if self.during is not None:
            for fact in (*self.during.begins, *self.during.ends, *self.begins):
                fact.require("account")

    @property
    def first_facts(self) -> frozenset[str]:
        """Event types of which one must exist for the duty to begin."""
        return frozenset((*self.needs, *(fact.fact for fact in self.begins)))

    @property
    def facts(self) -> frozenset[str]:
        """Event types that determine its course and its length; none if a function finds it."""
        if self.begins_when:
            return frozenset()
        state = self.during
        during = () if state is None else (*state.begins, *state.ends)
        facts = (*self.begins, *self.done, *self.lapses, *self.before, *during)
        return frozenset({"OperatorRulesPublished", *(one.fact for one in facts)})

    def within(self, rules: OperatorRules) -> Deadline:
        """Return the time allowed: the operator's, or else that of the law's table."""
        return rules.duties.get(self.code, DEADLINES[self.code])

    def end(self, begun_at: int, rules: OperatorRules) -> int:
        """Return the deadline: the first microsecond that is too late.

        A period of 24 hours includes its last microsecond; a period of days ends before midnight.

        Args:
            begun_at: timestamp of the event that starts the duty, in microseconds.
            rules: the operator's rules.

        """
        if self.after is not None:
            begun_at = _end(self.after, begun_at, rules)
        return _end(self.within(rules), begun_at, rules)

    def least_length(self, rules: OperatorRules) -> int:
        """Return a lower bound of the time allowed, in microseconds."""
        before = 0 if self.after is None else _least(self.after, rules)
        return before + _least(self.within(rules), rules)

    def source(self, rules: OperatorRules) -> str:
        """Return the source of the length: a paragraph, or ``assumed``."""
        within = self.within(rules)
        return str(_setting(within, rules).source) if within.setting else within.source


class StartedDuty(NamedTuple):
    """One started duty: its event, its subject, and its end if it has one.

    ``closed_at`` is the time at which the duty was done or lapsed, ``None`` while it is open.
    ``is_passed``: an event was recorded that should have come only after the duty was done.
    ``detail`` replaces subject and last day in the finding's sentence; its type is that of
    :class:`projections.findings.finding.DetectedFinding`.
    """

    position: int
    begun_at: int
    account: str = ""
    round: str = ""
    bet: str = ""
    subject: str = ""
    amount: int = 0
    detail: Any = None
    closed_at: int | None = None
    is_passed: bool = False

    def is_breached(self, until: int, now: int) -> bool:
        """Return whether the duty was done too late, or is open at ``now`` after its deadline."""
        return self.is_passed or (now if self.closed_at is None else self.closed_at) >= until


def _end(within: Deadline, begun_at: int, rules: OperatorRules) -> int:
    if within.months is not None:
        return months_before(begun_at, -within.months) + 1
    length, period, days = _lengths(within, rules)
    if period is not None:
        return end_of_period(begun_at, period)
    return begun_at + length + 1 if days is None else midnight_after(begun_at, days=days + 1)


def _least(within: Deadline, rules: OperatorRules) -> int:
    if within.months is not None:
        return within.months * 28 * DAY - CLOCKS_CHANGE
    length, period, days = _lengths(within, rules)
    days = period.days if period is not None else days
    return max(days * DAY - CLOCKS_CHANGE, 0) if days is not None else length


def _lengths(within: Deadline, rules: OperatorRules) -> tuple[int, Period | None, int | None]:
    """Return a period as one of: a length in microseconds, a :class:`Period`, or calendar days."""
    if within.setting:
        given = _setting(within, rules)
        if isinstance(given, Period):
            return 0, given, None
        unit = "calendar_days" if within.is_calendar else within.setting.rpartition("_")[2]
        within = Deadline(**{unit: given.value}, source=given.source)
    if within.period_days:
        return 0, Period(within.period_days, within.source), None
    length = (within.minutes or 0) * MINUTE + (within.hours or 0) * HOUR + (within.days or 0) * DAY
    return length, None, within.calendar_days


def _setting(within: Deadline, rules: OperatorRules) -> Any:
    return attrgetter(within.setting)(rules)
