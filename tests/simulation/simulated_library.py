"""The client library as a client: its repeats, on virtual time, over connections that break."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
from gameledger_client import AsyncWriter, DamagedError, RequestError, UnavailableError

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.decisions.decider import encode_command
from ledger.receipts import Receipt
from tests.simulation.simulated_ports import answer_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.events.command import Command
    from tests.simulation.simulated_host import Host
    from tests.simulation.simulated_plan import Chosen

SECONDS = 30.0
LOOK_SECONDS = 0.5
"""So soon a client learns that the process of a writer ended."""
LATE_SECONDS_MAX = 20.0


class VirtualTime:
    """Stands for the module `time` in the library."""

    @staticmethod
    def monotonic() -> float:
        """Return virtual seconds."""
        return asyncio.get_running_loop().time()


class Connections(httpx.AsyncBaseTransport):
    """Carries requests to hosts, by their names; requests and answers may be lost, late or doubled.

    ``judge`` gets a host, the size of the truth when a request came, and what was answered.
    """

    def __init__(
        self,
        happens: Chosen,
        hosts: list[Host],
        size_of_truth: Callable[[], int],
        judge: Callable[[Host, int, Any], None],
    ) -> None:
        self._happens, self._hosts = happens, {host.name: host for host in hosts}
        self._size_of_truth, self._judge = size_of_truth, judge

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request; wait as long as its client does."""
        seconds: float = request.extensions["timeout"]["read"]
        host = self._hosts[request.url.host]
        if self._happens("command is lost"):
            await asyncio.sleep(seconds)
            raise httpx.ReadTimeout("lost")
        body, headers = await request.aread(), request.headers.raw
        if self._happens("command is doubled"):
            self._deliver(host, headers, body)
        if self._happens("command is late"):
            late = LATE_SECONDS_MAX * (len(body) % 7) / 7
            asyncio.get_running_loop().call_later(late, self._deliver, host, headers, body)
            await asyncio.sleep(seconds)
            raise httpx.ReadTimeout("late")
        answer = self._deliver(host, headers, body)
        process, deadline = host.process, VirtualTime.monotonic() + seconds
        while not answer.done():
            await asyncio.wait({answer}, timeout=LOOK_SECONDS)
            if not answer.done() and (host.process is not process or not host.is_up):
                raise httpx.ReadError("the connection was reset")
            if not answer.done() and VirtualTime.monotonic() > deadline:
                raise httpx.ReadTimeout("no answer")
        if self._happens("receipt is lost"):
            raise httpx.ReadError("the connection was reset")
        status, content = answer.result()
        return httpx.Response(status, content=content, request=request)

    def _deliver(self, host: Host, headers: Any, body: bytes) -> asyncio.Future[tuple[int, bytes]]:
        """Bring a request to a host.

        Raises:
            httpx.ConnectError: nobody listens.

        """
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        if not host.is_up or host.doors is None:
            _fail(answer, httpx.ConnectError("nobody listens"))
            return answer
        size = self._size_of_truth()

        def done(status: int, content: bytes) -> None:
            if content:
                self._judge(host, size, answer_of(status, content))
            if not content and not answer.done():  # the connection was cut
                _fail(answer, httpx.ReadError("the connection was reset"))
            elif not answer.done():
                answer.set_result((status, content))

        host.doors.exchange([(name.lower(), value) for name, value in headers], body, done)
        return answer


def _fail(answer: asyncio.Future[Any], error: Exception) -> None:
    answer.set_exception(error)
    answer.exception()  # nobody waits for the answer to a late request


async def execute(command: Command, writers: list[str], connections: Connections) -> Any:
    """Have the library get a command decided; return the receipt or an error of the ledger."""
    text = encode_command(msgspec.structs.replace(command, command_id=None))
    urls = [f"http://{name}" for name in writers]
    async with AsyncWriter(urls, seconds=SECONDS, transport=connections) as writer:
        try:
            receipt = await writer.execute(json.loads(text), command_id=str(command.command_id))
        except RequestError as error:
            return InputError(str(error))
        except UnavailableError as error:
            return AvailabilityError(str(error))
        except DamagedError as error:
            return IntegrityError(str(error))
    return msgspec.convert(msgspec.to_builtins(receipt), Receipt)
