"""Whose turn it is: one process leads, another follows and takes over."""

from __future__ import annotations

import resource
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from kafka.admin import KafkaAdminClient
from kafka.errors import CoordinatorNotAvailableError, GroupAuthorizationFailedError

from ledger.core.errors import AvailabilityError, FencedError, InputError
from ledger.log import SqliteLog, sqlite_file
from ledger.log.index import search as index_search
from ledger.log.kafka.log import KafkaLog, KafkaSettings
from ledger.log.kafka.note import HeadNote
from ledger.log.kafka.standby import KafkaStandby, has_writers
from ledger.log.standby import LockStandby
from ledger.storage.writer_lock import WriterLock
from tests.ledger.chain_cases import Chain, landed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.core.errors import LedgerError
    from ledger.log import Head
    from tools.workshop.broker import Cluster

LEASE_SECONDS = 20
WAIT_SECONDS = 90


@pytest.fixture
def settings(broker: Cluster, tmp_path: Path) -> KafkaSettings:
    """A topic with a chain."""
    url = broker.url(uuid4().hex)
    with closing(KafkaLog(url, tmp_path / "begun", writable=True)) as log:
        log.append(Chain().open().messages)
        return log.settings


@pytest.fixture
def leader(settings: KafkaSettings, tmp_path: Path) -> Iterator[KafkaStandby]:
    with closing(KafkaStandby(settings, tmp_path / "one", lease_seconds=LEASE_SECONDS)) as made:
        assert made.wait(WAIT_SECONDS)
        yield made


def standing_by(settings: KafkaSettings, folder: Path) -> closing[KafkaStandby]:
    return closing(KafkaStandby(settings, folder, lease_seconds=LEASE_SECONDS))


def watermark(folder: Path) -> Head:
    """Up to where the index in a folder goes."""
    with closing(sqlite_file.connect(folder / "index.sqlite", writable=False)) as index:
        return index_search.watermark_of(index)


@pytest.mark.slow
def test_second_member_waits_and_leads_at_once_when_the_first_leaves(
    leader: KafkaStandby, settings: KafkaSettings, tmp_path: Path
) -> None:
    told: list[LedgerError] = []
    leader.watch(told.append)
    assert has_writers(settings)
    with standing_by(settings, tmp_path / "two") as second:
        assert not second.wait(3)
        assert leader.wait(0)
        assert not told
        leader.close()
        assert second.wait(LEASE_SECONDS - 1)
    assert not told
    assert not has_writers(settings)


@pytest.mark.slow
def test_standby_keeps_index_and_note_near_the_end_of_the_topic(
    leader: KafkaStandby, settings: KafkaSettings, tmp_path: Path
) -> None:
    assert leader.wait(0)
    folder = tmp_path / "two"
    with (
        closing(KafkaLog(settings, tmp_path / "one", writable=True)) as log,
        standing_by(settings, folder) as second,
    ):
        for number in range(3):
            log.append(Chain.behind(log).add(landed(number)))
            deadline = time.monotonic() + WAIT_SECONDS
            while not second.wait(0.1) and watermark(folder) != log.head():
                assert time.monotonic() < deadline
            assert watermark(folder) == log.head()
        head = log.head()
    with closing(HeadNote(folder / "head.note")) as note:
        assert note.head == head
    with closing(KafkaLog(settings, folder, writable=True)) as log:
        assert log.head() == head


@pytest.mark.slow
def test_lost_lease_is_told_once(leader: KafkaStandby) -> None:
    """What a rebalance came to decides, not that partitions are revoked at its beginning."""
    told: list[LedgerError] = []
    leader.watch(told.append)
    leader._lease.assigned(set())
    leader._lease.assigned(set())
    assert [type(error) for error in told] == [FencedError]
    leader.watch(told.append)
    assert len(told) == 2
    assert not leader.wait(0)


@pytest.mark.slow
def test_lease_that_can_not_be_kept_ends_the_turn(
    leader: KafkaStandby, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[LedgerError] = []
    heard = threading.Event()

    def hear(error: LedgerError) -> None:
        told.append(error)
        heard.set()

    def fail(**_: object) -> None:
        raise RuntimeError("the client broke")

    leader.watch(hear)
    monkeypatch.setattr(leader._lease._consumer, "poll", fail)
    assert heard.wait(WAIT_SECONDS)
    assert "the client broke" in str(told[0])
    with pytest.raises(AvailabilityError, match="the client broke"):
        leader.wait(0)


@pytest.mark.slow
def test_folder_of_another_writer_is_left_alone(settings: KafkaSettings, tmp_path: Path) -> None:
    assert not has_writers(settings)
    with (
        closing(KafkaLog(settings, tmp_path / "one", writable=True)),
        pytest.raises(AvailabilityError, match="is being written by process"),
    ):
        KafkaStandby(settings, tmp_path / "one", lease_seconds=LEASE_SECONDS)


@pytest.mark.slow
def test_who_asks_for_writers_waits_for_the_groups_of_a_new_cluster(
    settings: KafkaSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new cluster makes the topic of its groups at the first question and asks for patience."""
    describe = KafkaAdminClient.describe_groups
    faults = [CoordinatorNotAvailableError(), CoordinatorNotAvailableError()]

    def describe_later(admin: KafkaAdminClient, groups: list[str]) -> object:
        if faults:
            raise faults.pop()
        return describe(admin, groups)

    monkeypatch.setattr(KafkaAdminClient, "describe_groups", describe_later)
    assert not has_writers(settings)
    assert not faults
    faults.append(GroupAuthorizationFailedError())
    with pytest.raises(AvailabilityError, match="can't be used"):
        has_writers(settings)


@pytest.mark.slow
def test_standby_needs_a_topic(broker: Cluster, tmp_path: Path) -> None:
    settings = KafkaSettings.from_url(broker.url("never-made"))
    with pytest.raises(InputError, match="there is no topic"):
        KafkaStandby(settings, tmp_path, lease_seconds=LEASE_SECONDS)
    WriterLock(tmp_path / "writer.lock").release()


def test_lock_is_the_lease_of_a_log_in_a_folder(tmp_path: Path) -> None:
    with closing(LockStandby(tmp_path)) as standby:
        assert standby.wait(0)
        with closing(SqliteLog(tmp_path, writable=True)):
            assert not standby.wait(0.01)
        assert standby.wait(0)


def test_a_lock_on_a_full_disk_is_released_again(tmp_path: Path) -> None:
    """The number of its process is a courtesy; without it a standby goes on when space is free."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with closing(LockStandby(tmp_path)) as standby:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            is_free = standby.wait(0)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert is_free
        assert standby.wait(0)
