"""The description of commands over HTTP (OpenAPI 3.1), made from the classes of the commands.

Each command has a schema with the types and limits of its class, the units of its numbers, and
what may refuse it with its paragraph. ``docs/commands.openapi.json`` is checked in.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from ledger.core.errors import KINDS
from ledger.core.refusals import Refusal
from ledger.core.version import VERSION
from ledger.decisions.decider import COMMANDS
from ledger.rules.operator import OperatorRules, decode_operator_rules
from tools.service.command_reference import (
    describe_command,
    describe_refusals,
    fields_of,
    unit_of,
)
from tools.web.descriptions import for_generators
from tools.web.problems import MEDIA_TYPE, PROBLEM, REPEAT_SECONDS

__all__ = ["EXAMPLES", "Decided", "Failed", "Line", "Recorded", "Refused", "description"]

REFERENCE = "#/components/schemas/{name}"
PROBLEMS = {
    400: "It can't be decided: `detail` names the fault.",
    401: "The token is missing, or not on the list of clients.",
    403: "No role of the client may send this command, or its certificate is not on the list.",
    408: "The body did not come in time.",
    413: "The body is too large.",
    415: "The body is neither JSON nor NDJSON.",
    429: "The client has too many requests at work: `Retry-After` says when to send it again.",
    500: "The log is damaged, or a fault of the writer: people have to look; don't send it again.",
    503: "It does not lead, or can't store now: send it again, elsewhere or after `Retry-After`.",
}
RETRIED = {429, 503}
EXAMPLES: dict[str, dict[str, Any]] = {
    "deposit": {
        "command": "deposit",
        "command_id": "01931f7a-0000-7000-8000-000000000001",
        "account": "a-1",
        "deposit": "d-1",
        "amount": 50_000,
        "method": "card-1",
    },
    "place_bet": {
        "command": "place_bet",
        "command_id": "01931f7a-0000-7000-8000-000000000002",
        "bet": "q1-1",
        "account": "a-1",
        "round": "q1",
        "bet_code": "red",
        "stake": 1_000,
    },
    "close_bets": {"command": "close_bets", "round": "q1"},
}
"""Commands that are shown; tests send them."""


class Decided(Struct, frozen=True, kw_only=True):
    """What every receipt has."""

    chain: str
    command_id: str
    first_position: int
    last_position: int
    hash: str
    recorded_at: int
    events: tuple[str, ...]


class Recorded(Decided, frozen=True, kw_only=True):
    """Decided as it was asked, and in the chain."""

    status: Literal["recorded"]


class Refused(Decided, frozen=True, kw_only=True):
    """Decided against it, and in the chain: sending it again brings the same answer."""

    status: Literal["refused"]
    refused: Refusal


class Failed(Struct, frozen=True, kw_only=True):
    """Not decided; `line` 0 is for the request and the last answer of it."""

    status: Literal["error"]
    kind: Literal[tuple(KINDS)]  # type: ignore[valid-type]
    text: str


class Line(Struct, frozen=True, kw_only=True):
    """What each answer to NDJSON has besides: the number of its line, from 1."""

    line: Annotated[int, Meta(ge=0)]


@lru_cache(maxsize=4)
def description(rules: str = "") -> str:
    """Return the description as JSON.

    Args:
        rules: those of the chain, as ``OperatorRulesPublished`` holds them; without them, figures
            and paragraphs that an operator fixes are left open.

    """
    document = for_generators(_document(decode_operator_rules(rules) if rules else None))
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _document(rules: OperatorRules | None) -> dict[str, Any]:
    commands = list(COMMANDS.values())
    _, schemas = msgspec.json.schema_components(
        [*commands, Recorded, Refused, Failed, Line], ref_template=REFERENCE
    )
    for name, command in COMMANDS.items():
        _describe(schemas[command.__name__], name, command, rules)
    names = {name: REFERENCE.format(name=command.__name__) for name, command in COMMANDS.items()}
    schemas["Command"] = {
        "oneOf": [{"$ref": name} for name in names.values()],
        "discriminator": {"propertyName": "command", "mapping": names},
    }
    schemas["Problem"] = PROBLEM
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gameledger commands",
            "version": VERSION,
            "summary": "Commands to the writer of a ledger for live-dealer games.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": {"/v1/commands": {"post": _commands()}, **_looks()},
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "certificate": {"type": "mutualTLS"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
        "security": [{"certificate": []}, {"token": []}, {}],
    }


def _describe(schema: dict[str, Any], name: str, command: Any, rules: OperatorRules | None) -> None:
    """Add docstring, refusals, units and examples of a command to its schema."""
    refusals = describe_refusals(command, rules)
    schema["description"] = describe_command(command)
    if refusals:
        schema["x-refusals"] = [
            {"code": one.code, "sentence": one.sentence, "paragraph": one.paragraph}
            for one in refusals
        ]
    schema["required"] = ["command", *(one for one in schema["required"] if one != "command")]
    for field in fields_of(command):
        shape = schema["properties"][field.encode_name]
        if "pattern" in shape:
            shape["pattern"] = shape["pattern"].replace(r"\Z", "$")
        unit = unit_of(field.name)
        kinds = {shape.get("type"), *(one.get("type") for one in shape.get("anyOf", ()))}
        if unit and "integer" in kinds:
            shape["x-unit"] = unit
    if name in EXAMPLES:
        schema["examples"] = [EXAMPLES[name]]


def _commands() -> dict[str, Any]:
    lines = "".join(f"{json.dumps(one)}\n" for one in EXAMPLES.values())
    answers = {"oneOf": [_reference(name) for name in ("Recorded", "Refused", "Failed")]}
    shape = {"allOf": [_reference("Line"), answers]}
    return {
        "operationId": "sendCommands",
        "summary": "Have one command decided, or many in their order.",
        "description": (
            "One command as JSON is answered with its receipt. Many as NDJSON are answered line "
            "by line, in their order, while they come: 200 says that it begins, `status` of each "
            "line what became of it. If the answer ends before all lines are answered, send the "
            "others again with their `command_id`."
        ),
        "parameters": [
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "The `command_id` of the one command, if the body has none.",
                "schema": {"type": "string", "format": "uuid"},
            }
        ],
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": _reference("Command"),
                    "examples": {name: {"value": value} for name, value in EXAMPLES.items()},
                },
                "application/x-ndjson": {
                    "schema": {"type": "string", "description": "A command on each line."},
                    "examples": {"three": {"value": lines}},
                },
            },
        },
        "responses": {
            "200": {
                "description": "Refused, which is a decision and recorded; or the answers to many.",
                "content": {
                    "application/json": {"schema": _reference("Refused")},
                    "application/x-ndjson": {
                        "schema": {
                            "type": "string",
                            "description": "An answer for each line, as `x-line` has it.",
                        },
                        "x-line": shape,
                    },
                },
            },
            "201": {
                "description": "Recorded, now or when it was sent first.",
                "content": {"application/json": {"schema": _reference("Recorded")}},
            },
            **{str(code): _problem(code, text) for code, text in PROBLEMS.items()},
        },
    }


def _looks() -> dict[str, Any]:
    """Describe what machines ask that watch the service."""
    looks: dict[str, tuple[str, str, tuple[int, ...]]] = {
        "/health": ("isAlive", "Whether the process answers.", ()),
        "/ready": ("isLeading", "Whether it leads.", (503,)),
        "/metrics": (
            "measure",
            "What it counts, for Prometheus; for clients of the list.",
            (401, 403, 503),
        ),
    }
    return {
        path: {
            "get": {
                "operationId": name,
                "summary": summary,
                "responses": {
                    "200": {
                        "description": "So it is.",
                        "content": {"text/plain": {"schema": {"type": "string"}}},
                    },
                    **{str(code): _problem(code, PROBLEMS[code]) for code in codes},
                },
            }
        }
        for path, (name, summary, codes) in looks.items()
    }


def _problem(code: int, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {
        "description": text,
        "content": {MEDIA_TYPE: {"schema": _reference("Problem")}},
    }
    if code in RETRIED:
        seconds = {"type": "integer", "examples": [REPEAT_SECONDS]}
        found["headers"] = {"Retry-After": {"description": "Seconds.", "schema": seconds}}
    return found


def _reference(name: str) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=name)}
