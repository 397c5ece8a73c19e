"""Messages taken by the column make the same blocks and faults as messages taken one by one."""

from __future__ import annotations

from itertools import starmap
from random import Random
from typing import TYPE_CHECKING

import pytest

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.message import EMPTY
from projections.store import blocks as store_blocks
from projections.store.blocks import Block, blocks
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.verified_cases import full

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.message import Head


def grown() -> list[tuple[int, bytes]]:
    chain: Chain = full()
    for number in range(120):
        chain.add(*[landed(number % 37, f"r-{number % 50}") for _ in range(1 + number % 70 // 3)])
    return [(message.position, message.body) for message in chain.messages]


CHAIN = grown()


def found(
    messages: list[tuple[int, bytes]], messages_max: int
) -> tuple[list[tuple[int, Head, dict[bytes, list[bytes]], int]], str, int | None]:
    """Return the blocks before a fault, and the fault."""
    taken: list[Block] = []

    def given() -> Iterator[tuple[int, bytes]]:
        yield from messages

    try:
        for block in blocks(given(), EMPTY, schemas.catalogue(), messages_max=messages_max):
            taken.append(block)  # noqa: PERF402 - those before a fault count
    except IntegrityError as error:
        return [*map(parts, taken)], str(error), error.position
    return [*map(parts, taken)], "", None


def parts(block: Block) -> tuple[int, Head, dict[bytes, list[bytes]], int]:
    return block.first, block.head, block.groups, block.torn


def altered(random: Random) -> list[tuple[int, bytes]]:
    messages = CHAIN[: random.randrange(1, len(CHAIN))]
    at = random.randrange(len(messages))
    position, body = messages[at]
    match random.randrange(5):
        case 0:
            return messages
        case 1:
            del messages[at]
        case 2:
            messages[at] = (position, body[: random.randrange(len(body))])
        case _:
            changed = bytearray(body)
            changed[random.choice([*range(120)]) % len(body)] ^= 1 << random.randrange(8)
            messages[at] = (position, bytes(changed))
    return messages


@pytest.mark.parametrize("part", [7, 64, 4096])
def test_blocks_and_faults_are_those_of_messages_taken_one_by_one(
    part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.core.message.BLOCK", part)
    for seed in range(150):
        random = Random(seed)
        messages, messages_max = altered(random), random.choice([1, 50, 300, 100_000])
        by_column = found(messages, messages_max)
        with monkeypatch.context() as patch:
            patch.setattr(store_blocks._BlockBuilder, "take_all", lambda *_: False)
            assert found(messages, messages_max) == by_column


def test_a_whole_chain_is_taken_by_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the test above would compare nothing."""
    monkeypatch.delattr(store_blocks._BlockBuilder, "take")
    made, fault, _ = found(CHAIN, 100_000)
    assert not fault
    assert sum(len(group) for one in made for group in one[2].values()) == len(CHAIN)
    assert list(starmap(lambda first, *_: first, made)) == [0]


def test_a_number_longer_than_it_need_be_is_refused() -> None:
    position, body = CHAIN[40]
    longer = body[:74] + bytes([body[74] | 0x80, 0]) + body[75:]
    messages = [*CHAIN[:40], (position, longer)]
    assert found(messages, 100_000)[1:] == found([*messages, *CHAIN[41:]], 100_000)[1:]
    assert "is cut off or names another position" in found(messages, 100_000)[1]
