"""What others need to read the topic: fingerprints of the schemas, and the topic in AsyncAPI."""

from __future__ import annotations

import json
from hashlib import sha256

import schemas
from ledger.core.version import VERSION

__all__ = ["asyncapi", "fingerprints"]


def fingerprints() -> str:
    """Write ``schemas/fingerprints.json``: which file the eight bytes in a message mean.

    The bytes are as they stand in a message, the least significant first. ``sha256`` is that
    of the schema's text, by which the catalogue trusts what stands here.
    """
    found = [
        {
            "name": schema.name,
            "version": schema.version,
            "file": _file(schema),
            "fingerprint": schemas.crc_64_avro(schema.raw).hex(),
            "sha256": sha256(schema.text.encode()).hexdigest(),
        }
        for schema in schemas.numbered().values()
    ]
    return json.dumps(found, indent=1) + "\n"


def asyncapi() -> str:
    """Write ``docs/events.asyncapi.json``: the topic of the log as AsyncAPI 3 describes one."""
    messages = {
        f"{schema.name}.v{schema.version}": {
            "name": schema.name,
            "title": f"{schema.name}, version {schema.version}",
            "summary": schema.raw["doc"],
            "contentType": "avro/binary",
            "x-fingerprint": schema.fingerprint.hex(),
            "payload": {
                "schemaFormat": "application/vnd.apache.avro+json;version=1.9.0",
                "schema": {"$ref": f"../schemas/{_file(schema)}"},
            },
        }
        for schema in schemas.catalogue().values()
    }
    document = {
        "asyncapi": "3.0.0",
        "info": {
            "title": "gameledger events",
            "version": VERSION,
            "description": (
                "Every event of a chain, in its order, in one topic of one partition. A value is "
                "one event in Avro single-object encoding; read committed records only. See "
                "docs/recipes/read-the-topic.md."
            ),
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "avro/binary",
        "channels": {
            "log": {
                "address": "{topic}",
                "description": "The log; order is by `position`.",
                "parameters": {"topic": {"description": "As --log names it."}},
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
                "bindings": {"kafka": {"partitions": 1, "bindingVersion": "0.5.0"}},
            }
        },
        "operations": {
            "readEvents": {"action": "send", "channel": {"$ref": "#/channels/log"}},
        },
        "components": {"messages": messages},
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _file(schema: schemas.Schema) -> str:
    return f"{schema.name}.v{schema.version}.avsc"
