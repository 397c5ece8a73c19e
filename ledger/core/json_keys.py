"""Reject JSON objects with a duplicate key, because parsers disagree about their meaning.

What comes in: JSON from outside that parsed without an error. Guaranteed: exactly the objects with
a duplicate key, at any depth, are rejected. The fast check compares two numbers: the number of
parsed keys, and the number of places in the text that look like the end of a key. Only if they
differ is the text parsed again, key by key.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from ledger.core.errors import InputError

__all__ = ["require_keys_once"]

_SHOWN_MAX = 100
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_KEY_END = re.compile(rb'"\s*:')


def require_keys_once(text: bytes) -> None:
    """Reject a JSON text in which an object has a key twice.

    Raises:
        InputError: an object has a key twice; the text names it.
        RecursionError: the text is nested too deeply.

    """
    keys = len(_MEMBERS.decode(text))
    if text.count(b":") == keys or len(_KEY_END.findall(text)) == keys:
        return
    try:
        json.loads(
            text.decode(),
            object_pairs_hook=_require_once,
            parse_int=str,
            parse_float=str,
            strict=False,
        )
    except ValueError as error:
        raise InputError(f"not a JSON object: {error}") from error


def _require_once(pairs: list[tuple[str, Any]]) -> None:
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            shown = json.dumps(key[:_SHOWN_MAX])
            raise InputError(f"an object has the key {shown} twice: give it once")
        seen.add(key)
