"""Access rights of readers: scopes, roles as sets of scopes, and the scope of each event type.

A field may have a scope in the schema in addition to that of its type: the reason why a bet was
refused reveals limits and exclusions of a person, and is visible only to readers of accounts.

The scope of an event type is declared in its schema; only the types of the log format itself have
none there and belong to the scope of the chain. An event of another type without a scope, or of a
type unknown to this version, is visible only to readers of the whole log.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import schemas
from ledger.events.schema_book import FROZEN

__all__ = [
    "ROLES",
    "WHOLE_LOG",
    "Scope",
    "field_scopes",
    "hidden_fields",
    "may_read",
    "scope_of",
    "scopes_of",
    "types_for",
]


class Scope(StrEnum):
    """A right to read one kind of data, to handle findings, confirm write-offs or import."""

    CHAIN = "chain:read"
    ROUNDS = "rounds:read"
    ACCOUNTS = "accounts:read"
    MONEY = "money:read"
    PACKAGES = "packages:read"
    SQL = "sql:read"
    UNMASK = "persons:unmask"
    ACCESS = "access:read"
    HANDLE = "findings:handle"
    CONFIRM = "write-offs:confirm"
    IMPORT = "statements:import"


WHOLE_LOG = frozenset({Scope.CHAIN, Scope.ROUNDS, Scope.ACCOUNTS, Scope.MONEY, Scope.PACKAGES})
"""Rights that a reader needs for the log as it is stored."""

ACTING = frozenset({Scope.HANDLE, Scope.CONFIRM, Scope.IMPORT})
"""Rights that need a service with ``--actions``."""

ROLES: dict[str, frozenset[Scope]] = {
    "regulator": frozenset(Scope) - ACTING,
    "investigator": frozenset(
        {Scope.CHAIN, Scope.ROUNDS, Scope.ACCOUNTS, Scope.MONEY, Scope.UNMASK}
    ),
    "reconciliation": frozenset({Scope.CHAIN, Scope.ROUNDS, Scope.MONEY, Scope.PACKAGES}),
    "clerk": frozenset(
        {Scope.CHAIN, Scope.ROUNDS, Scope.MONEY, Scope.PACKAGES, Scope.HANDLE, Scope.IMPORT}
    ),
    "supervisor": frozenset(
        {Scope.CHAIN, Scope.ROUNDS, Scope.MONEY, Scope.PACKAGES, Scope.CONFIRM}
    ),
    "auditor": frozenset(Scope) - {Scope.UNMASK} - ACTING,
    "data-protection": frozenset({Scope.CHAIN, Scope.ACCESS}),
}
"""The scopes of each role; a reader with several roles has those of all."""


def scopes_of(roles: tuple[str, ...]) -> frozenset[Scope]:
    """Return the scopes of roles; a role unknown to this version has none."""
    return frozenset().union(*(ROLES.get(role, frozenset()) for role in roles))


@cache
def scope_of(event_type: str) -> Scope | None:
    """Return the scope required to read events of a type, if it has any."""
    if event_type in FROZEN:
        return Scope.CHAIN
    schema = schemas.newest().get(event_type)
    return Scope(f"{schema.scope}:read") if schema is not None and schema.scope else None


def may_read(event_type: str, scopes: frozenset[Scope]) -> bool:
    """Return whether a reader with the given scopes may see events of a type."""
    return scopes >= WHOLE_LOG or scope_of(event_type) in scopes


@cache
def field_scopes(event_type: str) -> dict[str, Scope]:
    """Return the fields of a type that have a scope of their own."""
    schema = schemas.newest().get(event_type)
    facts = schema.facts if schema is not None else []
    return {one["name"]: Scope(f"{one['scope']}:read") for one in facts if "scope" in one}


def hidden_fields(event_type: str, scopes: frozenset[Scope]) -> tuple[str, ...]:
    """Return the fields of a type that are hidden from a reader with the given scopes."""
    if scopes >= WHOLE_LOG:
        return ()
    return tuple(name for name, scope in field_scopes(event_type).items() if scope not in scopes)


@cache
def types_for(scopes: frozenset[Scope]) -> tuple[str, ...]:
    """Return the event types visible with the given scopes; an empty result means all types."""
    if scopes >= WHOLE_LOG:
        return ()
    return tuple(name for name in schemas.newest() if may_read(name, scopes))
