"""The texts in the type of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["texts"]


def texts(found: msgspec.inspect.Type, field: str) -> Iterator[tuple[str, msgspec.inspect.StrType]]:
    """Yield the texts in a type, each with the field that holds it."""
    if isinstance(found, msgspec.inspect.StrType):
        yield field, found
    elif isinstance(found, msgspec.inspect.ListType | msgspec.inspect.VarTupleType):
        yield from texts(found.item_type, field)
    elif isinstance(found, msgspec.inspect.UnionType):
        for one in found.types:
            yield from texts(one, field)
    elif isinstance(found, msgspec.inspect.StructType):
        for one in found.fields:
            yield from texts(one.type, one.name)
