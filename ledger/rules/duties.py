"""Duties: which party must do what, by when, and after which fact; one table for all of them.

The table is ``duties.toml``, written for lawyers. It determines the findings of duties that were
not done in time, the list of open duties (``projections.reconciliation.duties``), the lines of
``docs/law.md`` and the tests. A duty begins with a fact and ends with the fact that fulfils it, or
with a fact that makes it lapse. Rejected: an unknown key, a period without a length or with two.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.events.event_types import EVENTS

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DUTIES", "Deadline", "Duty", "FactPattern", "State"]

Field = Annotated[str, Meta(pattern=r"^[a-z_]+\Z")]
Code = Annotated[str, Meta(pattern=r"^[A-Z_]+\Z")]
Word = Annotated[str, Meta(pattern=r"^[\w .()/-]*\Z")]


class Deadline(Struct, frozen=True, forbid_unknown_fields=True):
    """The time allowed for a duty, in one unit, and its source.

    ``minutes``, ``hours`` and ``days`` of 24 hours run from the fact. ``calendar_days`` end with
    the midnight after that many days; 0 calendar days end with the day itself. ``period_days`` end
    the same way, but if the last day is not a working day, after the next working day
    (:func:`ledger.rules.periods.end_of_period`). ``months`` are calendar months. ``setting`` names
    a figure or period of the operator's rules that gives length and source instead; with
    ``is_calendar`` its days are calendar days.
    """

    minutes: int | None = None
    hours: int | None = None
    days: int | None = None
    calendar_days: int | None = None
    period_days: int | None = None
    months: int | None = None
    setting: str = ""
    is_calendar: bool = False
    source: str = ""

    def __post_init__(self) -> None:
        """Require exactly one length, above zero, and its source."""
        lengths = [self.minutes, self.hours, self.days, self.period_days, self.months]
        given_lengths = [length for length in lengths if length is not None]
        number = len(given_lengths) + (self.calendar_days is not None) + bool(self.setting)
        if (
            number != 1
            or any(length <= 0 for length in given_lengths)
            or (self.calendar_days or 0) < 0
        ):
            raise ValueError("a period has one length above zero, or a setting")
        if not self.setting and not self.source:
            raise ValueError("a period names its source; `assumed` where no text gives it")


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
    """A state of the account, from one of the facts ``begins`` to one of the facts ``ends``."""

    begins: tuple[FactPattern, ...]
    ends: tuple[FactPattern, ...]


class Duty(Struct, frozen=True, forbid_unknown_fields=True):
    """One duty.

    ``code`` is the code of the finding, ``finding`` its sentence; ``{detail}`` in it is replaced by
    the fields of ``names`` and the end of the period. Each fact of ``begins`` begins the duty; with
    ``during``, only while that state lasts; ``after`` postpones the start of the period. The first
    later fact of ``done`` with equal ``key`` fields fulfils the duty. After a fact of ``lapses``
    nothing is left to be done. With ``before``, the duty must be done before such a fact, even if
    the period has not ended.

    ``begins_when`` and ``done_when`` describe a duty that no single fact begins, such as a sum that
    is reached: a question of the projections finds it
    (``projections.reconciliation.duty_questions``), and ``needs`` names facts without which the
    duty cannot begin.
    """

    code: Code
    who: Literal["operator", "participant"]
    finding: str
    within: Deadline
    paragraph: str
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

    def __post_init__(self) -> None:
        """Require fields that the facts have, and exactly one way to begin."""
        described = (bool(self.begins_when), bool(self.done_when))
        if described != (not self.begins, not self.done) or not set(self.needs) <= EVENTS.keys():
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


class _Table(Struct, frozen=True, forbid_unknown_fields=True):
    duty: tuple[Duty, ...]


@cache
def _read() -> dict[str, Duty]:
    content = (resources.files("ledger.rules") / "duties.toml").read_bytes()
    try:
        table = decoder_of(_Table).toml(content)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"duties.toml: {error}") from error
    return {duty.code: duty for duty in table.duty}


DUTIES: Mapping[str, Duty] = _read()
"""Every duty by its code."""
