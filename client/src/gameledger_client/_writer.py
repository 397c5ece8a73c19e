"""Commands to writers over HTTP: each is decided once, whoever leads.

The protocol is a generator that yields requests and pauses and receives responses, so the sync and
the async client share every decision.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import httpx
import msgspec

from gameledger_client._errors import (
    DamagedError,
    RequestError,
    UnavailableError,
    error_of,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence

__all__ = ["AsyncWriter", "Receipt", "Refusal", "Writer"]

PAUSE_SECONDS = 0.25
CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
"""How long one of several writers may take: one that was stopped accepts a command and never
answers, and another one may lead by then. What it decides after all is decided once."""


class Refusal(msgspec.Struct, frozen=True):
    """Why the rules did not allow a command; the refusal is recorded.

    ``sentence`` is English; ``parameters`` are the JSON of its values, for other languages.
    """

    code: str
    sentence: str
    paragraph: str
    parameters: str = "{}"


class Receipt(msgspec.Struct, frozen=True):
    """Where a decision is in the chain.

    ``recorded_at`` is in microseconds since the epoch in UTC, ``hash`` that of the last message.
    """

    chain: str
    command_id: str
    first_position: int
    last_position: int
    hash: str
    recorded_at: int
    events: list[str]
    refused: Refusal | None = None


class _Send(NamedTuple):
    url: str
    body: bytes
    command_id: str
    seconds: float


class _Pause(NamedTuple):
    seconds: float


def _execution(
    urls: Sequence[str], command: Mapping[str, Any], command_id: str, seconds: float
) -> Generator[_Send | _Pause, httpx.Response | None, Receipt]:
    """Send a command until it is answered, to one writer after another.

    Receives a response after each request, ``None`` if there was none.
    """
    try:
        body = msgspec.json.encode(dict(command))
    except (TypeError, ValueError) as error:
        raise RequestError(f"the command is not JSON: {error}") from error
    deadline, last = time.monotonic() + seconds, UnavailableError("no writer answered")
    while True:
        wait = PAUSE_SECONDS
        for url in urls:
            left = deadline - time.monotonic()
            if left <= 0:
                raise UnavailableError(f"no answer within {seconds:g} s; last: {last}") from last
            most = ANSWER_SECONDS if len(urls) > 1 else left
            response = yield _Send(url, body, command_id, min(left, most))
            if response is None:
                last = UnavailableError(f"{url} did not answer")
                continue
            if response.is_success:
                return _receipt(response, command_id)
            failed = error_of(response)
            if not isinstance(failed, UnavailableError):
                raise failed
            last, wait = failed, max(wait, failed.retry_seconds)
        yield _Pause(min(wait, max(deadline - time.monotonic(), 0)))


def _receipt(response: httpx.Response, command_id: str) -> Receipt:
    try:
        receipt = msgspec.json.decode(response.content, type=Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedError(f"{response.request.url} gave no receipt: {error}") from error
    if receipt.command_id != command_id:
        raise DamagedError(f"{response.request.url} gave the receipt of another command")
    return receipt


def _headers(token: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json"}
    return headers | ({"Authorization": f"Bearer {token}"} if token else {})


def _request(step: _Send) -> dict[str, Any]:
    return {
        "url": f"{step.url.rstrip('/')}/v1/commands",
        "content": step.body,
        "headers": {"Idempotency-Key": step.command_id},
        "timeout": httpx.Timeout(step.seconds, connect=min(CONNECT_SECONDS, step.seconds)),
    }


class Writer:
    """Writers of one chain, of which one leads. Use as a context manager.

    Args:
        urls: such as ``https://writer-1:7412``.
        token: of a client in the writer's list; none with a client certificate.
        seconds: how long a command is sent again before :class:`UnavailableError`.
        options: of ``httpx.Client``, such as ``verify`` and ``cert``.

    """

    def __init__(
        self,
        urls: Sequence[str],
        *,
        token: str | None = None,
        seconds: float = 60.0,
        **options: Any,
    ) -> None:
        """Connect to nothing yet."""
        self._urls, self._seconds = tuple(urls), seconds
        self._client = httpx.Client(headers=_headers(token), trust_env=False, **options)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self._client.close()

    def execute(self, command: Mapping[str, Any], *, command_id: str | None = None) -> Receipt:
        """Have a command decided; ``command_id`` (UUID) makes a repeat of it safe.

        Raises:
            RequestError: the command is wrong as it is.
            AccessError: this client may not send it.
            UnavailableError: no answer in time; repeat with the same ``command_id``.
            DamagedError: the log or the answer is damaged.

        """
        key = command_id or str(uuid.uuid4())
        steps = _execution(self._urls, command, key, self._seconds)
        response: httpx.Response | None = None
        try:
            step = next(steps)
            while True:
                response = self._do(step)
                step = steps.send(response)
        except StopIteration as end:
            receipt: Receipt = end.value
            return receipt

    def _do(self, step: _Send | _Pause) -> httpx.Response | None:
        if isinstance(step, _Pause):
            time.sleep(step.seconds)
            return None
        try:
            return self._client.post(**_request(step))
        except httpx.TransportError:
            return None


class AsyncWriter:
    """As :class:`Writer`, to be awaited."""

    def __init__(
        self,
        urls: Sequence[str],
        *,
        token: str | None = None,
        seconds: float = 60.0,
        **options: Any,
    ) -> None:
        """Connect to nothing yet."""
        self._urls, self._seconds = tuple(urls), seconds
        self._client = httpx.AsyncClient(headers=_headers(token), trust_env=False, **options)

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def execute(
        self, command: Mapping[str, Any], *, command_id: str | None = None
    ) -> Receipt:
        """Have a command decided, as :meth:`Writer.execute` does."""
        key = command_id or str(uuid.uuid4())
        steps = _execution(self._urls, command, key, self._seconds)
        try:
            step = next(steps)
            while True:
                response = await self._do(step)
                step = steps.send(response)
        except StopIteration as end:
            receipt: Receipt = end.value
            return receipt

    async def _do(self, step: _Send | _Pause) -> httpx.Response | None:
        if isinstance(step, _Pause):
            await asyncio.sleep(step.seconds)
            return None
        try:
            return await self._client.post(**_request(step))
        except httpx.TransportError:
            return None
