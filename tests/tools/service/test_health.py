"""The health port: alive, ready or not with the state, and the series of the process."""

from __future__ import annotations

import json
import re
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
from prometheus_client.parser import text_string_to_metric_families

from tests.tools.cli_cases import SECONDS_MAX, begin, run, started
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def watched(*arguments: str, data: Path) -> Iterator[str]:
    """Start a program with a health port; return the address of the port."""
    with started(*arguments, "--health", "127.0.0.1:0", data=data) as running:
        try:
            seen: list[str] = []
            while not (found := re.search(r"health and metrics at (http://\S+)", "".join(seen))):
                line = running.stderr.readline().decode()
                assert line, seen
                seen.append(line)
            yield found[1]
            running.send_signal(signal.SIGTERM)
            assert running.wait(SECONDS_MAX) == 0
        finally:
            running.kill()


def ready(address: str) -> tuple[int, Any]:
    answer = httpx.get(f"{address}/ready")
    return answer.status_code, json.loads(answer.text)


def series(address: str) -> dict[str, dict[tuple[str, ...], float]]:
    """Return every sample by name and the values of its labels."""
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(httpx.get(f"{address}/metrics").text):
        for one in family.samples:
            found.setdefault(one.name, {})[tuple(one.labels.values())] = one.value
    return found


def until_ready(address: str, expected: tuple[int, Any]) -> None:
    until(lambda: ready(address) == expected, lambda: ready(address))


def test_a_leader_is_ready_and_a_standby_is_alive_and_not_ready(tmp_path: Path) -> None:
    begin(tmp_path)
    with watched("writer", "--http", "127.0.0.1:0", data=tmp_path) as leader:
        until_ready(leader, (200, {"ready": True, "state": "leading"}))
        with watched("writer", "--http", "127.0.0.1:0", data=tmp_path) as standby:
            until_ready(standby, (503, {"ready": False, "state": "standby"}))
            assert httpx.get(f"{standby}/health").text == "alive\n"
            assert series(standby)["gameledger_leading"] == {("test",): 0}
        shown = series(leader)
    assert shown["gameledger_ready"] == {("test",): 1}
    (free,), (size,) = (shown[f"gameledger_disk_{one}_bytes"].values() for one in ("free", "size"))
    assert 0 < free < size


def test_a_projector_shows_how_far_it_is_and_how_old_the_last_checkpoint_is(tmp_path: Path) -> None:
    begin(tmp_path)
    with watched("project", "--follow", data=tmp_path) as address:
        until_ready(address, (200, {"ready": True, "state": "following"}))
        shown = series(address)
        assert shown["gameledger_projector_behind_messages"] == {("test",): 0}
        assert shown["gameledger_last_seconds"]["test", "checkpoint"] == 0
        before = shown["gameledger_projected_messages"]["test",]
        assert run("log", "checkpoint", data=tmp_path).returncode == 0
        for _ in range(int(SECONDS_MAX * 20)):
            shown = series(address)
            if shown["gameledger_projected_messages"]["test",] > before:
                break
        assert shown["gameledger_projected_messages"]["test",] > before
    with watched("project", "--follow", data=tmp_path) as address:
        until_ready(address, (200, {"ready": True, "state": "following"}))
        assert series(address)["gameledger_last_seconds"]["test", "checkpoint"] > 0


def test_a_port_that_is_taken_ends_the_program_with_a_reason(tmp_path: Path) -> None:
    begin(tmp_path)
    with watched("project", "--follow", data=tmp_path) as address:
        done = run("watch", "--health", address.removeprefix("http://"), data=tmp_path)
    assert done.returncode == 4
    assert "can't be listened at" in done.stderr
