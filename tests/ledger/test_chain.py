"""Linking is pure; a sound chain is reported, and decisions are whole."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.chain import MESSAGE_BYTES_MAX, link, require_fits
from ledger.core.errors import InputError
from ledger.core.message import EMPTY, ZERO_HASH, Head
from ledger.events import event_types as e
from ledger.events.encoding import decode, encode, hash_of
from ledger.verification import chain_verifier
from ledger.verification import verify as verification
from ledger.verification.verify import VerificationResult, verify
from tests.ledger.chain_cases import START, Chain, landed, sample
from tests.ledger.verified_cases import FULL, KEY, NAME, Stored, begun, fault, full, root_of

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.law("eIDAS 45l(1)(c)", "2025/2531 REQ-7.5-04")
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


@pytest.mark.parametrize("kind", [e.CommandRefused, e.DCBEventRecorded])
def test_no_event_is_larger_than_the_format_allows(kind: type[e.Event]) -> None:
    facts: dict[str, object] = {"parameters": "x" * MESSAGE_BYTES_MAX}
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


# A chain without fault


def test_sound_chain_is_reported() -> None:
    chain = full()
    told: list[int] = []
    assert verify(chain.stored, progress=told.append) == VerificationResult(
        chain=NAME,
        head=chain.head,
        root=root_of(chain.stored, chain.head.size),
        decisions=8,
        checkpoints=1,
        covered=10,
        first_recorded_at=START + 1000,
        last_recorded_at=chain.moment,
        keys=(KEY.public,),
    )
    assert told == [14]


def test_remembered_heads_of_a_sound_chain_agree() -> None:
    for position, body in FULL:
        verify(FULL, since=Head(position + 1, hash_of(body)))


def test_memory_stays_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for a late checkpoint is the window and a block; here both are small."""
    monkeypatch.setattr("ledger.core.message.BLOCK", 1_000)
    for module in (verification, chain_verifier):
        monkeypatch.setattr(module, "CHECKPOINT_WINDOW", 1_000)

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


@pytest.mark.law("eIDAS 45l(1)(c)")
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
