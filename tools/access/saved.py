"""Questions saved by readers, in a file next to the chain of accesses.

Input: a reader's name, and the address of a list with its filters. Output: the reader's own
questions. Guaranteed: a reader sees and deletes only their own questions; title and filters, which
may name a person, are sealed with the key of the month, as the parameters of requests are, and go
with it; the file is intact after a crash. Rejected: other addresses or parameters, more than
:data:`SAVED_MAX` questions of a reader.
"""

from __future__ import annotations

import secrets
from threading import Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec
from msgspec import Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import AvailabilityError, InputError
from ledger.privacy import period_key
from tools.sanitize import json_line
from tools.whole_files import folder_at, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.privacy import KeyStore

__all__ = ["SavedQuestion", "SavedQuestions"]

SAVED_MAX = 50
TITLE_MAX = VALUE_MAX = 150
PARAMETERS = {"/events": {"type", "tag"}, "/findings": {"state", "code", "assignee"}}
"""Lists whose questions can be saved, and the filters that belong to a question."""
MODE = 0o600
PLACE = "SavedQuestion"


class SavedQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """A question: the list that it is put to, and its filters; ``saved_at`` is microseconds."""

    name: str
    title: str
    path: str
    filters: dict[str, str]
    saved_at: int

    @property
    def address(self) -> str:
        """Return the address of its list."""
        return f"{self.path}?{urlencode(self.filters)}" if self.filters else self.path

    @classmethod
    def of(cls, title: str, address: str, now: int) -> SavedQuestion:
        """Parse the address of a list; parameters that only select a page are dropped.

        Raises:
            InputError: there is no title, or the address is not of a list that can be saved.

        """
        parts = urlsplit(address)
        is_own = not (parts.scheme or parts.netloc)
        known, title = PARAMETERS.get(parts.path) if is_own else None, title.strip()[:TITLE_MAX]
        if known is None or not title:
            lists = " and ".join(PARAMETERS)
            raise InputError(f"a saved question has a title and is of one of {lists}")
        given = parse_qsl(parts.query, max_num_fields=20)
        filters = {name: value[:VALUE_MAX] for name, value in given if name in known and value}
        return cls(secrets.token_urlsafe(9), title, parts.path, filters, now)


class _Stored(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A question as the file has it; earlier files have ``title`` and ``filters`` in clear."""

    name: str
    path: str
    saved_at: int
    sealed: bytes = b""
    title: str = ""
    filters: dict[str, str] = {}


class SavedQuestions:
    """The saved questions of all readers; thread-safe."""

    def __init__(self, file: Path, keys: KeyStore) -> None:
        """Prepare; the file is read at the first access.

        Args:
            file: of the questions.
            keys: monthly keys of the chain of accesses.

        """
        self._file, self._keys, self._changing = file, keys, Lock()
        self._by_reader: dict[str, list[_Stored]] | None = None

    def of(self, reader: str) -> tuple[SavedQuestion, ...]:
        """Return the questions of a reader, the oldest first, but those whose key is destroyed."""
        with self._changing:
            mine = self._all().get(reader, ())
            return tuple(question for one in mine if (question := self._opened(one)))

    def add(self, reader: str, question: SavedQuestion) -> None:
        """Save a question, unless the reader has it under this title, as if it was sent twice.

        Raises:
            InputError: the reader has too many.
            AvailabilityError: the file can't be read or written.

        """
        asked = (question.title, question.path, question.filters)
        with self._changing:
            mine = self._all().get(reader, [])
            known = [one for stored in mine if (one := self._opened(stored))]
            if asked in [(one.title, one.path, one.filters) for one in known]:
                return
            if len(mine) >= SAVED_MAX:
                raise InputError(f"{SAVED_MAX} questions are saved: delete one first")
            self._keep({**self._all(), reader: [*mine, self._sealed(question)]})

    def drop(self, reader: str, name: str) -> None:
        """Delete a question of a reader, if it is there."""
        with self._changing:
            mine = self._all().get(reader, [])
            self._keep({**self._all(), reader: [one for one in mine if one.name != name]})

    def _all(self) -> dict[str, list[_Stored]]:
        if self._by_reader is None:
            try:
                content = self._file.read_bytes() if self._file.exists() else b"{}"
                found = decoder_of(dict[str, list[_Stored]]).json(content)
            except (OSError, ValueError) as error:
                raise AvailabilityError(f"{self._file} can't be read: {error}") from error
            self._by_reader = found
            if any(one.title for stored in found.values() for one in stored):
                self._keep(
                    {
                        reader: [self._sealed(one) if one.title else one for one in stored]
                        for reader, stored in found.items()
                    }
                )
        return self._by_reader

    def _opened(self, stored: _Stored) -> SavedQuestion | None:
        """Open a question; return None if its month's key is destroyed."""
        text = self._keys.open(period_key("access", stored.saved_at), PLACE, stored.sealed)
        if text is None:
            return None
        said: dict[str, Any] = msgspec.json.decode(text)
        return SavedQuestion(name=stored.name, path=stored.path, saved_at=stored.saved_at, **said)

    def _sealed(self, one: SavedQuestion | _Stored) -> _Stored:
        text = json_line({"title": one.title, "filters": one.filters})
        sealed = self._keys.seal(period_key("access", one.saved_at), PLACE, text)
        return _Stored(one.name, one.path, one.saved_at, sealed)

    def _keep(self, changed: dict[str, list[_Stored]]) -> None:
        folder_at(self._file.parent)
        write_whole(self._file, msgspec.json.encode(changed), replacing=True, mode=MODE)
        self._by_reader = changed
