"""Objects of JSON that have a key twice: readers don't agree about what they say.

What comes in: JSON from outside that was read without an error. Promised: refused is each object
with a key twice, at any depth, and nothing else. Two counts clear almost every text: of its keys,
and of what ends like one. Only where they differ is it read again, key by key.
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
    """Refuse a JSON object in which an object has a key twice.

    Raises:
        InputError: one has; the text names the key.
        RecursionError: it is nested too deeply.

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
