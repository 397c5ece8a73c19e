"""The lease of a topic: whoever is alone has it, whenever its polls end."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ledger.log.kafka import standby
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.standby import KafkaStandby
from ledger.log.kafka.topic import make_topic
from tests.waiting import PATIENCE_SECONDS

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tools.workshop.broker import Cluster

TOPICS = 8


def test_a_poll_that_ends_while_the_group_is_joined_does_not_stand_by_for_ever(
    broker: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Polls so short that they end within a join; one in three had lost what it was given."""
    monkeypatch.setattr(standby, "POLL_MS", 20)
    for number in range(TOPICS):
        settings = KafkaSettings.from_url(broker.url(f"lease-{number}"))
        make_topic(settings)
        with closing(KafkaStandby(settings, tmp_path / str(number), lease_seconds=6)) as lease:
            assert lease.wait(PATIENCE_SECONDS)
