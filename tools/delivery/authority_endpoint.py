"""The port for the authority: sealed packages to fetch, and addresses for its notices.

What comes in: requests over TLS with one of the certificates that are named one by one. What goes
out: the very file that the chain says was published, compared by its digest before it leaves, and
empty answers. There is no list of files; whatever is not there is 404, alike for all reasons.
Promised: whoever has the whole file is in the chain, for the record is made before the last piece
leaves; a notice is in the chain before it is answered, and the same again changes nothing. What
can't be recorded is answered with 503, so that the authority asks again.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool

from ledger.core.clock import DAY, SystemClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError
from ledger.decisions.delivery import RecordFetch, RecordNotice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

    from ledger.core.clock import Clock
    from ledger.events.event_types import PackagePublished
    from tools.delivery.exchange import Exchange
    from tools.delivery.recorder import Recorder
    from tools.delivery.settings import Delivery

__all__ = ["AuthorityEndpoint"]

PIECE_BYTES = 1 << 16
BODY_BYTES_MAX = 4096
PACKAGE = re.compile(r"(?<![\w-])\w{1,20}-[VM]-[\w-]{6,70}-[0-9]{2}(?![\w-])", re.ASCII)
VERDICTS = {"accepted": "OK", "refused": "ERR"}
OK, BAD_REQUEST, FORBIDDEN, NOT_FOUND, NOT_ALLOWED, TOO_LARGE, BUSY = (
    200, 400, 403, 404, 405, 413, 503,
)  # fmt: skip


class _Address(NamedTuple):
    """What a request is for: an address of the settings, and what stands behind it."""

    what: str
    models: frozenset[tuple[str, str, str]]
    rest: str


class AuthorityEndpoint:
    """The application behind the port."""

    def __init__(
        self,
        delivery: Delivery,
        folder: Path,
        exchange: Exchange,
        recorder: Recorder,
        *,
        sealed: str,
        pinned: frozenset[str],
        tell: Callable[..., None],
        noticed: Callable[[str], None],
        clock: Clock | None = None,
    ) -> None:
        """Prepare.

        Args:
            delivery: settings.
            folder: where sealed files lie.
            exchange: what the chain says.
            recorder: records.
            sealed: suffix of their names.
            pinned: SHA-256 of the certificates that are let in, hexadecimal.
            tell: told what happens, a state and its facts.
            noticed: told the package of each notice.
            clock: of this machine.

        """
        self._delivery, self._folder = delivery, folder
        self._sealed = sealed
        self._exchange, self._recorder = exchange, recorder
        self._pinned, self._tell, self._noticed = pinned, tell, noticed
        self._clock = clock or SystemClock()
        self._paths: dict[str, list[tuple[str, tuple[str, str, str]]]] = {}
        for one in delivery.addresses:
            for what, path in one.paths:
                self._paths.setdefault(path, []).append((what, (one.model, one.kind, one.casino)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["client_certificate"] not in self._pinned:
            self._tell("turned_away", client=scope["client_certificate"])
            await _answer(send, FORBIDDEN)
            return
        asked = self._asked(scope["path"])
        try:
            if asked is None:
                await _answer(send, NOT_FOUND)
            elif asked.what == "packages":
                await self._give(scope, send, asked)
            else:
                await self._take(scope, receive, send, asked)
        except LedgerError as error:
            self._tell("failed", why=str(error), path=scope["path"])
            await _answer(send, BUSY)

    def _asked(self, path: str) -> _Address | None:
        """Find the longest address that a path begins with."""
        parts = path.split("/")
        for length in range(len(parts), 0, -1):
            found = self._paths.get("/".join(parts[:length]))
            if found:
                models = frozenset(model for _, model in found)
                return _Address(found[0][0], models, "/".join(parts[length:]))
        return None

    async def _give(self, scope: Scope, send: Send, asked: _Address) -> None:
        package = asked.rest.removesuffix(self._sealed)
        if scope["method"] not in {"GET", "HEAD"}:
            await _answer(send, NOT_ALLOWED)
            return
        published = None
        if package != asked.rest and PACKAGE.fullmatch(package) and _is_of(package, asked.models):
            published = await run_in_threadpool(self._published, package)
        if published is None:
            self._tell("not_found", path=scope["path"], client=scope["client_certificate"])
            await _answer(send, NOT_FOUND)
            return
        content = await run_in_threadpool(self._content, published)
        size = len(content)
        headers = [(b"content-type", b"application/pkcs7-mime"), (b"etag", _etag(published))]
        if scope["method"] == "HEAD":
            await _answer(send, OK, headers, length=size)
            return
        last = max(size - PIECE_BYTES, 0)
        if not last:
            await run_in_threadpool(self._record_fetch, package, published, scope)
        await _begin(send, OK, headers, size)
        for piece in _pieces(content[:last]):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        if last:
            try:
                await run_in_threadpool(self._record_fetch, package, published, scope)
            except LedgerError as error:
                self._tell("failed", why=str(error), path=scope["path"])
                return  # the connection ends without the last piece
        await send({"type": "http.response.body", "body": content[last:]})

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

    def _record_fetch(self, package: str, published: PackagePublished, scope: Scope) -> None:
        client = scope["client_certificate"]
        found = self._exchange.version(package)
        if found is not None and client in found.clients:
            self._tell("fetched_again", package=package, client=client)
            return
        command = RecordFetch(
            package=package, file_digest=published.file_digest, client=client, source="delivery"
        )
        if self._record(command):
            self._tell("fetched", package=package, client=client, size=published.size)

    async def _take(self, scope: Scope, receive: Receive, send: Send, asked: _Address) -> None:
        """Take a notice; the package stands in its path, its query or its body."""
        if scope["method"] not in {"GET", "POST"}:
            await _answer(send, NOT_ALLOWED)
            return
        body = await _body(receive)
        if body is None:
            await _answer(send, TOO_LARGE)
            return
        texts = [asked.rest, body.decode("ascii", errors="replace")]
        texts += [value for _, value in parse_qsl(scope["query_string"].decode("latin-1"))]
        named = {one for text in texts for one in PACKAGE.findall(text)}
        if len(named) != 1:
            self._tell("not_understood", path=scope["path"], packages=sorted(named))
            await _answer(send, BAD_REQUEST)
            return
        package, verdict = named.pop(), VERDICTS[asked.what]
        if not _is_of(package, asked.models):
            await _answer(send, NOT_FOUND)
            return
        client = scope["client_certificate"]
        status = await run_in_threadpool(self._record_notice, package, verdict, client)
        await _answer(send, status)

    def _record_notice(self, package: str, verdict: str, client: str) -> int:
        found = self._exchange.version(package)
        if found is None:
            self._tell("not_published", package=package, verdict=verdict, client=client)
            return NOT_FOUND
        command = RecordNotice(
            package=package,
            verdict="OK" if verdict == "OK" else "ERR",
            client=client,
            source="delivery",
        )
        if verdict in found.notices or not self._record(command):
            self._tell("noticed_again", package=package, verdict=verdict)
        else:
            self._tell("noticed", package=package, verdict=verdict, client=client)
        self._noticed(package)
        return OK

    def _record(self, command: RecordFetch | RecordNotice) -> bool:
        """Record a fact; false if somebody else did it in between."""
        try:
            self._recorder.record(command)
        except InputError as error:
            if "recorded already" in str(error):
                return False
            raise
        return True


def _is_of(package: str, models: frozenset[tuple[str, str, str]]) -> bool:
    """Return whether a package belongs to an address: its model, kind and casino."""
    model, *middle, kind_or_place, _version = package.split("-")[1:]
    if model == "M":
        return (model, middle[-1], kind_or_place) in models
    return (model, kind_or_place, "") in models


def _etag(published: PackagePublished) -> bytes:
    return f'"{published.file_digest}"'.encode()


def _pieces(content: bytes) -> Iterator[bytes]:
    for at in range(0, len(content), PIECE_BYTES):
        yield content[at : at + PIECE_BYTES]


async def _body(receive: Receive) -> bytes | None:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if len(body) > BODY_BYTES_MAX:
            return None
        if not message.get("more_body"):
            return bytes(body)


async def _begin(send: Send, status: int, headers: list[Any], length: int) -> None:
    more = [(b"content-length", str(length).encode()), (b"cache-control", b"no-store")]
    if status == BUSY:
        more.append((b"retry-after", b"30"))
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *more]})


async def _answer(
    send: Send, status: int, headers: list[Any] | None = None, *, length: int = 0
) -> None:
    await _begin(send, status, headers or [], length)
    await send({"type": "http.response.body", "body": b""})
