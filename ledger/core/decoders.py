"""Decoders of msgspec types, safe to use from several threads.

msgspec resolves the fields of a type when it decodes it for the first time and stores them on the
class meanwhile. A second thread that decodes the same type then reads half of them, and the
interpreter crashes or hangs. Every decoder of the project is therefore created here and resolves
its types under one lock; a test finds decoders created elsewhere. A process that starts threads
calls :func:`build_types` first, so that no request pays for it.
"""

from __future__ import annotations

import re
from contextlib import suppress
from copy import copy
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec

from ledger.core.bounded_toml import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["TypeDecoder", "build_types", "decoder_of"]

_T = TypeVar("_T")
_SOME_KEY = "[...]"
_STEP = re.compile(r"\.[^.\[`]+|\[[0-9.]+\]")

_BUILDING = RLock()
_DECODERS: dict[Any, TypeDecoder[Any]] = {}


class TypeDecoder(Generic[_T]):
    """Decodes values of one type from JSON, TOML or plain values; created by :func:`decoder_of`."""

    __slots__ = ("_kind", "_resolved")

    def __init__(self, kind: Any) -> None:
        """Store the type; the first use or :func:`build_types` resolves it."""
        self._kind = kind
        self._resolved: msgspec.json.Decoder[_T] | None = None

    def build(self) -> msgspec.json.Decoder[_T]:
        """Resolve the type unless it is resolved; return its JSON decoder."""
        decoder = self._resolved
        if decoder is None:
            with _BUILDING:
                decoder = self._resolved = self._resolved or msgspec.json.Decoder(self._kind)
        return decoder

    def json(self, content: bytes | str) -> _T:
        """Decode JSON; raises ``msgspec.DecodeError`` and ``UnicodeDecodeError``."""
        return self.build().decode(content)

    def toml(
        self, content: bytes | str, *, dec_hook: Callable[[type, Any], Any] | None = None
    ) -> _T:
        """Decode TOML within the bounds of :func:`parse_toml`; raises ``msgspec.DecodeError``."""
        return self.plain(parse_toml(content), dec_hook=dec_hook)

    def plain(self, value: object, *, dec_hook: Callable[[type, Any], Any] | None = None) -> _T:
        """Convert dicts, lists and scalars; raises ``msgspec.ValidationError`` with the place."""
        self.build()
        convert = partial(msgspec.convert, type=self._kind, dec_hook=dec_hook)
        try:
            converted: _T = convert(value)
        except msgspec.ValidationError as error:
            problem, mark, place = str(error).rpartition("`$")
            if _SOME_KEY not in place:
                raise
            named = _with_keys(place, value, convert, str(error))
            raise msgspec.ValidationError(f"{problem}{mark}{named}`") from error
        return converted


def _with_keys(place: str, value: Any, convert: Callable[[object], object], error: str) -> str:
    """Return the place of an error with the keys that msgspec writes as ``[...]``.

    A key is found by removing the others: with it alone, the same error occurs.
    """
    steps: list[Any] = []
    holder = value = copy(value)
    for step in _STEP.findall(place):
        if step != _SOME_KEY:
            steps.append(int(step[1:-1]) if step.startswith("[") else step[1:])
        else:
            for key, content in list(holder.items()):
                holder.clear()
                holder[key] = content
                if _fails(convert, value, error):
                    break
            steps.append(key)
        part = holder[steps[-1]] = copy(holder[steps[-1]])
        holder = part
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)


def _fails(convert: Callable[[object], object], value: object, error: str) -> bool:
    try:
        convert(value)
    except msgspec.ValidationError as again:
        return str(again) == error
    return False


@overload
def decoder_of(kind: type[_T]) -> TypeDecoder[_T]: ...


@overload
def decoder_of(kind: Any) -> TypeDecoder[Any]: ...  # a union has no type of its own


def decoder_of(kind: Any) -> TypeDecoder[Any]:
    """Return the decoder of a type; the same object at every call."""
    return _DECODERS.get(kind) or _DECODERS.setdefault(kind, TypeDecoder(kind))


def build_types() -> None:
    """Resolve every type that the loaded modules can decode.

    These are the types of all decoders created so far and all structs: decoded data, such as the
    name of an event, may select a struct.
    """
    for decoder in list(_DECODERS.values()):
        decoder.build()
    for kind in list(_structs(msgspec.Struct)):
        with suppress(NameError, TypeError):  # only encoded, so its types need not resolve
            decoder = _DECODERS.get(kind) or TypeDecoder(kind)
            decoder.build()
            _DECODERS.setdefault(kind, decoder)


def _structs(parent: type[Any]) -> Iterator[type[Any]]:
    for kind in parent.__subclasses__():
        yield kind
        yield from _structs(kind)
