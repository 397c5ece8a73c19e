"""Check that keys open the personal data in the log, and that erased data stay erased.

Input: a log and a key store, perhaps restored from a backup. Output: how many persons can be read,
and why the others can't. A backup is older than the log: it may lack later persons, and hold the
key of a person erased since, or of one erased and registered again under a new key. Such keys
open nothing that may be read, and are destroyed on request; data whose key is missing are then
reported as erased, not as altered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.privacy import open_fields

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.privacy import KeyStore

__all__ = ["KeyCheck", "check_keys"]

ERASED = -1
TYPES = ("AccountOpened", "PersonErased", "StatementImported", "PeriodKeyDestroyed")
_STATES = ("readable", "erased", "left", "missing", "strange")


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """What became of the keys of a log: of persons, and of months.

    ``readable`` have their key, ``erased`` have none as it should be, ``left`` were erased and
    still have one, ``missing`` have none and were not erased, ``strange`` have one that does not
    open their data. ``destroyed`` are keys that were destroyed now.
    """

    size: int
    persons: int
    readable: int
    erased: int
    left: int
    missing: int
    strange: int
    destroyed: int

    @property
    def is_whole(self) -> bool:
        """Whether no key of a person or a month is missing or wrong."""
        return not self.missing and not self.strange


def check_keys(log: Log, keys: KeyStore, *, destroying: bool = False) -> KeyCheck:
    """Try the key of every person on the newest account and of every month on a statement; count.

    Args:
        log: the chain.
        keys: the key store, writable if keys are to be destroyed.
        destroying: destroy the keys of erased persons and those that open nothing, and record
            missing keys as destroyed.

    """
    size = log.head().size
    newest: dict[str, int] = {}
    query = Query(types=TYPES)
    for recorded in events_at(log, log.find(query, before=size)):
        match recorded.event:
            case e.AccountOpened(person=name):
                newest[name] = recorded.position
            case e.StatementImported(period_key=name):
                newest[name] = recorded.position
            case e.PersonErased(person=name) | e.PeriodKeyDestroyed(period_key=name):
                newest[name] = ERASED
    destroyed, counts = 0, dict.fromkeys(_STATES, 0)
    for person, position in newest.items():
        state = _state(log, keys, person, position)
        counts[state] += 1
        if destroying and state not in {"readable", "erased"}:
            keys.destroy(person)
            destroyed += state != "missing"
    return KeyCheck(size=size, persons=len(newest), **counts, destroyed=destroyed)


def _state(log: Log, keys: KeyStore, person: str, position: int) -> str:
    if not keys.has_key(person):
        return "erased" if position == ERASED else "missing"
    if position == ERASED:
        return "left"
    (opened,) = events_at(log, [position])
    try:
        texts = open_fields(keys, person, opened.event)
    except IntegrityError:
        return "strange"
    return "strange" if None in texts.values() else "readable"
