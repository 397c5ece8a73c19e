"""Roles of the writer's clients, and the commands that each may send.

A role is the task of one system of the operator; a client has one role or several. The file of
each event type names the commands that record it with their roles (``schemas/event_texts.py``).
Every command has at least one role, which a test checks: a listed client can't send a command
without a role.
"""

from __future__ import annotations

from functools import cache

from schemas.event_texts import event_texts

__all__ = ["ROLES", "commands_of", "roles_by_command"]

ROLES = ("back_office", "site", "studio", "cage", "suspicion", "feed", "service")


@cache
def roles_by_command() -> dict[str, tuple[str, ...]]:
    """Return the roles that may send each command."""
    return {
        command: tuple(roles)
        for texts in event_texts().values()
        for command, roles in texts.commands.items()
    }


@cache
def commands_of(role: str) -> frozenset[str]:
    """Return the commands that a role may send."""
    return frozenset(command for command, roles in roles_by_command().items() if role in roles)
