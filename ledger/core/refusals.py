"""Refusals: commands that the rules do not allow; each has a stable code, a sentence, a paragraph.

A decision raises :class:`RefusedError` with a code and details. The operator's rules render it
(``ledger.rules.operator``): all operators share the sentences, while figures and cited paragraphs
are the operator's own. The decider records the refusal as an event. A code never changes its
meaning; its sentence may be improved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ledger.core.phrases import (
    Parameters,
    check_parameters,
    decode_parameters,
    encode_parameters,
    placeholders_of,
    render_english,
)
from ledger.core.texts import REFUSALS

__all__ = ["Refusal", "RefusedError", "refuses", "render_refusal"]


if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")


class Refusal(Struct, frozen=True, gc=False):
    """A command refused by the rules: code, English sentence and cited paragraph.

    ``parameters`` is the recorded JSON of the values in the sentence.
    """

    code: str
    sentence: str
    paragraph: str
    parameters: str = "{}"

    @classmethod
    def of(cls, code: str, parameters: Parameters, paragraph: str) -> Refusal:
        """Render a refusal in English."""
        return cls(code, render_refusal(code, parameters), paragraph, encode_parameters(parameters))

    @classmethod
    def recorded(cls, code: str, parameters: str, paragraph: str) -> Refusal:
        """Return a refusal as recorded in an event.

        If this version does not know the code or its parameters, the sentence is the code followed
        by the recorded JSON.
        """
        try:
            sentence = render_refusal(code, decode_parameters(REFUSALS[code], parameters))
        except (LookupError, ValueError):
            sentence = f"{code} {parameters}"
        return cls(code, sentence, paragraph, parameters)


class RefusedError(Exception):
    """The rules do not allow a command; the decider catches it, so no caller sees it.

    It is not one of ``ledger.core.errors``: a refusal is recorded and requires no action.
    ``paragraph``, such as one of a game plan, replaces the one of the operator's rules; empty:
    none.
    """

    def __init__(self, code: str, *, paragraph: str = "", **details: object) -> None:
        """Check the details: one value of the right type for each placeholder except figures."""
        self.code = code
        places = placeholders_of(REFUSALS[code])
        placeholders = {name: kind for name, kind in places.items() if "." not in name}
        self.details = check_parameters(placeholders, details)
        self.paragraph = paragraph
        super().__init__(f"{code}: {details}" if details else code)


def refuses(*codes: str) -> Callable[[Function], Function]:
    """Declare the refusals of a decision in the order of its checks; later duplicates are ignored.

    Raises:
        LookupError: a code is unknown.

    """
    for code in codes:
        REFUSALS[code]

    def declare(function: Function) -> Function:
        function.refuses = tuple(dict.fromkeys(codes))  # type: ignore[attr-defined]
        return function

    return declare


def render_refusal(code: str, parameters: Parameters) -> str:
    """Render a refusal in English as a sentence."""
    return f"{render_english(REFUSALS[code], parameters).rstrip('.')}."


"""The sentence of every refusal by its code, with placeholders for details and figures."""
