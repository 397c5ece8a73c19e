"""Bytes that were once written are read for ever, and written the same way."""

from __future__ import annotations

from typing import Any

import pytest

import schemas
from ledger.events.encoding import decode
from tests.schemas import golden

LINES = golden.lines()


def name_of(line: dict[str, Any]) -> str:
    return f"{line['name']}.v{line['version']}"


def test_every_schema_version_has_its_golden_bytes() -> None:
    """``python tests/schemas/golden.py`` adds what is missing."""
    there = {(schema.name, schema.version) for schema in schemas.catalogue().values()}
    assert {(line["name"], line["version"]) for line in LINES} == there
    assert len(LINES) == len(there)


@pytest.mark.parametrize("line", LINES, ids=name_of)
def test_schema_version_is_as_it_was(line: dict[str, Any]) -> None:
    schema = schemas.catalogue()[bytes.fromhex(line["fingerprint"])]
    assert (schema.name, schema.version) == (line["name"], line["version"])


@pytest.mark.parametrize("line", LINES, ids=name_of)
def test_record_gives_its_golden_bytes(line: dict[str, Any]) -> None:
    schema = schemas.catalogue()[bytes.fromhex(line["fingerprint"])]
    message = golden.message_of(schema, golden.ENVELOPE | line["facts"])
    assert message.hex() == line["message"]


@pytest.mark.parametrize("line", LINES, ids=name_of)
def test_golden_bytes_are_read_into_the_newest_class(line: dict[str, Any]) -> None:
    recorded = decode(bytes.fromhex(line["message"]))
    for name, value in golden.ENVELOPE.items():
        assert getattr(recorded.envelope, name) == value
    assert type(recorded.event).__name__ == line["name"]
    for name, value in line["facts"].items():
        expected = tuple(value) if isinstance(value, list) else value
        assert getattr(recorded.event, name, expected) == expected


def test_no_two_values_of_a_golden_record_hide_an_exchange() -> None:
    """Neighbouring fields of one type differ, so that swapping them changes the bytes."""
    for line in LINES:
        numbers = [
            value
            for value in line["facts"].values()
            if isinstance(value, int) and not isinstance(value, bool)
        ]
        assert len(set(numbers)) == len(numbers)
