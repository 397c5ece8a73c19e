"""The Kafka topics in AsyncAPI, and the fingerprints of their schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import schemas
from ledger.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["asyncapi", "fingerprints", "schema_file"]

OPENAPI = "commands.openapi.json#/components/schemas/"
KEY = {"type": "string", "description": "Keeps order: an account or a table. Up to 4 KiB."}
PLACE = {
    "command-partition": {"type": "string", "description": "Partition of the command."},
    "command-offset": {"type": "string", "description": "Its offset there."},
}
COMMAND_TOPICS = {
    "commands": ("", "Commands, in the order of their keys.", ("command",)),
    "receipts": (
        ".receipts",
        "One answer to each command; read committed records only.",
        ("recorded", "refused", "problem"),
    ),
    "deadLetters": (".dead-letters", "What could not be decided, as it came.", ("deadLetter",)),
}
"""The topics of commands: suffix of the name, content, kinds of messages."""


def _message(title: str, schema: str, kind: str, headers: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": title,
        "title": title,
        "contentType": kind,
        "headers": {"type": "object", "properties": headers},
        "bindings": {"kafka": {"key": KEY, "bindingVersion": "0.5.0"}},
        "payload": {
            "schemaFormat": "application/vnd.oai.openapi+json;version=3.1.0",
            "schema": {"$ref": OPENAPI + schema},
        },
    }


_TYPED = {"content-type": {"type": "string"}, **PLACE}
MESSAGES = {
    "command": _message(
        "A command, with its command_id",
        "Command",
        "application/json",
        {"traceparent": {"type": "string", "description": "The trace that it belongs to."}},
    ),
    "recorded": _message("A decision that was recorded", "Recorded", "application/json", _TYPED),
    "refused": _message("A refusal, which is recorded too", "Refused", "application/json", _TYPED),
    "problem": _message("Why it was not decided", "Problem", "application/problem+json", _TYPED),
    "deadLetter": {
        "name": "deadLetter",
        "title": "A record that could not be decided, key and value as they came",
        "contentType": "application/octet-stream",
        "headers": {
            "type": "object",
            "properties": {
                "problem": {"type": "string", "description": "The problem document, as JSON."},
                **PLACE,
            },
        },
        "bindings": {"kafka": {"key": KEY, "bindingVersion": "0.5.0"}},
    },
}


def fingerprints() -> str:
    """Return ``fingerprints.json``: the file of the eight bytes in a message.

    The bytes are in the order of a message, the least significant first.
    """
    found = [
        {
            "name": schema.name,
            "version": schema.version,
            "file": schema_file(schema),
            "fingerprint": schema.fingerprint.hex(),
        }
        for schema in schemas.numbered().values()
    ]
    return json.dumps(found, indent=1) + "\n"


def asyncapi() -> str:
    """Return the description of the topics in AsyncAPI 3."""
    events = {
        f"{schema.name}.v{schema.version}": {
            "name": schema.name,
            "title": f"{schema.name}, version {schema.version}",
            "summary": schema.raw["doc"],
            "contentType": "avro/binary",
            "x-fingerprint": schema.fingerprint.hex(),
            "payload": {
                "schemaFormat": "application/vnd.apache.avro+json;version=1.9.0",
                "schema": {"$ref": f"events/{schema_file(schema)}"},
            },
        }
        for schema in schemas.catalogue().values()
    }
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "gameledger on Kafka",
            "version": VERSION,
            "description": (
                "Every event of a chain, in its order, in one topic of one partition. A value is "
                "one event in Avro single-object encoding; read committed records only. See "
                "docs/recipes/read-the-topic.md. If a writer takes commands from Kafka, the "
                "topics of commands, receipts and dead letters follow, in JSON: "
                "docs/commands-from-kafka.md."
            ),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "avro/binary",
        "channels": {
            "log": {
                "address": "{topic}",
                "description": "The log; order is by `position`.",
                "parameters": {"topic": {"description": "As --log names it."}},
                "messages": _named(events),
                "bindings": {"kafka": {"partitions": 1, "bindingVersion": "0.5.0"}},
            },
            **{
                name: {
                    "address": f"{{commands}}{suffix}",
                    "description": text,
                    "parameters": {"commands": {"description": "As --commands-from names it."}},
                    "messages": _named(messages),
                }
                for name, (suffix, text, messages) in COMMAND_TOPICS.items()
            },
        },
        "operations": {
            "readEvents": {"action": "send", "channel": {"$ref": "#/channels/log"}},
            "takeCommands": {
                "action": "receive",
                "channel": {"$ref": "#/channels/commands"},
                "reply": {"channel": {"$ref": "#/channels/receipts"}},
            },
            "keepDeadLetters": {"action": "send", "channel": {"$ref": "#/channels/deadLetters"}},
        },
        "components": {"messages": events | MESSAGES},
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _named(messages: Iterable[str]) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in messages}


def schema_file(schema: schemas.Schema) -> str:
    """Return the name of an exported Avro schema."""
    return f"{schema.name}.v{schema.version}.avsc"
