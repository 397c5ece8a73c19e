"""The Avro schemas of every event, one file per event type and version.

What comes in: the JSON files of this folder, which hold the facts of an event; ``envelope.json``
holds the fields that every event begins with. What goes out: a catalogue of complete
:class:`Schema` values, found by event type (newest version) or by the fingerprint that a
message carries. Attributes beyond Avro's own describe a field further: ``tag``, ``personal``,
``unit`` (see README.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from typing import Any, NamedTuple

__all__ = [
    "ENVELOPE_FIELDS",
    "Pin",
    "Schema",
    "catalogue",
    "crc_64_avro",
    "newest",
    "numbered",
    "parse",
    "pins",
    "shape",
]

_FOLDER = resources.files(__name__)
ENVELOPE_FIELDS = (
    "previous_hash",
    "command_id",
    "command_digest",
    "position",
    "decision_index",
    "decision_size",
    "recorded_at",
    "occurred_at",
    "actor",
    "source",
)
"""Names of the envelope fields, with which every event begins, in this order."""


@dataclass(frozen=True)
class Schema:
    """One version of one event type.

    ``raw`` is the schema as read, ``parsed`` what fastavro works with.
    """

    name: str
    version: int
    raw: dict[str, Any]
    parsed: Any

    @cached_property
    def fingerprint(self) -> bytes:
        """The 8-byte CRC-64-AVRO in the byte order of a message (little-endian)."""
        pin = pins().get((self.name, self.version))
        if pin is not None and pin.sha256 == sha256(self.text.encode()).hexdigest():
            return bytes.fromhex(pin.fingerprint)
        return crc_64_avro(self.raw)

    @property
    def scope(self) -> str | None:
        """The right required to read events of this type; ``None``: only with all rights."""
        found: str | None = self.raw.get("scope")
        return found

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The fields after the envelope, as in the file."""
        return list(self.raw["fields"][len(ENVELOPE_FIELDS) :])

    @property
    def tags(self) -> tuple[tuple[str, str], ...]:
        """Pairs of field and tag, of string fields and arrays of strings only."""
        return tuple(
            (field["name"], field["tag"])
            for field in self.facts
            if "tag" in field and field["type"] in ("string", {"type": "array", "items": "string"})
        )

    @cached_property
    def text(self) -> str:
        """The schema as compact JSON, as published in the chain."""
        return json.dumps(self.raw, ensure_ascii=False, separators=(",", ":"))


def parse(raw: dict[str, Any]) -> Schema:
    """Return the :class:`Schema` of a complete Avro schema.

    Raises:
        fastavro.schema.SchemaParseException: it is not an Avro schema.
    """
    from fastavro.schema import parse_schema

    return Schema(name=raw["name"], version=raw["version"], raw=raw, parsed=parse_schema(raw))


def crc_64_avro(raw: dict[str, Any]) -> bytes:
    """Compute the fingerprint of a schema; slow, one step of Python per byte."""
    from fastavro.schema import fingerprint, to_parsing_canonical_form

    return bytes.fromhex(fingerprint(to_parsing_canonical_form(raw), "CRC-64-AVRO"))


def shape(avro_type: Any) -> tuple[str, bool, bool]:
    """Return an Avro type's primitive, whether it is optional, and whether it is an array."""
    if isinstance(avro_type, list):
        (inner,) = (branch for branch in avro_type if branch != "null")
        return shape(inner)[0], True, False
    if isinstance(avro_type, dict) and avro_type["type"] == "array":
        return avro_type["items"], False, True
    if isinstance(avro_type, dict):
        return avro_type["type"], False, False
    return avro_type, False, False


class Pin(NamedTuple):
    """SHA-256 of a schema's text and its fingerprint, both in hexadecimal."""

    sha256: str
    fingerprint: str


@cache
def pins() -> dict[tuple[str, int], Pin]:
    """Return the pin of every schema by name and version.

    ``pins.txt`` has one line for each: SHA-256, fingerprint, file. A released line never changes.
    """
    found = {}
    for line in _file("pins.txt").splitlines():
        digest, fingerprint_hex, file = line.split()
        name, _, version = file.partition(".v")
        found[name, int(version)] = Pin(digest, fingerprint_hex)
    return found


@cache
def numbered() -> dict[tuple[str, int], Schema]:
    """Return every schema of this folder by name and version, in their order."""
    envelope = json.loads(_file("envelope.json"))
    names = sorted(
        entry.name
        for entry in _FOLDER.iterdir()
        if entry.name.endswith(".json") and ".v" in entry.name
    )
    found = (parse(_complete(json.loads(_file(name)), envelope)) for name in names)
    return {(schema.name, schema.version): schema for schema in found}


def _complete(described: dict[str, Any], envelope: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the Avro schema of the facts in a file; its key order is that of the chain."""
    attributes = dict(described)
    record = {"type": "record", "name": attributes.pop("name"), "namespace": "gameledger"}
    facts = attributes.pop("facts")
    return {**record, **attributes, "fields": envelope + facts}


def _file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


@cache
def catalogue() -> dict[bytes, Schema]:
    """Return every schema of this folder by fingerprint, ordered by name and version."""
    return {schema.fingerprint: schema for schema in numbered().values()}


@cache
def newest() -> dict[str, Schema]:
    """Return the newest version of each event type by name."""
    found: dict[str, Schema] = {}
    for schema in numbered().values():
        if schema.name not in found or schema.version > found[schema.name].version:
            found[schema.name] = schema
    return found
