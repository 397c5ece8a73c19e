"""Decode documents strictly to typed values (structs of msgspec).

Structs define the content of a plan file or a request; `decode` creates the values and raises
`ShapeError` with the place and the fault. Values are never converted silently: true and 17.0 are
not integers, 1 is not a string, and null does not stand for a missing value.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, Union

import msgspec
from msgspec import Meta

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

Document = dict[str, Any]
Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
"""Number of cards, seats, fields, turns, chips or points. Known plans count to 36; work and sums
grow with these numbers, so that a plan from outside needs a bound."""
Decks = Annotated[int, Meta(ge=1, le=16)]
"""Decks of a shoe; shoes hold up to eight, and larger ones are counted more slowly."""
Percent = Annotated[int, Meta(ge=0, le=100)]

_T = TypeVar("_T")
_AMOUNT = re.compile(r"[0-9]{1,12}\.[0-9]{2}")
_EXPECTED = re.compile(r"Expected `([a-z]+)[^`]*`([^,]*)(?:, got .*)?")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`")
_KINDS = {"str": "a string", "int": "an integer", "bool": "true or false", "array": "a list"}


class ShapeError(InputError, ValueError):
    """A document does not have the required shape; `place` is a path, such as ".bets.red.pays".

    Also a `ValueError`, because msgspec adds the place only to a `ValueError` that a struct's own
    check raises.
    """

    def __init__(self, place: str, problem: str) -> None:
        """Store place and problem separately."""
        super().__init__(f"{place} {problem}")
        self.place = place
        self.problem = problem


class TextValueType(type):
    """Type of a value that is text in documents, such as an amount; created by `text_value_type`.

    msgspec checks whether the parsed value is an instance of the type. This class returns the
    answer for the class of the parsed value, so that a parsed amount is a plain integer.
    """

    made: type
    read: Callable[[str], object]

    def __instancecheck__(cls, value: object) -> bool:
        """Return whether a value is of the parsed class."""
        return isinstance(value, cls.made)


def text_value_type(made: type, read: Callable[[str], object]) -> TextValueType:
    """Return the type of a field that holds text in a document.

    Args:
        made: the class of the parsed values.
        read: parses a value from text; raises `ValueError` that states the required form.

    """
    return TextValueType(made.__name__, (), {"made": made, "read": staticmethod(read)})


def parse_amount(text: str) -> int | None:
    """Parse an amount such as "100.00" into haler; None if the text has another form."""
    if _AMOUNT.fullmatch(text) is None:
        return None
    return int(text[:-3] + text[-2:])


def _amount(text: str) -> int:
    haler = parse_amount(text)
    if haler is None:
        message = "must be an amount such as 10.00"
        raise ValueError(message)
    return haler


if TYPE_CHECKING:
    Haler = int
    OptionalField: TypeAlias = Union[_T, None]  # noqa: UP007 - a type variable stands for the field's type
else:
    Haler = text_value_type(int, _amount)

    class OptionalField:
        """A field that may be missing, which gives None, but that must not be null."""

        def __class_getitem__(cls, kind: object) -> object:
            """Return the field type for values of a type."""
            return kind


def decode(value: object, kind: type[_T], where: str = "") -> _T:
    """Convert a JSON or TOML value to a type.

    Args:
        value: the document or a part of it.
        kind: type of the result.
        where: the path of that part; empty for the whole document.

    Raises:
        ShapeError: the value does not have that type.

    """
    try:
        return decoder_of(kind).plain(value, dec_hook=_read)
    except msgspec.ValidationError as error:
        raise _shape_error(str(error), where) from error
    except UnicodeEncodeError as error:  # A key with half of a surrogate pair.
        raise ShapeError(where, "must have keys that are text") from error


def shown(text: str) -> str:
    """Quote text from outside for an error message, shortened."""
    return repr(text[:40])


def _read(kind: Any, value: object) -> object:
    if not isinstance(value, str):
        message = "must be a string"
        raise ValueError(message)  # noqa: TRY004 - msgspec adds the place to it
    return kind.read(value)


def _shape_error(text: str, where: str) -> ShapeError:
    """Convert an error text of msgspec to a `ShapeError`; a leading dot names a key."""
    problem, _, place = text.partition(" - at `")
    place = where + place[place.find("$") + 1 :].removesuffix("`")
    if (field := _FIELD.fullmatch(problem)) is not None:
        is_missing = field[1] == "missing required"
        return ShapeError(
            f"{place}.{field[2]}", "is missing" if is_missing else "is not known here"
        )
    if (expected := _EXPECTED.fullmatch(problem)) is not None:
        return ShapeError(place, f"must be {_KINDS.get(expected[1], 'an object')}{expected[2]}")
    if problem.startswith("."):
        key, _, problem = problem.partition(" ")
        place += key
    return ShapeError(place, problem)
