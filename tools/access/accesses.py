"""List which reader accessed which data, from the chain of accesses, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ledger.core.units import Count, Moment
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from tools.data.documents import require_tags
from tools.sanitize import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from tools.access.chain import AccessChain

__all__ = ["Access", "Accesses", "ShownAccount", "last_reading", "read_accesses", "require_known"]

WITHOUT_ACCOUNTS = frozenset(
    {
        "/checkpoints",
        "/checkpoints/{size}",
        "/docs",
        "/fairness",
        "/games",
        "/games/{name}",
        "/games/{name}/edge",
        "/live",
        "/log/status",
        "/openapi.json",
        "/packages",
        "/readers",
        "/results",
        "/tables",
        "/tournaments",
        "/views",
    }
)
"""Questions whose answers name no account; every other one may name any, unless it names one."""
OF_ONE_ACCOUNT = frozenset(
    {
        "/accesses",
        "/accounts/{name}/balance",
        "/accounts/{name}/closing-balance",
        "/accounts/{name}/movements",
        "/accounts/{name}/person",
        "/accounts/{name}/play-time",
        "/accounts/{name}/statement",
        "/bets",
        "/evidence/rounds",
        "/rounds/{name}/evidence",
        "/rounds/{name}/letter",
        "/views/{name}",
    }
)
"""Questions about an account whose answers name no other one, such as players of the same hand."""
FORMS_OF_QUESTIONS = ("GET ", "/api", "/changes")
OWN = "GET /api/accesses"
NAMED_MAX = 100
BATCH = 500
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


class ShownAccount:
    """An account, and what can have shown it to a reader that did not name it."""

    def __init__(self, log: Log, name: str) -> None:
        """Ask the main chain, which knows what an answer can have shown of the account."""
        self._log, self.name = log, name
        self._known: dict[tuple[str, str], int | None] = {}

    def may_be_in(self, access: e.AccessRecorded) -> bool:
        """Return whether the answer of an access that does not name the account may have."""
        question = access.question
        for form in FORMS_OF_QUESTIONS:
            question = question.removeprefix(form)
        if access.rows == 0 or question in WITHOUT_ACCOUNTS:
            return False
        if access.account:
            if question in OF_ONE_ACCOUNT:
                return False
            first = self._first_with("account", access.account)
        elif access.round:
            first = self._first_with("round", access.round)
        else:
            first = self._first
        return first is not None and first < access.size

    @cached_property
    def _first(self) -> int:
        """Position of the first message that names the account; 0 if none does."""
        return next(iter(self._log.find(Query(tags=(f"account:{self.name}",)), limit=1)), 0)

    def _first_with(self, kind: str, name: str) -> int | None:
        """Return the first position that names the account with another subject, if one does."""
        key = kind, name
        if key not in self._known:
            tags = (f"account:{self.name}", f"{kind}:{name}")
            found = self._log.find(Query(tags=tags), limit=1)
            of_person = kind == "account" and name in self._of_person
            self._known[key] = self._first if of_person else next(iter(found), None)
        return self._known[key]

    @cached_property
    def _of_person(self) -> frozenset[str]:
        """All accounts of the person: the opening of one names the one before."""

        def opened(tag: str) -> Iterator[e.AccountOpened]:
            query = Query(types=("AccountOpened",), tags=(tag,))
            for one in events_at(self._log, self._log.find(query)):
                if isinstance(one.event, e.AccountOpened):
                    yield one.event

        persons = [one.person for one in opened(f"account:{self.name}")]
        return frozenset(one.account for person in persons for one in opened(f"person:{person}"))


def read_accesses(
    chain: AccessChain,
    *,
    reader: str = "",
    account: ShownAccount | None = None,
    before: int | None = None,
    limit: int = 100,
) -> Accesses:
    """List accesses, newest first.

    Args:
        chain: of accesses.
        reader: only accesses of this reader; empty for all.
        account: only requests about this account, and those that may have shown it among others,
            as lists, rounds, SQL, whole views and the log; None for all.
        before: ``before`` of the previous page.
        limit: accesses on the page.

    """
    tags = _tags(reader, account.name if account else "")
    found = chain.newest(Query(types=TYPES, tags=tags), limit + 1, before=before)
    if account is not None:
        found = _with_wide(chain, account, reader, found, limit=limit + 1, before=before)
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


def _with_wide(
    chain: AccessChain,
    account: ShownAccount,
    reader: str,
    named: list[RecordedEvent],
    *,
    limit: int,
    before: int | None,
) -> list[RecordedEvent]:
    """Add the accesses that may have shown an account to those that name it, newest first."""
    end = named[-1].position if len(named) == limit else -1
    known = {one.position for one in named}
    query = Query(types=("AccessRecorded",), tags=_tags(reader, ""))
    found = list(named)
    while len(found) < len(known) + limit and (batch := chain.newest(query, BATCH, before=before)):
        found += [
            one
            for one in batch
            if isinstance(one.event, e.AccessRecorded)
            and one.position > end
            and one.position not in known
            and account.may_be_in(one.event)
        ]
        before = batch[-1].position
        if before <= end:
            break
    return sorted(found, key=lambda one: one.position, reverse=True)[:limit]


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
