"""An object with a key twice is refused wherever it stands, and no other is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import InputError
from ledger.core.json_keys import require_keys_once

KEYS = st.text(max_size=3) | st.sampled_from(("a", "b", 'a":', "\\", '"', ": "))
LEAVES = (
    st.none()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9)
    | KEYS
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)


def written(value: Any, *, ascii_only: bool, colon: str, twice: list[Any] | None = None) -> str:
    """Write JSON; ``twice`` is an object, by identity, whose first key is written twice."""

    def text(one: Any) -> str:
        if isinstance(one, dict):
            members = [f"{text(key)}{colon}{text(inner)}" for key, inner in one.items()]
            again = members[:1] if twice is not None and one is twice[0] else []
            return f"{{{','.join(members + again)}}}"
        if isinstance(one, list):
            return f"[{','.join(map(text, one))}]"
        return json.dumps(one, ensure_ascii=ascii_only)

    return text(value)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """List the objects with a key, at any depth."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found = [value] if isinstance(value, dict) and value else []
    return found + [one for part in inner for one in objects_in(part)]


FORMS = {"ascii_only": st.booleans(), "colon": st.sampled_from((":", ": ", " :", "\n\t:\r "))}


@given(OBJECTS, st.fixed_dictionaries(FORMS))
def test_keys_that_stand_once_are_taken(document: dict[str, Any], form: dict[str, Any]) -> None:
    require_keys_once(written(document, **form).encode())


@given(OBJECTS.filter(bool), st.fixed_dictionaries(FORMS), st.data())
def test_a_key_that_stands_twice_is_refused_wherever_it_is(
    document: dict[str, Any], form: dict[str, Any], data: st.DataObject
) -> None:
    twice = data.draw(st.sampled_from(objects_in(document)))
    text = written(document, **form, twice=[twice])
    with pytest.raises(InputError, match="twice: give it once"):
        require_keys_once(text.encode())


@pytest.mark.parametrize(
    "text",
    [
        r'{"stake": 10000, "st\u0061ke": 20}',
        r'{"stake": "\u003a", "stake": 20}',
        '{"stake" : ":", "stake"\t: 20}',
        '{"pocket": {"stake": 10000, "stake": 20}}',
        '{"all": [1, {"stake": 10000, "stake": 10000}]}',
    ],
)
def test_a_key_is_the_same_however_it_is_written(text: str) -> None:
    with pytest.raises(InputError, match=r'^an object has the key "stake" twice: give it once$'):
        require_keys_once(text.encode())


def test_a_long_key_is_not_told_whole() -> None:
    text = f'{{"{"k" * 5000}": 1, "{"k" * 5000}": 2}}'
    with pytest.raises(InputError, match=f'key "{"k" * 100}" twice'):
        require_keys_once(text.encode())


def test_numbers_of_any_length_are_taken() -> None:
    require_keys_once(b'{"of": {"many": ' + b"1" * 10_000 + b', "huge": 1e999}}')
