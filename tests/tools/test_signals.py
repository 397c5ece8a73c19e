"""A signal may come while the main thread holds what its handler needs."""

from __future__ import annotations

import os
import signal

from tools.cli._stop import told_to_stop


def test_a_signal_is_heard_while_the_main_thread_begins_to_wait() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        stop = told_to_stop()
        with stop._cond:  # type: ignore[attr-defined] # as inside of `wait`
            os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(10)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
