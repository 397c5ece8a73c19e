"""The library's own cases, and what they don't ask: the chain, our events, real rivals."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from eventsourcing.dcb.api import DCBAppendCondition, DCBEvent, DCBQuery, DCBQueryItem
from eventsourcing.dcb.tests import DCBRecorderTestCase
from eventsourcing.persistence import IntegrityError as ConditionFailedError
from eventsourcing.persistence import ProgrammingError

from ledger.chain import MESSAGE_BYTES_MAX
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.events.encoding import decode
from ledger.events.event_types import DCBEventRecorded
from ledger.log import Head, Log, MemoryLog
from ledger.log.dcb import DCBLog
from ledger.verification.verify import verify
from tests.ledger.chain_cases import START, Chain, landed


class Ticking:
    """A clock that moves by a millisecond whenever it is asked."""

    def __init__(self, start: int = START) -> None:
        self._moments = count(start, 1000)

    def now(self) -> int:
        return next(self._moments)


def opened(log: Log) -> int:
    chain = Chain().open()
    chain.add(landed(17))
    return log.append(chain.messages).size


def query(*types: str, tags: tuple[str, ...] = ()) -> DCBQuery:
    return DCBQuery(items=[DCBQueryItem(types=list(types), tags=list(tags))])


def test_library_finds_its_recorder_on_an_empty_log(log: Log) -> None:
    DCBRecorderTestCase()._test_append_read(DCBLog(log))


def test_library_finds_its_recorder_on_a_chain_in_use(log: Log) -> None:
    size = opened(log)
    recorder = DCBLog(log)
    DCBRecorderTestCase()._test_append_read(recorder, initial_position=size)
    assert recorder.log is log
    assert verify(log.read()).head == log.head()


def test_library_finds_its_subscription_on_an_empty_log(log: Log) -> None:
    DCBRecorderTestCase()._test_append_subscribe(DCBLog(log))


def test_library_finds_its_subscription_on_a_chain_in_use(log: Log) -> None:
    size = opened(log)
    DCBRecorderTestCase()._test_append_subscribe(DCBLog(log), initial_position=size)


@pytest.mark.parametrize(
    "event",
    [
        DCBEvent(type="T", data=b"", tags=[]),
        DCBEvent(type="", data=b"\x00\xff", tags=["", "*", "a", "a", "account:a-1"]),
        DCBEvent(type="BallLanded", data=b"x" * 65_000, tags=["round:r-1", "š🎲"]),
        DCBEvent(type="DCBEventRecorded", data=b"1", tags=["*:a"]),
    ],
)
def test_event_of_an_application_comes_back_as_it_came(log: Log, event: DCBEvent) -> None:
    opened(log)
    recorder = DCBLog(log)
    position = recorder.append([event])
    for wanted in (
        DCBQuery(),
        query(event.type),
        query(tags=tuple(event.tags)),
        query(event.type, tags=tuple(event.tags)),
    ):
        *_, found = recorder.read(wanted)
        assert (found.event, found.position) == (event, position)
        assert position not in [f.position for f in recorder.read(query("other"), after=1)]


def test_events_of_the_ledger_are_given_with_type_message_and_tags(log: Log) -> None:
    size = opened(log)
    recorder = DCBLog(log)
    (found,) = recorder.read(query("BallLanded", tags=("round:r-1",)))
    assert found.position == size
    assert found.event.type == "BallLanded"
    assert found.event.tags == ["round:r-1"]
    assert decode(found.event.data).event == landed(17)


def test_types_and_tags_of_an_application_don_t_mix_with_those_of_the_index(log: Log) -> None:
    recorder = DCBLog(log)
    recorder.append([DCBEvent(type="T", data=b"1", tags=["a"])])
    for wanted in (query("DCBEventRecorded"), query(tags=("*:a",)), query(tags=("*type:T",))):
        assert list(recorder.read(wanted)) == []


def test_append_is_one_decision_of_the_chain(log: Log) -> None:
    size = opened(log)
    recorder = DCBLog(log, clock=Ticking(START + 10**9), actor="app", source="test")
    events = [DCBEvent(type="T", data=bytes([number]), tags=["a"]) for number in range(3)]
    assert recorder.append(events) == size + 3
    envelopes = [decode(body).envelope for _, body in log.read(size)]
    assert [(at.decision_index, at.decision_size) for at in envelopes] == [(0, 3), (1, 3), (2, 3)]
    assert {(at.actor, at.source) for at in envelopes} == {("app", "test")}
    assert log.commands([envelopes[0].command_id]).get(envelopes[0].command_id) == (size, 3)
    assert verify(log.read()).decisions == 4


def test_record_is_never_earlier_than_the_one_before_it(log: Log) -> None:
    opened(log)
    DCBLog(log, clock=Ticking(1)).append([DCBEvent(type="T", data=b"")])
    assert verify(log.read()).head == log.head()


def test_failed_condition_appends_nothing(log: Log) -> None:
    recorder = DCBLog(log)
    recorder.append([DCBEvent(type="T", data=b"", tags=["a"])])
    with pytest.raises(ConditionFailedError, match="event 1 matches"):
        recorder.append([DCBEvent(type="T", data=b"")], DCBAppendCondition(query(tags=("a",))))
    assert log.head().size == 1


def test_append_without_events_is_an_error_of_the_program(log: Log) -> None:
    with pytest.raises(ProgrammingError, match="at least one"):
        DCBLog(log).append([])


def test_one_of_many_rivals_wins(log: Log) -> None:
    recorders = [DCBLog(log) for _ in range(6)]
    outcomes: list[str] = []

    def claim(recorder: DCBLog) -> None:
        for number in range(10):
            event = DCBEvent(type="Claimed", data=b"", tags=[f"name:{number}"])
            condition = DCBAppendCondition(query("Claimed", tags=(f"name:{number}",)))
            try:
                recorder.append([event], condition)
                outcomes.append("won")
            except ConditionFailedError:
                outcomes.append("lost")

    threads = [threading.Thread(target=claim, args=(recorder,)) for recorder in recorders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("won") == 10
    assert outcomes.count("lost") == 50
    assert len(list(recorders[0].read())) == 10


class Overtaken(MemoryLog):
    """A log to which somebody else appends between each look at the head and the append."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    def head(self) -> Head:
        head = super().head()
        if self.times:
            self.times -= 1
            super().append(Chain(head).add(landed(self.times)))
        return head


def test_overtaken_append_examines_its_condition_again() -> None:
    recorder = DCBLog(Overtaken(5))
    event = DCBEvent(type="T", data=b"", tags=["a"])
    assert recorder.append([event], DCBAppendCondition(query("T"))) > 1
    with pytest.raises(ConditionFailedError, match="matches"):
        DCBLog(Overtaken(5)).append([event], DCBAppendCondition(query("BallLanded")))


def test_append_that_is_overtaken_for_ever_gives_up() -> None:
    with pytest.raises(AvailabilityError, match="send the events again"):
        DCBLog(Overtaken(10_000)).append([DCBEvent(type="T", data=b"")])


def test_fault_of_the_log_is_not_taken_for_a_rival(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> Head:
        raise IntegrityError("damaged")

    log = MemoryLog()
    monkeypatch.setattr(log, "append", refuse)
    with pytest.raises(IntegrityError, match="damaged"):
        DCBLog(log).append([DCBEvent(type="T", data=b"")])


def test_subscription_gives_only_what_matches(log: Log) -> None:
    recorder = DCBLog(log)
    recorder.append([DCBEvent(type=name, data=b"") for name in "ABABA"])
    with recorder.subscribe(query("A"), after=1) as subscription:
        assert [next(subscription).position for _ in range(2)] == [3, 5]
        recorder.append([DCBEvent(type=name, data=b"") for name in "BA"])
        assert next(subscription).position == 7


def test_stopping_ends_a_subscription_that_waits(log: Log) -> None:
    subscription = DCBLog(log).subscribe()
    ended = threading.Event()

    def follow() -> None:
        for _ in subscription:
            pass
        ended.set()

    thread = threading.Thread(target=follow)
    thread.start()
    subscription.stop()
    thread.join(120)
    assert ended.is_set()


def test_limit_bounds_what_is_read(log: Log) -> None:
    recorder = DCBLog(log)
    recorder.append([DCBEvent(type="T", data=b"", tags=[f"n:{at}"]) for at in range(9)])
    response = recorder.read(after=2, limit=3)
    assert response.head is None
    assert [found.position for found in response] == [3, 4, 5]
    assert response.head == 5
    assert [type(decode(body).event) for _, body in log.read()] == [DCBEventRecorded] * 9


def test_an_event_that_is_too_large_for_the_format_is_refused(log: Log) -> None:
    event = DCBEvent(type="Large", data=bytes(MESSAGE_BYTES_MAX), tags=[])
    size = log.head().size
    with pytest.raises(InputError, match="nothing was recorded"):
        DCBLog(log).append([event])
    assert log.head().size == size
