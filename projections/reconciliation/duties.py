"""The duties that checks declare: findings about late ones, and the open ones.

What comes in: the typed tables of a chain, below a position. What goes out: a finding for each duty
that was done late, or was not done by its deadline; and the register of open duties. One query is
built for each duty from its declaration: the events that start the duty, each with the next event
that completes it, lets it lapse, or should have come after its completion. Deadlines are
computed in Python; ClickHouse only leaves out duties that cannot be late. Timestamps are
microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ledger.core.clock import day_of, in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase, placeholders_of
from ledger.core.units import Count, Moment
from projections.checks import CheckInput, check_module
from projections.findings.duties import StartedDuty
from projections.findings.finding import DetectedFinding, paragraph_of
from projections.findings.headers import headers, known_duties, known_findings
from projections.reconciliation.duty_sql import late_sql, open_sql
from projections.store.as_of import as_of, event_tables, moment_of, moment_of_question
from projections.store.known_positions import require_known
from projections.store.operator import published_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from projections.findings.duties import Duty
    from projections.store.tables import Store

__all__ = ["END", "DutyRegister", "OpenDuty", "duties_not_done", "list_duties"]

END = 1 << 62
"""Behind every moment, in microseconds."""


@dataclass(frozen=True, slots=True)
class OpenDuty:
    """A duty that started and is not completed.

    ``code`` is that of the finding raised after the deadline, ``who`` is responsible. ``position``
    and ``begun_at`` belong to the event that started the duty; account, round and ``subject`` (a
    case, a withdrawal, a device) are empty if they do not apply. ``until`` is the deadline,
    ``last_day`` the last day in Prague on which the duty can be done in time, ``source`` the
    paragraph that sets the length.
    """

    code: str
    who: str
    account: str
    round: str
    subject: str
    position: Count
    begun_at: Moment
    until: Moment
    last_day: str
    is_overdue: bool
    paragraph: str
    source: str


@dataclass(frozen=True, slots=True)
class DutyRegister:
    """Open duties, the earliest deadline first, and the position as of which they were computed.

    ``recorded_at`` is the moment of the last message, ``moment`` that at which they were judged.
    """

    position: int
    head: str
    recorded_at: int
    moment: int
    duties: tuple[OpenDuty, ...]


def duties_not_done(duty: Duty, of: CheckInput) -> Iterator[DetectedFinding]:
    """Find the cases in which a duty was not done in time.

    The rules in force at the beginning of a duty fix its length. A duty that begins with facts
    remembers until when no open one of them becomes late.
    """
    published, ends = of.published, END
    of = of._replace(least=min(map(duty.least_length, published.rules)))
    for begun in _query_duty(duty, of, late_sql):
        until = duty.end(begun.begun_at, published.at_moment(begun.begun_at))
        if not begun.is_breached(until, of.now):
            if begun.closed_at is None:
                may_be_late = begun.begun_at + of.least
                ends = min(ends, until if may_be_late <= of.now else may_be_late)
        else:
            yield DetectedFinding(
                duty.code,
                position=begun.position,
                account=begun.account,
                round=begun.round,
                bet=begun.bet,
                amount=begun.amount,
                detail=_detail(duty, begun, until),
            )
    if duty.facts:
        of.memory[duty.code] = of.now, ends


def list_duties(
    store: Store,
    *,
    account: str = "",
    code: str = "",
    at: int | None = None,
    now: int | None = None,
    register: DutyRegister | None = None,
) -> DutyRegister:
    """List the open duties, the earliest deadline first.

    Args:
        store: the tables.
        account: only duties about this account; all by default.
        code: only duties with this code; all by default.
        at: number of messages that count; all by default.
        now: moment of the question; by default that of the last message.
        register: all duties as of ``at``, if already computed.

    Raises:
        InputError: there is no such account, or no such duty.

    """
    if code and code not in known_duties():
        raise InputError(f"no duty has the code {code}: `gameledger duty list --help` names them")
    known = register or _register(store, at, now, code)
    found = tuple(
        one for one in known.duties if account in {"", one.account} and code in {"", one.code}
    )
    if not found:
        require_known(store, known.position, account=account)
    return replace(known, duties=found)


def _register(store: Store, at: int | None, now: int | None, code: str) -> DutyRegister:
    """List the open duties of all accounts, with one code or (if empty) all codes."""
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    of = CheckInput(store, place.position, moment, published_rules(store), {})
    filled = set(event_tables(store))
    found = [
        one
        for duty in known_duties().values()
        if code in {"", duty.code} and duty.is_listed and filled & duty.first_facts
        for one in _open(duty, of)
    ]
    found.sort(key=lambda one: (one.until, one.position, one.code))
    recorded_at = moment_of(store, place.position)
    return DutyRegister(place.position, place.head, recorded_at, moment, tuple(found))


def _open(duty: Duty, of: CheckInput) -> Iterator[OpenDuty]:
    for begun in _query_duty(duty, of, open_sql):
        if begun.closed_at is not None:
            continue
        rules = of.published.at_moment(begun.begun_at)
        until = duty.end(begun.begun_at, rules)
        yield OpenDuty(
            code=duty.code,
            who=duty.who,
            account=begun.account,
            round=begun.round,
            subject=begun.subject or begun.bet,
            position=begun.position,
            begun_at=begun.begun_at,
            until=until,
            last_day=day_of(until - 1),
            is_overdue=begun.is_breached(until, of.now),
            paragraph=paragraph_of(duty.code, rules),
            source=duty.source(rules),
        )


def _detail(duty: Duty, begun: StartedDuty, until: int) -> object:
    """Return the finding's detail: that of the query, or else the subject and the last day."""
    if begun.detail is not None:
        return begun.detail
    last, kind = _last(until), placeholders_of(known_findings()[duty.code].text.en).get("detail")
    if kind != "phrase":
        return last
    if not begun.subject:
        return Phrase("TIME_UNTIL", until=last)
    return Phrase("SUBJECT_UNTIL", subject=begun.subject, until=last)


def _last(until: int) -> str:
    """Format the last day, or the last minute if the deadline is not a midnight."""
    end = in_prague(until)
    if (end.hour, end.minute, end.second, end.microsecond) == (0, 0, 0, 0):
        return day_of(until - 1)
    return in_prague(until - 1).isoformat(sep=" ", timespec="minutes")[:16]


def _query_duty(duty: Duty, of: CheckInput, write: Callable[[Duty], str]) -> Iterable[StartedDuty]:
    """Run the query of a duty: its own function, or the SQL built from its events."""
    if duty.begins_when:
        return _own_queries()[duty.code](of)
    return _started(of.store.rows(write(duty), size=of.size, now=of.now, least=of.least))


@cache
def _own_queries() -> dict[str, Callable[[CheckInput], Iterable[StartedDuty]]]:
    """Return the function of each duty that no single fact begins."""
    return {
        header.duty.code: check_module(name).started
        for name, header in headers().items()
        if header.duty is not None and header.duty.begins_when
    }


def _started(rows: Iterable[dict[str, Any]]) -> Iterator[StartedDuty]:
    for row in rows:
        closed = [
            (row[f"{ending}_position"], row[f"{ending}_at"])
            for ending in ("done", "lapses")
            if row[f"{ending}_position"]
        ]
        position, closed_at = min(closed, default=(0, None))
        passed = row["before_position"]
        yield StartedDuty(
            position=row["position"],
            begun_at=row["begun_at"],
            account=row["account"],
            round=row["round"],
            subject=row["subject"],
            closed_at=closed_at,
            is_passed=bool(passed and (not position or passed < position)),
        )
