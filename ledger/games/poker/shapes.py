"""Fields of the poker documents: lists of names, amounts, percentages.

Like `_shapes`, these functions judge the form alone. A missing field or a wrong form is a
`SettlementError` with MALFORMED_REQUEST.
"""

from __future__ import annotations

import re
from fractions import Fraction

from ledger.games.api.contract import Code, SettlementError, parse_amount
from ledger.games.api.shapes import Document, as_document, optional_list, text

_PERCENT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


def names(document: Document, key: str, where: str) -> tuple[str, ...] | None:
    """Read a list of strings; None when left out."""
    return _names(document, key, where) if key in document else None


def optional_object(document: Document, key: str, where: str) -> Document:
    """Read an object; empty when left out."""
    return as_document(document[key], f"{where}.{key}") if key in document else {}


def amount(document: Document, key: str, where: str) -> int:
    """Read an amount that must be there, in haler."""
    haler = parse_amount(text(document, key, where))
    if haler is None:
        raise SettlementError(
            Code.MALFORMED_REQUEST, f"{where}.{key} must be an amount such as 100.00"
        )
    return haler


def optional_amount(document: Document, key: str, where: str) -> int | None:
    """Read an amount in haler; None when left out."""
    return amount(document, key, where) if key in document else None


def amounts(document: Document, key: str, where: str) -> dict[str, int]:
    """Read an object whose values are amounts, in haler; empty when left out."""
    values = optional_object(document, key, where)
    return {name: amount(values, name, f"{where}.{key}") for name in values}


def percent(document: Document, key: str, where: str) -> Fraction:
    """Read a percentage that must be there, such as "10" or "7.5"."""
    written = text(document, key, where)
    if _PERCENT.fullmatch(written) is None:
        raise SettlementError(
            Code.MALFORMED_REQUEST, f"{where}.{key} must be a percentage such as 7.5"
        )
    return Fraction(written)


def required_integer(document: Document, key: str, where: str) -> int:
    """Read an integer that must be there; true, false and 1.0 are not integers."""
    value = document.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must be an integer")
    return value


def _names(document: Document, key: str, where: str) -> tuple[str, ...]:
    listed = optional_list(document, key, where)
    found = tuple(name for name in listed if isinstance(name, str))
    if len(found) != len(listed):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must hold strings")
    return found
