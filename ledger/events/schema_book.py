"""The schemas that a chain has published, and the rules of publishing them.

Input: the facts of each ``SchemaPublished``, in order. Output: the schema that a message names by
its fingerprint. Rejected, as docs/format.md requires: a schema with a wrong name, version or
fingerprint; a field type that the format does not allow; a version that is incompatible with the
earlier ones; a second text for a name and version, or for a fingerprint. A CRC-64 fingerprint can
be forged, so texts are compared: ``schemas/pins.txt`` has the digests of this program's texts.
"""

from __future__ import annotations

import re
from hashlib import sha256
from json import dumps, loads
from math import inf
from typing import Any, NamedTuple

from fastavro.schema import SchemaParseException

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.phrases import Phrase
from ledger.events.canonical_form import UNREADABLE
from ledger.events.encoding import MARKER
from ledger.events.event_types import SchemaPublished

__all__ = ["FROZEN", "SELF_DESCRIBED", "SchemaBook", "header_of", "is_known", "publication_of"]

SELF_DESCRIBED = frozenset({"ChainOpened", "SchemaPublished"})
"""Events whose schemas are never published, because docs/format.md contains them."""

FROZEN = SELF_DESCRIBED | {"SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned"}
"""Events whose schemas are part of the format: one version each, never changed."""

PLAIN: dict[str, type] = {
    "boolean": bool,
    "int": int,
    "long": int,
    "bytes": str,
    "string": str,
}
"""Types of facts, and the JSON types of their defaults."""
ITEMS = ("string", "long")
NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,99}")
FIELD = re.compile(r"[a-z][a-z0-9_]{0,99}")
VERSION_MAX = 2**31 - 1
BYTE_MAX = 255
DEPTH_MAX = 64
INTEGER_DIGITS_MAX = 20
"""A longer integer fits no field, so its value does not matter."""


class _Published(NamedTuple):
    schema: schemas.Schema
    text: str


class SchemaBook:
    """Published schemas of a chain by the first ten bytes of their messages."""

    def __init__(self) -> None:
        """Start with the two schemas of the format."""
        self._by_header: dict[bytes, _Published] = {}
        self._versions: dict[str, dict[int, _Published]] = {}
        self._unknown: dict[tuple[str, int], schemas.Schema] = {}
        for name in sorted(SELF_DESCRIBED):
            schema = schemas.newest()[name]
            self._enter(_Published(schema, schema.text))

    def get(self, header: bytes) -> schemas.Schema | None:
        """Return the schema of messages with this header, if it was published."""
        schema = self._by_header.get(header)
        return schema and schema.schema

    def unknown(self) -> list[schemas.Schema]:
        """Return the published schemas that this program does not have, by name and version."""
        return [schema for _, schema in sorted(self._unknown.items())]

    def publish(self, position: int, facts: dict[str, Any]) -> schemas.Schema:
        """Add a schema from the ``SchemaPublished`` at a position.

        Raises:
            IntegrityError: the schema violates a rule of the format; the text names the rule.

        """
        try:
            entry = _Published(_read(facts), facts["schema"])
            self._compare(entry)
        except _BadSchemaError as error:
            text = Phrase("SCHEMA_FAULTY", at=position, fault=error.phrase)
            raise IntegrityError(text, position=position) from error
        self._enter(entry)
        return entry.schema

    def _enter(self, entry: _Published) -> None:
        schema = entry.schema
        self._by_header[header_of(schema)] = entry
        self._versions.setdefault(schema.name, {})[schema.version] = entry
        if not is_known(schema):
            self._unknown[schema.name, schema.version] = schema

    def _compare(self, entry: _Published) -> None:
        schema = entry.schema
        name, version = schema.name, schema.version
        versions = self._versions.get(name, {})
        if versions.get(version, entry).text != entry.text:
            raise _BadSchemaError(Phrase("SCHEMA_OTHER_TEXT", name=name, version=version))
        other = self._by_header.get(header_of(schema), entry)
        if other.text != entry.text:
            taken = other.schema
            raise _BadSchemaError(
                Phrase("SCHEMA_FINGERPRINT_TAKEN", name=taken.name, version=taken.version)
            )
        for older, before in versions.items():
            if not _is_evolution(schema.raw, before.schema.raw):
                raise _BadSchemaError(
                    Phrase("SCHEMA_NO_EVOLUTION", name=name, version=version, older=older)
                )


def header_of(schema: schemas.Schema) -> bytes:
    """Return the ten bytes with which messages of a schema begin."""
    return MARKER + schema.fingerprint


def publication_of(name: str) -> SchemaPublished:
    """Return the event that publishes the newest schema of an event type."""
    schema = schemas.newest()[name]
    return SchemaPublished(
        name=name,
        version=schema.version,
        fingerprint=schema.fingerprint.hex(),
        schema=schema.text,
    )


def is_known(schema: schemas.Schema) -> bool:
    """Return whether this program has the same name and version of a schema."""
    return (schema.name, schema.version) in schemas.pins()


class _BadSchemaError(Exception):
    """A published schema violates a rule; the phrase names the rule."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase)
        self.phrase = phrase


def _read(facts: dict[str, Any]) -> schemas.Schema:
    """Parse the schema of a ``SchemaPublished`` and check it on its own."""
    name, version, text = facts["name"], facts["version"], facts["schema"]
    pin = schemas.pins().get((name, version))
    if pin is not None and sha256(text.encode()).hexdigest() != pin.sha256:
        raise _BadSchemaError(Phrase("SCHEMA_NOT_KNOWN_ONE", name=name, version=version))
    try:
        known = schemas.numbered().get((name, version))
        schema = known or schemas.parse(_json_of(text))
        is_plain = known is not None or _is_plain(schema.raw)
    except (SchemaParseException, AttributeError, *UNREADABLE) as error:
        raise _BadSchemaError(Phrase("SCHEMA_UNREADABLE")) from error
    if (
        schema.fingerprint.hex() != facts["fingerprint"]
        or (schema.name, schema.version) != (name, version)
        or type(schema.version) is not int
        or not 1 <= version <= VERSION_MAX
        or (name in FROZEN and pin is None)
    ):
        raise _BadSchemaError(Phrase("SCHEMA_MISLABELLED"))
    if not is_plain:
        raise _BadSchemaError(Phrase("SCHEMA_NOT_PLAIN"))
    return schema


def _json_of(text: str) -> Any:
    """Parse JSON as RFC 8259 has it; the library also takes names of numbers and long integers."""
    found = loads(
        text,
        object_pairs_hook=_without_repeats,
        parse_constant=_refuse_constant,
        parse_int=lambda digits: int(digits) if len(digits) <= INTEGER_DIGITS_MAX else inf,
    )
    dumps(found, ensure_ascii=False).encode()  # half of a surrogate pair is no character
    if _depth_of(found) > DEPTH_MAX:
        raise ValueError("it is nested too deeply")
    return found


def _depth_of(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((1 + _depth_of(one) for one in inner), default=0)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number in JSON")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject a JSON object with duplicate keys, because parsers disagree about its meaning."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key stands twice in an object")
    return members


def _is_plain(raw: dict[str, Any]) -> bool:
    """Return whether a record begins with the envelope and has only facts of permitted types."""
    fields = raw["fields"]
    envelope = schemas.newest()["ChainOpened"].raw["fields"][: len(schemas.ENVELOPE_FIELDS)]
    facts = fields[len(envelope) :]
    names = [field["name"] for field in fields]
    shapes = [[(f["name"], f["type"], f.get("unit")) for f in part] for part in (fields, envelope)]
    return (
        (raw["type"], raw.get("namespace")) == ("record", "gameledger")
        and bool(NAME.fullmatch(raw["name"]))
        and shapes[0][: len(envelope)] == shapes[1]
        and all(FIELD.fullmatch(name) for name in names)
        and len(set(names)) == len(names)
        and all(_is_plain_fact(field) for field in facts)
    )


def _is_plain_fact(field: dict[str, Any]) -> bool:
    kind = field["type"]
    is_moment_or_none = field.get("unit") != "microseconds" or kind in ("long", ["null", "long"])
    if "default" in field and not _fits(field["default"], kind):
        return False
    if isinstance(kind, list):
        return is_moment_or_none and kind in [["null", name] for name in PLAIN]
    if isinstance(kind, dict):
        return is_moment_or_none and kind in [{"type": "array", "items": i} for i in ITEMS]
    return is_moment_or_none and kind in PLAIN


def _fits(default: Any, kind: Any) -> bool:
    """Return whether a default matches its type; for a union, that of its first branch."""
    if isinstance(kind, list):
        return default is None
    if isinstance(kind, dict):
        return isinstance(default, list) and all(_fits(item, kind["items"]) for item in default)
    if kind in ("int", "long") and type(default) is int:
        bits = 31 if kind == "int" else 63
        return -(1 << bits) <= default < 1 << bits
    if kind == "bytes":  # Avro writes a byte as the character of its number
        return isinstance(default, str) and all(ord(sign) <= BYTE_MAX for sign in default)
    return type(default) is PLAIN.get(kind) and kind not in ("int", "long")


def _is_evolution(older: dict[str, Any], newer: dict[str, Any]) -> bool:
    """Return whether two versions can read each other: fields of only one of them have defaults."""
    ones, others = ({field["name"]: field for field in raw["fields"]} for raw in (older, newer))
    return all(
        ones[name]["type"] == others[name]["type"]
        if name in ones and name in others
        else "default" in (ones.get(name) or others[name])
        for name in ones | others
    )
