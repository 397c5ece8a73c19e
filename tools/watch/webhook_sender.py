"""Send alarms to a webhook, at least once, according to Standard Webhooks 1.0.0.

Each destination has a thread that takes the oldest delivery, signs it and sends it until it is
accepted (a status of 200 to 299). The pause grows after each failure, up to a minute, and the order
is kept. The receiver recognises repeats by ``webhook-id`` and checks ``webhook-signature``:
HMAC-SHA256 of id, timestamp and body. Only the alarm is sent, and no redirect is followed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import httpx

from ledger.core.clock import SystemClock
from tools.web.webhooks import headers_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.clock import Clock
    from tools.watch.rules import Destination
    from tools.watch.spool import Delivery, Spool

__all__ = ["WebhookSender"]

FIRST_WAIT, LONGEST_WAIT = 0.25, 60.0
DOUBLED_MAX = 10
"""How often the wait doubles; a float has an end, and a webhook may be away for days."""
TIMEOUT = 10.0


class WebhookSender:
    """Deliver to one destination, in a separate thread."""

    def __init__(
        self,
        destination: Destination,
        spool: Spool,
        *,
        failed: Callable[[str, str], Any] = lambda *_: None,
        clock: Clock | None = None,
    ) -> None:
        """Read the secret; ``failed`` is called with destination and reason of each failure.

        Raises:
            InputError: the secret can't be read.

        """
        self._name, self._url = destination.name, destination.url
        self._secret, self._spool = destination.secret(), spool
        self._failed, self._clock = failed, clock or SystemClock()
        self._wake, self._is_over = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name=f"webhook {self._name}")

    def start(self) -> None:
        """Begin to deliver."""
        self._thread.start()

    def wake(self) -> None:
        """Notify the thread that there may be something to deliver."""
        self._wake.set()

    def stop(self) -> None:
        """Stop after the request in progress is answered; queued deliveries are kept."""
        self._is_over = True
        self._wake.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._is_over:
            self._wake.clear()
            wait = self._deliver()
            if not self._is_over:
                self._wake.wait(wait)

    def _deliver(self) -> float | None:
        """Send the queued deliveries; return the seconds until a retry, None if all were sent."""
        try:
            if self._spool.next_of(self._name) is None:
                return None
            with httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client:
                while not self._is_over and (one := self._spool.next_of(self._name)) is not None:
                    if (problem := self._send(client, one)) is None:
                        self._spool.delivered(one.number)
                        continue
                    self._spool.failed(one.number)
                    self._failed(self._name, f"{one.id} was not taken: {problem}")
                    return min(FIRST_WAIT * 2.0 ** min(one.attempts, DOUBLED_MAX), LONGEST_WAIT)
        except Exception as error:  # noqa: BLE001 - what waits is kept, and it is tried again
            self._failed(self._name, str(error) or repr(error))
            return LONGEST_WAIT
        return None

    def _send(self, client: httpx.Client, one: Delivery) -> str | None:
        headers = {
            **headers_of(one.id, one.body, secret=self._secret, at=self._clock.now()),
            "content-type": "application/json",
        }
        try:
            with client.stream("POST", self._url, content=one.body, headers=headers) as answer:
                status = answer.status_code  # the rest of the response is neither read nor awaited
        except (httpx.HTTPError, UnicodeError) as error:  # an invalid host name
            return f"{type(error).__name__}: {error}"
        return None if httpx.codes.is_success(status) else f"status {status}"
