"""Typed access to the fields of a JSON document.

Every function takes a document, a key and the place for the message. A missing field or a wrong
type is a `SettlementError` with MALFORMED_REQUEST; nothing else is judged here.
"""

from __future__ import annotations

from ledger.games.api.contract import Code, SettlementError

Document = dict[str, object]


def shown(text: str) -> str:
    """Quote foreign text for a message, shortened."""
    return repr(text[:40])


def as_document(value: object, where: str) -> Document:
    """Accept only a JSON object."""
    if not isinstance(value, dict):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where} must be an object")
    return value


def text(document: Document, key: str, where: str) -> str:
    """Read a string that must be there."""
    value = document.get(key)
    if not isinstance(value, str):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must be a string")
    return value


def optional_text(document: Document, key: str, where: str) -> str | None:
    """Read a string that may be left out."""
    return text(document, key, where) if key in document else None


def optional_integer(document: Document, key: str, where: str) -> int | None:
    """Read an integer that may be left out; true, false and 17.0 are not integers."""
    if key not in document:
        return None
    value = document[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must be an integer")
    return value


def flag(document: Document, key: str, where: str) -> bool:
    """Read true or false; false when left out."""
    value = document.get(key, False)
    if not isinstance(value, bool):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must be true or false")
    return value


def optional_list(document: Document, key: str, where: str) -> list[object]:
    """Read a list; empty when left out."""
    value = document.get(key, [])
    if not isinstance(value, list):
        raise SettlementError(Code.MALFORMED_REQUEST, f"{where}.{key} must be a list")
    return value


def optional_documents(document: Document, key: str, where: str) -> list[Document]:
    """Read a list of objects; empty when left out."""
    values = optional_list(document, key, where)
    return [as_document(value, f"{where}.{key}[{n}]") for n, value in enumerate(values)]
