"""Parse XML as events, with limits: no document types, no entities, tokens of bounded length.

The parser rescans an incomplete element, comment or instruction with every chunk, so an endless one
would cost quadratic time: each must end within ``TOKEN_BYTES_MAX``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from xml.parsers import expat

from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Handler", "Source", "XmlError", "XmlEvents"]

CHUNK = 1 << 16
TOKEN_BYTES_MAX = 1 << 20
DEPTH_MAX = 60


class XmlError(InputError):
    """The bytes are not acceptable XML; ``line`` and ``column`` count from 1."""

    def __init__(self, line: int, column: int, text: str) -> None:
        """Store the position."""
        super().__init__(text)
        self.line, self.column, self.text = line, column, text


class Source(Protocol):
    """The source of the bytes."""

    def read(self, size: int, /) -> bytes:
        """Return the next bytes; none at the end."""


class Handler(Protocol):
    """Receiver of the parser's events; element names have no prefix."""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""

    def text(self, text: str) -> None:
        """Add text to the element that is open."""

    def end(self, name: str) -> None:
        """End an element."""


class XmlEvents:
    """A parser of one document."""

    def __init__(self, handler: Handler) -> None:
        """Store the handler."""
        self._handler = handler
        self._depth = 0
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = self._refuse

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the current event, from 1."""
        return self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1

    def read(self, source: Source) -> Iterator[None]:
        """Parse a source to its end; yield after each chunk.

        Raises:
            XmlError: it is no XML, has a document type, or passes a bound.

        """
        done = 0
        try:
            while chunk := source.read(CHUNK):
                self._parser.Parse(chunk, False)
                done += len(chunk)
                if done - self._parser.CurrentByteIndex > TOKEN_BYTES_MAX:
                    text = f"an element or comment of more than {TOKEN_BYTES_MAX} bytes"
                    raise XmlError(*self.place, text)
                yield
            if done:
                self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            text = f"no XML: {expat.ErrorString(error.code)}"
            raise XmlError(error.lineno, error.offset + 1, text) from error
        except (LookupError, ValueError) as error:
            raise XmlError(1, 1, f"no XML: {error}") from error
        yield

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise XmlError(*self.place, f"elements are nested deeper than {DEPTH_MAX}")
        self._handler.start(name.rpartition(":")[2], attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._handler.end(name.rpartition(":")[2])

    def _refuse(self, *_: object) -> None:
        text = "a document type or an entity, which a statement does not have"
        raise XmlError(*self.place, text)
