"""Compare the writer's clock with a time source: at the start of a writer and every hour.

Input: the host of an NTP server. Output: the offset of the clock (SNTP, RFC 4330), recorded in the
chain. The machine's own time service (chrony, systemd-timesyncd) adjusts the clock; this is an
independent check. A writer does not start with a clock that is off by more than
``CLOCKS_APART_MAX``; a source that does not answer stops no writer, and the missing answer is
recorded.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.clock import CLOCKS_APART_MAX, SECOND
from ledger.core.errors import AvailabilityError, InputError
from ledger.decisions.operator.keys import RecordClock
from tools.service.address import port_of
from tools.service.repeated import repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tools.service.client import AnyLedger

__all__ = ["ClockOffset", "TimeSource", "measured_hourly"]

HOUR_SECONDS = 3600.0
ANSWER_SECONDS = 2.0
NTP_PORT = 123
PACKET_BYTES = 48
CLIENT = 0x23
"""Leap indicator 0, version 4, mode 3: a question of a client."""
MODE, SERVER = 0x07, 4
UNSYNCHRONISED = 3
STRATUM_MAX = 15
SECONDS_FROM_1900_TO_1970 = 2_208_988_800


class ClockOffset(NamedTuple):
    """Offset of the clock from its source (ahead: positive) and its uncertainty, in µs."""

    skew: int
    uncertainty: int


class TimeSource:
    """An NTP server.

    Args:
        address: HOST or HOST:PORT.
        clock: returns microseconds since the epoch; the clock that is measured.

    Raises:
        InputError: the port is invalid.

    """

    def __init__(
        self, address: str, clock: Callable[[], int] = lambda: time.time_ns() // 1000
    ) -> None:
        """Parse the address; nothing is sent yet."""
        host, _, digits = address.partition(":")
        port = port_of(digits or str(NTP_PORT))
        if not host or port is None:
            raise InputError(f"{address} is no time source: write it as HOST or HOST:PORT")
        self.address = address
        self._host, self._port = host, port
        self._clock = clock

    def measure(self) -> ClockOffset:
        """Query the server once.

        Raises:
            AvailabilityError: the server gives no answer, or an unusable one.

        """
        token = os.urandom(8)
        question = bytes([CLIENT]) + bytes(39) + token
        try:
            address = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_DGRAM)[0]
            with socket.socket(address[0], socket.SOCK_DGRAM) as line:
                line.settimeout(ANSWER_SECONDS)
                line.connect(address[4])
                sent = self._clock()
                line.send(question)
                answer = line.recv(PACKET_BYTES)
                received = self._clock()
        except OSError as error:
            raise AvailabilityError(
                f"time source {self.address} gives no answer: {error}"
            ) from error
        if not _is_answer(answer, token):
            raise AvailabilityError(f"time source {self.address} has no time to give")
        came, went = (_moment(answer, place) for place in (32, 40))
        skew = ((sent - came) + (received - went)) // 2
        return ClockOffset(skew, max(received - sent - (went - came), 0) // 2)

    def require_close(self) -> None:
        """Refuse a clock that is far from its source; accept it if the source does not answer.

        Raises:
            AvailabilityError: the clock is more than ``CLOCKS_APART_MAX`` ahead or behind.

        """
        try:
            skew = self.measure().skew
        except AvailabilityError:
            return
        if abs(skew) > CLOCKS_APART_MAX:
            side = "ahead of" if skew > 0 else "behind"
            raise AvailabilityError(
                f"the clock of this machine is {abs(skew) / SECOND:.0f} s {side} {self.address}: "
                "set it by NTP and start the writer again"
            )


def _is_answer(answer: bytes, token: bytes) -> bool:
    return (
        len(answer) == PACKET_BYTES
        and answer[0] & MODE == SERVER
        and answer[0] >> 6 != UNSYNCHRONISED
        and 1 <= answer[1] <= STRATUM_MAX
        and answer[24:32] == token
    )


def _moment(answer: bytes, place: int) -> int:
    """Parse an NTP timestamp: seconds since 1900, which wrap in 2036, and their fraction."""
    seconds, fraction = (int(part) for part in struct.unpack_from("!II", answer, place))
    since_1970 = (seconds - SECONDS_FROM_1900_TO_1970) % 2**32
    return since_1970 * SECOND + (fraction * SECOND >> 32)


@contextmanager
def measured_hourly(
    ledger: AnyLedger,
    source: TimeSource | None,
    notify: Callable[..., Any],
    *,
    seconds: float = HOUR_SECONDS,
) -> Iterator[None]:
    """Record a measurement now and every hour while the block runs.

    Errors are reported, not raised.

    Args:
        ledger: where measurements are recorded.
        source: the NTP server; None measures nothing.
        notify: called with ``clock_not_measured`` and ``why``.
        seconds: between two measurements.

    """
    if source is None:
        yield
        return
    with repeated(lambda _: _record(ledger, source, notify), seconds, "time-source"):
        yield


def _record(ledger: AnyLedger, source: TimeSource, notify: Callable[..., Any]) -> None:
    skew = uncertainty = None
    try:
        skew, uncertainty = source.measure()
    except AvailabilityError as error:
        notify("clock_not_measured", why=str(error))
    command = RecordClock(
        source_of_time=source.address, skew=skew, uncertainty=uncertainty, source="writer"
    )
    try:
        ledger.execute(command)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again in an hour
        notify("clock_not_measured", why=str(error) or repr(error))
