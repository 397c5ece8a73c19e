"""Commands over HTTP.

Requests: ``POST /v1/commands`` with one command (JSON) or many (NDJSON), and health, metrics and
description for monitoring. Answers: the same as on the socket; an error is a problem document
(RFC 9457). Guaranteed: every decided command is answered or can be sent again; bodies, requests and
the lines in flight of each client are bounded. Rejected: clients that are not listed, and bodies
that are too large, too slow or of another media type. See docs/adr/0027-commands-over-http.md.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from email.message import Message as Header
from http import HTTPStatus
from typing import TYPE_CHECKING
from uuid import UUID

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from ledger.core.errors import KINDS, AuthorizationError, AvailabilityError
from ledger.rules.operator import encode_operator_rules
from tools.sanitize import json_line
from tools.service.authentication import RejectedClientError
from tools.service.command_intake import CommandIntake
from tools.service.http.stream import Stream, decided
from tools.service.lines import LINE_BYTES_MAX
from tools.service.metrics import Metrics
from tools.web.framing import READS_ON
from tools.web.problems import REPEAT_SECONDS, ProblemError, problem_of
from tools.web.serving import read_body, starlette_app

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from tools.service.authentication import Client, ClientAuthenticator
    from tools.service.command_intake import Service
    from tools.service.limits import Limits

__all__ = ["ADMITTED", "ENDING", "JSON", "NDJSON", "App"]

JSON, NDJSON = "application/json", "application/x-ndjson"
NOT_STORED = {"Cache-Control": "no-store"}
ADMITTED = "gameledger.client"
"""Where a request's scope says whose certificate the connection showed."""
ENDING = "gameledger.ending"
"""Where it has the event that tells the end of the service."""
STANDBY_SECONDS = 1
"""After how long a standby may be asked again: it may lead then."""
DECIDING = ("authorization", "content-encoding", "content-type", "idempotency-key")
"""Headers by which a command is decided once, or not, or for a client."""
STATUS = {"recorded": HTTPStatus.CREATED, "refused": HTTPStatus.OK}


class App:
    """Answer requests over HTTP; ``service`` is None unless the writer leads."""

    def __init__(
        self,
        authenticator: ClientAuthenticator,
        limits: Limits,
        describe: Callable[[str], str],
    ) -> None:
        """Begin as a standby.

        Args:
            authenticator: admits the listed clients.
            limits: of requests, bodies and the time that a client may take.
            describe: returns the API description, with the numbers of a chain's rules.

        """
        self.service: Service | None = None
        self.metrics = Metrics()
        self._authenticator, self._limits, self._describe = authenticator, limits, describe
        self._requests: Counter[str] = Counter()
        self._body_bytes = 0
        self.asgi = starlette_app(
            [
                Route("/v1/commands", self._commands, methods=["POST"]),
                Route("/health", self._health),
                Route("/ready", self._ready),
                Route("/metrics", self._metrics),
                Route("/openapi.json", self._description),
            ]
        )

    async def _health(self, _: Request) -> Response:
        return PlainTextResponse("alive\n", headers=NOT_STORED)

    async def _ready(self, _: Request) -> Response:
        if not self._leading().health.is_storing:
            raise _later(HTTPStatus.SERVICE_UNAVAILABLE, "the leader can't store at present")
        return PlainTextResponse("ready\n", headers=NOT_STORED)

    async def _metrics(self, request: Request) -> Response:
        """Return the metrics to any listed client, with or without a role."""
        self._client(request)
        text = self.metrics.text()
        return Response(text, media_type=CONTENT_TYPE_LATEST, headers=NOT_STORED)

    async def _description(self, _: Request) -> Response:
        """Describe the API, with the rules of the chain while this writer leads."""
        service = self.service
        rules = "" if service is None else encode_operator_rules(service.ledger.rules)
        return Response(self._describe(rules), media_type=JSON, headers=NOT_STORED)

    def _leading(self) -> Service:
        service = self.service
        if service is None or service.stop.is_set:
            text = "this writer does not lead now: send it again, to another address or here"
            headers = {"Retry-After": str(STANDBY_SECONDS)}
            status = HTTPStatus.SERVICE_UNAVAILABLE
            raise ProblemError(status, AvailabilityError.kind, text, headers=headers)
        return service

    async def _commands(self, request: Request) -> Response:
        _require_once(request)
        service = self._leading()
        client = self._client(request)
        kind = _media_type(request)
        command_id = _command_id(request)
        if kind == NDJSON and command_id is not None:
            text = "many commands have no one Idempotency-Key: give each line its command_id"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "input", text)
        counted, headers = self._counted(client), dict(request.scope["headers"])
        if kind == NDJSON:
            return _StreamedAnswers(service, client, headers, counted)
        with counted, service.tracing.request(headers) as within:
            return await self._command(CommandIntake(service, client, within), command_id, request)

    def _client(self, request: Request) -> Client:
        """Authenticate the client by the certificate of its connection, or else by its token."""
        admitted: Client | RejectedClientError | None = request.scope.get(ADMITTED)
        try:
            if isinstance(admitted, RejectedClientError):
                raise admitted
            if admitted is not None:
                return admitted
            scheme, _, token = request.headers.get("Authorization", "").partition(" ")
            is_bearer = scheme.lower() == "bearer"
            return self._authenticator.admit_token(token.strip() if is_bearer else "")
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
    def _counted(self, client: Client) -> Iterator[None]:
        """Limit the requests in progress, in total and of one client."""
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

    async def _command(
        self, intake: CommandIntake, command_id: UUID | None, request: Request
    ) -> Response:
        line = intake.begin(0, await self._body(request), command_id)
        await decided(line)
        answer = intake.answer(line)
        del answer["line"]
        if answer["status"] == "error":
            raise problem_of(KINDS[answer["kind"]](answer["text"]))
        text, status = f"{json_line(answer)}\n", STATUS[answer["status"]]
        return Response(text, status, NOT_STORED, JSON)

    async def _body(self, request: Request) -> bytes:
        """Read the body within the limit of one body and the limit of all bodies together."""
        size = 0

        def count(part: int) -> None:
            nonlocal size
            size += part
            self._body_bytes += part
            if self._body_bytes > self._limits.body_bytes:
                raise _later(HTTPStatus.SERVICE_UNAVAILABLE, "too much is being read")

        try:
            seconds = self._limits.line_seconds
            return await read_body(request, bytes_max=LINE_BYTES_MAX, seconds=seconds, count=count)
        finally:
            self._body_bytes -= size


class _StreamedAnswers(Response):
    """The streamed answers to many commands, which begin while the body is still received."""

    media_type = NDJSON

    def __init__(
        self,
        service: Service,
        client: Client,
        request_headers: dict[bytes, bytes],
        counted: contextlib.AbstractContextManager[None],
    ) -> None:
        super().__init__(headers=NOT_STORED)
        del self.headers["Content-Length"]
        self._service, self._client = service, client
        self._request_headers, self._counted = request_headers, counted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[READS_ON] = True
        tracing = self._service.tracing.request(self._request_headers)
        with self._counted, tracing as within:
            start = {"type": "http.response.start", "status": self.status_code}
            await send({**start, "headers": self.raw_headers})
            intake = CommandIntake(self._service, self._client, within)
            stream = Stream(intake, self._service, receive, send, scope[ENDING])
            with contextlib.suppress(ClientDisconnect):  # what the client has sent is decided
                await stream.run()
        if not stream.is_read_to_the_end:
            scope["close"]()


def _require_once(request: Request) -> None:
    """Refuse a repeated header that affects the decision: proxies may read another value."""
    for name in DECIDING:
        if len(request.headers.getlist(name)) > 1:
            text = f"{name.title()} is given twice: give it once"
            raise ProblemError(HTTPStatus.BAD_REQUEST, "http", text)


def _media_type(request: Request) -> str:
    header = Header()
    header["Content-Type"] = request.headers.get("Content-Type", "")
    kind = header.get_content_type() if header["Content-Type"] else ""
    charset = str(header.get_param("charset", "utf-8")).lower()
    coding = request.headers.get("Content-Encoding", "identity")
    if kind not in {JSON, NDJSON} or charset != "utf-8" or coding != "identity":
        text = (
            f"send one command as `Content-Type: {JSON}` or many as {NDJSON}, in UTF-8 and "
            "without Content-Encoding"
        )
        raise ProblemError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "media-type", text)
    return kind


def _command_id(request: Request) -> UUID | None:
    """Read ``Idempotency-Key``, with or without the quotes of the draft standard."""
    text = request.headers.get("Idempotency-Key")
    if text is None:
        return None
    try:
        return UUID(text.strip().strip('"'))
    except ValueError as error:
        why = "Idempotency-Key is the command_id of the command, a UUID"
        raise ProblemError(HTTPStatus.BAD_REQUEST, "input", why) from error


def _later(status: HTTPStatus, fact: str) -> ProblemError:
    headers = {"Retry-After": str(REPEAT_SECONDS)}
    return ProblemError(status, "availability", f"{fact}: send it again later", headers=headers)
