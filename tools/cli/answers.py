"""The answers that commands give with ``--json``: their types, and JSON schemas made of them.

A command declares the type of its answer, see :mod:`tools.cli._answering`. The answer is one
document, or for some commands one on each line. Money is whole haléř and moments are microseconds
since the epoch in UTC, as in the log. A field that is optional in a type is there only under the
options that ask for it.
"""

from __future__ import annotations

from functools import cache
from types import UnionType
from typing import Any

import msgspec

from tools.cli._answering import AnswerType, answer_of

__all__ = ["answer_types", "schema_of"]


@cache
def answer_types() -> dict[str, AnswerType]:
    """Return the answers of all commands that have one in JSON, by command."""
    from tools.cli._app import commands

    found = {name: answer_of(command.callback) for name, command in commands()}
    return {name: answer for name, answer in found.items() if answer is not None}


def schema_of(command: str) -> dict[str, Any]:
    """Make the JSON Schema (2020-12) of a command's answer."""
    answer = answer_types()[command]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gameledger {command} --json" + (", each line" if answer.is_line else ""),
        **_schema(answer.kind()),
    }


def _schema(kind: Any) -> dict[str, Any]:
    """Make a schema; types that msgspec would not tell apart when it reads are parted here."""
    parts = getattr(kind, "__args__", ()) if isinstance(kind, UnionType) else ()
    if not parts:
        (shape,), named = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        return {**shape, "$defs": named} if named else shape
    shapes, named = msgspec.json.schema_components(parts, ref_template="#/$defs/{name}")
    return {"anyOf": list(shapes), "$defs": named}
