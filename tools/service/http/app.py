"""What is asked of a writer over HTTP, and what it answers.

What comes in: ``POST /v1/commands`` with one command (JSON) or many (NDJSON), and what machines
ask that watch a service. What goes out: the answers of the socket; what is no decision is a problem
document. Promised: nothing is decided that is not answered or can't be sent again; bodies, requests
and what one client has on its way are bounded before memory grows. Refused: who is not on the list,
a body that is too large, too slow or of another type. See docs/adr/0027-commands-over-http.md.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from email.message import Message as Header
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID

from prometheus_client import CONTENT_TYPE_LATEST

from ledger.core.errors import KINDS, AuthorizationError, AvailabilityError, LedgerError
from ledger.rules.operator import encode_operator_rules
from tools.sanitize import json_line, warn
from tools.service.authentication import RejectedClientError
from tools.service.command_intake import CommandIntake
from tools.service.http.stream import Stream, decided
from tools.service.lines import LINE_BYTES_MAX
from tools.service.metrics import Metrics
from tools.web.framing import READS_ON
from tools.web.problems import REPEAT_SECONDS, ProblemError, problem_of, response_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.types import Receive, Scope, Send

    from tools.service.authentication import Client, ClientAuthenticator
    from tools.service.command_intake import Service
    from tools.service.limits import Limits

__all__ = ["ADMITTED", "ENDING", "JSON", "NDJSON", "App"]

JSON, NDJSON, TEXT = "application/json", "application/x-ndjson", "text/plain; charset=utf-8"
ADMITTED = "gameledger.client"
"""Where a request's scope says whose certificate the connection showed."""
ENDING = "gameledger.ending"
"""Where it has the event that tells the end of the service."""
STANDBY_SECONDS = 1
"""After how long a standby may be asked again: it may lead then."""
DECIDING = {b"authorization", b"content-encoding", b"content-type", b"idempotency-key"}
"""Headers by which a command is decided once, or not, or for somebody."""
STATUS = {"recorded": HTTPStatus.CREATED, "refused": HTTPStatus.OK}


class App:
    """Answers requests; ``service`` is there while the writer leads."""

    def __init__(
        self, door: ClientAuthenticator, limits: Limits, describe: Callable[[str], str]
    ) -> None:
        """Begin as a standby.

        Args:
            door: whose list says who comes in.
            limits: how much is taken at once, and how long a client may take.
            describe: gives the description of the API, with the figures of a chain's rules.

        """
        self.service: Service | None = None
        self.metrics = Metrics()
        self._door, self._limits, self._describe = door, limits, describe
        self._requests: Counter[str] = Counter()
        self._body_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        hearing = _BodyReader(receive)
        sending = _patient(send, self._limits.send_seconds, scope)
        try:
            try:
                await self._route(scope, hearing, sending)
            except ProblemError as problem:
                await response_of(problem)(scope, hearing, sending)
        except (_GoneError, TimeoutError):  # nobody is there who could be told
            pass
        except Exception as error:  # noqa: BLE001 - a bug of ours: the others are served on
            warn(f"a request failed: {error!r}")
            scope["close"]()

    async def _route(self, scope: Scope, hearing: _BodyReader, send: Send) -> None:
        path, method = scope["path"], scope["method"]
        if path == "/v1/commands":
            _require_method(method, "POST")
            await self._command(scope, hearing, send)
            return
        looks: dict[str, Callable[[], tuple[str, str]]] = {
            "/health": lambda: (TEXT, "alive\n"),
            "/ready": self._ready,
            "/metrics": lambda: (CONTENT_TYPE_LATEST, self._metrics(scope)),
            "/openapi.json": lambda: (JSON, self._describe(self._rules())),
        }
        if path not in looks:
            text = f"there is nothing here; /openapi.json tells what is, {path[:80]!r} is not"
            raise ProblemError(HTTPStatus.NOT_FOUND, "address", text)
        _require_method(method, "GET", "HEAD")
        kind, text = looks[path]()
        await _respond(send, HTTPStatus.OK, kind, text.encode())

    def _rules(self) -> str:
        """Return the rules of the chain as JSON; empty while another writer leads."""
        service = self.service
        return "" if service is None else encode_operator_rules(service.ledger.rules)

    def _ready(self) -> tuple[str, str]:
        self._leading()
        return TEXT, "ready\n"

    def _metrics(self, scope: Scope) -> str:
        """Write the figures for whoever is on the list, with or without a role."""
        self._client(scope, dict(scope["headers"]))
        try:
            return self.metrics.text()
        except LedgerError as error:
            raise problem_of(error) from error

    def _leading(self) -> Service:
        service = self.service
        if service is None or service.stop.is_set:
            text = "this writer does not lead now: send it again, to another address or here"
            headers = {"Retry-After": str(STANDBY_SECONDS)}
            status = HTTPStatus.SERVICE_UNAVAILABLE
            raise ProblemError(status, AvailabilityError.kind, text, headers=headers)
        return service

    async def _command(self, scope: Scope, hearing: _BodyReader, send: Send) -> None:
        headers = _once(scope["headers"])
        service = self._leading()
        client = self._client(scope, headers)
        kind = _media_type(headers)
        command_id = _command_id(headers)
        with self._counted(client), service.tracing.request(headers) as within:
            way = CommandIntake(service, client, within)
            if kind == JSON:
                await self._one(way, command_id, hearing, send)
                return
            if command_id is not None:
                text = "many commands have no one Idempotency-Key: give each line its command_id"
                raise ProblemError(HTTPStatus.BAD_REQUEST, "input", text)
            scope[READS_ON] = True
            await _start(send, HTTPStatus.OK, NDJSON)
            await Stream(way, service, hearing.receive, send, scope[ENDING]).run()
            if not hearing.is_over:
                scope["close"]()

    def _client(self, scope: Scope, headers: dict[bytes, bytes]) -> Client:
        """Find out who asks: the certificate of the connection says it, or a token."""
        admitted: Client | RejectedClientError | None = scope.get(ADMITTED)
        try:
            if isinstance(admitted, RejectedClientError):
                raise admitted
            if admitted is not None:
                return admitted
            scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
            return self._door.admit_token(token.strip() if scheme.lower() == "bearer" else "")
        except RejectedClientError as error:
            if self.service is not None:
                self.service.turned_away("", error.why)
            if admitted is not None:
                raise problem_of(AuthorizationError(str(error))) from error
            text = f"{error}, or give it as `Authorization: Bearer …`"
            asks = {"WWW-Authenticate": "Bearer"}
            raise ProblemError(
                HTTPStatus.UNAUTHORIZED, "authorization", text, headers=asks
            ) from error

    @contextlib.contextmanager
    def _counted(self, client: Client) -> Any:
        """Bound what is at work at once, of one client and of all."""
        limits, requests = self._limits, self._requests
        if requests.total() >= limits.requests:
            text = f"{limits.requests} requests are at work already"
            raise _later(HTTPStatus.SERVICE_UNAVAILABLE, text)
        if requests[client.name] >= limits.client_requests:
            text = f"{client.name or 'a client'} has {limits.client_requests} requests at work"
            raise _later(HTTPStatus.TOO_MANY_REQUESTS, text)
        requests[client.name] += 1
        try:
            yield
        finally:
            requests[client.name] -= 1

    async def _one(
        self, way: CommandIntake, command_id: UUID | None, hearing: _BodyReader, send: Send
    ) -> None:
        line = way.begin(0, await self._body(hearing), command_id)
        await decided(line)
        answer = way.answer(line)
        del answer["line"]
        if answer["status"] == "error":
            raise problem_of(KINDS[answer["kind"]](answer["text"]))
        await _respond(send, STATUS[answer["status"]], JSON, f"{json_line(answer)}\n".encode())

    async def _body(self, hearing: _BodyReader) -> bytes:
        """Read a body whole, in time, and within bounds of its own and of all together."""
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.line_seconds):
                while True:
                    message = await hearing.receive()
                    part = message.get("body", b"")
                    body += part
                    self._body_bytes += len(part)
                    if len(body) > LINE_BYTES_MAX:
                        text = f"a command has {LINE_BYTES_MAX} bytes at most"
                        raise ProblemError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", text)
                    if self._body_bytes > self._limits.body_bytes:
                        raise _later(HTTPStatus.SERVICE_UNAVAILABLE, "too much is being read")
                    if not message.get("more_body"):
                        return bytes(body)
        except TimeoutError as error:
            text = f"the body did not come within {self._limits.line_seconds:g} s"
            raise ProblemError(HTTPStatus.REQUEST_TIMEOUT, "slow", text) from error
        finally:
            self._body_bytes -= len(body)


class _GoneError(Exception):
    """The other end hung up before it had said all."""


class _BodyReader:
    """The body of a request as it comes; knows whether all of it was heard."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.is_over = False

    async def __call__(self) -> Any:
        return await self.receive()

    async def receive(self) -> Any:
        """Wait for the next part.

        Raises:
            _GoneError: there will be none.

        """
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        self.is_over = not message.get("more_body")
        return message


def _patient(send: Send, seconds: float, scope: Scope) -> Send:
    """Send for so long, then cut the connection off: what was decided is answered again."""

    async def sending(message: Any) -> None:
        try:
            async with asyncio.timeout(seconds):
                await send(message)
        except TimeoutError:
            scope["abort"]()
            raise

    return sending


def _require_method(method: str, *allowed: str) -> None:
    if method not in allowed:
        text = f"ask with {' or '.join(allowed)}"
        allow = {"Allow": ", ".join(allowed)}
        raise ProblemError(HTTPStatus.METHOD_NOT_ALLOWED, "method", text, headers=allow)


def _once(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return headers by name; what decides is said once, for others may read the other one."""
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in found and name in DECIDING:
            text = f"{name.decode().title()} is given twice: give it once"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "http", text)
        found[name] = value
    return found


def _media_type(headers: dict[bytes, bytes]) -> str:
    header = Header()
    header["Content-Type"] = headers.get(b"content-type", b"").decode("latin-1")
    kind = header.get_content_type() if header["Content-Type"] else ""
    charset = str(header.get_param("charset", "utf-8")).lower()
    coding = headers.get(b"content-encoding", b"identity")
    if kind not in {JSON, NDJSON} or charset != "utf-8" or coding != b"identity":
        text = (
            f"send one command as `Content-Type: {JSON}` or many as {NDJSON}, in UTF-8 and "
            "without Content-Encoding"
        )
        raise ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media-type", text)
    return kind


def _command_id(headers: dict[bytes, bytes]) -> UUID | None:
    """Read ``Idempotency-Key``, with the quotes of the draft standard or without."""
    text = headers.get(b"idempotency-key")
    if text is None:
        return None
    try:
        return UUID(text.decode("ascii").strip().strip('"'))
    except ValueError as error:
        why = "Idempotency-Key is the command_id of the command, a UUID"
        raise ProblemError(HTTPStatus.BAD_REQUEST, "input", why) from error


def _later(status: HTTPStatus, fact: str) -> ProblemError:
    headers = {"Retry-After": str(REPEAT_SECONDS)}
    return ProblemError(status, "availability", f"{fact}: send it again later", headers=headers)


async def _start(send: Send, status: HTTPStatus, kind: str, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store"), *more]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})


async def _respond(send: Send, status: HTTPStatus, kind: str, body: bytes) -> None:
    await _start(send, status, kind, (b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.body", "body": body})
