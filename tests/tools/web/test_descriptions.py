"""The published OpenAPI files hold nothing that generators of clients reject."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.cli_cases import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from objects(one)


@pytest.mark.parametrize("name", ["openapi.json", "commands.openapi.json"])
def test_tuples_are_bounded_by_their_length(name: str) -> None:
    document = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))
    tuples = [one for one in objects(document) if "prefixItems" in one]
    assert all(len(one["prefixItems"]) == one["maxItems"] == one["minItems"] for one in tuples)
    assert not [one for one in objects(document) if one.get("items") is False]
