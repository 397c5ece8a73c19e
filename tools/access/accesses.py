"""List which reader accessed which data, from the chain of accesses, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.units import Count, Moment
from ledger.events import event_types as e
from ledger.log.port import Query
from tools.data.documents import require_tags
from tools.sanitize import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from tools.access.chain import AccessChain

__all__ = ["Access", "Accesses", "last_reading", "read_accesses", "require_known"]

WIDE = ("GET /sql", "GET /api/sql", "GET /api/log", "GET /api/views/{name}")
"""Questions whose answers are of all accounts, unless they name one."""
OWN = "GET /api/accesses"
NAMED_MAX = 100
TYPES = (
    "AccessRecorded",
    "AccessRefused",
    "PersonUnmasked",
    "DownloadEnded",
    "ReaderSignedIn",
    "ReaderSignedOut",
)


@dataclass(frozen=True, slots=True)
class Access:
    """One access; ``what`` is the question, or what the reader did.

    ``size`` and ``head`` are the messages that the answer rested on; ``rows`` is missing where
    nothing was counted.
    """

    position: Count
    at: Moment
    hash: str
    reader: str
    what: str
    purpose: str
    parameters: str
    account: str
    round: str
    size: Count | None
    head: str
    rows: Count | None


@dataclass(frozen=True, slots=True)
class Accesses:
    """A page of accesses, newest first; ``before`` asks for the next page, if there is one."""

    chain: str
    accesses: tuple[Access, ...]
    before: int | None


def read_accesses(
    chain: AccessChain,
    *,
    reader: str = "",
    account: str = "",
    before: int | None = None,
    limit: int = 100,
) -> Accesses:
    """List accesses, newest first.

    Args:
        chain: of accesses.
        reader: only accesses of this reader; empty for all.
        account: only requests about this account, and those that may have shown it among others:
            SQL, whole views and the log; empty for all.
        before: ``before`` of the previous page.
        limit: accesses on the page.

    """
    found = _found(chain, reader, account, limit + 1, before)
    lines = tuple(_access(chain, one) for one in found[:limit])
    return Accesses(chain.name, lines, lines[-1].position if len(found) > limit else None)


def last_reading(chain: AccessChain, reader: str, *, before: int | None = None) -> int | None:
    """Return when a reader got the last answer (microseconds); None if there was none.

    Args:
        chain: of accesses.
        reader: name of the reader.
        before: only answers recorded before this position of the chain of accesses.

    """
    query = Query(types=("AccessRecorded",), tags=_tags(reader, ""))
    return next((one.envelope.recorded_at for one in chain.newest(query, 1, before=before)), None)


def _found(
    chain: AccessChain, reader: str, account: str, limit: int, before: int | None
) -> list[RecordedEvent]:
    """Return the newest accesses of a reader and about an account, newest first."""
    found = chain.newest(Query(types=TYPES, tags=_tags(reader, account)), limit, before=before)
    if not account:
        return found
    for question in WIDE:
        tags = (*_tags(reader, ""), f"question:{question}")
        wide = _wide(chain, Query(types=("AccessRecorded",), tags=tags), limit, before)
        found += [one for one in wide if one.position not in {one.position for one in found}]
    return sorted(found, key=lambda one: one.position, reverse=True)[:limit]


def _wide(
    chain: AccessChain, query: Query, limit: int, before: int | None
) -> Iterator[RecordedEvent]:
    """Yield accesses that name no account, newest first, up to a limit."""
    count = 0
    while batch := chain.newest(query, limit, before=before):
        for one in batch:
            if isinstance(one.event, e.AccessRecorded) and not one.event.account:
                yield one
                count += 1
                if count == limit:
                    return
        before = batch[-1].position


def require_known(chain: AccessChain, log: Log, *, reader: str = "", account: str = "") -> None:
    """Refuse an answer about an unknown reader or account.

    An account that the main chain does not know counts as known if an earlier request named it.

    Args:
        chain: of accesses.
        log: the main chain, which knows the accounts.
        reader: name of the reader, or empty.
        account: identifier of the account, or empty.

    Raises:
        InputError: no event of either chain names the reader or account.

    """
    for tag in _tags(reader, account):
        named = chain.newest(Query(tags=(tag,)), NAMED_MAX)
        if all(getattr(one.event, "question", "") == OWN for one in named):
            require_tags(log, (tag,))


def _tags(reader: str, account: str) -> tuple[str, ...]:
    named = {"reader": reader, "account": account}
    return tuple(f"{kind}:{name}" for kind, name in named.items() if name)


def _access(chain: AccessChain, recorded: RecordedEvent) -> Access:
    event = recorded.event
    what, purpose, parameters, account, about = type(event).__name__, "", "", "", ""
    size, head, rows = None, "", None
    if isinstance(event, e.AccessRecorded):
        what, purpose, parameters = event.question, event.purpose, chain.parameters(event)
        account, about = event.account, event.round
        size, head, rows = event.size, event.head, event.rows
    elif isinstance(event, e.PersonUnmasked):
        purpose, account, parameters = event.purpose, event.account, ", ".join(event.fields)
    elif isinstance(event, e.AccessRefused):
        parameters = f"{event.question}: {event.why} {event.scope}".rstrip()
        rows = 0
    elif isinstance(event, e.DownloadEnded):
        rows = event.rows
        parameters = json_line(
            {"access": event.access, "bytes": event.bytes, "whole": event.whole}
            | {"digest": event.digest}
        )
    return Access(
        recorded.position,
        recorded.envelope.recorded_at,
        recorded.hash.hex(),
        getattr(event, "reader", ""),
        what,
        purpose,
        parameters,
        account,
        about,
        size,
        head,
        rows,
    )
