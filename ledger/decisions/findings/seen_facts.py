"""The facts of a finding that a person saw before a step on it.

What comes in: the fingerprint that the sender states, and that of the last record. Rejected: a step
of a person who saw other facts, such as a smaller amount.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ledger.core.errors import InputError

__all__ = ["SeenFacts", "require_seen"]

SeenFacts = Annotated[str, Meta(max_length=16, pattern=r"^([0-9a-f]{16})?\Z")]
"""Fingerprint of the facts that a person saw; empty where the sender does not state it."""


def require_seen(finding: str, seen: str, fingerprint: str) -> None:
    """Reject a step of a person who saw other facts of a finding than it has now."""
    if seen not in {"", fingerprint}:
        raise InputError(
            f"finding {finding} has other facts than you saw: another examination recorded them; "
            "open it again"
        )
