"""A chain opens once, and publishes every schema before its first event."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import astuple, replace

import schemas
from ledger.events import event_types as e
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, published, sample
from tests.ledger.verified_cases import FULL, begun, fault, opening, publishing


def test_chain_begins_with_its_opening() -> None:
    chain = Chain()
    chain.add(publishing("BallLanded"))
    assert fault(chain.stored) == (0, "message 0 is not ChainOpened")


def test_first_message_of_an_unpublished_type_is_a_fault() -> None:
    chain = Chain()
    chain.add(landed(1))
    assert fault(chain.stored)[0] == 0


def test_second_opening_is_a_fault() -> None:
    chain = begun()
    chain.add(opening())
    assert fault(chain.stored)[0] == 5


@pytest.mark.law("TS 119 312 5")
@pytest.mark.parametrize("made", [opening(version=2), opening(algorithm="MD5")])
def test_unknown_format_is_refused(made: e.ChainOpened) -> None:
    chain = Chain()
    chain.add(made)
    position, text = fault(chain.stored)
    assert position == 0
    assert "verify it with" in text


def test_event_before_its_schema_is_a_fault() -> None:
    chain = begun()
    chain.add(sample(e.FeeCharged))
    position, text = fault(chain.stored)
    assert position == 5
    assert "was not published" in text
    chain = begun()
    chain.add(publishing("FeeCharged"))
    chain.add(sample(e.FeeCharged))
    verify(chain.stored)


def test_schema_that_this_program_does_not_know_is_read_from_the_chain() -> None:
    raw = json.loads(schemas.newest()["BallLanded"].text)
    raw["fields"].append({"name": "speed", "type": "long", "default": 0})
    newer = schemas.parse({**raw, "version": 2})
    chain = begun()
    chain.add(published(newer))
    chain.add(landed(9))
    position, body = chain.stored[-1]
    later = body[:2] + newer.fingerprint + body[10:]
    stored = [*chain.stored[:-1], (position, later + b"\x54")]
    verify(stored)
    assert fault([*chain.stored[:-1], (position, later)])[0] == position
    assert fault([*chain.stored[:-1], (position, later + b"\x54\x54")])[0] == position


def test_events_of_unknown_types_are_counted() -> None:
    newer, other = (
        schemas.parse({**json.loads(schemas.newest()["BallLanded"].text), "name": name})
        for name in ("Lightning", "Thunder")
    )
    chain = begun()
    chain.add(published(newer), published(other))
    chain.add(landed(9))
    position, body = chain.stored[-1]
    stored = [*chain.stored[:-1], (position, body[:2] + newer.fingerprint + body[10:])]
    unknown = [astuple(one) for one in verify(stored).unknown]
    assert unknown == [("Lightning", 1, 1), ("Thunder", 1, 0)]
    assert verify(FULL).unknown == ()


def changed(name: str, /, **changes: object) -> e.SchemaPublished:
    return replace(publishing(name), **changes)


@pytest.mark.parametrize(
    "event",
    [
        changed("FeeCharged", fingerprint="0" * 16),
        changed("FeeCharged", name="BallLanded"),
        changed("FeeCharged", version=2),
        changed("FeeCharged", schema=schemas.newest()["FeeReturned"].text),
        changed("FeeCharged", schema="{"),
        changed("FeeCharged", schema="[]"),
        changed("FeeCharged", schema='"long"'),
        changed("FeeCharged", schema='{"type": "record", "name": "X", "version": 1}'),
        published(schemas.parse({"type": "record", "name": "Bare", "version": 1, "fields": []})),
        published(
            schemas.parse(
                {**json.loads(schemas.newest()["BallLanded"].text), "name": "ChainOpened"}
            )
        ),
    ],
    ids=range(10),
)
def test_false_or_unreadable_schema_is_a_fault(event: e.SchemaPublished) -> None:
    chain = begun()
    chain.add(event)
    position, text = fault(chain.stored)
    assert position == 5
    assert "publishes a schema" in text


def test_publishing_a_schema_again_does_no_harm() -> None:
    chain = begun()
    chain.add(publishing("BallLanded"))
    chain.add(publishing("SchemaPublished"))
    chain.add(landed(1))
    verify(chain.stored)
