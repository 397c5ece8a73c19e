"""Are the bytes of a message exactly what its schema allows, and which tags do they bear?

docs/format.md gives every value one encoding, so a message is good if what is read from it
gives the same bytes again when it is written. That costs some 15 µs. Most messages are told
good in one by a regular expression of their schema, which matches only what is good: numbers
in as few bytes as they take, short texts in ASCII, moments within the years of the format.
What it does not match is read and written again. Tags are taken out of either, so that nothing is
read a second time for them. The tests hold both against each other.
"""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_reader, schemaless_writer

from ledger.core.avro_long import encode_long
from ledger.core.clock import is_moment
from ledger.core.encoding import BODY_OFFSET, COMMAND

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from schemas import Schema

    Scan = Callable[[bytes], tuple[str, Sequence[bytes]]]

__all__ = [
    "UNREADABLE",
    "Scan",
    "plain_scan",
    "scan_of",
]

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
"""What reading damaged Avro may raise."""

INT_MAX = 2**31
SHORT = 48
"""Texts and bytes of fewer bytes are matched; longer ones are rare."""
FEW = 8
"""Arrays of fewer items are matched."""
PATIENCE = 500
"""Messages of a schema that are read before a pattern is made, which takes as long."""

GOOD: tuple[str, Sequence[bytes]] = ("", ())

ANY = b"(?s:.)"
ASCII = rb"[\x00-\x7f]"
LONG = rb"(?:[\x00-\x7f]|[\x80-\xff]{1,8}+[\x01-\x7f]|[\x80-\xff]{9}\x01)"
INT = rb"(?:[\x00-\x7f]|[\x80-\xff]{1,3}+[\x01-\x7f]|[\x80-\xff]{4}[\x01-\x0f])"
MOMENT = b"(?:[%s][\x80-\xff]{6}[\x01-\x18])" % re.escape(bytes(range(0x80, 0x100, 2)))
"""Numbers of eight bytes that are not negative, 1987 to 2192; others are read."""


def scan_of(schema: Schema, tags: Sequence[tuple[str, str]] = ()) -> Scan:
    """Make the function that says what is wrong with a message, "" for nothing, and its tags.

    Marker and fingerprint are taken as read. The schema has only types that the format allows.

    Args:
        schema: theirs.
        tags: (field, tag) for the fields that are tags; the others that it names are passed over.

    """
    read = plain_scan(schema, tags)
    matches: Callable[[bytes, int], re.Match[bytes] | None] | None = None
    left = PATIENCE
    marks = dict(_marks(schema, tags))
    groups = [
        (marks[field["name"]], isinstance(field["type"], dict))
        for field in schema.facts
        if field["name"] in marks
    ]
    tags_in = partial(_tags_in, groups)
    if not any(is_array for _, is_array in groups):
        tags_in = partial(_texts_in, [mark for mark, _ in groups])

    def scan(message: bytes) -> tuple[str, Sequence[bytes]]:
        nonlocal matches, left
        if matches is not None:
            match = matches(message, COMMAND.start)
            if match is None:
                return read(message)
            return ("", tags_in(match)) if groups else GOOD
        left -= 1
        if not left:
            matches = _pattern(schema, marks).fullmatch
        return read(message)

    return scan


def plain_scan(schema: Schema, tags: Sequence[tuple[str, str]] = ()) -> Scan:
    """Make the same function without a pattern: read every message and write it again."""
    parsed = schema.parsed
    fields = schema.raw["fields"]
    ints = [field["name"] for field in fields if "int" in _primitives(field)]
    moments = [field["name"] for field in fields if field.get("unit") == "microseconds"]
    marks = _marks(schema, tags)

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
        if not is_exact or _written(parsed, record) != message[BODY_OFFSET:]:
            return "its facts are not encoded in the one way that the format allows", ()
        for name in moments:
            if not is_moment(record[name] or 0):
                return f"its {name} {record[name]} is no moment from 1970 to 2199", ()
        return "", [tag for name, mark in marks for tag in _tags(mark, record[name])]

    return scan


def _marks(schema: Schema, tags: Sequence[tuple[str, str]]) -> list[tuple[str, bytes]]:
    """Return the fields that are tags, in the order of the schema, and how their tags begin."""
    begin = {field: f"{tag}:".encode() for field, tag in tags}
    names = [field["name"] for field in schema.facts]
    return [(name, begin[name]) for name in names if name in begin]


def _tags(mark: bytes, value: str | list[str]) -> list[bytes]:
    """Return the tags of one field; an empty text is none."""
    if isinstance(value, list):
        return [mark + item.encode() for item in value]
    return [mark + value.encode()] if value else []


def _texts_in(marks: Sequence[bytes], match: re.Match[bytes]) -> list[bytes]:
    """Return the tags of a message whose tags are texts; lengths in it are of one byte."""
    return [
        mark + found[1:]
        for mark, found in zip(marks, match.groups(), strict=True)
        if len(found) > 1
    ]


def _tags_in(groups: Sequence[tuple[bytes, bool]], match: re.Match[bytes]) -> list[bytes]:
    """Return the tags of a message that was matched, some of them of arrays."""
    tags: list[bytes] = []
    for (mark, is_array), found in zip(groups, match.groups(), strict=True):
        if is_array:
            tags += [mark + item for item in _items(found)]
        elif len(found) > 1:
            tags.append(mark + found[1:])
    return tags


def _items(array: bytes) -> Iterator[bytes]:
    """Yield the texts of an array that was matched."""
    at = 1
    for _ in range(array[0] >> 1):
        start = at + 1
        at = start + (array[at] >> 1)
        yield array[start:at]


def _written(parsed: Any, record: Any) -> bytes:
    out = BytesIO()
    try:
        schemaless_writer(out, parsed, record)
    except UNREADABLE:
        return b""
    return out.getvalue()


def _primitives(field: dict[str, Any]) -> tuple[Any, ...]:
    kind = field["type"]
    return tuple(kind) if isinstance(kind, list) else (kind,)


def _pattern(schema: Schema, kept: Collection[str] = ()) -> re.Pattern[bytes]:
    """Write what a message looks like behind its previous hash, with groups for what is kept."""
    return re.compile(
        b"".join(
            (b"((?>%s))" if field["name"] in kept else b"(?>%s)")
            % _pattern_of(field["type"], field)
            for field in schema.raw["fields"][1:]
        )
    )


def _pattern_of(kind: Any, field: dict[str, Any]) -> bytes:
    if isinstance(kind, list):
        branches = [re.escape(encode_long(at)) + _pattern_of(k, field) for at, k in enumerate(kind)]
        return b"(?:%s)" % b"|".join(branches)
    if isinstance(kind, dict) and kind["type"] == "fixed":
        return b"%s{%d}" % (ANY, kind["size"])
    if isinstance(kind, dict):
        return _counted(b"(?:%s)" % _pattern_of(kind["items"], field), FEW, end=b"\x00")
    if kind == "long" and field.get("unit") == "microseconds":
        return MOMENT
    if kind in ("string", "bytes"):
        return _counted(ASCII if kind == "string" else ANY, SHORT)
    return {"null": b"", "boolean": rb"[\x00\x01]", "int": INT, "long": LONG}[kind]


def _counted(item: bytes, below: int, *, end: bytes = b"") -> bytes:
    """Match a count, so many items, and the end; no items are the count alone."""
    some = [b"%s%s{%d}%s" % (re.escape(encode_long(n)), item, n, end) for n in range(1, below)]
    return b"(?:%s)" % b"|".join([re.escape(encode_long(0)), *some])
