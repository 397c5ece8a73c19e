r"""Text from outside, shown as text: what leaves the program does nothing to a terminal.

Names, causes, complaints, members of archives and answers of the authority are written by
others. What a terminal would obey or a reader could not see (control characters, marks of
direction, zero-width characters, separators of lines, halves of surrogates) is written as
``\x1b`` or ``\u202e``. Every human output passes :func:`escape_controls` and every JSON document
:func:`json_line`; :class:`SanitizedStream` holds back what came another way.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from html import escape
from typing import TYPE_CHECKING, Any, TextIO, cast
from unicodedata import category, normalize

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "NO_BREAK",
    "SanitizedStream",
    "attribute_value",
    "csv_line",
    "escape_controls",
    "for_spreadsheet",
    "guard_streams",
    "json_line",
    "plain_json",
    "unguarded",
    "warn",
]

NO_BREAK = "\N{NO-BREAK SPACE}"
SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
FORMULAS = ("=", "+", "-", "@")
"""How a spreadsheet knows a formula, in full width too."""
SEPARATING = ('"', ",", ";", "\t", "|", "\r", "\n")
"""What separates cells or lines of CSV in some program, and the quotation mark."""
KEPT_APART = re.compile(r"(\n|\x1b\[[0-9;]*m)")
"""A line's end, and a style of our own; :func:`escape_controls` lets neither through."""


def escape_controls(text: str) -> str:
    r"""Return a text for one line of a terminal: ``\x1b`` stands for what would act there."""
    return _escaped(text, _as_python)


def attribute_value(text: str) -> str:
    """Return a text for the value of an HTML attribute: a reference stands for what would act."""
    return _escaped(escape(text), lambda character: f"&#{ord(character)};")


def warn(text: str, *commands: str) -> None:
    """Print a fault of a service on standard error, and what corrects it on lines of their own.

    The service goes on if that is closed.
    """
    with suppress(OSError, ValueError):  # a full disk, a closed pipe or stream
        for line in (f"gameledger: {text}", *commands):
            print(escape_controls(line), file=sys.stderr, flush=True)


def for_spreadsheet(text: str) -> str:
    """Return a text for a cell: one that a spreadsheet would compute stays a text."""
    shown = escape_controls(text)
    is_formula = normalize("NFKC", shown.lstrip()[:1]).startswith(FORMULAS)
    return f"'{shown}" if is_formula else shown


def csv_line(cells: Iterable[str], end: str) -> str:
    """Return a line of CSV, in which what separates cells in any spreadsheet is quoted.

    A Czech one separates cells by semicolons; a part behind an unquoted one would be computed.
    """
    return (",".join(map(_quoted, cells)) or '""') + end


def _quoted(cell: str) -> str:
    if not any(sign in cell for sign in SEPARATING):
        return cell
    return '"' + cell.replace('"', '""') + '"'


def plain_json(text: str) -> str:
    r"""Return a JSON document that parses to the same and in which nothing acts."""
    return _escaped(text, _as_json)


def json_line(document: Any) -> str:
    """Return a document as JSON on one line."""
    try:
        text = msgspec.json.encode(document).decode()
    except UnicodeEncodeError:  # half a surrogate: the name of a file that is not UTF-8
        builtins = msgspec.to_builtins(document, str_keys=True)
        text = json.dumps(builtins, separators=(",", ":"))
    return plain_json(text)


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.replace(NO_BREAK, " ").isprintable():  # amounts hold one, and are looked at as a whole
        return text
    return "".join(
        one if one.isprintable() or category(one) == "Zs" else escape(one) for one in text
    )


def _as_python(character: str) -> str:
    code = ord(character)
    if code <= 0xFF:  # noqa: PLR2004 - the last that two digits can say
        return SHORT.get(character) or f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - the same


def _as_json(character: str) -> str:
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"


class SanitizedStream:
    """A text stream on which nothing acts but line ends and, on a terminal, our own styles.

    ``has_failed`` says that something could not be written.
    """

    def __init__(self, stream: TextIO) -> None:
        """Stand before a stream."""
        self.stream = stream
        self.has_failed = False
        self._has_styles = stream.isatty() or "FORCE_COLOR" in os.environ

    def write(self, text: str) -> int:
        """Write a text; what would act is escaped."""
        if not text.isprintable():
            text = "".join(self._part(part) for part in KEPT_APART.split(text))
        try:
            return self.stream.write(text)
        except OSError:
            self.has_failed = True
            raise

    def _part(self, part: str) -> str:
        is_ours = part == "\n" or (self._has_styles and KEPT_APART.match(part))
        return part if is_ours else escape_controls(part)

    def __getattr__(self, name: str) -> Any:
        """Leave all else to the stream."""
        return getattr(self.stream, name)


def guard_streams() -> None:
    """Pass all output through a :class:`SanitizedStream`."""
    sys.stdout = cast("TextIO", SanitizedStream(unguarded(sys.stdout)))
    sys.stderr = cast("TextIO", SanitizedStream(unguarded(sys.stderr)))


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream behind, for a bar of progress that moves the cursor."""
    return stream.stream if isinstance(stream, SanitizedStream) else stream
