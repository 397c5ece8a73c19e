"""A mirror that fetches: what operators publish is held, and what is false is named."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.log.kafka.log import KafkaLog
from tests.ledger.chain_cases import landed
from tests.tools.mirror_cases import Authority, Operator
from tools.mirror.pulling import Puller, pull

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster

SECONDS = 20


def test_each_checkpoint_is_fetched_once(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    place = tmp_path / "published"
    for size in (40, 700, 701):
        operator.publish(place, operator.note_at(size))
        note = pull(authority.mirror, operator.name, str(place))
        assert note is not None
        assert note.head.size == size
        assert pull(authority.mirror, operator.name, str(place)) is None
        authority.require_held(operator, size)
        authority.restart()


def test_what_was_fetched_before_a_stop_is_not_fetched_again(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    size = 9 * 256
    operator.publish(tmp_path / "published", operator.note_at(size))
    asked = iter([False, True])
    with pytest.raises(AvailabilityError, match="holds 2048 of 2304"):
        pull(
            authority.mirror,
            operator.name,
            str(tmp_path / "published"),
            is_over=lambda: next(asked),
        )
    authority.restart()
    reached: list[int] = []
    pull(
        authority.mirror,
        operator.name,
        str(tmp_path / "published"),
        progress=lambda done, _: reached.append(done),
    )
    assert reached == [2048, size]
    authority.require_held(operator, size)


@pytest.mark.slow
def test_a_topic_is_fetched_from_real_brokers(
    broker: Cluster, authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    url = broker.url(f"mirrored-{uuid4().hex}")
    sent = 0
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        for size in (300, 350):
            operator.note_at(size)
            log.append(operator.chain.messages[sent:])
            sent = len(operator.chain.messages)
            note = pull(authority.mirror, operator.name, url)
            assert note is not None
            assert note.head.size == size
            authority.require_held(operator, size)


def test_another_history_is_refused_and_proved(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    operator.publish(tmp_path / "true", operator.note_at(300))
    pull(authority.mirror, operator.name, str(tmp_path / "true"))
    fork = Operator()
    fork.add(landed(36, "another"))
    fork.publish(tmp_path / "false", fork.note_at(500))
    with pytest.raises(IntegrityError, match="refused"):
        pull(authority.mirror, operator.name, str(tmp_path / "false"))
    assert list(authority.folder.misconduct.glob("*.txt"))
    authority.require_held(operator, 300)


def test_an_end_that_was_cut_off_is_named(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    earlier = operator.note_at(200)
    operator.publish(tmp_path / "cut", earlier)
    operator.publish(tmp_path / "whole", operator.note_at(300))
    pull(authority.mirror, operator.name, str(tmp_path / "whole"))
    with pytest.raises(IntegrityError, match="announced 300 messages before, and shows 200"):
        pull(authority.mirror, operator.name, str(tmp_path / "cut"))


def test_a_log_of_another_name_is_not_taken_for_this(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    other = Operator(name="other.example")
    other.publish(tmp_path / "other", other.note_at(50))
    with pytest.raises(IntegrityError, match=r"other\.example"):
        pull(authority.mirror, operator.name, str(tmp_path / "other"))
    with pytest.raises(InputError):
        pull(authority.mirror, operator.name, str(tmp_path / "nothing"))


def test_a_puller_goes_on_until_it_is_stopped(
    authority: Authority, operator: Operator, tmp_path: Path
) -> None:
    """A place that is not there yet is named once; what comes is held."""
    place = tmp_path / "published"
    puller = Puller(authority.mirror, operator.name, str(place), authority.messages.append)
    try:
        await_true(lambda: bool(authority.messages))
        operator.publish(place, operator.note_at(60))
        await_true(lambda: authority.folder.signed(operator.name) is not None)
    finally:
        puller.stop()
    authority.require_held(operator, 60)
    assert len(authority.messages) == 1


def await_true(condition: object) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.05)
