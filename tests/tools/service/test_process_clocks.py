"""Whole processes with clocks of their own: apart, set, at midnights and changes of clocks."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ledger.core.clock import SECOND
from ledger.core.errors import AvailabilityError
from ledger.events.encoding import decode_envelope
from ledger.log.sqlite import SqliteLog
from tests.tools.failover_cases import WINDOW, Sender, deposit, require_once
from tests.tools.writer_cases import SECONDS_MAX, Writer, free_port
from tools.service.client import LedgerClient

FOUND = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOUND, reason="no clock of a process: apt-get install faketime"),
]
BEFORE_SECONDS = 5
"""How long before the moment of a case its writers start."""
MOMENTS = {
    "into 29 February": datetime(2028, 2, 28, 23, tzinfo=UTC),
    "clocks forward": datetime(2028, 3, 26, 1, tzinfo=UTC),
    "clocks back": datetime(2028, 10, 29, 1, tzinfo=UTC),
}


def fake(ahead_seconds: float) -> dict[str, str]:
    """Return the environment of processes whose clock is ahead, as where somebody sets it."""
    return {
        "LD_PRELOAD": str(FOUND[0]),
        "FAKETIME": f"{ahead_seconds:+.3f}",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "TZ": "Europe/Prague",
    }


class SetClock:
    """A clock that is set while processes look at it."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set(0)
        named = {"FAKETIME_TIMESTAMP_FILE": str(self._file), "FAKETIME_NO_CACHE": "1"}
        self.environment = {**fake(0), **named}
        del self.environment["FAKETIME"]

    def set(self, ahead_seconds: float) -> None:
        unfinished = self._file.with_suffix(".new")
        unfinished.write_text(f"{ahead_seconds:+.3f}\n")
        unfinished.replace(self._file)


class Pair:
    """A leader and, with a second clock, a standby of one data directory."""

    def __init__(self, studio: Path, clocks: list[dict[str, str]], stack: ExitStack) -> None:
        self.urls = []
        self.writers = []
        for number, clock in enumerate(clocks):
            port = free_port()
            self.urls.append(f"http://127.0.0.1:{port}")
            socket, http = f"unix:{studio}/{number}.sock", f"127.0.0.1:{port}"
            writer = Writer(studio, "--listen", socket, "--http", http, environment=clock)
            stack.callback(writer.kill)
            writer.wait_for("standby" if number else "leading")
            self.writers.append(writer)


@pytest.mark.parametrize(
    ("moment", "skew"),
    [
        ("clocks back", 0.5),
        pytest.param("clocks forward", -0.5, marks=pytest.mark.search),
        pytest.param("into 29 February", -2.0, marks=pytest.mark.search),
    ],
)
def test_a_leader_is_followed_by_one_with_another_clock(
    studio: Path, moment: str, skew: float
) -> None:
    """At a midnight or a change of clocks; one that is behind waits for the last record."""
    at = MOMENTS[moment].timestamp()
    ahead = at - time.time() - BEFORE_SECONDS
    clocks = [fake(ahead), fake(ahead + skew)]
    stop = threading.Event()
    with ExitStack() as stack:
        pair = Pair(studio, clocks, stack)
        sender = Sender("k", pair.urls, stop)
        while time.time() + ahead < at + 1:
            stop.wait(0.2)
        pair.writers[0].kill()
        pair.writers[1].wait_for("leading", seconds=60)
        before = len(sender.acknowledged)
        wait_for_more(sender, before)
        stop.set()
        sender.join()
    moments = moments_of(studio, sender)
    assert moments[-1] / SECOND < time.time() + ahead + max(skew, 0) + 1
    assert any(one / SECOND > at for one in moments)


def test_a_leader_whose_clock_is_set_records_nothing_until_it_is_right(
    studio: Path, tmp_path: Path
) -> None:
    clock = SetClock(tmp_path)
    with ExitStack() as stack:
        pair = Pair(studio, [clock.environment], stack)
        ledger = stack.enter_context(LedgerClient(pair.urls))
        for number, ahead in enumerate((3600, -3600, 31 * 86_400, -5)):
            ledger.execute(deposit(f"before-{number}"))
            clock.set(ahead)
            with pytest.raises(AvailabilityError, match="the clock"):
                ledger.execute(deposit(f"d-{number}"))
            clock.set(0)
            ledger.execute(deposit(f"d-{number}"))
    with closing(SqliteLog(studio, writable=False)) as log:
        moments = [decode_envelope(body).recorded_at for _, body in log.read()]
    assert moments == sorted(moments)
    assert moments[-1] / SECOND < time.time() + 1


def wait_for_more(sender: Sender, count: int) -> None:
    """Wait until more than so many commands were acknowledged, some of them sent since."""
    deadline = time.monotonic() + SECONDS_MAX
    while len(sender.acknowledged) <= count + 2 * WINDOW:
        assert sender.failure is None, sender.failure
        assert time.monotonic() < deadline
        time.sleep(0.05)


def moments_of(studio: Path, sender: Sender) -> list[int]:
    """Require what was acknowledged, once and in order; return when it was recorded."""
    with closing(SqliteLog(studio, writable=False)) as log:
        require_once(log, sender.acknowledged)
        moments = [decode_envelope(body).recorded_at for _, body in log.read()]
    assert moments == sorted(moments)
    return moments
