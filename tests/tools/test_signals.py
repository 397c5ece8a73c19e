"""A program that waits is ended by a signal, whenever it comes and whichever thread gets it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from threading import Event

import pytest

from tests.tools.cli_cases import ROOT, SECONDS_MAX
from tools.cli._stop import stop_on_signals
from tools.signals import wait_for

WAITING = """
import signal, sys, threading
from tools.cli._stop import stop_on_signals
from tools.signals import wait_for
stop = stop_on_signals()
def elsewhere():
    never = threading.Event()
    never.wait(0.2)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    never.wait()
threading.Thread(target=elsewhere, daemon=True).start()
if not wait_for(stop, float(sys.argv[1])):
    sys.exit("nobody said so")
"""


def test_a_signal_is_heard_while_the_main_thread_begins_to_wait() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        stop = stop_on_signals()
        with stop._cond:  # type: ignore[attr-defined] # as inside of `wait`
            os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(10)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.mark.parametrize("seconds", ["inf", "60"])
def test_a_signal_that_does_not_wake_the_main_thread_ends_its_wait(seconds: str) -> None:
    """So does one that comes after Python looked for signals and before the wait began."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", WAITING, seconds],
        cwd=ROOT,
        timeout=SECONDS_MAX,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_wait_is_as_long_as_it_is_asked_to_be() -> None:
    event = Event()
    assert not wait_for(event, 0.01)
    assert not wait_for(event, -1.0)
    event.set()
    assert wait_for(event)
    assert wait_for(event, 0.0)
