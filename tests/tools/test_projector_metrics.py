"""What the projector measures besides its progress: clock, night run, backup."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from ledger.core.clock import SECOND
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from projections.store.projector import Projector
from projections.store.tables import Store
from tests.tools.cli_cases import begin, run
from tools.data.projector_metrics import NIGHT_FILE, ProjectorMetrics

if TYPE_CHECKING:
    from pathlib import Path


def measured(metrics: ProjectorMetrics) -> dict[tuple[str, str], float]:
    """Return the values by series and kind."""
    return {
        (sample.name, sample.labels.get("kind", "")): sample.value
        for family in text_string_to_metric_families(generate_latest(metrics.registry).decode())
        for sample in family.samples
    }


@pytest.mark.slow
def test_clock_night_run_and_backup_are_measured_from_what_they_leave(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    begin(data)
    clock = {"command": "record_clock", "source_of_time": "ntp"}
    lines = [{**clock, "skew": -2 * SECOND, "uncertainty": 0}, {**clock, "skew": None}]
    assert run("record", data=data, lines=lines[:1]).returncode == 0
    assert run("log", "copy", str(data), str(copy), data=data).returncode == 0
    with closing(SqliteLog(data, writable=False)) as log:
        ((_, last),) = log.read(log.head().size - 1)
    moment = decode_envelope(last).recorded_at / SECOND
    assert run("record", data=data, lines=lines[1:]).returncode == 0
    (data / NIGHT_FILE).touch()
    metrics = ProjectorMetrics("test", data, copy)
    with closing(SqliteLog(data, writable=False)) as log, Store.open(tmp_path / "tables") as store:
        head = Projector(log, store).catch_up().head
        metrics.seen(store, head.size, head.size)
        parts = max(store.parts().values())
    found = measured(metrics)
    assert found["gameledger_clock_skew_seconds", ""] == -2
    assert found["gameledger_last_seconds", "clock"] == pytest.approx(moment)
    assert found["gameledger_last_seconds", "backup"] == pytest.approx(moment)
    assert found["gameledger_last_seconds", "night"] == (data / NIGHT_FILE).stat().st_mtime
    assert found["gameledger_last_seconds", "checkpoint"] == 0
    assert found["gameledger_table_parts", ""] == parts > 0
    unread = measured(ProjectorMetrics("test", tmp_path / "none", tmp_path / "none"))
    assert unread["gameledger_last_seconds", "backup"] == 0
