"""Who read what, from the chain of accesses, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.log.port import Query
from tools.data.documents import require_tags
from tools.sanitize import json_line

if TYPE_CHECKING:
    from ledger.core.encoding import Recorded
    from ledger.log.port import Log
    from tools.access.chain import AccessChain

__all__ = ["Access", "Accesses", "read_accesses", "require_known"]

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

    position: int
    at: int
    hash: str
    reader: str
    what: str
    purpose: str
    parameters: str
    account: str
    round: str
    size: int | None
    head: str
    rows: int | None


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
        reader: only of this reader.
        account: only what was asked about this account.
        before: ``before`` of the page before this one.
        limit: accesses on the page.

    """
    query = Query(types=TYPES, tags=_tags(reader, account))
    found = chain.newest(query, limit + 1, before=before)
    lines = tuple(_access(one) for one in found[:limit])
    return Accesses(chain.name, lines, lines[-1].position if len(found) > limit else None)


def require_known(chain: AccessChain, log: Log, *, reader: str = "", account: str = "") -> None:
    """Refuse an empty answer about a reader or an account that there is not.

    Args:
        chain: of accesses.
        log: the chain that is read, which knows the accounts.
        reader: who was asked for, or nobody.
        account: the same of an account.

    Raises:
        InputError: no event of either chain names one of them.

    """
    tags = _tags(reader, account)
    require_tags(log, (tag for tag in tags if not chain.newest(Query(tags=(tag,)), 1)))


def _tags(reader: str, account: str) -> tuple[str, ...]:
    named = {"reader": reader, "account": account}
    return tuple(f"{kind}:{name}" for kind, name in named.items() if name)


def _access(recorded: Recorded) -> Access:
    event = recorded.event
    what, purpose, parameters, account, about = type(event).__name__, "", "", "", ""
    size, head, rows = None, "", None
    if isinstance(event, e.AccessRecorded):
        what, purpose, parameters = event.question, event.purpose, event.parameters
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
