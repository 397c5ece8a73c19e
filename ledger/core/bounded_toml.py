"""Parse TOML from outside at a bounded cost.

What comes in: the text of settings, rules or a plan, from a file or from a chain of others. What
goes out: its tables. Guaranteed: the cost grows with the length of the text alone, and whether a
text is rejected does not depend on who parses it; a byte order mark, which some editors write, is
ignored. Rejected: what is not TOML, values nested deeper than ``NESTED_MAX``, keys of more than
``KEY_PARTS_MAX`` parts, for which the parser needs memory by the square of their number, and
numbers of more digits than an integer is written with.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

import msgspec

__all__ = ["KEY_PARTS_MAX", "NESTED_MAX", "parse_toml"]

NESTED_MAX = 32
KEY_PARTS_MAX = 32
_TOKENS = re.compile(
    r"""
      ""\"(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)
    | '''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)
    | "(?:[^"\\\n]|\\.)*+(?:["\n]|\Z)
    | '[^'\n]*+(?:['\n]|\Z)
    | \#[^\n]*+
    | [\[\]{}=,\n.]
    """,
    re.VERBOSE | re.DOTALL,
)
"""Strings and comments, which are skipped, and the signs that part keys and nest values."""


def parse_toml(content: bytes | str) -> dict[str, Any]:
    """Parse a document.

    Raises:
        msgspec.DecodeError: it is not TOML, or passes a bound.
        UnicodeDecodeError: it is not UTF-8.

    """
    text = content if isinstance(content, str) else content.decode()
    text = text.removeprefix("\ufeff")
    _require_bounded(text)
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also for an integer of too many digits
        raise msgspec.DecodeError(str(error)) from error


def _require_bounded(text: str) -> None:
    depth = dots = 0
    for found in _TOKENS.finditer(text):
        sign = found[0]
        if sign == ".":
            dots += 1
            if dots >= KEY_PARTS_MAX:
                raise msgspec.DecodeError(f"a key has more than {KEY_PARTS_MAX} parts")
        elif sign in "[]{}=,\n":
            dots = 0
            depth += (sign in "[{") - (sign in "]}")
            if depth > NESTED_MAX:
                raise msgspec.DecodeError(f"values are nested deeper than {NESTED_MAX}")
