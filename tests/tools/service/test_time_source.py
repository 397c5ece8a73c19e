"""The clock of a writer and its source of time: an NTP server on this machine."""

from __future__ import annotations

import socket
import struct
import threading
import time
from typing import TYPE_CHECKING, Any, Self

import pytest

from ledger.core.errors import AvailabilityError, InputError
from ledger.events.encoding import decode
from ledger.events.event_types import ClockMeasured
from ledger.verification.verify import verify
from tests.tools.writer_cases import SECONDS_MAX
from tools.data import DataDirectory
from tools.service.leader import run
from tools.service.server import Server
from tools.service.stop import Stop
from tools.service.time_source import SECONDS_FROM_1900_TO_1970, TimeSource, measured_hourly

if TYPE_CHECKING:
    from pathlib import Path

SECOND = 1_000_000


class NtpServer:
    """Answers every question with this machine's clock, ``behind`` microseconds earlier."""

    def __init__(self, behind: int, *, first: int = 0x24, stratum: int = 2, cut: int = 48) -> None:
        self._behind, self._first, self._stratum, self._cut = behind, first, stratum, cut
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._answer, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", self._socket.getsockname())
        self._thread.join()
        self._socket.close()

    def _answer(self) -> None:
        while True:
            question, sender = self._socket.recvfrom(48)
            if not question:
                return
            seconds, rest = divmod(time.time_ns() // 1000 - self._behind, SECOND)
            stamp = struct.pack("!II", seconds + SECONDS_FROM_1900_TO_1970, (rest << 32) // SECOND)
            head = bytes([self._first, self._stratum]) + bytes(22)
            answer = head + question[40:48] + stamp + stamp
            self._socket.sendto(answer[: self._cut], sender)


def test_a_skew_is_measured_with_its_sign() -> None:
    for behind in (3 * SECOND, -3 * SECOND):
        with NtpServer(behind) as server:
            measured = TimeSource(server.address).measure()
        assert abs(measured.skew - behind) <= measured.uncertainty + 1000
        assert 0 <= measured.uncertainty < SECOND


@pytest.mark.parametrize(
    "settings",
    [{"first": 0xE4}, {"first": 0x23}, {"stratum": 0}, {"stratum": 16}, {"cut": 47}],
    ids=["unsynchronised", "no server", "go away", "no stratum", "cut"],
)
def test_an_answer_that_tells_no_time_is_none(settings: dict[str, int]) -> None:
    with NtpServer(0, **settings) as server, pytest.raises(AvailabilityError, match="no time"):
        TimeSource(server.address).measure()


def test_an_address_is_a_host_with_or_without_a_port() -> None:
    for address in ("tik.cesnet.cz:ntp", ":123", "host:²", "host:١٢٣", "host:65536"):
        with pytest.raises(InputError, match="HOST:PORT"):
            TimeSource(address)


def led(data: DataDirectory, source: TimeSource) -> tuple[list[str], list[ClockMeasured]]:
    """Lead and stop; return what was told, and the measurements that the chain then holds."""
    told: list[str] = []
    stop = Stop()

    def notify(state: str, **_facts: Any) -> None:
        told.append(state)
        if state == "leading":
            stop()

    run(data.standby(lease_seconds=1), data.lead, Server(), stop, notify, source=source)
    log = data.read()
    try:
        verify(log.read())
        events = [decode(message).event for _, message in log.read()]
    finally:
        log.close()
    return told, [event for event in events if isinstance(event, ClockMeasured)]


@pytest.fixture
def data(tmp_path: Path) -> DataDirectory:
    directory = DataDirectory(tmp_path)
    directory.create(operator="26493993", operator_name="S", chain="c").close()
    return directory


@pytest.mark.law("L-19")
@pytest.mark.parametrize("behind", [2 * SECOND, -2 * SECOND])
def test_source_and_skew_are_recorded_at_the_start(data: DataDirectory, behind: int) -> None:
    with NtpServer(behind) as server:
        told, (measured,) = led(data, TimeSource(server.address))
    assert told == ["standby", "leading", "stopped"]
    assert measured.source_of_time == server.address
    assert measured.skew == pytest.approx(behind, abs=SECOND)
    assert measured.uncertainty is not None


@pytest.mark.law("L-19")
def test_a_source_that_gives_no_answer_is_recorded_too(data: DataDirectory) -> None:
    with NtpServer(0, stratum=0) as server:
        told, (measured,) = led(data, TimeSource(server.address))
    assert "clock_not_measured" in told
    assert (measured.skew, measured.uncertainty) == (None, None)


def test_the_clock_is_measured_again_whatever_went_wrong_before() -> None:
    told, tried = list[dict[str, Any]](), threading.Semaphore(0)

    class Failing:
        def execute(self, _: object) -> None:
            tried.release()
            raise OSError("too many open files")

    ledger: Any = Failing()
    with (
        NtpServer(0) as server,
        measured_hourly(
            ledger,
            TimeSource(server.address),
            lambda state, **facts: told.append({"state": state, **facts}),
            seconds=0.01,
        ),
    ):
        assert all(tried.acquire(timeout=SECONDS_MAX) for _ in range(2))
    assert told[0] == {"state": "clock_not_measured", "why": "too many open files"}


@pytest.mark.law("L-19")
@pytest.mark.parametrize(("behind", "side"), [(120, "ahead of"), (-120, "behind")])
def test_a_writer_does_not_begin_with_a_clock_far_from_its_source(
    data: DataDirectory, behind: int, side: str
) -> None:
    with NtpServer(behind * SECOND) as server:
        with pytest.raises(AvailabilityError, match=rf"is 1(20|19) s {side} .* start the writer"):
            led(data, TimeSource(server.address))
        log = data.read()
        assert log.head().size == 3
        log.close()
