"""The register of complaints and objections: open cases, their deadlines, and answers.

Everything is as of a position; a case is overdue by the timestamp of the last counted message.
Timestamps are microseconds; the periods are those of the operator's rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count, Moment
from ledger.rules.periods import end_of_period
from projections.store.as_of import as_of, moment_of, moment_of_question
from projections.store.known_positions import require_known
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from ledger.rules.periods import Period
    from projections.store.tables import Store

__all__ = ["Case", "CaseRegister", "list_cases", "show_case"]


@dataclass(frozen=True, slots=True)
class Case:
    """A complaint, or an objection to a cancellation.

    ``answer_until`` is the midnight at which the period for the answer ends, ``source`` the
    paragraph that sets the period. ``rounds`` and ``bets`` are the subjects of a complaint; an
    objection has none. ``ended_at`` and ``ended_position`` are ``None`` while the case is open.
    ``grounds`` and ``answer`` are encrypted: ``None`` until
    :func:`tools.data.case_texts.with_texts` decrypts them. An objection lapses if its cancellation
    ends before the answer.
    """

    case: str
    kind: Literal["complaint", "objection"]
    account: str
    status: Literal["open", "upheld", "dismissed", "lapsed"]
    is_overdue: bool
    filed_at: Moment
    position: Count
    answer_until: Moment
    source: str
    rounds: tuple[str, ...]
    bets: tuple[str, ...]
    grounds: str | None
    ended_at: Moment | None
    ended_position: Count | None
    answer: str | None


@dataclass(frozen=True, slots=True)
class CaseRegister:
    """Cases, the earliest deadline first, and the position as of which they were read."""

    position: int
    head: str
    recorded_at: int
    moment: int
    cases: tuple[Case, ...]


def list_cases(
    store: Store,
    *,
    account: str = "",
    with_ended: bool = False,
    at: int | None = None,
    now: int | None = None,
) -> CaseRegister:
    """List the open cases of all accounts or of one; ``with_ended`` appends the ended ones.

    They are judged at the moment ``now``, by default that of the last message.

    Raises:
        InputError: the account is unknown.

    """
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    found = [
        case
        for case in _cases(store, place.position, moment)
        if account in {"", case.account} and (with_ended or case.status == "open")
    ]
    if not found:
        require_known(store, place.position, account=account)
    found.sort(key=lambda case: (case.status != "open", case.answer_until, case.position))
    recorded_at = moment_of(store, place.position)
    return CaseRegister(place.position, place.head, recorded_at, moment, tuple(found))


def show_case(
    store: Store, name: str, *, at: int | None = None, now: int | None = None
) -> CaseRegister:
    """Show one case.

    Raises:
        InputError: there is no case of that name below the position.

    """
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    found = _cases(store, place.position, moment, name)
    if not found:
        raise InputError(Phrase("CASE_UNKNOWN", name=name, size=place.position))
    recorded_at = moment_of(store, place.position)
    return CaseRegister(place.position, place.head, recorded_at, moment, tuple(found))


def _cases(store: Store, size: int, now: int, name: str = "") -> list[Case]:
    rows = store.rows(
        "SELECT kind, case, account, status, position, filed_at, rounds, bets, "
        "ended_at, ended_position FROM cases(size = {size:Int64}) "
        "WHERE {name:String} = '' OR case = {name:String} ORDER BY position",
        size=size,
        name=name,
    )
    periods = operator_rules(store).periods
    answers = {"complaint": periods.complaint_answer, "objection": periods.objection_answer}
    return [_case(row, now, answers[row["kind"]]) for row in rows]


def _case(row: dict[str, Any], now: int, period: Period) -> Case:
    until = end_of_period(row["filed_at"], period)
    return Case(
        case=row["case"],
        kind=row["kind"],
        account=row["account"],
        status=row["status"],
        is_overdue=row["status"] == "open" and now >= until,
        filed_at=row["filed_at"],
        position=row["position"],
        answer_until=until,
        source=period.source,
        rounds=tuple(row["rounds"]),
        bets=tuple(row["bets"]),
        grounds=None,
        ended_at=row["ended_at"] or None,
        ended_position=row["ended_position"] or None,
        answer=None,
    )
