"""Linking is pure; verification names the first fault and its place."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from chain_cases import START, Chain, landed, published, sample
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import schemas
from ledger.core import events as e
from ledger.core.chain import (
    CHECKPOINT_WINDOW,
    MESSAGE_BYTES_MAX,
    Verified,
    link,
    require_fits,
    verify,
)
from ledger.core.encoding import ZERO_HASH, decode, encode, hash_of
from ledger.core.errors import InputError, IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.core.signing import Checkpoint, SigningKey

if TYPE_CHECKING:
    from collections.abc import Iterator

Stored = list[tuple[int, bytes]]
NAME = "short"
KEY = SigningKey("operator-2026", b"\x07" * 32)
OTHER = SigningKey("operator-2027", b"\x08" * 32)
USED = ("BallLanded", "SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned")


def opening(chain: str = NAME, version: int = 1, algorithm: str = "SHA-256") -> e.ChainOpened:
    return e.ChainOpened(
        operator="1",
        operator_name="O",
        chain=chain,
        format_version=version,
        hash_algorithm=algorithm,
    )


def publishing(name: str) -> e.SchemaPublished:
    return published(schemas.newest()[name])


def adding(key: SigningKey) -> e.SigningKeyAdded:
    return e.SigningKeyAdded(key_id=key.key_id, public_key=key.public.raw, reason="first")


def signing(head: Head, key: SigningKey = KEY, chain: str = NAME) -> e.CheckpointSigned:
    signature = key.sign(Checkpoint(chain, *head))
    return e.CheckpointSigned(
        size=head.size, head=head.hash, key_id=key.key_id, signature=signature
    )


def begun() -> Chain:
    chain = Chain()
    chain.add(opening())
    chain.add(*[publishing(name) for name in USED])
    return chain


def full() -> Chain:
    """Every kind of message, decisions of one and of several, and a checkpoint in between."""
    chain = begun()
    chain.add(adding(KEY))
    chain.add(landed(1))
    chain.add(landed(2), landed(3, "r-2"), landed(4))
    chain.add(signing(chain.head))
    chain.add(landed(5))
    chain.add(landed(6), landed(7))
    return chain


FULL = full().stored


def fault(stored: Stored, **options: object) -> tuple[int | None, str]:
    with pytest.raises(IntegrityError) as caught:
        verify(stored, **options)  # type: ignore[arg-type]
    return caught.value.position, str(caught.value)


def flipped(stored: Stored, position: int, bit: int) -> Stored:
    body = bytearray(stored[position][1])
    body[bit // 8] ^= 1 << bit % 8
    return [*stored[:position], (position, bytes(body)), *stored[position + 1 :]]


# Linking


def test_each_message_names_the_hash_of_the_one_before() -> None:
    previous = ZERO_HASH
    for position, body in FULL:
        recorded = decode(body)
        assert recorded.position == position
        assert recorded.envelope.previous_hash == previous
        previous = recorded.hash


def test_event_knows_its_place_in_its_decision() -> None:
    messages, head = link(
        EMPTY,
        [landed(1), landed(2)],
        command_id=b"c" * 16,
        command_digest=b"d" * 16,
        recorded_at=5,
        occurred_at=3,
        actor="a",
        source="s",
    )
    assert [decode(message.body).envelope.decision_index for message in messages] == [0, 1]
    assert [message.decision_size for message in messages] == [2, 2]
    assert [message.command_id for message in messages] == [b"c" * 16, None]
    assert [message.type for message in messages] == ["BallLanded"] * 2
    assert [message.tags for message in messages] == [("round:r-1",)] * 2
    assert head == Head(2, hash_of(messages[1].body))


def test_decision_without_events_is_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        Chain().add()


# A chain without fault


def test_sound_chain_is_reported() -> None:
    chain = full()
    told: list[int] = []
    assert verify(chain.stored, progress=told.append) == Verified(
        chain=NAME,
        head=chain.head,
        decisions=8,
        checkpoints=1,
        covered=10,
        first_recorded_at=START + 1000,
        last_recorded_at=chain.moment,
    )
    assert told == [14]


def test_remembered_heads_of_a_sound_chain_agree() -> None:
    for position, body in FULL:
        verify(FULL, since=Head(position + 1, hash_of(body)))


def test_memory_stays_flat() -> None:
    def many() -> Iterator[tuple[int, bytes]]:
        chain = begun()
        yield from chain.stored
        for number in range(12_000):
            chain.messages.clear()
            chain.add(landed(number))
            yield from chain.stored

    tracemalloc.start()
    try:
        assert verify(many()).decisions == 12_002
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000


# Flipped bits


@pytest.mark.parametrize("position", [0, *range(5, 12)])
def test_every_flipped_bit_names_its_message(position: int) -> None:
    for bit in range(len(FULL[position][1]) * 8):
        found, text = fault(flipped(FULL, position, bit))
        assert found == position, (bit, text)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, len(FULL) - 2), st.integers(0, 10**6))
def test_flipped_bit_names_its_message(position: int, place: int) -> None:
    bit = place % (len(FULL[position][1]) * 8)
    assert fault(flipped(FULL, position, bit))[0] == position


def test_flipped_bit_of_the_last_message_is_named_when_its_head_is_remembered() -> None:
    last = len(FULL) - 1
    since = Head(len(FULL), hash_of(FULL[last][1]))
    for bit in range(len(FULL[last][1]) * 8):
        assert fault(flipped(FULL, last, bit), since=since)[0] == last


def test_without_memory_the_last_message_hides_a_flipped_bit_only_where_any_value_is_good() -> None:
    last = len(FULL) - 1
    for bit in range(len(FULL[last][1]) * 8):
        altered = flipped(FULL, last, bit)
        try:
            verify(altered)
        except IntegrityError as error:
            assert error.position == last  # noqa: PT017 - only some bits raise
            continue
        before, after = decode(FULL[last][1]), decode(altered[last][1])
        envelope = replace(
            after.envelope,
            recorded_at=before.envelope.recorded_at,
            occurred_at=before.envelope.occurred_at,
            actor=before.envelope.actor,
            source=before.envelope.source,
        )
        assert envelope == before.envelope


def test_replaced_previous_hash_names_the_message_that_holds_it() -> None:
    body = FULL[7][1]
    altered = [*FULL[:7], (7, body[:10] + b"\xaa" * 32 + body[42:]), *FULL[8:]]
    assert fault(altered)[0] == 7


def test_altered_message_before_the_last_is_named() -> None:
    last = len(FULL) - 1
    assert fault(flipped(FULL, last - 1, 700))[0] == last - 1
    assert fault(flipped(FULL, last, 10 * 8 + 3))[0] == last


@pytest.mark.parametrize("position", range(7, 12))
def test_remembered_head_tells_the_altered_message_from_the_one_behind_it(position: int) -> None:
    cut = FULL[: position + 1]
    body = cut[position][1]
    altered = [*cut[:-1], (position, body[:10] + b"\xaa" * 32 + body[42:])]
    assert fault(altered, since=Head(position, hash_of(cut[-2][1])))[0] == position


def test_head_remembered_behind_the_last_message_vouches_for_it() -> None:
    cut = FULL[:9]
    altered = flipped(cut, 7, 700)
    since = Head(9, hash_of(cut[8][1]))
    assert fault(altered, since=since)[0] == 7


# Messages lost, added, exchanged


def renumbered(bodies: list[bytes]) -> Stored:
    return list(enumerate(bodies))


def test_missing_message_is_named() -> None:
    assert fault(FULL[:6] + FULL[7:]) == (6, "message 6 is missing: the log goes on at 7")


@pytest.mark.parametrize("position", range(1, 12))
def test_removed_message_is_noticed_where_it_stood(position: int) -> None:
    bodies = [body for _, body in FULL]
    assert fault(renumbered(bodies[:position] + bodies[position + 1 :]))[0] == position


@pytest.mark.parametrize("position", range(12))
def test_doubled_message_is_noticed_where_it_stands(position: int) -> None:
    bodies = [body for _, body in FULL]
    doubled = bodies[: position + 1] + bodies[position:]
    assert fault(renumbered(doubled))[0] == position + 1


def test_exchanged_messages_are_noticed() -> None:
    bodies = [body for _, body in FULL]
    bodies[7], bodies[8] = bodies[8], bodies[7]
    assert fault(renumbered(bodies))[0] == 7


def test_cut_off_messages_are_noticed_when_the_head_is_remembered() -> None:
    since = Head(len(FULL), hash_of(FULL[-1][1]))
    position, text = fault(FULL[:11], since=since)
    assert position == 11
    assert "cut off" in text


def test_rewritten_history_is_noticed_when_the_head_is_remembered() -> None:
    chain = begun()
    chain.add(adding(KEY))
    chain.add(landed(36))
    forged = chain.stored + Chain(chain.head).stored
    verify(forged)
    position, text = fault(forged, since=Head(7, hash_of(FULL[6][1])))
    assert position == 6
    assert "replaced" in text


def test_log_without_messages_is_no_chain() -> None:
    assert fault([])[0] == 0


# Decisions


def test_torn_decision_at_the_tail_is_named_by_its_first_message() -> None:
    position, text = fault(FULL[:-1])
    assert position == 12
    assert "torn" in text


def test_decision_that_another_one_interrupts_is_named() -> None:
    chain = full()
    half = Chain(chain.head)
    half.moment = chain.moment
    half.add(landed(1), landed(2))
    rest = Chain(Head(chain.head.size + 1, hash_of(half.messages[0].body)))
    rest.moment = half.moment
    rest.add(landed(3))
    stored = chain.stored + half.stored[:1] + rest.stored
    assert fault(stored) == (15, "message 15 does not continue the decision before it")


def rewritten(chain: Chain, **changes: object) -> Stored:
    """Change the envelope of the last message, which nothing links to."""
    position, body = chain.stored[-1]
    recorded = decode(body)
    return [
        *chain.stored[:-1],
        (position, encode(replace(recorded.envelope, **changes), recorded.event)),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"decision_index": 0},
        {"decision_index": 2},
        {"decision_size": 3},
        {"command_id": bytes(16)},
        {"command_digest": bytes(16)},
        {"recorded_at": START},
        {"position": 3},
    ],
)
def test_envelope_that_contradicts_the_one_before_is_named(changes: dict[str, object]) -> None:
    assert fault(rewritten(full(), **changes))[0] == len(FULL) - 1


@pytest.mark.parametrize("changes", [{"decision_index": 1}, {"decision_size": 0}])
def test_decision_begins_with_its_first_event(changes: dict[str, object]) -> None:
    chain = full()
    chain.add(landed(1))
    position, text = fault(rewritten(chain, **changes))
    assert position == len(FULL)
    assert "begin" in text


# Opening and schemas


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
    assert verify(stored).unknown == (("Lightning", 1, 1), ("Thunder", 1, 0))
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


# Facts


def with_facts(body: bytes, facts: bytes) -> Stored:
    """Put other facts into message 6, a ball that landed, and link what follows again."""
    stored, previous = list(FULL[:6]), FULL[5][1]
    for position, message in [(6, body), *FULL[7:10]]:
        rest = facts if position == 6 else message[42:]
        previous = message[:10] + hash_of(previous) + rest
        stored.append((position, previous))
    return stored


@pytest.mark.parametrize(
    "tail",
    [b"\x06r-1", b"\x06r-1\x02\x00", b"\x06r-\xff\x02", b"\x06r-1\x82\x00", b"", b"\x0cr-1\x02"],
    ids=["cut", "longer", "no text", "padded number", "none", "text beyond the end"],
)
def test_facts_that_do_not_fit_their_schema_are_named_where_they_stand(tail: bytes) -> None:
    """Whoever wrote them linked them well; every hash behind them is right."""
    body = FULL[6][1]
    assert body.endswith(b"\x06r-1\x02")
    head = body[42 : -len(b"\x06r-1\x02")]
    verify(with_facts(body, head + b"\x06r-1\x02"))
    assert fault(with_facts(body, head + tail))[0] == 6


def test_message_of_a_foreign_fingerprint_is_named() -> None:
    position, body = FULL[6]
    altered = [*FULL[:6], (position, body[:2] + b"\xaa" * 8 + body[10:]), *FULL[7:]]
    assert fault(altered) == (
        6,
        f"message 6 was altered, or its schema {'aa' * 8} was not published before it",
    )


# Checkpoints and keys


@dataclass(frozen=True)
class Case:
    """A checkpoint that is false in one respect."""

    event: e.CheckpointSigned
    cause: str


def cases() -> list[Case]:
    head = full().head
    good = signing(head)
    return [
        Case(replace(good, signature=bytes(64)), "false signature"),
        Case(replace(good, head=bytes(32)), "another hash"),
        Case(signing(Head(head.size, bytes(32))), "another hash"),
        Case(replace(good, size=head.size - 1), "another hash"),
        Case(replace(good, size=0), "more than there were"),
        Case(replace(good, size=-5), "more than there were"),
        Case(signing(Head(head.size + 1, head.hash)), "more than there were"),
        Case(signing(head, OTHER), "not in force"),
        Case(signing(head, chain="other"), "false signature"),
    ]


@pytest.mark.parametrize("case", cases(), ids=range(9))
def test_false_checkpoint_is_a_fault(case: Case) -> None:
    chain = full()
    chain.add(case.event)
    position, text = fault(chain.stored)
    assert position == len(FULL)
    assert case.cause in text


def test_checkpoint_may_be_recorded_a_little_later() -> None:
    chain = full()
    head = chain.head
    chain.add(landed(1))
    chain.add(signing(head))
    assert verify(chain.stored).covered == head.size


@pytest.mark.slow
def test_checkpoint_may_not_be_recorded_much_later() -> None:
    chain = full()
    head = chain.head
    for number in range(CHECKPOINT_WINDOW):
        chain.add(landed(number))
    in_time, late = Chain(chain.head), Chain(chain.head)
    in_time.moment = late.moment = chain.moment
    in_time.add(signing(Head(head.size + 1, hash_of(chain.stored[head.size][1]))))
    verify(chain.stored + in_time.stored)
    late.add(signing(head))
    assert fault(chain.stored + late.stored)[0] == chain.head.size


def test_revoked_key_signs_no_more() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert verify(chain.stored).checkpoints == 1
    chain.add(signing(chain.head))
    assert fault(chain.stored)[0] == len(FULL) + 1


@pytest.mark.parametrize("key_id", ["", "a b", "a+b", "a\nb", "č", "a\x7f", "x" * 129])
def test_key_id_is_ascii_without_spaces_and_plus(key_id: str) -> None:
    chain = begun()
    chain.add(e.SigningKeyAdded(key_id=key_id, public_key=bytes(32), reason="r"))
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_public_key_has_32_bytes(size: int) -> None:
    chain = begun()
    chain.add(e.SigningKeyAdded(key_id="k", public_key=bytes(size), reason="r"))
    assert fault(chain.stored) == (5, "message 5 adds something that is no key")


@pytest.mark.parametrize("is_revoked", [False, True])
@pytest.mark.parametrize("again", [KEY, SigningKey(KEY.key_id, b"\x09" * 32)])
def test_name_of_a_key_is_given_once(is_revoked: bool, again: SigningKey) -> None:
    chain = full()
    if is_revoked:
        chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    chain.add(adding(again))
    position, text = fault(chain.stored)
    assert position == chain.head.size - 1
    assert "there was one of that name" in text


def test_only_a_key_in_force_is_revoked() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    verify(chain.stored)
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="lost"))
    assert fault(chain.stored)[0] == chain.head.size - 1


@pytest.mark.parametrize("name", ["", "a\nb", "a\x85b", "a\u2028b", "x" * 257])
def test_name_of_a_chain_is_one_line(name: str) -> None:
    chain = Chain()
    chain.add(opening(chain=name))
    position, text = fault(chain.stored)
    assert position == 0
    assert "not one line" in text


def test_note_of_another_chain_is_refused() -> None:
    head = full().head
    verify(FULL, since=Checkpoint(NAME, *head))
    with pytest.raises(InputError, match="the note is of the chain other, and this is short"):
        verify(FULL, since=Checkpoint("other", *head))


def test_added_key_takes_over() -> None:
    chain = full()
    chain.add(e.SigningKeyRevoked(key_id=KEY.key_id, reason="yearly change"))
    chain.add(adding(OTHER))
    chain.add(signing(chain.head, OTHER))
    assert verify(chain.stored).checkpoints == 2


def test_only_checkpoints_of_trusted_keys_count_as_cover() -> None:
    chain = full()
    chain.add(adding(OTHER))
    chain.add(signing(chain.head, OTHER))
    assert verify(chain.stored).covered == len(FULL) + 1
    found = verify(chain.stored, keys={KEY.key_id: KEY.public.raw})
    assert (found.checkpoints, found.covered) == (2, 10)


def test_chain_that_puts_another_key_under_a_trusted_name_is_refused() -> None:
    position, text = fault(FULL, keys={KEY.key_id: OTHER.public.raw})
    assert position == 5
    assert "not the one trusted" in text


@pytest.mark.parametrize("kind", [e.CommandRefused, e.DCBEventRecorded])
def test_no_event_is_larger_than_a_broker_takes(kind: type[e.Event]) -> None:
    facts: dict[str, object] = {"sentence": "x" * MESSAGE_BYTES_MAX}
    if kind is e.DCBEventRecorded:
        facts = {"data": bytes(MESSAGE_BYTES_MAX)}
    decided = {
        "command_id": bytes(16),
        "command_digest": bytes(16),
        "recorded_at": START,
        "occurred_at": START,
        "actor": "",
        "source": "",
    }
    messages, _ = link(EMPTY, [sample(kind, **facts)], **decided)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"{kind.__name__} would have .* {MESSAGE_BYTES_MAX} at"):
        require_fits(messages)
    require_fits(link(EMPTY, [sample(kind)], **decided)[0])  # type: ignore[arg-type]
