"""Check that a message is in the canonical form of its schema, and extract its tags.

docs/format.md gives every value exactly one encoding, so a message is canonical if decoding and
re-encoding it returns the same bytes. That takes about 15 µs; the tags come with it.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_reader, schemaless_writer

from ledger.core.clock import is_moment
from ledger.core.message import BODY_OFFSET

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schemas import Schema

    Scan = Callable[[bytes], tuple[str, Sequence[bytes]]]
    TagReader = Callable[[bytes], Sequence[bytes]]

__all__ = ["UNREADABLE", "Scan", "TagReader", "scan_of", "tag_reader_of"]

UNREADABLE = (
    EOFError,
    IndexError,
    KeyError,
    MemoryError,
    OverflowError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions that decoding damaged Avro may raise."""

INT_MAX = 2**31


def scan_of(schema: Schema, tags: Sequence[tuple[str, str]] = ()) -> Scan:
    """Return a function that checks messages of a schema.

    Args:
        schema: the schema of the messages; it has only types that the format allows.
        tags: (field, tag) for the fields that are tags; fields that the schema lacks are ignored.

    Returns:
        A function of a message that returns its fault, empty if there is none, and its tags. Marker
        and fingerprint are not checked.

    """
    parsed = schema.parsed
    fields = schema.raw["fields"]
    ints = [field["name"] for field in fields if "int" in _primitives(field)]
    moments = [field["name"] for field in fields if field.get("unit") == "microseconds"]
    marks = _tag_prefixes(schema, tags)

    def scan(message: bytes) -> tuple[str, Sequence[bytes]]:
        stream = BytesIO(message)
        stream.seek(BODY_OFFSET)
        try:
            record: Any = schemaless_reader(stream, parsed, None)
        except UNREADABLE:
            return "its facts can't be read", ()
        if stream.tell() != len(message):
            return "it goes on behind its facts", ()
        is_exact = all(-INT_MAX <= (record[name] or 0) < INT_MAX for name in ints)
        if not is_exact or _encode(parsed, record) != message[BODY_OFFSET:]:
            return "its facts are not encoded in the one way that the format allows", ()
        for name in moments:
            if not is_moment(record[name] or 0):
                return f"its {name} {record[name]} is no moment from 1970 to 2199", ()
        return "", [tag for name, mark in marks for tag in _tags(mark, record[name])]

    return scan


def tag_reader_of(schema: Schema, tags: Sequence[tuple[str, str]]) -> TagReader:
    """Return a function that reads the tags of messages of a schema; see :func:`scan_of`.

    The function raises an exception of ``UNREADABLE`` if the message can't be decoded.
    """
    parsed, marks = schema.parsed, _tag_prefixes(schema, tags)

    def read(message: bytes) -> Sequence[bytes]:
        stream = BytesIO(message)
        stream.seek(BODY_OFFSET)
        record: Any = schemaless_reader(stream, parsed, None)
        return [tag for name, mark in marks for tag in _tags(mark, record[name])]

    return read


def _tag_prefixes(schema: Schema, tags: Sequence[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return the tag fields in the order of the schema, with the prefixes of their tags."""
    begin = {field: f"{tag}:".encode() for field, tag in tags}
    names = [field["name"] for field in schema.facts]
    return [(name, begin[name]) for name in names if name in begin]


def _tags(mark: bytes, value: str | list[str]) -> list[bytes]:
    """Return the tags of one field; an empty text has no tag."""
    if isinstance(value, list):
        return [mark + item.encode() for item in value]
    return [mark + value.encode()] if value else []


def _encode(parsed: Any, record: Any) -> bytes:
    out = BytesIO()
    try:
        schemaless_writer(out, parsed, record)
    except UNREADABLE:
        return b""
    return out.getvalue()


def _primitives(field: dict[str, Any]) -> tuple[Any, ...]:
    kind = field["type"]
    return tuple(kind) if isinstance(kind, list) else (kind,)
