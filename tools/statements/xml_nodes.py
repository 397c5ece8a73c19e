"""XML as a stream of small trees: each element at one depth, whole, with the places of its parts.

No document type is let in, and so no entity: bombs and files of others have no way. Depth and
length of texts have an end, and one tree is held at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler

from defusedxml import DefusedXmlException
from defusedxml.sax import make_parser

from tools.statements.parts import fault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO
    from xml.sax.xmlreader import AttributesImpl, Locator

__all__ = ["Node", "nodes"]

CHUNK = 1 << 16
DEPTH_MAX = 60
TEXT_MAX = 1 << 16
PARTS_MAX = 1_000_000


class Node:
    """An element: name without its prefix, attributes, text, parts, place."""

    __slots__ = ("attributes", "column", "line", "name", "parts", "text")

    def __init__(self, name: str, attributes: dict[str, str], line: int, column: int) -> None:
        """Begin without text and parts."""
        self.name, self.attributes, self.line, self.column = name, attributes, line, column
        self.text = ""
        self.parts: list[Node] = []

    def all(self, name: str) -> Iterator[Node]:
        """Give the parts of a name."""
        return (part for part in self.parts if part.name == name)

    def at(self, path: str) -> Node | None:
        """Find the first element on a path, such as ``Acct/Id/IBAN``."""
        name, _, rest = path.partition("/")
        for part in self.parts:
            if part.name == name and (found := part.at(rest) if rest else part):
                return found
        return None

    def text_at(self, *paths: str) -> str:
        """Return the text of the first path that there is; empty for none."""
        for path in paths:
            if (found := self.at(path)) is not None and (text := found.text.strip()):
                return text
        return ""


def nodes(file: BinaryIO, root: tuple[str, ...]) -> Iterator[Node | None]:
    """Give each element right below the elements at a path, and None where one of these ends.

    Raises:
        InputError: it is no XML, has a document type, or does not begin with this path.

    """
    parser = make_parser()
    handler = _Handler(root, parser)
    parser.forbid_dtd = True
    parser.setContentHandler(handler)
    try:
        while chunk := file.read(CHUNK):
            parser.feed(chunk)
            yield from handler.ready
            handler.ready.clear()
        parser.close()
    except DefusedXmlException as error:
        text = "a document type or an entity, which a statement does not have"
        raise fault(*handler.place, text) from error
    except SAXParseException as error:
        line, column = error.getLineNumber() or 1, (error.getColumnNumber() or 0) + 1
        raise fault(line, column, f"no XML: {error.getMessage()}") from error
    except (LookupError, ValueError) as error:
        raise fault(1, 1, f"no XML: {error}") from error
    yield from handler.ready


class _Handler(ContentHandler):
    """Builds the trees below a path."""

    def __init__(self, root: tuple[str, ...], locator: Locator) -> None:
        super().__init__()
        self.ready: list[Node | None] = []
        self._root = root
        self._path: list[str] = []
        self._open: list[Node] = []
        self._count = 0
        self._locator = locator

    @property
    def place(self) -> tuple[int, int]:
        """Line and column, from 1."""
        return self._locator.getLineNumber() or 1, (self._locator.getColumnNumber() or 0) + 1

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - the name is SAX's
        """Begin an element."""
        plain = name.rpartition(":")[2]
        depth = len(self._path)
        if depth >= DEPTH_MAX:
            raise fault(*self.place, f"elements are nested deeper than {DEPTH_MAX}")
        if depth < len(self._root) - 1 and plain != self._root[depth]:
            raise fault(*self.place, f"element {plain} where {self._root[depth]} is due")
        self._path.append(plain)
        if depth < len(self._root) or self._path[len(self._root) - 1] != self._root[-1]:
            return
        node = Node(plain, dict(attrs), *self.place)
        self._count += 1
        if self._count > PARTS_MAX:
            raise fault(*self.place, f"an element with more than {PARTS_MAX} parts")
        if self._open:
            self._open[-1].parts.append(node)
        self._open.append(node)

    def characters(self, content: str) -> None:
        """Add to the text of the element that is open."""
        if self._open:
            node = self._open[-1]
            node.text += content
            if len(node.text) > TEXT_MAX:
                raise fault(*self.place, f"a text of more than {TEXT_MAX} characters")

    def endElement(self, name: str) -> None:  # noqa: ARG002, N802 - the same
        """End an element; return it if it is a whole tree, or None if the trees of one end here."""
        depth = len(self._path)
        is_root = depth == len(self._root) and self._path[-1] == self._root[-1]
        self._path.pop()
        if self._open:
            node = self._open.pop()
            if not self._open:
                self._count = 0
                self.ready.append(node)
        elif is_root:
            self.ready.append(None)
