"""Tables of a plan file as structs, with errors that name the key.

Each table is a `PlanTable` next to the code that uses it; its fields are the keys, and conditions
between them are checked at construction. An unknown key is rejected, so that a misspelt limit
cannot silently mean no limit. Every error is a `PlanError` with the file and the full key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ledger.core.errors import InputError
from ledger.games.api.typed import Document, ShapeError, TextValueType, decode, text_value_type

_T = TypeVar("_T")


class PlanError(InputError):
    """A plan file is not valid."""

    def __init__(self, place: str, problem: str) -> None:
        """Store the problem and its place: file and key."""
        super().__init__(f"{place} {problem}")


class PlanTable(Struct, frozen=True, forbid_unknown_fields=True):
    """One table of a plan file."""


if TYPE_CHECKING:
    from typing import Annotated

    Word = Annotated[_T, "one of an enumeration"]
else:

    class Word:
        """Field type for values of a `StrEnum`; an error for another value lists the valid ones."""

        def __class_getitem__(cls, words: type) -> TextValueType:
            """Return the field type for the values of one enumeration."""

            def read(text: str) -> Any:
                if text not in tuple(words):
                    choices = " or ".join(f'"{word}"' for word in words)
                    raise wrong("", f"must be {choices}")
                return words(text)

            return text_value_type(words, read)


def wrong(key: str, problem: str) -> ValueError:
    """Return the error for a table whose values contradict each other.

    Args:
        key: the key below the table, such as "pays.flush"; empty for the table itself.
        problem: the fault, beginning with "must" or "is".

    """
    return ValueError(f".{key} {problem}" if key else problem)


def read_tables(document: Document, kind: type[_T], where: str) -> _T:
    """Parse tables of a plan file.

    Args:
        document: the tables by their keys.
        kind: type of the result.
        where: name of the file, for messages.

    Raises:
        PlanError: a key is missing, misspelt or impossible.

    """
    try:
        return decode(document, kind)
    except ShapeError as error:
        place = error.place.removeprefix(".header")
        problem = error.problem.replace("an object", "a table")
        raise PlanError(where + place, problem) from error
