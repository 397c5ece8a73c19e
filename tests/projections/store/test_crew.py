"""Tables that several processes make anew are those that one makes, and so are the faults."""

from __future__ import annotations

import os
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.core.message import EMPTY
from ledger.events import event_types as e
from ledger.events.encoding import decode_envelope
from ledger.log import processes
from projections.store.blocks import blocks
from projections.store.clickhouse import ClickHouseServer
from projections.store.projector import Projector
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tests.projections.clickhouse_double import ClickHouseDouble
from tests.projections.projection_cases import Chain, ListLog, away, changed_envelope, money_history
from tests.projections.projection_faults import as_faulty, digests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.projector import Projected

ROOT = Path(__file__).parents[3]
STRETCH = 40


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Read short stretches in other processes, which find our logs; leave no files behind."""
    monkeypatch.setattr("projections.store.rebuild.MANY", 1)
    monkeypatch.setattr("projections.store.rebuild_workers.SEGMENT_MESSAGES", STRETCH)
    monkeypatch.setattr("projections.store.rebuild_workers.EACH", STRETCH)
    monkeypatch.setattr("projections.store.rebuild_workers.BATCH", 15)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert not list(tmp_path.iterdir())


def made_anew(messages: list[bytes], store: Store) -> Projected:
    """Have tables made anew by processes."""
    return rebuild(ListLog(messages), store, opened=partial(ListLog, messages))


def fault(messages: list[bytes], store: Store, **how: Any) -> tuple[type[LedgerError], str, Any]:
    with pytest.raises(LedgerError) as error:
        rebuild(ListLog(messages), store, **how)
    return type(error.value), str(error.value), getattr(error.value, "position", None)


def decided_across(chain: Chain, edge: int) -> None:
    """Add a decision that goes over an edge."""
    while chain.head.size < edge - 2:
        chain.decide(e.BallLanded(round="r-1", number=17))
    chain.decide(*[e.BallLanded(round="r-1", number=number) for number in range(7)])


def landed_one_by_one(count: int) -> Chain:
    chain = Chain()
    for _ in range(count):
        chain.decide(e.BallLanded(round="r-1", number=17))
    return chain


def test_processes_make_the_tables_that_one_makes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A decision lies across the end of a stretch, and the log ends within one.

    Stretches are shorter where messages are long.
    """
    monkeypatch.setattr("projections.store.rebuild_workers.SEGMENT_BYTES", 2_500)
    chain = money_history(51, 3 * STRETCH + 5)
    decided_across(chain, 5 * STRETCH)
    messages = chain.messages[:-2]
    Projector(ListLog(messages), store).catch_up()
    wanted = digests(store)
    seen: list[int] = []
    done = rebuild(
        ListLog(messages),
        store,
        opened=partial(ListLog, messages),
        progress=lambda head: seen.append(head.size),
    )
    assert (done.head.size, done.torn) == (len(messages) - 5, 5)
    assert digests(store) == wanted
    assert seen == sorted(seen)
    assert len(seen) > 10
    assert Projector(chain.log(), store).catch_up().head == chain.head


def test_processes_insert_side_by_side_on_a_server(
    engine_path: Path, spare: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them, since both have begun before the first stretch is given to one."""
    started = processes._Worker.__init__

    def begun(worker: processes._Worker, *given: Any) -> None:
        started(worker, *given)
        worker.receive()

    monkeypatch.setattr(processes._Worker, "__init__", begun)
    chain = money_history(52, 4 * STRETCH)
    Projector(chain.log(), store).catch_up()
    with (
        ClickHouseDouble(engine_path).running() as double,
        Store.open(ClickHouseServer.parse(double.url(spare))) as served,
    ):
        made_anew(chain.messages, served)
        inserts = ["FORMAT Avro" in text for text in double.queries]
        ports = {port for port, is_one in zip(double.ports, inserts, strict=True) if is_one}
        assert len(ports) == len(os.sched_getaffinity(0))
        assert digests(served) == digests(store)
        assert as_faulty(served).databases() == 1
        damaged = [*chain.messages[:-1], chain.messages[-1][:-2]]
        by_processes = fault(damaged, served, opened=partial(ListLog, damaged))
        assert by_processes == fault(damaged, served)
        assert by_processes[0] is IntegrityError
        assert digests(served) == digests(store)


def first_fault(messages: list[bytes]) -> tuple[type[LedgerError], str, Any]:
    """Say what is wrong with a chain, read in order in this process."""
    given = ListLog(messages).read()
    with pytest.raises(IntegrityError) as error:
        for _ in blocks(given, EMPTY, schemas.catalogue(), messages_max=1_000):
            pass
    return type(error.value), str(error.value), error.value.position


@pytest.mark.parametrize(
    ("beside", "change"),
    [(9, {"previous_hash": bytes(32)}), (0, {"decision_size": 3_000}), (-1, {"position": 7})],
    ids=["within", "first of a stretch", "last of a stretch"],
)
def test_processes_find_the_fault_that_one_finds(
    store: Store, beside: int, change: dict[str, Any]
) -> None:
    """Of two faults the first is told, though the other may be found before it."""
    messages = landed_one_by_one(5 * STRETCH).messages
    at = STRETCH + beside
    messages[at] = changed_envelope(messages[at], **change)
    messages[-2] = messages[-2][:50]
    found = fault(messages, store, opened=partial(ListLog, messages))
    assert found == first_fault(messages)
    assert found[2] in {at, at + 1}


def test_a_message_between_two_stretches_that_can_not_be_read_is_judged_in_its_turn(
    store: Store,
) -> None:
    messages = landed_one_by_one(3 * STRETCH).messages
    messages[STRETCH] = b"\xc3\x02" + messages[STRETCH][2:]
    found = fault(messages, store, opened=partial(ListLog, messages))
    assert found == first_fault(messages)
    assert found[2] == STRETCH
    messages[5] = changed_envelope(messages[5], previous_hash=bytes(32))
    found = fault(messages, store, opened=partial(ListLog, messages))
    assert found == first_fault(messages)
    assert found[2] == 5


def test_the_moment_is_that_of_the_last_whole_decision(store: Store) -> None:
    """Of the last stretch, nothing is whole."""
    chain = landed_one_by_one(2 * STRETCH)
    chain.decide(e.BallLanded(round="r-1", number=1), e.BallLanded(round="r-1", number=2))
    messages = chain.messages[:-1]
    assert made_anew(messages, store).torn == 1
    last = decode_envelope(messages[2 * STRETCH - 1])
    found = store.rows("SELECT size, recorded_at FROM watermark")
    assert found == [{"size": 2 * STRETCH, "recorded_at": last.recorded_at}]


def test_what_keeps_a_process_from_its_work_is_told(store: Store) -> None:
    with pytest.raises(AvailabilityError, match="the log is away"):
        rebuild(ListLog(landed_one_by_one(5).messages), store, opened=away)


def test_a_body_that_can_not_be_read_is_named(store: Store) -> None:
    chain = money_history(54, 2 * STRETCH)
    messages = list(chain.messages)
    messages[-1] = messages[-1][:-2]
    assert fault(messages, store, opened=partial(ListLog, messages)) == fault(messages, store)


def test_a_process_that_ends_leaves_the_old_tables_in_use(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = money_history(55, 2 * STRETCH)
    Projector(chain.log(), store).catch_up()
    wanted, started = digests(store), processes._Worker.__init__

    def killed(worker: processes._Worker, *given: Any) -> None:
        started(worker, *given)
        worker.process.kill()

    monkeypatch.setattr(processes._Worker, "__init__", killed)
    with pytest.raises(AvailabilityError, match="a process that reads the log ended"):
        made_anew(chain.messages, store)
    assert digests(store) == wanted
