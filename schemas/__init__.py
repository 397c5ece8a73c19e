"""The Avro schemas of every event, one file per event type and version.

What comes in: the ``.avsc`` files of this folder. What goes out: a catalogue of
:class:`Schema` values, found by event type (newest version) or by the fingerprint that a
message carries. Attributes beyond Avro's own say what else is true of a field: ``tag``,
``personal``, ``unit`` (see README.md).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from typing import Any

from fastavro.schema import fingerprint, parse_schema, to_parsing_canonical_form

__all__ = [
    "ENVELOPE_FIELDS",
    "Schema",
    "catalogue",
    "crc_64_avro",
    "newest",
    "numbered",
    "parse",
    "pins",
]

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
"""Names of the fields that every event begins with, in this order."""


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
        """The 8-byte CRC-64-AVRO as it stands in a message (little-endian)."""
        return _worked_out().get(sha256(self.text.encode()).hexdigest()) or crc_64_avro(self.raw)

    @property
    def scope(self) -> str | None:
        """The right under which events of this type are read; none where the schema names none."""
        found: str | None = self.raw.get("scope")
        return found

    @property
    def facts(self) -> list[dict[str, Any]]:
        """The fields behind the envelope, as in the file."""
        return list(self.raw["fields"][len(ENVELOPE_FIELDS) :])

    @property
    def tags(self) -> tuple[tuple[str, str], ...]:
        """The fields that are tags: (field, tag), of texts and arrays of texts alone."""
        return tuple(
            (field["name"], field["tag"])
            for field in self.facts
            if "tag" in field and field["type"] in ("string", {"type": "array", "items": "string"})
        )

    @cached_property
    def text(self) -> str:
        """The schema as compact JSON, the form in which the chain publishes it."""
        return json.dumps(self.raw, ensure_ascii=False, separators=(",", ":"))


def parse(raw: dict[str, Any]) -> Schema:
    """Make a :class:`Schema` of the JSON of an ``.avsc`` file.

    Raises:
        fastavro.schema.SchemaParseException: it is not an Avro schema.
    """
    return Schema(name=raw["name"], version=raw["version"], raw=raw, parsed=parse_schema(raw))


def crc_64_avro(raw: dict[str, Any]) -> bytes:
    """Work out the fingerprint of a schema, a step of Python for each byte of it."""
    return bytes.fromhex(fingerprint(to_parsing_canonical_form(raw), "CRC-64-AVRO"))


@cache
def _worked_out() -> dict[str, bytes]:
    """Give the fingerprints that stand in ``fingerprints.json``, by the SHA-256 of the text.

    A file that is being merged or made anew gives none.
    """
    text = (resources.files(__name__) / "fingerprints.json").read_text(encoding="utf-8")
    try:
        return {one["sha256"]: bytes.fromhex(one["fingerprint"]) for one in json.loads(text)}
    except (ValueError, KeyError):
        return {}


@cache
def numbered() -> dict[tuple[str, int], Schema]:
    """Give every schema of this folder by name and version, in their order."""
    files = sorted(
        (entry for entry in resources.files(__name__).iterdir() if entry.name.endswith(".avsc")),
        key=lambda entry: entry.name,
    )
    schemas = (parse(json.loads(entry.read_text(encoding="utf-8"))) for entry in files)
    return {(schema.name, schema.version): schema for schema in schemas}


@cache
def catalogue() -> dict[bytes, Schema]:
    """Give every schema of this folder by fingerprint, ordered by name and version."""
    return {schema.fingerprint: schema for schema in numbered().values()}


@cache
def pins() -> dict[tuple[str, int], str]:
    """Give the SHA-256 of the text of every schema by name and version, in hexadecimal.

    They stand in ``known.sha256``, as ``sha256sum`` writes them; a line never changes.
    """
    lines = (resources.files(__name__) / "known.sha256").read_text(encoding="utf-8").splitlines()
    found = {}
    for line in lines:
        digest, _, file = line.partition("  ")
        name, _, version = file.partition(".v")
        found[name, int(version)] = digest
    return found


@cache
def newest() -> dict[str, Schema]:
    """Give the newest version of each event type by name."""
    found: dict[str, Schema] = {}
    for schema in numbered().values():
        if schema.name not in found or schema.version > found[schema.name].version:
            found[schema.name] = schema
    return found
