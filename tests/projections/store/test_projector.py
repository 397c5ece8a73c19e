"""The projector against the real engine: what it reads, checks and refuses."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.chain import link
from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import decode, decode_envelope
from ledger.log import EMPTY, Head, MemoryLog, SqliteLog
from projections.store.projector import FEW, Projector
from tests.projections.projection_cases import (
    Chain,
    ListLog,
    any_event,
    changed_envelope,
    seeded,
    written_as,
)

if TYPE_CHECKING:
    from ledger.core.message import Message
    from projections.store.tables import Store


HERE = Path(__file__).parents[1]
LANDED = e.BallLanded(round="r-1", number=17)


@pytest.mark.parametrize("few", [FEW, 0])
def test_every_event_of_every_type_is_the_row_that_decode_gives(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("projections.store.projector.FEW", few)
    draw, chain = seeded(7), Chain()
    for name in schemas.newest():
        chain.decide(*(any_event(draw, name) for _ in range(3)))
    Projector(chain.log(), store, messages_max=50).catch_up()
    recorded = [decode(message) for message in chain.messages]
    assert store.head == chain.head
    for name in schemas.newest():
        rows = store.rows(f"SELECT * FROM {name} ORDER BY position")  # noqa: S608 - own names
        wanted = [one for one in recorded if one.event.type == name]
        assert [row.pop("position") for row in rows] == [one.position for one in wanted]
        for row, one in zip(rows, wanted, strict=True):
            for column, value in row.items():
                holder = one.envelope if column in schemas.ENVELOPE_FIELDS else one.event
                fact = getattr(holder, column)
                assert same(value, fact), (name, column, value, fact)


def same(value: Any, fact: Any) -> bool:
    """Compare what the client gives with what the log says; bytes come as text or digits."""
    if isinstance(fact, bytes) and isinstance(value, str):
        return value in {fact.hex(), fact.decode("utf-8", "replace")}
    return bool(value == (list(fact) if isinstance(fact, tuple) else fact))


@pytest.mark.smoke
def test_second_run_goes_on_where_the_first_ended(store: Store, chain: Chain) -> None:
    log = chain.log()
    seen: list[Head] = []
    projector = Projector(log, store, messages_max=2)
    for _ in range(3):
        chain.decide(LANDED, LANDED, LANDED)
        assert projector.catch_up(seen.append).head == chain.head
    assert projector.catch_up(seen.append).head == chain.head
    assert [head.size for head in seen] == [3, 6, 9]
    assert store.value("SELECT count() FROM BallLanded") == 9


def other_chain(size: int) -> list[bytes]:
    other = Chain()
    for number in range(size):
        other.decide(e.BallLanded(round="r-2", number=number))
    return other.messages


@pytest.mark.parametrize("replaced", ["cut off", "exchanged", "exchanged and longer", "emptied"])
def test_running_projector_refuses_a_log_that_was_replaced(
    store: Store, chain: Chain, replaced: str
) -> None:
    for _ in range(6):
        chain.decide(LANDED)
    log = chain.log()
    projector = Projector(log, store)
    projector.catch_up()
    sizes = {"exchanged": 6, "exchanged and longer": 8, "emptied": 0}
    log.messages = chain.messages[:3] if replaced == "cut off" else other_chain(sizes[replaced])
    for _ in range(2):
        with pytest.raises(IntegrityError):
            projector.catch_up()
    log.messages = chain.messages
    assert projector.catch_up().head == chain.head


def linked(number: int, count: int) -> list[Message]:
    """Link decisions of one event each, as a writer does."""
    head, found = EMPTY, []
    for _ in range(count):
        event = e.BallLanded(round="r-1", number=number)
        facts = {"command_id": bytes(16), "command_digest": bytes(16)}
        when = {"recorded_at": 1, "occurred_at": 1}
        messages, head = link(head, [event], **facts, **when, actor="a", source="s")
        found += messages
    return found


@pytest.mark.parametrize(("number", "kept"), [(17, 3), (18, 6)])
def test_running_projector_refuses_a_log_in_memory_that_was_replaced(
    store: Store, number: int, kept: int
) -> None:
    log, other = MemoryLog(), MemoryLog()
    log.append(linked(17, 6))
    projector = Projector(log, store)
    projector.catch_up()
    other.append(linked(number, kept))
    log._messages, log._head = other._messages, other._head
    with pytest.raises(IntegrityError, match="than the one projected"):
        projector.catch_up()


@pytest.mark.parametrize(("number", "kept"), [(17, 3), (18, 6)])
def test_running_projector_refuses_a_file_that_was_replaced(
    store: Store, tmp_path: Path, number: int, kept: int
) -> None:
    with closing(SqliteLog(tmp_path, writable=True)) as written:
        written.append(linked(17, 6))
    rows = [(message.position, message.body) for message in linked(number, kept)]
    with closing(SqliteLog(tmp_path, writable=False)) as log:
        projector = Projector(log, store)
        projector.catch_up()
        with closing(sqlite3.connect(tmp_path / "log.sqlite")) as file, file:
            file.execute("DELETE FROM message")
            file.executemany("INSERT INTO message (position, body) VALUES (?, ?)", rows)
        with pytest.raises(IntegrityError, match="than the one projected"):
            projector.catch_up()


def test_idle_projector_reads_no_message(store: Store, chain: Chain) -> None:
    chain.decide(LANDED)

    class Counting(ListLog):
        reads = 0

        def read(self, start: int = 0, stop: int | None = None) -> Any:
            self.reads += 1
            return super().read(start, stop)

    log = Counting(chain.messages)
    projector = Projector(log, store)
    projector.catch_up()
    before = log.reads
    assert projector.catch_up().head == chain.head
    assert log.reads == before


def test_empty_log_is_projected(store: Store) -> None:
    assert Projector(ListLog([]), store).catch_up().head == EMPTY == store.head
    assert store.position == 0


def test_torn_decision_at_the_tail_is_not_applied(store: Store, chain: Chain) -> None:
    chain.decide(LANDED)
    chain.decide(*[LANDED] * 5, e.FeeCharged(account="a-1", fee="f-1", amount=5, reason="dormant"))
    whole = list(chain.messages)
    for end in range(2, 7):
        log = ListLog(whole[:end])
        projector = Projector(log, store)
        done = projector.catch_up()
        assert (done.head.size, done.torn) == (1, end - 1)
        assert store.value("SELECT count() FROM BallLanded") == 1
    log.messages = whole
    assert projector.catch_up().head == chain.head
    assert projector.catch_up().torn == 0
    assert store.value("SELECT count() FROM BallLanded") == 6
    assert store.value("SELECT count() FROM postings") == 2


def test_decision_of_more_events_than_one_byte_counts_stays_whole(
    store: Store, chain: Chain
) -> None:
    chain.decide(*[LANDED] * 150)
    assert Projector(ListLog(chain.messages[:149]), store).catch_up().torn == 149
    assert store.position == 0
    seen: list[Head] = []
    Projector(chain.log(), store, messages_max=10).catch_up(seen.append)
    assert seen == [chain.head]


@pytest.mark.parametrize("near", [0, 62, 63, 64, 8190, 8191, 8192])
def test_positions_are_checked_at_every_length_of_their_varint(
    store: Store, chain: Chain, near: int
) -> None:
    chain.decide(*[LANDED] * (near + 1))
    chain.decide(LANDED)
    message = chain.messages[near + 1]
    chain.messages[near + 1] = changed_envelope(message, position=near)
    with pytest.raises(IntegrityError, match="another position") as error:
        Projector(chain.log(), store).catch_up()
    assert error.value.position == near + 1
    assert store.position == 0


def damaged(damage: str) -> tuple[Chain, int]:
    """Give a chain of 12 messages with a fault, and the position that must be named."""
    chain = Chain()
    chain.decide(LANDED, LANDED)
    for _ in range(10):
        chain.decide(LANDED)
    messages = chain.messages
    match damage:
        case "a byte of a body":
            messages[5] = messages[5][:-1] + bytes([messages[5][-1] ^ 2])
            return chain, 6
        case "a link":
            messages[5] = changed_envelope(messages[5], previous_hash=b"\x07" * 32)
            return chain, 5
        case "a message left out":
            del messages[5]
            return chain, 5
        case "a message twice":
            messages.insert(5, messages[4])
            return chain, 5
        case "the marker":
            messages[5] = b"\xc3\x02" + messages[5][2:]
            return chain, 5
        case "an unknown schema":
            messages[5] = messages[5][:2] + b"\x00" * 8 + messages[5][10:]
            return chain, 5
        case "a message cut off":
            messages[5] = messages[5][:74]
            return chain, 5
    raise AssertionError(damage)


@pytest.mark.parametrize(
    "damage",
    [
        "a byte of a body",
        "a link",
        "a message left out",
        "a message twice",
        "the marker",
        "an unknown schema",
        "a message cut off",
    ],
)
def test_damage_is_named_and_what_lies_before_is_projected(store: Store, damage: str) -> None:
    chain, position = damaged(damage)
    with pytest.raises(IntegrityError) as error:
        Projector(chain.log(), store, messages_max=2).catch_up()
    assert error.value.position == position
    assert position - 2 <= store.position <= position
    assert store.value("SELECT count() FROM BallLanded") == store.position


def test_log_that_skips_a_number_is_refused(store: Store, chain: Chain) -> None:
    chain.decide(LANDED)

    class Skipping(ListLog):
        def read(self, start: int = 0, stop: int | None = None) -> Any:
            return ((at + 1, message) for at, message in super().read(start, stop))

    with pytest.raises(IntegrityError, match="gives message 1 where 0 is due"):
        Projector(Skipping(chain.messages), store).catch_up()


@pytest.mark.parametrize(
    ("index", "size"), [(1, 2), (0, 3), (2, 2), (-1, 2), (0, 0), (0, 2), (70, 99)]
)
def test_decision_that_does_not_follow_is_refused(
    store: Store, chain: Chain, index: int, size: int
) -> None:
    """The second event of three says another place; links are right, so a writer did it."""
    first, second, *_ = chain.decide(LANDED, LANDED, LANDED)
    broken = Chain()
    broken.add_raw(first)
    broken.add_raw(changed_envelope(second, decision_index=index, decision_size=size))
    with pytest.raises(IntegrityError, match="does not continue its decision") as error:
        Projector(broken.log(), store).catch_up()
    assert error.value.position == 1


@pytest.mark.parametrize("fault", ["cut off", "longer", "garbage"])
def test_body_that_can_not_be_read_is_named(store: Store, chain: Chain, fault: str) -> None:
    """The links are right: the writer recorded a damaged body."""
    good = Chain()
    for _ in range(3):
        chain.decide(LANDED)
    (message,) = chain.decide(LANDED)
    for sound in chain.messages[:3]:
        good.add_raw(sound)
    length = len(message)
    bodies = {
        "cut off": message[: length - 2],
        "longer": message + b"\x00",
        "garbage": message[: length - 6] + b"\xff" * 6,
    }
    good.add_raw(bodies[fault])
    good.decide(LANDED)
    with pytest.raises(IntegrityError, match="body of message 3") as error:
        Projector(good.log(), store).catch_up()
    assert error.value.position == 3
    assert store.position == 0


def test_versions_of_an_event_go_into_one_table(store: Store, chain: Chain) -> None:
    """An older version lacks a field, which gets its default."""
    draw = seeded(3)
    newest = schemas.newest()["BetPlaced"]
    fields = [fact for fact in newest.raw["fields"] if fact["name"] not in {"box", "parent"}]
    older = schemas.parse({**newest.raw, "fields": fields, "version": 0})
    events = [any_event(draw, "BetPlaced") for _ in range(6)]
    for number, event in enumerate(events):
        if number % 2:
            chain.decide(event)
        else:
            chain.decide_as(older, event)
    catalogue = {**schemas.catalogue(), older.fingerprint: older}
    Projector(chain.log(), store, catalogue=catalogue).catch_up()
    rows = store.rows("SELECT box, parent, bet, stake FROM BetPlaced ORDER BY position")
    for number, (row, event) in enumerate(zip(rows, events, strict=True)):
        missing = {} if number % 2 else {"box": "", "parent": ""}
        assert row == {name: getattr(event, name) for name in row} | missing
    moved = sum(1 for row in rows if row["stake"])
    assert store.value("SELECT count() FROM postings") == 2 * moved


def test_log_of_another_chain_is_refused(store: Store, chain: Chain) -> None:
    chain.decide(LANDED)
    Projector(chain.log(), store).catch_up()
    other = Chain()
    other.decide(e.BallLanded(round="r-2", number=0))
    with pytest.raises(IntegrityError, match="another message at position 0"):
        Projector(other.log(), store).catch_up()


def test_older_envelope_of_a_message_can_be_changed_by_a_test(chain: Chain) -> None:
    """The helper that damages messages changes what it says and nothing else."""
    (message,) = chain.decide(LANDED)
    assert changed_envelope(message) == message
    assert decode_envelope(changed_envelope(message, position=9)).position == 9
    newest = schemas.newest()["BallLanded"]
    assert written_as(newest, decode_envelope(message), LANDED) == message
