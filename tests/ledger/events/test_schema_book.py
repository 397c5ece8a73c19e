"""What a chain may publish: honest names, plain types, versions that read each other."""

from __future__ import annotations

import json
from copy import deepcopy
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.core.errors import IntegrityError
from ledger.events.schema_book import FROZEN, SELF_DESCRIBED, SchemaBook, header_of, is_known
from tests.ledger.chain_cases import published

if TYPE_CHECKING:
    from collections.abc import Callable

BALL = schemas.newest()["BallLanded"]
FOREIGN = {**json.loads(BALL.text), "name": "Lightning"}


def facts_of(raw: Any, **changes: Any) -> dict[str, Any]:
    """Give the facts of a SchemaPublished; the fingerprint is honest where there can be one."""
    text = json.dumps(raw)
    try:
        fingerprint = schemas.parse(raw).fingerprint.hex()
    except Exception:  # noqa: BLE001 - what can't be parsed has none
        fingerprint = "0" * 16
    found = {"name": "", "version": 1} | (raw if isinstance(raw, dict) else {})
    facts = {"name": found["name"], "version": found["version"], "fingerprint": fingerprint}
    return {**facts, "schema": text, **changes}


def foreign(**facts: Any) -> dict[str, Any]:
    """Give a schema that this program does not know, with one fact more."""
    return {**FOREIGN, "fields": [*FOREIGN["fields"], {"name": "extra", **facts}]}


def refused(facts: dict[str, Any], book: SchemaBook | None = None) -> str:
    with pytest.raises(IntegrityError) as caught:
        (book or SchemaBook()).publish(7, facts)
    assert caught.value.position == 7
    return str(caught.value)


def test_every_schema_of_this_program_can_be_published() -> None:
    book = SchemaBook()
    for schema in schemas.catalogue().values():
        facts = {name: getattr(published(schema), name) for name in facts_of(FOREIGN)}
        assert book.publish(1, facts) is schema
        assert book.get(header_of(schema)) is schema
    assert book.unknown() == []


def test_unknown_schema_is_taken_and_named() -> None:
    book = SchemaBook()
    schema = book.publish(7, facts_of(FOREIGN))
    assert not is_known(schema)
    assert [(one.name, one.version) for one in book.unknown()] == [("Lightning", 1)]


@pytest.mark.parametrize(
    "kind",
    [
        *({"type": kind} for kind in ("boolean", "int", "long", "bytes", "string")),
        {"type": {"type": "array", "items": "string"}, "default": []},
        {"type": {"type": "array", "items": "long"}, "default": [1]},
        {"type": ["null", "long"], "unit": "microseconds", "default": None},
        {"type": "long", "default": -(2**63)},
        {"type": "boolean", "default": True},
    ],
    ids=str,
)
def test_plain_types_are_taken(kind: dict[str, Any]) -> None:
    SchemaBook().publish(7, facts_of(foreign(**kind)))


@pytest.mark.parametrize(
    "kind",
    [
        {"type": "float"},
        {"type": "double"},
        {"type": "null"},
        {"type": {"type": "string"}},
        {"type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"type": {"type": "map", "values": "long"}},
        {"type": {"type": "array", "items": "int"}},
        {"type": {"type": "array", "items": ["null", "long"]}},
        {"type": {"type": "fixed", "name": "More", "size": 16}},
        {"type": "gameledger.Hash"},
        {"type": {"type": "enum", "name": "Colour", "symbols": ["RED"]}},
        {"type": {"type": "record", "name": "Inner", "fields": []}},
        {"type": ["long", "null"]},
        {"type": ["null"]},
        {"type": ["null", "long", "string"]},
        {"type": ["null", {"type": "array", "items": "long"}]},
        {"type": "string", "unit": "microseconds"},
        {"type": {"type": "array", "items": "long"}, "unit": "microseconds"},
        {"type": "bytes", "default": "\u0100"},
        {"type": "long", "default": "1"},
        {"type": "long", "default": True},
        {"type": "long", "default": 2**63},
        {"type": "int", "default": 2**31},
        {"type": "string", "default": None},
        {"type": ["null", "long"], "default": 0},
        {"type": {"type": "array", "items": "long"}, "default": ["x"]},
        {"type": "long", "name": "Extra"},
        {"type": "long", "name": "number"},
        {"type": "long", "name": "position"},
    ],
    ids=str,
)
def test_more_than_the_format_allows_is_refused(kind: dict[str, Any]) -> None:
    assert "publishes a schema" in refused(facts_of(foreign(**kind)))


def without_namespace(raw: dict[str, Any]) -> None:
    del raw["namespace"]


def with_other_envelope(raw: dict[str, Any]) -> None:
    raw["fields"][0], raw["fields"][1] = raw["fields"][1], raw["fields"][0]


def with_envelope_of_other_unit(raw: dict[str, Any]) -> None:
    del raw["fields"][6]["unit"]


def with_small_name(raw: dict[str, Any]) -> None:
    raw["name"] = "lightning"


def as_error(raw: dict[str, Any]) -> None:
    raw["type"] = "error"


@pytest.mark.parametrize(
    "change",
    [
        without_namespace,
        with_other_envelope,
        with_envelope_of_other_unit,
        with_small_name,
        as_error,
    ],
)
def test_other_frame_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    raw = deepcopy(FOREIGN)
    change(raw)
    assert "publishes a schema" in refused(facts_of(raw))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        '"long"',
        "NaN",
        "[" * 100_000,
        '{"type": "enum", "name": "Lightning", "version": 1, "symbols": ["A"]}',
        '{"type": "record", "name": "Lightning", "version": 1}',
        '{"type": "record", "name": "Lightning", "version": 1, "fields": [7]}',
        json.dumps(FOREIGN)[:-1] + ', "version": 1}',
    ],
)
def test_text_that_is_no_schema_is_refused(text: str) -> None:
    refused(facts_of(FOREIGN, schema=text))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Other"},
        {"version": 2},
        {"fingerprint": "0" * 16},
        {"fingerprint": schemas.parse(FOREIGN).fingerprint.hex().upper()},
    ],
    ids=str,
)
def test_false_name_version_or_fingerprint_is_refused(changes: dict[str, Any]) -> None:
    assert "false name, version or fingerprint" in refused(facts_of(FOREIGN, **changes))


@pytest.mark.parametrize("version", [0, -1, 2**31, True, "1", 1.0])
def test_version_is_a_number_from_one(version: Any) -> None:
    number = version if type(version) is int else 1
    refused(facts_of({**FOREIGN, "version": version}, version=number))


def test_another_text_under_a_known_name_and_version_is_refused() -> None:
    """A word of documentation is enough: chains hold one text under one name and version."""
    raw = {**json.loads(BALL.text), "doc": "The ball fell."}
    assert schemas.parse(raw).fingerprint == BALL.fingerprint
    assert "BallLanded v1 that is not the known one" in refused(facts_of(raw))


def test_the_same_text_may_be_published_again() -> None:
    book = SchemaBook()
    for _ in range(2):
        book.publish(7, facts_of(FOREIGN))


def test_another_text_under_a_name_and_version_of_the_chain_is_refused() -> None:
    book = SchemaBook()
    book.publish(7, facts_of(FOREIGN))
    with_default = foreign(type="long", default=0)
    assert "with another text" in refused(facts_of(with_default), book)


def test_two_schemas_of_one_fingerprint_are_found() -> None:
    """The fingerprint leaves out defaults and documentation; CRC-64 can be forged besides."""
    book = SchemaBook()
    book.publish(7, facts_of(foreign(type="long")))
    other = {**foreign(type="long", default=0), "version": 2}
    assert "with the fingerprint of Lightning v1" in refused(facts_of(other), book)


def test_forged_fingerprint_of_the_format_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schema whose CRC-64 was made to be that of ChainOpened does not take its place."""
    forged = schemas.parse(FOREIGN)
    opening = schemas.newest()["ChainOpened"]
    twin = schemas.Schema("Lightning", 1, forged.raw, forged.parsed)
    vars(twin)["fingerprint"] = opening.fingerprint
    monkeypatch.setattr(schemas, "parse", lambda _: twin)
    facts = facts_of(FOREIGN, fingerprint=opening.fingerprint.hex())
    assert "with the fingerprint of ChainOpened v1" in refused(facts)


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        ({"name": "speed", "type": "long", "default": 0}, True),
        ({"name": "speed", "type": ["null", "string"], "default": None}, True),
        ({"name": "speed", "type": "long"}, False),
        ({"name": "number", "type": "string"}, False),
        ({"name": "number", "type": "long"}, False),
        ({"name": "round", "type": "bytes"}, False),
        (None, False),
    ],
    ids=str,
)
@pytest.mark.parametrize("first", [1, 2])
def test_versions_differ_by_fields_with_a_default(
    change: dict[str, Any] | None, taken: bool, first: int
) -> None:
    """As ``tests/schemas/test_evolution.py`` has it, in whichever order they are published."""
    name = (change or FOREIGN["fields"][-1])["name"]
    kept = [field for field in FOREIGN["fields"] if field["name"] != name]
    after = {**FOREIGN, "version": 2, "fields": [*kept, *([change] if change else [])]}
    book, two = SchemaBook(), [facts_of(FOREIGN), facts_of(after)]
    book.publish(3, two[first - 1])
    if taken:
        book.publish(7, two[2 - first])
    else:
        assert "differs from" in refused(two[2 - first], book)


def test_versions_are_compared_with_every_other_one() -> None:
    book = SchemaBook()
    book.publish(3, facts_of(FOREIGN))
    book.publish(4, facts_of({**foreign(type="long", default=0), "version": 2}))
    third = {**foreign(type="string", default=""), "version": 3}
    assert "v3 that differs from v2" in refused(facts_of(third), book)


@pytest.mark.parametrize("name", sorted(FROZEN))
def test_schemas_of_the_format_get_no_further_version(name: str) -> None:
    raw = json.loads(schemas.newest()[name].text)
    extra = {"name": "more", "type": "long", "default": 0}
    further = {**raw, "version": raw["version"] + 1, "fields": [*raw["fields"], extra]}
    assert "false name" in refused(facts_of(further))
    assert "not the known one" in refused(facts_of({**raw, "doc": "Something else."}))


def test_every_schema_is_pinned_and_has_a_fingerprint_of_its_own() -> None:
    catalogue = schemas.catalogue().values()
    assert schemas.pins() == {
        (s.name, s.version): (
            sha256(s.text.encode()).hexdigest(),
            schemas.crc_64_avro(s.raw).hex(),
        )
        for s in catalogue
    }
    assert len({schema.fingerprint for schema in catalogue}) == len(schemas.pins())
    assert SELF_DESCRIBED <= FROZEN <= {schema.name for schema in catalogue}
