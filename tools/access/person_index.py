"""Keyed digests of names and e-mails, by which the accounts of a person are found.

Input: the chain and its key store, and the text of a search. Output: the accounts whose decrypted
name, present or former, has all words of the text, or whose e-mail it is. The key of the digests is
that of a process; they are made from what the key store can decrypt, are in memory only, and end
with the process.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

from ledger.events import event_types as e
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.privacy import KeyStore

__all__ = ["PersonIndex", "PersonMatch", "field_of", "folded"]

DIGEST_BYTES = 16
READ = Query(types=("AccountOpened", "PersonChanged", "PersonErased"))
FIELDS = ("name", "email")
BETWEEN = re.compile(r"[^\w]+")
"""What lies between the words of a name, such as the hyphen of a double surname."""


class PersonMatch(NamedTuple):
    """An account with its person, as a pseudonym."""

    account: str
    person: str


@dataclass(slots=True)
class PersonIndex:
    """Keyed digests of names, word by word, and of e-mails, up to a number of messages."""

    _key: bytes = field(default_factory=lambda: os.urandom(32))
    _size: int = 0
    _found: dict[bytes, set[tuple[PersonMatch, int]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def find(self, log: Log, keys: KeyStore, text: str, *, size: int) -> list[PersonMatch]:
        """Return the accounts whose person's name has all words of a text, or has this e-mail.

        Args:
            log: the chain.
            keys: of persons; nothing is found of a person whose key was destroyed.
            text: name or e-mail; case, diacritics and the order of words do not matter.
            size: number of messages that count.

        """
        with self._lock:
            self._read(log, keys, size)
            digests = self._digests(field_of(text), text)
            found = [self._found.get(one, set()) for one in digests]
            matches = {one for one, _ in set.intersection(*found)} if found else set()
        return sorted(one for one in matches if keys.has_key(one.person))

    def _read(self, log: Log, keys: KeyStore, size: int) -> None:
        """Add the events recorded since the last search."""
        for recorded in events_at(log, log.find(READ, after=self._size - 1, before=size)):
            event = recorded.event
            if isinstance(event, e.PersonErased):
                for matches in self._found.values():
                    matches.difference_update(
                        {one for one in matches if one[0].person == event.person}
                    )
            elif isinstance(event, e.AccountOpened | e.PersonChanged):
                match = PersonMatch(event.account, event.person), recorded.position
                for name in FIELDS:
                    sealed = getattr(event, name)
                    text = keys.open(event.person, f"{event.type}.{name}", sealed)
                    for digest in self._digests(name, text or ""):
                        self._found.setdefault(digest, set()).add(match)
        self._size = max(self._size, size)

    def _digests(self, name: str, text: str) -> list[bytes]:
        plain = folded(text)
        words = plain.split() if name == "email" else BETWEEN.split(plain)
        return [
            blake2b(
                word.encode(), digest_size=DIGEST_BYTES, key=self._key, person=name.encode()
            ).digest()
            for word in filter(None, words)
        ]


def field_of(text: str) -> str:
    """Return the personal field that a text is compared with."""
    return "email" if "@" in text else "name"


def folded(text: str) -> str:
    """Return a text without case and diacritics."""
    return "".join(one for one in normalize("NFKD", text) if not combining(one)).casefold()
