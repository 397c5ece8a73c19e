"""Commands in words: their fields with units and limits, and what refuses them.

The content comes from ``tools.service.command_reference``, as in the description of the API.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from ledger.decisions.decider import COMMANDS
from tools.service.command_reference import (
    COMMON,
    describe_command,
    describe_refusals,
    fields_of,
    unit_of,
)
from tools.service.roles import roles_by_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.operator import OperatorRules

__all__ = ["command_in_words", "commands_in_words"]


def command_in_words(name: str, rules: OperatorRules | None = None) -> Iterator[str]:
    """Describe a command in full, with the figures of the chain's rules if there are any.

    Raises:
        BadParameter: there is none of that name.

    """
    command = COMMANDS.get(name)
    if command is None:
        near = get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise typer.BadParameter(
            f"there is no command {name!r}: {hint}`gameledger record --help` lists them all"
        )
    yield f"{name}: {describe_command(command)}"
    yield ""
    yield f"Roles of clients that may send it: {', '.join(roles_by_command()[name])}"
    yield ""
    for heading, is_common in (("Fields", False), ("Every command also takes", True)):
        yield f"{heading}:"
        for field in fields_of(command):
            if (field.name in COMMON) is is_common:
                yield f"    {field.encode_name}: {_field_in_words(field)}"
        yield ""
    refusals = describe_refusals(command, rules)
    if refusals:
        yield "May be refused with, in the order of judgement:"
        for one in refusals:
            yield f"    {one.code}: {one.sentence} ({one.paragraph})"


def commands_in_words() -> Iterator[str]:
    """List all commands with their fields."""
    yield " Commands, in full with `record --help COMMAND`; every one also takes"
    yield " command_id, occurred_at, actor, source:\n"
    for name, command in COMMANDS.items():
        yield f" {name}: {describe_command(command).splitlines()[0]}"
        for field in fields_of(command):
            if field.name not in COMMON:
                need = "" if field.required else " (optional)"
                yield f"     {field.encode_name}: {_type_in_words(field.type)}{need}"
        yield ""


def _field_in_words(field: Any) -> str:
    """Describe type, unit and limits of a field, and whether it may be left out."""
    parts = [_type_in_words(field.type)]
    if parts[0].startswith("whole number"):
        parts.append(unit_of(field.name))
    kinds = getattr(field.type, "types", (field.type,))
    parts += [_limits(kind) for kind in kinds]
    if not field.required:
        parts.append("optional")
    return "; ".join(part for part in parts if part)


def _limits(kind: Any) -> str:
    words = {
        "gt": "more than {}",
        "ge": "{} at least",
        "lt": "less than {}",
        "le": "{} at most",
        "min_length": "{} characters at least",
        "max_length": "{} characters at most",
        "pattern": "of the form {}",
    }
    found = ((text, getattr(kind, name, None)) for name, text in words.items())
    return ", ".join(text.format(limit) for text, limit in found if limit is not None)


def _type_in_words(kind: Any) -> str:
    info = msgspec.inspect
    if isinstance(kind, info.LiteralType):
        return " | ".join(map(str, kind.values))
    if isinstance(kind, info.UnionType):
        return " or ".join(_type_in_words(part) for part in kind.types)
    if isinstance(kind, info.Metadata):
        return _type_in_words(kind.type)
    if isinstance(kind, info.DictType):
        return f"object of {_type_in_words(kind.value_type)}"
    if isinstance(kind, info.TupleType):
        return f"[{', '.join(_type_in_words(part) for part in kind.item_types)}]"
    if isinstance(kind, info.ListType):
        return f"list of {_type_in_words(kind.item_type)}"
    if isinstance(kind, info.StructType):
        return f"{{{', '.join(field.encode_name for field in kind.fields)}}}"
    words = {
        info.StrType: "text",
        info.IntType: "whole number",
        info.BoolType: "true or false",
        info.BytesType: "base64",
        info.DateTimeType: "moment with offset",
        info.DateType: "date",
        info.UUIDType: "UUID",
        info.NoneType: "null",
        info.AnyType: "any JSON",
    }
    return next((word for base, word in words.items() if isinstance(kind, base)), "value")
