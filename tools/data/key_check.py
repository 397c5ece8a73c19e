"""Check that keys open the personal data in the log, and that erased data stay erased.

Input: a log and a key store, perhaps restored from a backup. Output: how many persons can be read,
and why the others can't. A backup is older than the log: it may lack later persons, and hold the
key of a person erased since, or of one erased and registered again under a new key. Such keys
open nothing that may be read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.privacy import open_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.log.port import Log
    from ledger.privacy import KeyStore

__all__ = ["KeyCheck", "check_keys", "key_states"]

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

    @classmethod
    def of(cls, states: Mapping[str, str], size: int, *, destroyed: int = 0) -> KeyCheck:
        """Count the states of keys."""
        counts = Counter(states.values())
        of_states = {name: counts[name] for name in _STATES}
        return cls(size=size, persons=len(states), **of_states, destroyed=destroyed)

    @property
    def is_whole(self) -> bool:
        """Whether no key of a person or a month is missing or wrong."""
        return not self.missing and not self.strange


def check_keys(log: Log, keys: KeyStore) -> KeyCheck:
    """Try the key of every person on the newest account, of every month on a statement; count."""
    size = log.head().size
    return KeyCheck.of(key_states(log, keys, size), size)


def key_states(log: Log, keys: KeyStore, size: int) -> dict[str, str]:
    """Return the state of each key of persons and months, as :class:`KeyCheck` counts them."""
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
    return {person: _state(log, keys, person, position) for person, position in newest.items()}


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
