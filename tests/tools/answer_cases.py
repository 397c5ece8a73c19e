"""Do the answers of a run of the program fit the schemas that are published?"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from tools.cli.answers import answer_types, schema_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["command_of", "require_fitting"]


def require_fitting(arguments: Sequence[str], output: str) -> None:
    """Require of what a command wrote under ``--json`` that it fits the command's schema."""
    command = command_of(arguments)
    if not command:
        return
    for answer in output.splitlines() if answer_types()[command].is_line else [output]:
        if answer.strip():
            _validator(command).validate(json.loads(answer))


def command_of(arguments: Sequence[str]) -> str:
    """Find the command among the arguments; empty where there is none that answers in JSON."""
    for at, name in enumerate(arguments):
        for found in (" ".join(arguments[at : at + 2]), name):
            if found in answer_types():
                return found
    return ""


@cache
def _validator(command: str) -> Draft202012Validator:
    """Take the schema as it is published, but allow no field that it does not name."""
    return Draft202012Validator(_strict(schema_of(command)))


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _strict(part) for name, part in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        found.setdefault("additionalProperties", False)
    return found
