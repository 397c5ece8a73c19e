"""What every log promises; see ledger/log/port.py."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.events import event_types as e
from ledger.log import EMPTY, Head, Log, MemoryLog, Query, SqliteLog
from ledger.log.dry_run import DryRunLog
from tests.ledger.chain_cases import Chain, landed, sample, statement
from tests.search import amount

if TYPE_CHECKING:
    from pathlib import Path


def filled(log: Log) -> Chain:
    """Two accounts with statements between deposits, and one decision of three events."""
    chain = Chain()
    for number in range(6):
        account = f"a-{number % 2}"
        log.append(chain.add(sample(e.DepositCredited, account=account, deposit=f"d-{number}")))
        log.append(chain.add(statement(account)))
    log.append(chain.add(landed(1), landed(2, "r-2"), landed(3)))
    return chain


def test_empty_log_has_the_empty_head_and_nothing_to_find(log: Log) -> None:
    assert log.head() == EMPTY
    assert list(log.read()) == []
    assert log.find(Query()) == []
    assert log.commands([bytes(16)]).get(bytes(16)) is None


def test_append_returns_the_head_behind_its_messages(log: Log) -> None:
    chain = Chain()
    assert log.append(chain.add(landed(1), landed(2))) == chain.head == log.head()
    assert log.head().size == 2


def test_read_gives_the_same_bytes_in_order(log: Log) -> None:
    chain = filled(log)
    assert list(log.read()) == chain.stored
    assert list(log.read(3, 7)) == chain.stored[3:7]
    assert list(log.read(13)) == chain.stored[13:]
    assert list(log.read(3, 3)) == []
    assert list(log.read(99)) == []
    assert list(log.read(0, 99)) == chain.stored


def test_appending_nothing_changes_nothing(log: Log) -> None:
    chain = filled(log)
    assert log.append([]) == chain.head


def test_read_gives_only_what_was_there_when_it_began(log: Log) -> None:
    chain = filled(log)
    reading = log.read()
    before = chain.stored
    log.append(chain.add(landed(9)))
    assert list(reading) == before


def test_message_at_another_position_is_refused(log: Log) -> None:
    chain = filled(log)
    before = chain.head
    chain.add(landed(4))
    text = f"goes on at position {before.size}, not at {before.size + 1}"
    with pytest.raises(IntegrityError, match=text) as caught:
        log.append(chain.add(landed(5)))
    assert caught.value.position == before.size
    assert log.head() == before


def test_message_that_names_another_hash_is_refused(log: Log) -> None:
    chain = filled(log)
    foreign = Chain(Head(chain.head.size, b"\x01" * 32))
    with pytest.raises(IntegrityError, match="hash"):
        log.append(foreign.add(landed(5)))
    assert log.head() == chain.head


def test_half_a_decision_is_refused(log: Log) -> None:
    chain = filled(log)
    before = chain.head
    messages = chain.add(landed(4), landed(5))
    with pytest.raises(IntegrityError, match=f"ends at position {before.size} lacks 1"):
        log.append(messages[:1])
    with pytest.raises(IntegrityError, match="wrong place"):
        log.append([replace(messages[0], decision_size=1), messages[1]])
    with pytest.raises(IntegrityError, match="wrong place"):
        log.append([replace(messages[0], command_id=None), messages[1]])
    assert log.head() == before
    assert len(list(log.read())) == before.size


@pytest.mark.law("SAZKA 13(5)")
def test_batch_is_appended_whole_or_not_at_all(log: Log) -> None:
    chain = filled(log)
    before = chain.head
    good = chain.add(landed(4))
    chain.add(landed(5))
    with pytest.raises(IntegrityError):
        log.append(good + chain.add(landed(6)))
    assert log.head() == before
    assert log.find(Query(types=("BallLanded",)), after=before.size - 1) == []


def test_events_are_found_by_tag_and_type(log: Log) -> None:
    filled(log)
    assert log.find(Query(tags=("account:a-0",))) == [0, 1, 4, 5, 8, 9]
    assert log.find(Query(types=("AccountStatement",))) == [1, 3, 5, 7, 9, 11]
    assert log.find(Query(("AccountStatement",), ("account:a-1",))) == [3, 7, 11]
    assert log.find(Query(("AccountStatement", "BallLanded"))) == [*range(1, 12, 2), 12, 13, 14]
    assert log.find(Query(tags=("round:r-2",))) == [13]
    assert log.find(Query(tags=("account:a-1", "deposit:d-3"))) == [6]
    assert log.find(Query(tags=("account:a-1", "deposit:d-0"))) == []
    assert log.find(Query(types=("NoSuchType",))) == []
    assert log.find(Query(tags=("account:a",))) == []
    assert log.find(Query()) == list(range(15))


def test_search_is_bounded_by_positions_and_limit(log: Log) -> None:
    filled(log)
    query = Query(tags=("account:a-0",))
    assert log.find(query, after=1) == [4, 5, 8, 9]
    assert log.find(query, before=8) == [0, 1, 4, 5]
    assert log.find(query, after=0, before=9, limit=2) == [1, 4]
    assert log.find(query, backwards=True) == [9, 8, 5, 4, 1, 0]
    assert log.find(query, backwards=True, limit=1) == [9]
    assert log.find(Query(), after=12, backwards=True) == [14, 13]
    assert log.find(query, limit=0) == []
    assert log.find(query, after=99) == []


def test_last_statement_of_an_account_is_one_search(log: Log) -> None:
    filled(log)
    query = Query(("AccountStatement",), ("account:a-0",))
    assert log.find(query, backwards=True, limit=1) == [9]


def test_decision_is_found_by_its_command(log: Log) -> None:
    chain = filled(log)
    assert log.commands([chain.messages[12].body[42:58]]).get(chain.messages[12].body[42:58]) == (
        12,
        3,
    )
    assert log.commands([chain.messages[3].body[42:58]]).get(chain.messages[3].body[42:58]) == (
        3,
        1,
    )
    assert log.commands([b"\xff" * 16]).get(b"\xff" * 16) is None


def test_wait_ends_when_another_thread_appends(log: Log) -> None:
    chain = filled(log)
    message = chain.add(landed(9))
    waiting = threading.Thread(target=lambda: log.append(message))
    waiting.start()
    assert log.wait(message[0].position, 10)
    waiting.join()


def test_wait_tells_that_time_is_over(log: Log) -> None:
    chain = filled(log)
    assert not log.wait(chain.head.size, 0.01)
    assert log.wait(chain.head.size - 1, 0.01)


def test_writer_confirms_that_nobody_else_wrote_and_goes_on(log: Log) -> None:
    chain = filled(log)
    for number in range(3):
        log.confirm()
        assert log.head() == chain.head
        assert list(log.read()) == chain.stored, "nothing is added that a reader gets"
        log.append(chain.add(landed(number)))
    assert list(log.read()) == chain.stored


def test_closed_log_refuses_everything(log: Log) -> None:
    chain = filled(log)
    log.close()
    log.close()
    for use in (
        log.head,
        log.read,
        lambda: log.find(Query()),
        lambda: log.commands([bytes(16)]).get(bytes(16)),
        lambda: log.append(chain.add(landed(1))),
    ):
        with pytest.raises(AvailabilityError, match="closed"):
            use()


names = st.sampled_from(["x", "y", "z"])
decisions = st.lists(
    st.lists(
        st.builds(
            lambda kind, tags, name: (
                sample(e.DCBEventRecorded, event_type=name, tags=tuple(tags))
                if kind
                else sample(e.FeeCharged, account=name, fee=tags[0] if tags else "")
            ),
            st.booleans(),
            st.lists(names, max_size=3),
            names,
        ),
        min_size=1,
        max_size=3,
    ),
    max_size=12,
)
queries = st.builds(
    Query,
    types=st.lists(st.sampled_from(["DCBEventRecorded", "FeeCharged", "Other"]), max_size=2).map(
        tuple
    ),
    tags=st.lists(
        st.sampled_from(["*:x", "*:y", "*type:x", "account:x", "account:y", "fee:y"]), max_size=3
    ).map(tuple),
)


@settings(max_examples=amount(15, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    history=decisions,
    questions=st.lists(
        st.tuples(
            queries,
            st.integers(-1, 12),
            st.none() | st.integers(0, 30),
            st.none() | st.integers(0, 5),
            st.booleans(),
        ),
        min_size=1,
        max_size=12,
    ),
)
def test_both_logs_find_what_a_plain_scan_finds(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[list[e.Event]],
    questions: list[tuple[Query, int, int | None, int | None, bool]],
) -> None:
    directory: Path = tmp_path_factory.mktemp("scan")
    memory, sqlite = MemoryLog(), SqliteLog(directory, writable=True)
    reader = SqliteLog(directory, writable=False)
    chain = Chain()
    for decision in history:
        messages = chain.add(*decision)
        memory.append(messages)
        sqlite.append(messages)
    for query, after, before, limit, backwards in questions:
        scan = [
            message.position
            for message in chain.messages
            if (not query.types or message.type in query.types)
            and set(query.tags) <= set(message.tags)
            and after < message.position < (999 if before is None else before)
        ]
        expected = (scan[::-1] if backwards else scan)[:limit]
        for log in (memory, sqlite, reader):
            found = log.find(query, after=after, before=before, limit=limit, backwards=backwards)
            assert found == expected
    reader.close()
    sqlite.close()


def test_rehearsal_reads_on_from_the_log_behind_it_and_leaves_it_as_it_is() -> None:
    behind, chain = MemoryLog(), Chain().open()
    behind.append(chain.messages)
    rehearsal, begun_at = DryRunLog(behind), behind.head()
    messages = chain.add(landed(1), landed(2))
    head = rehearsal.append(messages)
    whole = [(message.position, message.body) for message in chain.messages]
    assert list(rehearsal.read()) == whole
    for start in range(head.size + 1):
        for stop in range(start, head.size + 1):
            assert list(rehearsal.read(start, stop)) == whole[start:stop]
    assert rehearsal.find(Query()) == list(range(head.size))
    assert rehearsal.find(Query(), backwards=True, limit=3) == list(range(head.size))[:-4:-1]
    assert behind.head() == begun_at
