"""The context of a reader's query: log and tables up to a position, limited to the reader's scopes.

Input: sources, a position in the chain and the scopes of a reader. Output: events and rounds as the
reader may see them. Rejected: an event of a type, or the bytes of an event with a field, whose
scope the reader lacks.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from projections.facts.rendering import in_english
from projections.replay.from_log import replay
from projections.replay.round import Replay
from tools.access.scopes import Scope, field_scopes, hidden_fields, may_read, scope_of
from tools.data.case_texts import FIELDS_OF_CASES, case_texts, with_texts
from tools.data.documents import decoded, masked_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.log.port import Log
    from projections.facts.facts import Fact
    from projections.reconciliation.complaints import CaseRegister
    from projections.reconciliation.reconcile import Reconciliation
    from projections.store.as_of import AsOf
    from projections.store.tables import Store
    from tools.access.examiner import Supervision
    from tools.access.sources import Sources
    from tools.data.documents import Event

__all__ = ["GROUPS_OF_FACTS", "QueryContext", "ScopeError"]

GROUPS_OF_FACTS = tuple(one.name for one in fields(Replay) if one.type == "tuple[Fact, ...]")
"""Fields of a replay that hold facts."""


class ScopeError(Exception):
    """The query needs data of a scope that the reader's roles lack."""

    def __init__(self, scope: str) -> None:
        """Store the scope."""
        super().__init__(scope)
        self.scope = scope


@dataclass(frozen=True, slots=True)
class QueryContext:
    """The context of a query: the first ``size`` messages, the last of them at ``recorded_at``.

    ``now`` is the moment of the question, at which what is late is judged.
    """

    sources: Sources
    place: AsOf
    recorded_at: int
    now: int
    scopes: frozenset[Scope]
    _store: Store | None
    _examined: Reconciliation | None = None
    supervision: Supervision | None = None
    """What the worker that examines found at the place, for questions that take it."""
    earlier: QueryContext | None = None
    """The place with which a comparison begins; None if nothing was recorded by then."""

    @property
    def examined(self) -> Reconciliation:
        """The findings at the position, for queries that declared that they need them."""
        if self._examined is None:
            raise AssertionError("this question did not ask for an examination")
        return self._examined

    @property
    def log(self) -> Log:
        """The chain."""
        return self.sources.log

    @property
    def store(self) -> Store:
        """The tables."""
        if self._store is None:
            raise AssertionError("a question to the log has no tables")
        return self._store

    @property
    def size(self) -> int:
        """Number of messages in the context."""
        return self.place.position

    def may_read(self, event_type: str) -> bool:
        """Return whether the reader may see events of a type."""
        return may_read(event_type, self.scopes)

    def require_may_read(self, event_type: str) -> None:
        """Refuse an event of a type that the reader may not see.

        Raises:
            ScopeError: the reader's roles lack its scope.

        """
        if not self.may_read(event_type):
            raise ScopeError(scope_of(event_type) or "the whole log")

    def require_may_read_whole(self, event_type: str) -> None:
        """Refuse the bytes of an event unless the reader may see every field.

        Raises:
            ScopeError: the reader's roles lack a scope of the type or of a field.

        """
        self.require_may_read(event_type)
        for name in hidden_fields(event_type, self.scopes):
            raise ScopeError(field_scopes(event_type)[name])

    def masked(self, position: int, message: bytes) -> Event:
        """Return a message with the fields that the reader may see; every other field is null.

        Texts from and to participants are decrypted if the keys are available.
        """
        found = masked_document(position, message)
        if found.type in FIELDS_OF_CASES:
            with self.sources.keys_at_hand() as keys:
                found.facts.update(case_texts(keys, decoded(position, message).event))
        found.facts.update(dict.fromkeys(hidden_fields(found.type, self.scopes)))
        return found

    def opened(self, cases: CaseRegister) -> CaseRegister:
        """Return cases with their texts, decrypted if the keys are available."""
        with self.sources.keys_at_hand() as keys:
            return with_texts(cases, self.log, keys)

    def replay(self, name: str) -> Replay:
        """Replay a round from the log, with the facts that the reader may see."""
        found = replay(self.log, name, at=self.size)
        groups: dict[str, Any] = {
            name: self._seen(getattr(found, name)) for name in GROUPS_OF_FACTS
        }
        holds = found.holds if Scope.ACCOUNTS in self.scopes else ()
        return replace(found, **groups, holds=holds)

    def _seen(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return the facts that the reader may see, without the fields of other scopes."""
        found = []
        for one in facts:
            if not self.may_read(one.event):
                continue
            if hidden := hidden_fields(one.event, self.scopes):
                shown = one.facts | dict.fromkeys(hidden)
                sentence = in_english(one.event, shown)
                found.append(replace(one, facts=shown, sentence=sentence))
            else:
                found.append(one)
        return tuple(found)
