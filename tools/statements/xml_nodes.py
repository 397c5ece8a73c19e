"""Read XML as a stream of small trees: each complete element at one depth, with its places.

Document types and entities are refused. Depth, texts and the parts of one tree are limited, and one
tree is held in memory at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.statements.parts import fault
from tools.statements.xml_events import XmlError, XmlEvents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

__all__ = ["Node", "nodes"]

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
        """Yield the parts of a name."""
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
    """Yield each element right below the elements at a path, and None where one of these ends.

    Raises:
        InputError: it is no XML, has a document type, or does not begin with this path.

    """
    handler = _Handler(root)
    handler.events = XmlEvents(handler)
    try:
        for _ in handler.events.read(file):
            yield from handler.ready
            handler.ready.clear()
    except XmlError as error:
        raise fault(error.line, error.column, "AS_READ", text=error.text) from error


class _Handler:
    """Builds the trees below a path."""

    events: XmlEvents

    def __init__(self, root: tuple[str, ...]) -> None:
        self.ready: list[Node | None] = []
        self._root = root
        self._path: list[str] = []
        self._open: list[Node] = []
        self._texts: list[list[str]] = []
        self._lengths: list[int] = []
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Begin an element."""
        depth = len(self._path)
        place = self.events.place
        if depth < len(self._root) - 1 and name != self._root[depth]:
            raise fault(*place, "ELEMENT_NOT_DUE", element=name, due=self._root[depth])
        self._path.append(name)
        if depth < len(self._root) or self._path[len(self._root) - 1] != self._root[-1]:
            return
        node = Node(name, attributes, *place)
        self._count += 1
        if self._count > PARTS_MAX:
            raise fault(*place, "ELEMENT_TOO_LARGE", most=PARTS_MAX)
        if self._open:
            self._open[-1].parts.append(node)
        self._open.append(node)
        self._texts.append([])
        self._lengths.append(0)

    def text(self, text: str) -> None:
        """Add to the text of the element that is open."""
        if self._open:
            self._texts[-1].append(text)
            self._lengths[-1] += len(text)
            if self._lengths[-1] > TEXT_MAX:
                raise fault(*self.events.place, "TEXT_TOO_LONG", most=TEXT_MAX)

    def end(self, name: str) -> None:  # noqa: ARG002 - the path has it
        """End an element; keep it if it is a whole tree, or None if the trees of one end here."""
        depth = len(self._path)
        is_root = depth == len(self._root) and self._path[-1] == self._root[-1]
        self._path.pop()
        if self._open:
            node = self._open.pop()
            node.text = "".join(self._texts.pop())
            self._lengths.pop()
            if not self._open:
                self._count = 0
                self.ready.append(node)
        elif is_root:
            self.ready.append(None)
