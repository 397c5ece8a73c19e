"""What a reader may see: scopes, and roles as sets of them."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["ROLES", "Scope", "scopes_of"]


class Scope(StrEnum):
    """A right to read one kind of things; each address asks for one."""

    CHAIN = "chain:read"
    ROUNDS = "rounds:read"
    ACCOUNTS = "accounts:read"
    MONEY = "money:read"
    PACKAGES = "packages:read"
    SQL = "sql:read"
    UNMASK = "persons:unmask"
    ACCESS = "access:read"


ROLES: dict[str, frozenset[Scope]] = {
    "regulator": frozenset(Scope),
    "investigator": frozenset(
        {Scope.CHAIN, Scope.ROUNDS, Scope.ACCOUNTS, Scope.MONEY, Scope.UNMASK}
    ),
    "reconciliation": frozenset({Scope.CHAIN, Scope.ROUNDS, Scope.MONEY, Scope.PACKAGES}),
    "auditor": frozenset(Scope) - {Scope.UNMASK},
    "data-protection": frozenset({Scope.CHAIN, Scope.ACCESS}),
}
"""The scopes of each role; a reader with several roles has those of all."""


def scopes_of(roles: tuple[str, ...]) -> frozenset[Scope]:
    """Return what roles may read; one that this version does not know gives nothing."""
    return frozenset().union(*(ROLES.get(role, frozenset()) for role in roles))
