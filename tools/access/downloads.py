"""Downloads: answers that are streamed, or files to keep.

As for every answer, the access is recorded before the first byte is sent. The outcome is recorded
at the end: rows, bytes, their digest, and whether the download was cut off. A client that does not
read a piece in time is cut off, and the number of downloads at a time is limited. If the content
can't be completed, the connection is closed without a proper end of the response, so that the
client notices that the download is incomplete.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
import structlog
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from tools.access.access_service import AccessService, serve_query, service_of
from tools.access.formats import basis_headers
from tools.access.writers import release_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from hashlib import _Hash as Hash

    from starlette.requests import Request
    from starlette.types import Message, Receive, Send
    from starlette.types import Scope as Connection

    from tools.access.answer import Answer
    from tools.access.query_context import QueryContext
    from tools.access.scopes import Scope

__all__ = ["Content", "Download", "Tally", "counted", "download", "file_name", "of_bytes"]

PART_BYTES = 1 << 19
"""More than a piece of what the engine writes, so that none leaves as a large and a small part."""
AHEAD_BYTES = 1 << 22
"""How many are made at once, while as many are sent."""
PART_SECONDS = 60.0
"""How long a client may take for one part."""

_log = structlog.get_logger("gameledger.access")


@dataclass(slots=True)
class Tally:
    """Number of rows written so far."""

    rows: int = 0


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a download: pieces, media type, file name, and a row count if it has rows.

    ``about`` is the ``account`` that only the content reveals.
    """

    pieces: Generator[bytes, None, None]
    media_type: str
    file: str
    tally: Tally | None = None
    headers: dict[str, str] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)


def counted(blocks: Iterable[Sequence[Sequence[Any]]], tally: Tally) -> Iterator[Any]:
    """Count the rows of blocks while passing them on."""
    for block in blocks:
        tally.rows += len(block[0])
        yield block


def of_bytes(content: bytes) -> Generator[bytes, None, None]:
    """Yield a whole file as one piece."""
    yield content


def file_name(*parts: str) -> str:
    """Return a file name for a subject; all but ASCII letters and digits become ``_``."""
    return "-".join(re.sub("[^A-Za-z0-9]+", "_", part)[:100] for part in parts if part)


def download(
    request: Request,
    scope: Scope,
    prepare: Callable[[QueryContext], Content],
    *,
    at: str = "",
    of_log: bool = False,
    is_named: bool = False,
    with_scopes: Iterable[Scope] = (),
    noting: Callable[[Answer], None] = lambda _: None,
    **about: str,
) -> Response:
    """Prepare a download for the reader, and record that it begins.

    Args:
        request: of the reader.
        scope: right that the route requires.
        prepare: creates the content, of which nothing is read before the access is recorded.
        at: position or time as of which to answer; empty for now.
        of_log: the download needs only the log.
        is_named: the route is about one object, which may not exist.
        with_scopes: further rights under which the file shows data; the record names them.
        noting: records further facts of this access.
        about: ``account`` or ``round`` of the request.

    Raises:
        AvailabilityError: too many downloads are in progress.
        ProblemError, LedgerError: as :func:`tools.access.access_service.serve_query`.

    """
    service = service_of(request)
    if not service.downloads.acquire(blocking=False):
        raise AvailabilityError(Phrase("TOO_MANY_DOWNLOADS"))
    try:
        answer = serve_query(
            request,
            scope,
            prepare,
            at=at,
            now="",
            is_timed=False,
            of_log=of_log,
            up_to_tables=False,
            is_named=is_named,
            with_scopes=with_scopes,
            is_of_chain=False,
            is_slow=False,
            is_examined=False,
            is_supervised=False,
            begins=None,
            rows=lambda _: None,
            concerns=lambda content: content.about,
            **about,
        )
        noting(answer)
        return Download(service, answer)
    except BaseException:
        service.downloads.release()
        raise


class Download(Response):
    """The response; it occupies one of the service's download slots until it ends."""

    def __init__(self, service: AccessService, answer: Answer) -> None:
        """Store the prepared content; its first piece is created when the response is sent."""
        content: Content = answer.found
        headers = basis_headers(answer, content.media_type)
        headers["Content-Disposition"] = f'attachment; filename="{content.file}"'
        super().__init__(None, media_type=content.media_type, headers=headers | content.headers)
        del self.headers["content-length"]
        self._service, self._answer, self._content = service, answer, content

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Send the content, creating the next pieces during each send, and record the outcome."""
        del scope
        leaving = asyncio.ensure_future(_disconnected(receive))
        made, given, sent, is_whole = _HashedPieces([], sha256(), sha256()), 0, 0, False
        coming = asyncio.ensure_future(self._behind(made))
        try:
            made = await coming  # an error before the first byte has a status
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            while made.pieces:
                coming = asyncio.ensure_future(self._behind(made))
                for part in _parts(made.pieces):
                    async with asyncio.timeout(PART_SECONDS):
                        await send(_body(part, is_last=False))
                    if leaving.done():
                        return
                    sent += len(part)
                    await asyncio.sleep(0)  # sending rarely suspends: other tasks would starve
                made, given, sent = await coming, given + sent, 0
            await send(_body(b"", is_last=True))
            is_whole = True
        except TimeoutError:
            return
        finally:
            leaving.cancel()
            with anyio.CancelScope(shield=True):
                await asyncio.gather(coming, return_exceptions=True)
                await run_in_threadpool(self._end, made, given, sent, is_whole)

    async def _behind(self, made: _HashedPieces) -> _HashedPieces:
        return await run_in_threadpool(_next_pieces, self._content.pieces, made.after)

    def _end(self, made: _HashedPieces, given: int, sent: int, is_whole: bool) -> None:
        self._content.pieces.close()
        self._service.downloads.release()
        release_memory()
        self._service.sources.release_memory()
        tally = self._content.tally
        ended = e.DownloadEnded(
            reader=self._answer.reader,
            access=self._answer.access,
            rows=tally.rows if tally is not None and is_whole else None,
            bytes=given + sent,
            digest=made.digest_of(sent),
            whole=is_whole,
        )
        try:
            self._service.chain.record(ended, actor=self._answer.reader)
        except LedgerError as error:
            _log.error("end of a download not recorded", kind=error.kind)


class _HashedPieces(NamedTuple):
    """Pieces of the content, with the digest before and after them."""

    pieces: list[bytes]
    before: Hash
    after: Hash

    def digest_of(self, size: int) -> str:
        """Return the digest up to a number of bytes of these pieces."""
        digest = self.before.copy()
        digest.update(b"".join(self.pieces)[:size])
        return digest.hexdigest()


def _next_pieces(pieces: Iterator[bytes], before: Hash) -> _HashedPieces:
    """Create the next pieces; none at the end of the content."""
    some: list[bytes] = []
    size, after = 0, before.copy()
    for piece in pieces:
        some.append(piece)
        after.update(piece)
        size += len(piece)
        if size >= AHEAD_BYTES:
            break
    return _HashedPieces(some, before, after)


def _parts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for begin in range(0, len(piece), PART_BYTES):
            yield piece[begin : begin + PART_BYTES]


def _body(part: bytes, *, is_last: bool) -> Message:
    return {"type": "http.response.body", "body": part, "more_body": not is_last}


async def _disconnected(receive: Receive) -> None:
    """Wait until the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
