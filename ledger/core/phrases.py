"""Texts by code and parameters, such as the reasons of refusals and of failed settlements.

Events record codes and parameters. A text is rendered where it is shown: here in English, in
other languages by ``projections.words``. A placeholder in a text is ``{name}`` for a name or code,
or has a type, as in ``{name:money}``. The types: ``money`` is haléř, ``amount`` haléř or
hundredths of a chip, ``count`` a whole number, ``moment`` microseconds, ``day`` an ISO date,
``local`` an ISO date with or without a local time, ``decimal`` a number in English notation,
``quoted`` text from outside, ``whole`` text that is never shortened, ``english`` text of another
program, ``names`` several names, ``listed`` names joined by "and", ``choice`` one of several
values, ``phrase`` and ``phrases`` further phrases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from string import Formatter
from typing import Any

import msgspec

from ledger.core.clock import in_prague
from ledger.core.texts import PHRASES

__all__ = [
    "NEVER_SHORTENED",
    "NOTHING",
    "QUOTED_MAX",
    "TEXT_MAX",
    "TYPES",
    "Parameters",
    "Phrase",
    "ValueRenderer",
    "check_parameters",
    "decode_parameters",
    "encode_parameters",
    "encode_value",
    "format_hundredths",
    "placeholders_of",
    "plain_value",
    "render",
    "render_english",
    "render_value_english",
    "typed_value",
    "typed_values",
]

Parameters = Mapping[str, Any]
"""Values of the placeholders of a text by name."""
ValueRenderer = Callable[[str, str, Any], str]
"""Renders a value, given the name and the type of its placeholder."""

TEXT_MAX = 200
"""Maximum number of characters that are recorded of a text parameter."""
QUOTED_MAX = 40
"""Maximum number of characters that are shown of text from outside."""
HUNDREDTHS = 100
NOTHING = "\N{EN DASH}"
"""An empty list of names."""


class Phrase:
    """A code and a value for each placeholder of its text."""

    __slots__ = ("code", "parameters")

    def __init__(self, code: str, **parameters: object) -> None:
        """Check the parameters against the placeholders of the text and their types."""
        self.code = code
        self.parameters = check_parameters(placeholders_of(PHRASES[code]), parameters)

    def __str__(self) -> str:
        """Render in English."""
        return render_english(PHRASES[self.code], self.parameters)

    def __repr__(self) -> str:
        """Return code and parameters."""
        return f"Phrase({self.code!r}, {self.parameters})"

    def __eq__(self, other: object) -> bool:
        """Compare code and parameters."""
        return isinstance(other, Phrase) and self._key == other._key

    def __hash__(self) -> int:
        """Hash the code."""
        return hash(self.code)

    @property
    def _key(self) -> tuple[str, Parameters]:
        return self.code, self.parameters


TYPES: dict[str, type] = {
    "": object,
    "quoted": object,
    "money": int,
    "amount": int,
    "count": int,
    "moment": int,
    "day": str,
    "local": str,
    "decimal": str,
    "whole": object,
    "english": object,
    "names": tuple,
    "listed": tuple,
    "choice": tuple,
    "phrase": Phrase,
    "phrases": tuple,
}
"""Types of placeholders, with those of their values; values of texts are converted to ``str``."""

NEVER_SHORTENED = frozenset({"whole", "english"})
"""Types of texts that are not cut."""


@cache
def placeholders_of(template: str) -> dict[str, str]:
    """Return the placeholders of a text: their types by name."""
    return {
        name: kind or "" for _, name, kind, _ in Formatter().parse(template) if name is not None
    }


def check_parameters(places: Mapping[str, str], parameters: Parameters) -> dict[str, Any]:
    """Return the parameters if they match the placeholders; long texts are shortened.

    Raises:
        TypeError: a placeholder has no value or one of another type, or a value has no placeholder.

    """
    if parameters.keys() != places.keys():
        raise TypeError(f"the places are {[*places]}, not {[*parameters]}")
    for name, kind in places.items():
        if not isinstance(parameters[name], TYPES[kind]):
            raise TypeError(f"{name} is {kind or 'text'}, not {parameters[name]!r}")
    return {
        name: _text(places[name], value) if TYPES[places[name]] is object else value
        for name, value in parameters.items()
    }


def _text(kind: str, value: object) -> str:
    return str(value) if kind in NEVER_SHORTENED else str(value)[:TEXT_MAX]


def encode_parameters(parameters: Parameters) -> str:
    """Encode parameters as the JSON that events hold."""
    return encode_value(parameters)


def encode_value(value: object) -> str:
    """Encode the value of a parameter as JSON; equal values always give equal bytes."""
    return _ENCODER.encode(value).decode()


def decode_parameters(template: str, text: str) -> dict[str, Any]:
    """Decode the JSON of :func:`encode_parameters`.

    Raises:
        ValueError: the JSON does not hold the parameters of this text.

    """
    try:
        return typed_values(template, msgspec.json.decode(text))
    except (TypeError, LookupError, msgspec.DecodeError) as error:
        raise ValueError(f"parameters {text[:QUOTED_MAX]!r}: {error}") from error


def typed_values(template: str, values: Parameters) -> dict[str, Any]:
    """Convert values of decoded JSON to the types of the placeholders of a text."""
    return check_parameters(
        placeholders_of(template), {name: typed_value(value) for name, value in values.items()}
    )


def typed_value(value: object) -> object:
    """Convert a value of decoded JSON: objects to phrases, arrays to tuples."""
    match value:
        case {"code": str(code), "parameters": dict(parameters)}:
            return Phrase(code, **typed_values(PHRASES[code], parameters))
        case list(several):
            return tuple(map(typed_value, several))
    return value


def render(template: str, parameters: Parameters, show: ValueRenderer) -> str:
    """Replace the placeholders of a text by values that ``show`` renders."""
    places = placeholders_of(template)
    parts = []
    for literal, name, _, _ in Formatter().parse(template):
        parts.append(literal)
        if name is not None:
            parts.append(show(name, places[name], parameters[name]))
    return "".join(parts)


def render_english(template: str, parameters: Parameters) -> str:
    """Render in English, with amounts and times as on the command line."""
    return render(template, parameters, render_value_english)


def render_value_english(_: str, kind: str, value: Any) -> str:
    """Render the value of a placeholder of type ``kind`` in English."""
    match kind:
        case "money":
            return f"{format_hundredths(value)} CZK"
        case "amount":
            return format_hundredths(value)
        case "moment":
            return in_prague(value).isoformat()
        case "quoted":
            return repr(value[:QUOTED_MAX])
        case "names":
            return ", ".join(value) or NOTHING
        case "listed":
            return " and ".join(value) or "nobody"
        case "choice":
            return " or ".join(value)
        case "phrases":
            return "; ".join(map(str, value))
    return str(value)


def format_hundredths(value: int) -> str:
    """Format hundredths with spaces between thousands, such as ``-1 234.50``."""
    whole, rest = divmod(abs(value), HUNDREDTHS)
    return f"{'-' if value < 0 else ''}{whole:,}.{rest:02d}".replace(",", " ")


def plain_value(value: object) -> object:
    """Convert a phrase for JSON (``enc_hook`` of msgspec).

    Raises:
        TypeError: the value cannot be a parameter.

    """
    if isinstance(value, Phrase):
        return {"code": value.code, "parameters": value.parameters}
    raise TypeError(f"{value!r} is no value of a parameter")


_ENCODER = msgspec.json.Encoder(enc_hook=plain_value, order="deterministic")
