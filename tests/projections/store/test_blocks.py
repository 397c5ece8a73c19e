"""Blocks of a log: whole decisions in order, and the first fault at its place."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.message import EMPTY
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


def test_blocks_are_what_the_log_gives_up_to_a_fault() -> None:
    """In order and without gap; the fault is at the altered message, or at the next."""
    for seed in range(150):
        random = Random(seed)
        messages, messages_max = altered(random), random.choice([1, 50, 300, 100_000])
        made, fault, position = found(messages, messages_max)
        size = made[-1][1].size if made else 0
        taken = [body for _, _, groups, _ in made for group in groups.values() for body in group]
        assert sorted(taken) == sorted(body for _, body in messages[:size])
        assert [first for first, *_ in made[1:]] == [head.size for _, head, *_ in made[:-1]]
        is_same = [one == other for one, other in zip(messages, CHAIN, strict=False)]
        at = is_same.index(False) if False in is_same else len(messages)
        if fault:
            assert position in {at, at + 1, messages[at][0]}
        else:
            assert at >= len(messages) - 1
            assert size + (made[-1][3] if made else 0) == len(messages)


def test_a_number_longer_than_it_need_be_is_refused() -> None:
    position, body = CHAIN[40]
    longer = body[:74] + bytes([body[74] | 0x80, 0]) + body[75:]
    messages = [*CHAIN[:40], (position, longer)]
    assert found(messages, 100_000)[1:] == found([*messages, *CHAIN[41:]], 100_000)[1:]
    assert "is cut off or names another position" in found(messages, 100_000)[1]
