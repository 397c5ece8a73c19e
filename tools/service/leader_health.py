"""Whether the leading writer can do its work: does it store, and is its log kept as it must be.

A leader that can't store (a full disk, brokers that are away, a clock that was refused) answers
every command with an error of availability. It reports that once, is not ready while that lasts,
and steps down after a bound if another process stands by; alone it goes on, because it recovers by
itself when there is room again. The settings of a topic are read again every minute, because
they may be changed under a running writer.
"""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError
from tools.service.repeated import repeated

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from ledger.log.standby import Standby
    from tools.service.metrics import Metrics
    from tools.service.stop import Stop

__all__ = ["LeaderHealth"]

CHECK_SECONDS = 60.0
"""Between two looks at the settings of the log."""
STEP_DOWN_SECONDS = 15.0
"""How long a leader may store nothing that is asked of it while another process stands by."""
AGAIN_SECONDS = 10.0
"""After so long without a failure it is ready again, also if it was asked nothing meanwhile."""


class LeaderHealth:
    """Judges a leader by its answers, and its log by its settings.

    Args:
        standby: knows the settings of the log, and whether another process stands by.
        stop: ends the leader when it steps down.
        notify: called with ``not_storing`` (and ``text``), ``storing``, ``log_unsafe`` (and
            ``text``, ``commands``) and ``log_safe``, each once when that begins.
        metrics: gets ``gameledger_storing_fails`` and ``gameledger_log_unsafe``.
        now: seconds that only increase.

    """

    def __init__(
        self,
        standby: Standby,
        stop: Stop,
        notify: Callable[..., None],
        metrics: Metrics,
        *,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Begin as a leader that stores and whose log is as it must be."""
        self._standby, self._stop = standby, stop
        self._notify, self._metrics, self._now = notify, metrics, now
        self._changing = Lock()
        self._failing_since: float | None = None
        self._failed_at = 0.0
        self._fault = ""

    @property
    def is_storing(self) -> bool:
        """Whether what was asked last could be stored."""
        return self._failing_since is None

    def answered(self, answer: dict[str, Any]) -> None:
        """Learn from an answer to a command whether this leader stores."""
        if answer.get("kind") != AvailabilityError.kind:
            if answer["status"] in {"recorded", "refused"}:
                self._stores()
            return
        with self._changing:
            self._failed_at = self._now()
            is_new = self._failing_since is None
            if is_new:
                self._failing_since = self._failed_at
        if is_new:
            self._metrics.storing_fails.set(1)
            self._notify("not_storing", text=answer["text"])

    def checked(self) -> AbstractContextManager[None]:
        """Check log and storing while a block runs."""
        return repeated(self.check, 1.0, "leader-health")

    def check(self, number: int) -> None:
        """Look after storing, each second, and after the log, each minute."""
        now = self._now()
        with self._changing:
            since, last = self._failing_since, self._failed_at
        if since is not None:
            if now - last > AGAIN_SECONDS:
                self._stores()
            elif now - since > STEP_DOWN_SECONDS and self._standby.has_others():
                self._stop(
                    AvailabilityError(
                        f"this writer stored nothing for {now - since:.0f} s and another one "
                        "stands by: this one has stopped; free its disk or set its clock, and "
                        "start it again"
                    )
                )
        if number % CHECK_SECONDS == 0:
            self._check_log()

    def _check_log(self) -> None:
        fault = self._standby.fault()
        text = "" if fault is None else str(fault)
        if text == self._fault:
            return
        self._fault = text
        self._metrics.log_unsafe.set(fault is not None)
        if fault is None:
            self._notify("log_safe")
        else:
            self._notify("log_unsafe", text=text, commands=fault.__notes__)

    def _stores(self) -> None:
        with self._changing:
            was_failing, self._failing_since = self._failing_since is not None, None
        if was_failing:
            self._metrics.storing_fails.set(0)
            self._notify("storing")
