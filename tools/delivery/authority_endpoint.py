"""The port for the authority: serves sealed packages and receives its notices.

Input: requests over TLS with one of the individually configured certificates. Output: the exact
file that the chain records as published, whose digest is compared before it is sent, and empty
responses. There is no list of files; whatever is not available is answered with 404, without a
distinction of reasons. Guaranteed: every client that received a whole file is recorded in the
chain, because the record is written before the last piece is sent; a notice is recorded before it
is answered, and repeating it changes nothing. If recording fails, the response is 503, so that the
authority retries.
"""

from __future__ import annotations

import re
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.routing import Route

from ledger.core.clock import DAY, SystemClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.decisions.delivery import RecordFetch, RecordNotice
from tools.web.protocol import CERTIFICATE
from tools.web.serving import read_body, starlette_app

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from ledger.core.clock import Clock
    from ledger.events.event_types import PackagePublished
    from tools.delivery.exchange import Exchange, Version
    from tools.delivery.recorder import Recorder
    from tools.delivery.settings import Delivery
    from tools.web.problems import ProblemError

__all__ = ["AuthorityEndpoint"]

PIECE_BYTES = 1 << 16
BODY_BYTES_MAX = 4096
PACKAGE = re.compile(r"(?<![\w-])\w{1,20}-[VM]-[\w-]{6,70}-[0-9]{2}(?![\w-])", re.ASCII)
VERDICTS = {"accepted": "OK", "refused": "ERR"}
RETRY_SECONDS = "30"


class _Address(NamedTuple):
    """The target of a request: a path prefix from the settings, and the rest of the path."""

    what: str
    models: frozenset[tuple[str, str, str]]
    rest: str


class AuthorityEndpoint:
    """The application behind the port for the authority."""

    def __init__(
        self,
        delivery: Delivery,
        folder: Path,
        exchange: Exchange,
        recorder: Recorder,
        *,
        sealed: str,
        admitted_fingerprints: frozenset[str],
        notify: Callable[..., None],
        noticed: Callable[[str], None],
        clock: Clock | None = None,
    ) -> None:
        """Prepare the application.

        Args:
            delivery: settings.
            folder: contains the sealed files.
            exchange: state of the packages in the chain.
            recorder: records facts in the chain.
            sealed: file name suffix of sealed files.
            admitted_fingerprints: SHA-256 of the admitted certificates, hexadecimal.
            notify: called with a state and its facts, for operators.
            noticed: called with the package of each notice.
            clock: of this machine.

        """
        self._delivery, self._folder = delivery, folder
        self._sealed = sealed
        self._exchange, self._recorder = exchange, recorder
        self._admitted_fingerprints, self._notify, self._noticed = (
            admitted_fingerprints,
            notify,
            noticed,
        )
        self._clock = clock or SystemClock()
        self._paths: dict[str, list[tuple[str, tuple[str, str, str]]]] = {}
        for one in delivery.addresses:
            for what, path in one.paths:
                self._paths.setdefault(path, []).append((what, (one.model, one.kind, one.casino)))

    @property
    def app(self) -> Starlette:
        """Return the ASGI application: one route for all paths; responses have no body text."""
        methods = ["GET", "HEAD", "POST"]
        return starlette_app([Route("/{path:path}", self._answer, methods=methods)], _empty)

    async def _answer(self, request: Request) -> Response:
        client = request.scope[CERTIFICATE]
        if client not in self._admitted_fingerprints:
            self._notify("turned_away", client=client)
            return _status(HTTPStatus.FORBIDDEN)
        address = self._address(request.url.path)
        if address is None:
            return _status(HTTPStatus.NOT_FOUND)
        is_package = address.what == "packages"
        if request.method not in ({"GET", "HEAD"} if is_package else {"GET", "POST"}):
            return _status(HTTPStatus.METHOD_NOT_ALLOWED)
        try:
            if is_package:
                return await run_in_threadpool(self._give, request, address)
            return await self._take(request, address)
        except LedgerError as error:
            self._notify("failed", why=str(error), path=request.url.path)
            return _status(HTTPStatus.SERVICE_UNAVAILABLE)

    def _address(self, path: str) -> _Address | None:
        """Find the longest configured address that is a prefix of a path."""
        parts = path.split("/")
        for length in range(len(parts), 0, -1):
            found = self._paths.get("/".join(parts[:length]))
            if found:
                models = frozenset(model for _, model in found)
                return _Address(found[0][0], models, "/".join(parts[length:]))
        return None

    def _give(self, request: Request, address: _Address) -> Response:
        client, path = request.scope[CERTIFICATE], request.url.path
        package = address.rest.removesuffix(self._sealed)
        published = None
        if package != address.rest and PACKAGE.fullmatch(package):
            published = self._published(package) if _is_of(package, address.models) else None
        if published is None:
            self._notify("not_found", path=path, client=client)
            return _status(HTTPStatus.NOT_FOUND)
        content = self._content(published)
        if request.method == "HEAD":
            return _Package(published, content)
        record = partial(self._record_fetch, package, published, client)
        if len(content) > PIECE_BYTES:
            return _Package(published, content, partial(self._is_done, record, path))
        record()
        return _Package(published, content)

    def _is_done(self, record: Callable[[], None], path: str) -> bool:
        """Record a fact and return True; report an error and return False, without a response."""
        try:
            record()
        except LedgerError as error:
            self._notify("failed", why=str(error), path=path)
            return False
        return True

    def _published(self, package: str) -> PackagePublished | None:
        found = self._exchange.version(package)
        if found is None or found.published is None:
            return None
        days = self._delivery.published_days
        if days and found.published_at + days * DAY < self._clock.now():
            return None
        return found.published

    def _content(self, published: PackagePublished) -> bytes:
        path = self._folder / published.file
        try:
            content = path.read_bytes()
        except OSError as error:
            raise AvailabilityError(f"{path} is published and can't be read: {error}") from error
        if sha256(content).hexdigest() != published.file_digest:
            text = f"{path} is not the file that was published: put that one back"
            raise IntegrityError(text)
        return content

    def _record_fetch(self, package: str, published: PackagePublished, client: str) -> None:
        command = RecordFetch(
            package=package, file_digest=published.file_digest, client=client, source="delivery"
        )
        if self._is_first(command, lambda found: client in found.clients):
            self._notify("fetched", package=package, client=client, size=published.size)
        else:
            self._notify("fetched_again", package=package, client=client)

    async def _take(self, request: Request, address: _Address) -> Response:
        """Receive a notice; its package is named in the path, the query or the body."""
        body = await read_body(request, bytes_max=BODY_BYTES_MAX)
        texts = [address.rest, body.decode("ascii", errors="replace")]
        texts += [value for _, value in request.query_params.multi_items()]
        named = {one for text in texts for one in PACKAGE.findall(text)}
        if len(named) != 1:
            self._notify("not_understood", path=request.url.path, packages=sorted(named))
            return _status(HTTPStatus.BAD_REQUEST)
        package, verdict = named.pop(), VERDICTS[address.what]
        if not _is_of(package, address.models):
            return _status(HTTPStatus.NOT_FOUND)
        client = request.scope[CERTIFICATE]
        return _status(await run_in_threadpool(self._record_notice, package, verdict, client))

    def _record_notice(self, package: str, verdict: str, client: str) -> HTTPStatus:
        found = self._exchange.version(package)
        if found is None:
            self._notify("not_published", package=package, verdict=verdict, client=client)
            return HTTPStatus.NOT_FOUND
        command = RecordNotice(
            package=package,
            verdict="OK" if verdict == "OK" else "ERR",
            client=client,
            source="delivery",
        )
        if self._is_first(command, lambda found: verdict in found.notices):
            self._notify("noticed", package=package, verdict=verdict, client=client)
        else:
            self._notify("noticed_again", package=package, verdict=verdict)
        self._noticed(package)
        return HTTPStatus.OK

    def _is_first(
        self, command: RecordFetch | RecordNotice, is_recorded: Callable[[Version], bool]
    ) -> bool:
        """Record a fact; return False if it is recorded, perhaps by another process meanwhile."""
        if self._has(command.package, is_recorded):
            return False
        try:
            self._recorder.record(command)
        except InputError:
            if self._has(command.package, is_recorded):
                return False
            raise
        return True

    def _has(self, package: str, is_recorded: Callable[[Version], bool]) -> bool:
        found = self._exchange.version(package)
        return found is not None and is_recorded(found)


def _is_of(package: str, models: frozenset[tuple[str, str, str]]) -> bool:
    """Return whether a package belongs to an address: by model, kind and casino."""
    model, *middle, kind_or_place, _version = package.split("-")[1:]
    if model == "M":
        return (model, middle[-1], kind_or_place) in models
    return (model, kind_or_place, "") in models


class _Package(Response):
    """The file of a package; with ``record``, the last piece is sent once the fetch is recorded."""

    def __init__(
        self,
        published: PackagePublished,
        content: bytes,
        record: Callable[[], bool] | None = None,
    ) -> None:
        headers = {"ETag": f'"{published.file_digest}"', "Cache-Control": "no-store"}
        super().__init__(content, media_type="application/pkcs7-mime", headers=headers)
        self._record = record

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD" or self._record is None:
            await super().__call__(scope, receive, send)
            return
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        last = len(self.body) - PIECE_BYTES
        for at in range(0, last, PIECE_BYTES):
            piece = self.body[at : min(at + PIECE_BYTES, last)]
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if not await run_in_threadpool(self._record):
            return  # the connection is closed without the last piece
        await send({"type": "http.response.body", "body": self.body[last:]})


def _status(status: HTTPStatus) -> Response:
    headers = {"Cache-Control": "no-store"}
    if status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = RETRY_SECONDS
    return Response(status_code=status, headers=headers)


def _empty(problem: ProblemError) -> Response:
    return _status(problem.status)
