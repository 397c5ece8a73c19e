"""Read sheets of XLSX files row by row, with exact cell values.

Input: a file and the name of a sheet. Output: rows with their number; numbers are exact decimals,
dates are timestamps without a zone. Every size is limited before it is used: a row number is read,
not counted to, and empty rows cost nothing. A formula that was never calculated and an error such
as ``#REF!`` are :class:`Unreadable`, never an empty cell.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from contextlib import contextmanager
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from tools.statements.cells import Unreadable
from tools.statements.parts import fault
from tools.statements.xml_events import XmlError, XmlEvents
from tools.statements.xml_nodes import Node

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tools.statements.xml_events import Handler

__all__ = ["COLUMNS_MAX", "ROWS_MAX", "Sheet"]

UNPACKED_MAX = 2 << 30
"""Bytes of all parts of a file when unpacked; a million rows have about one half of it."""
PARTS_MAX = 2_000
SMALL_PART_MAX = 16 << 20
"""Bytes of what describes the sheets: names, places and formats."""
STRINGS_MAX = 4_000_000
STRINGS_LENGTH_MAX = 128 << 20
"""Characters of all texts that cells share."""
CELL_LENGTH_MAX = 32_767
ROWS_MAX = 1_048_576
COLUMNS_MAX = 1_000
DAYS_MAX = 2_958_466
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ArithmeticError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
"""What ``zipfile`` and what it stands on raise over a file that is not as it should be."""
CELL = re.compile(r"([A-Z]{1,4})(\d{1,10})", re.ASCII)
DATE_FORMATS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Numbers of the formats that every program has for days and moments."""
LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
"""What a format has besides its placeholders."""
NOT_CALCULATED = Unreadable(Phrase("CELL_NOT_CALCULATED"))


class Sheet:
    """One sheet of a file, which may be read more than once.

    Args:
        file: the file.
        name: name of the sheet; the first, if it is empty.

    Raises:
        InputError: it is no XLSX, has no such sheet, or passes a bound.

    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        """Read what describes the sheets, and the texts that cells share."""
        self._file = file
        with _placed(lambda: 1), zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
            if len(parts) > PARTS_MAX or sum(one.file_size for one in parts) > UNPACKED_MAX:
                raise fault(1, 1, "UNPACKS_TOO_LARGE", gib=UNPACKED_MAX >> 30)
            self._book = _Book(archive)
            self._part = self._book.sheet(name)

    def rows(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield each row that has cells, with its number, from 1."""
        place = 0
        handler = _Rows(self._book)
        with (
            _placed(lambda: place + 1),
            zipfile.ZipFile(self._file) as archive,
            archive.open(self._part) as part,
        ):
            for _ in handler.events.read(part):
                for place, row in handler.rows:
                    yield place, row
                handler.rows.clear()


@contextmanager
def _placed(place: Any) -> Iterator[None]:
    """Report a malformed file as an ``InputError`` at the row that was read last."""
    try:
        yield
    except (XmlError, *BROKEN) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise fault(place(), 1, "NO_XLSX", text=reason) from error


class _Book:
    """The parts that describe the sheets: names, shared texts, formats."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        start = self._related("_rels/.rels", "")
        path = next((at for kind, at in start.values() if kind == "officeDocument"), "")
        if not path:
            raise ValueError("there is no workbook")
        folder, _, name = path.rpartition("/")
        self._parts = self._related(join(folder, "_rels", f"{name}.rels"), folder)
        workbook = self._tree(path)
        self._sheets = [node for part in workbook.all("sheets") for node in part.all("sheet")]
        properties = workbook.at("workbookPr")
        is_1904 = properties is not None and properties.attributes.get("date1904") in {"1", "true"}
        self._epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet has no zone
        self._dated = self._date_styles()
        self.strings = self._shared()

    def sheet(self, name: str) -> str:
        """Return the part of a sheet."""
        if not self._sheets:
            raise fault(1, 1, "NO_SHEET")
        for node in self._sheets:
            if name in {"", node.attributes.get("name")}:
                key = next((text for at, text in node.attributes.items() if at.endswith(":id")), "")
                return self._parts[key][1]
        raise fault(1, 1, "SHEET_MISSING", name=repr(name))

    def number(self, text: str, style: int) -> Any:
        """Read a number, which is a moment if its format is one of days."""
        try:
            value = Decimal(text if "_" not in text else "")
        except InvalidOperation:
            return Unreadable(Phrase("CELL_NO_NUMBER", text=repr(text[:60])))
        if style not in self._dated:
            return value
        if not value.is_finite() or not 0 <= value < DAYS_MAX:
            return Unreadable(Phrase("CELL_NO_DAY", text=text[:60]))
        return self._epoch + timedelta(milliseconds=round(value * 86_400_000))

    def _related(self, part: str, folder: str) -> dict[str, tuple[str, str]]:
        """Read where the parts of a part are: kind and path by name."""
        return {
            node.attributes.get("Id", ""): (
                node.attributes.get("Type", "").rpartition("/")[2],
                normpath(join("/", folder, node.attributes.get("Target", ""))).lstrip("/"),
            )
            for node in self._tree(part).all("Relationship")
        }

    def _tree(self, part: str) -> Node:
        if self._archive.getinfo(part).file_size > SMALL_PART_MAX:
            raise ValueError(f"{part} has more than {SMALL_PART_MAX >> 20} MiB")
        handler = _Tree()
        self._parse(part, handler)
        return handler.root

    def _parse(self, part: str, handler: Handler) -> None:
        with self._archive.open(part) as file:
            for _ in XmlEvents(handler).read(file):
                pass

    def _part_path(self, kind: str) -> str:
        return next((at for of, at in self._parts.values() if of == kind), "")

    def _date_styles(self) -> frozenset[int]:
        """Return the styles by which numbers are days."""
        part = self._part_path("styles")
        if not part:
            return frozenset()
        tree = self._tree(part)
        own = {
            node.attributes.get("numFmtId", ""): node.attributes.get("formatCode", "")
            for formats in tree.all("numFmts")
            for node in formats.all("numFmt")
        }
        styles = [node for formats in tree.all("cellXfs") for node in formats.all("xf")]
        return frozenset(
            number
            for number, node in enumerate(styles)
            if _is_date_format(node.attributes.get("numFmtId", "0"), own)
        )

    def _shared(self) -> list[str]:
        part = self._part_path("sharedStrings")
        if not part:
            return []
        handler = _Strings()
        self._parse(part, handler)
        return handler.strings


def _is_date_format(number: str, own: dict[str, str]) -> bool:
    if number in own:
        return any(sign in LITERAL.sub("", own[number]).lower() for sign in "dmyhs")
    return number.isascii() and number.isdigit() and int(number[:9]) in DATE_FORMATS


class _Tree:
    """Builds a small tree."""

    def __init__(self) -> None:
        self.root = Node("", {}, 1, 1)
        self._open = [self.root]

    def start(self, name: str, attributes: dict[str, str]) -> None:
        node = Node(name, attributes, 1, 1)
        if len(self._open) > 1:
            self._open[-1].parts.append(node)
        else:
            self.root = node
        self._open.append(node)

    def text(self, text: str) -> None:
        """Pass over texts: all is in attributes."""

    def end(self, name: str) -> None:  # noqa: ARG002 - the stack has it
        self._open.pop()


class _Pieces:
    """The content of a cell, collected piece by piece; more than a cell can hold is refused."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0

    def clear(self) -> None:
        self._pieces.clear()
        self._length = 0

    def add(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > CELL_LENGTH_MAX:
            raise ValueError(f"a cell has more than {CELL_LENGTH_MAX} characters")

    def joined(self) -> str:
        return "".join(self._pieces)


class _Text(_Pieces):
    """The text of a cell: that of ``t`` elements, without the reading aids of ``rPh``."""

    def __init__(self) -> None:
        super().__init__()
        self._is_open = False
        self._aids = 0

    def start(self, name: str) -> None:
        self._aids += name == "rPh"
        self._is_open = name == "t" and not self._aids

    def text(self, text: str) -> None:
        if self._is_open:
            self.add(text)

    def end(self, name: str) -> None:
        self._aids -= name == "rPh"
        self._is_open = False


class _Strings:
    """Collects the texts that cells share."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._text = _Text()
        self._length = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:  # noqa: ARG002 - none is used
        if name == "si":
            self._text.clear()
        self._text.start(name)

    def text(self, text: str) -> None:
        self._text.text(text)

    def end(self, name: str) -> None:
        self._text.end(name)
        if name == "si":
            self.strings.append(self._text.joined())
            self._length += len(self.strings[-1])
            if len(self.strings) > STRINGS_MAX or self._length > STRINGS_LENGTH_MAX:
                raise ValueError("the cells share too many texts")


class _Rows:
    """Collects the rows of a sheet."""

    def __init__(self, book: _Book) -> None:
        self.rows: list[tuple[int, list[Any]]] = []
        self.events = XmlEvents(self)
        self._book = book
        self._row = 0
        self._cells: list[Any] = []
        self._column = -1
        self._kind, self._style = "n", 0
        self._has_formula = False
        self._value = _Pieces()
        self._has_value = self._is_value_open = False
        self._text = _Text()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "row":
                self._begin_row(attributes.get("r", ""))
            case "c":
                self._begin_cell(attributes)
            case "v":
                self._value.clear()
                self._has_value = self._is_value_open = True
            case "f":
                self._has_formula = True
            case _:
                self._text.start(name)

    def text(self, text: str) -> None:
        if self._is_value_open:
            self._value.add(text)
        else:
            self._text.text(text)

    def end(self, name: str) -> None:
        match name:
            case "row":
                if any(cell is not None for cell in self._cells):
                    self.rows.append((self._row, self._cells))
            case "c":
                self._cells += [None] * (self._column - len(self._cells))
                self._cells.append(self._read())
            case "v":
                self._is_value_open = False
            case _:
                self._text.end(name)

    def _begin_row(self, number: str) -> None:
        before = self._row
        if number and not (number.isascii() and number.isdigit() and len(number) < 20):  # noqa: PLR2004 - no integer is longer
            raise ValueError(f"{number[:30]!r} is no number of a row")
        self._row = int(number) if number else before + 1
        if not before < self._row <= ROWS_MAX:
            text = f"row {self._row} behind row {before}: rows ascend to {ROWS_MAX} at most"
            raise ValueError(text)
        self._cells, self._column = [], -1

    def _begin_cell(self, attributes: dict[str, str]) -> None:
        before = self._column
        if place := attributes.get("r", ""):
            found = CELL.fullmatch(place)
            if found is None:
                raise ValueError(f"{place[:30]!r} is no place of a cell")
            self._column = -1
            for letter in found[1]:
                self._column = (self._column + 1) * 26 + ord(letter) - ord("A")
        else:
            self._column += 1
        if not before < self._column < COLUMNS_MAX:
            raise ValueError(f"row {self._row}: columns ascend to {COLUMNS_MAX} at most")
        self._kind = attributes.get("t", "n")
        style = attributes.get("s", "0")
        self._style = int(style) if style.isascii() and style.isdigit() and len(style) < 9 else 0  # noqa: PLR2004 - as many styles as can be
        self._has_formula = self._has_value = self._is_value_open = False
        self._value.clear()
        self._text.clear()

    def _read(self) -> Any:
        """Read the value of a whole cell."""
        if self._kind == "inlineStr":
            return self._text.joined()
        text = self._value.joined()
        if self._kind == "str" and self._has_value:
            return text
        if not text:
            return NOT_CALCULATED if self._has_formula else None
        match self._kind:
            case "s":
                return (
                    self._book.strings[int(text)]
                    if text.isdigit()
                    else Unreadable(Phrase("CELL_WITHOUT_TEXT"))
                )
            case "b":
                return text == "1"
            case "e":
                return Unreadable(Phrase("CELL_WITH_ERROR", text=text[:30]))
            case "d":
                return text
            case _:
                return self._book.number(text, self._style)
