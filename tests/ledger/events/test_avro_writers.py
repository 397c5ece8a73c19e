"""What the functions made from the schemas write is what a general writer gives."""

from __future__ import annotations

from io import BytesIO

import pytest
from fastavro import schemaless_writer
from hypothesis import given, settings
from msgspec.structs import asdict, replace

import schemas
from ledger.events import event_types as e
from ledger.events.avro_long import encode_long
from ledger.events.avro_writers import message_writer, write_long, write_text
from ledger.events.encoding import Envelope, SharedEnvelope, encode
from tests.ledger.chain_cases import sample
from tests.ledger.events.test_encoding import envelopes, events
from tests.search import amount


@settings(max_examples=amount(125, 500), deadline=None)
@given(envelopes, events())
def test_message_is_that_of_a_general_writer(envelope: Envelope, event: e.Event) -> None:
    schema = schemas.newest()[type(event).__name__]
    out = BytesIO()
    schemaless_writer(out, schema.parsed, asdict(envelope) | asdict(event))
    assert encode(envelope, event)[10:] == out.getvalue()


@pytest.mark.parametrize("kind", e.EVENTS.values(), ids=lambda kind: kind.__name__)
def test_fact_of_another_type_is_refused(kind: type[e.Event]) -> None:
    """Each field in turn gets what no schema allows there; a boolean takes anything."""
    schema = schemas.newest()[kind.__name__]
    write, envelope = (
        message_writer(schema, b"header"),
        (b"previous", b"command", b"place", b"rest"),
    )
    assert write(sample(kind), *envelope).startswith(b"".join((b"header", *envelope)))
    for field in schema.facts:
        if field["type"] != "boolean":
            with pytest.raises((TypeError, ValueError)):
                write(replace(sample(kind), **{field["name"]: 1.5}), *envelope)


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**63])
def test_number_beyond_64_bits_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        write_long(number)


@pytest.mark.parametrize("length", [0, 1, 1023, 1024, 65_000])
def test_text_of_any_length_is_written(length: int) -> None:
    assert write_text("ř" * length) == encode_long(2 * length) + ("ř" * length).encode()


def test_hash_or_identifier_of_another_length_is_refused() -> None:
    numbers = {"decision_size": 1, "recorded_at": 1, "occurred_at": 1}
    with pytest.raises(ValueError, match="16 bytes"):
        SharedEnvelope.write(
            command_id=b"", command_digest=bytes(16), actor="", source="", **numbers
        )
    shared = SharedEnvelope.write(
        command_id=bytes(16), command_digest=bytes(16), actor="", source="", **numbers
    )
    with pytest.raises(ValueError, match="32 bytes"):
        shared.encode(b"", 0, 0, sample(e.BallLanded))
