"""Reading plan data with clear errors.

A `Section` is one table of a plan file. Each read names the key and the type it must have; `close`
refuses keys that nobody read, so that a misspelt limit cannot silently be no limit. Every error is
a `PlanError` with the file and the full key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.games.api.contract import parse_amount

if TYPE_CHECKING:
    from collections.abc import Iterator


class PlanError(InputError):
    """A plan file that does not describe a game."""

    def __init__(self, place: str, problem: str) -> None:
        """Return what is wrong and where: file and key."""
        super().__init__(f"{place} {problem}")


class Section:
    """One table of a plan file."""

    def __init__(self, values: dict[str, object], where: str) -> None:
        """Start reading `values`, found at `where` (file and key)."""
        self._values = values
        self._where = where
        self._read: set[str] = set()

    def __contains__(self, key: str) -> bool:
        """Return whether the table has the key."""
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        """Go through the keys in the order of the file."""
        return iter(self._values)

    def place(self, key: str) -> str:
        """Name a key for an error, with file and table."""
        return f"{self._where}.{key}"

    def close(self) -> None:
        """Refuse keys that were not read."""
        for key in self._values:
            if key not in self._read:
                raise PlanError(self.place(key), "is not known here")

    def text(self, key: str) -> str:
        """Read a string that is not empty."""
        value = self._take(key)
        if not isinstance(value, str) or not value:
            raise PlanError(self.place(key), "must be a string that is not empty")
        return value

    def optional_text(self, key: str) -> str | None:
        """Read a string that may be left out."""
        return self.text(key) if key in self else None

    def flag(self, key: str) -> bool:
        """Read true or false."""
        value = self._take(key)
        if not isinstance(value, bool):
            raise PlanError(self.place(key), "must be true or false")
        return value

    def integer(self, key: str) -> int:
        """Read an integer that is not negative."""
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise PlanError(self.place(key), "must be an integer that is not negative")
        return value

    def optional_amount(self, key: str) -> int | None:
        """Read an amount in crowns ("10.00") as haler; None when the plan gives none."""
        if key not in self:
            return None
        haler = parse_amount(self.text(key))
        if haler is None:
            raise PlanError(self.place(key), 'must be an amount such as "10.00"')
        return haler

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of strings; empty when left out."""
        values = self._take(key) if key in self else []
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise PlanError(self.place(key), "must be a list of strings")
        return tuple(values)

    def number_sets(self, key: str) -> tuple[tuple[int, ...], ...]:
        """Read a list of lists of integers, each sorted; empty when left out."""
        values = self._take(key) if key in self else []
        if not isinstance(values, list) or not all(_is_integers(value) for value in values):
            raise PlanError(self.place(key), "must be a list of lists of integers")
        return tuple(tuple(sorted(value)) for value in values)

    def section(self, key: str) -> Section:
        """Open a table inside this one."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise PlanError(self.place(key), "must be a table")
        return Section(value, f"{self._where}.{key}")

    def sections(self, key: str) -> list[Section]:
        """Open a list of tables; empty when left out."""
        values = self._take(key) if key in self else []
        if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
            raise PlanError(self.place(key), "must be a list of tables")
        return [Section(value, f"{self._where}.{key}[{n}]") for n, value in enumerate(values)]

    def _take(self, key: str) -> object:
        if key not in self._values:
            raise PlanError(self.place(key), "is missing")
        self._read.add(key)
        return self._values[key]


def _is_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(number) is int for number in value)
