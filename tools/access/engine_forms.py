"""Pass on CSV and NDJSON written by the engine, with unsafe texts escaped; columns for Arrow.

Input: whole lines in the engine's format, of columns written by :func:`selected`. Output: the same
lines, in which no text is a spreadsheet formula or a terminal control sequence. Most pieces hold
only plain text; one check of the whole piece shows that, and it is passed on unchanged. In other
pieces each text is checked.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tools.access.writers import BATCHED, CSV, NDJSON
from tools.sanitize import NO_BREAK, for_spreadsheet, plain_json

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from projections.store import definitions
    from tools.access.downloads import Tally

    Guard = Callable[[bytes], bytes]
    Signs = np.ndarray[tuple[int], np.dtype[np.uint8]]

__all__ = ["ENGINE_FORMS", "FORM_SETTINGS", "in_ndjson", "selected", "written"]

ENGINE_FORMS = {CSV: "CSV", NDJSON: "JSONEachRow"}
"""Forms that the engine writes, and what it calls them."""
# Formatted in parallel, CSV and NDJSON take a third longer in the embedded engine.
_OF_ENGINE = (
    "max_block_size = 16384, output_format_json_escape_forward_slashes = 0, "
    "output_format_parallel_formatting = 0"
)
FORM_SETTINGS = {
    CSV: f"{_OF_ENGINE}, format_csv_null_representation = '', "
    "output_format_csv_crlf_end_of_line = 1",
    **dict.fromkeys(
        (NDJSON, *BATCHED), f"{_OF_ENGINE}, output_format_json_quote_64bit_integers = 0"
    ),
}
MARK = "\x01"
"""Before a text in hexadecimal: one that would break a line of CSV."""
QUOTED = re.compile(r'"((?:[^"]|"")*)"')
FIRST_PLAIN, DELETE = ord(" "), b"\x7f"
LINE_FEED, QUOTE = b'\n"'
MAYBE_FORMULA = b"=+-@ "
"""How a text begins that may be a formula."""


def selected(column: definitions.Column, form: str) -> str:
    """Return the SQL that formats a column: hashes in hexadecimal, days as year-month-day.

    In CSV, line ends in texts are removed and booleans are ``True`` or ``False``; except in NDJSON,
    arrays are JSON in a text.
    """
    name, kind = f"`{column.name}`", column.type
    if kind.startswith("FixedString"):
        return f"lower(hex({name})) AS {name}"
    if kind == "Date":
        return f"toString({name}) AS {name}"
    if form in BATCHED and kind.startswith("Array"):
        return f"toJSONString({name}) AS {name}"
    if form == CSV and kind == "Bool":
        return f"if({name}, 'True', 'False') AS {name}"
    if form == CSV and (kind.startswith("Array") or "String" in kind):
        text = f"toJSONString({name})" if kind.startswith("Array") else name
        return (
            f"if(multiSearchAny({text}, ['\\n', '\\r', '\\x01']), "
            f"concat('\\x01', hex({text})), {text}) AS {name}"
        )
    return name


def written(
    form: str, names: Sequence[str], lines: Iterable[bytes], tally: Tally
) -> Generator[bytes, None, None]:
    """Return lines of the engine with unsafe texts escaped.

    Args:
        form: a key of :data:`ENGINE_FORMS`.
        names: of the columns.
        lines: whole lines, many at a time.
        tally: counts the rows.

    """
    if form == CSV:
        yield (",".join(f'"{for_spreadsheet(name)}"' for name in names) + "\r\n").encode()
    guarded: Guard = _in_csv if form == CSV else in_ndjson
    for piece in lines:
        signs = np.frombuffer(piece, np.uint8)
        ends = int(np.count_nonzero(signs == LINE_FEED))
        tally.rows += ends
        is_plain = _is_plain(piece, signs, breaks=2 * ends if form == CSV else ends)
        may_act = not is_plain or (form == CSV and _may_have_formula(piece, signs))
        yield guarded(piece) if may_act else piece


def _is_plain(piece: bytes, signs: Signs, *, breaks: int) -> bool:
    """Return whether a piece is printable ASCII apart from a number of line-ending characters."""
    return bool(
        piece.isascii() and DELETE not in piece and np.count_nonzero(signs < FIRST_PLAIN) == breaks
    )


def _may_have_formula(piece: bytes, signs: Signs) -> bool:
    return any(
        sign in piece and np.any((signs[:-1] == QUOTE) & (signs[1:] == sign))
        for sign in MAYBE_FORMULA
    )


def _in_csv(piece: bytes) -> bytes:
    return QUOTED.sub(_harmless, piece.decode("utf-8", "replace")).encode()


def _harmless(quoted: re.Match[str]) -> str:
    text = quoted[1].replace('""', '"')
    if text.startswith(MARK):
        text = bytes.fromhex(text[1:]).decode("utf-8", "replace")
    if text.startswith("["):  # an array stays JSON
        text = plain_json(text)
    return '"' + for_spreadsheet(text).replace('"', '""') + '"'


def in_ndjson(piece: bytes) -> bytes:
    """Return whole lines of NDJSON with unsafe texts escaped; invalid UTF-8 is replaced."""
    text = piece.decode("utf-8", "replace")
    if text.replace("\n", "").replace(NO_BREAK, "").isprintable():
        return text.encode()
    return "".join(f"{plain_json(line)}\n" for line in text.split("\n")[:-1]).encode()
