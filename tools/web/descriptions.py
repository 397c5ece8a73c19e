"""Adapt OpenAPI documents for client generators."""

from __future__ import annotations

from typing import Any

__all__ = ["for_generators"]


def for_generators(document: Any) -> Any:
    """Remove ``"items": false``, which generators reject; tuples have ``maxItems`` as well."""
    if isinstance(document, list):
        return [for_generators(one) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        name: for_generators(value)
        for name, value in document.items()
        if not (name == "items" and value is False)
    }
