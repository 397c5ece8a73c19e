"""Requests that reach the broker late, twice or in another order, by their kind."""

from __future__ import annotations

import struct
import time
from contextlib import closing
from random import Random
from threading import Lock
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from kafka import TopicPartition
from kafka.structs import OffsetAndMetadata

from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.settings import KafkaSettings
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, Load, judge
from tests.ledger.log.kafka.kafka_proxy import (
    ADD_PARTITIONS,
    END,
    FIND_COORDINATOR,
    INIT,
    OFFSETS,
    PRODUCE,
    USUAL,
    Fate,
    Proxy,
)
from tests.search import amount
from tools.service.kafka.answer_producer import AnswerProducer, AnswerRecord
from tools.service.kafka.topics import receipts_of, require_topics

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

KINDS = (PRODUCE, FIND_COORDINATOR, INIT, ADD_PARTITIONS, END)
BATCHES = 25
ERROR_OF_END = 13
"""Offset of the error in an answer to the end of a transaction."""
NO_ERROR, PRODUCER_FENCED = 0, 90
REFUSED_OR_REPEATED = {PRODUCER_FENCED, NO_ERROR}
"""An end of a transaction that is over: refused, or taken for its repetition, which ends nothing.

Which of the two depends on what the coordinator knows by then of the transaction after it.
"""


@pytest.fixture
def proxy(proxied: tuple[Cluster, Proxy]) -> Iterator[Proxy]:
    proxy = proxied[1]
    yield proxy
    proxy.fate_of = lambda _: USUAL


@pytest.fixture
def url(proxied: tuple[Cluster, Proxy]) -> str:
    options = {**QUICK, "request_seconds": 1, "commit_seconds": 2}
    return proxied[0].url(f"t-{uuid4().hex}", **options)


class Copy:
    """A copy of a request that reaches the broker one time; each connection has a thread."""

    def __init__(self, proxy: Proxy) -> None:
        self.answers: list[bytes] = []
        self._proxy = proxy
        self._turn = Lock()

    def send(self, request: bytes) -> None:
        if self._turn.acquire(blocking=False):
            self.answers.append(self._proxy.send(request))


class Swarm:
    """Draws the fate of each request; each seed has its own rates by kind."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)
        self._lock = Lock()
        self._rates = {kind: self._chance.choice((0, 0.05, 0.2)) for kind in KINDS}
        self._rates[self._chance.choice((PRODUCE, END))] = 0.2
        self.counts = {"waited": 0, "copied": 0, "late": 0}

    def __call__(self, kind: int) -> Fate:
        with self._lock:
            if self._chance.random() >= self._rates.get(kind, 0):
                return USUAL
            how = self._chance.choice(tuple(self.counts))
            self.counts[how] += 1
            seconds = self._chance.choice((0.01, 0.1, 0.5, 3))
            match how:
                case "waited":
                    return Fate(wait_seconds=min(seconds, 0.5))
                case "copied":
                    return Fate(copies=(seconds,))
                case _:
                    return Fate(is_kept_back=True, copies=(seconds,))


@pytest.mark.parametrize("seed", range(amount(1, 3)))
def test_requests_in_disorder_neither_lose_nor_double_nor_tear(
    proxy: Proxy, url: str, tmp_path: Path, seed: int, keep_figures: Callable[..., None]
) -> None:
    swarm = Swarm(seed)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        with Load(log) as load:
            load.await_batches(1)
            proxy.fate_of = swarm
            load.await_batches(BATCHES, 60)
            proxy.fate_of = lambda _: USUAL
            load.await_batches(2)
        assert load.error is None
    assert sum(swarm.counts.values()), "how many depends on the brokers' pace"
    keep_figures(**judge(url, tmp_path / "reader", load.acknowledged), **swarm.counts)


@pytest.mark.parametrize("is_late", [True, False])
def test_an_end_that_arrives_in_the_next_transaction_does_no_harm(
    proxy: Proxy, url: str, tmp_path: Path, *, is_late: bool
) -> None:
    """A late one is of a producer that was given up, or repeated its request in time.

    Which of the two depends on the broker's pace, for a copy as well.
    """
    held: list[bytes] = []
    copy, take = Copy(proxy), proxy._take
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)

        def hold(kind: int) -> Fate:
            is_first = is_late and kind == END and len(held) == 1
            return Fate(is_kept_back=True) if is_first else USUAL

        def look(kind: int, request: bytes) -> object:
            if kind == END and b"gameledger" in request[12:40]:
                held.append(request)
                if len(held) > 1:
                    copy.send(held[0])
            return take(kind, request)

        proxy.fate_of = hold
        proxy._take = look  # type: ignore[method-assign, assignment]
        try:
            log.append(chain.add(landed(1), landed(2)))
            log.append(chain.add(landed(3)))
        finally:
            del proxy._take  # type: ignore[method-assign]
        (answer,) = copy.answers
    (error,) = struct.unpack_from(">h", answer, ERROR_OF_END)
    assert error in REFUSED_OR_REPEATED
    judge(url, tmp_path / "reader", chain.messages)


def test_an_end_that_arrives_within_an_append_of_several_requests_tears_nothing(
    proxy: Proxy, url: str, tmp_path: Path
) -> None:
    ended: list[bytes] = []
    produced: list[bytes] = []
    copy, take = Copy(proxy), proxy._take
    patient = url.replace("request_seconds=1", "request_seconds=10")
    with closing(KafkaLog(patient, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()

        def look(kind: int, request: bytes) -> object:
            if b"gameledger" in request[12:40]:
                {END: ended, PRODUCE: produced}.get(kind, []).append(request)
                if len(produced) == 2 and ended:
                    time.sleep(1)  # the first is in the log of the broker, which may be busy
                    copy.send(ended[0])
            return take(kind, request)

        log.append(chain.messages)
        log.append(chain.add(landed(1)))
        proxy._take = look  # type: ignore[method-assign, assignment]
        try:
            log.append(chain.add(landed(2)))
            produced.clear()
            log.append(chain.add(*(landed(3, "r" * 60_000) for _ in range(40))))
        finally:
            del proxy._take  # type: ignore[method-assign]
        (answer,) = copy.answers
    (error,) = struct.unpack_from(">h", answer, ERROR_OF_END)
    assert error in REFUSED_OR_REPEATED
    judge(url, tmp_path / "reader", chain.messages)


def test_an_end_that_arrives_within_the_answers_to_commands_commits_no_part_of_them(
    proxy: Proxy, url: str
) -> None:
    """Answers without the offsets of their commands would be written again after a crash."""
    settings = KafkaSettings.from_url(url)
    require_topics(settings)
    commands = TopicPartition(settings.topic, 0)
    answer = AnswerRecord(receipts_of(settings.topic), 0, None, b"{}", [])
    ended: list[bytes] = []
    copy, take = Copy(proxy), proxy._take

    def look(kind: int, request: bytes) -> object:
        if kind == END and b"gameledger" in request[12:40]:
            ended.append(request)
        if kind == OFFSETS and ended:
            copy.send(ended[0])
        return take(kind, request)

    with closing(AnswerProducer(settings, 0)) as answering:
        proxy._take = look  # type: ignore[method-assign, assignment]
        try:
            for number in range(2):
                answering.commit_answers(
                    [answer], {commands: OffsetAndMetadata(number + 1, "", -1)}
                )
        finally:
            del proxy._take  # type: ignore[method-assign]
    (late,) = copy.answers
    (error,) = struct.unpack_from(">h", late, ERROR_OF_END)
    assert error in REFUSED_OR_REPEATED
