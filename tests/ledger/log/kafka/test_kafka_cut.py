"""Connections cut, and writers overtaken, at each request of a transaction."""

from __future__ import annotations

import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from kafka.errors import KafkaTimeoutError

from ledger.core.errors import FencedError
from ledger.log import Query
from ledger.log.kafka import brokers
from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.producer import TopicProducer
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, judge
from tests.ledger.log.kafka.kafka_proxy import (
    ADD_PARTITIONS,
    END,
    FIND_COORDINATOR,
    INIT,
    PRODUCE,
    Proxy,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.log import Message
    from ledger.log.kafka.log import KafkaSettings
    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

STEPS = {"add partitions": ADD_PARTITIONS, "produce": PRODUCE, "end": END}
SIDES = {"before": False, "after": True}


@pytest.fixture
def url(proxied: tuple[Cluster, Proxy]) -> str:
    return proxied[0].url(f"t-{uuid4().hex}", **{**QUICK, "commit_seconds": 1})


@pytest.fixture
def patient_url(proxied: tuple[Cluster, Proxy]) -> str:
    """With time for a second writer to take over while a request is held back."""
    return proxied[0].url(f"t-{uuid4().hex}", **{**QUICK, "commit_seconds": 20})


@pytest.fixture
def proxy(proxied: tuple[Cluster, Proxy]) -> Proxy:
    return proxied[1]


def time_out() -> None:
    """Stand for a commit whose answer never came."""
    raise KafkaTimeoutError


def begun(log: KafkaLog) -> tuple[Chain, list[Message]]:
    chain = Chain().open()
    log.append(chain.messages)
    return chain, list(chain.messages)


@pytest.mark.parametrize(
    ("step", "side", "away_seconds"),
    [
        *[(step, side, 0) for step in STEPS for side in SIDES],
        pytest.param("add partitions", "after", 2, marks=pytest.mark.search),
        pytest.param("produce", "after", 2, marks=pytest.mark.search),
        ("end", "before", 2),
        ("end", "after", 2),
    ],
)
def test_append_whose_connection_is_cut_takes_place_once(
    proxy: Proxy,
    url: str,
    tmp_path: Path,
    step: str,
    side: str,
    away_seconds: float,
    keep_figures: Callable[..., None],
) -> None:
    """The longer absence outlasts the time-out of the commit, so the outcome is looked up."""

    def cut() -> None:
        if away_seconds:
            proxy.keep_out()
            timer = threading.Timer(away_seconds, proxy.let_in)
            timer.daemon = True
            timer.start()
        else:
            proxy.cut()

    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain, acknowledged = begun(log)
        rule = proxy.act(STEPS[step], cut, is_after=SIDES[side])
        batch = chain.add(landed(1), landed(2))
        started = time.monotonic()
        assert log.append(batch) == chain.head
        stall = time.monotonic() - started
        assert rule.done.is_set()
        acknowledged += batch
        following = chain.add(landed(3))
        assert log.append(following) == chain.head
        assert log.find(Query(tags=("round:r-1",))) == [at.position for at in [*batch, *following]]
    keep_figures(
        **judge(url, tmp_path / "reader", acknowledged + following), longest_stall=f"{stall:.1f} s"
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", [FIND_COORDINATOR, INIT])
def test_writer_whose_take_over_is_cut_takes_over_once(
    proxy: Proxy, url: str, tmp_path: Path, kind: int, side: str
) -> None:
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain, acknowledged = begun(log)
    rule = proxy.act(kind, proxy.cut, is_after=SIDES[side])
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        assert rule.done.is_set()
        batch = chain.add(landed(1))
        assert log.append(batch) == chain.head
    judge(url, tmp_path / "reader", acknowledged + batch)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("step", STEPS)
def test_second_writer_fences_the_first_at_each_step_of_an_append(
    proxy: Proxy,
    patient_url: str,
    tmp_path: Path,
    step: str,
    side: str,
    keep_figures: Callable[..., None],
) -> None:
    """What the first was told is there; what it was not told may be, and then only once."""
    second: list[KafkaLog] = []

    def take_over() -> None:
        second.append(KafkaLog(patient_url, tmp_path / "second", writable=True))

    with closing(KafkaLog(patient_url, tmp_path / "first", writable=True)) as first:
        chain, acknowledged = begun(first)
        rule = proxy.act(STEPS[step], take_over, is_after=SIDES[side])
        batch = chain.add(landed(1), landed(2))
        with suppress(FencedError):
            first.append(batch)
            acknowledged += batch
        assert rule.done.wait(10)
        (log,) = second
        continued = Chain.behind(log)
        assert log.head().size in {len(acknowledged), len(acknowledged) + len(batch)}
        is_there = log.head().size > len(acknowledged)
        log.append(following := continued.add(landed(9)))
        for _ in range(2):
            with pytest.raises(FencedError, match="took over"):
                first.append(chain.add(landed(3)) if batch[-1] in acknowledged else batch)
            with pytest.raises(FencedError):
                first.head()
        log.append(further := continued.add(landed(10)))
        log.close()
    whole = acknowledged + (batch if is_there else []) + following + further
    keep_figures(
        **judge(patient_url, tmp_path / "reader", whole),
        first_was_answered=batch[-1] in acknowledged,
    )


def test_writer_knows_its_own_late_requests_and_nobody_elses(url: str, tmp_path: Path) -> None:
    """A broker may carry out a request for the right to write long after it was given up."""
    with closing(KafkaLog(url, tmp_path / "first", writable=True)) as log:
        chain, acknowledged = begun(log)
        assert log._writer is not None
        for number in range(3):
            TopicProducer(log.settings, log._writer._mark).abandon()
            log.append(batch := chain.add(landed(number)))
            acknowledged += batch
        TopicProducer(log.settings, log._writer._mark + 1).abandon()
        with pytest.raises(FencedError, match="took over"):
            log.append(chain.add(landed(4)))
    judge(url, tmp_path / "reader", acknowledged)


def test_writer_that_was_fenced_does_not_confirm(url: str, tmp_path: Path) -> None:
    with closing(KafkaLog(url, tmp_path / "first", writable=True)) as first:
        chain, acknowledged = begun(first)
        first.confirm()
        with closing(KafkaLog(url, tmp_path / "second", writable=True)) as second:
            with pytest.raises(FencedError, match="took over"):
                first.confirm()
            second.append(batch := chain.add(landed(1)))
            second.confirm()
        with pytest.raises(FencedError):
            first.head()
    judge(url, tmp_path / "reader", acknowledged + batch)


def test_writer_whose_confirmation_is_cut_confirms_again_and_goes_on(
    proxy: Proxy, url: str, tmp_path: Path
) -> None:
    with closing(KafkaLog(url, tmp_path / "log", writable=True)) as log:
        chain, acknowledged = begun(log)
        for is_after in SIDES.values():
            rule = proxy.act(INIT, proxy.cut, is_after=is_after)
            log.confirm()
            assert rule.done.is_set()
        log.append(batch := chain.add(landed(1)))
    judge(url, tmp_path / "reader", acknowledged + batch)


@pytest.mark.parametrize("moment", ["before it asks who may write", "after it asked"])
def test_writer_that_lost_its_connection_meets_one_that_took_over(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """It does not put the other out of office; between question and taking it can, once.

    Then both stop, a third goes on, and nothing is lost or doubled.
    """
    second: list[KafkaLog] = []
    taken: list[Message] = []
    name = "last_writer_mark_of" if moment.startswith("before") else "TopicProducer"
    real = getattr(brokers, name)

    def take_over_first(settings: KafkaSettings, *mark: int) -> object:
        monkeypatch.setattr(brokers, name, real)
        second.append(KafkaLog(url, tmp_path / "second", writable=True))
        taken.extend(Chain.behind(second[0]).add(landed(5)))
        second[0].append(taken)
        return real(settings, *mark)

    with closing(KafkaLog(url, tmp_path / "first", writable=True)) as first:
        chain, acknowledged = begun(first)
        assert first._writer is not None
        monkeypatch.setattr(first._writer._transactions, "commit", time_out)
        monkeypatch.setattr(brokers, name, take_over_first)
        with pytest.raises(FencedError, match="took over"):
            first.append(chain.add(landed(1)))
    following = Chain.behind(second[0]).add(landed(6))
    if moment.startswith("before"):
        second[0].append(following)
        taken += following
    else:
        with pytest.raises(FencedError):
            second[0].append(following)
    second[0].close()
    with closing(KafkaLog(url, tmp_path / "third", writable=True)) as third:
        third.append(further := Chain.behind(third).add(landed(7)))
    judge(url, tmp_path / "reader", acknowledged + taken + further)
