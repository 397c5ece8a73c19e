"""JSON to spoil requests with: values of any shape, and every place where one can be put."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence


def json_values(words: Sequence[str], keys: Sequence[str]) -> st.SearchStrategy[Any]:
    """Any JSON, with some words and keys that mean something to a game."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from(words),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.sampled_from(keys) | st.text(max_size=4), inner, max_size=5)
        ),
        max_leaves=15,
    )


def places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths to a value and to everything inside it."""
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    return [path, *(place for key, inner in pairs for place in places(inner, (*path, key)))]


def spoil(document: Any, data: st.DataObject, values: st.SearchStrategy[Any]) -> None:
    """Take one part of a document away, or put any JSON in its place."""
    place = data.draw(st.sampled_from(places(document)[1:]))
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    if data.draw(st.booleans()):
        del holder[place[-1]]
    else:
        holder[place[-1]] = data.draw(values)
