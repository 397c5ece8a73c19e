"""Check that a message is in the canonical form of its schema, and extract its tags.

docs/format.md gives every value exactly one encoding, so a message is canonical if decoding and
re-encoding it returns the same bytes. That takes about 15 µs. Most messages are accepted faster by
a regular expression of their schema, which matches only canonical messages: numbers in their
shortest form, short ASCII texts, timestamps within the years of the format. A message that does not
match is decoded and re-encoded. Both ways also return the tags, so no message is read twice for
them; the tags of many messages are extracted as columns. The tests compare both ways.
"""

from __future__ import annotations

import re
from functools import partial
from io import BytesIO
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_reader, schemaless_writer

from ledger.core.clock import is_moment
from ledger.core.message import BODY_OFFSET
from ledger.events.avro_long import encode_long
from ledger.events.encoding import COMMAND

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from ledger.tlog.tag_entries import TagTable
    from schemas import Schema

    Scan = Callable[[bytes], tuple[str, Sequence[bytes]]]

__all__ = [
    "UNREADABLE",
    "Scan",
    "Scanner",
    "plain_scan",
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
"""Exceptions that decoding damaged Avro may raise."""

INT_MAX = 2**31
MATCHED_BYTES_MAX = 48
"""Texts and bytes shorter than this are matched; longer ones are rare."""
MATCHED_ITEMS_MAX = 8
"""Arrays of fewer items than this are matched."""
DECODED_FIRST_MAX = 500
"""Messages of a schema that are decoded before its pattern is compiled: equal cost."""

ANY = b"(?s:.)"
ASCII = rb"[\x00-\x7f]"
LONG = rb"(?:[\x00-\x7f]|[\x80-\xff]{1,8}+[\x01-\x7f]|[\x80-\xff]{9}\x01)"
INT = rb"(?:[\x00-\x7f]|[\x80-\xff]{1,3}+[\x01-\x7f]|[\x80-\xff]{4}[\x01-\x0f])"
MOMENT = b"(?:[%s][\x80-\xff]{6}[\x01-\x18])" % re.escape(bytes(range(0x80, 0x100, 2)))
"""Non-negative numbers of eight bytes, 1987 to 2192; other moments are decoded."""


class Scanner:
    """Checks messages of one schema and extracts their tags."""

    def __init__(self, schema: Schema, tags: Sequence[tuple[str, str]] = ()) -> None:
        """Compile the scan.

        Args:
            schema: the schema of the messages; it has only types that the format allows.
            tags: (field, tag) for the fields that are tags; fields that the schema lacks are
                ignored.
        """
        self._read = plain_scan(schema, tags)
        self._schema = schema
        marks = _tag_prefixes(schema, tags)
        self._kept, self._marks = [name for name, _ in marks], [mark for _, mark in marks]
        arrays = {f["name"] for f in schema.facts if isinstance(f["type"], dict)}
        self._arrays = [at for at, name in enumerate(self._kept) if name in arrays]
        self._texts = [at for at, name in enumerate(self._kept) if name not in arrays]
        self._left = DECODED_FIRST_MAX
        self._fullmatch: Callable[[bytes, int], re.Match[bytes] | None] | None = None

    def scan_all(self, messages: Sequence[bytes], rows: Sequence[int], table: TagTable) -> bool:
        """Return whether all messages are canonical; add their tags to the rows of a table.

        Marker and fingerprint are not checked here.
        """
        if self._fullmatch is None:
            self._left -= len(messages)
            if self._left >= 0:
                return all(map(partial(self._scan_into, table), messages, rows))
            self._fullmatch = _pattern(self._schema, self._kept).fullmatch
        matches = map(self._fullmatch, messages, repeat(COMMAND.start))
        matched = [None if match is None else match.groups() for match in matches]
        for at in self._arrays:
            matched = [groups if groups and _is_whole(groups[at]) else None for groups in matched]
        if None in matched:
            others = [at for at, groups in enumerate(matched) if groups is None]
            if not all(self._scan_into(table, messages[at], rows[at]) for at in others):
                return False
            rows = [row for row, groups in zip(rows, matched, strict=True) if groups is not None]
        columns = list(zip(*filter(None, matched), strict=True))
        if columns:
            table.add_columns([(self._marks[at], columns[at]) for at in self._texts], rows)
            for at in self._arrays:
                texts = list(map(_texts_in, columns[at]))
                owners = [row for row, some in zip(rows, texts, strict=True) for _ in some]
                table.add_columns([(self._marks[at], list(chain.from_iterable(texts)))], owners)
        return True

    def _scan_into(self, table: TagTable, message: bytes, row: int) -> bool:
        fault, tags = self._read(message)
        table.add(row, tags)
        return not fault


def plain_scan(schema: Schema, tags: Sequence[tuple[str, str]] = ()) -> Scan:
    """Return a scan that uses no pattern: it decodes every message and encodes it again."""
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


def _texts_in(array: bytes) -> list[bytes]:
    """Return the encoded texts of an array that matched."""
    texts, at, end = [], 1, len(array) - 1
    while at < end:
        start, at = at, at + 1 + (array[at] >> 1)
        texts.append(array[start:at])
    return texts


def _is_whole(array: bytes) -> bool:
    """Return whether a matched array contains as many texts as its count says."""
    return array[0] == 2 * len(_texts_in(array))


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


def _pattern(schema: Schema, kept: Collection[str] = ()) -> re.Pattern[bytes]:
    """Return the pattern of a message after its previous hash, with groups for the kept fields.

    :func:`_is_whole` checks the number of texts in a kept array.
    """
    return re.compile(
        b"".join(
            b"((?>%s))"
            % (TEXTS if isinstance(field["type"], dict) else _pattern_of(field["type"], field))
            if field["name"] in kept
            else b"(?>%s)" % _pattern_of(field["type"], field)
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
        return _counted(
            b"(?:%s)" % _pattern_of(kind["items"], field), MATCHED_ITEMS_MAX, end=b"\x00"
        )
    if kind == "long" and field.get("unit") == "microseconds":
        return MOMENT
    if kind in ("string", "bytes"):
        return _counted(ASCII if kind == "string" else ANY, MATCHED_BYTES_MAX)
    return {"null": b"", "boolean": rb"[\x00\x01]", "int": INT, "long": LONG}[kind]


def _counted(item: bytes, below: int, *, end: bytes = b"") -> bytes:
    """Return the pattern of an array: a count, that many items, and the end.

    An empty array is only its count.
    """
    return b"(?:%s|%s)" % (re.escape(encode_long(0)), _repeated_values(item, below, end=end))


def _repeated_values(item: bytes, below: int, *, end: bytes = b"") -> bytes:
    counts = ((re.escape(encode_long(number)), number) for number in range(1, below))
    return b"|".join(b"%s%s{%d}%s" % (count, item, number, end) for count, number in counts)


TEXTS = rb"(?:\x00|[\x02-\x7e](?:%s)++\x00)" % _repeated_values(ASCII, MATCHED_BYTES_MAX)
"""Fewer than 64 texts, none of them empty."""
