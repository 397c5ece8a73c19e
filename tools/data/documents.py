"""Answers composed of several questions or of events, the same for command line and service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, cast

import msgspec

from ledger.core.errors import InputError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.core.units import Count
from ledger.events.encoding import decode
from ledger.log.port import Query, linked_messages
from ledger.rules.retention import FACTS_KEPT, KEPT, RetentionPeriod
from projections.checks.not_erased import Retained, retained
from projections.packages.results import ExplainedRow, Fault  # noqa: TC001 - msgspec reads them
from projections.questions.balances import Balance, OpenStakes, TrialBalance  # noqa: TC001
from projections.questions.continuous_play import Play, Violations  # noqa: TC001
from tools.data.personal import due_months

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from projections.packages.results import Verdict
    from projections.store.tables import Store
    from tools.data.moments import Span

__all__ = [
    "AccountBalance",
    "AllBalances",
    "Envelope",
    "Event",
    "Explanation",
    "Judged",
    "PlayTime",
    "Retention",
    "as_document",
    "decoded",
    "masked_document",
    "matching",
    "newest_matching",
    "require_tags",
    "retention_of",
    "validation_document",
]


@dataclass(frozen=True, slots=True)
class AccountBalance:
    """The money of one account."""

    balance: Balance
    open_stakes: OpenStakes


@dataclass(frozen=True, slots=True)
class AllBalances:
    """The money of all accounts, and the check that it sums to zero."""

    position: int
    balances: list[Balance]
    trial_balance: TrialBalance


@dataclass(frozen=True, slots=True)
class PlayTime:
    """Sequences of continuous play, and what broke their rule."""

    play: Play
    violations: Violations


class Envelope(TypedDict):
    """What every event begins with; bytes are hexadecimal."""

    previous_hash: str
    command_id: str
    command_digest: str
    position: int
    decision_index: int
    decision_size: int
    recorded_at: int
    occurred_at: int
    actor: str
    source: str


@dataclass(frozen=True, slots=True)
class Event:
    """One event; ``facts`` are the fields of its type, which docs/events.md lists."""

    position: Count
    type: str
    hash: str
    envelope: Envelope
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A row of a package and the events behind it."""

    row: ExplainedRow
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a package was found to be."""

    package: str
    valid: bool
    records: dict[str, int]
    unjudged: int
    findings: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Retention:
    """Periods of personal data, persons whose data are kept, keys of months that are due."""

    kept: dict[str, RetentionPeriod]
    position: int
    head: str
    persons: list[Retained]
    months: list[str]


def retention_of(
    store: Store, keys: KeyStore | None, *, at: int | None, now: int | None, everybody: bool
) -> Retention:
    """Return what is due for erasure, as of ``at`` messages and the time ``now``.

    ``now`` defaults to the timestamp of the last message. With ``everybody``, persons whose data
    must still be kept are included. Keys of months are due by ``now`` alone.
    """
    register = retained(store, at=at, now=now)
    return Retention(
        kept=KEPT | FACTS_KEPT,
        position=register.position,
        head=register.head,
        persons=[one for one in register.persons if everybody or one.due_since is not None],
        months=[] if now is None else due_months(keys, now),
    )


def as_document(recorded: RecordedEvent) -> Event:
    """Return envelope, facts and hash as JSON-compatible values; bytes are hexadecimal."""
    envelope = cast("Envelope", _plain(msgspec.structs.asdict(recorded.envelope)))
    return Event(
        position=recorded.position,
        type=type(recorded.event).__name__,
        hash=recorded.hash.hex(),
        envelope=envelope,
        facts=_plain(msgspec.structs.asdict(recorded.event)),
    )


def masked_document(position: int, message: bytes) -> Event:
    """Return the content of a message without its sealed personal fields.

    Raises:
        IntegrityError: it is not a message of this version.

    """
    recorded = decoded(position, message)
    document = as_document(recorded)
    document.facts.update(dict.fromkeys(recorded.event.PERSONAL))
    return document


def matching(log: Log, query: Query, span: Span, limit: int) -> Iterator[tuple[int, bytes]]:
    """Yield (position, message) of the matches of a query within a span, up to a limit."""
    if not query.types and not query.tags:
        last = span.first + limit
        yield from linked_messages(
            log, span.first, last if span.end is None else min(last, span.end)
        )
        return
    for position in log.find(query, after=span.first - 1, before=span.end, limit=limit):
        yield from linked_messages(log, position, position + 1)


def newest_matching(
    log: Log, query: Query, first: int, end: int, limit: int
) -> list[tuple[int, bytes]]:
    """Return (position, message) of a query's matches in a range of positions, newest first."""
    if query.types or query.tags:
        positions = log.find(query, after=first - 1, before=end, limit=limit, backwards=True)
    else:
        positions = list(range(end - 1, max(first, end - limit) - 1, -1))
    return [found for at in positions for found in linked_messages(log, at, at + 1)]


def require_tags(log: Log, tags: Iterable[str]) -> None:
    """Refuse tags that no event bears: an empty answer about them would look like an all-clear.

    Raises:
        InputError: no event bears one of the tags.

    """
    for tag in tags:
        if not log.find(Query(tags=(tag,)), limit=1):
            raise InputError(Phrase("TAG_UNKNOWN", tag=tag.replace(":", " ", 1)))


def decoded(position: int, message: bytes) -> RecordedEvent:
    """Decode a message; the error for an invalid message names its position.

    Raises:
        IntegrityError: it is not a message of this version.

    """
    try:
        return decode(message)
    except IntegrityError as error:
        text = f"{error}; `gameledger log verify` finds the first fault"
        raise IntegrityError(text, position=position) from error


def validation_document(verdict: Verdict) -> Judged:
    """Return the result of a package's validation."""
    return Judged(
        package=str(verdict.package),
        valid=verdict.is_valid,
        records=verdict.rows,
        unjudged=verdict.unjudged,
        findings=verdict.faults,
    )


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.hex() if isinstance(value, bytes) else value for name, value in facts.items()
    }
