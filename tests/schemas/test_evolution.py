"""Rules that every schema keeps; see schemas/README.md."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from avro.compatibility import ReaderWriterCompatibilityChecker, SchemaCompatibilityType
from avro.schema import parse as parse_avro

import schemas
from ledger.events.event_types import EVENTS
from ledger.events.schema_book import FROZEN
from ledger.rules.retention import FACTS_KEPT, KEPT

FOLDER = Path(schemas.__file__).parent
ALL = list(schemas.catalogue().values())
TAGS = {
    "*",
    "*type",
    "account",
    "bet",
    "bonus",
    "case",
    "chain",
    "colour",
    "deposit",
    "fee",
    "finding",
    "file",
    "game",
    "guest",
    "hold",
    "issuer_month",
    "jackpot",
    "key",
    "period",
    "person",
    "place",
    "question",
    "reader",
    "round",
    "seat",
    "section",
    "series",
    "session",
    "shoe",
    "slip",
    "statement",
    "station",
    "system",
    "table",
    "tournament",
    "withdrawal",
    "witness",
}
UNITS = {"microseconds", "haler"}
TYPES = ("string", "long", "int", "boolean", "bytes")

ENVELOPE: list[tuple[str, Any]] = [
    ("previous_hash", {"type": "fixed", "name": "Hash", "size": 32}),
    ("command_id", {"type": "fixed", "name": "CommandId", "size": 16}),
    ("command_digest", {"type": "fixed", "name": "CommandDigest", "size": 16}),
    ("position", "long"),
    ("decision_index", "int"),
    ("decision_size", "int"),
    ("recorded_at", "long"),
    ("occurred_at", "long"),
    ("actor", "string"),
    ("source", "string"),
]


def versions() -> list[list[schemas.Schema]]:
    ordered = sorted(ALL, key=lambda schema: (schema.name, schema.version))
    return [list(group) for _, group in groupby(ordered, key=lambda schema: schema.name)]


def is_readable(reader: dict[str, Any], writer: dict[str, Any]) -> bool:
    checker = ReaderWriterCompatibilityChecker()
    result = checker.get_compatibility(
        parse_avro(json.dumps(reader)), parse_avro(json.dumps(writer))
    )
    return bool(result.compatibility is SchemaCompatibilityType.compatible)


def is_fully_compatible(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return is_readable(one, other) and is_readable(other, one)


@pytest.mark.parametrize("group", versions(), ids=lambda group: group[0].name)
def test_every_version_reads_every_other_version(group: list[schemas.Schema]) -> None:
    for newer in group:
        for older in group:
            assert is_fully_compatible(newer.raw, older.raw)


@pytest.mark.parametrize(
    ("change", "is_allowed"),
    [
        ({"name": "added", "type": "long", "default": 0}, True),
        ({"name": "added", "type": ["null", "string"], "default": None}, True),
        ({"name": "added", "type": "long"}, False),
        ({"name": "number", "type": "string"}, False),
        ({"name": "number", "type": "long"}, False),
        (None, False),
    ],
)
def test_gate_lets_through_only_fields_with_a_default(
    change: dict[str, Any] | None, is_allowed: bool
) -> None:
    """The gate itself, tried on a next version of ``BallLanded``."""
    now = json.loads(schemas.newest()["BallLanded"].text)
    fields = [
        field for field in now["fields"] if field["name"] != (change or now["fields"][-1])["name"]
    ]
    after = {**now, "version": 2, "fields": [*fields, *([change] if change else [])]}
    assert is_fully_compatible(after, now) is is_allowed


@pytest.mark.parametrize("schema", ALL, ids=lambda schema: f"{schema.name}.v{schema.version}")
class TestSchema:
    """Each rule for each file."""

    def test_begins_with_exactly_the_envelope(self, schema: schemas.Schema) -> None:
        fields = schema.raw["fields"][: len(ENVELOPE)]
        assert [(field["name"], field["type"]) for field in fields] == ENVELOPE
        assert tuple(name for name, _ in ENVELOPE) == schemas.ENVELOPE_FIELDS
        assert not {name for name, _ in ENVELOPE} & {field["name"] for field in schema.facts}
        assert all("default" not in field and "tag" not in field for field in fields)

    def test_file_is_named_after_type_and_version(self, schema: schemas.Schema) -> None:
        path = FOLDER / f"{schema.name}.v{schema.version}.json"
        assert json.loads(path.read_text(encoding="utf-8"))["facts"] == schema.facts

    def test_has_only_known_attributes(self, schema: schemas.Schema) -> None:
        known = {"type", "name", "namespace", "version", "doc", "source", "retention", "scope"}
        assert set(schema.raw) <= known | {"fields"}
        assert (schema.raw["type"], schema.raw["namespace"]) == ("record", "gameledger")
        for field in schema.raw["fields"]:
            known = {"name", "type", "doc", "default", "tag", "personal", "unit", "scope"}
            assert set(field) <= known
            assert field.get("scope", "accounts") in {"rounds", "accounts", "money"}
            assert field["doc"]
            assert field.get("tag", "*") in TAGS
            assert field.get("unit", "haler") in UNITS

    @pytest.mark.law("L-56")
    def test_says_how_long_it_is_kept(self, schema: schemas.Schema) -> None:
        """Every fact and every personal field has a class with a period; versions share theirs."""
        assert schema.raw["retention"] in FACTS_KEPT
        assert schema.raw["retention"] == schemas.newest()[schema.name].raw["retention"]
        personal = [field["personal"] for field in schema.facts if "personal" in field]
        assert set(personal) <= KEPT.keys()

    def test_attributes_fit_their_types(self, schema: schemas.Schema) -> None:
        for field in schema.facts:
            if "personal" in field:
                assert field["type"] == "bytes"
                assert "tag" not in field
            if "tag" in field:
                assert field["type"] in ("string", {"type": "array", "items": "string"})
            if "unit" in field:
                arrays = {"type": "array", "items": "long"}
                assert field["type"] in ("long", ["null", "long"], arrays)

    def test_has_only_plain_types(self, schema: schemas.Schema) -> None:
        """Unions are an optional value, so that a reader needs no more than twelve rules."""
        for field in schema.facts:
            kind = field["type"]
            if isinstance(kind, list):
                first, kind = kind
                assert first == "null"
            elif isinstance(kind, dict):
                assert kind["type"] == "array"
                kind = kind["items"]
                assert kind in ("string", "long")
            assert kind in TYPES

    def test_tags_of_an_older_version_stay(self, schema: schemas.Schema) -> None:
        """An index is built from the newest class; old messages must be found as before."""
        newest = schemas.newest()[schema.name]
        tags = {field["name"]: field["tag"] for field in newest.facts if "tag" in field}
        for field in schema.facts:
            assert "tag" not in field or tags.get(field["name"]) == field["tag"]


def test_versions_are_counted_from_one_without_gaps() -> None:
    for group in versions():
        assert [schema.version for schema in group] == list(range(1, len(group) + 1))


def test_every_file_is_in_the_catalogue() -> None:
    assert len(list(FOLDER.glob("*.v*.json"))) == len(ALL)


def test_every_event_type_has_its_class() -> None:
    assert list(EVENTS) == list(schemas.newest())


@pytest.mark.parametrize(
    ("name", "fingerprints"),
    [
        ("ChainOpened", ["ae547ab3475b5276"]),
        ("SchemaPublished", ["e490a56b6bd2b71c"]),
        ("SigningKeyAdded", ["6acf053b1d95939b", "133c402ca732e8e5"]),
        ("SigningKeyRevoked", ["b57f94f5d51b24a0"]),
        ("CheckpointSigned", ["e092202f50c7905f"]),
    ],
)
def test_schemas_of_the_format_never_get_another_version(
    name: str, fingerprints: list[str]
) -> None:
    assert name in FROZEN
    (known,) = (group for group in versions() if group[0].name == name)
    assert [one.fingerprint.hex() for one in known] == fingerprints
