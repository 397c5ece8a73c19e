"""Connection of a client to one writer over HTTP: send lines and read answers.

Input: an address and lines. Output: the answers as they arrive, line by line. Guaranteed: every
wait has a timeout, buffered data is bounded by the longest answer, and no redirect to another
address is followed. Rejected: a response that is not an answer of a writer.
"""

from __future__ import annotations

import re
import ssl
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

import httpx
import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import KINDS, AuthorizationError, InputError, LedgerError
from tools.service.answers import ANSWER_BYTES_MAX, SHOWN_BYTES, NoAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["HttpWriter"]

PROBLEM_BYTES_MAX = 1 << 16
RETRY_DIGITS_MAX = 5
PORTS = 1 << 16
GIVE = "give https://host:port, or unix:/path on its own machine"
TOKEN = re.compile(r"[!-~]([ -~]*[!-~])?")
"""What a header can hold: an error of the library would repeat anything else."""
FINAL = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.INTERNAL_SERVER_ERROR}
"""Nobody else would answer otherwise; what else is no answer is asked for again."""


class _Problem(msgspec.Struct, frozen=True):
    """The fields of a problem document that are used."""

    type: str
    detail: str


class HttpWriter:
    """A connection to a writer over HTTP. Use as a context manager."""

    def __init__(
        self, url: str, context: ssl.SSLContext | None, token: str | None, connect_seconds: float
    ) -> None:
        """Set the address; nothing is sent yet.

        Raises:
            InputError: the address is not just scheme, host and port, or a header can't hold the
                token.

        """
        try:
            found = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise InputError(f"{url!r} is no writer: {error}: {GIVE}") from error
        is_more = found.path not in {"", "/"} or found.query or found.userinfo
        is_http = found.scheme in {"http", "https"} and found.host
        if not is_http or is_more or (found.port or 0) >= PORTS:
            raise InputError(f"{url!r} is no writer: {GIVE}")
        if token is not None and not TOKEN.fullmatch(token):
            raise InputError(
                "the token is no line of ASCII: look at GAMELEDGER_TOKEN, or the file of "
                "--token-file"
            )
        self._url = f"{found.scheme}://{found.netloc.decode()}"
        headers = {"Content-Type": "application/x-ndjson", "Accept-Encoding": "identity"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        self._connect_seconds = connect_seconds
        self._client = httpx.Client(
            base_url=self._url, headers=headers, verify=context or True, trust_env=False
        )

    def __enter__(self) -> Self:
        """Return the writer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connection."""
        self._client.close()

    def ask(self, lines: bytes, left: Callable[[], float]) -> Iterator[bytes]:
        """Send lines and yield the answers as they arrive; fewer, if the response ends early.

        Args:
            lines: commands.
            left: returns how many seconds are left to wait for the next answer.

        Raises:
            NoAnswerError: no answer came, or the response is not an answer of a writer.
            AuthorizationError: the writer does not admit this client, or its certificate is wrong.
            LedgerError: the writer is damaged.

        """
        timeout = httpx.Timeout(max(left(), 0.1), connect=self._connect_seconds)
        try:
            with self._client.stream(
                "POST", "/v1/commands", content=lines, timeout=timeout
            ) as answer:
                if answer.status_code != HTTPStatus.OK:
                    raise self._error_of(answer)
                yield from self._lines(answer)
        except httpx.HTTPError as error:
            raise self._broken(error) from error

    def _lines(self, answer: httpx.Response) -> Iterator[bytes]:
        held = bytearray()
        for part in answer.iter_raw():
            held += part
            while end := held.find(b"\n") + 1:
                yield bytes(held[:end])
                del held[:end]
            if len(held) > ANSWER_BYTES_MAX:
                break
        if held:
            raise NoAnswerError(
                f"{self._url} gave no whole answer but {bytes(held[:SHOWN_BYTES])!r}"
            )

    def _error_of(self, answer: httpx.Response) -> Exception:
        body = b""
        for part in answer.iter_raw():
            body += part
            if len(body) > PROBLEM_BYTES_MAX:
                break
        try:
            problem = decoder_of(_Problem).json(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            shown = body[:SHOWN_BYTES]
            return NoAnswerError(
                f"{self._url} is no writer: it said {answer.status_code} {shown!r}"
            )
        if answer.status_code in FINAL:
            kind = KINDS.get(problem.type.rpartition(":")[2], LedgerError)
            return kind(f"{self._url}: {problem.detail}")
        busy = NoAnswerError(f"{self._url}: {problem.detail}")
        asked = answer.headers.get("Retry-After", "")
        if asked.isascii() and asked.isdigit():
            busy.retry_seconds = float(asked[:RETRY_DIGITS_MAX])
        return busy

    def _broken(self, error: httpx.HTTPError) -> Exception:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, ssl.SSLError):
            cause = cause.__cause__ or cause.__context__
        if isinstance(cause, ssl.SSLCertVerificationError):
            return AuthorizationError(
                f"{self._url} is not whom it should be: {cause.verify_message}; nothing was sent. "
                "See that --tls-ca vouches for the writer, and that its certificate names this host"
            )
        text = str(cause or error)
        if "alert" in text.lower() and ("cert" in text.lower() or "unknown ca" in text.lower()):
            return AuthorizationError(
                f"{self._url} does not accept the certificate of --tls-cert: {text}"
            )
        return NoAnswerError(f"{self._url} gave no answer: {text or type(error).__name__}")
