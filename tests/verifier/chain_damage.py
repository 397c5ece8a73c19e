"""Chains of every kind of message, and random damage of them, by a seed."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING

import schemas
from ledger.events import event_types as e
from ledger.events.avro_long import encode_long
from ledger.events.encoding import hash_of
from tests.ledger.chain_cases import Chain, landed, sample
from tests.ledger.source_cases import Source
from tests.ledger.verified_cases import KEY, NAME, OTHER, adding, opening, publishing, signing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.verifier.verifier_cases import Stored

USED = (
    "SigningKeyAdded",
    "SigningKeyRevoked",
    "CheckpointSigned",
    "BallLanded",
    "HandStarted",
    "AccessRecorded",
    "AccountOpened",
    "FeeCharged",
    "SourceRegistered",
    "SourceSealed",
)


@cache
def whole() -> tuple[tuple[int, bytes], ...]:
    """A chain with each type of fact, two keys, checkpoints, and decisions of several messages."""
    chain = Chain()
    chain.add(opening(NAME))
    chain.add(*[publishing(name) for name in USED])
    chain.add(adding(KEY))
    chain.add(landed(7), sample(e.FeeCharged, account="a-1"))
    for number in range(4):
        chain.add(
            sample(e.HandStarted, accounts=("a-1", f"a-{number}", "a-1"), round=f"r-{number}")
        )
        chain.add(sample(e.AccessRecorded, rows=None if number % 2 else number))
    chain.add(signing(chain))
    chain.add(adding(OTHER))
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="old"))
    for number in range(5):
        chain.add(landed(number), sample(e.AccountOpened, account=f"a-{number}", person="p-1"))
    source = Source(chain=NAME)
    chain.add(source.registered(), source.sealed([b"\x01" * 16, b"\x02" * 16], 5))
    chain.add(source.sealed([], 6, is_last=True))
    chain.add(signing(chain, OTHER, size=chain.head.size - 3))
    chain.add(*strange())
    chain.add(landed(20))
    return tuple(chain.stored)


def strange() -> list[e.Event]:
    """A schema that no program knows."""
    raw = json.loads(schemas.newest()["BallLanded"].text)
    raw["name"] = "StrangeHappened"
    raw["fields"] += [
        {"name": "more", "type": ["null", "string"], "default": None},
        {"name": "numbers", "type": {"type": "array", "items": "long"}, "default": [1, 2]},
    ]
    return [publication(json.dumps(raw, separators=(",", ":")))]


def publication(text: str) -> e.SchemaPublished:
    """Publish a text under what it says of itself, as far as it can be read."""
    try:
        schema = schemas.parse(json.loads(text))
        facts = (schema.name, schema.version, schema.fingerprint.hex())
    except Exception:  # noqa: BLE001 - damaged on purpose
        facts = ("Nothing", 1, "00" * 8)
    name, version, fingerprint = facts
    return e.SchemaPublished(
        name=str(name),
        version=version if type(version) is int and abs(version) < 2**31 else 1,
        fingerprint=fingerprint,
        schema=text,
    )


def relinked(stored: Stored, first: int) -> Stored:
    """Link messages from a position on, so that only facts or checkpoints show the damage."""
    found = list(stored)
    for place in range(max(first, 1), len(found)):
        position, body = found[place]
        found[place] = (position, body[:10] + hash_of(found[place - 1][1]) + body[42:])
    return found


def flip(stored: Stored, draw: Random) -> int:
    place = draw.randrange(len(stored))
    body = bytearray(stored[place][1])
    for _ in range(draw.choice([1, 1, 1, 2, 30])):
        body[draw.randrange(len(body))] ^= 1 << draw.randrange(8)
    stored[place] = (stored[place][0], bytes(body))
    return place


def set_byte(stored: Stored, draw: Random) -> int:
    place = draw.randrange(len(stored))
    body = bytearray(stored[place][1])
    body[draw.randrange(min(74, len(body) - 1), len(body))] = draw.choice(
        [0, 1, 2, 3, 0x7F, 0x80, 0x81, 0xFF, 0xC0]
    )
    stored[place] = (stored[place][0], bytes(body))
    return place


def cut(stored: Stored, draw: Random) -> int:
    place = draw.randrange(len(stored))
    position, body = stored[place]
    stored[place] = (position, body[: draw.randrange(1, len(body))])
    return place


def insert(stored: Stored, draw: Random) -> int:
    place = draw.randrange(len(stored))
    position, body = stored[place]
    at = draw.choice([len(body), draw.randrange(len(body))])
    stored[place] = (position, body[:at] + draw.randbytes(draw.choice([1, 2, 70_000])) + body[at:])
    return place


def lose(stored: Stored, draw: Random) -> int:
    place = draw.randrange(len(stored))
    del stored[place : place + draw.choice([1, 1, 2, 100])]
    if draw.random() < 0.5:
        stored[:] = list(enumerate(body for _, body in stored))
    return min(place, max(len(stored) - 1, 0))


def double(stored: Stored, draw: Random) -> int:
    place, other = draw.randrange(len(stored)), draw.randrange(len(stored))
    bodies = [body for _, body in stored]
    bodies.insert(other, bodies[place])
    stored[:] = list(enumerate(bodies))
    return other


def swap(stored: Stored, draw: Random) -> int:
    one, other = draw.randrange(len(stored)), draw.randrange(len(stored))
    first, second = stored[one][1], stored[other][1]
    stored[one], stored[other] = (stored[one][0], second), (stored[other][0], first)
    return min(one, other)


def renumber(stored: Stored, draw: Random) -> int:
    """Move rows to other positions."""
    place, by = draw.randrange(len(stored)), draw.choice([-1, 1, 5, -100])
    taken = {position for position, _ in stored[:place]}
    moved = [(position + by, body) for position, body in stored[place:]]
    stored[place:] = [row for row in moved if row[0] not in taken]
    return min(place, len(stored) - 1)


def envelope(stored: Stored, draw: Random) -> int:
    """Write other numbers into an envelope, in their one form."""
    place = draw.randrange(len(stored))
    position, body = stored[place]
    numbers, at = [], 74
    for _ in range(5):
        end = at
        while body[end : end + 1] >= b"\x80":
            end += 1
        numbers.append(body[at : end + 1])
        at = end + 1
    values = [0, 1, -1, 2, 3, 2**31, 2**63 - 1, -(2**63), 7258118400000000, 1760000000000000]
    numbers[draw.randrange(5)] = encode_long(draw.choice(values))
    stored[place] = (position, body[:74] + b"".join(numbers) + body[at:])
    return place


DAMAGE: tuple[Callable[[Stored, Random], int], ...] = (
    flip,
    set_byte,
    cut,
    insert,
    lose,
    double,
    swap,
    renumber,
    envelope,
)


def damaged(seed: int) -> Stored:
    """Damage the chain; half of the damage is linked again as if a writer had made it."""
    draw = Random(f"chain {seed}")
    stored = list(whole())
    for _ in range(draw.choice([1, 1, 1, 2])):
        if not stored:
            break
        first = DAMAGE[draw.randrange(len(DAMAGE))](stored, draw)
        if draw.random() < 0.5:
            stored = relinked(stored, first)
    return stored
