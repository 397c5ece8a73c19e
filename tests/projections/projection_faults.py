"""A store that fails where a test says, and digests that compare tables."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Self

import schemas
from projections.store.servers import digests_of
from projections.store.tables import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ledger.core.message import Head


class FaultError(Exception):
    """The fault that a test asked for."""


def fail() -> None:
    raise FaultError


class FaultyStore(Store):
    """The real store, with a fault before or behind its n-th write.

    Each write counts twice: once before it is done and once behind it, when the rows are
    there but the caller does not learn it.
    """

    steps_left = 0
    steps_seen = 0
    fault: Callable[[], None] = staticmethod(fail)
    first: FaultyStore | None = None
    counting = Lock()

    def plan(self, step: int, fault: Callable[[], None] = fail) -> None:
        """Fail at a step from now on; 0 never fails."""
        self.steps_left, self.steps_seen, self.fault = step, 0, fault

    def insert_avro(self, table: str, container: bytes | Iterable[bytes]) -> None:
        self._step()
        super().insert_avro(table, container)
        self._step()

    def set_head(self, head: Head, recorded_at: int) -> None:
        self._step()
        super().set_head(head, recorded_at)
        self._step()

    def activate(self) -> None:
        if self.steps_left or self.steps_seen:
            self._step()
        super().activate()

    def new_generation(self) -> Self:
        fresh = super().new_generation()
        fresh.plan(self.steps_left, self.fault)
        return fresh

    def clone(self) -> Self:
        other = super().clone()
        other.first = self
        return other

    def databases(self) -> int:
        """Count the generations of these tables that exist."""
        prefix = self.database.rsplit("_", 1)[0] + "_"
        return int(
            self.value(
                "SELECT count() FROM system.databases WHERE startsWith(name, {prefix:String})",
                prefix=prefix,
            )
        )

    def _step(self) -> None:
        counted = self.first or self
        with self.counting:
            counted.steps_seen += 1
            counted.steps_left -= 1
            is_due = counted.steps_left == 0
        if is_due:
            counted.fault()


class DoublingStore(Store):
    """A store whose connection repeats one insert, as a retry after a lost answer would."""

    doubled = ""

    def clone(self) -> Self:
        other = super().clone()
        other.doubled = self.doubled
        return other

    def insert_avro(self, table: str, container: bytes | Iterable[bytes]) -> None:
        block = container if isinstance(container, bytes) else b"".join(container)
        super().insert_avro(table, block)
        if table == self.doubled:
            super().insert_avro(table, block)


def digests(store: Store) -> dict[str, Any]:
    """Give number of rows and digest of each table, by name, and the watermark."""
    head = store.head  # first, because a query of system tables does not notice a swap
    return {**digests_of(store), "watermark": [head.size, head.hash.hex()]}


def as_faulty(store: Store) -> FaultyStore:
    """Give a faulty connection to the tables of a store."""
    return FaultyStore(store._connect, store._name, store.generation)


def event_rows(store: Store) -> int:
    """Count the rows of all event tables."""
    names = schemas.newest().keys() & store.tables_with_position()
    counts = " UNION ALL ".join(f"SELECT count() AS size FROM {name}" for name in names)  # noqa: S608 - own names
    return int(store.value(f"SELECT sum(size) FROM ({counts})"))  # noqa: S608 - the same
