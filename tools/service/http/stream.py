"""Many commands in one request: read lines and write their answers in order, both at once.

Input: the body of a request as it arrives. Output: a line with the answer to each line, as soon as
it is decided. Guaranteed: no more lines or bytes of a client are in flight than
``tools.service.limits.Limits`` allows, otherwise reading waits; every line that was read is
decided and, while the client reads answers, answered, also when the service ends. Rejected: lines
that do not end in time, idle clients, clients that do not read answers.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect

from ledger.core.errors import AvailabilityError
from tools.sanitize import json_line
from tools.service.lines import Numbering, error_answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from starlette.types import Receive, Send

    from tools.service.command_intake import CommandIntake, Service
    from tools.service.lines import Line

__all__ = ["Stream", "decided"]

ANSWERS_AT_ONCE = 64


async def decided(line: Line) -> None:
    """Wait until a line has its answer.

    The wait never cancels the ledger's future, even if the waiting task is cancelled.
    """
    if isinstance(line.answer, dict) or line.answer.done():
        return
    loop = asyncio.get_running_loop()
    is_there = asyncio.Event()

    def notify(_: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop ended: no request waits
            loop.call_soon_threadsafe(is_there.set)

    line.answer.add_done_callback(notify)
    await is_there.wait()


class Stream:
    """A request with many commands."""

    def __init__(
        self,
        intake: CommandIntake,
        service: Service,
        receive: Receive,
        send: Send,
        ending: asyncio.Event,
    ) -> None:
        """Process a request whose response has begun.

        Args:
            intake: of the client's commands.
            service: the leading writer.
            receive: returns the parts of the body.
            send: sends the parts of the response.
            ending: set when no further line may be read.

        """
        self._intake, self._service = intake, service
        self._receive, self._send, self._ending = receive, send, ending
        self._waiting: deque[tuple[Line, int]] = deque()
        self._lines = self._bytes = 0
        self._changed = asyncio.Event()
        self._is_read = False
        self.is_read_to_the_end = False

    async def run(self) -> None:
        """Read, decide and answer lines until the body ends or the client disconnects."""
        last_words = b""
        answering = asyncio.create_task(self._answer())
        try:
            await self._read()
        except TimeoutError:
            error = AvailabilityError(
                "the place is given up: a line did not end in time, or none came; send the rest "
                "in a new request"
            )
            last_words = _line({"line": 0, **error_answer(error)})
        finally:
            self._is_read = True
            self._changed.set()
            await answering
        await self._send({"type": "http.response.body", "body": last_words})

    async def _read(self) -> None:
        numbering = Numbering()
        begun_at: float | None = None
        ended = asyncio.ensure_future(self._ending.wait())
        try:
            while not self._service.stop.is_set:
                message = await self._next_part(ended, self._seconds_left(begun_at))
                if message is None:
                    return
                is_last = not message.get("more_body")
                self.is_read_to_the_end = is_last
                begins = not numbering.is_inside
                for found in numbering.feed(message.get("body", b"")):
                    await self._take(*found)
                    begins = True
                for found in numbering.end() if is_last else ():
                    await self._take(*found)
                if is_last:
                    return
                if not numbering.is_inside:
                    begun_at = None
                elif begins:
                    begun_at = asyncio.get_running_loop().time()
        finally:
            ended.cancel()

    async def _next_part(self, ended: asyncio.Future[Any], seconds: float) -> Any:
        """Wait for the next part of the body; return None when the service ends.

        Raises:
            TimeoutError: no part came in time.
            ClientDisconnect: the client disconnected.

        """
        receiving = asyncio.ensure_future(self._receive())
        await asyncio.wait({receiving, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if receiving.done():
            message = receiving.result()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            return message
        receiving.cancel()
        if ended.done():
            return None
        raise TimeoutError

    def _seconds_left(self, begun_at: float | None) -> float:
        limits = self._service.limits
        if begun_at is None:
            return limits.idle_seconds
        return max(begun_at + limits.line_seconds - asyncio.get_running_loop().time(), 0)

    async def _take(self, number: int, text: bytes | None) -> None:
        """Submit a line, once the limit of lines in flight has room for it."""
        limits, size = self._service.limits, len(text or b"")
        await self._until(
            lambda: (
                not self._lines
                or (self._lines < limits.lines and self._bytes + size <= limits.line_bytes)
            )
        )
        if self._service.stop.is_set:
            return  # not submitted, so not answered: it is sent again elsewhere
        self._lines += 1
        self._bytes += size
        self._waiting.append((self._intake.begin(number, text), size))
        self._changed.set()

    async def _answer(self) -> None:
        is_there = True
        while True:
            await self._until(lambda: self._waiting or self._is_read)
            if not self._waiting:
                return
            found = await self._decided_lines()
            try:
                if is_there:
                    await self._send(
                        {
                            "type": "http.response.body",
                            "body": b"".join(_line(self._intake.answer(line)) for line, _ in found),
                            "more_body": True,
                        }
                    )
            except Exception:  # noqa: BLE001 - it does not read, or is gone: what was begun is decided
                is_there = False
            self._lines -= len(found)
            self._bytes -= sum(size for _, size in found)
            self._changed.set()

    async def _decided_lines(self) -> list[tuple[Line, int]]:
        """Return the next decided line and all decided lines that directly follow it."""
        await decided(self._waiting[0][0])
        found = [self._waiting.popleft()]
        while self._waiting and len(found) < ANSWERS_AT_ONCE:
            answer = self._waiting[0][0].answer
            if not isinstance(answer, dict) and not answer.done():
                break
            found.append(self._waiting.popleft())
        return found

    async def _until(self, is_so: Callable[[], Any]) -> None:
        while not is_so():
            self._changed.clear()
            await self._changed.wait()


def _line(answer: dict[str, Any]) -> bytes:
    return f"{json_line(answer)}\n".encode()
