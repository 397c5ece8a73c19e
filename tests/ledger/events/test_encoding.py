"""Bytes and events: there and back, and nothing else gets through."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.message import ZERO_HASH
from ledger.events import event_types as e
from ledger.events.encoding import (
    MARKER,
    Envelope,
    decode,
    decode_envelope,
    encode,
    hash_of,
    previous_hash_of,
)
from tests.ledger.chain_cases import Chain, hints_of, landed, sample
from tests.search import amount

longs = st.integers(-(2**63), 2**63 - 1)
ints = st.integers(-(2**31), 2**31 - 1)
texts = st.text(max_size=30)

envelopes = st.builds(
    Envelope,
    previous_hash=st.binary(min_size=32, max_size=32),
    command_id=st.binary(min_size=16, max_size=16),
    command_digest=st.binary(min_size=16, max_size=16),
    position=longs,
    decision_index=ints,
    decision_size=ints,
    recorded_at=longs,
    occurred_at=longs,
    actor=texts,
    source=texts,
)


def field_values(avro_type: object) -> st.SearchStrategy[object]:
    simple = {
        "string": texts,
        "bytes": st.binary(max_size=30),
        "long": longs,
        "int": ints,
        "boolean": st.booleans(),
        "null": st.none(),
    }
    if isinstance(avro_type, list):
        return st.one_of([field_values(branch) for branch in avro_type])
    if isinstance(avro_type, dict):
        return st.lists(field_values(avro_type["items"]), max_size=4).map(tuple)
    return simple[str(avro_type)]


@st.composite
def events(draw: st.DrawFn) -> e.Event:
    schema = draw(st.sampled_from(list(schemas.newest().values())))
    facts = {field["name"]: draw(field_values(field["type"])) for field in schema.facts}
    return e.EVENTS[schema.name](**facts)


@settings(max_examples=amount(75, 300), deadline=None)
@given(envelopes, events())
def test_event_comes_back_from_its_bytes(envelope: Envelope, event: e.Event) -> None:
    message = encode(envelope, event)
    recorded = decode(message)
    assert (recorded.envelope, recorded.event) == (envelope, event)
    assert recorded.hash == hash_of(message)
    assert recorded.position == envelope.position
    assert decode_envelope(message) == envelope
    assert message[:2] == MARKER
    assert previous_hash_of(message) == message[10:42] == envelope.previous_hash


@pytest.mark.parametrize("kind", e.EVENTS.values(), ids=lambda kind: kind.__name__)
def test_every_event_type_goes_there_and_back(kind: type[e.Event]) -> None:
    (message,) = Chain().add(sample(kind))
    assert decode(message.body).event == sample(kind)
    assert message.body[2:10] == schemas.newest()[kind.__name__].fingerprint
    assert set(hints_of(kind)) == {f["name"] for f in schemas.newest()[kind.__name__].facts}


@settings(max_examples=amount(75, 300), deadline=None)
@given(envelopes, events(), st.data())
def test_cut_or_lengthened_message_is_refused(
    envelope: Envelope, event: e.Event, data: st.DataObject
) -> None:
    message = encode(envelope, event)
    cut = data.draw(st.integers(0, len(message) - 1))
    for damaged in (message[:cut], message + b"\x00"):
        with pytest.raises(IntegrityError):
            decode(damaged)


@settings(max_examples=amount(125, 500), deadline=None)
@given(envelopes, events(), st.lists(st.tuples(st.integers(0, 10**4), st.integers(0, 255))))
def test_damaged_message_is_an_integrity_error_or_another_event(
    envelope: Envelope, event: e.Event, changes: list[tuple[int, int]]
) -> None:
    message = bytearray(encode(envelope, event))
    for place, value in changes:
        message[place % len(message)] = value
    for read in (decode, decode_envelope):
        with suppress(IntegrityError):
            assert read(bytes(message)) is not None


@given(st.binary(max_size=200))
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    with pytest.raises(IntegrityError):
        decode(data)
    with pytest.raises(IntegrityError):
        decode(MARKER + data)


def test_unknown_schema_is_named() -> None:
    (message,) = Chain().add(landed(1))
    with pytest.raises(IntegrityError, match="0102030405060708"):
        decode(MARKER + bytes(range(1, 9)) + message.body[10:])


def test_tags_name_the_field_s_tag_and_its_value() -> None:
    assert landed(1, "r-7").index_tags() == ("round:r-7",)
    assert sample(e.DCBEventRecorded, event_type="T", tags=("a", "b")).index_tags() == (
        "*type:T",
        "*:a",
        "*:b",
    )
    assert sample(e.FeeCharged, account="a-1", fee="").index_tags() == ("account:a-1",)


@given(events())
def test_every_tagged_value_is_found_in_the_tags(event: e.Event) -> None:
    tags = event.index_tags()
    for field, tag in event.TAGS:
        value = getattr(event, field)
        values = value if isinstance(value, tuple) else (value,) if value else ()
        assert {f"{tag}:{item}" for item in values} <= set(tags)


def test_first_previous_hash_is_zero() -> None:
    (message,) = Chain().add(landed(1))
    assert previous_hash_of(message.body) == ZERO_HASH == bytes(32)
