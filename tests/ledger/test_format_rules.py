"""Each rule of docs/format.md is broken here, and the fault is named where the page says.

The table of the page is the list: a rule without a case fails, and a case without a rule.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

import schemas
from ledger.chain import CHECKPOINT_WINDOW
from ledger.core.errors import IntegrityError
from ledger.core.message import Head
from ledger.events import event_types as e
from ledger.events.encoding import decode, encode, hash_of
from ledger.tlog.signing import Checkpoint
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, published, sample
from tests.ledger.source_cases import Source
from tests.ledger.verified_cases import (
    COVERED,
    FULL,
    KEY,
    NAME,
    OTHER,
    adding,
    full,
    opening,
    publishing,
    signed,
    signing,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Stored = list[tuple[int, bytes]]
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## Rules, and where a fault is named")[2].partition("\n## ")[0]
RULES = dict(re.findall(r"^\| (.+\.) \| (.+) \|$", SECTION, re.MULTILINE))
SIZE = len(FULL)
BALL = json.loads(schemas.newest()["BallLanded"].text)


def with_last(chain: Chain, change: Callable[[bytes], bytes]) -> Stored:
    """Alter the last message, which nothing links to."""
    position, body = chain.stored[-1]
    return [*chain.stored[:-1], (position, change(body))]


def with_envelope(chain: Chain, **changes: Any) -> Stored:
    def change(body: bytes) -> bytes:
        recorded = decode(body)
        return encode(replace(recorded.envelope, **changes), recorded.event)

    return with_last(chain, change)


def then(*events: e.Event) -> Stored:
    """Add a decision to a whole chain; its first message has the position ``SIZE``."""
    chain = full()
    chain.add(*events)
    return chain.stored


def beginning() -> Chain:
    chain = full()
    chain.add(landed(1))
    return chain


def renumbered(bodies: list[bytes]) -> Stored:
    return list(enumerate(bodies))


def twice_decided() -> Stored:
    chain = full()
    chain.add(landed(1), landed(2))
    first = decode(FULL[6][1]).envelope
    messages = []
    for position, body in chain.stored[SIZE:]:
        recorded = decode(body)
        previous = hash_of(messages[-1][1]) if messages else recorded.envelope.previous_hash
        changes = {"command_id": first.command_id, "previous_hash": previous}
        messages.append((position, encode(replace(recorded.envelope, **changes), recorded.event)))
    return [*FULL, *messages]


def schema(name: str = "Lightning", **changes: Any) -> schemas.Schema:
    return schemas.parse({**BALL, "name": name, **changes})


def with_fact(**fact: Any) -> list[dict[str, Any]]:
    return [*BALL["fields"], {"name": "more", **fact}]


def interrupted() -> Stored:
    chain = full()
    half = Chain(chain.head)
    half.moment = chain.moment
    half.add(landed(1), landed(2))
    other = Chain(Head(SIZE + 1, hash_of(half.messages[0].body)))
    other.moment = half.moment
    other.add(landed(3))
    return chain.stored + half.stored[:1] + other.stored


def late_checkpoint() -> Stored:
    """Sign a head that lies behind by more than the window, over a chain of counted messages."""
    chain = full()
    early = signing(chain)
    for _ in range(CHECKPOINT_WINDOW // 512 + 1):
        chain.add(*[landed(1)] * 512)
    chain.add(early)
    return chain.stored


def opened(**changes: Any) -> Stored:
    chain = Chain()
    chain.add(replace(opening(), **changes))
    return chain.stored


def added_again(*, revoked: bool) -> Stored:
    chain = full()
    if revoked:
        chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="r"))
    chain.add(adding(KEY))
    return chain.stored


def flipped(at: int) -> Stored:
    position, body = FULL[7]
    altered = bytearray(body)
    altered[at] ^= 1
    return [*FULL[:7], (position, bytes(altered)), *FULL[8:]]


GOOD = signing(full())
SOURCES = (publishing("SourceRegistered"), publishing("SourceSealed"))
SOURCE = Source(chain=NAME)
REGISTERED = SOURCE.registered()
SEALED = SOURCE.sealed([b"\x01" * 16, b"\x02" * 16], 5)
UNABLE = replace(REGISTERED, public_key=b"", certificate=b"")
FROZEN = json.loads(schemas.newest()["CheckpointSigned"].text)
EXTRA = [*FROZEN["fields"], {"name": "more", "type": "long", "default": 0}]

CASES: dict[str, list[tuple[Stored, int]]] = {
    "A chain has at least one message.": [([], 0)],
    "Positions are counted from 0 without gaps.": [
        (FULL[:7] + FULL[8:], 7),
        (FULL[1:], 0),
        ([(-1, FULL[0][1]), *FULL], 0),
    ],
    "Every message says its own position.": [
        (with_envelope(full(), position=3), SIZE - 1),
        (renumbered([body for _, body in FULL[:7] + FULL[8:]]), 7),
    ],
    "Every message names the hash of the one before.": [
        (flipped(-1), 7),
        (flipped(20), 7),
        (flipped(45), 7),
    ],
    "Message 0 is a `ChainOpened` of format version 1 and RFC6962-SHA256.": [
        (opened(format_version=2), 0),
        (opened(hash_algorithm="SHA-512"), 0),
        (renumbered([Chain().add(publishing("BallLanded"))[0].body]), 0),
        (renumbered([Chain().add(landed(1))[0].body]), 0),
    ],
    "The name of the chain is ASCII without spaces and `+`.": [
        (opened(chain=name), 0) for name in ("a\nb", "a b", "a+b", "č", "")
    ],
    "No later message is a `ChainOpened`.": [(then(opening()), SIZE)],
    "`recorded_at` never goes back.": [(with_envelope(full(), recorded_at=5), SIZE - 1)],
    "A decision begins with index 0 and has a size of at least 1.": [
        (with_envelope(beginning(), decision_index=1), SIZE),
        (with_envelope(beginning(), decision_size=0), SIZE),
    ],
    "A decision is continued by its next message and not interrupted.": [
        (interrupted(), SIZE + 1),
        (with_envelope(full(), command_id=bytes(16)), SIZE - 1),
        (with_envelope(full(), command_digest=bytes(16)), SIZE - 1),
        (with_envelope(full(), decision_size=3), SIZE - 1),
        (with_envelope(full(), decision_index=0), SIZE - 1),
    ],
    "The last decision is whole.": [(FULL[:-1], SIZE - 2)],
    "A command is decided once.": [(twice_decided(), SIZE)],
    "The schema of a message stands before it.": [
        (then(sample(e.FeeCharged)), SIZE),
        (with_last(full(), lambda body: body[:2] + b"\xaa" * 8 + body[10:]), SIZE - 1),
        (with_last(full(), lambda body: b"\xc3\x02" + body[2:]), SIZE - 1),
    ],
    "A message is encoded as its schema says, in the one way that there is.": [
        (with_last(full(), lambda body: body[:-1]), SIZE - 1),
        (with_last(full(), lambda body: body[:-1] + bytes([body[-1] | 0x80, 0])), SIZE - 1),
        (with_last(full(), lambda body: body.replace(b"r-1", b"r-\xff")), SIZE - 1),
    ],
    "Nothing stands behind the facts.": [(with_last(full(), lambda body: body + b"\0"), SIZE - 1)],
    "A message has at most 65,535 bytes.": [
        (with_envelope(full(), actor="x" * 65_535), SIZE - 1),
    ],
    "Moments lie from 1970 to 2199.": [
        (with_envelope(full(), occurred_at=-1), SIZE - 1),
        (with_envelope(full(), recorded_at=7_258_118_400_000_000), SIZE - 1),
    ],
    "A published schema has the name, version and fingerprint under which it stands.": [
        (then(replace(published(schema()), name="Thunder")), SIZE),
        (then(replace(published(schema()), version=2)), SIZE),
        (then(replace(published(schema()), fingerprint="0" * 16)), SIZE),
        (then(replace(published(schema()), fingerprint=schema().fingerprint.hex().upper())), SIZE),
    ],
    "A published schema has only what the format allows.": [
        (then(published(schema(fields=with_fact(type="double")))), SIZE),
        (then(published(schema(fields=BALL["fields"][1:]))), SIZE),
        (then(replace(published(schema()), schema="{")), SIZE),
    ],
    "A name and version, and a fingerprint, stand for one text.": [
        (then(published(schema()), published(schema(doc="Else."))), SIZE + 1),
        (then(published(schema()), published(schema(version=2, doc="Else."))), SIZE + 1),
    ],
    "Versions of an event type differ by fields with a default.": [
        (
            then(
                published(schema()),
                published(schema(version=2, fields=with_fact(type="long"))),
            ),
            SIZE + 1,
        ),
    ],
    "The five schemas of the format have the versions and the texts given here.": [
        (then(published(schemas.parse({**FROZEN, "version": 2, "fields": EXTRA}))), SIZE),
        (then(published(schemas.parse({**FROZEN, "doc": "Else."}))), SIZE),
    ],
    "A schema that this version of gameledger knows has the text that it knows.": [
        (then(published(schema("BallLanded", doc="Else."))), SIZE),
    ],
    "A public key is one of its algorithm, its key ID follows from it.": [
        (then(replace(adding(OTHER), key_id="a+b")), SIZE),
        (then(replace(adding(OTHER), key_id=KEY.key_id)), SIZE),
        (then(replace(adding(OTHER), public_key=bytes(31))), SIZE),
    ],
    "A key is added once.": [
        (added_again(revoked=False), SIZE),
        (added_again(revoked=True), SIZE + 1),
    ],
    "Only a key in force is revoked.": [
        (then(e.SigningKeyRevoked(key_id="nobody", reason="r")), SIZE),
    ],
    "The key of a source is on P-256 and in its certificate, or both are empty.": [
        (then(*SOURCES, replace(REGISTERED, public_key=b"")), SIZE + 2),
        (then(*SOURCES, replace(REGISTERED, certificate=b"\x30\x00")), SIZE + 2),
        (then(*SOURCES, replace(REGISTERED, public_key=REGISTERED.public_key[:-1])), SIZE + 2),
    ],
    "A seal is of the key that its source was registered with last.": [
        (then(*SOURCES, SEALED), SIZE + 2),
        (then(*SOURCES, REGISTERED, replace(SEALED, first_number=2)), SIZE + 3),
        (then(*SOURCES, REGISTERED, replace(SEALED, commands=1)), SIZE + 3),
        (then(*SOURCES, REGISTERED, replace(SEALED, until=SEALED.until + 1)), SIZE + 3),
        (then(*SOURCES, REGISTERED, replace(SEALED, is_last=True)), SIZE + 3),
        (then(*SOURCES, REGISTERED, replace(SEALED, signature=bytes(64))), SIZE + 3),
        (then(*SOURCES, REGISTERED, SEALED, UNABLE, SEALED), SIZE + 5),
    ],
    "A checkpoint covers at least one message and no later one, and is not late.": [
        (then(replace(GOOD, size=0)), SIZE),
        (then(replace(GOOD, size=SIZE + 1)), SIZE),
    ],
    "A checkpoint covers no fewer messages than one before it.": [
        (then(signing(full(), size=COVERED - 1)), SIZE),
    ],
    "A checkpoint names the root of the messages that it covers.": [
        (then(replace(GOOD, size=COVERED)), SIZE),
    ],
    "A checkpoint names the root of their tag map.": [
        (then(replace(GOOD, map_root=b"")), SIZE),
        (then(signed(Checkpoint(NAME, GOOD.size, GOOD.root, bytes(32)))), SIZE),
    ],
    "A checkpoint is signed by a key in force.": [(then(signing(full(), OTHER)), SIZE)],
    "The signature of a checkpoint is good.": [(then(replace(GOOD, signature=bytes(64))), SIZE)],
}


def test_every_rule_of_the_page_is_broken_here() -> None:
    assert list(CASES) == list(RULES)


@pytest.mark.parametrize("rule", CASES)
def test_a_broken_rule_is_named_where_the_page_says(rule: str) -> None:
    verify(FULL)
    for number, (stored, position) in enumerate(CASES[rule]):
        with pytest.raises(IntegrityError) as caught:
            verify(stored)
        assert caught.value.position == position, (number, str(caught.value))


@pytest.mark.slow
def test_late_checkpoint_is_named_where_it_stands() -> None:
    stored = late_checkpoint()
    with pytest.raises(IntegrityError, match="too long ago") as caught:
        verify(stored)
    assert caught.value.position == len(stored) - 1
