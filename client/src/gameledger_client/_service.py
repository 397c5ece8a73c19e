"""The read-only service: answers, lists in pages, files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import httpx
import msgspec

from gameledger_client._errors import DamagedError, UnavailableError, error_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

__all__ = ["AsyncService", "Service"]


def _headers(token: str | None, purpose: str) -> dict[str, str]:
    headers = {"Gameledger-Purpose": purpose} if purpose else {}
    return headers | ({"Authorization": f"Bearer {token}"} if token else {})


def _answer(response: httpx.Response) -> dict[str, Any]:
    if not response.is_success:
        raise error_of(response)
    try:
        return msgspec.json.decode(response.content, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DamagedError(f"{response.request.url} gave no JSON: {error}") from error


def _unavailable(url: str, error: httpx.TransportError) -> UnavailableError:
    return UnavailableError(f"{url} gave no answer: {error or type(error).__name__}")


class Service:
    """The service of one chain. Use as a context manager.

    Args:
        url: such as ``https://ledger.example:8411``.
        token: of the reader; none with a client certificate.
        purpose: recorded with everything that is read.
        options: of ``httpx.Client``, such as ``verify``, ``cert`` and ``timeout``.

    """

    def __init__(
        self, url: str, *, token: str | None = None, purpose: str = "", **options: Any
    ) -> None:
        """Connect to nothing yet."""
        headers = _headers(token, purpose)
        self._client = httpx.Client(base_url=url, headers=headers, trust_env=False, **options)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        """Return ``{"basis": …, "answer": …}``; docs/openapi.json has paths and parameters.

        Raises:
            RequestError: path or parameter is wrong, or there is no such thing.
            AccessError: the reader's rights do not suffice.
            UnavailableError: no answer, or not now.
            DamagedError: the log or the answer is damaged.

        """
        try:
            return _answer(self._client.get(path, params=parameters))
        except httpx.TransportError as error:
            raise _unavailable(path, error) from error

    def pages(self, path: str, rows: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of a list, page by page; ``rows`` is the name of the list in an answer."""
        while True:
            answer = self.get(path, **parameters)["answer"]
            yield from answer[rows]
            if not answer.get("before"):
                return
            parameters["before"] = answer["before"]

    def download(self, path: str, file: str | Path, **parameters: Any) -> Path:
        """Write a file, such as evidence; it is there only when it is complete."""
        target = Path(file)
        partial = target.with_name(f"{target.name}.partial")
        try:
            with (
                self._client.stream("GET", path, params=parameters) as response,
                partial.open("wb") as out,
            ):
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                for piece in response.iter_bytes():
                    out.write(piece)
            return partial.replace(target)
        except httpx.TransportError as error:
            raise _unavailable(path, error) from error
        finally:
            partial.unlink(missing_ok=True)


class AsyncService:
    """As :class:`Service`, to be awaited."""

    def __init__(
        self, url: str, *, token: str | None = None, purpose: str = "", **options: Any
    ) -> None:
        """Connect to nothing yet."""
        headers = _headers(token, purpose)
        self._client = httpx.AsyncClient(base_url=url, headers=headers, trust_env=False, **options)

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        """Return an answer, as :meth:`Service.get` does."""
        try:
            return _answer(await self._client.get(path, params=parameters))
        except httpx.TransportError as error:
            raise _unavailable(path, error) from error

    async def pages(self, path: str, rows: str, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
        """Yield the rows of a list, as :meth:`Service.pages` does."""
        while True:
            answer = (await self.get(path, **parameters))["answer"]
            for row in answer[rows]:
                yield row
            if not answer.get("before"):
                return
            parameters["before"] = answer["before"]
