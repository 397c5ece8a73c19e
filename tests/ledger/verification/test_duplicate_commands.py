"""A command that was recorded twice is found, wherever its two decisions stand."""

from __future__ import annotations

import tracemalloc
from contextlib import closing
from random import Random

import pytest

from ledger.chain import link
from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.verification import duplicate_commands as module
from ledger.verification.duplicate_commands import DuplicateCommandCheck
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed


def test_verification_names_the_second_decision_of_a_command() -> None:
    chain = Chain().open()
    for command in (b"a" * 16, b"b" * 16, b"a" * 16, b"b" * 16):
        messages, chain.head = link(
            chain.head,
            [landed(1), landed(2)],
            command_id=command,
            command_digest=bytes(16),
            recorded_at=chain.moment,
            occurred_at=chain.moment,
            actor="player:p-1",
            source="studio",
        )
        chain.messages += messages
    size = chain.head.size
    with pytest.raises(IntegrityError, match=f"message {size - 4} decides command 6161") as caught:
        verify(chain.stored)
    assert caught.value.position == size - 4
    assert f"message {size - 8} had decided" in str(caught.value)
    verify(chain.stored[:-4])


@pytest.mark.parametrize("seed", range(5))
def test_repeat_is_found_across_what_was_stored(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(module, "_WAITING_MAX", 100)
    chance = Random(seed)
    identifiers = [chance.randbytes(16) for _ in range(1_000)]
    first, again = sorted(chance.sample(range(1_000), 2))
    identifiers[again] = identifiers[first]
    with closing(DuplicateCommandCheck()) as repeats:
        for position, identifier in enumerate(identifiers):
            repeats.add(position, identifier)
        with pytest.raises(IntegrityError) as caught:
            repeats.require_none()
    assert caught.value.position == again


def test_memory_does_not_grow_with_the_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAITING_MAX", 5_000)

    def peak(number: int) -> int:
        tracemalloc.start()
        try:
            with closing(DuplicateCommandCheck()) as repeats:
                for position in range(number):
                    repeats.add(position, position.to_bytes(16, "big"))
                repeats.require_none()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(60_000) < 1.3 * peak(10_000)


def test_temporary_file_without_room_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_WAITING_MAX", 1_000)
    with closing(DuplicateCommandCheck()) as repeats:
        repeats._connection.execute("PRAGMA max_page_count = 2")
        for position in range(999):
            repeats.add(position, bytes(16))
        with pytest.raises(AvailabilityError, match="TMPDIR"):
            repeats.add(999, bytes(16))
