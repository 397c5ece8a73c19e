"""Verification names the first message that was altered, lost, added or exchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.message import Head
from ledger.events.encoding import decode, hash_of
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import FULL, KEY, Stored, adding, begun, fault, flipped
from tests.search import sample

if TYPE_CHECKING:
    from collections.abc import Iterator

# Flipped bits


@pytest.mark.law("eIDAS 45l(1)(d)")
@pytest.mark.law("L-17")
@pytest.mark.parametrize("position", [0, *range(5, 12)])
def test_every_flipped_bit_names_its_message(position: int) -> None:
    """Every bit of the message in a search, otherwise some."""
    for bit in sample(range(len(FULL[position][1]) * 8), 150):
        found, text = fault(flipped(FULL, position, bit))
        assert found == position, (bit, text)


def test_flipped_bit_of_the_last_message_is_named_when_its_head_is_remembered() -> None:
    last = len(FULL) - 1
    since = Head(len(FULL), hash_of(FULL[last][1]))
    for bit in sample(range(len(FULL[last][1]) * 8), 150):
        assert fault(flipped(FULL, last, bit), since=since)[0] == last


def test_without_memory_the_last_message_hides_a_flipped_bit_only_where_any_value_is_good() -> None:
    last = len(FULL) - 1
    for bit in sample(range(len(FULL[last][1]) * 8), 150):
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


@pytest.mark.law("L-17")
@pytest.mark.parametrize("position", range(1, 12))
def test_removed_message_is_noticed_where_it_stood(position: int) -> None:
    bodies = [body for _, body in FULL]
    assert fault(renumbered(bodies[:position] + bodies[position + 1 :]))[0] == position


@pytest.mark.parametrize("position", range(12))
def test_doubled_message_is_noticed_where_it_stands(position: int) -> None:
    bodies = [body for _, body in FULL]
    doubled = bodies[: position + 1] + bodies[position:]
    assert fault(renumbered(doubled))[0] == position + 1


@pytest.mark.law("eIDAS 45l(1)(c)")
def test_exchanged_messages_are_noticed() -> None:
    bodies = [body for _, body in FULL]
    bodies[7], bodies[8] = bodies[8], bodies[7]
    assert fault(renumbered(bodies))[0] == 7


def test_cut_off_messages_are_noticed_when_the_head_is_remembered() -> None:
    since = Head(len(FULL), hash_of(FULL[-1][1]))
    position, text = fault(FULL[:11], since=since)
    assert position == 11
    assert "cut off" in text


@pytest.mark.law("eIDAS 45l(1)(d)")
@pytest.mark.law("L-17")
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


@pytest.mark.parametrize("end", [1, 7, len(FULL)])
def test_what_was_read_before_an_error_is_judged_first(end: int) -> None:
    def breaking(stored: Stored) -> Iterator[tuple[int, bytes]]:
        yield from stored
        raise AvailabilityError("the disk is away")

    with pytest.raises(AvailabilityError, match="the disk is away"):
        verify(breaking(FULL[:end]))
    bad = [*FULL[:6], (6, FULL[6][1] + b"\x00"), *FULL[7:9]]
    with pytest.raises(IntegrityError, match="message 6"):
        verify(breaking(bad))
