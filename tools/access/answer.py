"""An answer, and the place in the chain that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tools.access.scopes import Scope

__all__ = ["Answer", "Basis"]


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer rests on; moments are microseconds, ``age_seconds`` of the last message.

    ``moment`` is that of the question, at which an answer that time alone changes is judged.
    """

    chain: str
    position: int
    head: str
    recorded_at: int
    age_seconds: int
    moment: int


class Answer(NamedTuple):
    """What was found, what it rests on, and by whom and where its access was recorded.

    ``is_of_chain``: it stays the same as long as the chain does, for readers with these scopes.
    """

    found: Any
    basis: Basis
    reader: str
    access: int
    is_of_chain: bool = True
    scopes: frozenset[Scope] = frozenset()
